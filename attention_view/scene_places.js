// The places of a scene: where they are in the world, which of them a camera is at, and what each reads. No drawing.
//
// A place is a path: [] is the model, [2] layer 2, [2, "attention"] its heads, [2, "attention", 3] a head, then a row
// (a query), a cell (a key of it) and a product (a feature of both). On the feed-forward side see scene_units.js.

import { brief, capital, fixed } from "./lab.js";
import { bestColumns, fit, home, kept, ramp } from "./scene_camera.js";
import { streamTold } from "./scene_stations.js";
import {
  forwardCamera,
  forwardInward,
  forwardMost,
  forwardNamed,
  forwardTold,
  forwardValue,
  forwardWithin,
  isForward,
  FORWARD_PART,
} from "./scene_units.js";

const STRIP = 0.17; // of the height of a layer: the stream at each token
const ATTENTION = [0.24, 0.64]; // of it, from below: where threads run
const FORWARD = [0.7, 0.9];
const LAYER_WIDE = [0.42, 0.56]; // of the world: what is seen of a layer that is entered; where that is narrow
const READ = 44; // pixels of a cell in a row that is entered, at least: it has its number
const PRODUCT = 44; // pixels of a product on a narrow screen
const [ABOVE_IT, LEFT_OF_IT, RIGHT_OF_IT] = [74, 130, 70]; // pixels that words and vectors take above and beside a map
const NEARLY = 0.6; // of the way into a place, by enlargement: from there on one is in it
const MAP = [0.8, 0.63]; // of the side of a head: its map from afar, and with words and vectors around it
const LOW = [0.88, 0.56]; // of the room above and below it, what is above: from afar a number alone, later words
const ASIDE = [0.5, 0.64]; // of the room beside it, what is to the left, where the words of its rows come
const GROWS = [110, 320]; // pixels of a head between which the one becomes the other
export const ATTENTION_PART = "attention";

/** Where everything stands, in a world of this size; `gap` is the least from column to column, and `thick` the width of
 * what stands on one.
 *
 * top, foot  pixels that are kept free above and below, for what stands over the scene
 * L, H, T    layers, heads of each, tokens
 * S         layer -> how many keys its queries look at
 * F, D       units of a feed-forward network and features of the stream, where these can be entered; else 0
 * from, to   what it takes of the width, where several stand side by side; title: pixels above heads for their layer
 * feet       where the word below each column has its middle, or null: then columns are evenly apart
 * beside     from where on heads may stand, beside the words */
export class Geometry {
  constructor({ width, height, top = 0, foot = 0, L, H, T, S = () => T, F = 0, D = 0, ...room }) {
    Object.assign(this, { width, height, top, L, H, T, S, F, D });
    this.isNarrow = width < 640;
    this.tall = (height - top - foot) / (L + STRIP);
    this.floor = height - foot;
    this.placeColumns(room);
  }

  /** Words say where columns stand, and what is left for heads; without them heads take what they need. */
  placeColumns({ from = 0, to = this.width, feet = null, beside = 0, title = 0 }) {
    const { T, H, isNarrow } = this;
    const tall = this.tall - title;
    Object.assign(this, { from, to, title, feet: feet?.length === T ? feet : null });
    const most = this.feet ? to - beside : (to - from) * (isNarrow ? 0.5 : 0.36);
    this.across = bestColumns(H, most, tall, title && 4); // below a name a few stand in one row
    this.side = Math.min(most / this.across, tall / Math.ceil(H / this.across));
    this.headsWide = this.side * this.across;
    const isHalf = to - from < this.width;
    const [before, after] = isNarrow ? [14, 14] : [124, isHalf ? 64 : 100];
    [this.left, this.right] = [from + before, to - this.headsWide - after];
    if (this.feet) [this.left, this.right] = [this.feet[0], this.feet.at(-1)];
    const gaps = Array.from({ length: T - 1 }, (_, t) => this.column(t + 1) - this.column(t));
    this.gap = T > 1 ? Math.min(...gaps) : this.right - this.left;
    this.thick = Math.min(36, 0.8 * this.gap);
  }

