// The picture of a file: a small map per head, a row per layer, and above them its sentence. A dashed thread leads from
// the word that asks to another, and some heads draw it: one points at a map, or lights it, and sees its threads.

import { boxOf, el, fixed, fromBase64, put, rgb, still, strength, svg, theme } from "../../../../attention_view/lab.js";
import { inGrid, inRow } from "../../../../attention_view/controls.js";
import { arc, strand } from "../../../../attention_view/arcs.js";

export const KINDS = { cross: "cross-attention", encoder: "the encoder", decoder: "the decoder" };
const FAINTEST = 0.04; // of attention weight: what is less has no thread, if it is not the most
const SHALLOW = 12; // how deep a thread hangs, at most, where another line is below
const [MOST, WIDEST] = [240, 2.4]; // pixels of height for a head; how much wider than tall it may be
const FADED = 0.3; // how much is left of the layers where nothing is sought
const UNFOLDING = 900; // milliseconds
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

/** An arc between two places of one line, below it, deeper than the one of a text that is not the subject. */
export function archOf(from, to, y) {
  const deep = y + 12 + Math.min(46, 1.75 * Math.sqrt(Math.abs(to - from)));
  return `M${from} ${y}C${from} ${deep} ${to} ${deep} ${to} ${y}`;
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

/** The token that the asking one looks at most in a head, and with which weight: [key, weight]; [-1, 0] for none. */
export const mostOf = (row) => row.reduce((most, weight, j) => (weight > most[1] ? [j, weight] : most), [-1, 0]);

/** The keys that a thread leads to, the weakest first: [[key, weight], ...]. own: the token that asks, which has none
 * to itself; the one that is looked at most always has one. */
export function threadsOf(row, own, [most] = mostOf(row)) {
  const isSeen = ([j, weight]) => j !== own && (j === most || weight >= FAINTEST);
  return [...row.entries()].filter(isSeen).sort((a, b) => a[1] - b[1]);
}

/** The heads that a hunt is for, of so many: those that look most at `want`; where nothing is wanted, -1, those that
 * look furthest from the word that asks. None where all of them do. */
export function huntedOf(mostIn, heads, asks, want) {
  const most = Array.from({ length: heads }, (_, head) => mostIn(head, asks));
  const far = most.map(([key, weight]) => (weight ? Math.abs(key - asks) : -1));
  const isOne = (head) => (want < 0 ? far[head] === Math.max(...far) : most[head][0] === want);
  const found = [...most.keys()].filter(isOne).sort((a, b) => most[b][1] - most[a][1]);
  return found.length === heads ? [] : found;
}

/** Of the heads that are hunted for, the strongest first, the one to hint at: the first in a layer that has fewest. */
export function hintOf(hunted, heads) {
  const layer = (n) => Math.floor(n / heads);
  const others = (n) => hunted.filter((other) => layer(other) === layer(n)).length;
  return hunted.toSorted((a, b) => others(a) - others(b))[0];
}

/** A thread from one word to another, [middle, foot, top, line] each; null where lines of text lie between them and it
 * would cross their words, if it is not the one that counts. last: the number of the last line. */
export function threadOf(from, to, last, counts) {
  const [x, foot, , line] = from;
  const [end, , , other] = to;
  if (line === other) return line === last ? archOf(x, end, foot) : arc(x, end, foot, SHALLOW);
  return counts || Math.abs(line - other) === 1 ? strand(from.slice(0, 3), to.slice(0, 3)) : null;
}

const word = (kind, token) => ["“", el(`b.${kind}`, token), "”"];

export class Wall {
  /** changed() hears that another head is lit, or another word asks. */
  constructor(changed) {
    this.changed = changed;
    this.names = svg("svg.names", { "aria-hidden": "true" });
    this.maps = el("canvas.maps.from-left", { "aria-hidden": "true" });
    this.heads = el("div.heads", { role: "radiogroup", "aria-label": "Heads" });
    this.heads.onkeydown = (event) => this.step(event);
    this.heads.onpointerleave = () => this.point(null);
    this.heads.onpointermove = ({ target }) => this.point([...this.heads.children].indexOf(target));
    this.asking = el("p.words"); // the other text, where there is one
    this.words = el("p.words");
    this.arcs = svg("svg.arcs.from-left", { "aria-hidden": "true" });
    const onkeydown = (event) => this.walk(event);
    this.sentence = el("div.sentence", { "data-figure": "", onkeydown }, this.asking, this.words, this.arcs);
    this.cells = el("div.cells", this.names, this.maps, this.heads);
    this.node = el("div.wall", this.sentence, this.cells);
  }

  /** one: the file; lit, asks: the numbers of the head, if one is lit, and of the word that looks, null for the one
   * that it opens on; height: of the sentence and all heads together, least: of the heads */
  show(one, [lit, asks], height, least) {
    const { width } = boxOf(this.node);
    if (!width) return;
    this.one = one;
    Object.assign(this, { lit, pointed: null });
    this.asks = asks < one.queries.length ? (asks ?? one.asks) : one.asks;
    if (this.made !== madeOf(one)) this.make(one);
    this.hunt();
    this.mark(); // how tall the sentence is, its threads say
    const size = (this.size = sizes(one, width - LEFT, Math.max(least, height - boxOf(this.sentence).height) - TOP));
    this.paint(size);
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

  /** The heads rise, layer by layer. */
  unfold() {
    if (!still()) this.maps.animate([{ clipPath: "inset(100% 0 0)" }, { clipPath: "inset(0)" }], UNFOLDING);
  }

  /** The layer and the head of the nth. */
  place(n) {
    return [Math.floor(n / this.one.heads), n % this.one.heads];
  }

  make(one) {
    this.made = madeOf(one);
    const press = (n) => () => this.light(n);
    const button = (_, n) => {
      const name = this.name(n);
      return el("button", { role: "radio", "aria-label": name, title: name, onclick: press(n) });
    };
    this.rows = rowsOf(one);
    this.heads.replaceChildren(...Array.from({ length: one.layers * one.heads }, button));
    const asking = one.queries.map((token, n) => el("button", { role: "radio", onclick: () => this.ask(n) }, token));
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

  /** What is looked for, for the word that asks. */
  hunt() {
    const { layers, heads, wants } = this.one;
    this.want = wants[this.asks];
    this.hunted = huntedOf(this.rows.most, layers * heads, this.asks, this.want);
  }

  get isOver() {
    return this.isFound || !this.hunted.length;
  }

  get isFound() {
    return this.lit !== null && this.hunted.includes(this.lit);
  }

  /** The layer in which a head is sought: its maps show only the row of the word that asks. null once it is found, and
   * where any head of that layer is one. */
  get hinted() {
    if (this.isOver) return null;
    const { heads } = this.one;
    const [layer] = this.place(hintOf(this.hunted, heads));
    return this.hunted.filter((n) => this.place(n)[0] === layer).length < heads ? layer : null;
  }

  light(n) {
    Object.assign(this, { lit: n, pointed: null });
    this.paint(this.size);
    this.mark();
    this.changed();
  }

  /** The threads of the nth head, which is not lit by that; null or -1 for those of the one that is. */
  point(n) {
    const pointed = n < 0 ? null : n;
    if (this.pointed === pointed) return;
    this.pointed = pointed;
    this.mark();
  }

  step(event) {
    const { layers, heads } = this.one;
    const [layer, head] = this.place([...this.heads.children].indexOf(event.target));
    const to = inGrid(event, [layers - 1 - layer, head], [layers, heads]);
    if (!to) return;
    this.light((layers - 1 - to[0]) * heads + to[1]);
    this.heads.children[this.lit].focus();
  }

  /** Another word looks. */
  ask(n) {
    this.asks = n;
    this.hunt();
    this.paint(this.size);
    this.mark();
    this.changed();
  }

  walk(event) {
    const to = inRow(event, this.asks, this.one.queries.length);
    if (to === null) return;
    this.ask(to);
    this.parts.asking[to].focus();
  }

  kindOf(n) {
    if (this.isFound) return this.hunted.includes(n) ? "also" : "";
    return this.hinted === this.place(n)[0] ? "hinted" : "";
  }

  mark() {
    const { lit, asks, want } = this;
    const seen = this.pointed ?? lit;
    const first = lit ?? this.one.heads * (this.one.layers - 1);
    for (const [n, button] of [...this.heads.children].entries())
      put(button, { "aria-checked": String(n === lit), tabindex: n === first ? "0" : "-1", class: this.kindOf(n) });
    const row = seen === null ? null : this.rows.at(seen, asks);
    const most = row && this.rows.most(seen, asks);
    const key = row ? most[0] : want;
    const { asking, keys, all } = this.parts;
    for (const word of all) put(word, { class: word === asking[asks] ? "query" : word === keys[key] ? "key" : "" });
    for (const [n, word] of asking.entries())
      put(word, { "aria-checked": String(n === asks), tabindex: n === asks ? "0" : "-1" });
    const on = this.name(seen ?? -1).split(", ");
    for (const name of this.names.children) name.classList.toggle("on", on.includes(name.dataset.names));
    this.arcs.classList.toggle("light", seen !== lit);
    this.draw(row, most);
  }

  /** The question, or what the lit head does, as parts of a sentence. which: the word that the question begins with;
   * isOneOfMany: whether there are other kinds of attention. */
  told(which, isOneOfMany) {
    const { one, lit, asks, hunted, isFound } = this;
    const query = word("query", one.queries[asks]);
    if (lit === null) return this.asked(which, query);
    const [key, weight, beyond] = this.rows.most(lit, asks);
    const at = one.is_one_text && key === asks ? ["itself"] : word("key", beyond ?? one.keys[key]);
    const away = beyond === undefined ? "" : ", which is not drawn";
    const verdict = isFound ? "Found! In" : hunted.length ? "Not here: in" : "In";
    const start = `${verdict} ${isOneOfMany ? `${KINDS[one.kind]}, ` : ""}${this.name(lit)}, `;
    if (!weight) return [start, ...query, " looks at nothing."];
    return [start, ...query, " looks most at ", ...at, `${away}: `, el("b.weight", fixed(weight)), `.${this.others}`];
  }

  /** How many more heads are as the one that was found, and in which layers. */
  get others() {
    const layerOf = (n) => this.place(n)[0];
    const others = this.isFound ? this.hunted.filter((n) => n !== this.lit).map(layerOf) : [];
    if (!others.length) return "";
    const [layers, own] = [new Set(others), layerOf(this.lit)];
    const more = `${others.length}${layers.has(own) ? " more" : ""} head${others.length > 1 ? "s" : ""}`;
    const one = layers.has(own) ? "this layer" : `layer ${others[0]}`;
    const many = layers.has(own) ? "this layer and others" : "other layers";
    const look = `${others.length > 1 ? "look" : "looks"} ${this.want < 0 ? "as far" : "there"}, too`;
    return ` ${more} in ${layers.size > 1 ? many : one} ${look} (framed).`;
  }

  asked(which, query) {
    const { one, want, hinted } = this;
    const n = this.heads.children.length;
    const all = n > 1 ? `any of ${n} heads` : "the only head";
    if (!this.hunted.length) return [`Press ${all}: where does `, ...query, " look?"];
    const start = `${which} ${hinted === null ? `of ${n} heads` : `head of layer ${hinted}`} looks `;
    if (want < 0) return [start, "furthest from ", ...query, "?"];
    return [start, "from ", ...query, " at ", ...word("key", one.keys[want]), "?"];
  }

  /** Threads from the word that asks, across lines too: the dashed one that is looked for, and those of a head. */
  draw(row, most) {
    const { one, asks, want } = this;
    const { asking, keys, all } = this.parts;
    const tops = [...new Set(all.map((word) => word.offsetTop))].sort((a, b) => a - b);
    const place = (word) => {
      const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = word;
      return [left + width / 2, top + height, top, tops.indexOf(top)];
    };
    this.sentence.classList.toggle("broken", tops.length > 1);
    const path = (name, j, counts, props) => {
      const d = threadOf(place(asking[asks]), place(keys[j]), tops.length - 1, counts);
      return d && svg(`path.${name}`, { d, ...props });
    };
    const threads = row ? threadsOf(row, one.is_one_text ? asks : null, most) : [];
    const thick = (weight) => ({ pathLength: 1, "stroke-width": (1 + 7 * weight).toFixed(1) });
    const paths = threads.map(([j, weight]) => path("grow", j, j === most[0], thick(weight)));
    const wanted = want < 0 ? null : path("wanted", want, true);
    this.arcs.replaceChildren(...[wanted, ...paths].filter(Boolean));
  }

  /** The names beside the rows, which are layers, and above the columns, which are heads. */
  label({ wide, tall, width, height }) {
    const { layers, heads } = this.one;
    put(this.names, { width, height });
    const name = (kind, words, x, y, names) => svg(`text.${kind}`, { x, y, "data-names": names }, words);
    const every = (length, gap) => {
      const step = Math.ceil(ROOM / gap);
      return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step);
    };
    const layer = (n) => name("end", `layer ${n}`, -10, height - tall * (n + 0.45) + 5, `layer ${n}`);
    const head = (n) => name("middle", n, wide * (n + 0.45), -7, `head ${n}`);
    const above = [name("end", "head", -10, -7), ...every(heads, wide / 1.4).map(head)];
    this.names.replaceChildren(...every(layers, tall).map(layer), ...above);
  }

  /** What each head looks at, in its own cell: a row per token that looks, the first layer at the bottom. */
  paint(size) {
    const { wide, tall, width, height } = size;
    const { heads, queries, keys } = this.one;
    const sharp = devicePixelRatio * (this.maps.currentCSSZoom ?? 1);
    Object.assign(this.maps, { width: width * sharp, height: height * sharp });
    put(this.maps, { style: `width:${width}px;height:${height}px` });
    this.cells.style.cssText = `width:${width}px;height:${height}px`;
    const [pen, steps] = [this.maps.getContext("2d"), shades(this.maps)];
    const [across, all, gap] = [keys.length, keys.length * queries.length, gapOf(size)];
    const [left, down] = [(wide - gap) / across, (tall - gap) / queries.length];
    pen.scale(sharp, sharp);
    const { hinted, asks, want } = this;
    const box = (head) => [wide * (head % heads), height - tall * (Math.floor(head / heads) + 1) + gap];
    this.rows.weights.forEach((weight, i) => {
      const [head, query] = [Math.floor(i / all), Math.floor((i % all) / across)];
      const isHinted = Math.floor(head / heads) === hinted;
      if (isHinted && query !== asks) return;
      const [x, y] = box(head);
      pen.globalAlpha = hinted === null || isHinted ? 1 : FADED;
      pen.fillStyle = steps[weight >> 8];
      if (isHinted) pen.fillRect(x + left * (i % across), y, left + 0.3, tall - gap);
      else pen.fillRect(x + left * (i % across), y + down * query, left + 0.3, down + 0.3);
    });
    if (hinted === null || want < 0) return;
    pen.globalAlpha = 1;
    pen.fillStyle = theme(this.maps)("key");
    for (let head = hinted * heads; head < (hinted + 1) * heads; head++) {
      const [x, y] = box(head);
      pen.fillRect(x + left * want - 1, y + tall - gap - 4, left + 2, 4); // where the word stands that is looked for
    }
  }
}

/** What tells one picture from another. */
const madeOf = ({ digest, name, kind }) => digest + name + kind;

/** The room between two heads. */
const gapOf = ({ tall }) => Math.max(1, Math.min(7, tall / 10));

/** The colour of each byte of a weight, from that of the panel to that of attention weights. */
function shades(node) {
  const colour = theme(node);
  const [panel, weight] = [rgb(colour("panel")), rgb(colour("weight"))];
  return Array.from({ length: 256 }, (_, n) => {
    const share = strength(n / 255);
    return `rgb(${[0, 1, 2].map((c) => Math.round(panel[c] + share * (weight[c] - panel[c])))})`;
  });
}
