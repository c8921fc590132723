// What the chosen heads score, each with a bar and a tick at its chance: the score that sorts, and the first few.

import { el, put, write } from "./lab.js";
import { score, sortedBy } from "./scores.js";

const MAX_MEASURES = 5;

export class Measures {
  constructor(view) {
    this.view = view;
  }

  build() {
    this.node = el("dl", { class: "measures" });
    return this.node;
  }

  paint() {
    const { node, view } = this;
    const p = view.picture;
    const by = sortedBy(view.sort)?.name;
    const names = p.scoreNames.filter((name, at) => name === by || at < MAX_MEASURES);
    const heads = view.shownHeads;
    if (this.made?.of !== p || String(this.made.names) !== String(names))
      this.made = { of: p, names, rows: names.map((name) => measure(score(p, name))) };
    for (const [at, { text, bar, one }] of this.made.rows.entries()) {
      const value = heads.reduce((sum, head) => sum + p.score(names[at], ...head), 0) / heads.length;
      const ofChance = names[at] === "entropy" && one.chance !== undefined ? `of ${one.chance.toFixed(2)} ` : "";
      write(text, `${value.toFixed(one.digits)} ${ofChance}${one.unit}`.trim());
      put(bar, { style: `width:${shareOf(value, one)}` });
    }
    const title = [
      heads.length > 1 ? `Means of ${heads.length} heads. ` : "",
      ...names.map((name) => score(p, name)).map(({ title, about }) => (about ? `${title}: ${about}. ` : "")),
      Object.keys(p.header.chance).length ? "A tick marks what looking at all allowed tokens alike would give." : "",
    ].join("");
    put(node, { title });
    const nodes = this.made.rows.flatMap(({ nodes }) => nodes);
    if (node.firstChild !== nodes[0]) node.replaceChildren(...nodes);
  }
}

/** A score as a share of the bar's length. */
const shareOf = (value, one) => `${100 * Math.min(1, Math.max(0, value / one.largest))}%`;

/** The line of a score: its name, its value, and a bar with a tick at its chance. */
function measure(one) {
  const [text, bar] = [el("span"), el("b")];
  const tick = one.chance === undefined ? null : el("i", { style: `left:${shareOf(one.chance, one)}` });
  const scale = el("div", { class: "bar", "aria-hidden": "true" }, bar, tick);
  return {
    one,
    text,
    bar,
    nodes: [el("div", {}, el("dt", { title: one.about }, one.title), el("dd", {}, text, scale))],
  };
}
