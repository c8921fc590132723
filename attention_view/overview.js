// All heads at once: layers as rows, heads as columns; or in the order of a score, those that have enough of it.

import { el, put, write } from "./lab.js";
import { Measures } from "./measures.js";
import { image, shrunk, surface } from "./paint.js";
import { Tags } from "./tags.js";
import { ScoreFilter } from "./score_filter.js";
import { ordered, orders, score, scoreText, sortedBy } from "./scores.js";

const SCROLLBAR = 14; // pixels
const [SMALLEST, LARGEST_THUMB, LARGEST_BESIDE] = [13, 124, 240]; // pixels of a thumbnail; the last beside a large head
const SMALLEST_NAMED = 40; // with its name below it

/** So many heads that they get more of the width, and come before what is said of them. */
export const isMany = ({ L, H }) => L * H >= 48;

export class Overview {
  constructor(view) {
    this.view = view;
    this.filter = new ScoreFilter(view);
    this.tags = new Tags(view);
    this.measures = new Measures(view);
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
    n.thumbs = el("div", {
      class: "thumbs",
      role: "group",
      "aria-label": "All heads",
      "data-figure": "",
      onkeydown: (e) => this.key(e),
      onpointerover: (e) => this.tell(e.target.closest("button")),
      onpointerleave: () => this.tell(null),
    });
    n.thumbs.addEventListener("focusin", (e) => this.tell(e.target.closest("button")));
    n.thumbs.addEventListener("focusout", (e) => n.thumbs.contains(e.relatedTarget) || this.tell(null));
    n.hint = el("p", { class: "quiet small hint" });
    n.heads = el(
      "section",
      { class: "heads", "aria-label": "All heads" },
      el("header", {}, (n.all = el("h2", {}, "All heads")), n.size, n.sort, n.larger, n.overlay),
      this.filter.build(),
      n.thumbs,
      n.hint,
      this.tags.build(),
      this.measures.build(),
    );
    return n.heads;
  }

  /** What depends on the picture alone. */
  furnish() {
    const { nodes: n, view } = this;
    const p = view.whole;
    n.all.textContent = p.header.flow ? "After each layer" : "All heads";
    n.size.textContent = p.header.flow ? "" : `${p.L} × ${p.H}`;
    n.size.title = `${p.L} ${p.L === 1 ? "layer" : "layers"} of ${p.H} ${p.H === 1 ? "head" : "heads"}`;
    const isLow = p.header.staged || p.header.beside === "tabs"; // on the second screen
    (isLow ? n.side : n.heads).append(this.measures.node);
    this.tags.furnish();
    const offered = orders(p);
    if (!offered.some(([value]) => value === view.sort)) Object.assign(view, { sort: "", only: null });
    n.sort.replaceChildren(...offered.map(([value, text]) => el("option", { value }, text)));
    n.sort.hidden = offered.length < 2 || p.L * p.H < 2;
    view.root.classList.toggle("many", isMany(p));
    // Beside it, a page uses the room below the map.
    n.larger.hidden = !isMany(p) || Boolean(p.header.beside || p.header.staged);
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
    const next = buttons[at + step];
    if (!next) return; // there is no row above or below, and no head before or after
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
    this.told = button;
    const waits = view.adding && !view.more.length;
    const asks = waits ? "Choose another head: it is laid over this one, and the map shows their mean." : "";
    const tells = (place) => [view.picture.name(...place), this.scoresOf(...place, 3)].filter(Boolean).join(": ");
    write(n.hint, button ? tells(headOf(button)) : asks);
  }

  /** "induction 0.82 (chance 0.04), …": the score that sorts comes first. */
  scoresOf(layer, head, most = Infinity) {
    const p = this.view.picture;
    const by = sortedBy(this.view.sort)?.name;
    const names = [...p.scoreNames].sort((a, b) => (b === by) - (a === by)).slice(0, most);
    const parts = names.map((name) => {
      const one = score(p, name);
      const chance = one.chance === undefined ? "" : ` (chance ${one.chance.toFixed(one.digits)})`;
      return `${one.title.toLowerCase()} ${scoreText(p.score(name, layer, head), one)}${chance}`;
    });
    return parts.join(", ");
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  paint(room) {
    const { nodes: n, view } = this;
    const p = view.picture;
    const { L, H } = p;
    if (n.sort.value !== view.sort) n.sort.value = view.sort;
    put(n.overlay, { "aria-pressed": Boolean(view.adding) });
    n.overlay.hidden = L * H < 2 || Boolean(p.header.flow);
    put(n.larger, { "aria-pressed": view.isLarge });
    this.tags.paint();
    this.arrange(room);
    this.tell(this.told?.isConnected ? this.told : null);
    // The same picture comes again when q and k of another head do: then only what is chosen has changed.
    const stamp = `${p.header.id} ${view.colours.name} ${view.filtered} ${this.size}`;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.masks = new Map(); // at the size of a thumbnail
      for (const thumb of this.thumbs) this.draw(thumb);
    }
    this.mark();
  }

