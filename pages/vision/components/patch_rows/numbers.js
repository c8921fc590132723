// The drawing beside the picture: one patch magnified, its numbers colour by colour, and the vector that they become.

import { rgb, svg, theme } from "../../../../attention_view/lab.js";
import { inPictureOf, inRowOf } from "./plan.js";

const CHANNELS = [
  ["red", [214, 40, 40]],
  ["green", [46, 160, 67]],
  ["blue", [58, 84, 220]],
];
const READABLE = 26; // pixels of a cell with room for its number

/** Row n of the patches: all red numbers of its pixels, then all green, then all blue; from 0 to 255. */
export function rowOf(pixels, side, across, n) {
  const p = side / across;
  const top = Math.floor(n / across) * p;
  const left = (n % across) * p;
  const out = [];
  for (let c = 0; c < 3; c++)
    for (let y = 0; y < p; y++) for (let x = 0; x < p; x++) out.push(pixels[3 * ((top + y) * side + left + x) + c]);
  return out;
}

const sum = (numbers) => numbers.reduce((all, number) => all + number, 0);

/** Where patch n is after the patches have changed places; where it was, if this is another picture. */
export function travelled(before, after, side, across, n) {
  if (before.length !== after.length || sum(before) !== sum(after)) return n;
  const row = String(rowOf(before, side, across, n));
  const is = (k) => String(rowOf(after, side, across, k)) === row;
  const places = Array.from({ length: across * across }, (_, k) => k).filter(is);
  return places.includes(n) ? n : (places[0] ?? n);
}

/** The colour of a number from 0, which is `panel`, to 255, all of its channel; as [r, g, b]. */
export const tinted = (number, channel, panel) =>
  channel.map((end, k) => Math.round(panel[k] + (number / 255) * (end - panel[k])));

/** Where the numbers of patch k lie among the pixels of a picture, line by line: {lines, width, at(k, line)}. */
export function inPixels(side, across) {
  const p = side / across;
  const at = (k, line) => 3 * ((Math.floor(k / across) * p + line) * side + (k % across) * p);
  return { lines: p, width: 3 * p, at };
}

/** Exchanges the numbers of two patches. */
export function exchange(flat, a, b, { lines, width, at }) {
  for (let line = 0; line < lines; line++) {
    const kept = flat.slice(at(a, line), at(a, line) + width);
    flat.copyWithin(at(a, line), at(b, line), at(b, line) + width);
    flat.set(kept, at(b, line));
  }
}

/** How bright a colour is, from 0 to 1. */
const brightness = ([r, g, b]) => (0.3 * r + 0.59 * g + 0.11 * b) / 255;

const polygon = (kind, points) => svg(`polygon.${kind}`, { points: points.map((at) => at.join()).join(" ") });
const words = (text, x, y, more = {}, ...inside) => svg("text", { x, y, ...more }, text, ...inside);
const strong = (text) => svg("tspan.strong", text);

/** All of it for one patch: row (its numbers), vector (D,) of at most `most`. */
export class Numbers {
  constructor() {
    this.node = svg("svg.numbers", { "aria-hidden": "true" });
  }

  colours(root) {
    const colour = theme(root);
    [this.panel, this.ink] = ["panel", "ink"].map((name) => rgb(colour(name)));
  }

  draw(plan, facts) {
    const width = Math.max(plan.vector.x + plan.vector.width, 1);
    this.node.setAttribute("viewBox", `0 0 ${width} ${plan.height}`);
    const close = () => [
      ...this.way(plan, facts),
      ...plan.blocks.flatMap((block, c) => this.block(block, c, facts)),
      ...this.vector(plan.vector, facts),
    ];
    this.node.replaceChildren(
      ...(facts.isClose ? close() : []),
      ...this.titles(plan, facts),
      ...this.marks(plan, facts),
    );
  }

