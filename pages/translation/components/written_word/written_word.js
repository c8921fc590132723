// A translation, word by word. One word is large: the one being written. Attention runs into it from the sentence, and
// so do the words that it has written before. Steps, layers and heads are picked here; the server is never asked.

import {
  counted,
  el,
  fixed,
  howOften,
  mirror,
  mount,
  param,
  percent,
  svg,
  UNREAD,
  wholeParam,
  roomOf,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { choice, slider } from "../../../../attention_view/controls.js";
import { LEAST } from "../thread_lines.js";
import { isMost, Weights } from "../alignment_threads/weights.js";
import { ofWritten } from "../alignment_threads/sentences.js";
import { arcs, ends, ribbon, riser } from "./ribbons.js";

const SEEN = 0.001; // less likely words would be empty bars
const SURE = 0.99; // a likelier word leaves nothing to compare
const NARROW = 760; // pixels: less room is a phone's
const ROOMY = 7; // words of a sentence that can be large
const END = "⟨end⟩";
const NOTHING = -1; // the step before the first word

/** How often the decoder has run; and, where they are drawn, what the arcs below the words are. */
export function readBack(run, all, isNarrow) {
  const said = all > 1 ? `Run ${run} of ${all}: the decoder reads what it has written` : "The decoder runs once";
  return isNarrow ? said : `${said}. The arcs are its self-attention`;
}

/** The first word for which the decoder jumps: it looks neither where it looked last nor at the word after that. 0, the
 * first word of all, where there is none, or where the text has gone wrong before. */
export function jump(weights, { target, mistake }) {
  const tops = target.map((word, i) => (word === END ? NaN : weights.top(i)));
  const found = tops.findIndex((top, i) => i && Math.abs(top - tops[i - 1] - 0.5) > 1);
  return mistake && mistake[0] < found ? 0 : Math.max(0, found);
}

/** The question before a word is written, and how many are. */
function asked({ source: { length }, unread, fault }, n) {
  const question = "will the decoder look";
  const whole = length > 1 ? `Which of the ${length} words ${question} at` : `Where ${question}`;
  const written = n ? `${counted(n, "word")} ${n === 1 ? "is" : "are"} written. ` : "";
  const isUnknown = unread.some(Boolean);
  const now = `${written}${whole} to write ${n ? "the next" : "its first word"}?`;
  return [isUnknown ? `${fault[0]} ` : "", el(isUnknown ? "span.quiet" : "span", now)];
}

/** What is written where the decoder is made to look at one word. known: what it wrote by itself; "" while nobody has
 * seen it. */
export function turned(looked, [word, p], known) {
  const so = known === word ? ", as it did by itself." : known ? `; by itself it wrote ${known}.` : ". And by itself?";
  const [at, now] = [el("b.source", looked), el("b.target", word)];
  return ["Looking only at ", at, ", it would write ", now, ` (${percent(p)})${so}`];
}

/** How many of the words that were guessed at, up to a step, look most where the reader said; "" before a guess. */
export function hits(weights, guesses, step) {
  const made = [...guesses].filter(([i]) => i <= step);
  const right = made.filter(([i, j]) => isMost(weights.row(i), j)).length;
  return made.length ? `${right} of ${made.length} looked where you said` : "";
}

class WrittenWord {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.write(put));
    this.build();
    this.resized = () => this.room !== roomOf(this.stage) && this.paint();
  }

  build() {
    const n = (this.nodes = {});
    this.layers = choice("span.choice", "Layer", (layer) => this.set({ layer: Number(layer) }));
    this.heads = choice("span.choice", "Head", (head) => this.set({ head: Number(head) }));
    n.ghost = el("input", { type: "checkbox", onchange: () => this.set({ ghost: n.ghost.checked }) });
    n.ghostLabel = el("label.switch", n.ghost, el("i.dash"), "the right alignment");
    n.on = el("button.primary", { onclick: (event) => this.goOn(event.detail) });
    n.count = el("span.count.quiet", { "aria-hidden": "true" }); // the slider says so as well
    n.hits = el("span.quiet");
    n.range = slider("Word that is being written", { min: NOTHING }, (at) => this.go(at));
    this.lines = svg("svg.lines", { "aria-hidden": "true" });
    for (const name of ["sentence", "read", "now", "bars"]) n[name] = el(`div.${name}`);
    n.tags = el("div.tags");
    n.call = el("p.call");
    n.say = el("p.finding", { role: "status" });
    const pick = (name, { node }) => el("span.pick", `${name} `, node);
    const picks = el("div.picks", pick("Layer", this.layers), pick("Head", this.heads), n.ghostLabel);
    const player = el("div.player", n.range, n.count, n.hits, picks);
    this.stage = el("div.stage", this.lines, n.call, n.sentence, el("div.line", n.read, n.now, n.bars), n.tags);
    this.root.replaceChildren(el("div.headline", n.say, n.on), this.stage, player);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const first = !this.signature;
    Object.assign(this, { signature, data, guesses: new Map() }); // step -> the word that a reader has pressed for it
    if (first) this.readUrl();
    else this.link.later();
    if (this.layer >= data.layers) this.layer = data.layers - 1;
    if (this.head >= data.heads) this.head = -1;
    const step = first ? wholeParam("tr_thread_step", data.target.length + 1) : null;
    this.opening = jump(new Weights(data, this.layer, this.head), data) - 1;
    this.step = this.within(step === null ? this.opening : step - 1);
    this.asks = step === null || this.step === NOTHING;
    [this.far, this.look] = [this.step, null]; // the last word that was seen, and where the decoder is made to look
    this.draw();
  }

  readUrl() {
    const { layers, heads } = this.data;
    this.layer = wholeParam("tr_thread_layer", layers) ?? layers - 1;
    this.head = wholeParam("tr_thread_head", heads) ?? -1;
    this.ghost = param("tr_thread_ghost") !== "off";
  }

  write(put) {
    put("tr_thread_layer", this.layer, this.data.layers - 1);
    put("tr_thread_head", this.head, -1);
    put("tr_thread_ghost", this.ghost ? null : "off");
    put("tr_thread_step", this.asks && this.step === this.opening ? null : this.step + 1);
  }

  set(change) {
    Object.assign(this, change);
    this.draw();
    this.link.later();
  }

  /** The place of the large word: the one that was written last, or the one that is asked about. */
  get now() {
    return this.step + Number(this.asks);
  }

  get last() {
    return this.data.target.length - 1;
  }

  within(step) {
    return Math.max(NOTHING, Math.min(step, this.last));
  }

  go(step) {
    const to = this.within(step);
    this.set({ step: to, asks: to === NOTHING, look: null, far: Math.max(this.far, to) });
  }

  /** The decoder is made to look at this word alone, and writes its large word anew. */
  turn(j) {
    this.set({ step: this.now - 1, asks: true, look: j });
  }

  /** The word that is asked about, or the question about the next; after the last one it starts again, unless the press
   * is one too many of several quick ones. Where it was made to look last is what a reader takes it to look at. */
  goOn(nth) {
    const { now, look } = this;
    if (this.asks) {
      if (look !== null && now > this.far) this.guesses.set(now, look);
      this.go(now);
    } else if (this.step < this.last) this.set({ asks: true, look: null });
    else if (nth < 2) this.set({ step: NOTHING, asks: true, look: null, far: NOTHING, guesses: new Map() });
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  draw() {
    this.furnish();
    this.paint();
  }

  /** Switches and numbers; not the stage. */
  furnish() {
    const n = this.nodes;
    const { layers, heads, ghost, target } = this.data;
    const numbers = (count) => Array.from({ length: count }, (_, at) => [at, String(at)]);
    this.layers.offer(numbers(layers));
    this.layers.show(this.layer);
    this.heads.offer([[-1, "mean"], ...numbers(heads)]);
    this.heads.show(this.head);
    n.ghostLabel.hidden = !ghost.length;
    n.ghost.checked = this.ghost;
    n.range.max = this.last;
    n.range.value = this.step;
    const isNothing = this.step === NOTHING;
    const said = `${this.step + 1} of ${target.length}`;
    n.range.setAttribute("aria-valuetext", isNothing ? "nothing is written" : `${said}: ${target[this.step]}`);
    write(n.count, isNothing ? "" : `word ${this.now + 1} of ${target.length}`);
    write(n.hits, hits(new Weights(this.data, this.layer, this.head), this.guesses, this.step));
    n.on.textContent = this.asks ? "Let it write" : this.step < this.last ? "Next word" : "Start again";
    n.on.classList.toggle("later", this.asks && this.look === null); // first a word is to be pressed
  }

  paint() {
    const { stage, data, step, asks, look, now, layer, head } = this;
    const width = (this.width = stage.clientWidth);
    this.room = roomOf(stage);
    if (!width) return;
    const isNarrow = (this.isNarrow = width < NARROW);
    this.root.classList.toggle("narrow", isNarrow);
    this.root.classList.toggle("asks", asks);
    this.root.classList.toggle("turned", asks && look !== null);
    this.root.classList.toggle("roomy", !isNarrow && data.source.length <= ROOMY);
    const height = Math.max(360, Math.min(900, windowHeight(this.root) - 256));
    stage.style.height = isNarrow ? "" : `${height}px`;
    const weights = new Weights(data, layer, head);
    const row = asks ? [] : weights.row(step);
    this.paintWords(row, isNarrow ? 46 : Math.round(0.185 * height));
    this.paintLines(row, isNarrow ? 34 : 0.11 * height);
    const known = now > this.far ? "" : data.target[now];
    const turn = () => turned(data.source[look], data.steered[now][look], known);
    const question = () => (look === null ? asked(data, now) : turn());
    this.nodes.say.replaceChildren(...(asks ? question() : ofWritten(data, step, row, this.guesses.get(step))));
    const threads = row.filter((weight) => weight >= LEAST).length;
    this.root.dataset.shown = JSON.stringify({ layer, head, step, focus: `t${step}`, threads, row });
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  paintWords(row, large) {
    const { data, step, asks, look, now, nodes: n } = this;
    const { source, target, unread, ghost, frames } = data;
    const guessed = asks ? look : this.guesses.get(step);
    const right = this.ghost && !asks ? ghost.filter(([i]) => i === step).map(([, j]) => j) : [];
    this.source = source.map((word, j) => {
      const is = { looked: row[j] >= LEAST, right: right.includes(j), unread: unread[j], guessed: j === guessed };
      const title = unread[j] ? UNREAD : `Make it look only at “${word}”`;
      const classes = Object.keys(is).filter((name) => is[name]);
      const props = { class: `word ${classes.join(" ")}`, title, "data-word": `s${j}` };
      const weight = el("small", is.looked ? fixed(row[j]) : "");
      const light = (isOn) => () => this.may[j]?.classList.toggle("on", isOn);
      const listeners = { onclick: () => this.turn(j), onpointerenter: light(true), onpointerleave: light(false) };
      return el("button", { ...props, ...listeners }, weight, el("span", word));
    });
    const { activeElement } = n.sentence.getRootNode();
    const held = [...n.sentence.children].indexOf(activeElement);
    n.sentence.replaceChildren(...this.source);
    this.source[held]?.focus({ preventScroll: true });
    const before = target.slice(0, now).map((word, i) => {
      const props = { "data-word": `t${i}`, title: `Back to ${word}`, onclick: () => this.go(i) };
      return el("button.word", props, word);
    });
    this.read = [el("span.word", "⟨start⟩"), ...before];
    const hadFocus = n.read.contains(n.read.getRootNode().activeElement);
    n.read.replaceChildren(...this.read);
    if (hadFocus) n.range.focus({ preventScroll: true }); // the button that had it is gone
    const written = look === null ? "?" : data.steered[now][look][0];
    n.now.replaceChildren(el("span.word", { "data-word": `t${now}` }, asks ? written : target[step]));
    write(n.call, look === null ? `Press a word: make it look ${asks ? "there" : "elsewhere"}` : "");
    n.bars.replaceChildren(...this.lost(), ...this.chances());
    n.now.style.fontSize = `${Math.round(Math.min(large, (large * 0.4 * this.width) / n.now.offsetWidth))}px`;
    const all = frames.at(-1).decoder;
    const { encoder, decoder } = frames[Math.max(0, step)];
    const tags = [
      el("span.tag.source", `The encoder reads the sentence ${howOften(encoder)}`),
      el("span.tag.target", readBack(decoder, all, this.isNarrow)),
    ];
    n.tags.replaceChildren(...(asks ? [] : tags));
  }

  /** What the reader had made it write, struck out, where it has written another word by itself. */
  lost() {
    const { data, step, asks } = this;
    const [would] = (asks ? null : data.steered[step]?.[this.guesses.get(step)]) ?? [];
    return would && would !== data.target[step] ? [el("s.lost", would)] : [];
  }

  /** Attention from above, and what was written before from below. */
  paintLines(row, whole) {
    const { stage, data, step, asks, look, nodes: n } = this;
    const at = (node, share) => ({
      x: node.offsetLeft + node.offsetWidth / 2,
      y: node.offsetTop + share * node.offsetHeight,
    });
    const now = n.now.firstChild;
    const [top, low] = [at(now, 0), at(now, 1)];
    const from = this.source.map((node) => {
      const { x, y } = at(node, 1);
      return { x, y: y + 4 };
    });
    this.lines.setAttribute("viewBox", `0 0 ${stage.clientWidth} ${stage.clientHeight}`);
    const may = (place) => ribbon(place, { x: top.x, y: top.y - 5 }, 3, 0, { class: "may", opacity: 1 });
    this.may = asks ? from.map((place, j) => (j === look ? null : may(place))) : [];
    const weights = look === null ? row : data.source.map((_, j) => Number(j === look));
    const ribbons = ends(weights, from, top.x, whole, LEAST).map(([j, x, wide]) =>
      ribbon(from[j], { x, y: top.y - 5 }, wide, weights[j], { "data-pair": `${step} ${j}` }),
    );
    if (asks) return this.lines.replaceChildren(...this.may.filter(Boolean), ...ribbons);
    const read = this.read.filter((node) => node.offsetLeft >= n.read.offsetLeft - 1);
    n.read.classList.toggle("cut", read.length < this.read.length); // the first ones have no room any more
    const end = { x: low.x, y: low.y + 4 };
    const back = this.isNarrow
      ? riser({ x: low.x, y: at(n.read, 0).y }, end)
      : arcs(
          read.map((node) => at(node, 1)),
          this.back().slice(-read.length),
          end,
          stage.clientHeight - low.y - 20,
        );
    this.lines.replaceChildren(...back, ...ribbons);
  }

  /** How much the decoder looks at each word that it has read of its own, ⟨start⟩ the first, in this step. */
  back() {
    const { back, target } = this.data;
    const among = new Weights({ ...this.data, weights: back, source: target }, this.layer, this.head);
    return among.row(this.step).slice(0, this.step + 1);
  }

  /** The words that could have come, where none is sure. */
  chances() {
    if (this.asks) return [];
    const { top } = this.data.frames[this.step];
    const isEnd = this.data.target[this.step] === END;
    const done = isEnd ? `${END} is the likeliest: the sentence is done.` : "The likeliest is written.";
    if (top[0][1] > SURE) return isEnd ? [el("p.quiet", done)] : [];
    const bars = top
      .filter(([, p], at) => !at || p >= SEEN)
      .flatMap(([word, p], at) => {
        const bar = el(at ? "i" : "i.chosen", { style: `width:${(100 * p).toFixed(2)}%` });
        const name = el(at ? "span.name" : "span.name.chosen", word);
        return [name, el("span.track", { "aria-hidden": "true" }, bar), el("span.value", percent(p))];
      });
    const others = top.some(([, p]) => p < SEEN) ? " Every other word: less than 0.1%." : "";
    return [el("h2", "Chance of each word"), ...bars, el("p.quiet", done + others)];
  }
}

export default mount(".written-word", WrittenWord);
