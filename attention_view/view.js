// The view: what is on screen and what a person does with it. Nothing here needs the server, but for the head in
// view of a long text (see payload.py). What is pinned is mirrored to the address bar, so that a link restores it.

import { DownloadMenu } from "./export_menu.js";
import { brief, el, fixed, minus, mirror, mount, param, shorten, still, trimmed } from "./lab.js";
import {
  css,
  heatLayout,
  hidesBlocked,
  image,
  paintCross,
  paintHeat,
  paintProducts,
  paintRibbons,
  palette,
  productsLayout,
  ribbonLayout,
  ribbonRows,
  signedColour,
  surface,
  weightColour,
} from "./paint.js";
import { Picture } from "./picture.js";

const STAGES = [
  ["scores", "q·k, before anything else"],
  ["scaled", "divided by the scale"],
  ["biased", "with the bias for the distance"],
  ["masked", "with the mask: hatched cells may not be seen"],
  ["weights", "softmax of each row: what attention uses"],
  ["output", "weights × values: what the head passes on"],
];
const TWEEN = 170; // ms in which the cells of one stage become those of the next
const MAX_TWEENED = 4096; // cells
const MAX_TAGS = 5;
const SORTS = [
  ["", "by layer"],
  ["entropy", "sharpest first"],
  ["-entropy", "most even first"],
  ["distance", "nearest first"],
  ["-distance", "farthest first"],
  ["-previous", "previous token first"],
  ["-first", "first token first"],
];
const MEASURES = [
  [
    "entropy",
    "Entropy",
    (v, { header: { chance } }) =>
      `${v.toFixed(2)} ${chance.entropy === undefined ? "" : `of ${chance.entropy.toFixed(2)} `}bits`,
    (v, p) => v / Math.log2(Math.max(2, p.S)),
  ],
  ["distance", "Mean distance", (v) => `${v.toFixed(1)} tokens`, (v, p) => v / Math.max(1, p.S - 1)],
  ["previous", "Looks at the previous token", (v) => v.toFixed(2), (v) => v],
  ["first", "Looks at the first token", (v) => v.toFixed(2), (v) => v],
];

export class View {
  constructor(root) {
    this.root = root;
    this.picture = null;
    this.hover = null;
    this.painted = 0;
    this.link = mirror((put) => this.write(put));
    this.build();
    this.observer = new ResizeObserver(() => {
      const width = Math.round(this.root.clientWidth);
      if (width && width !== this.width) this.paint();
    });
    this.observer.observe(root);
  }

  build() {
    const n = (this.nodes = {});
    n.notice = el("p", { class: "notice", role: "status" });
    n.spoken = el("div", { class: "unseen", "aria-live": "polite" });
    this.root.replaceChildren(
      n.notice,
      // The map comes first for the keyboard and on a phone; wide screens have it in the middle.
      el("div", { class: "columns" }, this.buildTop(), this.buildMap(), this.buildHeads(), this.buildSide()),
      this.buildFoot(),
      n.spoken,
    );
  }

  /** The tokens, to choose the one that asks, and remarks on the model. */
  buildTop() {
    const n = this.nodes;
    n.strip = el("div", {
      class: "strip",
      role: "group",
      "aria-label": "Tokens: choose the one that asks",
      onkeydown: (e) => walk(e, n.strip),
    });
    n.facts = el("div", { class: "facts" });
    n.top = el("div", { class: "top" }, n.strip, n.facts);
    return n.top;
  }

