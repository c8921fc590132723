// The drawing of heatmaps: pure functions from numbers to a canvas. Nothing here keeps state or listens to anything.

import { rolesOf } from "./axes.js";
import { mixed, pixelsOf } from "./colours.js";
import { shorten } from "./lab.js";

/** A matrix as an image of one pixel a cell, on a canvas of its own. */
export function image(data, rows, cols, largest, colours, allowed, signed = false) {
  return canvasOf(pixelsOf(data, rows * cols, largest, colours, allowed, signed), rows, cols);
}

function canvasOf(pixels, rows, cols, canvas = document.createElement("canvas")) {
  if (canvas.width !== cols) canvas.width = cols;
  if (canvas.height !== rows) canvas.height = rows;
  canvas.getContext("2d").putImageData(new ImageData(pixels, cols, rows), 0, 0);
  return canvas;
}

/** A matrix {data, rows, cols} of at most `side` rows and columns: a cell is the largest of those it stands for, so
 * that a single strong one is seen at any size, and is open if any of them is. */
export function shrunk({ data, rows, cols }, allowed, side) {
  const [R, C] = [Math.min(rows, side), Math.min(cols, side)];
  if (R === rows && C === cols) return { data, rows, cols, allowed };
  const small = new Float32Array(R * C);
  const open = allowed ? new Uint8Array(R * C) : null;
  const across = Int32Array.from({ length: cols }, (_, j) => Math.floor((j * C) / cols));
  for (let i = 0; i < rows; i++) {
    const start = Math.floor((i * R) / rows) * C;
    for (let j = 0; j < cols; j++) {
      const [from, to] = [i * cols + j, start + across[j]];
      if (data[from] > small[to]) small[to] = data[from];
      if (open && allowed[from]) open[to] = 1;
    }
  }
  return { data: small, rows: R, cols: C, allowed: open };
}

/** Blocked cells are hatched: never the colour of zero. */
function hatch(context, colours) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const t = tile.getContext("2d");
  t.strokeStyle = colours.quiet;
  t.globalAlpha = 0.24; // quieter than the weights beside it
  t.lineWidth = 1;
  t.beginPath();
  for (const x of [-8, 0, 8]) {
    t.moveTo(x, 8);
    t.lineTo(x + 8, 0);
  }
  t.stroke();
  return context.createPattern(tile, "repeat");
}

const sizes = new WeakMap(); // of canvases: "width height ratio"
const named = new WeakMap(); // of heatmaps: what their names were drawn from

/** Pixels of the screen to a pixel of CSS, as far as canvases follow it. */
const density = () => Math.min(window.devicePixelRatio || 1, 3);

/** A canvas of the given CSS size on a screen of any density; returns its context, cleared and as if it were new. */
export function surface(canvas, width, height) {
  const ratio = density();
  const size = `${width} ${height} ${ratio}`;
  const context = canvas.getContext("2d");
  named.delete(canvas);
  if (sizes.get(canvas) === size) {
    context.restore(); // to write the same size again would take memory, and layout, anew
  } else {
    sizes.set(canvas, size);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
  }
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width + 1, height + 1);
  return context;
}

/** Where everything on the heatmap goes, for a canvas at most `width` wide and `height` tall; cells of a readable size
 * come first. */
export function heatLayout(picture, width, height, font) {
  const { T, S } = picture;
  const ruler = (heatLayout.ruler ??= document.createElement("canvas").getContext("2d"));
  ruler.font = `13px ${font}`;
  const longest = (tokens) => tokens.reduce((most, t) => Math.max(most, ruler.measureText(shorten(t)).width), 0);
  const room = Math.max(64, Math.min(longest(picture.queries), 92) + 14);
  const named = Math.max(42, Math.min(longest(picture.keys), 92) * 0.87 + 18);
  const fit = (left, right, top) => Math.min(44, (width - left - right) / S, Math.max(240, height - top) / T);
  const labels = fit(room, 22, named) >= 12;
  const text = fit(room, 22, named) >= 26 ? 15 : 13; // pixels of a name
  const [left, top] = labels ? [room, named].map((at) => Math.round((at * text) / 13)) : [64, 42];
  const size = Math.max(0.5, fit(left, labels ? 22 : 4, top)); // a page that is being laid out may leave no room at all
  const { query: asks, key } = rolesOf(picture.header ?? {});
  const { across = key } = picture;
  return {
    left,
    top,
    cell: size,
    labels,
    width,
    height: top + size * T + 2,
    gaps: size >= 9,
    font,
    text,
    across,
    asks,
  };
}

/** The heatmap without anything that changes on hover.
 *
 * what  {matrix, largest, stage, mask}, the mask where it is not that of all layers; before: the same of another stage,
 * which has passed so far (0 to 1) into this one */
