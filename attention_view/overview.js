// All heads at once: layers as rows, heads as columns; or in the order of a score, those that have enough of it.

import { el, put } from "./lab.js";
import { image, shrunk, surface } from "./paint.js";
import { ordered, orders, score, scoreRange, scoreText, sortedBy } from "./scores.js";

export const MAX_TAGS = 5;
const MAX_MEASURES = 5;
const SCROLLBAR = 14; // pixels
const SMALLEST = 13; // pixels of a thumbnail
const SMALLEST_NAMED = 40; // with its name below it

/** So many heads that they get more of the width, and come before what is said of them. */
export const isMany = ({ L, H }) => L * H >= 48;

export class Overview {
  constructor(view) {
    this.view = view;
  }

  build(n) {
    this.nodes = n;
    n.sort = el("select", {
      class: "sort",
      "aria-label": "Order of the heads",
      onchange: () => this.view.set({ sort: n.sort.value, only: null }),
    });
    n.size = el("span", { class: "quiet" });
    n.overlay = el(
      "button",
      {
        type: "button",
        class: "toggle overlay",
        "aria-pressed": "false",
        title: "Lay several heads over each other (or hold Shift or Ctrl while choosing)",
        onclick: () => this.view.set({ adding: !this.view.adding }),
      },
      "overlay",
    );
    n.larger = el(
      "button",
      {
        type: "button",
        class: "toggle",
        title: "Give all heads half of the width",
        onclick: () => this.view.set({ large: !this.view.large }),
      },
      "larger",
    );
    n.only = el("input", {
      type: "range",
      step: "0.01",
      "aria-label": "Only heads with this score or more",
      oninput: () => this.view.set({ only: this.chosenOnly() }),
    });
    n.onlyLevel = el("output");
    n.onlyName = el("span");
    n.count = el("span", { role: "status" });
    n.filter = el("div", { class: "filter quiet small" }, el("label", {}, n.onlyName, n.only, n.onlyLevel), n.count);
    n.thumbs = el("div", {
      class: "thumbs",
      role: "group",
      "aria-label": "All heads",
      onkeydown: (e) => this.key(e),
      onpointerover: (e) => this.tell(e.target.closest("button")),
      onpointerleave: () => this.tell(null),
    });
    n.thumbs.addEventListener("focusin", (e) => this.tell(e.target.closest("button")));
    n.hint = el("p", { class: "quiet small hint" });
    n.tags = el("div", {
      class: "tags",
      role: "group",
      "aria-label": "What heads do here",
      onkeydown: (e) => walk(e, n.tags),
    });
    n.measures = el("dl", { class: "measures" });
    return el(
      "section",
      { class: "heads", "aria-label": "All heads" },
      el("header", {}, (n.all = el("h2", {}, "All heads")), n.size, n.sort, n.larger, n.overlay),
      n.filter,
      n.thumbs,
      n.hint,
      n.tags,
      n.measures,
    );
  }

  /** What depends on the picture alone. */
  furnish() {
    const { nodes: n, view } = this;
    const p = view.whole;
    n.all.textContent = p.header.flow ? "After each layer" : "All heads";
    n.size.textContent = p.header.flow ? "" : `${p.L} × ${p.H}`;
    n.size.title = `${p.L} ${p.L === 1 ? "layer" : "layers"} of ${p.H} ${p.H === 1 ? "head" : "heads"}`;
    n.tags.replaceChildren(...p.leading(MAX_TAGS).map((tag) => this.tagButton(tag)));
    const offered = orders(p);
    if (!offered.some(([value]) => value === view.sort)) Object.assign(view, { sort: "", only: null });
    n.sort.replaceChildren(...offered.map(([value, text]) => el("option", { value }, text)));
    n.sort.hidden = offered.length < 2 || p.L * p.H < 2;
    view.root.classList.toggle("many", isMany(p));
    n.larger.hidden = !isMany(p) || Boolean(p.header.beside); // beside it, a page uses the room below the map
  }

