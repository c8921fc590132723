// The picture of a file: a small map per head, a row per layer, and above them its sentence. As the file comes in, its
// heads fill one by one, and each draws a thread from the word that looks to the one that it looks at most.

import { boxOf, capital, counted, el, fixed, fromBase64, pointIn, put, svg } from "../../../../attention_view/lab.js";
import { inGrid, inRow, letGo } from "../../../../attention_view/controls.js";
import { gapOf, paintMaps } from "./maps.js";
import { cableOf, mostOf, threadOf, threadsOf } from "./threads.js";

export const KINDS = { cross: "cross-attention", encoder: "the encoder", decoder: "the decoder" };
const [MOST, WIDEST] = [240, 2.4]; // pixels of height for a head; how much wider than tall it may be
const NEAR = 60; // pixels above and below the heads in which a file that is pulled past still fills them
const ROOM = 16; // pixels from one name of a layer or a head to the next, at least
const MOST_OF_16 = 65535; // the attention weight 1, in 16 bits
const [LEFT, TOP] = [62, 22]; // pixels for the names of layers and of heads

/** How many pixels a head has in so much room, and the whole: {wide, tall, width, height}. All of the width is used,
 * unless heads would be drawn too flat. */
export function sizes({ layers, heads }, width, height) {
  const most = Math.max(2, Math.min(MOST, height / layers));
  const wide = Math.max(2, Math.min(width / heads, WIDEST * most));
  const tall = Math.min(most, WIDEST * wide);
  return { wide, tall, width: wide * heads, height: tall * layers };
}

/** The attention weights of a file: at(head, query) is the row of a query; most(head, query) what it looks at most, of
 * all keys: as mostOf() has it, and the token where it is not drawn. */
export function rowsOf({ maps, queries, keys, beyond = [] }) {
  const weights = new Uint16Array(fromBase64(maps).buffer);
  const at = (head, query) => {
    const start = (head * queries.length + query) * keys.length;
    return Array.from(weights.subarray(start, start + keys.length), (weight) => weight / MOST_OF_16);
  };
  const cut = new Map(beyond.map(([row, ...cell]) => [row, cell]));
  const most = (head, query) => cut.get(head * queries.length + query) ?? mostOf(at(head, query));
  return { weights, at, most };
}

/** Who looks where, of these heads: [[key, heads, token], ...], the key that most of them look at most first. */
export function votesOf(heads, mostIn) {
  const votes = new Map();
  for (const head of heads) {
    const [key, , token] = mostIn(head);
    if (key < 0) continue;
    if (!votes.has(key)) votes.set(key, [key, [], token]);
    votes.get(key)[1].push(head);
  }
  return [...votes.values()].sort((a, b) => b[1].length - a[1].length);
}

const word = (kind, token) => ["“", el(`b.${kind}`, token), "”"];

export class Wall {
  /** changed() hears that another head is lit or under the pointer, or another word asks. */
  constructor(changed) {
    this.changed = changed;
    this.names = svg("svg.names", { "aria-hidden": "true" });
    this.maps = el("canvas.maps", { "aria-hidden": "true" });
    this.heads = el("div.heads", { role: "radiogroup", "aria-label": "Heads" });
    this.heads.onkeydown = (event) => this.step(event);
    this.heads.onpointerdown = letGo;
    this.heads.onpointerleave = () => this.point(null);
    this.asking = el("p.words"); // the other text, where there is one
    this.words = el("p.words");
    this.cables = svg("g.cables");
    this.own = svg("g");
    const arcs = svg("svg.arcs", { "aria-hidden": "true" }, this.cables, this.own);
    const onkeydown = (event) => this.walk(event);
    this.sentence = el("div.sentence", { "data-figure": "", onkeydown }, this.asking, this.words, arcs);
    this.sentence.onpointerleave = () => this.point(null);
    this.hint = el("p.hint", { "aria-hidden": "true" }, "pull a file in here");
    this.cells = el("div.cells", this.names, this.maps, this.heads, this.hint);
    this.node = el("div.wall", this.cells);
  }