  /** Every head as a thumbnail, and what the chosen one scores. */
  buildHeads() {
    const n = this.nodes;
    const order = () => this.set({ sort: n.sort.value });
    n.sort = el("select", { class: "sort", "aria-label": "Order of the heads", onchange: order });
    n.size = el("span", { class: "quiet" });
    const overlay = {
      type: "button",
      class: "overlay",
      "aria-pressed": "false",
      title: "Lay several heads over each other (or hold Shift while choosing)",
      onclick: () => this.set({ adding: !this.adding }),
    };
    n.overlay = el("button", overlay, "overlay");
    const keys = (e) => this.thumbKey(e);
    n.thumbs = el("div", { class: "thumbs", role: "group", "aria-label": "All heads", onkeydown: keys });
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
      el("header", {}, el("h2", {}, "All heads"), n.size, n.sort, n.overlay),
      n.thumbs,
      n.hint,
      n.tags,
      n.measures,
    );
  }

  /** One head as a heatmap. */
  buildMap() {
    const n = this.nodes;
    n.title = el("h2");
    n.does = el("span", { class: "quiet does" });
    n.chosen = el("div", { class: "chosen" });
    n.stages = el("div", { class: "stages", role: "radiogroup", "aria-label": "Stage of the computation" });
    n.heat = el("canvas", { "aria-hidden": "true" });
    n.cross = el("canvas", { class: "cross", "aria-hidden": "true" }); // what follows the pointer, on top
    n.cell = el("div", { role: "gridcell", id: "cell", class: "unseen" });
    const grid = {
      class: "grid",
      role: "grid",
      tabindex: "0",
      "aria-activedescendant": "cell",
      onkeydown: (e) => this.gridKey(e),
      ...this.pointed((e) => this.cellAt(e)),
    };
    n.grid = el("div", grid, n.heat, n.cross, el("div", { role: "row", class: "unseen" }, n.cell));
    n.legend = el("canvas", { "aria-hidden": "true" });
    n.low = el("span");
    n.high = el("span");
    n.readout = el("span", { class: "readout" });
    return el(
      "section",
      { class: "map", "aria-label": "One head" },
      el("header", {}, n.title, n.does),
      n.chosen,
      n.grid,
      n.stages,
      el("footer", {}, n.low, n.legend, n.high, n.readout),
    );
  }

  /** What makes a canvas follow the pointer: at(event) is the cell under it, or null. */
  pointed(at) {
    return {
      onpointermove: (e) => this.point(at(e)),
      onpointerleave: () => this.point(null),
      onpointerdown: (e) => this.pin(at(e)),
    };
  }

  /** One query's ribbons, and one cell's arithmetic. */
  buildSide() {
    const n = this.nodes;
    n.from = el("h2");
    n.threshold = el("input", {
      type: "range",
      min: "0",
      max: "0.5",
      step: "0.001",
      "aria-label": "Hide ribbons below this weight",
      oninput: () => this.set({ threshold: Number(n.threshold.value) }),
    });
    n.level = el("output");
    n.ribbons = el("canvas", { role: "img", ...this.pointed((e) => this.ribbonAt(e)) });
    n.left = el("p", { class: "quiet small" });
    n.why = el("h2", { class: "why" });
    n.pair = el("span", { class: "quiet pair" });
    n.products = el("canvas", {
      role: "img",
      onpointermove: (e) => this.feature(e),
      onpointerleave: () => n.pair.replaceChildren(...n.pair.usual),
    });
    n.steps = el("dl", { class: "steps" });
    n.reason = el("p", { class: "quiet reason" });
    return el(
      "section",
      { class: "side", "aria-label": "One query" },
      el("header", {}, n.from, el("label", { class: "quiet level" }, "threshold ", n.threshold, n.level)),
      el("div", { class: "ribbons" }, n.ribbons, n.left),
      el("div", { class: "explain" }, el("header", {}, n.why, n.pair), n.products, n.steps, n.reason),
    );
  }

  /** The head as a table, and as a file. */
  buildFoot() {
    const n = this.nodes;
    const names = ["Query", "looks most at", "then at", "then at"];
    const head = el("thead", {}, el("tr", {}, ...names.map((name) => el("th", { scope: "col" }, name))));
    n.table = el("tbody");
    n.details = el(
      "details",
      { ontoggle: () => this.fillTable() },
      el("summary", {}, "Read this head as a table"),
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
      const fresh = !this.picture;
      this.data = data;
      this.picture = new Picture(data);
      if (fresh) this.readUrl();
      if (!this.selected) [this.layer, this.head] = this.opens;
      this.fit();
      this.furnish();
    }
    if (!this.picture) return;
    this.colours = palette(this.root, this.colours);
    this.paint();
    this.writeUrl();
    this.ask();
  }

  /** The head that is shown until one is chosen. */
  get opens() {
    return this.picture.header.open ?? [0, 0];
  }

  /** Everything in range of the present picture; what no longer exists is dropped. */
  fit() {
    const { L, H, T, S } = this.picture;
    this.layer = Math.min(this.layer, L - 1);
    this.head = Math.min(this.head, H - 1);
    this.more = this.more.filter(([l, h]) => l < L && h < H);
    if (this.pinned && (this.pinned[0] >= T || this.pinned[1] >= S)) this.pinned = null;
    this.hover = null;
    if (!this.stages().includes(this.stage)) this.stage = "weights";
  }

  /** The stages that can be shown: all when q and k are here, but none that would repeat another. */
  stages() {
    const { picture } = this;
    if (this.more.length || !picture.vectors(this.layer, this.head)) return ["weights"];
    return STAGES.map(([name]) => name).filter(
      (name) =>
        (name !== "biased" || picture.arrays.bias) &&
        (name !== "masked" || picture.arrays.mask) &&
        (name !== "scaled" || picture.header.scale !== 1) &&
        (name !== "output" || picture.vectors(this.layer, this.head).v),
    );
  }

  set(change) {
    Object.assign(this, change);
    if (!this.stages().includes(this.stage)) this.stage = "weights";
    this.paint();
    this.writeUrl();
    this.ask();
  }

  select(layer, head, add = false) {
    this.selected = true;
    if (!add) return this.set({ layer, head, more: [] });
    if (layer === this.layer && head === this.head) {
      // Taking the first of several away leaves the next one in its place.
      if (this.more.length) this.set({ layer: this.more[0][0], head: this.more[0][1], more: this.more.slice(1) });
      return undefined;
    }
    const others = this.more.filter(([l, h]) => l !== layer || h !== head);
    if (others.length === this.more.length) others.push([layer, head]);
    return this.set({ more: others.slice(-7) });
  }

  /** Tell the server what is in view, if it must know: beyond "exact" q and k come for one head at a time, and a page
   * that goes on with the chosen cell wants to hear of it. Otherwise nothing is sent. */
  ask() {
    clearTimeout(this.asking);
    const { report } = this.picture.header;
    if (!report && this.picture.inView(this.layer, this.head)) return;
    const cell = this.pinned ?? this.first;
    const choice = [this.layer, this.head, ...(report ? cell.slice(0, 2) : [])];
    if (String(choice) === String(this.told)) return;
    this.asking = setTimeout(() => this.send?.("view", (this.told = choice)), 120);
  }

  /** The cell everything points at: under the pointer, else pinned, else the strongest of this head. */
  get cell() {
    return this.hover ?? this.pinned ?? this.first;
  }

  /** What the map shows, as far as its drawing needs: the picture, or the output with its features as columns. */
  get table() {
    const { picture } = this;
    if (this.stage !== "output") return picture;
    const { d } = picture.vectors(this.layer, this.head);
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
    const tag = this.picture.tag(...this.opens);
    const i = tag?.query ?? this.picture.strongest(...this.opens)[0];
    return [i, this.picture.topKey(i, this.layer, this.head)];
  }

  point(cell) {
    if (String(cell) === String(this.hover)) return;
    this.hover = cell;
    this.paintCell();
  }

  pin(cell) {
    if (!cell) return;
    this.pinned = cell;
    this.hover = null;
    this.paintCell();
    this.speak();
    this.writeUrl();
    this.ask();
  }

  // ---- the link ---------------------------------------------------------------------------------------------

  /** The threshold of ribbons to begin with: weights are smaller where there are more keys to share them. */
  get usual() {
    return Math.round(1000 * Math.min(0.05, 1.25 / this.picture.S)) / 1000;
  }

  readUrl() {
    const [layer, head] = this.opens;
    Object.assign(this, {
      layer,
      head,
      more: [],
      pinned: null,
      stage: "weights",
      threshold: this.usual,
      sort: "",
      complaints: [],
    });
    if (this.picture.header.url === null) return;
    const { L, H, T, S } = this.picture;
    const given = (name) => param(this.picture.header.url + name);
    const whole = (name, most) => {
      const text = given(name);
      if (text === null) return null;
      if (/^\d{1,6}$/.test(text) && Number(text) < most) return Number(text);
      this.complaints.push(`${name} ${shorten(text, 24)} (0 to ${most - 1} exist)`);
      return null;
    };
    const choice = (name, among, otherwise) => {
      const text = given(name);
      if (text === null || among.includes(text)) return text ?? otherwise;
      this.complaints.push(`${name} ${shorten(text, 24)}`);
      return otherwise;
    };
    const asked = [whole("layer", L), whole("head", H)];
    this.selected = asked.some((n) => n !== null);
    if (this.selected) [this.layer, this.head] = asked.map((n) => n ?? 0);
    const query = whole("query", T),
      key = whole("key", S);
    if (query !== null) this.pinned = [query, key ?? this.topKey(query)];
    this.stage = choice(
      "stage",
      STAGES.map(([n]) => n),
      "weights",
    );
    this.sort = choice(
      "sort",
      SORTS.map(([n]) => n),
      "",
    );
    const threshold = given("threshold");
    if (threshold !== null) {
      if (/^(0|0?\.\d{1,4})$/.test(threshold) && Number(threshold) <= 0.5) this.threshold = Number(threshold);
      else this.complaints.push(`threshold ${shorten(threshold, 24)} (0 to 0.5)`);
    }
    for (const pair of (given("with") ?? "").split(",").filter(Boolean)) {
      const [l, h] = pair.split("-").map(Number);
      if (Number.isInteger(l) && Number.isInteger(h) && l >= 0 && h >= 0 && l < L && h < H && this.more.length < 7)
        this.more.push([l, h]);
      else this.complaints.push(`head ${shorten(pair, 24)}`);
    }
  }

  topKey(i) {
    return this.picture.topKey(i, this.layer, this.head);
  }

  write(put) {
    const prefix = this.picture.header.url;
    const isFirst = String([this.layer, this.head]) === String(this.opens);
    put(`${prefix}layer`, isFirst ? null : this.layer);
    put(`${prefix}head`, isFirst ? null : this.head);
    put(`${prefix}query`, this.pinned && this.pinned[0]);
    put(`${prefix}key`, this.pinned && this.pinned[1]);
    put(`${prefix}stage`, this.stage, "weights");
    put(`${prefix}sort`, this.sort, "");
    put(`${prefix}threshold`, this.threshold, this.usual);
    put(`${prefix}with`, this.more.map((pair) => pair.join("-")).join(","), "");
  }

  writeUrl() {
    if (this.picture.header.url !== null) this.link.later();
  }

  // ---- keyboard and pointer ---------------------------------------------------------------------------------

  gridKey(event) {
    const { T, S } = this.table;
    const [i, key] = this.cell;
    const j = this.column;
    const at = (row, column) => (this.stage === "output" ? [row, key, column] : [row, column]);
    const to = {
      ArrowUp: at(Math.max(0, i - 1), j),
      ArrowDown: at(Math.min(T - 1, i + 1), j),
      ArrowLeft: at(i, Math.max(0, j - 1)),
      ArrowRight: at(i, Math.min(S - 1, j + 1)),
      Home: at(i, 0),
      End: at(i, S - 1),
    }[event.key];
    if (to && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.pin(to);
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      event.preventDefault();
      const { L, H } = this.picture;
      const at = (this.picture.index(this.layer, this.head) + (event.key === "PageDown" ? 1 : L * H - 1)) % (L * H);
      this.select(Math.floor(at / H), at % H);
      this.speak(`Layer ${this.layer}, head ${this.head}. `);
    } else if (event.key === "Escape") {
      this.pinned = null;
      this.paintCell();
      this.writeUrl();
    }
  }

  thumbKey(event) {
    const buttons = [...this.nodes.thumbs.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.picture.H, ArrowUp: -this.picture.H }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    const next = buttons[Math.max(0, Math.min(buttons.length - 1, at + step))];
    this.select(Number(next.dataset.layer), Number(next.dataset.head), event.shiftKey);
    next.focus();
  }

  cellAt(event) {
    const box = this.nodes.heat.getBoundingClientRect();
    const { left, top, cell } = this.layout;
    const { T, S } = this.table;
    const j = Math.floor((event.clientX - box.left - left) / cell);
    const i = Math.floor((event.clientY - box.top - top) / cell);
    const [i0, j0] = this.pinned ?? this.cell;
    if (this.stage !== "output" && i < 0 && j >= 0 && j < S && event.clientY >= box.top) return [i0, j]; // its name
    if (j < 0 && i >= 0 && i < T && event.clientX >= box.left) return [i, j0]; // on a row's name
    if (i < 0 || i >= T || j < 0 || j >= S) return null;
    return this.stage === "output" ? [i, j0, j] : [i, j];
  }

  ribbonAt(event) {
    const box = this.nodes.ribbons.getBoundingClientRect();
    const { step, left, right } = this.ribbonPlace;
    const at = Math.floor((event.clientY - box.top - 4) / step);
    const x = event.clientX - box.left;
    const [i, j] = this.pinned ?? this.cell;
    if (x < left + 12 && at >= 0 && at < this.rows.queries.length) return [this.rows.queries[at], j];
    if (x > right - 12 && at >= 0 && at < this.rows.keys.length) return [i, this.rows.keys[at]];
    return null;
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  /** What depends on the picture alone: the strip, the facts, the buttons of the stages. */
  furnish() {
    const n = this.nodes,
      p = this.picture;
    this.root.classList.toggle("compact", Boolean(p.header.compact));
    n.strip.replaceChildren(
      ...p.queries.slice(0, 60).map((token, i) =>
        el(
          "button",
          {
            type: "button",
            class: "chip",
            title: `token ${i}`,
            onclick: () => this.pin([i, this.topKey(i)]),
          },
          shorten(token, 18),
        ),
      ),
      ...(p.T > 60 ? [el("span", { class: "quiet" }, `and ${p.T - 60} more`)] : []),
    );
    const beside = p.header.beside ?? "";
    this.root.classList.toggle("beside", beside !== "");
    this.root.classList.toggle("studied", beside === "study");
    (beside ? n.foot : n.top).append(n.facts);
    n.facts.replaceChildren(
      ...(p.header.untrained ? [el("span", { class: "chip fact untrained" }, "untrained")] : []),
      ...p.header.facts.map((fact) => el("span", { class: "chip fact" }, fact)),
    );
    n.size.textContent = `${p.L} × ${p.H}`;
    n.size.title = `${p.L} ${p.L === 1 ? "layer" : "layers"} of ${p.H} ${p.H === 1 ? "head" : "heads"}`;
    n.tags.replaceChildren(...p.leading(MAX_TAGS).map((tag) => this.tagButton(tag)));
    const offered = SORTS.filter(([name]) => !name || p.scoreNames.includes(name.replace("-", "")));
    n.sort.replaceChildren(...offered.map(([value, text]) => el("option", { value }, text)));
    n.sort.hidden = offered.length < 2 || p.L * p.H < 2;
    const complaint = this.complaints?.length
      ? `The link asked for ${this.complaints.join(", ")}; that is not here, so you see the usual view.`
      : "";
    n.notice.textContent = complaint;
    n.notice.hidden = !complaint;
    this.complaints = [];
  }

  /** What a head does here, as a button that opens it. */
  tagButton({ name, layer, head, score, query }) {
    const open = () => {
      this.select(layer, head);
      if (query !== null) this.pin([query, this.topKey(query)]);
      this.speak(`Layer ${layer}, head ${head}: ${name}. `);
    };
    return el(
      "button",
      { type: "button", class: "tag", "data-name": name, onclick: open },
      el("span", {}, name),
      el("span", { class: "quiet" }, `${layer}·${head}`),
      el("b", {}, score.toFixed(2)),
    );
  }

  /** Everything; called when numbers, theme, size, head, stage or order change. */
  paint() {
    this.width = Math.round(this.root.clientWidth);
    if (!this.width || !this.picture) return;
    // Every size is read before anything is written, or the browser would lay the page out again and again.
    const n = this.nodes;
    const room = n.thumbs.clientWidth;
    Object.assign(this, {
      mapWidth: n.grid.clientWidth,
      ribbonWidth: n.ribbons.parentElement.clientWidth,
      stepsWidth: n.steps.clientWidth,
      ...this.heights(),
    });
    if (!this.picture.header.compact) {
      this.paintThumbs(room);
      this.paintMeasures();
    }
    this.paintMap();
    this.paintCell();
    this.fillTable();
  }

  /** Pixels for the map, and for the thumbnails: so many that all of the view is on one screen, as far as that goes. */
  heights() {
    if (this.picture.header.compact) return { mapHeight: Math.min(470, this.picture.T * 38) + 60 };
    const above = Math.max(150, Math.min(260, this.root.getBoundingClientRect().top));
    const left = innerHeight - above - this.nodes.top.clientHeight;
    const below = 27 * this.picture.leading(MAX_TAGS).length + 34 * this.picture.scoreNames.length;
    return {
      mapHeight: Math.max(300, Math.min(720, left - 94)),
      thumbRoom: Math.max(150, Math.min(400, left - 84 - below)),
    };
  }

  order() {
    const { L, H } = this.picture;
    const all = Array.from({ length: L * H }, (_, n) => [Math.floor(n / H), n % H]);
    if (!this.sort) return all;
    const name = this.sort.replace("-", ""),
      sign = this.sort.startsWith("-") ? -1 : 1;
    return all.sort(
      (a, b) => sign * (this.picture.score(name, ...a) - this.picture.score(name, ...b)) || a[0] - b[0] || a[1] - b[1],
    );
  }

  paintThumbs(room) {
    const n = this.nodes,
      p = this.picture;
    const { L, H } = p;
    const size = Math.max(13, Math.floor(Math.min(104, (room - 24) / H - 5, this.thumbRoom / L - 6)));
    n.sort.value = this.sort;
    n.overlay.setAttribute("aria-pressed", String(Boolean(this.adding)));
    n.overlay.hidden = L * H < 2;
    const more = this.adding && !this.more.length;
    n.hint.textContent = more ? "Choose another head: it is laid over this one, and the map shows their mean." : "";
    for (const button of n.tags.children) {
      const isOpen = !this.more.length && p.tag(this.layer, this.head)?.name === button.dataset.name;
      button.classList.toggle("on", isOpen);
      button.setAttribute("aria-pressed", String(isOpen));
    }
    settleStop(n.tags);
    const place = `${L} ${H} ${size}`;
    if (place !== this.thumbPlace) {
      this.thumbPlace = place;
      this.thumbs = Array.from({ length: L * H }, (_, at) => this.thumb(Math.floor(at / H), at % H));
      this.thumbOrder = this.thumbStamp = null;
      n.thumbs.style.setProperty("--columns", `14px repeat(${H}, ${size}px)`);
    }
    const order = `${this.sort} ${this.sort && p.header.id}`;
    if (order !== this.thumbOrder) {
      this.thumbOrder = order;
      const rule = (text) => el("i", { class: "rule" }, text);
      const cells = this.sort ? [] : [el("i"), ...Array.from({ length: H }, (_, h) => rule(String(h)))];
      for (const [at, [layer, head]] of this.order().entries()) {
        if (at % H === 0) cells.push(rule(this.sort ? "" : String(layer)));
        cells.push(this.thumbs[p.index(layer, head)].button);
      }
      n.thumbs.replaceChildren(...cells);
    }
    // The same picture comes again when q and k of another head do: then only what is chosen has changed.
    const stamp = `${p.header.id} ${this.colours.name} ${this.sort}`;
    if (stamp !== this.thumbStamp) {
      this.thumbStamp = stamp;
      this.mask = null;
      for (const thumb of this.thumbs) this.drawThumb(thumb, size);
    }
    for (const { button, layer, head } of this.thumbs) {
      const at = [[this.layer, this.head], ...this.more].findIndex(([l, h]) => l === layer && h === head);
      button.setAttribute("aria-pressed", String(at >= 0));
      button.tabIndex = at === 0 ? 0 : -1;
      button.style.setProperty("--ring", at >= 0 ? this.colours.heads[at % this.colours.heads.length] : "transparent");
    }
  }

  thumb(layer, head) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const button = el(
      "button",
      {
        type: "button",
        "data-layer": layer,
        "data-head": head,
        onclick: (e) => this.select(layer, head, this.adding || e.shiftKey || e.ctrlKey || e.metaKey),
      },
      canvas,
    );
    return { layer, head, canvas, button };
  }

  drawThumb({ layer, head, canvas, button }, size) {
    const p = this.picture;
    const context = surface(canvas, size, size);
    const s = p.sent(layer, head);
    context.imageSmoothingEnabled = size * (window.devicePixelRatio || 1) < s.cols;
    context.drawImage(
      image(s.data, s.rows, s.cols, p.largest(layer, head) / s.unit, this.colours, this.thumbMask(s)),
      0,
      0,
      size,
      size,
    );
    const score = (name) => (p.scoreNames.includes(name) ? p.score(name, layer, head) : null);
    const [entropy, distance] = [score("entropy"), score("distance")];
    const tag = p.tag(layer, head);
    const label =
      `Layer ${layer}, head ${head}` +
      (tag ? `, ${tag.name}` : "") +
      (entropy !== null && distance !== null
        ? `: entropy ${entropy.toFixed(2)} bits, mean distance ${distance.toFixed(1)} tokens`
        : "");
    button.setAttribute("aria-label", label);
    button.title = label;
  }

  /** The mask at the size of a thumbnail: a pooled cell is open if any cell in it is. */
  thumbMask({ rows, cols }) {
    const { mask } = this.picture.arrays;
    const { T, S } = this.picture;
    if (!mask || rows === T) return mask;
    if (this.mask) return this.mask;
    const side = Math.ceil(T / rows);
    const out = new Uint8Array(rows * cols);
    for (let i = 0; i < T; i++)
      for (let j = 0; j < S; j++) if (mask[i * S + j]) out[Math.floor(i / side) * cols + Math.floor(j / side)] = 1;
    return (this.mask = out);
  }

  paintMeasures() {
    const p = this.picture;
    const rows = MEASURES.filter(([name]) => p.scoreNames.includes(name)).flatMap(([name, title, text, share]) => {
      const chosen = [[this.layer, this.head], ...this.more];
      const value = chosen.reduce((sum, head) => sum + p.score(name, ...head), 0) / chosen.length,
        chance = p.header.chance[name];
      const percent = (v) => `${100 * Math.min(1, Math.max(0, share(v, p)))}%`;
      return [
        el("dt", {}, title),
        el(
          "dd",
          {},
          el("span", {}, text(value, p)),
          el(
            "div",
            { class: "bar", "aria-hidden": "true" },
            el("b", { style: `width:${percent(value)}` }),
            chance === undefined ? null : el("i", { style: `left:${percent(chance)}` }),
          ),
        ),
      ];
    });
    this.nodes.measures.title = [
      this.more.length ? `Means of ${this.more.length + 1} heads. ` : "",
      p.scoreNames.includes("entropy") ? "Entropy: how widely it looks; 0 is at one token only. " : "",
      Object.keys(p.header.chance).length ? "A tick marks what looking at all allowed tokens alike would give." : "",
    ].join("");
    this.nodes.measures.replaceChildren(...rows);
  }

  /** The matrix on the heatmap, and the largest value its colours go to. */
  shown() {
    const p = this.picture;
    if (!this.more.length) {
      const matrix = p.matrix(this.stage, this.layer, this.head);
      if (this.stage === "weights")
        return {
          matrix,
          largest: p.isExact(this.layer, this.head)
            ? matrix.reduce((m, v) => Math.max(m, v), 0)
            : p.largest(this.layer, this.head),
        };
      const { mask } = p.arrays;
      return {
        matrix,
        largest: matrix.reduce(
          (m, v, n) => (this.stage === "masked" && mask && !mask[n] ? m : Math.max(m, Math.abs(v))),
          0,
        ),
      };
    }
    const heads = this.heads();
    const matrix = new Float32Array(p.T * p.S);
    for (const { weights } of heads) for (let n = 0; n < matrix.length; n++) matrix[n] += weights[n] / heads.length;
    return { matrix, largest: matrix.reduce((m, v) => Math.max(m, v), 0) };
  }

  heads() {
    return [[this.layer, this.head], ...this.more].map(([layer, head]) => ({
      layer,
      head,
      weights: this.picture.matrix("weights", layer, head),
    }));
  }

  paintMap() {
    const n = this.nodes,
      p = this.picture;
    const several = this.more.length > 0;
    n.title.textContent = several ? `Mean of ${this.more.length + 1} heads` : `Layer ${this.layer}, head ${this.head}`;
    const tag = several ? null : p.tag(this.layer, this.head);
    n.does.textContent = tag ? tag.name : "";
    n.does.title = tag ? `${tag.name}: ${tag.score.toFixed(2)}` : "";
    n.chosen.hidden = !several;
    n.chosen.replaceChildren(
      ...(several
        ? [[this.layer, this.head], ...this.more].map(([l, h], at) =>
            el(
              "button",
              {
                type: "button",
                class: "chip",
                "aria-label": `Take layer ${l}, head ${h} away`,
                style: `--dot:${this.colours.heads[at % this.colours.heads.length]}`,
                onclick: () => this.select(l, h, true),
              },
              `${l}·${h} ×`,
            ),
          )
        : []),
    );
    const stages = this.stages();
    n.stages.hidden = stages.length < 2;
    if (n.stages.dataset.offered !== String(stages)) {
      n.stages.dataset.offered = String(stages);
      n.stages.replaceChildren(
        ...STAGES.filter(([name]) => stages.includes(name)).map(([name, help]) =>
          el(
            "label",
            { title: help },
            el("input", { type: "radio", name: "stage", value: name, onchange: () => this.set({ stage: name }) }),
            name,
          ),
        ),
      );
    }
    for (const input of n.stages.querySelectorAll("input")) {
      input.checked = input.value === this.stage;
      input.parentElement.classList.toggle("on", input.checked);
    }

    const { matrix, largest } = this.shown();
    this.matrix = matrix;
    this.largest = largest;
    const { table } = this;
    if (this.layoutOf !== p || this.layout.width !== this.mapWidth || this.layout.across !== (table.across ?? "key")) {
      this.layoutOf = p;
      this.layout = heatLayout(table, this.mapWidth, this.mapHeight, this.colours.font);
    }
    this.showHeat({ matrix, largest, stage: this.stage }, `${p.header.id} ${this.layer} ${this.head} ${several}`);
    surface(n.cross, this.layout.width, this.layout.height);

    const weights = this.stage === "weights";
    const bar = surface(n.legend, 110, 10);
    for (let x = 0; x < 110; x++) {
      bar.fillStyle = css(
        weights ? weightColour(x / 109, 1, this.colours) : signedColour((2 * x) / 109 - 1, 1, this.colours),
      );
      bar.fillRect(x, 0, 1.5, 10);
    }
    n.low.textContent = weights ? "0" : brief(-largest);
    n.high.textContent = `${brief(largest)}, the largest ${several ? "of the mean" : "here"}`;
    n.legend.title =
      "The stronger the colour, the larger: (value / largest) to the power 0.6, so that small values show";
    const name = several ? n.title.textContent : `${n.title.textContent}, ${this.stage}`;
    const columns = this.stage === "output" ? "the features of what they are given" : "the keys they look at";
    const help = "Arrow keys move, Page Up and Page Down change the head.";
    n.grid.setAttribute("aria-label", `${name}: rows are queries, columns are ${columns}. ${help}`);
    n.grid.setAttribute("aria-rowcount", p.T);
    n.grid.setAttribute("aria-colcount", table.S);
  }

  /** The cells of one stage become those of the next of the same head, in a moment; all else is there at once. */
  showHeat(what, of) {
    cancelAnimationFrame(this.tweening);
    const { nodes, table, layout, colours } = this;
    const before = this.heat;
    this.heat = { ...what, of, width: layout.width, colours };
    const paint = (passed) => paintHeat(nodes.heat, table, what, layout, colours, passed < 1 ? before : null, passed);
    const moves =
      before?.of === of &&
      before.stage !== what.stage &&
      ![before.stage, what.stage].includes("output") &&
      before.width === layout.width &&
      before.colours === colours &&
      what.matrix.length <= MAX_TWEENED &&
      !still();
    if (!moves) return paint(1);
    const start = performance.now();
    const step = (now) => {
      const passed = Math.min(1, Math.max(0, (now - start) / TWEEN));
      paint(passed);
      if (passed < 1) this.tweening = requestAnimationFrame(step);
    };
    paint(0.2); // the change shows in this very frame
    this.tweening = requestAnimationFrame(step);
    return undefined;
  }

  /** What follows the pointer: frames, ribbons, the arithmetic. Cheap enough for every move. */
  paintCell() {
    const n = this.nodes,
      p = this.picture;
    if (!this.width) return;
    const [i, j] = this.cell;
    const { table, column } = this;
    const value = this.matrix[i * table.S + column];
    const blocked = !p.allowed(i, j) && hidesBlocked(this.stage);

    const context = n.cross.getContext("2d");
    context.clearRect(0, 0, this.layout.width, this.layout.height);
    const isOutput = this.stage === "output";
    const colours = isOutput ? { ...this.colours, key: this.colours.value } : this.colours;
    paintCross(context, table, this.layout, colours, i, column);

    const mark = (nodes, at) =>
      nodes.forEach((node, m) => {
        node.classList.toggle("on", m === at);
        node.setAttribute("aria-pressed", String(m === at));
      });
    mark([...n.strip.querySelectorAll(".chip")], i);
    settleStop(n.strip);
    const approx = p.isExact(this.layer, this.head) ? "" : "≈ ";
    const word = (token, side) => el("b", { class: side }, shorten(token, 18));
    n.readout.replaceChildren(
      word(p.queries[i], "query"),
      isOutput ? ", " : " → ",
      isOutput ? el("b", { class: "value" }, `feature ${column}`) : word(p.keys[j], "key"),
      " ",
      el(
        "b",
        { class: blocked ? "quiet" : this.stage === "weights" ? "weight" : "" },
        blocked ? "blocked" : approx + brief(value),
      ),
    );

    const heads = this.heads();
    this.rows = ribbonRows(p, heads[0].weights, i);
    this.ribbonPlace = ribbonLayout(p, this.rows, this.ribbonWidth);
    paintRibbons(n.ribbons, p, heads, this.rows, i, j, this.threshold, this.ribbonPlace, this.colours);
    const top = this.top(heads[0].weights, i).map(([key, w]) => `${p.keys[key]} ${w.toFixed(2)}`);
    n.ribbons.setAttribute("aria-label", `Where ${p.queries[i]} looks: ${top.join(", ")}`);
    n.from.replaceChildren("From ", word(p.queries[i], "query"));
    n.threshold.value = this.threshold;
    n.level.textContent = trimmed(this.threshold, 3);
    const hidden = p.S - this.rows.keys.length;
    n.left.textContent = hidden > 0 ? `The ${this.rows.keys.length} keys with the largest weights, of ${p.S}.` : "";

    this.paintWhy(i, j);
    n.cell.setAttribute("aria-rowindex", i + 1);
    n.cell.setAttribute("aria-colindex", column + 1);
    n.cell.textContent = isOutput
      ? `${p.queries[i]} is given ${fixed(value, 3)} in feature ${column}`
      : `${p.queries[i]} looks at ${p.keys[j]}: ${blocked ? "blocked by the mask" : fixed(value, 3)}`;
    Object.assign(this.root.dataset, {
      layer: this.layer,
      head: this.head,
      query: i,
      key: j,
      value,
      stage: this.stage,
      tier: p.header.tier,
      painted: ++this.painted,
    });
  }

  top(weights, i, most = 3) {
    const { S } = this.picture;
    return Array.from({ length: S }, (_, j) => [j, weights[i * S + j]])
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .filter(([, w]) => w > 0);
  }

  paintWhy(i, j) {
    const n = this.nodes,
      p = this.picture;
    const heads = this.heads();
    const why = this.more.length ? null : p.explain(this.layer, this.head, i, j);
    const weight = heads.reduce((sum, { weights }) => sum + weights[i * p.S + j], 0) / heads.length;
    n.why.replaceChildren("Why ", el("b", { class: "weight" }, brief(why ? why.weight : weight)), "?");
    n.pair.usual = [
      "from ",
      el("b", { class: "query" }, shorten(p.queries[i], 12)),
      " to ",
      el("b", { class: "key" }, shorten(p.keys[j], 12)),
    ];
    n.pair.replaceChildren(...n.pair.usual);
    n.products.hidden = !why;
    this.why = why;
    delete this.root.dataset.why;
    const line = (name, value, strong) => [
      el("dt", { class: strong ? "total" : "" }, ...name),
      el("dd", { class: strong ? "total" : "" }, value),
    ];
    n.reason.textContent = why || this.more.length ? "" : this.reason();
    if (this.more.length) {
      const each = heads.map((h) => line([`layer ${h.layer}, head ${h.head}`], fixed(h.weights[i * p.S + j], 4)));
      n.steps.replaceChildren(...each.flat(), ...line([`mean of ${heads.length} heads`], fixed(weight, 4), true));
      return;
    }
    if (!why) {
      n.steps.replaceChildren();
      return;
    }
    paintProducts(n.products, why, this.stepsWidth, this.colours);
    const products = why.products.slice(0, 8).map((x) => fixed(x, 2));
    const rest = why.d > 8 ? " and so on" : "";
    n.products.setAttribute("aria-label", `The ${why.d} products q times k: ${products.join(", ")}${rest}`);
    const q = el("b", { class: "query" }, "q"),
      k = el("b", { class: "key" }, "k");
    const lines = [
      line([q, " · ", k, `, the sum of ${why.d} products`], fixed(why.dot, 4)),
      p.header.scale === 1
        ? line(["not divided: scaling is off"], fixed(why.scaled, 4))
        : line([`÷ √d`, el("sub", {}, "k"), ` = ${p.header.scale.toFixed(3)}`], fixed(why.scaled, 4)),
    ];
    if (why.bias !== null) {
      const bias = `${why.bias < 0 ? "−" : "+"} ${Math.abs(why.bias).toFixed(4)}`;
      lines.push(
        line([`${bias}, the bias for a distance of ${minus(String(this.distance(i, j)))}`], fixed(why.score, 4)),
      );
    }
    if (p.arrays.mask && why.allowed) lines.push(line(["the mask lets it through"], ""));
    if (!why.allowed)
      lines.push(
        line([why.sum ? "the mask blocks this cell" : "the mask blocks this whole row"], "exp → 0"),
        line(["weight"], "0", true),
      );
    else
      lines.push(
        line([`exp(score − row maximum ${fixed(why.max, 2)})`], fixed(why.exp, 4)),
        line(["÷ the row's sum"], fixed(why.sum, 4)),
        line(["weight"], fixed(why.weight, 4), true),
      );
    n.steps.replaceChildren(...lines.flat());
    this.root.dataset.why = JSON.stringify({
      dot: why.dot,
      scaled: why.scaled,
      score: why.score,
      max: why.max,
      exp: why.exp,
      sum: why.sum,
      weight: why.weight,
      allowed: why.allowed,
    });
  }

  /** Why there is no arithmetic to show. */
  reason() {
    const { arrays, header } = this.picture;
    if (!arrays["view:q"] && this.picture.inView(this.layer, this.head))
      return "This model gave its weights only, without q and k.";
    if (!header.alone) return "Fetching q and k of this head …";
    const [layer, head] = header.view;
    const what = arrays["view:q"] ? "q and k" : "the exact weights";
    const others = header.tier === "bytes" ? "rounded weights" : "a thumbnail, a cell of it the largest of a square";
    return `This file has ${what} of layer ${layer}, head ${head} alone. Of the others it has ${others}.`;
  }

  /** The one product under the pointer, in numbers. */
  feature(event) {
    const { left, step } = productsLayout(this.why.d, this.nodes.products.clientWidth);
    const c = Math.floor((event.clientX - this.nodes.products.getBoundingClientRect().left - left) / step);
    if (c < 0 || c >= this.why.d) return;
    const [q, k] = [this.why.q[c], this.why.k[c]].map((v) => fixed(v));
    this.nodes.pair.textContent = `feature ${c}: ${q} × ${k} = ${fixed(this.why.products[c])}`;
  }

  distance(i, j) {
    const { T, S } = this.picture;
    return j - (i + (S > T ? S - T : 0));
  }

  speak(before = "") {
    this.nodes.spoken.textContent = before + this.nodes.cell.textContent;
  }

  fillTable() {
    const p = this.picture;
    if (!this.nodes.details.open) return;
    const weights = p.matrix("weights", this.layer, this.head);
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
    this.link.cancel();
    cancelAnimationFrame(this.tweening);
    clearTimeout(this.asking);
  }
}

/** A row of buttons is one stop of the Tab key: the arrow keys walk along it. */
function walk(event, row) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const buttons = [...row.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(event.target) + step];
  if (!step) return;
  event.preventDefault();
  next?.click();
  next?.focus();
}

/** The stop of a row is the button that is on, or its first. */
function settleStop(row) {
  const buttons = [...row.querySelectorAll("button")];
  const stop = buttons.find((button) => button.classList.contains("on")) ?? buttons[0];
  for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
}

export default mount(".attention-view", Object.assign(View, { source: () => fetch(import.meta.url) }));
