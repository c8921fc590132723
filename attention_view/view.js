// The view: what is chosen, and what a person does with it. The parts draw it: the bar of tokens, all heads, one head
// large, one query. Nothing here needs the server, but for the head in view of a long text (see payload.py). What is
// pinned is mirrored to the address bar, so that a link restores it.

import { isChosen, MAX_HEADS, readAddress, usualThreshold, writeAddress } from "./address.js";
import { Chosen } from "./chosen.js";
import { palette } from "./colours.js";
import { DownloadMenu } from "./export_menu.js";
import { HeadTable } from "./head_table.js";
import { heights } from "./heights.js";
import { el, mirror, mount, windowHeight } from "./lab.js";
import { HeadMap } from "./map.js";
import { Overview } from "./overview.js";
import { hidesBlocked } from "./paint.js";
import { picturesOf } from "./picture.js";
import { Side } from "./side.js";
import { reading } from "./tokens.js";
import { TokenBar } from "./token_bar.js";

/** Whether a cell is of the same two words in both texts; of others nobody has chosen it. */
const hasSameWords = ([i, j], a, b) => a.queries[i] === b.queries[i] && a.keys[j] === b.keys[j];

export class View extends Chosen {
  constructor(root) {
    super();
    this.root = root;
    this.painted = 0;
    this.link = mirror((put) => writeAddress(this, put));
    this.build();
  }

  resized() {
    const width = Math.round(this.root.clientWidth);
    if (!width || (width === this.width && this.screen === windowHeight(this.root))) return;
    this.measured = false;
    this.paint();
  }

  build() {
    const n = (this.nodes = {});
    n.notice = el("p", { class: "notice", role: "status" });
    n.spoken = el("div", { class: "unseen", "aria-live": "polite" });
    this.bar = new TokenBar(this);
    this.overview = new Overview(this);
    this.map = new HeadMap(this);
    this.one = new Side(this);
    this.asTable = new HeadTable(this);
    n.foot = el("div", { class: "foot" }, this.asTable.build(), new DownloadMenu(this).node);
    // The map comes first for the keyboard and on a phone; wide screens have it in the middle.
    const parts = [this.bar, this.map, this.overview, this.one].map((part) => part.build(n));
    this.root.replaceChildren(n.notice, el("div", { class: "columns" }, ...parts), n.foot, n.spoken);
  }

  /** What makes a canvas follow the pointer: at(event) is the cell under it, or null. */
  pointed(at) {
    return {
      onpointermove: (e) => this.point(at(e)),
      onpointerleave: () => this.point(null),
      onpointerdown: (e) => this.pin(at(e)),
    };
  }

  // ---- state ------------------------------------------------------------------------------------------------

  /** New numbers from the server, or the same ones under a new theme. */
  update(data, { setStateValue }) {
    this.send = setStateValue;
    if (data && data !== this.data) {
      this.data = data;
      this.open(data);
    }
    if (!this.picture) return;
    this.colours = palette(this.root, this.colours);
    this.measured = false;
    this.paint();
    this.writeUrl();
    this.ask();
  }

  /** The pictures in a payload: one, or one of each kind of attention. */
  open(data) {
    const fresh = !this.pictures;
    const { pictures, kind } = picturesOf(data);
    const before = this.whole;
    const cell = this.pinned && this.picture?.place(...this.pinned);
    this.pictures = pictures;
    if (!this.pictures.has(this.kind)) this.kind = kind;
    if (cell && !hasSameWords(cell, before, this.pictures.get(this.kind))) this.pinned = null;
    this.places ??= new Map(); // what was chosen in the kinds that are not in view
    if (fresh) {
      this.whole = this.pictures.get(this.kind);
      readAddress(this);
    }
    this.look();
    if (!this.selected) [this.layer, this.head] = this.opens;
  }