  /** one: the file; lit, asks: the numbers of the head, if one is lit, and of the word that looks, null for the one
   * that it opens on; height: of the sentence and all heads together, least: of the heads */
  show(one, [lit, asks], height, least) {
    const { width } = boxOf(this.node);
    if (!width) return;
    this.one = one;
    Object.assign(this, { lit, pointed: null, over: null, all: one.layers * one.heads });
    this.opens = one.heads > 2 ? one.layers : 0; // heads that are out at first, a column: what pulling it will do
    this.filled = Math.min(this.filled ?? this.opens, this.all);
    this.asks = asks < one.queries.length ? (asks ?? one.asks) : one.asks;
    if (this.made !== madeOf(one)) this.make(one);
    this.mark(); // how tall the sentence is, its threads say
    const size = sizes(one, width - LEFT, Math.max(least, height - boxOf(this.sentence).height) - TOP);
    this.cells.style.cssText = `width:${size.width}px;height:${size.height}px`;
    paintMaps(this.maps, one, this.rows.weights, size);
    const { wide, tall } = size;
    const gap = gapOf(size);
    for (const [n, button] of [...this.heads.children].entries()) {
      const [layer, head] = this.place(n);
      const top = size.height - tall * (layer + 1) + gap;
      const [w, h] = [wide - gap, tall - gap];
      button.style.cssText = `left:${wide * head}px;top:${top}px;width:${w}px;height:${h}px;--gap:${gap}px`;
    }
    this.label(size);
    this.mark();
  }

  // ---- how much of the file is in ---------------------------------------------------------------------------------

  /** The first so many heads are out of the file. */
  fill(n) {
    this.set({ filled: n });
  }

  set(change) {
    Object.assign(this, change);
    this.mark();
    this.changed();
  }

  /** As many heads as lie behind the file that is pulled to where the pointer is. */
  reach(event) {
    const [x, y] = pointIn(event, this.cells);
    const { width, height } = boxOf(this.cells);
    this.pointed = null; // it is the file that is over a head
    if (y > -NEAR && y < height + NEAR) this.fill(Math.round(this.all * Math.min(1, Math.max(0, x / width))));
  }

  get isFull() {
    return this.filled === this.all;
  }

  /** Whether the nth head is out of the file: they come one by one, from the lowest layer up, column by column. */
  isIn(n) {
    const [layer, head] = this.place(n);
    return n >= 0 && head * this.one.layers + layer < this.filled;
  }

  // ---- which head, and which word -----------------------------------------------------------------------------------

  /** The layer and the head of the nth. */
  place(n) {
    return [Math.floor(n / this.one.heads), n % this.one.heads];
  }

  make(one) {
    this.made = madeOf(one);
    const hands = (n) => ({ onclick: () => this.light(n), onpointerenter: () => this.point(n) });
    const button = (_, n) => el("button", { role: "radio", "aria-label": this.name(n), ...hands(n) });
    this.rows = rowsOf(one);
    this.heads.replaceChildren(...Array.from({ length: this.all }, button));
    const asks = (n) => ({ role: "radio", onclick: () => this.ask(n), onpointerenter: () => this.point(null, n) });
    const asking = one.queries.map((token, n) => el("button", asks(n), token));
    const keys = one.is_one_text ? asking : one.keys.map((token) => el("span", token));
    const queries = one.is_one_text ? [] : asking;
    this.parts = { asking, keys, all: [...queries, ...keys] };
    const [chooser, other] = one.is_one_text ? [this.words, this.asking] : [this.asking, this.words];
    put(chooser, { role: "radiogroup", "aria-label": "Words that look" });
    for (const name of ["role", "aria-label"]) other.removeAttribute(name);
    this.asking.replaceChildren(...queries);
    this.words.replaceChildren(...keys);
    this.sentence.classList.toggle("two", !one.is_one_text);
    this.sentence.classList.toggle("long", Math.max(keys.length, queries.length) > 18);
  }

