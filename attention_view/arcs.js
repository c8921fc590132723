// The line of tokens as a sentence: arcs below it lead from the token that asks to those that it looks at.

import { boxOf, brief, el, rewrite, svg } from "./lab.js";
import { loop } from "./loop.js";
import { beginning, Walk } from "./walk.js";

const LEAST = 0.04; // of attention weight: what is less has no arc
const DEEPEST = 72; // pixels
const DEEPER = 124; // the same where the arcs are the subject, and the map stands below them
const BETWEEN = 12; // the same between two lines

/** The keys that an arc leads to, the token itself among them, the weakest first, and however weak the one that is
 * named: [[key, weight], ...]. */
export const arcsOf = (weights, i, S, named) =>
  Array.from({ length: S }, (_, j) => [j, weights[i * S + j]])
    .filter(([j, weight]) => weight >= (j === named ? Number.MIN_VALUE : LEAST))
    .sort((a, b) => a[1] - b[1]);

/** A weight as a part of "gives … of its attention". */
const asPart = (weight) => (weight === 0 ? "none" : brief(weight).replace("<", "less than "));

const lower = (words) => words[0].toLowerCase() + words.slice(1);

/** How far below the line the handles of an arc are; the arc itself comes three quarters as low. */
const depth = (from, to, deepest = DEEPEST) =>
  12 + Math.min(deepest, Math.max(3, deepest / 24) * Math.sqrt(Math.abs(to - from)));

/** An arc between two places of one line, below it. */
export function arc(from, to, y, deepest) {
  const deep = y + depth(from, to, deepest);
  return `M${from} ${y}C${from} ${deep} ${to} ${deep} ${to} ${y}`;
}

/** A thread between words on two lines, [middle, foot, top] each: from the foot of the upper one to the top of the
 * lower. */
export function strand(...words) {
  const [[from, y], [to, , end]] = words.sort((a, b) => a[1] - b[1]);
  return `M${from} ${y}C${from} ${(y + end) / 2} ${to} ${(y + end) / 2} ${to} ${end}`;
}

export class Arcs {
  constructor(view) {
    this.view = view;
    this.node = svg("svg.arcs", { "aria-hidden": "true" });
    this.said = el("p.finding", { "aria-hidden": "true" }); // the cell of the map says as much
    this.walk = new Walk(view);
    this.headline = el("div.headline", this.said, this.walk.node);
  }

  /** The tokens stand elsewhere now. */
  forget() {
    this.feet = null;
  }

  /** Where the chips stand in the strip: [middle, foot, top] each. */
  measure(chips, strip) {
    const box = boxOf(strip);
    return chips.map((chip) => {
      const { left, width, bottom, top } = boxOf(chip);
      return [left + width / 2 - box.left, Math.round(bottom - box.top), Math.round(top - box.top)];
    });
  }

  /** Whether a head is shown whole: once a hand is on one, or where no map shows it. */
  get isWeb() {
    const { view } = this;
    return view.isTold && (view.isHunt || view.peek !== null || view.selected);
  }

  /** The arcs of query i, and key j named: the one that the pointer is on, or else the strongest. */
  draw(i, j, strip) {
    const { view } = this;
    const { S } = view.picture;
    const isShown = view.hasArcs;
    if (!isShown && !this.isShown) return; // most views have none: pointers move quickly
    this.isShown = isShown;
    if (this.width !== view.width) this.forget();
    this.width = view.width;
    const chips = [...strip.querySelectorAll(".chip")];
    const listed = isShown && i < chips.length ? arcsOf(view.heads()[0].weights, i, S, j) : [];
    const keys = listed.filter(([j]) => j < chips.length);
    for (const [n, chip] of chips.entries()) chip.classList.toggle("looked-at", isShown && n === j && j !== i);
    const { isWeb } = this;
    if (keys.length || isWeb) this.feet ??= this.measure(chips, strip);
    const onLine = keys.filter(([j]) => view.isFolded || this.feet[j][1] === this.feet[i][1]);
    this.tell(i, j);
    const paths = onLine.map(([key, weight]) => this.path(i, key, weight));
    this.node.replaceChildren(...(isWeb ? this.others(i) : []), ...paths, ...this.number(i, onLine.at(-1)));
  }

  /** Of every other token the strongest arc. */
  others(i) {
    const { feet, view } = this;
    const [{ layer, head, weights }] = view.heads();
    const arcs = feet.map((_, n) => [n, view.picture.topKey(n, layer, head)]);
    return arcs
      .filter(([n, key]) => n !== i && feet[key] && (view.isFolded || feet[key][1] === feet[n][1]))
      .map(([n, key]) => svg("g.other", this.path(n, key, weights[n * view.picture.S + key])));
  }

  /** What one cell comes to, in a sentence above the text. */
  tell(i, j) {
    const { picture, shownHeads: heads } = this.view;
    this.walk.show();
    // An empty line would be lower: the map would move, and another row would lie under the pointer.
    this.view.root.classList.toggle("aside", this.isAside(i, j));
    if (!this.view.isTold) return rewrite(this.said, "\u00a0");
    const [layer, head] = heads[0];
    const word = (kind, token) => ["“", el(`b.${kind}`, token), "”"];
    const key = j === i ? ["itself"] : word("key", picture.keys[j]);
    const name = picture.name(layer, head);
    const tag = this.walk.tagIn(layer, head, [i, j]);
    const known = beginning(name, tag);
    const where = known || `In ${lower(name)}, `;
    const isLong = Boolean(known && tag.times); // it says how often the head does so
    const gives = picture.allowed(i, j, layer)
      ? [
          " gives ",
          el("b.weight", asPart(this.view.heads()[0].weights[i * picture.S + j])),
          isLong ? " to " : " of its attention to ",
        ]
      : [" cannot look at "];
    rewrite(this.said, where, ...word("query", picture.queries[i]), ...gives, ...key, ".");
  }

  /** Whether the sentence tells of another row than the one that the head in view is named for. */
  isAside(i, j) {
    const { isTold, shownHeads: heads, picture } = this.view;
    return isTold && Boolean(picture.tag(...heads[0])) && !this.walk.tagIn(...heads[0], [i, j]);
  }

  /** The weight of the strongest arc, below its lowest point, where no sentence says it. */
  number(i, strongest) {
    if (!strongest || strongest[1] < LEAST || this.view.isTold) return [];
    const [j, weight] = strongest;
    const [from, y] = this.feet[i];
    const [to, line] = this.feet[j];
    if (y !== line) return [];
    return [svg("text", { x: (from + to) / 2, y: y + 0.75 * depth(from, to, this.deepest) + 20 }, weight.toFixed(2))];
  }

  /** How deep an arc is at most. */
  get deepest() {
    if (this.view.isFolded) return BETWEEN;
    return this.view.whole.header.beside ? DEEPER : DEEPEST;
  }

  path(i, j, weight) {
    const [from, to] = [this.feet[i], this.feet[j]];
    const onLine = () => (i === j ? loop(from) : arc(from[0], to[0], from[1], this.deepest));
    const d = from[1] === to[1] ? onLine() : strand(from, to);
    return svg("path", { d, "stroke-width": (0.8 + 7 * weight).toFixed(1) });
  }
}
