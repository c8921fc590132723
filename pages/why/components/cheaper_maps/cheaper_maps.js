// What a cheaper attention cannot see: a sentence with an arc from each word to the words it looks at, solid where the
// cheaper way still sees them, dashed where it does not. The row above has all ways, each with its price and loss.

import {
  boxOf,
  el,
  fixed,
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
import { firstBeat, inRow } from "../../../../attention_view/controls.js";
import { audience, DRAWN, isMissed, lookingAt, loss, LOST, SEEN } from "./audience.js";
import { sharing } from "./sharing.js";
import { found, nextSaid, Ways } from "./ways.js";

const WIDE = 700, // pixels from which on the sentence is one line
  AROUND = 144, // of what is above the figure, and of what is to stay free below it
  TALL = 0.55, // of the width, how tall the arcs may be
  WORDS = 34, // of the line of words
  ROW = 21, // of a word where each has its own line
  SIDE = 92, // of the words then
  BESIDE = 9, // pixels between what is seen and what is missed of one cell
  BEAT = 3000, // milliseconds of the first beat: full attention, then the way that is chosen
  WHOLE = 1400, // of it, in which full attention is seen
  VALUES = ["aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"], // of a slider
  SHARED = ["full: each head keeps its own", "shared: one set for all heads"]; // keys and values

/** What a cheaper way keeps of full attention's weights, cell by cell, and which cells, [query, key, weight], lose so
 * much that it is seen. */
export function split(full, cheaper, n, largest) {
  const kept = full.map((w, at) => (Number.isNaN(cheaper[at]) ? 0 : Math.min(w, cheaper[at])));
  const cells = [...full.keys()].filter((at) => isMissed(full[at], kept[at], largest));
  return { kept, lost: cells.map((at) => [Math.floor(at / n), at % n, full[at] - kept[at]]) };
}

/** The arcs: what is missed behind, then what is seen, the strongest last: [kind, query, key, weight, lies beside].
 * What is missed of a cell that is seen in part lies beside what is seen of it: on one line it could not be told. */
export function arcsOf({ kept, lost }, n, largest) {
  const isSeen = (at) => kept[at] >= DRAWN * largest;
  const seen = [...kept.keys()].filter(isSeen).sort((a, b) => kept[a] - kept[b]);
  return [
    ...lost.map(([i, j, w]) => ["lost", i, j, w, isSeen(i * n + j)]),
    ...seen.map((at) => ["seen", Math.floor(at / n), at % n, kept[at], false]),
  ];
}

/** The key that most of the attention weight goes to. */
export function favourite(full, n) {
  const sums = Array.from({ length: n }, (_, key) => full.reduce((sum, w, at) => sum + (at % n === key ? w : 0), 0));
  return sums.indexOf(Math.max(...sums));
}

/** Presses, each of which is sent with its number. An answer bears the number of the last press that it has heard of:
 * an answer to an older press is known, and none is waited for that never comes. */
export class Presses {
  next() {
    return ++this.sent;
  }

  /** Whether an answer has heard of the last press. */
  isAnswered(heard) {
    const isForgotten = heard < this.heard; // a server that was started anew counts from 0
    if (this.sent === undefined || isForgotten) this.sent = heard;
    this.heard = heard;
    return heard >= this.sent;
  }
}

/** Where words stand on a line as long as `whole`: the middle of each, by their letters, and how large letters are. */
export function inLine(words, whole) {
  const ems = words.map((word) => 0.53 * Math.max(1, word.length) + 0.6);
  const sum = ems.reduce((a, b) => a + b, 0);
  const letters = Math.min(20, whole / sum),
    stretch = whole / (letters * sum);
  let from = 0;
  const middles = ems.map((em) => {
    const wide = em * letters * stretch;
    from += wide;
    return from - wide / 2;
  });
  return { middles, letters };
}

class CheaperMaps {
  constructor(root) {
    this.root = root;
    this.presses = new Presses();
    this.ways = new Ways((at) => this.take(at));
    this.finding = el("p.finding", { role: "status" });
    this.sentence = el("p.sentence");
    this.act = el("button.primary", { onclick: () => this.take((this.chosen + 1) % this.header.ways.length) });
    this.say = el("p.say", { role: "status" });
    this.lost = el("span");
    this.dashed = el("span", el("i.mark.lost"), this.lost);
    this.arcs = svg("g.arcs");
    this.words = svg("g.words");
    this.plot = svg(
      "svg.plot",
      {
        onpointermove: (event) => this.at(event),
        onpointerdown: (event) => this.at(event),
        // A finger that is lifted leaves the word as it is.
        onpointerleave: ({ pointerType }) => pointerType === "mouse" && this.hold(null),
        onblur: () => this.hold(null),
        onkeydown: (event) => {
          const to = inRow(event, this.held ?? -1, this.n);
          if (to !== null) this.hold(to);
        },
      },
      this.arcs,
      this.words,
    );
    const legend = el("p.legend", el("span", el("i.mark.seen"), "where a word looks"), this.dashed);
    this.told = el("div.told", this.say, legend);
    const headline = el("div.headline", el("div.said", this.finding, this.sentence), this.act);
    root.replaceChildren(headline, this.ways.node, this.told, this.plot);
    this.resized = () => this.header && this.layOut();
  }

  update(bytes, { setTriggerValue }) {
    this.choose = (name) => setTriggerValue("variant", [name, this.presses.next()]);
    const isFirst = !this.header;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      const names = ({ ways }) => String(ways.map(({ name }) => name));
      const isNew = !this.header || names(this.header) !== names(header);
      this.header = header;
      this.maps = arrays.maps;
      this.n = arrays.maps.shape[1];
      this.tokens = Array.from({ length: this.n }, (_, at) => header.words[at] ?? String(at));
      // An answer to an older press does not undo a newer one.
      if (this.presses.isAnswered(header.press) || isNew)
        this.chosen = header.ways.findIndex(({ name }) => name === header.chosen);
      this.held = null;
      if (isNew) this.ways.build(header);
    }
    this.show(this.chosen);
    this.root.dataset.painted = "true";
    if (isFirst && this.chosen && param("why_variant") === null) this.endBeat = this.beat(this.chosen);
  }

  /** The first beat: all that full attention sees, and then what the chosen way leaves of it. */
  beat(way) {
    let timer;
    const begin = () => {
      this.root.dataset.beat = "ways";
      this.show(0);
      timer = setTimeout(() => {
        this.root.dataset.cut = "true";
        this.show(way);
      }, WHOLE);
    };
    const end = () => {
      clearTimeout(timer);
      delete this.root.dataset.beat;
      delete this.root.dataset.cut;
      if (this.chosen === 0) this.show(way);
    };
    return firstBeat("ways", BEAT, begin, end);
  }

  show(way) {
    this.chosen = way;
    this.paint();
    this.layOut();
  }

  destroy() {
    this.endBeat?.();
  }

  /** The weights of a way; the first is full attention. */
  weights(way) {
    const size = this.n ** 2;
    return this.maps.subarray(way * size, (way + 1) * size);
  }

  take(way) {
    if (way === this.chosen) return;
    this.show(way);
    this.choose(this.header.ways[way].name);
  }

  /** The row, the sentences, and what is kept and lost. */
  paint() {
    const { ways, largest } = this.header;
    const way = ways[this.chosen];
    this.ways.show(this.header, this.chosen, (at) => this.weights(at));
    const parts = found(way).map((part) => (Array.isArray(part) ? el("b", ...part) : part));
    rewrite(this.finding, ...parts);
    write(this.sentence, way.sentence);
    write(this.act, nextSaid(this.chosen, ways.length));
    this.dashed.hidden = this.chosen === 0;
    write(this.lost, LOST[way.loses]);
    this.told.hidden = this.isUnknown;
    this.root.dataset.chosen = way.name;
    const full = this.weights(0);
    this.parts = split(full, this.weights(this.chosen), this.n, largest);
    this.most = favourite(full, this.n);
  }

  /** The sentence in one line with its arcs above; a word per line with arcs at its side where there is no room. */
  layOut() {
    const { width } = boxOf(this.root);
    if (!width || !this.tokens) return;
    this.ways.rolled();
    const isWide = (this.isWide = width >= WIDE);
    const above = boxOf(this.plot).top - boxOf(this.root).top;
    const room = Math.min(TALL * width, windowHeight(this.root) - AROUND - above);
    const height = isWide ? Math.max(200, room) : this.n * ROW;
    const line = isWide ? inLine(this.tokens, width - 10) : null;
    this.along = line ? line.middles.map((x) => x + 2) : this.tokens.map((_, at) => (at + 0.5) * ROW);
    put(this.plot, { width, height, viewBox: `0 0 ${width} ${height}` });
    const { largest } = this.header;
    const full = [...this.weights(0).entries()].filter(([, w]) => w >= DRAWN * largest).map(([at]) => this.ends(at));
    this.widest = Math.max(...full.map(([i, j]) => Math.abs(this.along[i] - this.along[j])));
    this.room = isWide ? height - WORDS - 8 : width - SIDE - 16;
    this.base = isWide ? height - WORDS : SIDE;
    const cells = this.isUnknown ? [] : arcsOf(this.parts, this.n, largest);
    this.drawn = cells.map(([kind, i, j, w, isBeside]) => {
      const path = svg(`path.${kind}`, {
        d: this.arc(i, j, isBeside ? BESIDE : 0),
        opacity: strength(w / largest).toFixed(2),
        style: `--far: ${(Math.abs(this.along[i] - this.along[j]) / this.widest).toFixed(2)}`,
      });
      return { path, i, j };
    });
    this.arcs.replaceChildren(...(this.isUnknown ? this.stores(width) : this.drawn.map(({ path }) => path)));
    const place = (at) => (isWide ? { x: at, y: this.base + 24 } : { x: SIDE - 8, y: at + 5 });
    this.labels = this.tokens.map((token, at) => {
      const kind = isWide ? "text.middle" : "text.end";
      return svg(kind, { ...place(this.along[at]), "font-size": line?.letters.toFixed(1) ?? 15 }, token);
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

  ends(at) {
    return [Math.floor(at / this.n), at % this.n];
  }

  /** From one word to another, or so far outside of that arc; to itself, a small loop. */
  arc(i, j, beside = 0) {
    const ends = i === j ? [this.along[i] - 5, this.along[i] + 5] : [this.along[i], this.along[j]];
    const inner = Math.max(12, this.room * (Math.abs(ends[0] - ends[1]) / this.widest) ** 0.8);
    const lift = (4 / 3) * (inner + beside);
    const out = (ends[0] < ends[1] ? 1 : -1) * (beside / 2);
    const [a, b] = [ends[0] - out, ends[1] + out];
    const at = (along, up) => (this.isWide ? [along, this.base - up] : [this.base + up, along]);
    return `M${at(a, 0)}C${at(a, lift)} ${at(b, lift)} ${at(b, 0)}`;
  }

  at(event) {
    const along = pointIn(event, this.plot)[this.isWide ? 0 : 1];
    const far = this.along.map((middle) => Math.abs(middle - along));
    this.hold(far.indexOf(Math.min(...far)));
  }

  /** The word that is followed, null for none: its arcs come forward, and what it cannot see steps back. */
  hold(word) {
    if (this.isUnknown) word = null;
    this.held = word;
    const { n, header } = this,
      { name, loses } = header.ways[this.chosen];
    const isOn = word !== null,
      full = this.weights(0),
      cheaper = this.weights(this.chosen);
    for (const { path, i, j } of this.drawn) path.classList.toggle("back", isOn ? i !== word : j !== this.most);
    const looks = (at) => full[word * n + at] >= SEEN * header.largest;
    this.labels.forEach((label, at) => {
      label.classList.toggle("query", at === word);
      label.classList.toggle("key", at !== word && (isOn ? looks(at) : at === this.most && !this.isUnknown));
      label.classList.toggle("shut", isOn && Number.isNaN(cheaper[word * n + at]));
    });
    const row = isOn ? [...full.subarray(word * n, (word + 1) * n)] : [];
    const most = row.indexOf(Math.max(...row));
    const kept = isOn ? this.parts.kept.slice(word * n, (word + 1) * n).reduce((a, b) => a + b, 0) : 1;
    const looksAt = isOn && `“${this.tokens[word]}” looks most at “${this.tokens[most]}”: ${fixed(row[most])}.`;
    const held = looksAt && (this.chosen ? `${looksAt} ${loss(name, loses, 1 - kept)}` : looksAt);
    const all = () => lookingAt(this.most, full, this.parts.kept, n, header.largest);
    const told = () => audience(all(), n, this.tokens[this.most], this.chosen ? name : null, loses);
    write(this.say, isOn ? held : `${told()} Drag across the words.`);
    if (this.isUnknown) {
      for (const name of ["tabindex", ...VALUES]) this.plot.removeAttribute(name);
      put(this.plot, { role: "img", "aria-label": SHARED.join("; ") });
      return;
    }
    put(this.plot, { role: "slider", tabindex: 0, "aria-label": "The word that looks" });
    const values = [0, n - 1, word ?? 0, isOn ? held : "no word"];
    put(this.plot, Object.fromEntries(VALUES.map((name, at) => [name, values[at]])));
  }
}

export default mount(".cheaper-maps", CheaperMaps);
