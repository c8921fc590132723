// Words on a plane; the one that is hovered over or chosen shows its neighbours.

import { el, fixed, mirror, mount, param, pointIn, numeral, write } from "../../../../attention_view/lab.js";
import { inRow, slider } from "../../../../attention_view/controls.js";
import { askedOf, cameOf, nextAsked } from "./guess.js";
import { around, colourOf } from "./placing.js";
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

/** Of how many words the most similar one of the whole table, on the map or not, is of their own kind. */
export function gathered(words) {
  const own = words.filter(({ kind, nearest: [first] }) => first?.[3] === kind).length;
  return `${own} of ${words.length} words are closest to one of their own kind. Nobody told the model of kinds.`;
}

class WordMapView {
  constructor(root) {
    this.root = root;
    this.guess = null; // the number of the word that was pressed, while that stands for what is asked
    this.link = mirror((put) =>
      put(this.data.url, this.data.words[this.at].label, this.data.words[this.data.opens].label),
    );
    this.plane = new WordPlane(this);
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
    n.stage = el("div.stage", listeners, this.plane.node, n.labels, n.names, n.all);
    n.finding = el("p.finding");
    n.caption = el("p.caption");
    const headline = el("div.headline", n.finding, n.part);
    root.replaceChildren(headline, el("div.both", n.stage, n.course, n.caption));
    this.watch = new ResizeObserver(() => this.data && !this.fits() && this.layOut(false));
    this.watch.observe(n.stage);
  }

  update(data) {
    const before = this.data;
    const has = before && String(before.words.map((w) => w.id)) === String(data.words.map((w) => w.id));
    this.data = data;
    if (!has) this.takeWords();
    const { nodes: n } = this;
    n.part.hidden = n.course.hidden = !this.isTimed;
    this.near = data.words.map((word) => word.nearest.map(([, id]) => this.placeOf(id)));
    this.hovered = null;
    this.layOut(has);
    this.asks ||= !before && Boolean(data.before && this.width) && param(data.url) === null;
    if (this.asks && !before) this.plane.mix();
  }

  /** A word of another kind is asked about. */
  another() {
    this.take(nextAsked(this.at, this.data.words, this.data.kinds));
    this.isChosen = false;
  }

  /** Another word is the one that all is said of, and no guess stands any more. */
  take(at) {
    Object.assign(this, { at, guess: null, hovered: null });
  }

  /** Whether the words can be led through the training: all of them, of a model that was trained. */
  get isTimed() {
    return Boolean(this.data.before) && (this.zoomed ?? null) === null;
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

  /** A button for each word. */
  takeWords() {
    const { words, at, url } = this.data;
    const asked = param(url);
    const found = words.findIndex((word) => word.label === asked);
    this.take(found >= 0 ? found : at);
    this.isChosen = found >= 0;
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

  /** Whether what is drawn has the size of the stage. */
  fits() {
    const { clientWidth, clientHeight } = this.nodes.stage;
    return this.width === clientWidth && this.height === clientHeight;
  }

  layOut(isMoving) {
    const { stage } = this.nodes;
    this.width = stage.clientWidth;
    this.height = stage.clientHeight;
    if (!this.width) return;
    this.plane.layOut(isMoving);
    this.mark();
  }

  // ---- what is looked at --------------------------------------------------------------------------------------

  /** The word that a pointer is on, by its number, or null. */
  find(event) {
    return this.plane.find(pointIn(event, this.nodes.stage));
  }

  /** Whether the pointer is where it pressed: what has come to it since is not pointed at. */
  isRest({ clientX, clientY }) {
    return String(this.pressedAt) === String([clientX, clientY]);
  }

  move(event) {
    if (this.isRest(event) || event.target.closest("button")) return;
    this.look(this.find(event));
  }

  click(event) {
    const found = this.find(event);
    this.pressedAt = [event.clientX, event.clientY];
    if (found !== null) this.choose(found);
  }

  look(n) {
    if (this.plane.isMoving || n === this.hovered) return;
    this.hovered = n;
    this.mark();
  }

  /** While the words wait to be parted, a press is a guess, and parts them. */
  choose(n) {
    const { waits } = this.plane;
    if (waits && n === this.at) return;
    this.take(waits ? this.at : n);
    this.isChosen = !waits;
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
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-checked", String(i === this.at));
      button.tabIndex = i === this.at ? 0 : -1;
      button.classList.toggle("on", i === at);
      button.classList.toggle("near", i !== at && near.includes(i));
      button.classList.toggle("guess", i === this.guess);
    });
    this.plane.mark(at, near, waits ? this.hovered : at === this.at ? this.guess : null);
    this.tell(at, waits);
    this.root.dataset.at = at;
    this.root.dataset.word = data.words[at].label;
  }

  /** What is asked while the words wait to be parted, and what is found: true of the trained words, where they come to
   * stand. */
  tell(at, waits) {
    const { data, nodes: n, root, plane } = this;
    const word = data.words[at];
    const isApart = root.dataset.parted !== undefined;
    write(n.finding, waits ? askedOf(word.label) : isApart ? COMING : this.outcome(at));
    write(n.part, waits ? PART : isApart ? SKIP : this.asks ? MORE : FORM);
    root.classList.toggle("waits", Boolean(waits));
    const rings = plane.hasGuests ? `Ring: here only as a neighbour of “${word.label}”. ` : "";
    const notes = isApart ? "" : rings + distortion(at, this.near[at], data);
    write(n.caption, data.before && notes ? notes : `${data.caption} ${notes}`);
  }

  /** What the trained words show: how a guess came out and who is near a word, or all of them at once. */
  outcome(at) {
    const { words, cosines, nouns } = this.data;
    const word = words[at];
    const isGuessed = this.guess !== null;
    const isAll = this.asks && !this.isChosen && !isGuessed && this.hovered === null && word.kind >= 0;
    if (isAll) return gathered(words);
    const came = isGuessed && at === this.at ? `${cameOf(at, this.guess, words, cosines)} ` : "";
    return came + found(word, nouns[word.kind]);
  }

  destroy() {
    this.watch.disconnect();
    this.plane.forget();
  }
}

export default mount(".word-map", WordMapView);
