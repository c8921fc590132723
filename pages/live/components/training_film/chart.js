// Curves over the steps of a training. A pure function from numbers to a canvas.

import { minus } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";

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
  return minus(value.toExponential(0));
}

export function label(value, percent) {
  if (percent) return `${Math.round(100 * value)}%`;
  return value === 0
    ? "0"
    : Math.abs(value) < 0.001
      ? minus(value.toExponential(0))
      : String(Number(value.toPrecision(3)));
}

/** Where a step is on the chart, and which step a place is. */
export function chartPlace(width, height, last) {
  const left = 38,
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

/** lines [{ steps, values, colour, width, alpha, dash }], guides [{ value, text }], dots [{ step, value, text, colour }];
 * `at` is the step that the marker stands at, in the colour of the ink. log: each line of the grid is ten times the last. */
export function paintChart(
  canvas,
  place,
  { lines, guides = [], dots = [], at, log = false, percent = false, low = 0, high = null },
  colours,
) {
  const context = surface(canvas, place.width, place.height);
  const finite = lines.flatMap((line) => line.values.filter(Number.isFinite)).concat(guides.map((g) => g.value));
  const most = high ?? Math.max(1e-9, ...finite) * 1.04;
  const positive = finite.filter((v) => v > 0);
  const least = log ? Math.min(...positive, most / 2) : low;
  const scale = log
    ? (v) => Math.log(Math.max(v, least) / least) / Math.log(most / least)
    : (v) => (v - least) / (most - least);
  const y = (v) => place.bottom - (place.bottom - place.top) * Math.max(0, Math.min(1.02, scale(v)));
  context.font = `11.5px ${colours.font}`;
  context.textBaseline = "middle";
  context.lineWidth = 1;
  const across = log
    ? Array.from({ length: 16 }, (_, n) => 10 ** (n - 8)).filter((v) => v >= least && v <= most)
    : ticks(least, most, place.height > 130 ? 4 : 2);
  for (const value of across.length > 1 || !log ? across : [least, most]) {
    context.strokeStyle = colours.line;
    context.beginPath();
    context.moveTo(place.left, Math.round(y(value)) + 0.5);
    context.lineTo(place.right, Math.round(y(value)) + 0.5);
    context.stroke();
    context.fillStyle = colours.quiet;
    context.textAlign = "right";
    context.fillText(label(value, percent), place.left - 6, y(value));
  }
  context.fillStyle = colours.quiet;
  context.textBaseline = "bottom";
  for (const value of ticks(0, place.last, place.width > 300 ? 5 : 3)) {
    if (!Number.isInteger(value)) continue;
    context.textAlign = value === 0 ? "left" : place.x(value) > place.right - 12 ? "right" : "center";
    context.fillText(String(value), place.x(value), place.height - 1);
  }
  for (const guide of guides) {
    context.setLineDash([2, 4]);
    context.strokeStyle = colours.quiet;
    context.beginPath();
    context.moveTo(place.left, y(guide.value));
    context.lineTo(place.right, y(guide.value));
    context.stroke();
    context.setLineDash([]);
    context.textAlign = "right";
    context.textBaseline = "bottom";
    context.fillText(guide.text, place.right, y(guide.value) - 2);
  }
  context.lineJoin = "round";
  for (const line of lines) {
    context.globalAlpha = line.alpha ?? 1;
    context.strokeStyle = line.colour;
    context.lineWidth = line.width ?? 1.6;
    context.setLineDash(line.dash ?? []);
    context.beginPath();
    let drawing = false;
    line.values.forEach((value, n) => {
      if (!Number.isFinite(value)) return;
      if (drawing) context.lineTo(place.x(line.steps[n]), y(value));
      else context.moveTo(place.x(line.steps[n]), y(value));
      drawing = true;
    });
    context.stroke();
  }
  context.globalAlpha = 1;
  context.setLineDash([]);
  for (const dot of dots) {
    if (!Number.isFinite(dot.value)) continue;
    context.beginPath();
    context.arc(place.x(dot.step), y(dot.value), dot.text ? 4 : 4.5, 0, 7);
    context.fillStyle = dot.text ? colours.ground : dot.colour;
    context.fill();
    context.strokeStyle = dot.text ? dot.colour : colours.ground;
    context.lineWidth = 2;
    context.stroke();
    if (!dot.text) continue;
    const late = place.x(dot.step) > place.right - 90;
    context.fillStyle = dot.colour;
    context.textAlign = late ? "right" : "left";
    context.textBaseline = "bottom";
    context.fillText(dot.text, place.x(dot.step) + (late ? 2 : -2), y(dot.value) - 7);
  }
  if (at !== null) {
    context.strokeStyle = colours.ink;
    context.globalAlpha = 0.45;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(place.x(at), place.top);
    context.lineTo(place.x(at), place.bottom);
    context.stroke();
    context.globalAlpha = 1;
  }
}
