// All heads at once: layers as rows, heads as columns; or in the order of a score, those that have enough of it.

import { letGo } from "./controls.js";
import { Hunt } from "./hunt.js";
import { el, put, write } from "./lab.js";
import { Measures } from "./measures.js";
import { Peek } from "./peek.js";
import { MAX_TAGS, Tags } from "./tags.js";
import { isMany, sized } from "./thumb_sizes.js";
import { described, paintThumbnail } from "./thumbnail.js";
import { ScoreFilter } from "./score_filter.js";
import { ordered, orders, score, scoreText, sortedBy } from "./scores.js";

export class Overview {
  constructor(view) {
    this.view = view;
    this.filter = new ScoreFilter(view);
    this.tags = new Tags(view);
    this.hunt = new Hunt(view);
    this.peek = new Peek(view);
    this.measures = new Measures(view);
  }

  build(n) {
    this.nodes = n;
    n.sort = el("select", {
      class: "sort",
      "aria-label": "Order of the heads",
      onchange: () => this.view.set({ sort: n.sort.value, only: null }),
    });
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
    const open = () => {
      this.view.wake();
      this.view.set({});
    };
    n.opens = el("button.toggle.opens", { type: "button", onclick: open }, "Show this head’s map");
    n.thumbs = el("div", {
      class: "thumbs",
      role: "group",
      "aria-label": "All heads",
      "data-figure": "",
      onkeydown: (e) => this.key(e),
      onpointerdown: letGo,
      onpointerover: (e) => this.point(e.target.closest("button")),
      onpointerleave: () => this.point(null),
    });
    n.thumbs.addEventListener("focusin", (e) => this.tell(e.target.closest("button")));
    n.thumbs.addEventListener("focusout", (e) => n.thumbs.contains(e.relatedTarget) || this.tell(null));
    n.hint = el("p", { class: "quiet small hint" });
    n.heads = el(
      "section",
      { class: "heads", "aria-label": "All heads" },
      el("header", {}, (n.all = el("h2", {}, "All heads")), n.opens, n.sort, n.larger, n.overlay),
      this.filter.build(),
      n.thumbs,
      n.hint,
      this.hunt.build(),
      this.tags.build(),
      this.measures.build(),
    );
    return n.heads;
  }

  /** What depends on the picture alone. */
  furnish() {
    const { nodes: n, view } = this;
    const p = view.whole;
    const isLow = p.header.staged || p.header.beside === "tabs"; // on the second screen
    (isLow ? n.side : n.heads).append(this.measures.node);
    this.tags.furnish();
    this.hunt.furnish();
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
    const place = headOf(next);
    if (!event.ctrlKey && !event.metaKey) view.select(...place, event.shiftKey);
    this.thumbs[view.picture.index(...place)].button.focus(); // of another size, it is another button
  }