  name(n) {
    const [layer, head] = this.place(n);
    return `layer ${layer}, head ${head}`;
  }

  /** The head whose threads are seen; null for those of all. */
  get seen() {
    return this.pointed ?? (this.over === null ? this.lit : null);
  }

  /** The word that looks: the one under the pointer, or the one that was pressed. */
  get who() {
    return this.over ?? this.asks;
  }

  light(n) {
    this.endPour?.(); // all of the file is in
    this.set({ lit: n === this.lit ? null : n, pointed: null, filled: this.all });
  }

  /** What is under the pointer: a head, or a word that looks; null for neither. */
  point(pointed, over = null) {
    if (this.pointed !== pointed || this.over !== over) this.set({ pointed, over });
  }

  step(event) {
    const { layers, heads } = this.one;
    const [layer, head] = this.place([...this.heads.children].indexOf(event.target));
    const to = inGrid(event, [layers - 1 - layer, head], [layers, heads]);
    if (!to) return;
    const n = (layers - 1 - to[0]) * heads + to[1];
    if (n !== this.lit) this.light(n);
    this.heads.children[n].focus();
  }

  /** Another word looks, in all heads. */
  ask(n) {
    this.set({ asks: n, lit: null, over: null });
  }

  walk(event) {
    const to = inRow(event, this.asks, this.one.queries.length);
    if (to === null) return;
    this.ask(to);
    this.parts.asking[to].focus();
  }

  // ---- what is drawn, and said of it ------------------------------------------------------------------------------

  /** Where the heads that are out of the file look, as of votesOf(). */
  get votes() {
    const heads = [...Array(this.all).keys()].filter((n) => this.isIn(n));
    return votesOf(heads, (head) => this.rows.most(head, this.who));
  }

  /** Of these votes the two that are told: most of them, and those that agree with the head that the file names, if it
   * names one that is not among the first, or else the next. */
  toldOf([most, ...others]) {
    const [key] = this.one.named ? this.rows.most(this.one.named, this.who) : [];
    return [most, others.find((vote) => vote[0] === key) ?? others[0]].filter(Boolean);
  }

  mark() {
    const { seen, who } = this;
    this.hint.hidden = this.isFull || this.filled > this.opens;
    const votes = this.votes;
    const named = this.isFull ? this.toldOf(votes) : [];
    const most = seen === null ? null : this.rows.most(seen, who);
    this.markHeads(named[1]?.[1] ?? []);
    this.markWords((most ? [most] : named).map(([key]) => this.parts.keys[key]));
    this.draw(votes, most);
  }

  /** framed: the heads that are told of. */
  markHeads(framed) {
    const { lit, pointed, one } = this;
    const first = lit ?? one.heads * (one.layers - 1);
    const kindOf = (n) => (n === pointed ? "seen" : framed.includes(n) ? "also" : "");
    for (const [n, button] of [...this.heads.children].entries()) {
      const kind = this.isIn(n) ? kindOf(n) : "away";
      put(button, { "aria-checked": String(n === lit), tabindex: n === first ? "0" : "-1", class: kind });
    }
  }

  markWords(lookedAt) {
    const { asking, all } = this.parts;
    const kindOf = (word) => (word === asking[this.who] ? "query" : lookedAt.includes(word) ? "key" : "");
    for (const word of all) put(word, { class: kindOf(word) });
    for (const [n, word] of asking.entries())
      put(word, { "aria-checked": String(n === this.asks), tabindex: n === this.asks ? "0" : "-1" });
  }