export function paintHeat(canvas, picture, what, layout, colours, before = null, passed = 1) {
  const { matrix, largest, stage } = what;
  const { T, S } = picture;
  const { left, top, cell, gaps } = layout;
  const names = [layout, colours, picture.queries, picture.keys];
  const isNamed = named.get(canvas)?.every((part, n) => part === names[n]);
  const context = isNamed ? canvas.getContext("2d") : surface(canvas, layout.width, layout.height);
  if (isNamed) context.clearRect(left - 1, top - 1, layout.width, layout.height); // the cells alone are drawn anew
  const mask = hidesBlocked(stage) ? (what.mask ?? picture.arrays.mask) : null;
  if (!gaps) {
    context.imageSmoothingEnabled = cell < 1;
    const signed = stage !== "weights";
    // Weights that share a pixel show the largest of them: a thin diagonal would fade in their mean.
    const side = signed ? Infinity : Math.ceil(cell * Math.max(T, S) * density());
    const small = shrunk({ data: matrix, rows: T, cols: S }, mask, side);
    const drawn = image(small.data, small.rows, small.cols, largest, colours, small.allowed, signed);
    context.drawImage(drawn, left, top, cell * S, cell * T);
    context.strokeStyle = colours.line;
    context.strokeRect(left - 0.5, top - 0.5, cell * S + 1, cell * T + 1);
  } else {
    // The colours are an image of one pixel per cell, drawn large; a stencil leaves of it what lies within the cells. A
    // path for every cell takes many times as long, and the cells move from stage to stage in every frame.
    const stencil = stencilOf(layout, mask, T, S, colours);
    const pixels = before
      ? mixed(coloursOf(before, T * S, colours), coloursOf(what, T * S, colours), passed)
      : coloursOf(what, T * S, colours);
    context.save();
    context.beginPath();
    context.rect(stencil.x, stencil.y, stencil.width, stencil.height);
    context.clip();
    context.imageSmoothingEnabled = false;
    context.drawImage(canvasOf(pixels, T, S, stencil.pixels), left, top, cell * S, cell * T);
    for (const [operation, layer] of [
      ["destination-out", stencil.rest], // "destination-in" with the cells would take a layer as large as the canvas
      ["source-over", stencil.lines],
    ]) {
      context.globalCompositeOperation = operation;
      context.drawImage(layer, stencil.x, stencil.y, stencil.width, stencil.height);
    }
    context.restore();
  }
  if (isNamed) return;
  named.set(canvas, names);
  paintAxes(context, layout, colours);
  for (let i = 0; i < T; i++) heatLabel(context, picture, layout, colours, "query", i, false);
  for (let j = 0; j < S; j++) heatLabel(context, picture, layout, colours, "key", j, false);
}

const coloursOf = ({ matrix, largest, stage }, n, colours) =>
  pixelsOf(matrix, n, largest, colours, null, stage !== "weights");

const stencils = new WeakMap(); // of layouts: what their cells are cut out with, by mask

/** What all stages of a map have in common, drawn once: `rest` covers all but the cells that are open, `lines` are
 * their outlines and the hatches of the others; x, y, width and height say where they belong, on whole pixels of the
 * screen. */
function stencilOf(layout, mask, T, S, colours) {
  const ratio = density();
  const kept = stencils.get(layout) ?? new Map();
  stencils.set(layout, kept);
  const last = kept.get(mask);
  if (last?.colours === colours && last.ratio === ratio) return last;
  if (kept.size > 3) kept.clear(); // heads of several layers together make a mask of their own each time
  const { left, top, cell } = layout;
  const [x, y] = [left, top].map((at) => Math.floor(at * ratio) / ratio);
  const [width, height] = [left + cell * S - x, top + cell * T - y].map((size) => Math.ceil(size * ratio) / ratio);
  const [rest, lines, pixels] = Array.from({ length: 3 }, () => document.createElement("canvas"));
  const cells = cellsOf(layout, mask, T, S);
  const [outside, above] = [rest, lines].map((canvas) => surface(canvas, width, height));
  for (const context of [outside, above]) context.translate(-x, -y);
  outside.fillRect(x, y, width, height);
  outside.globalCompositeOperation = "destination-out";
  outside.fill(cells.open);
  if (mask) {
    above.fillStyle = hatch(above, colours);
    above.fill(cells.blocked);
  }
  above.strokeStyle = colours.line;
  above.lineWidth = 0.5;
  above.stroke(cells.open);
  const made = { x, y, width, height, rest, lines, pixels: last?.pixels ?? pixels, colours, ratio };
  kept.set(mask, made);
  return made;
}

/** The outlines of the cells that are open, and of those that are blocked. */
function cellsOf({ left, top, cell }, mask, T, S) {
  const gap = cell > 20 ? 1.5 : 1;
  const round = cell < 14 ? 0 : Math.min(3, cell / 6);
  const [open, blocked] = [new Path2D(), new Path2D()];
  for (let i = 0; i < T; i++)
    for (let j = 0; j < S; j++) {
      const box = [left + j * cell + gap, top + i * cell + gap, cell - 2 * gap, cell - 2 * gap];
      if (mask && !mask[i * S + j]) blocked.rect(...box);
      else if (round) open.roundRect(...box, round);
      else open.rect(...box);
    }
  return { open, blocked };
}

