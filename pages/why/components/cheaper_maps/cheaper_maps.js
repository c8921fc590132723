// What a cheaper attention cannot see: a review with an arc from a word to the words it looks at, solid where the
// cheaper way still sees them, dashed where it does not. A frame shows the word's window, whose grips a hand drags;
// once it is wide enough for the review to be read right, the other ways come on cards.

import {
  boxOf,
  el,
  mirror,
  mount,
  param,
  pointIn,
  put,
  rewrite,
  strength,
  svg,
  unpack,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { Frame, VALUES } from "./frame.js";
import { inLine } from "./line.js";
import { arcsOf, DRAWN, flipOf, LOST, looking, narrowed, opening, sizeFor, split, windowed } from "./kept.js";
import { sharing } from "./sharing.js";
import { worth, explained, found, nextSaid, Ways } from "./ways.js";

const WIDE = 700, // pixels from which on the review is one line
  AROUND = 146, // of what is above the figure, and of what is to stay free below it
  TALL = 0.42, // of the width, how tall the arcs may be
  BELOW = 76, // of the line of words
  ROW = 36, // of a word where each has its own line
  SIDE = 104, // of the words then
  BESIDE = 9, // pixels between what is seen and what is missed of one cell
  BEAT = 3000, // milliseconds of the first beat: full attention, and then the window closes
  WHOLE = 900, // of it, in which full attention is seen
  STEP = 150, // from one width to the next
  SHARED = ["full: each head keeps its own", "shared: one set for all heads"]; // keys and values

/** The size of those ways that are not chosen, for the address bar: that of the chosen is there as a setting. */
export function writeSizes(set, { chosen, size, others }) {
  const isWindow = ["full", "window"].includes(chosen);
  set("why_variants_window", isWindow ? null : size, others);
  set("why_variants_others", isWindow ? others : null, size);
}

/** The first beat: a window over the whole review, and then it closes. */
function closing(view) {
  const { size } = view;
  let timer;
  const narrow = () => {
    if (view.size === size) return;
    view.size -= 1;
    view.show();
    timer = setTimeout(narrow, STEP);
  };
  const begin = () => {
    view.root.dataset.beat = "ways";
    view.size = view.n;
    view.show();
    timer = setTimeout(narrow, WHOLE);
  };
  const end = () => {
    clearTimeout(timer);
    delete view.root.dataset.beat;
    view.size = size;
    view.show();
  };
  return firstBeat("ways", BEAT, begin, end);
}

export class CheaperMaps {
  constructor(root) {
    this.root = root;
    this.presses = new Presses(() => (this.follow(), this.show()));
    this.held = 0;
    this.ways = new Ways((at) => this.take(at));
    this.finding = el("p.finding", { role: "status" });
    this.sentence = el("p.sentence");
    this.act = el("button.primary", { onclick: () => this.onward() });
    this.lost = el("span");
    this.dashed = el("span", el("i.mark.lost"), this.lost);
    this.arcs = svg("g.arcs");
    this.words = svg("g.words", {
      onkeydown: (event) => {
        const to = inRow(event, this.held, this.n);
        if (to === null) return;
        this.touch();
        this.hold(to);
      },
    });
    this.frame = new Frame(
      (side, event) => this.resize(sizeFor(this.held, side, this.wordAt(event), this.n)),
      (by) => this.resize(sizeFor(0, 1, this.reach - 1 + by, this.n)),
      () => this.tell(),
    );
    this.verdict = el("p.verdict", { role: "status" });
    this.plot = svg(
      "svg.plot",
      {
        onpointerdown: (event) => {
          if (event.button) return;
          this.at(event); // before anything that comes with the first touch can move the words
          this.touch();
          drag(
            (move) => this.at(move),
            () => {},
          );
        },
      },
      this.frame.node,
      this.arcs,
      this.words,
      ...this.frame.grips,
    );
    const legend = el("p.legend", el("span", el("i.mark.seen"), "where the word looks"), this.dashed);
    this.told = el("div.told", this.verdict, legend);
    const headline = el("div.headline", this.finding, this.act);
    root.replaceChildren(headline, this.told, this.sentence, this.ways.node, this.plot);
    this.link = mirror((set) => writeSizes(set, this.header));
    this.resized = () => this.header && this.layOut();
  }

  update(bytes, { setTriggerValue }) {
    this.send = (pressed) => setTriggerValue("variant", pressed);
    const isFirst = !this.header;
    if (this.bytes !== bytes) {
      this.endBeat?.(); // that of other numbers
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      const names = ({ ways }) => String(ways.map(({ name }) => name));
      const isNew = !this.header || names(this.header) !== names(header);
      this.header = header;
      this.maps = arrays.maps;
      this.n = arrays.maps.shape[1];
      this.tokens = Array.from({ length: this.n }, (_, at) => header.words[at] ?? String(at));
      this.held = Math.min(this.held, this.n - 1);
      this.flip = flipOf(header);
      if (isFirst) this.isOpen = param("why_variant") !== null;
      if (isFirst) this.isFresh = this.isClosed(header.chosen) && param("why_variants_size") === null;
      if (this.presses.isNews([header.chosen, header.size]) || isNew) this.follow();
      if (isNew) this.ways.build(header);
      if (isFirst) this.held = opening(this.tokens, this.weights(0), this.size);
    }
    this.show();
    this.link.later();
    this.root.dataset.painted = "true";
    if (isFirst && this.chosen === this.numberOf("window") && param("why_variant") === null)
      this.endBeat = closing(this);
  }

  follow() {
    Object.assign(this, { chosen: this.numberOf(this.header.chosen), size: this.header.size });
  }

  numberOf(name) {
    return this.header.ways.findIndex((way) => way.name === name);
  }

  /** Whether the window is all there is so far: a review is read, and no other way was ever taken. */
  isClosed(name) {
    return name === "window" && this.header.words.length > 0 && !this.isOpen;
  }

  destroy() {
    this.endBeat?.();
  }

  /** What is told of a way; of the window, as wide as it is now. */
  way(at) {
    const way = this.header.ways[at],
      { windows } = this.header;
    return way.name === "window" ? { ...way, ...windows[this.size - windows[0].size] } : way;
  }

  /** The weights of a way; the first is full attention. */
  weights(at) {
    const cells = this.n ** 2;
    if (this.header.ways[at].name === "window") return windowed(this.weights(0), this.n, this.size);
    return this.maps.subarray(at * cells, (at + 1) * cells);
  }

  /** How wide the frame is: as wide as the window, or as the text; null where none can be drawn. */
  get reach() {
    const { name } = this.header.ways[this.chosen];
    return name === "window" ? this.size : name === "full" ? this.n : null;
  }

  /** The button: a wider window until the review is read right, and then one other way after the other. */
  onward() {
    const { name } = this.header.ways[this.chosen];
    if (!this.isClosed(name) || this.size >= this.flip) return this.take(this.next);
    this.resize(this.size + 1);
    this.tell();
  }

  /** A hand has come: until then one word, its window and the verdict are enough to see. */
  touch() {
    if (!this.isFresh) return;
    this.isFresh = false;
    this.show();
  }

  take(at) {
    this.touch();
    if (at === this.chosen) return;
    Object.assign(this, { chosen: at, isOpen: true });
    this.show();
    this.tell();
  }

  /** The window is as wide as a hand makes it; full attention then becomes one. */
  resize(size) {
    this.touch();
    if (size === this.reach) return;
    Object.assign(this, { chosen: this.numberOf("window"), size });
    this.show();
  }

  /** The settings follow. */
  tell() {
    const pressed = [this.header.ways[this.chosen].name, this.size];
    this.presses.add(pressed);
    this.send(pressed);
  }

  /** The cards, the sentences, and what is kept and lost. */
  show() {
    const { ways, largest } = this.header;
    const way = this.way(this.chosen);
    const at = this.ways.show(this.chosen, (n) => this.way(n));
    const { carded } = this.ways;
    this.next = at === -1 ? this.numberOf("window") : carded[(at + 1) % carded.length];
    const isClosed = this.isClosed(way.name);
    const parts = found(way, this.header.n_reviews).map((part) => (Array.isArray(part) ? el("b", ...part) : part));
    if (!isClosed) rewrite(this.finding, ...parts);
    write(this.sentence, (isClosed ? worth : explained)(way, this.header.n_reviews));
    this.root.classList.toggle("fresh", this.isFresh);
    this.root.classList.toggle("closed", isClosed);
    const said = this.isFresh || this.size < this.flip ? "Widen the window" : "Other ways to save";
    write(this.act, isClosed ? said : nextSaid(at, carded.length));
    this.dashed.hidden = this.chosen === 0;
    write(this.lost, LOST[way.loses]);
    this.told.hidden = this.isUnknown;
    const usual = ways[0].says;
    const says = el("b", `${way.says} ${way.says === usual ? "✓" : "✗"}`);
    const verdict = [
      "The model says ",
      says,
      el("span.full", way.says === usual ? "" : ` With full attention: ${usual}.`),
    ];
    rewrite(this.verdict, ...(way.says ? verdict : []));
    Object.assign(this.root.dataset, { chosen: way.name, size: this.size });
    this.parts = split(this.weights(0), this.weights(this.chosen), this.n, largest);
    this.layOut();
  }

  /** The review in one line with its arcs above; a word per line with arcs at its side where there is no room. */
  layOut() {
    const { width } = boxOf(this.root);
    if (!width || !this.tokens) return;
    const isWide = (this.isWide = width >= WIDE);
    const above = boxOf(this.plot).top - boxOf(this.root).top;
    const room = Math.min(TALL * width, windowHeight(this.root) - AROUND - above);
    const height = isWide ? Math.max(230, room) : this.n * ROW + 16;
    const line = isWide ? inLine(this.tokens, width - 16) : null;
    this.edges = line ? line.edges.map((x) => x + 8) : Array.from({ length: this.n + 1 }, (_, at) => 8 + at * ROW);
    this.along = this.tokens.map((_, at) => (this.edges[at] + this.edges[at + 1]) / 2);
    put(this.plot, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.room = isWide ? height - BELOW - 10 : width - SIDE - 20;
    this.base = isWide ? height - BELOW : SIDE + 6;
    this.arcs.replaceChildren(...(this.isUnknown ? this.stores(width) : []));
    const place = (at) => (isWide ? { x: at, y: this.base + 33 } : { x: SIDE - 14, y: at + 6 });
    this.labels = this.tokens.map((token, at) => {
      const kind = isWide ? "text.middle" : "text.end";
      return svg(kind, { ...place(this.along[at]), "font-size": line?.letters.toFixed(1) ?? 17 }, token);
    });
    this.words.replaceChildren(...(this.isUnknown ? [] : this.labels));
    this.hold(this.held);
  }

  /** Whether nothing can be said of the chosen way before a new training. */
  get isUnknown() {
    return this.header.ways[this.chosen].missed === null;
  }

  /** What is kept for a word where every head has its own keys and values, and where all share one set. */
  stores(width) {
    const { n_heads } = this.header;
    const half = this.isWide ? width / 2 : width,
      high = this.isWide ? this.base : 230;
    return [false, true].map((isShared, n) => {
      const says = SHARED[Number(isShared)];
      const picture = sharing(isShared, n_heads, Math.min(half - 20, 460), high - 50);
      const [x, y] = this.isWide ? [n * half, 0] : [0, n * (high + 20)];
      return svg("g", { transform: `translate(${x} ${y})` }, svg("text.heading", { x: 0, y: 22 }, says), picture);
    });
  }

  /** From one word to another, or so far outside of that arc; to itself, a small loop. */
  arc(i, j, beside = 0) {
    const ends = i === j ? [this.along[i] - 9, this.along[i] + 9] : [this.along[i], this.along[j]];
    const long = Math.abs(ends[0] - ends[1]);
    const inner = Math.max(26, Math.min(long, this.room * (long / this.widest) ** 0.8));
    const lift = (4 / 3) * (inner + beside);
    const out = (ends[0] < ends[1] ? 1 : -1) * (beside / 2);
    const [a, b] = [ends[0] - out, ends[1] + out];
    const at = (along, up) => (this.isWide ? [along, this.base - up] : [this.base + up, along]);
    return `M${at(a, 0)}C${at(a, lift)} ${at(b, lift)} ${at(b, 0)}`;
  }

  /** The word at a pointer: the one whose room it is in. */
  wordAt(event) {
    const along = pointIn(event, this.plot)[this.isWide ? 0 : 1];
    return this.edges.slice(1, -1).filter((edge) => edge <= along).length;
  }

  at(event) {
    if (!this.isUnknown) this.hold(this.wordAt(event));
  }

  /** The word that looks: it has arcs, its window is framed, and what it cannot see steps back. */
  hold(word) {
    this.held = word;
    const { n } = this,
      { name, loses, says } = this.way(this.chosen),
      { largest } = this.header;
    const full = this.weights(0),
      cheaper = this.weights(this.chosen);
    const row = [...full.subarray(word * n, (word + 1) * n)];
    const most = row.indexOf(Math.max(...row));
    const far = row.map((w, at) => (w >= DRAWN * largest ? Math.abs(this.along[word] - this.along[at]) : 0));
    this.widest = Math.max(1, ...far);
    const cells = this.isUnknown ? [] : arcsOf(this.parts, n, largest).filter(([, i]) => i === word);
    const arcs = cells.map(([kind, i, j, w, isBeside]) => {
      const share = strength(w / largest);
      return svg(`path.${kind}`, { d: this.arc(i, j, isBeside ? BESIDE : 0), style: `--w: ${share.toFixed(2)}` });
    });
    if (!this.isUnknown) this.arcs.replaceChildren(...arcs);
    this.labels.forEach((label, at) => {
      label.classList.toggle("query", at === word);
      label.classList.toggle("key", at !== word && at === most);
      label.classList.toggle("shut", Number.isNaN(cheaper[word * n + at]));
    });
    this.frame.place(name, name === "window" ? this.size : this.header.others, this);
    if (this.isUnknown) {
      for (const name of ["role", "aria-label", "tabindex", ...VALUES]) this.words.removeAttribute(name);
      put(this.plot, { role: "img", "aria-label": SHARED.join("; ") });
      return;
    }
    const kept = this.parts.kept.slice(word * n, (word + 1) * n).reduce((a, b) => a + b, 0);
    const isShut = Number.isNaN(cheaper[word * n + most]);
    const [at, to] = [word, most].map((one) => `“${this.tokens[one]}”`);
    const looked = most === word ? "itself" : to;
    const said = looking(at, looked, { name: this.chosen ? name : null, loses, lost: 1 - kept, isShut });
    const window = { size: this.size, flip: this.flip, isShut, isRight: says === this.header.ways[0].says, said };
    if (this.isClosed(name)) write(this.finding, this.isFresh ? said : narrowed(at, looked, window));
    put(this.plot, { role: "group", "aria-label": this.header.words.length ? "The review" : "Random numbers" });
    put(this.words, { role: "slider", tabindex: 0, "aria-label": "The word that looks" });
    put(this.words, Object.fromEntries(VALUES.map((name, at) => [name, [0, n - 1, word, said][at]])));
  }
}

export default mount(".cheaper-maps", CheaperMaps);