  click(layer, head, event) {
    const { view } = this;
    const isOf = view.chosen.length > 1 && view.chosen.some(([l, h]) => l === layer && h === head);
    this.hunt.answer(layer, head);
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

  point(button) {
    this.tell(button);
    this.peek.show(button && headOf(button));
  }

  /** The scores of the head under the pointer or the focus, in the line below. */
  tell(button) {
    const { nodes: n, view } = this;
    this.told = button;
    const waits = view.adding && !view.more.length;
    const asks = waits ? "Choose another head: it is laid over this one, and the map shows their mean." : "";
    const tells = (place) => [view.picture.name(...place), this.scoresOf(...place, 2)].filter(Boolean).join(": ");
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
    this.hunt.note();
    this.arrange(room);
    this.peek.frame(view.peek);
    const all = p.header.flow ? "After each layer" : (this.hunt.told ?? "All heads");
    write(n.all, view.isResting ? this.hunt.task : all);
    this.tags.paint();
    this.tell(this.told?.isConnected ? this.told : null);
    // The same picture comes again when q and k of another head do: then only what is chosen has changed.
    const large = view.isHunt && [view.thumbRoom, this.hunt.found.size];
    const stamp = `${p.header.id} ${view.colours.name} ${view.filtered} ${this.size} ${large}`;
    if (stamp !== this.stamp) {
      this.stamp = stamp;
      this.masks = new Map(); // at the size of a thumbnail
      for (const thumb of this.thumbs) this.draw(thumb);
      this.hunt.draw(this.masks);
    } else this.hunt.paint();
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
    const { L, H, header } = view.picture;
    const { isCaptioned } = view;
    const by = sortedBy(view.sort);
    const { columns, size, across, places } = sized(view, room, by);
    const sizes = `${header.layers} ${H} ${size} ${across}`;
    if (sizes !== this.sizes) {
      Object.assign(this, { sizes, size, across, order: null, stamp: null });
      this.thumbs = Array.from({ length: L * H }, (_, at) => this.thumb(Math.floor(at / H), at % H));
    }
    this.columns = columns;
    n.thumbs.classList.toggle("sorted", Boolean(by));
    view.root.classList.toggle("captioned", isCaptioned);
    const high = Math.max(view.thumbRoom, 3 * (size + 30));
    put(n.thumbs, { style: `--columns: ${places}; --room: ${high}px; --size: ${size}px;` });
    const ofPicture = (by || isCaptioned) && header.id;
    const order = String([
      view.sort,
      view.only,
      ofPicture,
      columns,
      isCaptioned,
      this.hunt.found.size,
      this.hunt.goal === null,
    ]);
    if (order === this.order) return;
    this.order = order;
    const focused = n.thumbs.querySelector("button:focus");
    n.thumbs.replaceChildren(...this.cells(by));
    // Who has pressed a head is still on it, whatever its size is now.
    if (focused) this.thumbs[view.picture.index(...headOf(focused))]?.button.focus({ preventScroll: true });
  }

  /** The thumbnails in their order, between the names of layers and heads, and below each what it is called for. */
  cells(by) {
    const { view } = this;
    const { isCaptioned, picture: p } = view;
    const { L, H } = p;
    const rule = (text, of = "head") => el("i", { class: `rule ${of}` }, text);
    const [ofLayer, ofHead] = isCaptioned ? [(l) => `layer ${l}`, (h) => `head ${h}`] : [String, String];
    const names = Array.from({ length: H }, (_, h) => rule(p.header.flow ? "" : ofHead(h)));
    const cells = by ? [] : [el("i"), ...names];
    const named = isCaptioned ? view.whole.leading(MAX_TAGS) : [];
    const does = new Map(named.map(({ layer, head, name }) => [p.index(layer, head), name]));
    const heads = this.inOrder();
    for (const [at, [layer, head]] of heads.entries()) {
      if (!by && at % H === 0) cells.push(rule(ofLayer(layer), "layer"));
      const { cell, name } = this.thumbs[p.index(layer, head)];
      const value = by && p.score(by.name, layer, head);
      const known = does.get(p.index(layer, head)) ?? "";
      const said = this.hunt.hides(known) ? "" : known;
      name.replaceChildren(...(by ? [`${layer}·${head} `, el("b", {}, short(value))] : [said]));
      cells.push(cell);
    }
    this.filter.show(by, heads.length, L * H);
    return cells;
  }

  /** All heads in the order in which they are seen: layers stand on one another, the first lowest. */
  inOrder() {
    const { view } = this;
    const heads = ordered(view.picture, view.sort, view.only);
    return view.sort ? heads : heads.sort(([a, b], [c, d]) => c - a || b - d);
  }

  thumb(layer, head) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const name = el("span", { class: "name", onclick: (e) => this.click(layer, head, e) });
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
    const { view, size, across } = this;
    paintThumbnail(canvas, view, [layer, head], [across, size], this.masks);
    const label = described(view.picture, layer, head);
    button.setAttribute("aria-label", label);
    button.title = [label, this.scoresOf(layer, head)].filter(Boolean).join("\n");
  }
}

const headOf = ({ dataset }) => [Number(dataset.layer), Number(dataset.head)];

/** ".82", "1.0", "12": what fits below a thumbnail. */
const short = (x) => (Math.abs(x) >= 10 ? x.toFixed(0) : x.toFixed(Math.abs(x) >= 0.995 ? 1 : 2).replace("0.", "."));
