// Words on a plane, or as a matrix of cosines; the one that is hovered over or chosen shows its neighbours.

import { el, fixed, mirror, mount, param, pointIn, numeral, svg, write } from "../../../../attention_view/lab.js";
import { inRow, slider } from "../../../../attention_view/controls.js";
import { askedOf, cameOf, nextAsked } from "./guess.js";
import { around, colourOf, markOf } from "./placing.js";
import { WordMatrix } from "./word_matrix.js";
import { WordPlane } from "./word_plane.js";

const COMING = "During training, words that are used alike move together.";
const [PART, FORM, SKIP, MORE] = ["Part them", "▶ See the groups form", "Skip to the end", "Ask me another"];

/** Which of the nearest words looks farther from a word than it is, by its number: a less similar one lies closer on
 * the map. Of several the one that looks farthest. Null where the map deceives about none.
 *
 * at: the number of the word; near: of those nearest to it that are on the map; cosines: of every two words */
export function misplaced(at, near, cosines, places) {
  const far = (n) => Math.hypot(places[n][0] - places[at][0], places[n][1] - places[at][1]);
  const deceives = (n) => places.some((_, m) => m !== at && far(m) < far(n) && cosines[at][m] < cosines[at][n]);
  const farthest = (a, b) => (a === null || far(b) > far(a) ? b : a);
  return near.filter(deceives).reduce(farthest, null);
}

/** The same in a sentence; "" where it deceives about none. near: with -1 for one that is not on the map */
function distortion(at, near, { words, cosines, places, width }) {
  const on = near.filter((n) => n >= 0);
  const far = misplaced(at, on, cosines, places);
  if (far === null) return "";
  const closer = `“${words[far].label}” is closer to “${words[at].label}” than it looks`;
  return `A flat map distorts ${width} dimensions: ${closer}.`;
}

/** What the nearest of a word come to: how many are of its kind, or which one is the nearest.
 *
 * name: what the words of its kind are called in a sentence, if they are of one */
export function found({ label, kind, nearest }, name) {
  if (!nearest.length) return "No other row in this table.";
  const n = nearest.length;
  if (!name) return `Closest to “${label}” is “${nearest[0][0]}”: cosine ${fixed(nearest[0][2], 2)}.`;
  const own = nearest.filter((near) => near[3] === kind).length;
  if (n === 1) return `The word nearest to “${label}” is ${own ? "" : "not "}one of the ${name}.`;
  const words = `the ${numeral(n)} words nearest to “${label}”`;
  if (own === n) return `T${words.slice(1)} are all ${name}.`;
  if (!own) return `None of ${words} is one of the ${name}.`;
  return own === 1 ? `Of ${words}, one is among the ${name}.` : `Of ${words}, ${numeral(own)} are ${name}.`;
}

class WordMapView {
  constructor(root) {
    this.root = root;
    this.guess = null; // the number of the word that was pressed, while that stands for what is asked
    this.link = mirror((put) =>
      put(this.data.url, this.data.words[this.at].label, this.data.words[this.data.opens].label),
    );
    this.plane = new WordPlane(this);
    this.matrix = new WordMatrix(this);
    const n = (this.nodes = {});
    const onkeydown = (event) => this.key(event);
    const label = "Words: choose one to see its neighbours";
    n.labels = el("div", { role: "radiogroup", "aria-label": label, onkeydown });
    n.names = el("div");
    n.all = el("button.all", { hidden: true, onclick: () => this.zoomOn(null) }, "← All kinds");
    n.part = el("button.primary", { hidden: true, onclick: () => this.plane.again() }, FORM);
    const listeners = {
      onpointermove: (event) => this.move(event),
      onpointerleave: () => this.look(null),
      onclick: (event) => this.click(event),
    };
    n.time = slider("From before training to after", { max: 1, step: 0.01, class: "share-bar" }, (share) =>
      this.plane.lead(share),
    );
    n.course = el("div.course", el("span", "before training"), n.time, el("span", "after"));
    n.stage = el("div.stage", listeners, this.plane.node, this.matrix.node, n.labels, n.names, n.all);
    n.finding = el("p.finding");
    n.word = el("h2");
    n.from = el("p");
    n.nearest = el("ol.nearest");
    n.rings = el("p.rings");
    n.pair = el("p.pair");
    n.scale = el("div.scale", "−1", el("i"), "1");
    n.key = el("ul.key");
    n.about = el("div", n.word, n.from, n.nearest, n.rings, n.pair, n.scale);
    n.side = el("section.side", n.about, n.key);
    n.caption = el("p.caption");
    const headline = el("div.headline", n.finding, n.part);
    root.replaceChildren(headline, el("div.both", n.stage, n.side, n.course, n.caption));
    this.watch = new ResizeObserver(() => this.data && !this.fits() && this.layOut(false));
    this.watch.observe(n.stage);
  }

