// On a stage one kind of head after the other is looked for among all: beside the head at hand lies a lens, and each
// kind that is found has its place beside them.

import { boxOf, el, put } from "./lab.js";
import { MAX_TAGS, SENTENCES, settleStop, walk } from "./tags.js";
import { paintThumbnail } from "./thumbnail.js";

const LENS = 3.4; // times as large as a small map
const [SLOT, GAP] = [52, 12]; // pixels of the map of a kind that is found, and between two

/** A name without the words of its text: a kind of head that another text may have as well. */
export const kindOf = (name) => name.replace(/“[^”]*”/g, "“…”");

/** How a kind of head is asked for; some names say already who looks at whom. */
export function asked(name) {
  const does = /^(“|everyone)/.test(name) ? name : SENTENCES[name]?.replace("W", "w");
  return does ? `Find a head in which ${does}.` : `Find a head of this kind: ${name}.`;
}

/** In how many heads that were found in one text, [[name, [layer, head]], ...], another text finds the same kind. */
export const staying = (found, picture) =>
  found.filter(([name, head]) => kindOf(picture.tag(...head)?.name ?? "") === kindOf(name)).length;

export class Hunt {
  found = new Map(); // name of a kind -> the head in which it was found

  constructor(view) {
    this.view = view;
  }

  build() {
    this.large = el("canvas", { "aria-hidden": "true" });
    this.slots = el("div.slots", {
      role: "group",
      "aria-label": "Kinds of head that are found",
      onkeydown: (event) => walk(event, this.slots),
      onpointerleave: () => this.view.overview.peek.show(null),
    });
    this.lens = el("div.lens", { "aria-hidden": "true" }, this.large, el("i.asks"), el("i.looks"));
    this.node = el("div.hunt", this.lens, this.slots);
    return this.node;
  }

  /** What depends on the picture alone. Who has found all of them sees where these are in another text. */
  furnish() {
    const { whole } = this.view;
    const { id, staged } = whole.header;
    if (id === this.id) return;
    const [before, isOver] = [[...this.found], this.isOver && this.model === staged];
    const opened = whole.tag(...this.view.opens)?.name; // that one is found, and comes first
    const order = ({ name, score }) => (name === opened ? 2 : score);
    this.kinds = whole.leading(MAX_TAGS).sort((a, b) => order(b) - order(a));
    this.found = new Map(isOver ? this.kinds.map(({ name, layer, head }) => [name, [layer, head]]) : []);
    const n = staying(before, whole);
    this.news = isOver && `Other words, and ${n} of these ${before.length} heads ${n === 1 ? "does" : "do"} the same.`;
    Object.assign(this, { id, model: staged, at: null, stamp: null, told: null });
  }

  /** The kind that is looked for, null when all are found or nothing is. */
  get goal() {
    return (this.view.isResting && this.kinds.find(({ name }) => !this.found.has(name))) || null;
  }

  get isOver() {
    return this.kinds?.length > 1 && this.kinds.every(({ name }) => this.found.has(name));
  }

  /** Whether what a head does is still to be found out. */
  hides(name) {
    return this.goal !== null && !this.found.has(name);
  }

  /** A head that is chosen shows what it does. */
  note() {
    const { layer, head, picture } = this.view;
    if (!this.view.isResting || this.at === `${layer}-${head}`) return;
    const name = picture.tag(layer, head)?.name;
    const isNew = this.kinds.some((kind) => kind.name === name) && !this.found.has(name);
    if (isNew) this.found.set(name, [layer, head]);
    this.isMiss = !isNew && this.at !== null;
    this.at = `${layer}-${head}`;
  }

  /** What there is to do, above all heads. */
  get task() {
    const { goal, kinds } = this;
    if (goal) return this.isMiss ? asked(goal.name).replace("F", "Not this one: f") : asked(goal.name);
    if (this.news) return this.news;
    if (!this.view.isHunt) return "All heads: press one for its map";
    return kinds.length > 1 ? `All ${kinds.length} kinds found. Type another sentence: the same heads?` : "All heads";
  }

  /** What is said of a press that was to find a kind, before it takes the map here and every name with it. */
  answer(layer, head) {
    const { goal, view } = this;
    if (!goal || view.isHunt) return;
    const isFound = view.picture.tag(layer, head)?.name === goal.name;
    const right = view.picture.name(goal.layer, goal.head).toLowerCase();
    this.told = isFound ? `Found: ${goal.name}` : `Not this one: look at ${right}`;
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  draw(masks) {
    const { view, slots, node } = this;
    if (!view.isHunt) return;
    this.masks = masks;
    const { across, size } = view.overview;
    this.size = view.isStaged ? [LENS * across, LENS * size] : [boxOf(node).width, 0.6 * boxOf(node).width];
    const each = boxOf(slots).width / (view.isStaged ? 1 : this.kinds.length) - (view.isStaged ? 0 : GAP);
    slots.replaceChildren(...this.kinds.map((kind) => this.slot(kind, [each, SLOT])));
    settleStop(slots);
    this.paint();
  }

  slot({ name, query }, size) {
    const { view } = this;
    const head = this.found.get(name);
    if (!head) return el("span.slot", { "aria-hidden": "true" }, "?");
    const canvas = el("canvas", { "aria-hidden": "true" });
    paintThumbnail(canvas, view, head, size, this.masks);
    const onclick = () => {
      view.select(...head);
      const i = query === null ? -1 : view.picture.rowOf(query);
      if (i >= 0) view.pin([i, view.topKey(i)]);
    };
    const over = () => view.overview.peek.show(head);
    return el("button.slot", { "data-name": name, onclick, onpointerenter: over }, canvas, el("span", name));
  }

  /** The head at hand. */
  paint() {
    const { view } = this;
    if (!view.isHunt || !this.size) return;
    const [head] = view.shownHeads;
    paintThumbnail(this.large, view, head, this.size, this.masks);
    if (view.isStaged) this.lay(head);
    for (const slot of this.slots.children) {
      if (slot.nodeName !== "BUTTON") continue;
      const isOn = String(this.found.get(slot.dataset.name)) === String(head);
      slot.classList.toggle("on", isOn);
      put(slot, { "aria-pressed": isOn });
    }
  }

  /** Lays the lens beside a head, behind its neighbour: on the right, or on the left where there is no room. */
  lay(head) {
    const { nodes, overview, picture } = this.view;
    const tiles = overview.thumbs;
    const [tile, first, last] = [tiles[picture.index(...head)], tiles[0], tiles.at(-1)].map(({ button }) =>
      boxOf(button),
    );
    const [[wide, high], around] = [this.size, boxOf(nodes.heads)];
    const within = (at, low, top) => Math.max(low, Math.min(top, at));
    const right = tile.right + tile.width + GAP;
    const left = (right + wide > last.right ? tile.left - tile.width - GAP - wide : right) - around.left;
    const top = within(tile.top + (tile.height - high) / 2, last.top, first.bottom - high) - around.top;
    this.lens.style.translate = `${left}px ${top}px`;
  }

  /** The row that asks, and the column that it looks at, as all of the view has them. */
  paintCell(i, j) {
    const { view } = this;
    if (!view.isHunt) return;
    const { T, S } = view.picture;
    for (const [name, n] of [
      ["i", i / T],
      ["j", j / S],
      ["row", 1 / T],
      ["column", 1 / S],
    ])
      this.lens.style.setProperty(`--${name}`, n);
  }
}