  /** What a head does here, as a button that opens it. */
  tagButton({ name, layer, head, score: strength, query }) {
    const { view } = this;
    const open = () => {
      view.select(layer, head);
      const i = query === null ? -1 : view.picture.rowOf(query);
      if (i >= 0) view.pin([i, view.topKey(i)]);
      view.speak(`${view.picture.name(layer, head)}: ${name}. `);
    };
    return el(
      "button",
      { type: "button", class: "tag", "data-name": name, onclick: open },
      el("span", {}, name),
      el("span", { class: "quiet" }, `${layer}·${head}`),
      el("b", {}, strength.toFixed(2)),
    );
  }

  // ---- keyboard and pointer ---------------------------------------------------------------------------------

  /** Arrows choose, with Shift they add, with Ctrl they only move; the space bar adds or takes away. */
  key(event) {
    const buttons = [...this.nodes.thumbs.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    if (at < 0) return;
    const { view } = this;
    if (event.key === " ") {
      event.preventDefault();
      view.select(...headOf(event.target), true);
      return;
    }
    const across = this.columns;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: across, ArrowUp: -across }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
    if (!event.ctrlKey && !event.metaKey) view.select(...headOf(next), event.shiftKey);
    next.focus();
  }

  click(layer, head, event) {
    const { view } = this;
    const isOf = view.chosen.length > 1 && view.chosen.some(([l, h]) => l === layer && h === head);
    this.before = isOf ? { layer: view.layer, head: view.head, more: view.more, solo: view.solo } : this.before;
    view.select(layer, head, view.adding || event.shiftKey || event.ctrlKey || event.metaKey);
  }

  /** One of several, alone, and a second time all of them again. The two clicks before have chosen only this one. */
  soloed(layer, head) {
    const { view, before } = this;
    const among = before && [[before.layer, before.head], ...before.more];
    if (!among?.some(([l, h]) => l === layer && h === head)) return;
    const isSolo = before.solo && before.solo[0] === layer && before.solo[1] === head;
    view.set({ ...before, solo: isSolo ? null : [layer, head] });
  }

  /** The scores of the head under the pointer or the focus, in the line below. */
  tell(button) {
    const { nodes: n, view } = this;
    if (button) n.hint.textContent = this.scoresOf(...headOf(button), 3);
    else
      n.hint.textContent =
        view.adding && !view.more.length
          ? "Choose another head: it is laid over this one, and the map shows their mean."
          : "";
  }

  /** "5·11: induction 0.82 (chance 0.04), …": the score that sorts comes first. */
  scoresOf(layer, head, most = Infinity) {
    const p = this.view.picture;
    const by = sortedBy(this.view.sort)?.name;
    const names = [...p.scoreNames].sort((a, b) => (b === by) - (a === by)).slice(0, most);
    const parts = names.map((name) => {
      const one = score(p, name);
      const chance = one.chance === undefined ? "" : ` (chance ${one.chance.toFixed(one.digits)})`;
      return `${one.title.toLowerCase()} ${scoreText(p.score(name, layer, head), one)}${chance}`;
    });
    return `${layer}·${head}${parts.length ? ": " : ""}${parts.join(", ")}`;
  }

  chosenOnly() {
    const { nodes: n, view } = this;
    const end = sortedBy(view.sort).most ? n.only.min : n.only.max;
    return n.only.value === end ? null : Number(n.only.value);
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  paint(room) {
    const { nodes: n, view } = this;
    const p = view.picture;
    const { L, H } = p;
    n.sort.value = view.sort;
    n.overlay.setAttribute("aria-pressed", String(Boolean(view.adding)));
    n.overlay.hidden = L * H < 2 || Boolean(p.header.flow);
    n.larger.setAttribute("aria-pressed", String(view.isLarge));
    this.tell(null);
    for (const button of n.tags.children) {
      const isOpen = view.chosen.length < 2 && p.tag(view.layer, view.head)?.name === button.dataset.name;
      button.classList.toggle("on", isOpen);
      button.setAttribute("aria-pressed", String(isOpen));
    }
    settleStop(n.tags);
    this.arrange(room);
    // The same picture comes again when q and k of another head do: then only what is chosen has changed.
    const stamp = `${p.header.id} ${view.colours.name} ${view.filtered} ${this.size}`;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.masks = new Map(); // at the size of a thumbnail
      for (const thumb of this.thumbs) this.draw(thumb);
    }
    const { chosen } = view;
    const { heads } = view.colours;
    for (const { button, layer, head } of this.thumbs) {
      const at = chosen.findIndex(([l, h]) => l === layer && h === head);
      const ring = at >= 0 ? heads[at % heads.length] : "transparent";
      put(button, { "aria-pressed": at >= 0, tabindex: at === 0 ? 0 : -1, style: `--ring:${ring}` });
    }
    const first = n.thumbs.querySelector("button");
    if (first && !n.thumbs.querySelector("[tabindex='0']")) first.tabIndex = 0; // what is chosen is filtered away
  }