  /** What leads from the picture to the patch, from it to its colours, and from these to the vector. */
  way({ picture, close, blocks, vector, isNarrow }, { at, across }) {
    const from = inPictureOf({ picture }, at, across);
    const [right, end] = [close.x + close.side, close.y + close.side];
    const lens = isNarrow
      ? [
          [from.x, from.y + from.side],
          [from.x + from.side, from.y + from.side],
          [right, close.y],
          [close.x, close.y],
        ]
      : [
          [from.x + from.side, from.y],
          [close.x, close.y],
          [close.x, end],
          [from.x + from.side, from.y + from.side],
        ];
    const third = close.side / 3;
    const beams = blocks.map(({ x, y, side }, c) =>
      polygon(`beam.${CHANNELS[c][0]}`, [
        [right, close.y + c * third],
        [x, y],
        [x, y + side],
        [right, close.y + (c + 1) * third],
      ]),
    );
    const [first, last] = [blocks[0], blocks[2]];
    const out = first.x + first.side;
    const mill = polygon("mill", [
      [out, first.y],
      [vector.x, vector.y],
      [vector.x, vector.y + vector.height],
      [out, last.y + last.side],
    ]);
    const middle = [(out + vector.x) / 2, vector.y + vector.height / 2];
    return [
      polygon("lens", lens),
      ...beams,
      mill,
      ...(isNarrow
        ? []
        : [
            words("× W + b", ...middle, { class: "middle map", dy: "0.35em" }),
            words("learned", ...middle, { class: "middle quiet", dy: "1.75em" }),
          ]),
    ];
  }

  block({ x, y, side }, c, { row, p }) {
    const [name, channel] = CHANNELS[c];
    const cell = side / p;
    const cells = row.slice(c * p * p, (c + 1) * p * p).flatMap((number, n) => {
      const colour = tinted(number, channel, this.panel);
      const place = { x: x + (n % p) * cell, y: y + Math.floor(n / p) * cell };
      const rect = svg("rect", { ...place, width: cell, height: cell, fill: `rgb(${colour.join(" ")})` });
      if (cell < READABLE) return [rect];
      const isLight = (ink) => Math.abs(brightness(ink) - brightness(colour));
      const ink = isLight([255, 255, 255]) > isLight([29, 27, 34]) ? "on-dark" : "on-light";
      const size = Math.max(11, Math.min(22, 0.38 * cell));
      const middle = { class: `middle ${ink}`, "font-size": size, dy: "0.35em" };
      return [rect, words(number, place.x + cell / 2, place.y + cell / 2, middle)];
    });
    const frame = svg("rect.frame", { x, y, width: side, height: side });
    return [...cells, frame, words(name, x - 8, y + side / 2, { class: "end quiet", dy: "0.35em" })];
  }

  /** A bar per number, to both sides of zero; all patches have one scale. */
  vector({ x, y, width, height }, { vector, most }) {
    const step = height / vector.length;
    const zero = x + width / 2;
    const bars = Array.from(vector, (number, n) => {
      const long = Math.max(0.5, (Math.abs(number) / most) * (width / 2));
      const place = { x: number < 0 ? zero - long : zero, width: long };
      const thick = Math.max(1, step * (step > 4 ? 0.78 : 1));
      return svg(`rect.${number < 0 ? "below" : "above"}`, { ...place, y: y + n * step, height: thick });
    });
    return [svg("rect.ground", { x, y, width, height }), ...bars, svg("path.axis", { d: `M${zero} ${y}v${height}` })];
  }

  titles({ close, blocks, vector, row, isNarrow }, facts) {
    const [n, p, length, D] = [facts.n, facts.p, facts.row.length, facts.vector.length];
    const title = (x, y, bold, quiet) => words("", x, y, {}, strong(bold), svg("tspan.quiet", ` ${quiet}`));
    const ofOne = [
      title(close.x, close.y - 11, "One patch", isNarrow ? "" : `${p} × ${p} pixels`),
      title(blocks[0].x, blocks[0].y - 11, `${length} numbers`, isNarrow ? "" : `${p} × ${p} × 3`),
      title(vector.x, vector.y - 11, isNarrow ? "Vector" : "Its vector,", isNarrow ? "" : `${D} new numbers`),
    ];
    return [
      ...(facts.isClose ? ofOne : []),
      title(
        0,
        row.y - 10,
        `${n} patches in a row`,
        isNarrow ? "read like words" : "what the Transformer reads in place of words",
      ),
    ];
  }

  /** The patch in question is framed wherever it stands; while nobody points at one, none is. */
  marks(plan, { at, across, isClose, isMarked }) {
    const own = isMarked ? [inPictureOf(plan, at, across), inRowOf(plan, at)] : [];
    const places = [...own, ...(isClose ? [plan.close] : [])];
    return places.flatMap(({ x, y, side }) => {
      const box = (by) => ({ x: x - by, y: y - by, width: side + 2 * by, height: side + 2 * by });
      return [svg("rect.mark.outer", box(3)), svg("rect.mark", box(1.5))];
    });
  }
}