  /** What stands side by side: one stack alone. */
  get sides() {
    return [this];
  }

  get size() {
    return { width: this.width, height: this.height };
  }

  /** Where the middle of a token's column is. */
  column(t) {
    if (this.feet) return this.feet[t];
    const gap = this.T > 1 ? (this.right - this.left) / (this.T - 1) : 0;
    return this.left + t * gap;
  }

  bottom(l) {
    return this.floor - l * this.tall;
  }

  /** The stream of a token before layer p, and after the last one. */
  strip(p, t) {
    const h = STRIP * this.tall;
    return { x: this.column(t) - this.thick / 2, y: this.bottom(p) - h, w: this.thick, h };
  }

  /** Where the feed-forward network of a layer works on a token. */
  forward(l, t) {
    const [low, high] = FORWARD.map((share) => this.bottom(l) - share * this.tall);
    const w = this.thick * 1.15;
    return { x: this.column(t) - w / 2, y: high, w, h: low - high };
  }

  /** Between which heights threads of a layer run: [where keys are, where queries are]. */
  threads(l) {
    return ATTENTION.map((share) => this.bottom(l) - share * this.tall);
  }

  /** The square of a head. */
  head(l, h) {
    const { side, across, H } = this;
    const down = Math.ceil(H / across);
    const top = this.bottom(l) - (this.tall - this.title + side * down) / 2;
    return {
      x: this.to - this.headsWide + (h % across) * side,
      y: top + Math.floor(h / across) * side,
      w: side,
      h: side,
    };
  }

  /** The map within a head at an enlargement: what stands around it needs room only when it can be read. */
  map(l, h, k = Infinity) {
    const box = this.head(l, h);
    const [share, low, aside] = [MAP, LOW, ASIDE].map(([far, near]) => far + (near - far) * ramp(box.w * k, ...GROWS));
    const S = this.S(l);
    const cell = (share * box.w) / Math.max(this.T, S);
    const [w, tall] = [S * cell, this.T * cell];
    return { x: box.x + (box.w - w) * aside, y: box.y + (box.h - tall) * low, w, h: tall };
  }

  row(l, h, i, k) {
    const { x, y, w, h: tall } = this.map(l, h, k);
    return { x, y: y + (i * tall) / this.T, w, h: tall / this.T };
  }

  cell(l, h, i, j, k) {
    const row = this.row(l, h, i, k);
    return { x: row.x + j * row.h, y: row.y, w: row.h, h: row.h };
  }

  /** What a cell opens into: the part of it that the screen has room for. */
  stage(l, h, i, j) {
    const cell = this.cell(l, h, i, j);
    const tall = Math.min(cell.h, (cell.w * this.height) / this.width) * 0.9;
    return { x: cell.x, y: cell.y + (cell.h - tall) / 2, w: cell.w, h: tall };
  }

  /** A product: its column on the stage of its cell, of n. */
  product(l, h, i, j, c, n) {
    const { x, y, w, h: tall } = this.stage(l, h, i, j);
    const wide = (w * 0.86) / n;
    return { x: x + w * 0.1 + c * wide, y, w: wide, h: tall * 0.68 };
  }