  update(data) {
    const before = this.data;
    const has = before && String(before.words.map((w) => w.id)) === String(data.words.map((w) => w.id));
    const same = has && before.show === data.show;
    this.data = data;
    if (!same) this.takeWords(has);
    const { nodes: n } = this;
    const isMap = data.show === "map";
    n.stage.className = `stage ${data.show}`;
    this.plane.node.toggleAttribute("hidden", !isMap);
    this.matrix.node.hidden = isMap;
    n.names.toggleAttribute("inert", !isMap);
    n.part.hidden = n.course.hidden = !this.isTimed;
    n.caption.textContent = data.caption;
    n.scale.hidden = isMap;
    const mark = (at) => svg("svg", { viewBox: "-7 -7 14 14", "aria-hidden": "true" }, svg("path", { d: markOf(at) }));
    n.key.replaceChildren(
      ...data.kinds.map((kind, at) => el("li", { style: `color:${colourOf(at)}` }, mark(at), kind)),
    );
    this.near = data.words.map((word) => word.nearest.map(([, id]) => this.placeOf(id)));
    this.hovered = null;
    this.layOut(same && isMap);
    this.asks ||= !before && isMap && Boolean(data.before && this.width) && param(data.url) === null;
    if (this.asks && !before) this.plane.mix();
  }

  /** A word of another kind is asked about. */
  another() {
    this.take(nextAsked(this.at, this.data.words, this.data.kinds));
  }

  /** Another word is the one that all is said of, and no guess stands any more. */
  take(at) {
    Object.assign(this, { at, guess: null, hovered: null });
  }

  /** Whether the words can be led through the training: all of them, on the map, of a model that was trained. */
  get isTimed() {
    return this.data.show === "map" && Boolean(this.data.before) && (this.zoomed ?? null) === null;
  }

  /** How far the words have come is how far their slider stands. */
  timed(share) {
    this.nodes.time.value = share;
    this.nodes.time.style.setProperty("--w", `${100 * share}%`);
  }

  // ---- a closer look at one kind ------------------------------------------------------------------------------

  /** What the map shows: all of it, or the words of one kind and what lies between them. */
  get bounds() {
    const { words, places, bounds } = this.data;
    const own = places.filter((_, n) => words[n].kind === this.zoomed);
    return own.length ? around(own, bounds) : bounds;
  }

  zoomOn(kind) {
    const from = this.zoomed;
    this.zoomed = kind;
    this.nodes.all.hidden = kind === null;
    this.nodes.part.hidden = this.nodes.course.hidden = !this.isTimed;
    this.root.dataset.zoomed = this.data.kinds[kind] ?? "";
    this.layOut(true);
    const focused = kind === null ? this.nodes.names.children[from] : this.nodes.all;
    focused?.focus({ preventScroll: true });
  }

  /** What makes the name of a kind a button that brings it nearer. */
  zoomer(kind) {
    const title = kind === this.zoomed ? "Show all kinds" : `Look closer at ${this.data.kinds[kind]}`;
    const onclick = (event) => {
      event.stopPropagation();
      this.zoomOn(kind === this.zoomed ? null : kind);
    };
    return { style: `color:${colourOf(kind)}`, title, "aria-pressed": String(kind === this.zoomed), onclick };
  }

  /** Where the word of this id stands in the list, or -1. */
  placeOf(id) {
    return this.data.words.findIndex((word) => word.id === id);
  }

  /** A button for each word; has: whether they are the same as before. */
  takeWords(has) {
    const { words, at, url } = this.data;
    const asked = param(url);
    const found = words.findIndex((word) => word.label === asked);
    if (!has) this.take(found >= 0 ? found : at);
    this.buttons = words.map(({ kind, label }, n) => {
      const onpointerenter = (event) => this.isRest(event) || this.look(n);
      const onclick = (event) => {
        event.stopPropagation();
        this.pressedAt = [event.clientX, event.clientY];
        this.choose(n);
      };
      const listeners = { onpointerenter, onfocus: () => this.look(n), onblur: () => this.look(null), onclick };
      return el("button", { role: "radio", dir: "auto", style: `color:${colourOf(kind)}`, ...listeners }, label);
    });
    this.nodes.labels.replaceChildren(...this.buttons);
    this.plane.forget();
    this.zoomed = null;
    this.nodes.all.hidden = true;
  }

  /** Whether what is drawn has the size of the stage; a matrix sets the height itself. */
  fits() {
    const { clientWidth, clientHeight } = this.nodes.stage;
    return this.width === clientWidth && (this.data.show === "matrix" || this.height === clientHeight);
  }

  layOut(isMoving) {
    const { stage } = this.nodes;
    stage.style.height = "";
    this.width = stage.clientWidth;
    this.height = stage.clientHeight;
    if (!this.width) return;
    if (this.data.show === "map") this.plane.layOut(isMoving);
    else this.matrix.layOut();
    this.mark();
  }

  // ---- what is looked at --------------------------------------------------------------------------------------

  /** [row, column] of the matrix, or [the nearest word] of the map, or null. */
  find(event) {
    const shown = this.data.show === "matrix" ? this.matrix : this.plane;
    return shown.find(pointIn(event, this.nodes.stage));
  }

