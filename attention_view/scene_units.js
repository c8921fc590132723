// The feed-forward side of a scene: the units of one layer at each token, and what each writes into the stream.
//
// A place of it is a path, too: [2, "feed-forward"] are the units of layer 2 at all tokens, then a token, a unit of it,
// and a feature of the stream that this unit writes into.

import { fixed } from "./lab.js";
import { fit } from "./scene_camera.js";

export const FORWARD_PART = "feed-forward";
const AROUND = 1.12; // of the columns: what is seen of the units at all tokens
const GRID = [0.015, 0.14, 0.97, 0.83]; // of the stage of a token: left, top, width and height of its units
const FEATURE = 1.5; // times as wide as high is a feature
const WRITTEN = [0.46, 0.16, 0.51, 0.8]; // of the stage of a unit: what it writes

const REST = 250; // ms at a place after which units are asked for that are likely to be looked at next

/** Whether a place is on the feed-forward side. */
export const isForward = (place) => place[1] === FORWARD_PART;

export class Units {
  /** The units of a layer, exactly.
   *
   * units  (T, F): what W₂ reads; out (F, D): W₂, a row per unit; bias (D), of the output; mid (T, D): the stream
   *        before the network adds to it */
  constructor(layer, { units, out, bias, mid }) {
    Object.assign(this, { layer, units, out, bias, mid });
    [this.T, this.F] = units.shape;
    this.D = bias.length;
  }

  /** The value of a unit at a token, after the activation. */
  value(t, n) {
    return this.units[t * this.F + n];
  }

  of(t) {
    return this.units.subarray(t * this.F, (t + 1) * this.F);
  }

  /** What a unit adds to each feature of the stream at a token (D): its value times its row of W₂. */
  written(t, n) {
    const value = this.value(t, n);
    return Float64Array.from(this.out.subarray(n * this.D, (n + 1) * this.D), (w) => value * w);
  }

  /** What the whole network adds to a feature at a token: all units, and the bias. */
  added(t, c) {
    let sum = this.bias[c];
    for (let n = 0; n < this.F; n++) sum += this.value(t, n) * this.out[n * this.D + c];
    return sum;
  }

  before(t, c) {
    return this.mid[t * this.D + c];
  }

  nFiring(t) {
    return this.of(t).reduce((n, x) => n + (x !== 0), 0);
  }

  /** The unit that writes most at a token, by the length of what it writes. */
  strongest(t) {
    const { F, D, out } = this;
    const length = (n) => Math.abs(this.value(t, n)) * Math.hypot(...out.subarray(n * D, (n + 1) * D));
    return furthest(Array.from({ length: F }, (_, n) => length(n)));
  }

  /** The feature into which a unit writes most. */
  target(t, n) {
    return furthest(this.written(t, n));
  }
}

/** Units by the layer whose they are, as numbers keep them. */
export const unitsByLayer = (units) => new Map(units ? [[units.layer, units]] : []);

/** What numbers do with units: they keep those of each layer that has come. */
export const keepsUnits = {
  /** The units of a layer, where they are here. */
  unitsOf(l) {
    return this.units.get(l) ?? null;
  },

  add(units) {
    this.units.set(units.layer, units);
  },
};

const furthest = (values) => {
  const sizes = [...values].map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
};

/** Asks for units that are not here, one layer at a time: ask(l), at once for those that one is among; after a rest, at
 * a layer and on its feed-forward side, for its own and those above and below it. Returns what ends the waiting. */
export function askForUnits({ place, numbers }, ask) {
  const [l] = place;
  if (!place.length || !numbers.F || !(place.length === 1 || isForward(place))) return () => {};
  const isWanted = (one) => one >= 0 && one < numbers.L && numbers.hasForward(one) && !numbers.unitsOf(one);
  const next = [l, l + 1, l - 1].find(isWanted);
  if (next === undefined) return () => {};
  if (next === l && isForward(place)) ask(l);
  const timer = next === l && isForward(place) ? null : setTimeout(() => ask(next), REST);
  return () => clearTimeout(timer);
}