/** Whether blocked cells are hatched at this stage: before the mask, they have scores like others. */
export const hidesBlocked = (stage) => stage === "masked" || stage === "weights";

/** In the corner between the labels: rows are queries, columns are keys. */
function paintAxes(context, { left, top, font, across, asks }, colours) {
  context.font = `600 12.5px ${font}`;
  context.textAlign = "right";
  context.textBaseline = "alphabetic";
  context.fillStyle = colours[across === "feature" ? "value" : "key"];
  context.fillText(`${across} →`, left - 8, top - 24);
  context.fillStyle = colours.query;
  context.fillText(`${asks} ↓`, left - 8, top - 7);
  context.textAlign = "left";
}

/** Whether a label is a single sign: turned, one bracket would look like another. Letters lean as words do. */
const isSign = (text) => /^[^\p{L}\p{N}]$/u.test(text);

/** Writes the label of a token; with dots below it where the model has no token for the word. */
export function writeName(context, text, x, y, isUnknown) {
  context.fillText(text, x, y);
  if (!isUnknown) return;
  const width = context.measureText(text).width;
  const from = x - width * ({ right: 1, center: 0.5 }[context.textAlign] ?? 0);
  const floor = Math.round(y + ({ bottom: -1 }[context.textBaseline] ?? 7)) + 0.5;
  context.save();
  context.strokeStyle = context.fillStyle;
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  context.moveTo(from, floor);
  context.lineTo(from + width, floor);
  context.stroke();
  context.restore();
}

function heatLabel(context, picture, layout, colours, side, n, strong) {
  const { left, top, cell, labels } = layout;
  const tokens = side === "query" ? picture.queries : picture.keys;
  if (!labels && !strong) {
    // Too many to name: every so often a number, as on a ruler.
    const every = [5, 10, 20, 50, 100].find((step) => step * cell >= 26) ?? 200;
    if (n % every) return;
  }
  context.save();
  context.font = `${strong ? "600 " : ""}${layout.text}px ${layout.font}`;
  context.fillStyle = strong ? colours[side] : colours.quiet;
  const text = labels ? shorten(tokens[n]) : strong ? "" : String(n);
  const write = (x, y) => writeName(context, text, x, y, labels && picture.isUnknown?.(side, n));
  if (side === "query") {
    context.textAlign = "right";
    context.textBaseline = "middle";
    write(left - 8, top + (n + 0.5) * cell);
  } else if (labels && isSign(text)) {
    context.textAlign = "center";
    context.textBaseline = "bottom";
    write(left + (n + 0.5) * cell, top - 5);
  } else if (labels) {
    context.translate(left + (n + 0.5) * cell + 3, top - 7);
    context.rotate(-Math.PI / 3);
    context.textBaseline = "middle";
    write(0, 0);
  } else {
    context.textAlign = "center";
    context.textBaseline = "bottom";
    write(left + (n + 0.5) * cell, top - 5);
  }
  context.restore();
}

/** On top of the heatmap: the row that asks, the column that is looked at, and their names. */
export function paintCross(context, picture, layout, colours, i, j) {
  const { left, top, cell } = layout;
  const { T, S } = picture;
  context.lineWidth = 2;
  const frame = (side, x, y, w, h) => {
    context.strokeStyle = colours[side];
    context.beginPath();
    context.roundRect(x, y, w, h, 5);
    context.stroke();
  };
  if (j !== null) frame("key", left + j * cell - 1, top - 1, cell + 2, T * cell + 2);
  if (i !== null) frame("query", left - 1, top + i * cell - 1, S * cell + 2, cell + 2);
  if (!layout.labels) return;
  for (const [side, n] of [
    ["query", i],
    ["key", j],
  ]) {
    if (n === null) continue;
    wipeLabel(context, picture, layout, colours, side, n);
    heatLabel(context, picture, layout, colours, side, n, true);
  }
}

function wipeLabel(context, picture, layout, colours, side, n) {
  const { left, top, cell } = layout;
  context.save();
  context.fillStyle = colours.ground;
  if (side === "query") {
    const height = Math.min(cell - 2, 22);
    context.fillRect(0, top + (n + 0.5) * cell - height / 2, left - 5, height);
  } else if (isSign(shorten(picture.keys[n]))) {
    context.fillRect(left + n * cell + 1, top - 20, cell - 2, 16);
  } else {
    context.translate(left + (n + 0.5) * cell + 3, top - 7);
    context.rotate(-Math.PI / 3);
    context.fillRect(-1, -0.58 * layout.text, 8.3 * layout.text, 1.16 * layout.text);
  }
  context.restore();
}