  /** The camera that shows a place.
   *
   * n       how many features a query has
   * looked  the key that a row looks at most: it is in sight where the row is too long for the screen */
  camera(place, n = 1, looked = 0) {
    const { size } = this;
    const [l, part, h, i, j, c] = place;
    if (!place.length) return home(size);
    if (isForward(place)) return forwardCamera(this, place);
    if (part === undefined) {
      const columns = this.to - this.column(Math.max(0, this.T - 3)); // the heads, and the last columns beside them
      const w = Math.max((this.to - this.from) * LAYER_WIDE[Number(this.isNarrow)], this.isNarrow ? 0 : columns);
      const tall = (w * this.height) / this.width;
      const y = this.bottom(l) - (this.tall + tall) / 2;
      return this.below(fit({ x: this.to - w, y, w, h: tall }, size, { room: 1 }));
    }
    if (h === undefined) {
      const [first, last] = [this.head(l, 0), this.head(l, this.H - 1)];
      const w = this.headsWide;
      const heads = fit({ x: this.to - w, y: first.y, w, h: last.y + last.h - first.y }, size, { room: 0.98 });
      const high = first.y + this.height / 2 / heads.k; // above the last layer there is nothing to be seen
      const isOneRow = this.tall * heads.k > 0.9 * this.height; // nor is that of another layer
      return l + 1 < this.L || isOneRow ? this.below(heads) : { ...heads, y: Math.max(heads.y, high) };
    }
    if (i === undefined) return kept(fit(this.head(l, h), size, { room: 1 }), size);
    if (j === undefined) return this.rowCamera(l, h, i, looked);
    if (c === undefined) return fit(this.cell(l, h, i, j), size, { room: 0.9, covers: true });
    const product = this.product(l, h, i, j, c, n);
    const fitted = fit(product, size, { room: 0.9 });
    // On a narrow screen a product is as wide as its number, and the others are reached by a drag.
    const { x, y, k } = this.isNarrow ? { ...fitted, k: Math.max(fitted.k, PRODUCT / product.w) } : fitted;
    const stage = this.stage(l, h, i, j);
    const half = Math.min(stage.w, this.width / k) / 2;
    return { x: Math.min(stage.x + stage.w - half, Math.max(stage.x + half, x)), y, k };
  }

  rowCamera(l, h, i, looked) {
    const { x, y, k } = fit(this.row(l, h, i), this.size, { room: 0.78 });
    const [cell, map] = [this.cell(l, h, i, looked), this.map(l, h)];
    const near = Math.max(k, READ / cell.w);
    const rowsAbove = y - (0.18 * this.height) / near; // which are to be seen, too, as far as there are some
    const from = map.y + (this.height / 2 - ABOVE_IT) / near;
    const most = map.x + map.w - (this.width / 2 - RIGHT_OF_IT) / near;
    const least = map.x + (this.width / 2 - (this.isNarrow ? LEFT_OF_IT / 2 : LEFT_OF_IT)) / near;
    const middle = Math.max(least, Math.min(most, cell.x + cell.w / 2)); // nothing is beyond either end of the row
    return { x: near > k ? middle : x, y: Math.max(rowsAbove, from), k: near };
  }

  /** The camera moved down as far as there is nothing above the model. */
  below({ x, y, k }) {
    return { x, y: Math.max(y, this.top + (this.height / 2 - 24) / k), k };
  }

  /** The places that a point of the world lies in, the outermost first; n: features of a query, 0 where not known. */
  within([x, y], k, n = 0) {
    const chain = [[]];
    const l = Math.floor((this.floor - y) / this.tall);
    if (l < 0 || l >= this.L || x < this.from || x >= this.to) return chain; // its names are to the left of it
    chain.push([l]);
    if (x < this.to - this.headsWide) return [...chain, ...forwardWithin(this, l, [x, y])];
    const h = Array.from({ length: this.H }, (_, n) => n).find((one) => contains(this.head(l, one), x, y));
    chain.push([l, ATTENTION_PART]);
    if (h === undefined) return chain;
    const to = [l, ATTENTION_PART, h];
    chain.push(to);
    const map = this.map(l, h, k);
    if (!contains(map, x, y)) return chain;
    const cell = map.h / this.T;
    const i = Math.min(this.T - 1, Math.floor((y - map.y) / cell));
    const j = Math.min(this.S(l) - 1, Math.floor((x - map.x) / cell));
    chain.push([...to, i], [...to, i, j]);
    for (let c = 0; c < n; c++) if (contains(this.product(l, h, i, j, c, n), x, y)) return [...chain, [...to, i, j, c]];
    return chain;
  }

  /** The innermost place at a point of the world that is nearly as large as where one stands in it. */
  placeAt(point, k, n = 0) {
    let found = [];
    for (const place of this.within(point, k, n).slice(1)) {
      const [outer, own] = [this.camera(found, n).k, this.camera(place, n).k];
      if (k < 0.999 * own ** NEARLY * outer ** (1 - NEARLY)) break;
      found = place;
    }
    return found;
  }
}