  /** The picture of the kind in view through the filters, with everything that is chosen in its range. */
  look() {
    const cell = this.pinned && (this.picture?.place(...this.pinned) ?? this.pinned);
    this.whole = this.pictures.get(this.kind);
    this.picture = reading(this.whole, this.filters);
    const { L, H } = this.whole;
    this.layer = Math.min(this.layer, L - 1);
    this.head = Math.min(this.head, H - 1);
    this.more = this.more.filter(([l, h]) => l < L && h < H);
    if (this.solo && !this.chosen.some((head) => String(head) === String(this.solo))) this.solo = null;
    const i = cell ? this.picture.rowOf(cell[0]) : -1;
    const j = cell ? this.picture.columnOf(cell[1]) : -1;
    const gone = i < 0 || (j < 0 && cell[1] >= this.whole.S);
    this.pinned = gone ? null : [i, j < 0 ? this.topKey(i) : j];
    this.hover = null;
    if (!this.stages().includes(this.stage)) this.stage = "weights";
    this.overview.furnish();
    this.bar.furnish();
    this.map.furnish();
    const list = this.complaints?.join(", ");
    const complaint = list ? `The link asked for ${list}; that is not here, so you see the usual view.` : "";
    this.nodes.notice.textContent = complaint;
    this.nodes.notice.hidden = !complaint;
    this.complaints = [];
  }

  filter(change) {
    Object.assign(this, change);
    this.look();
    this.set({});
  }

  /** Another kind of attention, where one was in it last. */
  switchTo(kind) {
    if (kind === this.kind) return;
    const { layer, head, more, solo, pinned } = this;
    const cell = pinned && this.picture.place(...pinned);
    this.places.set(this.kind, { layer, head, more, solo, pinned: cell, threshold: this.threshold });
    this.kind = kind;
    this.whole = this.picture = this.pictures.get(kind);
    const [l, h] = this.opens;
    const opened = { layer: l, head: h, more: [], solo: null, pinned: null, threshold: usualThreshold(this.whole) };
    Object.assign(this, opened, this.places.get(kind));
    this.selected = true;
    this.look();
    this.set({});
  }

  set(change) {
    this.measured = false;
    this.show(change);
  }

  /** The same where no size can change with it; staysAway: where a map that rests goes on resting. */
  show(change, staysAway = false) {
    Object.assign(this, { peek: null }, change);
    if (!this.stages().includes(this.stage)) this.stage = "weights";
    if (!staysAway && isChosen(this)) this.wake();
    this.paint();
    this.writeUrl();
    this.ask();
  }

  /** Another stage of the head in view: only the map shows it, so only the map is drawn. */
  setStage(stage) {
    this.stage = stage;
    this.wake();
    this.drawMap();
    const [i, j] = this.cell;
    this.map.paintCell(i, this.column);
    this.map.tell();
    this.tellValue(i, j);
    this.writeUrl();
  }

  select(layer, head, add = false) {
    this.selected = true;
    const change = { layer, head, more: [], solo: null, pinned: this.carried(layer, head) };
    if (!add) return this.show(change, this.isHunt);
    if (layer === this.layer && head === this.head) {
      // Taking the first of several away leaves the next one in its place.
      const [next, ...rest] = this.more;
      return this.set(next ? { layer: next[0], head: next[1], more: rest, solo: null } : {});
    }
    const others = this.more.filter(([l, h]) => l !== layer || h !== head);
    if (others.length === this.more.length) others.push([layer, head]);
    return this.set({ more: others.slice(1 - MAX_HEADS), solo: null });
  }

  /** Tell the server what is in view, if it must know: beyond "exact" q and k come for one head at a time, and a page
   * that goes on with the chosen cell wants to hear of it. Otherwise nothing is sent. */
  ask() {
    clearTimeout(this.asking);
    const { report } = this.whole.header;
    if (!report && this.whole.inView(this.layer, this.head)) return;
    const cell = this.pinned ?? this.first;
    const choice = [this.layer, this.head, ...(report ? this.picture.place(...cell) : [])];
    if (this.pictures.size > 1) choice.push([...this.pictures.keys()].indexOf(this.kind));
    if (String(choice) === String(this.told)) return;
    this.asking = setTimeout(() => this.send?.("view", (this.told = choice)), 120);
  }