  /** Whether the pointer is where it pressed: what has come to it since is not pointed at. */
  isRest({ clientX, clientY }) {
    return String(this.pressedAt) === String([clientX, clientY]);
  }

  move(event) {
    if (this.isRest(event) || event.target.closest("button")) return;
    const found = this.find(event);
    this.look(found && found[0], found?.[1]);
  }

  click(event) {
    const found = this.find(event);
    this.pressedAt = [event.clientX, event.clientY];
    if (found) this.choose(found[0]);
  }

  look(n, column) {
    if (this.plane.isMoving || (n === this.hovered && column === this.column)) return;
    this.hovered = n;
    this.column = column;
    this.mark();
  }

  /** While the words wait to be parted, a press is a guess, and parts them. */
  choose(n) {
    const { waits } = this.plane;
    if (waits && n === this.at) return;
    this.take(waits ? this.at : n);
    if (waits) this.guess = n;
    if (waits) this.plane.again();
    this.mark();
    this.link.later();
  }

  key(event) {
    const { waits } = this.plane;
    const to = inRow(event, waits ? this.buttons.indexOf(event.target) : this.at, this.data.words.length);
    if (to === null) return;
    if (!waits) this.choose(to);
    this.buttons[to].focus({ preventScroll: true });
  }

  mark() {
    const { data } = this;
    const { waits } = this.plane;
    const at = waits ? this.at : (this.hovered ?? this.at);
    const near = waits ? [] : this.near[at]; // who is near is the answer
    const isMap = data.show === "map";
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === this.at));
      button.tabIndex = i === this.at ? 0 : -1;
      button.classList.toggle("on", i === at);
      button.classList.toggle("near", isMap && i !== at && near.includes(i));
      button.classList.toggle("guess", isMap && i === this.guess);
    });
    const column = this.hovered === null ? undefined : this.column;
    if (isMap) this.plane.mark(at, near, waits ? this.hovered : at === this.at ? this.guess : null);
    else this.matrix.mark(at, column);
    this.describe(at, column);
    this.root.dataset.at = at;
    this.root.dataset.word = data.words[at].label;
    this.root.dataset.show = data.show;
  }

  /** What is asked while the words wait to be parted, and what is found: true of the trained words, where they come to
   * stand. */
  tell(at, waits) {
    const { data, nodes: n, guess, root } = this;
    const word = data.words[at];
    const isApart = root.dataset.parted !== undefined;
    const came = guess === null || at !== this.at ? "" : `${cameOf(at, guess, data.words, data.cosines)} `;
    const near = came + found(word, data.nouns[word.kind]);
    write(n.finding, waits ? askedOf(word.label) : isApart ? COMING : near);
    write(n.part, waits ? PART : isApart ? SKIP : this.asks ? MORE : FORM);
    n.about.hidden = isApart && !waits;
    n.key.hidden = !isApart || waits;
    root.classList.toggle("waits", waits);
  }

  describe(at, column) {
    const { data, nodes: n } = this;
    const word = data.words[at];
    const waits = Boolean(this.plane.waits);
    const kind = waits ? undefined : data.kinds[word.kind];
    this.tell(at, waits);
    n.word.replaceChildren(word.label, kind ? el("small", { style: `color:${colourOf(word.kind)}` }, kind) : "");
    const from = waits ? "The nearest after training" : `Most similar of ${data.table} (cosine)`;
    n.from.textContent = word.nearest.length ? from : "";
    n.nearest.replaceChildren(
      ...word.nearest.map((neighbour) => (waits ? el("li", el("span.label", "?")) : this.neighbour(neighbour))),
    );
    const hasRings = data.show === "map" && this.plane.hasGuests;
    const why = [el("i", { "aria-hidden": "true" }), `Ring: here only as a neighbour of “${word.label}”.`];
    n.rings.replaceChildren(...(hasRings ? why : []));
    if (data.show === "map") n.pair.textContent = waits ? "" : distortion(at, this.near[at], data);
    else n.pair.replaceChildren(...this.matrix.said(at, column));
  }

  /** A line of the list: the word, which can be chosen where it is on the map, and its cosine. */
  neighbour([label, id, cosine, kind]) {
    const on = this.placeOf(id);
    const props = { dir: "auto", title: `id ${id}` };
    const style = kind < 0 ? "" : `color:${colourOf(kind)}`;
    const name =
      on < 0
        ? el("span.label", { ...props, style }, label)
        : el("button.label", { ...props, style, onclick: () => this.choose(on) }, label);
    const isOff = on < 0 && this.data.show === "map" && !this.plane.isGuest(id);
    const row = [name, el("span.where", isOff ? "not on the map" : ""), el("span.number", fixed(cosine, 2))];
    return el(isOff ? "li.off" : "li", ...row);
  }

  destroy() {
    this.watch.disconnect();
    this.plane.forget();
  }
}

export default mount(".word-map", WordMapView);