const contains = (box, x, y) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;

// ---- paths ------------------------------------------------------------------------------------------------------

/** How deep a place is: 0 the model, 1 a layer, 2 its attention, 3 a head, 4 a row or a cell, 5 a product; on the
 * feed-forward side 3 the units of a token, 4 a unit, 5 a feature. */
export const levelOf = (place) => (isForward(place) ? place.length : [0, 1, 2, 3, 4, 4, 5][place.length]);

/** Whether both are the same place. */
export const isSame = (a, b) => a.length === b.length && a.every((step, n) => step === b[n]);

/** What the last step of a path is called. */
export function named(place, numbers) {
  const last = place.at(-1);
  if (!place.length) return "model";
  if (isForward(place)) return forwardNamed(place, numbers);
  const { tokens, keys } = numbers.part(place[0]);
  const name = [numbers.layerName(place[0]), last, `head ${last}`, `row “${tokens[last]}”`, `cell “${keys[last]}”`];
  return name[place.length - 1] ?? `product ${last}`;
}

const PART_LETTERS = { a: ATTENTION_PART, f: FORWARD_PART };

/** A path as it stands in a link: 2.a.3.16.5: layer 2, attention, head 3, row 16, cell 5; f: feed-forward. */
export const writtenPlace = (place) =>
  place.map((step) => Object.keys(PART_LETTERS).find((letter) => PART_LETTERS[letter] === step) ?? step).join(".");

/** A path from a link; what is none leads to the model. It may name what does not exist. */
export function readPlace(text) {
  if (!/^\d{1,3}(\.a(\.\d{1,4}){0,4}|\.f(\.\d{1,4}){0,3})?$/.test(text ?? "")) return [];
  return text.split(".").map((step) => PART_LETTERS[step] ?? Number(step));
}

/** Every place on the way, the model first. */
export const wayTo = (place) => Array.from({ length: place.length + 1 }, (_, n) => place.slice(0, n));

/** The place beside this one, `by` steps of its last; the last of T tokens may look at all, the first at itself. */
export function beside(place, by, numbers) {
  if (!place.length) return place;
  const n = place.length - 1;
  if (n === 1)
    return numbers.F && numbers.hasForward(place[0]) ? [place[0], by < 0 ? FORWARD_PART : ATTENTION_PART] : place;
  const { T, S, isCausal } = numbers.part(place[0]);
  const most = isForward(place)
    ? forwardMost(numbers, place[0])[n]
    : [numbers.L, 0, numbers.H, T, isCausal ? place[3] + 1 : S, numbers.d][n];
  return [...place.slice(0, n), Math.min(most - 1, Math.max(0, place[n] + by))];
}

/** The place to enter from here: where most happens.
 *
 * opens    [layer, head] that is entered first
 * covered  the row that must not be seen yet, or null */
export function inward(place, numbers, [layer, head], covered = null) {
  if (isForward(place)) {
    const step = forwardInward(place, numbers);
    return step === null ? place : [...place, step];
  }
  const [l, , h, i, j] = place;
  const next = [
    () => layer,
    () => ATTENTION_PART,
    () => (l === layer ? head : 0),
    () => (covered === null ? numbers.part(l).decisive : Math.max(0, covered - 1)),
    () => numbers.topKey(l, h, i),
    () => (numbers.q && numbers.part(l).sees(i, j) ? numbers.topProduct(l, h, i, j) : null),
  ][place.length];
  const step = next ? next() : null;
  return step === null ? place : [...place, step];
}

// ---- what a place reads -------------------------------------------------------------------------------------------

const quoted = (token) => `“${token}”`;
/** What is said of a layer: its tokens, and in `reach` what its heads look over. */
function toldOf(numbers, l) {
  const part = numbers.part(l);
  const { tokens, keys, decisive, isCausal } = part;
  const reach = keys !== tokens ? "at what the encoder has read" : isCausal ? "back over the text" : "over all tokens";
  const works = numbers.hasForward(l)
    ? ", then the feed-forward network works on each token; both add to the stream."
    : "; what they find is added to the stream.";
  return { tokens, keys, decisive, reach, works, sees: (i, j) => part.sees(i, j) };
}

