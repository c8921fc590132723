// The second way to draw heads: the tokens twice, one above the other, and a ribbon from each query to each key, the
// wider, the larger the weight. Pure functions from numbers to a canvas.

import { rolesOf } from "./axes.js";
import { shorten } from "./lab.js";
import { surface, writeName } from "./paint.js";

const MAX_RIBBONS = 1500; // more are a blot, and take longer than a frame
const TOP = 30; // pixels for the names of the sides
const LEVELS = 8; // widths of ribbons

/** The ribbons to draw, the weakest first: {heads, queries, keys, weights, total}, each a list as long as the others.
 *
 * heads      [{weights: T x S}]; threshold: weights below it, and zeros, are left out
 * spot       {side, n}: only those of one query or one key; null for all
 * total      how many are above the threshold; the `most` largest of them are listed */
export function ribbonsOf({ T, S }, heads, threshold, spot = null, most = MAX_RIBBONS) {
  const drawn = (weight) => weight > 0 && weight >= threshold;
  const each = (visit) => {
    const [i0, i1] = spot?.side === "query" ? [spot.n, spot.n + 1] : [0, T];
    const [j0, j1] = spot?.side === "key" ? [spot.n, spot.n + 1] : [0, S];
    for (let head = 0; head < heads.length; head++) {
      const { weights } = heads[head];
      for (let i = i0; i < i1; i++)
        for (let j = j0; j < j1; j++) if (drawn(weights[i * S + j])) visit(weights[i * S + j], head, i, j);
    }
  };
  let total = 0;
  each(() => total++);
  let least = 0;
  if (total > most) {
    const all = new Float32Array(total);
    let at = 0;
    each((weight) => (all[at++] = weight));
    least = all.sort()[total - most];
  }
  const listed = [];
  each((weight, ...place) => Math.fround(weight) >= least && listed.push([weight, ...place]));
  listed.sort((a, b) => a[0] - b[0]);
  const column = (c) => listed.slice(-most).map((ribbon) => ribbon[c]);
  return { weights: column(0), heads: column(1), queries: column(2), keys: column(3), total };
}

/** Where the tokens stand: {left, right, step, width, height, labels}; y(n) is the middle of a token. */
export function ribbonsLayout({ T, S }, width, height) {
  const n = Math.max(T, S);
  const step = Math.max(0.5, Math.min(26, (height - TOP - 8) / n));
  const room = Math.min(130, width * 0.27);
  const y = (at) => TOP + (at + 0.5) * step;
  return { left: room, right: width - room, step, width, height: TOP + 8 + n * step, labels: step >= 13, y };
}

/** The token under a place on the canvas: {side, n}, or null between the sides and beyond their ends. */
export function ribbonsSpot({ T, S }, { left, right, step }, x, y) {
  const n = Math.floor((y - TOP) / step);
  const side = x < left + 16 ? "query" : x > right - 16 ? "key" : null;
  return side && n >= 0 && n < (side === "query" ? T : S) ? { side, n } : null;
}

/** All ribbons on their own canvas; tints: the colour of each head. */
export function paintAllRibbons(canvas, listed, tints, layout) {
  strokes(surface(canvas, layout.width, layout.height), listed, tints, layout);
}

/** On top of them: the names, and the ribbons of the token that is looked at. */
export function paintSpot(canvas, picture, spot, listed, tints, layout, colours) {
  const context = surface(canvas, layout.width, layout.height);
  if (spot) strokes(context, listed, tints, layout);
  const { left, right } = layout;
  context.font = `12.5px ${colours.font}`;
  context.textBaseline = "middle";
  for (const [side, x, align, tokens] of [
    ["query", left, "right", picture.queries],
    ["key", right, "left", picture.keys],
  ]) {
    context.textAlign = align;
    context.fillStyle = colours[side];
    context.fillText(rolesOf(picture.header)[side], x, TOP / 2 - 4);
    const ends = new Set(spot ? (side === "query" ? listed.queries : listed.keys) : []);
    const isUnknown = (n) => layout.labels && picture.isUnknown(side, n);
    names(context, { tokens, side, x, isUnknown }, spot, ends, layout, colours);
  }
}

/** Ribbons of one width and head are one path: thousands of curves are drawn in a few strokes. */
function strokes(context, { heads, queries, keys, weights }, tints, { left, right, step, y }) {
  const n_heads = tints.length;
  const largest = Math.max(0.3, weights.at(-1) ?? 0); // as wide as a ribbon gets: in a long text even this is rare
  const lane = Math.min(3, step / (n_heads + 1)); // heads lie beside each other, not on each other
  const widest = Math.max(1, Math.min(9, step * 0.7));
  const middle = (left + right) / 2;
  const faintest = 0.16 * Math.min(1, 300 / weights.length); // many weak ones together must not hide the strong
  const paths = new Map();
  for (let n = 0; n < weights.length; n++) {
    const level = Math.min(LEVELS - 1, Math.floor((LEVELS * weights[n]) / largest));
    const name = level * n_heads + heads[n];
    if (!paths.has(name)) paths.set(name, new Path2D());
    const shift = (heads[n] - (n_heads - 1) / 2) * lane;
    const [from, to] = [y(queries[n]) + shift, y(keys[n]) + shift];
    const path = paths.get(name);
    path.moveTo(left + 8, from);
    path.bezierCurveTo(middle, from, middle, to, right - 8, to);
  }
  for (const name of [...paths.keys()].sort((a, b) => a - b)) {
    const strength = (Math.floor(name / n_heads) + 0.5) / LEVELS;
    context.strokeStyle = tints[name % n_heads];
    context.globalAlpha = faintest + 0.75 * strength;
    context.lineWidth = 0.6 + (widest - 0.6) * strength;
    context.stroke(paths.get(name));
  }
  context.globalAlpha = 1;
}

/** The names of one side; where there is no room for all, numbers as on a ruler, and the names that matter. */
function names(context, { tokens, side, x, isUnknown }, spot, ends, { step, labels, y }, colours) {
  const here = spot?.side === side ? spot.n : -1;
  const every = labels ? 1 : ([5, 10, 20, 50, 100].find((n) => n * step >= 26) ?? 200);
  const shift = side === "query" ? -2 : 2;
  const write = (n, text, strong) => {
    context.font = `${strong ? "600 " : ""}13px ${colours.font}`;
    context.fillStyle = strong ? colours[side] : spot && !ends.has(n) ? colours.quiet : colours.ink;
    writeName(context, text, x + shift, y(n), isUnknown(n));
  };
  const named = [];
  for (const n of here >= 0 ? [here] : labels ? [] : [...ends].reverse())
    if (named.every((other) => Math.abs(other - n) * step >= 15)) named.push(n);
  for (let n = 0; n < tokens.length; n += every) {
    if (named.some((other) => other === n || (!labels && Math.abs(other - n) * step < 15))) continue;
    write(n, labels ? shorten(tokens[n], 15) : String(n), false);
  }
  for (const n of named) write(n, labels ? shorten(tokens[n], 15) : `${shorten(tokens[n], 11)} ${n}`, n === here);
}