  /** The question, or what one head does or all of them, as parts of a sentence. kind: of attention, where there are
   * several, as the beginning of a sentence. */
  told(kind) {
    const { one, seen, who, filled, all } = this;
    const query = word("query", one.queries[who]);
    const keyOf = ([key, , token]) =>
      one.is_one_text && key === who
        ? ["itself"]
        : [...word("key", token ?? one.keys[key]), ...(token === undefined ? [] : [" (not drawn)"])];
    if (seen !== null) {
      const most = this.rows.most(seen, who);
      const weight = el("b.weight", fixed(most[1]));
      const several = most[1] ? [" looks equally at several words, ", weight, " each."] : [" looks at nothing."];
      const looks = most[0] < 0 ? several : [" looks most at ", ...keyOf(most), ", ", weight, "."];
      return [capital(kind + this.name(seen)), ": ", ...query, ...looks];
    }
    if (filled <= this.opens && !this.isFull)
      return [capital(`${kind}where ${all === 1 ? "does" : "do"} ${counted(all, "head")} look from `), ...query, "?"];
    const [most, other] = this.toldOf(this.votes);
    if (!most) {
      const isAny = [...Array(all).keys()].some((n) => this.isIn(n) && this.rows.most(n, who)[1]);
      const where = isAny ? " at no word more than at all others." : " at nothing.";
      return [capital(kind), `${counted(filled, "head")} ${filled === 1 ? "looks" : "look"} from `, ...query, where];
    }
    const count = ([, heads]) => el("b.weight", String(heads.length));
    const noWord = one.marks.includes(most[0]) ? ", which is no word" : "";
    const few = ([, heads]) => (5 * heads.length < most[1].length ? "; only " : "; ");
    const look = most[1].length === 1 ? "looks" : "look";
    const heads = counted(filled, "head");
    const start = [capital(kind), count(most), ` of ${heads} ${look} from `, ...query, " at "];
    return [
      ...start,
      ...keyOf(most),
      noWord,
      ...(other ? [few(other), count(other), " at ", ...keyOf(other)] : []),
      ".",
    ];
  }

  /** A thread per head that is out, from the word that looks to the one that it looks at most; or all those of one. */
  draw(votes, most) {
    const { one, seen, who } = this;
    const { asking, keys, all } = this.parts;
    const tops = [...new Set(all.map((word) => word.offsetTop))].sort((a, b) => a - b);
    this.sentence.classList.toggle("broken", tops.length > 1);
    this.sentence.classList.toggle("halved", tops.length === 2); // few lines, with much between them
    const place = ({ offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height }) => [
      left + width / 2,
      top + height,
      top,
      tops.indexOf(top),
      width,
    ];
    const [last, from] = [tops.length - 1, asking[who]];
    const isDrawn = ([key]) => keys[key] && keys[key] !== from;
    const cables = votes
      .filter(isDrawn)
      .flatMap(([key, heads]) => cableOf(place(from), place(keys[key]), last, heads.length));
    const threads = seen === null ? [] : threadsOf(this.rows.at(seen, who), one.is_one_text ? who : null, most);
    const own = threads.map(([j, weight]) => {
      const d = threadOf(place(from), place(keys[j]), last, j === most[0]);
      return d && svg("path", { d, "stroke-width": (1 + 7 * weight).toFixed(1) });
    });
    this.cables.replaceChildren(...cables.map((d) => svg("path", { d })));
    this.cables.classList.toggle("behind", seen !== null);
    this.own.replaceChildren(...own.filter(Boolean));
  }

  /** The names beside the rows, which are layers, and above the columns, which are heads. */
  label({ wide, tall, width, height }) {
    const { layers, heads } = this.one;
    put(this.names, { width, height });
    const name = (kind, words, x, y) => svg(`text.${kind}`, { x, y }, words);
    const every = (length, gap) => {
      const step = Math.ceil(ROOM / gap);
      return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step);
    };
    const layer = (n) => name("end", `layer ${n}`, -10, height - tall * (n + 0.45) + 5);
    const head = (n) => name("middle", n, wide * (n + 0.45), -7);
    const above = [name("end", "head", -10, -7), ...every(heads, wide / 1.4).map(head)];
    this.names.replaceChildren(...every(layers, tall).map(layer), ...above);
  }
}

/** What tells one picture from another. */
const madeOf = ({ digest, name, kind }) => digest + name + kind;
