// The drawing of one query: its ribbons to the keys, and the products that make one of its scores.

import { signedCss } from "./colours.js";
import { brief, shorten } from "./lab.js";
import { surface, writeName } from "./paint.js";

/** Which tokens the ribbon view lists: all of a short text; of a long one the query's neighbours and its top keys. */
export function ribbonRows(picture, weights, i, most = 26) {
  const all = (n) => Array.from({ length: n }, (_, at) => at);
  const { T, S } = picture;
  if (T <= most && S <= most) return { queries: all(T), keys: all(S) };
  const from = Math.max(0, Math.min(i - (most >> 1), T - most));
  const queries = all(T).slice(from, from + most);
  if (S <= most) return { queries, keys: all(S) };
  const row = weights.subarray ? weights.subarray(i * S, (i + 1) * S) : weights.slice(i * S, (i + 1) * S);
  const keys = all(S)
    .sort((a, b) => row[b] - row[a] || a - b)
    .slice(0, most)
    .sort((a, b) => a - b);
  return { queries, keys };
}

export function ribbonLayout(picture, rows, width) {
  const most = Math.max(rows.queries.length, rows.keys.length);
  const step = Math.max(12, Math.min(18, Math.floor(206 / most))); // so that the story leaves room for the sum below
  return {
    width,
    step,
    height: most * step + 8,
    left: Math.min(112, width * 0.3),
    right: width - Math.min(136, width * 0.38),
  };
}

/** Query to keys, a ribbon a head and key: the thicker, the larger the weight. */
export function paintRibbons(canvas, picture, heads, rows, i, j, threshold, layout, colours) {
  const { width, step, left, right } = layout;
  const { S } = picture;
  const context = surface(canvas, width, layout.height);
  const y = (at) => 4 + (at + 0.5) * step;
  const from = rows.queries.indexOf(i);
  const mean = (key) => heads.reduce((sum, h) => sum + h.weights[i * S + key], 0) / heads.length;
  // A weight of 0.3 or the row's largest is as wide as a ribbon gets: in a long text even the largest is small.
  const widest = rows.keys.reduce(
    (most, key) => heads.reduce((m, h) => Math.max(m, h.weights[i * S + key]), most),
    0.3,
  );

  heads.forEach((head, h) => {
    for (const [at, key] of rows.keys.entries()) {
      const w = head.weights[i * S + key];
      if (w <= 0 || w < threshold) continue;
      const middle = (left + right) / 2;
      const y0 = y(from),
        y1 = y(at) + (h - (heads.length - 1) / 2) * 1.5;
      context.beginPath();
      context.moveTo(left + 8, y0);
      context.bezierCurveTo(middle, y0, middle, y1, right - 8, y1);
      context.strokeStyle = colours.heads[h % colours.heads.length];
      context.globalAlpha = (key === j ? 0.95 : 0.3 + 0.4 * Math.min(1, w / widest)) * (heads.length > 1 ? 0.8 : 1);
      context.lineWidth = 0.8 + 7 * Math.min(1, w / widest);
      context.stroke();
    }
  });
  context.globalAlpha = 1;

  writeNames(context, picture, { rows, i, j, threshold, layout, colours, mean });
}

/** The names of both sides, and the largest weights. */
function writeNames(context, picture, { rows, i, j, threshold, layout, colours, mean }) {
  const { width, step, left, right } = layout;
  const numbered = picture.T > rows.queries.length || picture.S > rows.keys.length;
  const name = (token, n) => (numbered ? `${shorten(token, 9)} ${n}` : shorten(token, 12));
  const texts = []; // [text, x, at, align, colour, strong, whether the model has no token for it]
  const top = rows.keys
    .filter((key) => mean(key) > 0)
    .sort((a, b) => mean(b) - mean(a))
    .slice(0, 3);
  for (const [at, q] of rows.queries.entries()) {
    const colour = q === i ? colours.query : colours.quiet;
    texts.push([name(picture.queries[q], q), left, at, "right", colour, q === i, picture.isUnknown("query", q)]);
  }
  for (const [at, k] of rows.keys.entries()) {
    const isStrong = k === j;
    const colour = isStrong ? colours.key : mean(k) >= threshold ? colours.ink : colours.quiet;
    texts.push([name(picture.keys[k], k), right, at, "left", colour, isStrong, picture.isUnknown("key", k)]);
    if (isStrong || top.includes(k))
      texts.push([brief(mean(k)), width - 2, at, "right", isStrong ? colours.weight : colours.quiet, isStrong]);
  }
  context.textBaseline = "middle";
  for (const isStrong of [false, true]) {
    context.font = `${isStrong ? "600 " : ""}13px ${colours.font}`; // a change of font costs as much as a text
    for (const [text, x, at, align, colour, strong, isUnknown] of texts) {
      if (strong !== isStrong) continue;
      context.fillStyle = colour;
      context.textAlign = align;
      writeName(context, text, x, 4 + (at + 0.5) * step, isUnknown);
    }
  }
}

export function productsLayout(d, width) {
  const left = 34;
  return { left, step: (width - left) / d };
}

/** q and k feature by feature, and their products as bars around zero, whose sum is the dot product. */
export function paintProducts(canvas, { q, k, products }, width, colours) {
  const strip = 13,
    bars = 40,
    height = 2 * (strip + 4) + bars;
  const context = surface(canvas, width, height);
  const { left, step } = productsLayout(products.length, width);
  const gap = step > 5 ? 1 : step > 2.5 ? 0.5 : 0;
  const most = (values) => values.reduce((m, v) => Math.max(m, Math.abs(v)), 1e-12);
  const cell = (c, y, h) => context.fillRect(left + c * step + gap, y, Math.max(0.5, step - 2 * gap), h);
  const name = (text, colour, y) => {
    context.fillStyle = colour;
    context.fillText(text, 0, y);
  };
  context.font = `600 13px ${colours.font}`;
  context.textBaseline = "middle";
  const largest = Math.max(most(q), most(k));
  for (const [row, values] of [q, k].entries()) {
    const y = row * (strip + 4);
    name(row ? "k" : "q", row ? colours.key : colours.query, y + strip / 2);
    values.forEach((v, c) => {
      context.fillStyle = signedCss(v, largest, colours);
      cell(c, y, strip);
    });
  }
  const zero = height - bars / 2;
  const tallest = most(products);
  name("q × k", colours.quiet, zero);
  for (const [c, p] of products.entries()) {
    const h = (Math.abs(p) / tallest) * (bars / 2 - 1);
    context.fillStyle = p < 0 ? colours.negative : colours.positive;
    cell(c, p < 0 ? zero : zero - h, h);
  }
  context.fillStyle = colours.line;
  context.fillRect(left, zero - 0.5, width - left, 1);
}