  /** Rings around the heads that are chosen, and the stop of the Tab key among all. */
  mark() {
    const { nodes: n, view } = this;
    const { heads } = view.colours;
    const places = new Map(view.chosen.map((head, at) => [view.picture.index(...head), at]));
    const changed = [];
    for (const [index, thumb] of this.thumbs.entries()) {
      const at = places.get(index) ?? -1;
      const mark = `${at} ${heads[at]}`;
      if (thumb.mark !== mark) changed.push([thumb.button, at]); // most are as they were
      thumb.mark = mark;
    }
    // Of the button that has the focus this asks for its style, so before others are out of date.
    for (const [button, at] of changed) put(button, { tabindex: at === 0 ? 0 : -1 });
    for (const [button, at] of changed)
      put(button, { "aria-pressed": at >= 0, style: `--ring:${at >= 0 ? heads[at % heads.length] : "transparent"}` });
    const chosen = this.thumbs[view.picture.index(view.layer, view.head)];
    if (this.stop) put(this.stop, { tabindex: this.stop === chosen.button ? 0 : -1 });
    this.stop = chosen.cell.isConnected ? null : n.thumbs.querySelector("button"); // what is chosen is filtered away
    if (this.stop) put(this.stop, { tabindex: 0 });
  }

  /** Thumbnails of one size in their places: a grid of layers and heads, or a list by score. */
  arrange(room) {
    const { nodes: n, view } = this;
    const p = view.picture;
    const { L, H } = p;
    const by = sortedBy(view.sort);
    const gap = gapOf(H, view.isStaged);
    const largest = p.header.beside && !isMany(view.whole) ? LARGEST_BESIDE : LARGEST_THUMB;
    const inGrid = Math.min(largest, (room - 17 - gap) / H - gap, view.thumbRoom / L - gap);
    const listRoom = room - SCROLLBAR;
    const named = Math.max(inGrid, SMALLEST_NAMED) + 5;
    this.columns = by ? Math.max(1, Math.min(L * H, Math.floor(listRoom / named))) : H;
    const size = Math.floor(by ? Math.min(LARGEST_THUMB, listRoom / this.columns - 5) : Math.max(SMALLEST, inGrid));
    const sizes = `${p.header.layers} ${H} ${size}`;
    if (sizes !== this.sizes) {
      Object.assign(this, { sizes, size, order: null, stamp: null });
      this.thumbs = Array.from({ length: L * H }, (_, at) => this.thumb(Math.floor(at / H), at % H));
    }
    n.thumbs.classList.toggle("sorted", Boolean(by));
    const columns = `${by ? "" : "17px"} repeat(${this.columns}, ${size}px)`;
    const high = Math.max(view.thumbRoom, 3 * (size + 30));
    put(n.thumbs, { style: `--columns: ${columns}; --gap: ${gap}px; --room: ${high}px;` });
    const order = `${view.sort} ${view.only} ${by && p.header.id} ${this.columns} ${view.isStaged}`;
    if (order === this.order) return;
    this.order = order;
    const rule = (text) => el("i", { class: "rule" }, text);
    const names = Array.from({ length: H }, (_, h) => rule(p.header.flow ? "" : String(h)));
    const cells = by ? [] : [el("i"), ...names];
    const heads = this.inOrder();
    for (const [at, [layer, head]] of heads.entries()) {
      if (!by && at % H === 0) cells.push(rule(String(layer)));
      const { cell, name } = this.thumbs[p.index(layer, head)];
      const value = by && p.score(by.name, layer, head);
      name.replaceChildren(...(by ? [`${layer}·${head} `, el("b", {}, short(value))] : []));
      cells.push(cell);
    }
    n.thumbs.replaceChildren(...cells);
    this.filter.show(by, heads.length, L * H);
  }

  /** All heads in the order in which they are seen: layers stand on one another, the first lowest. */
  inOrder() {
    const { view } = this;
    const heads = ordered(view.picture, view.sort, view.only);
    return view.sort ? heads : heads.sort(([a, b], [c, d]) => c - a || b - d);
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
    button.title = [label, this.scoresOf(layer, head)].filter(Boolean).join("\n");
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
}

/** Pixels between heads. */
const gapOf = (H, isStaged) => (isStaged ? 10 : H >= 10 ? 3 : 5);

const headOf = ({ dataset }) => [Number(dataset.layer), Number(dataset.head)];

/** ".82", "1.0", "12": what fits below a thumbnail. */
const short = (x) => (Math.abs(x) >= 10 ? x.toFixed(0) : x.toFixed(Math.abs(x) >= 0.995 ? 1 : 2).replace("0.", "."));