  /** Thumbnails of one size in their places: a grid of layers and heads, or a list by score. */
  arrange(room) {
    const { nodes: n, view } = this;
    const p = view.picture;
    const { L, H } = p;
    const by = sortedBy(view.sort);
    const gap = H >= 10 ? 3 : 5;
    const inGrid = Math.min(104, (room - 17 - gap) / H - gap, view.thumbRoom / L - gap);
    const listRoom = room - SCROLLBAR;
    const named = Math.max(inGrid, SMALLEST_NAMED) + 5;
    this.columns = by ? Math.max(1, Math.min(L * H, Math.floor(listRoom / named))) : H;
    const size = Math.floor(by ? Math.min(104, listRoom / this.columns - 5) : Math.max(SMALLEST, inGrid));
    const sizes = `${p.header.layers} ${H} ${size}`;
    if (sizes !== this.sizes) {
      Object.assign(this, { sizes, size, order: null, stamp: null });
      this.thumbs = Array.from({ length: L * H }, (_, at) => this.thumb(Math.floor(at / H), at % H));
    }
    n.thumbs.classList.toggle("sorted", Boolean(by));
    n.thumbs.style.setProperty("--columns", `${by ? "" : "17px"} repeat(${this.columns}, ${size}px)`);
    n.thumbs.style.setProperty("--gap", `${gap}px`);
    n.thumbs.style.setProperty("--room", `${Math.max(view.thumbRoom, 3 * (size + 30))}px`);
    const order = `${view.sort} ${view.only} ${by && p.header.id} ${this.columns}`;
    if (order === this.order) return;
    this.order = order;
    const rule = (text) => el("i", { class: "rule" }, text);
    const columns = Array.from({ length: H }, (_, h) => rule(p.header.flow ? "" : String(h)));
    const cells = by ? [] : [el("i"), ...columns];
    const heads = ordered(p, view.sort, view.only);
    for (const [at, [layer, head]] of heads.entries()) {
      if (!by && at % H === 0) cells.push(rule(String(layer)));
      const { cell, name } = this.thumbs[p.index(layer, head)];
      const value = by && p.score(by.name, layer, head);
      name.replaceChildren(...(by ? [`${layer}·${head} `, el("b", {}, short(value))] : []));
      cells.push(cell);
    }
    n.thumbs.replaceChildren(...cells);
    this.showFilter(by, heads.length, L * H);
  }

  /** The line that filters by the score that sorts. */
  showFilter(by, shown, all) {
    const { nodes: n, view } = this;
    n.filter.hidden = !by;
    if (!by) return;
    const one = score(view.picture, by.name);
    const [least, most] = scoreRange(view.picture, by.name);
    Object.assign(n.only, { min: least, max: most });
    n.only.value = view.only ?? (by.most ? least : most);
    n.only.setAttribute("aria-label", `Only heads with ${one.title.toLowerCase()} ${by.most ? "above" : "below"}`);
    n.onlyName.textContent = `only ${by.most ? "above" : "below"} `;
    n.onlyLevel.textContent = scoreText(Number(n.only.value), { digits: 2, unit: "" });
    const chance = one.chance === undefined ? "" : ` · chance ${scoreText(one.chance, one)}`;
    n.count.textContent = `${shown} of ${all}${chance}`;
    n.filter.title = one.about && `${one.title}: ${one.about}`;
  }