/** Whether heads are not drawn beside the whole model: their answer is covered, and a sentence as wide as it leaves
 * them no room. */
export const hidesHeads = ({ covered, isLone }, geometry) =>
  (covered !== null || Boolean(isLone)) && Boolean(geometry?.feet);

/** A place in words: what it is, and the numbers that can be read there; nothing of the row that is covered. `presses`
 * is what one can press in the whole model. */
export function placeTold(place, numbers, covered = null, presses = "head") {
  const [l, , h, i, j, c] = place;
  if (place.length === 0) return `${numbers.whole} Zoom in, or press a ${presses}.`;
  if (isForward(place)) return forwardTold(place, numbers);
  const { H } = numbers;
  const { tokens, keys, decisive, sees, reach, works } = toldOf(numbers, l);
  if (place.length === 1)
    return (
      `${capital(numbers.layerName(l))}: the heads look ${reach}${works}` + streamTold(numbers, l, tokens[decisive])
    );
  const hidden = covered === null ? null : `The row of ${quoted(tokens[covered])} is covered until you have guessed.`;
  if (place.length === 2) {
    if (hidden) return `The attention of ${numbers.layerName(l)}: ${H} heads look ${reach}. ${hidden}`;
    const looks = Array.from({ length: H }, (_, n) => `head ${n} at ${mostOf(numbers, l, n, decisive)}`);
    return `The attention of ${numbers.layerName(l)}. From ${quoted(tokens[decisive])}, ${looks.join("; ")}.`;
  }
  if (place.length === 3)
    return (
      `${capital(numbers.layerName(l))}, head ${h}: each row is a query that looks at the columns, its keys.` +
      ` ${hidden ?? `${quoted(tokens[decisive])} looks most at ${mostOf(numbers, l, h, decisive)}.`}`
    );
  if (place.length === 4) {
    const row = numbers.row(l, h, i);
    const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 3);
    const looks = order.filter((n) => sees(i, n)).map((n) => `${quoted(keys[n])} ${brief(row[n])}`);
    const where = `${numbers.layerName(l)}, head ${h}`;
    return `The row of ${quoted(tokens[i])} in ${where}: ${looks.join(", ")}. The row adds up to 1.`;
  }
  const pair = `${quoted(tokens[i])} looks at ${quoted(keys[j])}`;
  if (!sees(i, j)) return `${quoted(tokens[i])} may not look at ${quoted(keys[j])}: it comes later.`;
  if (!numbers.q) return `${pair} with ${fixed(numbers.weight(l, h, i, j))} of its attention.`;
  const products = numbers.products(l, h, i, j);
  const sum = products.reduce((a, b) => a + b, 0);
  if (c === undefined)
    return (
      `${pair}. q · k is ${fixed(sum)}, the sum of ${products.length} products; divided by ${fixed(numbers.scale)}` +
      ` it is ${fixed(sum / numbers.scale)}; softmax over the row makes it ${fixed(numbers.weight(l, h, i, j))}.`
    );
  const [q, k] = [numbers.vector("q", l, h, i)[c], numbers.vector("k", l, h, j)[c]];
  return (
    `Product ${c}: ${fixed(q)} of the query of ${quoted(tokens[i])} times ${fixed(k)} of the key of` +
    ` ${quoted(keys[j])} is ${fixed(products[c])}. All ${products.length} add up to ${fixed(sum)}.`
  );
}

/** The number that a place is: a cell its weight, a product its value; null for the others. */
export function valueOf(place, numbers) {
  if (isForward(place)) return forwardValue(place, numbers);
  const [l, , h, i, j, c] = place;
  if (place.length === 5) return numbers.weight(l, h, i, j);
  if (place.length === 6 && numbers.q) return numbers.products(l, h, i, j)[c];
  return null;
}

function mostOf(numbers, l, h, i) {
  const j = numbers.topKey(l, h, i);
  return `${quoted(numbers.part(l).keys[j])} ${brief(numbers.weight(l, h, i, j))}`;
}
