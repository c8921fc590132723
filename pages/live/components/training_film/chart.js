// Curves over the steps of a training. A pure function from numbers to a canvas.

import { minus } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";

const ROOM = 1.12; // above a guide, for its name

/** Round numbers from low to high, about so many. */
export function ticks(low, high, about) {
  const raw = (high - low) / about,
    unit = 10 ** Math.floor(Math.log10(raw));
  const step = unit * ([1, 2, 5].find((m) => m * unit >= raw * 0.999) ?? 10);
  const out = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high * (1 + 1e-9); n++)
    out.push(Number((n * step).toPrecision(8)));
  return out;
}

/** A number for an axis or a tile: three digits, and no more noughts than it needs. */
export function figure(value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en");
  if (size >= 100) return value.toFixed(0);
  if (size >= 10) return value.toFixed(1);
  if (size >= 0.1 || size === 0) return value.toFixed(2);
  if (size >= 0.001) return value.toFixed(size >= 0.01 ? 3 : 4);
  return power(value);
}

/** A tiny number, as 3 × 10⁻⁴. */
function power(value) {
  const [digits, exponent] = value.toExponential(0).split("e");
  const raised = [...String(Number(exponent))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
  return `${minus(digits)} × 10${raised.join("")}`;
}

export function label(value, percent) {
  if (percent) return `${Math.round(100 * value)}%`;
  return value === 0 ? "0" : Math.abs(value) < 0.001 ? power(value) : String(Number(value.toPrecision(3)));
}

/** Where a step is on the chart, and which step a place is. */
export function chartPlace(width, height, last) {
  const left = 46,
    right = 10,
    top = 8,
    bottom = 20;
  const across = Math.max(1, width - left - right);
  return {
    left,
    top,
    width,
    height,
    last,
    right: width - right,
    bottom: height - bottom,
    x: (step) => left + (across * step) / Math.max(1, last),
    step: (x) => Math.max(0, Math.min(last, ((x - left) / across) * last)),
  };
}

/** Curves over the steps.
 *
 * lines [{ steps, values, colour, width, alpha, dash }], guides [{ value, text }],
 * dots [{ step, value, text, colour }], marks [{ step, text, colour }]: what happened after a step; `at` is the step
 * of the marker, in the colour of the ink.
 * log: each line of the grid is ten times the last. */
export function paintChart(canvas, place, { lines, guides = [], dots = [], marks = [], at, ...axis }, colours) {
  const context = surface(canvas, place.width, place.height);
  const finite = lines.flatMap((line) => line.values.filter(Number.isFinite)).concat(guides.map((g) => ROOM * g.value));
  const { low, high, y } = heights(place, finite, axis);
  context.font = `12.5px ${colours.font}`;
  paintGrid(context, place, gridLines(low, high, axis.log, place.height), y, axis.percent, colours);
  paintSteps(context, place, colours);
  for (const guide of guides) paintGuide(context, place, guide, y, colours);
  paintMarks(context, place, marks);
  context.lineJoin = "round";
  for (const line of lines) paintLine(context, place, line, y);
  for (const guide of guides) nameGuide(context, place, guide, y, colours);
  const names = guides.map(({ value, text }) => ({
    left: place.right - 8 - context.measureText(text).width,
    right: place.right - 8,
    bottom: y(value) - 2,
  }));
  for (const dot of dots) if (Number.isFinite(dot.value)) paintDot(context, place, dot, y, colours, names);
  if (at !== null) paintMarker(context, place, at, colours);
}

/** The range of an axis, and where a value is on it. */
export function heights(place, finite, { log = false, low = 0, high = null }) {
  const most = high ?? Math.max(1e-9, ...finite) * 1.04;
  const least = log ? Math.min(...finite.filter((v) => v > 0), most / 2) : low;
  const share = log
    ? (v) => Math.log(Math.max(v, least) / least) / Math.log(most / least)
    : (v) => (v - least) / (most - least);
  const tall = place.bottom - place.top;
  return { low: least, high: most, y: (v) => place.bottom - tall * Math.max(0, Math.min(1.02, share(v))) };
}

/** Values that get a line across; of powers of ten at least two. */
export function gridLines(low, high, log, height) {
  if (!log) return ticks(low, high, height > 130 ? 4 : 2);
  const powers = Array.from({ length: 16 }, (_, n) => 10 ** (n - 8)).filter((v) => v >= low && v <= high);
  return powers.length > 1 ? powers : [low, high];
}

function paintGrid(context, place, values, y, percent, colours) {
  context.textBaseline = "middle";
  context.textAlign = "right";
  context.lineWidth = 1;
  context.strokeStyle = colours.line;
  context.fillStyle = colours.quiet;
  for (const value of values) {
    context.beginPath();
    context.moveTo(place.left, Math.round(y(value)) + 0.5);
    context.lineTo(place.right, Math.round(y(value)) + 0.5);
    context.stroke();
    context.fillText(label(value, percent), place.left - 6, y(value));
  }
}

function paintSteps(context, place, colours) {
  context.fillStyle = colours.quiet;
  context.textBaseline = "bottom";
  for (const step of ticks(0, place.last, place.width > 300 ? 5 : 3)) {
    if (!Number.isInteger(step)) continue;
    context.textAlign = step === 0 ? "left" : place.x(step) > place.right - 12 ? "right" : "center";
    context.fillText(String(step), place.x(step), place.height - 1);
  }
}

function paintGuide(context, place, { value }, y, colours) {
  context.setLineDash([2, 4]);
  context.strokeStyle = colours.quiet;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(place.left, y(value));
  context.lineTo(place.right, y(value));
  context.stroke();
  context.setLineDash([]);
}

/** Above its line, and legible where curves run through it. */
function nameGuide(context, place, { value, text }, y, colours) {
  context.textAlign = "right";
  context.textBaseline = "bottom";
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  context.strokeText(text, place.right - 8, y(value) - 2);
  context.fillStyle = colours.quiet;
  context.fillText(text, place.right - 8, y(value) - 2);
}

function paintLine(context, place, { steps, values, colour, width = 1.6, alpha = 1, dash = [] }, y) {
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  let drawing = false;
  values.forEach((value, n) => {
    if (!Number.isFinite(value)) return;
    if (drawing) context.lineTo(place.x(steps[n]), y(value));
    else context.moveTo(place.x(steps[n]), y(value));
    drawing = true;
  });
  context.stroke();
  context.globalAlpha = 1;
  context.setLineDash([]);
}

const WORDS = 16; // pixels of a line of words

/** The lower edge of words that would stand on others: above these if there is room, else below. */
export function clearOf({ left, right, bottom }, others, top) {
  const hit = others.find(
    (other) =>
      left < other.right && right > other.left && bottom > other.bottom - WORDS && bottom - WORDS < other.bottom,
  );
  if (!hit) return bottom;
  const above = hit.bottom - WORDS;
  return above - WORDS >= top ? above : hit.bottom + WORDS + 4;
}

/** others: words that its own keep clear of */
function paintDot(context, place, { step, value, text, colour }, y, colours, others) {
  const x = place.x(step);
  context.beginPath();
  context.arc(x, y(value), text ? 4 : 4.5, 0, 7);
  context.fillStyle = text ? colours.ground : colour;
  context.fill();
  context.strokeStyle = text ? colour : colours.ground;
  context.lineWidth = 2;
  context.stroke();
  if (!text) return;
  const late = x > place.right - 90;
  context.fillStyle = colour;
  context.textAlign = late ? "right" : "left";
  context.textBaseline = "bottom";
  const [from, wide] = [x + (late ? 2 : -2), context.measureText(text).width];
  const box = { left: late ? from - wide : from, right: late ? from : from + wide, bottom: y(value) - 7 };
  const bottom = clearOf(box, others, 0);
  context.lineWidth = 4;
  context.strokeStyle = colours.ground;
  context.strokeText(text, from, bottom);
  context.fillText(text, from, bottom);
}

const ROWS = 3; // of words on what was changed

/** A line down at every step at which something was changed, and what; words without room go a row down. */
function paintMarks(context, place, marks) {
  const ends = []; // of the texts in every line so far
  context.textBaseline = "top";
  context.lineWidth = 1.5;
  context.setLineDash([6, 3]);
  for (const { step, text, colour } of marks) {
    const x = place.x(step),
      wide = context.measureText(text).width,
      from = Math.max(place.left, Math.min(x + 5, place.right - wide));
    const found = ends.findIndex((end) => end < from);
    const row = found < 0 ? ends.length : found;
    if (text) ends[row] = from + wide + 8;
    context.strokeStyle = context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x, place.top);
    context.lineTo(x, place.bottom);
    context.stroke();
    context.textAlign = "left";
    if (row < ROWS) context.fillText(text, from, place.top + 16 * row);
  }
  context.setLineDash([]);
}

function paintMarker(context, place, step, colours) {
  context.strokeStyle = colours.ink;
  context.globalAlpha = 0.45;
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(place.x(step), place.top);
  context.lineTo(place.x(step), place.bottom);
  context.stroke();
  context.globalAlpha = 1;
}
