// Two stacks side by side, an encoder and a decoder: their numbers, and where they stand. Each attention of theirs is a
// layer of the scene: first those of the encoder, then of each layer of the decoder self-attention and cross-attention.

import { home } from "./scene_camera.js";
import { Numbers } from "./scene_numbers.js";
import { Geometry } from "./scene_places.js";
import { stationsSent } from "./scene_stations.js";
import { isForward, keepsUnits, Units, unitsByLayer } from "./scene_units.js";

const BETWEEN = 0.02; // of the width, between two stacks
const TITLE = 20; // pixels above the heads of a layer for its name: beside them stands the other stack

/** One of the stacks: what stands on its columns. */
class Tower {
  constructor({ name, tokens, answer, sign }, parts, { stream, hidden }) {
    Object.assign(this, { name, tokens, answer, sign, parts, stream, hidden });
    [this.T, this.L, this.first] = [tokens.length, parts.length, parts[0].n];
  }

  /** [what a layer is called beside its columns, and what is below that]. */
  titles(l) {
    return this.parts[l].titles;
  }

  hasForward(l) {
    return this.parts[l].forward;
  }
}

class Towers {
  /** header  {kinds, towers, parts}: of each kind of attention what Numbers takes; of each tower {name, tokens,
   *          answer, sign}; of each layer {name, titles, kind, at, tower, forward}: which layer `at` of which kind it
   *          is, and whether a feed-forward network follows
   * arrays   of each kind "kind:q" and so on, of each tower "0:stream", "0:hidden" */
  constructor(header, arrays) {
    const of = (name) =>
      Object.fromEntries(
        Object.entries(arrays).flatMap(([key, array]) =>
          key.startsWith(`${name}:`) ? [[key.split(":")[1], array]] : [],
        ),
      );
    this.kinds = Object.fromEntries(
      Object.entries(header.kinds).map(([name, one]) => [name, new Numbers(one, of(name))]),
    );
    this.parts = header.parts.map((part, n) => ({ ...part, n }));
    this.sides = header.towers.map(
      (tower, n) =>
        new Tower(
          tower,
          this.parts.filter((part) => part.tower === n),
          of(n),
        ),
    );
    const [one] = Object.values(this.kinds);
    [this.F, this.D] = header.units ?? [0, 0];
    this.units = unitsByLayer(unitsSent(header, arrays));
    this.stations = stationsSent(header, arrays);
    Object.assign(this, { L: this.parts.length, H: one.H, d: one.d, scale: one.scale, q: one.q, v: one.v });
  }

  part(l) {
    return this.kinds[this.parts[l].kind];
  }

  layerName(l) {
    return this.parts[l].name;
  }

  hasForward(l) {
    return this.parts[l].forward;
  }

  /** In which tower the keys of a layer stand. */
  keysIn(l) {
    const { tokens, keys } = this.part(l);
    return tokens === keys ? this.parts[l].tower : 0;
  }

  get whole() {
    const [encoder, decoder] = this.sides;
    return (
      `The whole model: the encoder reads ${encoder.T} tokens, the decoder has ${decoder.T} and chooses the next.` +
      " In cross-attention the decoder looks at what the encoder has read."
    );
  }
}

Object.assign(Towers.prototype, keepsUnits);

// What is asked of a layer is asked of its kind.
for (const name of ["vector", "products", "matrix", "weight", "row", "output", "mean", "topKey", "topProduct"]) {
  const takesVector = name === "vector";
  Towers.prototype[name] = function (...given) {
    const [what, l, ...rest] = takesVector ? given : [null, ...given];
    const { kind, at } = this.parts[l];
    return this.kinds[kind][name](...(takesVector ? [what] : []), at, ...rest);
  };
}

/** Where two stacks stand, side by side in one world. */
class Sides {
  constructor(numbers, { width, height, top, foot }) {
    Object.assign(this, { width, height, top, parts: numbers.parts });
    const gap = BETWEEN * width;
    const wide = (width - gap) / 2;
    this.sides = numbers.sides.map(({ L, T, first }, n) => {
      const from = n * (wide + gap);
      const S = (l) => numbers.part(first + l).S;
      const { H, F, D } = numbers;
      const title = width < 640 ? 0 : TITLE;
      return new Geometry({ width, height, top, foot, L, H, T, S, F, D, from, to: from + wide, title });
    });
    Object.assign(this, { F: numbers.F, D: numbers.D });
    const [one] = this.sides;
    Object.assign(this, { isNarrow: one.isNarrow, floor: one.floor });
  }

  get size() {
    return { width: this.width, height: this.height };
  }

  /** [the side of a layer, its number there]. */
  own(l) {
    const { tower } = this.parts[l];
    return [this.sides[tower], l - this.parts.findIndex((part) => part.tower === tower)];
  }

  camera([l, ...further], ...more) {
    if (l === undefined) return home(this.size);
    const [side, own] = this.own(l);
    return side.camera([own, ...further], ...more);
  }

  within(point, k, n = 0) {
    for (const [tower, side] of this.sides.entries()) {
      const chain = side.within(point, k, n);
      const first = this.parts.findIndex((part) => part.tower === tower);
      if (chain.length < 2) continue;
      const there = chain.map(([l, ...further]) => (l === undefined ? [] : [first + l, ...further]));
      const [l] = there[1];
      return this.parts[l].forward ? there : there.filter((place) => !isForward(place));
    }
    return [[]];
  }

  placeAt(...given) {
    return Geometry.prototype.placeAt.apply(this, given);
  }
}

for (const name of ["head", "map", "row", "cell", "stage", "product", "forward"])
  Sides.prototype[name] = function (l, ...rest) {
    const [side, own] = this.own(l);
    return side[name](own, ...rest);
  };

/** Where these numbers stand, in a room of this size. */
export function geometryOf(numbers, room) {
  if (numbers.sides.length > 1) return new Sides(numbers, room);
  const { L, H, T, F, D } = numbers;
  return new Geometry({ ...room, L, H, T, F, D });
}

/** The units of the one layer that was sent with them; null without. */
export const unitsSent = ({ layer }, arrays) => (arrays.units ? new Units(layer, arrays) : null);

/** The numbers that were sent, of one stack or of two. */
export const numbersOf = (header, arrays) =>
  header.towers
    ? new Towers(header, arrays)
    : new Numbers(header, { ...arrays, units: unitsSent(header, arrays), stations: stationsSent(header, arrays) });