  point(cell) {
    const to = cell && `${cell} ${this.drawing === "ribbons" ? this.side : ""}`;
    if (to === this.pointedAt) return;
    this.pointedAt = to;
    this.hover = cell;
    this.paintCell();
  }

  pin(cell) {
    if (!cell) return;
    this.pinned = cell;
    this.hover = null;
    this.pointedAt = null;
    if (!this.isResting) this.wake(); // of a word that is pressed, the arcs tell
    if (this.measured) this.paintCell();
    else this.paint();
    this.speak();
    this.writeUrl();
    this.ask();
  }

  /** Lets go of what is pinned. */
  release() {
    this.pinned = null;
    this.paintCell();
    this.writeUrl();
  }

  writeUrl() {
    if (this.whole.header.url !== null) this.link.later();
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  /** Everything; called when numbers, theme, size, head, stage or order change. */
  paint() {
    // Every size is read before anything is written, or the browser would lay the page out again and again; and only
    // if it can have changed, since reading alone makes it lay out what else has changed in the page.
    if (!this.measured || this.screen !== windowHeight(this.root)) this.measure();
    if (!this.measured) return;
    this.drawMap();
    this.drawCell();
    if (!this.picture.header.compact) {
      this.overview.paint(this.thumbWidth);
      this.overview.measures.paint();
    }
    this.map.tell();
    this.tellCell();
    this.asTable.fill();
  }

  /** The sizes of all parts; nothing is `measured` where the view is not on screen, or has no picture. */
  measure() {
    this.width = Math.round(this.root.clientWidth);
    this.measured = Boolean(this.width && this.picture);
    if (!this.measured) return;
    const n = this.nodes;
    this.root.classList.toggle("compact", Boolean(this.picture.header.compact));
    this.root.classList.toggle("large", this.isLarge);
    this.root.classList.toggle("staged", this.isStaged);
    this.root.classList.toggle("lined", this.isLined);
    this.root.classList.toggle("folded", this.isFolded && this.hasArcs);
    this.root.classList.toggle("resting", this.isResting);
    Object.assign(this, {
      screen: windowHeight(this.root),
      thumbWidth: (this.isResting ? n.thumbs : n.thumbs.parentElement).clientWidth,
      mapWidth: n.grid.clientWidth,
      ribbonWidth: n.ribbons.parentElement.clientWidth,
      stepsWidth: n.steps.clientWidth,
      ...heights(this),
    });
  }

  drawMap() {
    this.map.draw();
    Object.assign(this, this.map.mapped); // matrix and largest, for files
    this.root.classList.toggle("told", this.isTold);
  }

  /** What follows the pointer: frames, ribbons, the arithmetic. Cheap enough for every move. */
  paintCell() {
    if (!this.width) return;
    this.drawCell();
    this.tellCell();
  }

  drawCell() {
    const [i, j] = this.cell;
    this.map.paintCell(i, this.column);
    this.one.drawCell(i, j);
  }

  tellCell() {
    const [i, j] = this.cell;
    this.bar.paintCell(i, j);
    this.overview.hunt.paintCell(i, j);
    this.one.tellCell(i, j);
    this.tellValue(i, j);
  }

  tellValue(i, j) {
    const { picture: p, table, column } = this;
    const value = this.matrix[i * table.S + column];
    const [layer, head] = this.shownHeads[0];
    const blocked = !this.shownHeads.some(([of]) => p.allowed(i, j, of)) && hidesBlocked(this.stage);
    this.map.say(i, j, column, value, blocked);
    const said = { layer, head, query: i, key: j, value, stage: this.stage, tier: p.header.tier };
    const { dataset } = this.root;
    for (const [name, is] of Object.entries({ ...said, drawing: this.drawing, kind: this.kind }))
      if (dataset[name] !== String(is)) dataset[name] = is;
    dataset.painted = ++this.painted;
  }

  speak(before = "") {
    this.nodes.spoken.textContent = before + this.nodes.cell.textContent;
  }

  destroy() {
    this.link.end();
    this.map.destroy();
    clearTimeout(this.asking);
  }
}

export default mount(".attention-view", Object.assign(View, { source: () => fetch(import.meta.url) }));