// ---- where they are ---------------------------------------------------------------------------------------------

/** A part of a box, by shares of it. */
const inBox = ({ x, y, w, h }, [left, top, wide, tall]) => ({
  x: x + left * w,
  y: y + top * h,
  w: wide * w,
  h: tall * h,
});

/** How many columns n cells of one box have, each `shape` times as wide as high, nearly: a divisor of n if one is near,
 * so that the last row is full. */
function columnsOf(n, { w, h }, shape) {
  const wanted = Math.max(1, Math.min(n, Math.round(Math.sqrt((n * w) / (h * shape)))));
  const near = Array.from({ length: n }, (_, m) => m + 1).filter((m) => n % m === 0 && Math.abs(m / wanted - 1) < 0.15);
  return near.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted;
}

/** The nth of so many cells of a box, row by row. */
function cellOf(n, many, box, shape) {
  const across = columnsOf(many, box, shape);
  const [w, h] = [box.w / across, box.h / Math.ceil(many / across)];
  return { x: box.x + (n % across) * w, y: box.y + Math.floor(n / across) * h, w, h };
}

/** Which of so many cells of a box a point is in; -1 for none. */
function cellAt([x, y], many, box, shape) {
  const across = columnsOf(many, box, shape);
  const [column, row] = [(x - box.x) / (box.w / across), (y - box.y) / (box.h / Math.ceil(many / across))].map(
    Math.floor,
  );
  const n = row * across + column;
  return column >= 0 && column < across && row >= 0 && n < many ? n : -1;
}

/** The part of a box that the screen has room for, in its own shape. */
function fitted({ x, y, w, h }, { width, height }) {
  const k = Math.min(width / w, height / h);
  const [wide, tall] = [Math.min(w, (0.96 * width) / k), Math.min(h, (0.96 * height) / k)];
  return { x: x + (w - wide) / 2, y: y + (h - tall) / 2, w: wide, h: tall };
}

/** The boxes of the feed-forward side in a geometry: of the units of a token, of a unit, of what it writes. */
const unitsBox = (world, l, t) => inBox(world.forward(l, t), GRID);
export const unitBox = (world, l, t, n) => cellOf(n, world.F, unitsBox(world, l, t), world.width / world.height);
export const unitStage = (world, l, t, n) => fitted(unitBox(world, l, t, n), screenOf(world));
const writtenBox = (world, ...at) => inBox(unitStage(world, ...at), WRITTEN);
export const featureBox = (world, l, t, n, c) => cellOf(c, world.D, writtenBox(world, l, t, n), FEATURE);
const screenOf = ({ width, height }) => ({ width, height });

/** The camera that shows a place of this side. */
export function forwardCamera(world, [l, , t, n, c]) {
  const size = world.size;
  if (t === undefined) {
    const { x, y, h } = world.forward(l, 0);
    const wide = (world.right - world.left) * AROUND + world.thick;
    const box = { x: x - (wide - (world.right - world.left)) / 2, y: y - h, w: wide, h: 3 * h };
    return world.below(fit(box, size, { room: 1 }));
  }
  if (n === undefined) return fit(world.forward(l, t), size, { room: 0.97 });
  if (c === undefined) return fit(unitStage(world, l, t, n), size, { room: 0.97 });
  return fit(featureBox(world, l, t, n, c), size, { room: 0.66 });
}

