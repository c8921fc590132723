// The line of tokens as a sentence: arcs below it lead from the token that asks to those that it looks at.

import { boxOf, el, fixed, rewrite, svg } from "./lab.js";

const LEAST = 0.04; // of attention weight: what is less has no arc
const DEEPEST = 40; // pixels

/** The keys that an arc leads to, the weakest first: [[key, weight], ...]. */
export const arcsOf = (weights, i, S) =>
  Array.from({ length: S }, (_, j) => [j, weights[i * S + j]])
    .filter(([j, weight]) => j !== i && weight >= LEAST)
    .sort((a, b) => a[1] - b[1]);

const lower = (words) => words[0].toLowerCase() + words.slice(1);

/** How far below the line the handles of an arc are; the arc itself comes three quarters as low. */
const depth = (from, to) => 12 + Math.min(DEEPEST, Math.abs(to - from) / 9);

/** An arc between two places of one line, below it. */
export function arc(from, to, y) {
  const deep = y + depth(from, to);
  return `M${from} ${y}C${from} ${deep} ${to} ${deep} ${to} ${y}`;
}

export class Arcs {
  constructor(view) {
    this.view = view;
    this.node = svg("svg.arcs", { "aria-hidden": "true" });
    this.said = el("p.finding", { "aria-hidden": "true" }); // the cell of the map says as much
  }

  /** The tokens stand elsewhere now. */
  forget() {
    this.feet = null;
  }

  /** Where the chips stand in the strip: [middle, foot] each. */
  measure(chips, strip) {
    const box = boxOf(strip);
    return chips.map((chip) => {
      const { left, width, bottom } = boxOf(chip);
      return [left + width / 2 - box.left, Math.round(bottom - box.top)];
    });
  }

  draw(i, strip) {
    const { view } = this;
    const { T, S } = view.picture;
    const isShown = view.isLined && T === S && !view.picture.words;
    if (!isShown && !this.isShown) return; // most views have none: pointers move quickly
    this.isShown = isShown;
    if (this.width !== view.width) this.forget();
    this.width = view.width;
    const chips = [...strip.querySelectorAll(".chip")];
    const listed = isShown && i < chips.length ? arcsOf(view.heads()[0].weights, i, S) : [];
    const keys = listed.filter(([j]) => j < chips.length);
    const most = keys.at(-1)?.[0];
    for (const [j, chip] of chips.entries()) chip.classList.toggle("looked-at", j === most);
    if (keys.length) this.feet ??= this.measure(chips, strip);
    const onLine = keys.filter(([j]) => this.feet[j][1] === this.feet[i][1]);
    const strongest = onLine.at(-1); // none where it looks at itself alone
    this.tell(i, keys.at(-1), chips.length);
    const paths = onLine.map(([j, weight]) => this.path(i, j, weight));
    this.node.replaceChildren(...paths, ...this.number(i, strongest, most));
  }

  /** Whether a sentence above the text says what is shown: of one head, and not of a rollout. */
  get isTold() {
    return this.view.shownHeads.length === 1 && !this.view.picture.header.flow;
  }

  /** What the strongest arc comes to, in a sentence above the text. */
  tell(i, strongest, nWords) {
    if (!this.isShown || i >= nWords) return;
    const { picture, shownHeads: heads } = this.view;
    // An empty line would be lower: the map would move, and another row would lie under the pointer.
    if (!this.isTold) return rewrite(this.said, "\u00a0");
    const [j, weight] = strongest ?? [i, this.view.heads()[0].weights[i * picture.S + i]];
    const word = (kind, token) => ["“", el(`b.${kind}`, token), "”"];
    const gives = [" gives ", el("b.weight", fixed(weight, 2)), " of its attention to "];
    const key = j === i ? ["itself"] : word("key", picture.keys[j]);
    const where = `In ${lower(picture.name(...heads[0]))}, `;
    rewrite(this.said, where, ...word("query", picture.queries[i]), ...gives, ...key, ".");
  }

  /** The weight of the strongest arc, below its lowest point; not where the sentence of a stage says it large. */
  number(i, strongest, most) {
    if (!strongest || strongest[0] !== most || (this.view.isStaged && this.isTold)) return [];
    const [j, weight] = strongest;
    const [from, y] = this.feet[i];
    const to = this.feet[j][0];
    return [svg("text", { x: (from + to) / 2, y: y + 0.75 * depth(from, to) + 20 }, weight.toFixed(2))];
  }

  path(i, j, weight) {
    const [from, y] = this.feet[i];
    return svg("path", { d: arc(from, this.feet[j][0], y), "stroke-width": (0.8 + 7 * weight).toFixed(1) });
  }
}
