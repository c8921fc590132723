// One training as its packets tell it: the steps, curves and maps of attention so far, and what can be read from them.

import { onPatches } from "./picture_map.js";

const BETTER = 0.1; // of its weight on the true alignment: what takes the large map from one head to another,
const LASTING = 3; // if it lasts for so many frames
export const END = 2; // the id of <eos>
const PAD = 0; // the id of what fills up a row
export const SIGNS = { "⟨pad⟩": "·", "⟨start⟩": "▸", "⟨end⟩": "■", "⟨unknown⟩": "?" };

/** The curve that tells how much of what a run writes is right, what it counts, and how these are called: ["exact",
 * "answers", "flawless"], for an answer with one wrong letter does not count; null where that is not measured. */
export function rightOf({ tiles }) {
  const curve = ["exact", "accuracy"].find((name) => name in tiles);
  if (!curve) return null;
  const counted = tiles[curve].replace(/ right$/, "").toLowerCase();
  return [curve, counted, counted === "answers" ? "flawless" : "right"];
}

/** Everything that is known of one training. */
export class Run {
  constructor(said) {
    Object.assign(this, { id: said.id, steps: [], curves: {}, grads: [], maps: {}, mass: {}, parts: [], probes: [] });
    Object.assign(this, { ids: {}, chances: {}, held: {}, script: null, tiles: {}, turns: [], values: {} });
    Object.assign(this, { pixels: [], largest: {}, more: [] }); // of pictures; curves besides the usual ones
    this.score = ""; // what the weight on the true alignment is called, where it has a name of its own
    this.head = null; // [layer, head], once somebody chose
  }

  /** Take in what a packet brings; false if frames before it are missing. */
  add(said, at, { header, arrays }) {
    const { name, label, state, planned, about, turns = [], values = this.values } = said;
    Object.assign(this, { name, label, state, said: said.said, planned, about, turns, values });
    if (!said.frames) return true;
    if (said.first > this.steps.length || (said.first > 0 && !this.probes.length)) return false;
    if (said.first === 0) {
      const { parts, guess, probes, script, tiles, score = "", more = [] } = said;
      const pixels = probes.map((_, p) => arrays[`${at}.${p}.pixels`]);
      Object.assign(this, { parts, guess, probes, script, tiles, score, more, pixels });
    }
    const part = (name, n) => {
      const all = arrays[`${at}.${name}`];
      return all?.slice((n * all.length) / said.frames, ((n + 1) * all.length) / said.frames);
    };
    const from = this.steps.length - said.first; // what is known already
    for (let n = from; n < said.frames; n++) this.grow(header.curves, (name) => part(name, n));
    return true;
  }

  /** One frame more: part(name) is what an array of the packet holds of it. */
  grow(curves, part) {
    this.steps.push(part("steps")[0]);
    const numbers = [...part("curves"), ...(part("more") ?? [])];
    [...curves, ...this.more].forEach((name, c) => (this.curves[name] ??= []).push(numbers[c]));
    this.grads.push(part("grads"));
    this.probes.forEach((probe, p) => {
      for (const [kind, axes] of Object.entries(probe)) {
        const [key, map] = [`${p}.${kind}`, part(`${p}.${kind}`)];
        const mass = this.massOf(axes, map);
        (this.maps[key] ??= []).push(map);
        (this.mass[key] ??= []).push(mass);
        this.hold(key, mass);
        if (this.sight) this.largest[p] = Math.max(this.largest[p] ?? 0, this.most(axes, map));
      }
      for (const name of ["ids", "chances"]) {
        const row = part(`${p}.${name}`);
        if (row) (this[name][p] ??= []).push(row);
      }
    });
  }

  /** How pictures are read, where pictures are read: { side, across, rows, reads }. */
  get sight() {
    return this.script?.sight ?? null;
  }

  /** What is needed to draw the picture of a probe. */
  picture(p) {
    return { pixels: this.pixels[p], side: this.sight.side, across: this.sight.across };
  }

  /** The largest weight on a patch in any head of a frame, of 255. */
  most({ heads, keys }, map) {
    const size = keys.length ** 2;
    const ofHead = (h) => onPatches(map.subarray(h * size, (h + 1) * size), this.sight.rows, keys.length - 1);
    return Math.max(...Array.from({ length: heads[0] * heads[1] }, (_, h) => Math.max(...ofHead(h))));
  }

  /** The head that is shown large, until another one is clearly better for a while: it does not hop. */
  hold(key, mass) {
    if (Number.isNaN(mass[0])) return;
    const best = mass.indexOf(Math.max(...mass));
    const held = (this.held[key] ??= { head: best, better: 0 });
    held.better = mass[best] > mass[held.head] + BETTER ? held.better + 1 : 0;
    if (held.better >= LASTING) Object.assign(held, { head: best, better: 0 });
  }

  /** What the model says on a probe at a frame: tokens [{ word, chance, right }]; null where nobody knows. */
  says(p, frame) {
    const ids = this.ids[p]?.[frame];
    if (!ids || !this.script) return null;
    const { right } = this.script.asked[p],
      tokens = [];
    for (const [n, id] of ids.entries()) {
      const chance = this.chances[p][frame][n] / 255;
      if (id === PAD && !chance) break; // behind the answer; a model that has learned nothing may write it, too
      const { [id]: name } = this.script.words;
      const word = id === END ? name : (SIGNS[name] ?? name); // as in the threads
      tokens.push({ id, word, chance, right: right.length ? id === right[n] : null });
      if (id === END) break;
    }
    return tokens;
  }

  /** How much weight every head lays on the true alignment, averaged over the rows that have one. */
  massOf({ ghost, heads, queries, keys }, map) {
    const rows = new Set(ghost.map(([i]) => i)).size;
    return Float32Array.from({ length: heads[0] * heads[1] }, (_, h) =>
      rows
        ? ghost.reduce((sum, [i, j]) => sum + map[(h * queries.length + i) * keys.length + j], 0) / (255 * rows)
        : NaN,
    );
  }

  /** The step since which a head has more than half of its weight on the true alignment, without a break up to the last
   * frame; null where it has less in the end. */
  since(key, head) {
    const mass = this.mass[key],
      below = mass.findLastIndex((row) => !(row[head] > 0.5));
    return below + 1 < mass.length ? this.steps[below + 1] : null;
  }

  /** The last frame at or before a step. */
  frame(step) {
    let low = 0,
      high = this.steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.steps[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The head in view: the chosen one, else the one with the most on the true alignment: of a finished film at its end,
   * of one that grows, the one that is held. */
  chosen(p, kind) {
    const [L, H] = this.probes[p][kind].heads;
    if (this.head && this.head[0] < L && this.head[1] < H) return this.head;
    const key = `${p}.${kind}`,
      mass = this.mass[key].at(-1);
    const end = Number.isNaN(mass[0]) ? 0 : mass.indexOf(Math.max(...mass));
    const best = this.state === "recorded" ? end : (this.held[key]?.head ?? end);
    return [Math.floor(best / H), best % H];
  }

  best() {
    const values = this.curves.val_loss;
    return values.reduce((best, value, n) => (value < values[best] ? n : best), 0);
  }
}