/** The places of this side that a point lies in, from that of the layer on; [] where it is not on it. */
export function forwardWithin(world, l, point) {
  const { F, D, T } = world;
  const [x, y] = point;
  const { y: top, h } = world.forward(l, 0);
  if (!F || y < top || y >= top + h || x >= world.right + world.thick) return [];
  const chain = [[l, FORWARD_PART]];
  const t = Array.from({ length: T }, (_, at) => at).find((at) => holds(world.forward(l, at), point));
  if (t === undefined) return chain;
  chain.push([l, FORWARD_PART, t]);
  const n = cellAt(point, F, unitsBox(world, l, t), world.width / world.height);
  if (n < 0) return chain;
  chain.push([l, FORWARD_PART, t, n]);
  const c = cellAt(point, D, writtenBox(world, l, t, n), FEATURE);
  return c < 0 ? chain : [...chain, [l, FORWARD_PART, t, n, c]];
}

const holds = ({ x, y, w, h }, [px, py]) => px >= x && px < x + w && py >= y && py < y + h;

// ---- ways, and what is read ---------------------------------------------------------------------------------------

/** The step inward from a place of this side; null where there is none, or its numbers are not here yet. */
export function forwardInward([l, , t, n, c], numbers) {
  const units = numbers.unitsOf(l);
  if (t === undefined) return numbers.part(l).decisive;
  if (!units || c !== undefined) return null;
  return n === undefined ? units.strongest(t) : units.target(t, n);
}

/** How many there are of what the last step of such a path chooses. */
export const forwardMost = (numbers, l) => [numbers.L, 0, numbers.part(l).T, numbers.F, numbers.D];

/** A path of this side as far as it exists in these numbers. */
export function forwardFitting(place, numbers) {
  const [l] = place;
  if (!numbers.F || !(l < numbers.L) || !numbers.hasForward(l)) return [];
  const most = forwardMost(numbers, l);
  const wrong = place.findIndex((step, n) => n !== 1 && !(Number.isInteger(step) && step >= 0 && step < most[n]));
  return wrong < 0 ? place : place.slice(0, wrong);
}

export function forwardNamed(place, numbers) {
  const last = place.at(-1);
  return [null, FORWARD_PART, `“${numbers.part(place[0]).tokens[last]}”`, `unit ${last}`, `feature ${last}`][
    place.length - 1
  ];
}

/** A place of this side in words. */
export function forwardTold([l, , t, n, c], numbers) {
  const units = numbers.unitsOf(l);
  const { F, D } = numbers;
  if (t === undefined)
    return (
      `The feed-forward network of ${numbers.layerName(l)} works on each token alone: ${D} numbers of the stream` +
      ` become ${F} units, and these become ${D} numbers that are added to it.`
    );
  const token = `“${numbers.part(l).tokens[t]}”`;
  if (!units) return `The units of ${numbers.layerName(l)} at ${token} are on their way.`;
  if (n === undefined)
    return (
      `${token} in ${numbers.layerName(l)}: ${units.nFiring(t)} of ${F} units are not 0. Unit ${units.strongest(t)}` +
      ` writes most, with ${fixed(units.value(t, units.strongest(t)))}.`
    );
  const value = units.value(t, n);
  if (c === undefined)
    return (
      `Unit ${n} is ${fixed(value)} at ${token}. It adds ${fixed(value)} times its own ${D} weights to the stream;` +
      ` most of all ${fixed(units.written(t, n)[units.target(t, n)])} to feature ${units.target(t, n)}.`
    );
  return (
    `Unit ${n}, ${fixed(value)}, times its weight ${fixed(units.out[n * D + c])} is ${fixed(units.written(t, n)[c])}.` +
    ` All ${F} units and the bias add ${fixed(units.added(t, c))} to feature ${c} of ${token}: it was` +
    ` ${fixed(units.before(t, c))} and is ${fixed(units.before(t, c) + units.added(t, c))}.`
  );
}

/** The number that a place of this side is: the value of a unit, or what it adds to a feature; null for the others. */
export function forwardValue([l, , t, n, c], numbers) {
  const units = numbers.unitsOf(l);
  if (!units || n === undefined) return null;
  return c === undefined ? units.value(t, n) : units.written(t, n)[c];
}