  thumb(layer, head) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const name = el("span", { class: "name" });
    const button = el(
      "button",
      {
        type: "button",
        "data-layer": layer,
        "data-head": head,
        onclick: (e) => this.click(layer, head, e),
        ondblclick: () => this.soloed(layer, head),
      },
      canvas,
    );
    return { layer, head, canvas, button, name, cell: el("div", {}, button, name) };
  }

  draw({ layer, head, canvas, button }) {
    const { view, size } = this;
    const p = view.picture;
    const context = surface(canvas, size, size);
    const sent = p.sent(layer, head);
    const allowed = this.maskFor(sent, layer);
    const side = Math.round(size * Math.min(window.devicePixelRatio || 1, 3));
    const small = shrunk(sent, allowed, side);
    const { rows, cols } = small;
    context.imageSmoothingEnabled = false;
    const largest = (sent.largest ?? p.largest(layer, head)) / sent.unit;
    context.drawImage(image(small.data, rows, cols, largest, view.colours, small.allowed), 0, 0, size, size);
    const tag = p.tag(layer, head);
    const value = (name) => (p.scoreNames.includes(name) ? p.score(name, layer, head) : null);
    const [entropy, distance] = [value("entropy"), value("distance")];
    const label =
      p.name(layer, head) +
      (tag ? `, ${tag.name}` : "") +
      (entropy !== null && distance !== null
        ? `: entropy ${entropy.toFixed(2)} bits, mean distance ${distance.toFixed(1)} tokens`
        : "");
    button.setAttribute("aria-label", label);
    button.title = `${label}\n${this.scoresOf(layer, head)}`;
  }

  /** The mask at the size of a thumbnail: a pooled cell is open if any cell in it is. */
  maskFor({ rows, cols }, layer) {
    const { picture, whole } = this.view;
    const own = picture.maskOf(layer);
    if (!own || (rows === picture.T && cols === picture.S)) return own;
    const mask = whole.maskOf(layer);
    if (this.masks.has(mask)) return this.masks.get(mask);
    const side = Math.ceil(whole.T / rows);
    const out = new Uint8Array(rows * cols);
    for (let i = 0; i < whole.T; i++)
      for (let j = 0; j < whole.S; j++)
        if (mask[i * whole.S + j]) out[Math.floor(i / side) * cols + Math.floor(j / side)] = 1;
    this.masks.set(mask, out);
    return out;
  }

  /** What the chosen heads score, each with a bar and a tick at its chance: the score that sorts, and the first few. */
  paintMeasures() {
    const { view, nodes: n } = this;
    const p = view.picture;
    const by = sortedBy(view.sort)?.name;
    const names = p.scoreNames.filter((name, at) => name === by || at < MAX_MEASURES);
    const heads = view.shownHeads;
    const rows = names.flatMap((name) => {
      const one = score(p, name);
      const value = heads.reduce((sum, head) => sum + p.score(name, ...head), 0) / heads.length;
      const percent = (v) => `${100 * Math.min(1, Math.max(0, v / one.largest))}%`;
      const { chance } = one;
      const ofChance = name === "entropy" && chance !== undefined ? `of ${chance.toFixed(2)} ` : "";
      const text = `${value.toFixed(one.digits)} ${ofChance}${one.unit}`.trim();
      const tick = chance === undefined ? null : el("i", { style: `left:${percent(chance)}` });
      const bar = el(
        "div",
        { class: "bar", "aria-hidden": "true" },
        el("b", { style: `width:${percent(value)}` }),
        tick,
      );
      return [el("dt", { title: one.about }, one.title), el("dd", {}, el("span", {}, text), bar)];
    });
    n.measures.title = [
      heads.length > 1 ? `Means of ${heads.length} heads. ` : "",
      ...names.map((name) => score(p, name)).map(({ title, about }) => (about ? `${title}: ${about}. ` : "")),
      Object.keys(p.header.chance).length ? "A tick marks what looking at all allowed tokens alike would give." : "",
    ].join("");
    n.measures.replaceChildren(...rows);
  }
}

const headOf = ({ dataset }) => [Number(dataset.layer), Number(dataset.head)];

/** ".82", "1.0", "12": what fits below a thumbnail. */
const short = (x) => (Math.abs(x) >= 10 ? x.toFixed(0) : x.toFixed(Math.abs(x) >= 0.995 ? 1 : 2).replace("0.", "."));

/** A row of buttons is one stop of the Tab key: the arrow keys walk along it. */
export function walk(event, row) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...row.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!step) return;
  event.preventDefault();
  next?.click();
  next?.focus();
}

/** The stop of a row is the button that is on, or its first. */
export function settleStop(row) {
  const buttons = [...row.querySelectorAll("button")];
  const stop = buttons.find((button) => button.classList.contains("on")) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}
