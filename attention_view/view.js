// The view: what is chosen, and what a person does with it. The parts draw it: the bar of tokens, all heads, one head
// large, one query. Nothing here needs the server, but for the head in view of a long text (see payload.py). What is
// pinned is mirrored to the address bar, so that a link restores it.

import { MAX_HEADS, readAddress, usualThreshold, writeAddress } from "./address.js";
import { palette } from "./colours.js";
import { DownloadMenu } from "./export_menu.js";
import { el, enlarged, mirror, mount, shorten, unpack, write } from "./lab.js";
import { HeadMap, STAGES } from "./map.js";
import { isMany, MAX_TAGS, Overview } from "./overview.js";
import { hidesBlocked } from "./paint.js";
import { Picture } from "./picture.js";
import { Side } from "./side.js";
import { reading, remarks } from "./tokens.js";
import { TokenBar } from "./token_bar.js";

export class View {
  constructor(root) {
    this.root = root;
    this.picture = null; // what is seen: `whole`, the picture of one kind of attention, through the filters of tokens
    this.hover = null;
    this.side = "query"; // of a token that is chosen among the ribbons
    this.painted = 0;
    this.link = mirror((put) => writeAddress(this, put));
    this.build();
    this.observer = new ResizeObserver(() => {
      const width = Math.round(this.root.clientWidth);
      if (!width || width === this.width) return;
      this.measured = false;
      this.paint();
    });
    this.observer.observe(root);
  }

  build() {
    const n = (this.nodes = {});
    n.notice = el("p", { class: "notice", role: "status" });
    n.spoken = el("div", { class: "unseen", "aria-live": "polite" });
    this.bar = new TokenBar(this);
    this.overview = new Overview(this);
    this.map = new HeadMap(this);
    this.one = new Side(this);
    // The map comes first for the keyboard and on a phone; wide screens have it in the middle.
    const parts = [this.bar, this.map, this.overview, this.one].map((part) => part.build(n));
    this.root.replaceChildren(n.notice, el("div", { class: "columns" }, ...parts), this.buildFoot(), n.spoken);
  }

  /** What makes a canvas follow the pointer: at(event) is the cell under it, or null. */
  pointed(at) {
    return {
      onpointermove: (e) => this.point(at(e)),
      onpointerleave: () => this.point(null),
      onpointerdown: (e) => this.pin(at(e)),
    };
  }

  /** The head as a table, and as a file. */
  buildFoot() {
    const n = this.nodes;
    n.columns = el("tr");
    const head = el("thead", {}, n.columns);
    n.table = el("tbody");
    n.details = el(
      "details",
      { ontoggle: () => this.fillTable() },
      (n.summary = el("summary")),
      el("div", { class: "scroll" }, el("table", {}, head, n.table)),
    );
    n.foot = el("div", { class: "foot" }, n.details, new DownloadMenu(this).node);
    return n.foot;
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
    const { header, arrays } = unpack(data);
    const { kinds, kind = 0, arrays: _, open, ...options } = header;
    const of = (name, at) => {
      const inner = unpack(arrays[`kind:${name}`]);
      const opened = open && at === kind ? { open } : {};
      return [name, new Picture(null, { ...inner, header: { ...inner.header, ...options, ...opened } })];
    };
    this.pictures = new Map(kinds ? kinds.map(of) : [["", new Picture(null, { header, arrays })]]);
    if (!this.pictures.has(this.kind)) this.kind = kinds ? kinds[kind] : "";
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
    const { complaints } = this;
    const complaint = complaints?.length
      ? `The link asked for ${complaints.join(", ")}; that is not here, so you see the usual view.`
      : "";
    this.nodes.notice.textContent = complaint;
    this.nodes.notice.hidden = !complaint;
    this.complaints = [];
  }

  /** How the tokens are read; see tokens.js. */
  get filters() {
    return { hidden: this.hidden, whole: this.joined, pair: this.pair };
  }

  get filtered() {
    return this.picture === this.whole ? "" : JSON.stringify(this.filters);
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

  /** The head that is shown until one is chosen. */
  get opens() {
    return (this.whole.header.open ?? [0, 0]).slice(0, 2);
  }

  /** The heads that are chosen, and of these the ones that are shown: all, or one alone. */
  get chosen() {
    return [[this.layer, this.head], ...this.more];
  }

  get shownHeads() {
    return this.solo ? [this.solo] : this.chosen;
  }

  /** The stages that can be shown: all when q and k are here, but none that would repeat another. */
  stages() {
    const { picture } = this;
    const [head, ...others] = this.shownHeads;
    const vectors = picture.vectors(...head);
    if (others.length || picture.words || !vectors) return ["weights"];
    return STAGES.map(([name]) => name).filter(
      (name) =>
        (name !== "biased" || picture.arrays.bias) &&
        (name !== "masked" || picture.arrays.mask) &&
        (name !== "scaled" || picture.header.scale !== 1) &&
        (name !== "output" || vectors.v),
    );
  }

  set(change) {
    this.measured = false;
    this.show(change);
  }

  /** The same where no size can change with it. */
  show(change) {
    Object.assign(this, change);
    if (!this.stages().includes(this.stage)) this.stage = "weights";
    this.paint();
    this.writeUrl();
    this.ask();
  }

  /** Another stage of the head in view: only the map shows it, so only the map is drawn. */
  setStage(stage) {
    this.stage = stage;
    this.drawMap();
    const [i, j] = this.cell;
    this.map.paintCell(i, this.column);
    this.map.tell();
    this.tellValue(i, j);
    this.writeUrl();
  }

  select(layer, head, add = false) {
    this.selected = true;
    if (!add) return this.show({ layer, head, more: [], solo: null });
    if (layer === this.layer && head === this.head) {
      // Taking the first of several away leaves the next one in its place.
      const [next, ...rest] = this.more;
      if (next) this.set({ layer: next[0], head: next[1], more: rest, solo: null });
      return undefined;
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

  /** The cell everything points at: under the pointer, else pinned, else the strongest of this head. */
  get cell() {
    return this.hover ?? this.pinned ?? this.first;
  }

  /** The token whose ribbons alone are drawn, {side, n}, or null: all are. */
  get spot() {
    const cell = this.hover ?? this.pinned;
    return cell && { side: this.side, n: cell[this.side === "query" ? 0 : 1] };
  }

  /** What the map shows, as far as its drawing needs: the picture, or the output with its features as columns. */
  get table() {
    const { picture } = this;
    if (this.stage !== "output") return picture;
    const { d } = picture.vectors(...this.shownHeads[0]);
    const keys = Array.from({ length: d }, (_, c) => String(c));
    return { T: picture.T, S: d, queries: picture.queries, keys, arrays: {}, across: "feature" };
  }

  /** The column of the map under the cell: its key, or of the output the feature under the pointer. */
  get column() {
    const [, key, feature = 0] = this.cell;
    return this.stage === "output" ? Math.min(feature, this.table.S - 1) : key;
  }

  /** The cell that is shown until one is chosen. Its row stays the same from head to head, so that they compare. */
  get first() {
    const query = this.whole.header.open?.[2] ?? this.whole.tag(...this.opens)?.query ?? -1;
    const row = query < 0 ? -1 : this.picture.rowOf(query);
    const i = row < 0 ? this.picture.strongest(...this.opens)[0] : row;
    return [i, this.topKey(i)];
  }

  /** The key that query i looks at most, and the cell of a token of either side. */
  topKey(i) {
    return this.picture.topKey(i, this.layer, this.head);
  }

  cellAt({ side, n }) {
    this.side = side;
    return side === "query" ? [n, this.topKey(n)] : [this.picture.topQuery(n, this.layer, this.head), n];
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
    this.paintCell();
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
    if (!this.measured || this.screen !== innerHeight) this.measure();
    if (!this.measured) return;
    this.drawMap();
    this.drawCell();
    if (!this.picture.header.compact) {
      this.overview.paint(this.thumbWidth);
      this.overview.paintMeasures();
    }
    this.map.tell();
    this.tellCell();
    this.fillTable();
  }

  /** The sizes of all parts; nothing is `measured` where the view is not on screen, or has no picture. */
  measure() {
    this.width = Math.round(this.root.clientWidth);
    this.measured = Boolean(this.width && this.picture);
    if (!this.measured) return;
    const n = this.nodes;
    this.root.classList.toggle("compact", Boolean(this.picture.header.compact));
    this.root.classList.toggle("large", this.isLarge);
    Object.assign(this, {
      screen: innerHeight,
      thumbWidth: n.thumbs.parentElement.clientWidth,
      mapWidth: n.grid.clientWidth,
      ribbonWidth: n.ribbons.parentElement.clientWidth,
      stepsWidth: n.steps.clientWidth,
      ...this.heights(),
    });
  }

  drawMap() {
    this.map.draw();
    Object.assign(this, this.map.mapped); // matrix and largest, for files
  }

  /** Pixels for the map, and for the thumbnails: so many that all of the view is on one screen, as far as that goes. */
  heights() {
    if (this.picture.header.compact) return { mapHeight: Math.min(470, this.picture.T * 38) + 60 };
    const by = enlarged(this.root);
    const above = Math.max(by > 1 ? 100 : 150, Math.min(260, this.root.getBoundingClientRect().top));
    const left = (innerHeight - above) / by - this.nodes.top.clientHeight;
    const { scoreNames } = this.whole;
    const below = 27 * this.whole.leading(MAX_TAGS).length + 34 * Math.min(5, scoreNames.length);
    // Many heads come first: what is said of them may stand below the screen.
    const thumbRoom = isMany(this.whole)
      ? Math.max(this.isLarge ? 640 : 300, Math.min(640, left - 84))
      : Math.max(by > 1 ? 100 : 150, Math.min(400, left - 84 - below));
    return { mapHeight: Math.max(by > 1 ? 200 : 300, Math.min(720, left - 114)), thumbRoom };
  }

  /** Whether all heads have half of the width. */
  get isLarge() {
    return Boolean(this.large && isMany(this.whole) && !this.whole.header.beside);
  }

  /** What is shown now, as files and tests need it; all of it plain values, and no longer than the next change.
   *
   * kind      of attention: "encoder", "decoder", "cross", or "" where there is only one; label says it in words
   * heads     [[layer, head], ...], of which the matrix is the mean; layer and head are the first of them
   * title     the head in words; stage: of the computation, "weights" unless chosen otherwise
   * drawing   "map" or "ribbons"; threshold: ribbons below it are not drawn; spot: {side, n}, the token whose ribbons
   *           alone are drawn, or null
   * queries, keys  the labels of the rows and columns, after all filters; across: what a column is, "key" or "feature"
   * matrix    rows x columns, row by row; largest: the value with the strongest colour
   * each      the matrix of each head by itself, in the order of heads
   * mask      the same shape, 1 where a query may look; null where it always may, or before the mask
   * exact     whether these are the model's own numbers to float32, or steps of 1/255
   * filters   what was done to the tokens, a sentence each
   * cell      [row, column] that is pointed at or pinned */
  shown() {
    const { matrix, largest } = this.mapped();
    const { table, picture: p, shownHeads: heads } = this;
    const [[layer, head]] = heads;
    return {
      kind: this.kind,
      label: p.header.label ?? "",
      heads,
      layer,
      head,
      title: this.title,
      stage: this.stage,
      drawing: this.drawing,
      threshold: this.threshold,
      spot: this.spot,
      queries: table.queries,
      keys: table.keys,
      across: table.across ?? "key",
      flow: Boolean(p.header.flow),
      rows: table.T,
      columns: table.S,
      matrix,
      largest,
      each: heads.length > 1 ? this.heads().map(({ weights }) => weights) : [matrix],
      mask: hidesBlocked(this.stage) ? (p.maskOfAll(heads) ?? null) : null,
      exact: heads.every((of) => p.isExact(...of)),
      filters: remarks(this.whole, p, this.filters),
      cell: [this.cell[0], this.column],
    };
  }

  /** What is shown, by its heads. */
  get title() {
    const [[layer, head], ...others] = this.shownHeads;
    return others.length ? `Mean of ${others.length + 1} heads` : this.picture.name(layer, head);
  }

  /** The matrix on the heatmap, and the largest value its colours go to. */
  mapped() {
    const { picture: p, stage } = this;
    const [[layer, head], ...others] = this.shownHeads;
    const most = (matrix) => matrix.reduce((m, v) => Math.max(m, v), 0);
    if (!others.length) {
      const matrix = p.matrix(stage, layer, head);
      if (stage === "weights")
        return { matrix, largest: p.isExact(layer, head) || this.filtered ? most(matrix) : p.largest(layer, head) };
      const mask = p.maskOf(layer);
      const hides = stage === "masked" && mask;
      return { matrix, largest: matrix.reduce((m, v, n) => (hides && !mask[n] ? m : Math.max(m, Math.abs(v))), 0) };
    }
    const heads = this.heads();
    const matrix = new Float32Array(p.T * p.S);
    for (const { weights } of heads) for (let n = 0; n < matrix.length; n++) matrix[n] += weights[n] / heads.length;
    return { matrix, largest: most(matrix) };
  }

  /** The heads that are shown, each with its weights. */
  heads() {
    const { picture } = this;
    return this.shownHeads.map(([layer, head]) => ({ layer, head, weights: picture.matrix("weights", layer, head) }));
  }

  /** The colours of these heads: each keeps its own while others are hidden. */
  colouredAs(heads) {
    const { heads: colours } = this.colours;
    const places = heads.map(({ layer, head }) => this.chosen.findIndex(([l, h]) => l === layer && h === head));
    return places.map((at) => colours[at % colours.length]);
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
    this.bar.paintCell(i);
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

  top(weights, i, most = 3) {
    const { S } = this.picture;
    return Array.from({ length: S }, (_, j) => [j, weights[i * S + j]])
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .filter(([, w]) => w > 0);
  }

  speak(before = "") {
    this.nodes.spoken.textContent = before + this.nodes.cell.textContent;
  }

  fillTable() {
    const p = this.picture;
    const { flow } = p.header;
    write(this.nodes.summary, flow ? "Read this rollout as a table" : "Read this head as a table");
    if (!this.nodes.details.open) return;
    const weights = p.matrix("weights", this.layer, this.head);
    const names = flow
      ? ["Token", "holds most of", "then of", "then of"]
      : ["Query", "looks most at", "then at", "then at"];
    this.nodes.columns.replaceChildren(...names.map((name) => el("th", { scope: "col" }, name)));
    this.nodes.table.replaceChildren(
      ...p.queries.map((token, i) => {
        const top = this.top(weights, i);
        const cell = (at) =>
          el(
            "td",
            {},
            top[at]
              ? `${shorten(p.keys[top[at][0]], 18)} ${top[at][1].toFixed(3)}`
              : at
                ? ""
                : "nothing: all is blocked",
          );
        return el("tr", {}, el("th", { scope: "row" }, `${i} ${shorten(token, 18)}`), cell(0), cell(1), cell(2));
      }),
    );
  }

  destroy() {
    this.observer.disconnect();
    this.link.end();
    this.map.destroy();
    clearTimeout(this.asking);
  }
}

export default mount(".attention-view", Object.assign(View, { source: () => fetch(import.meta.url) }));
