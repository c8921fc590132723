// A translation, word by word. One word is large: the one being written. Attention runs into it from the sentence, and
// so do the words that it has written before. Steps, layers and heads are picked here; the server is never asked.

import {
  el,
  fixed,
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
import { choice, firstBeat, slider, tween } from "../../../../attention_view/controls.js";
import { LEAST } from "../thread_lines.js";
import { Weights } from "../alignment_threads/weights.js";
import { ofWritten, times } from "../alignment_threads/sentences.js";
import { arcs, ends, ribbon, riser } from "./ribbons.js";

const BEAT = 3000; // milliseconds in which the first words are written at first
const SEEN = 0.001; // less likely words would be empty bars
const NARROW = 760; // pixels: less room is a phone's
const END = "⟨end⟩";

/** How often the decoder has run; and, where they are drawn, what the arcs below the words are. */
export function readBack(run, all, isNarrow) {
  const said = all > 1 ? `Run ${run} of ${all}: the decoder reads what it has written` : "The decoder runs once";
  return isNarrow ? said : `${said}. The arcs are its self-attention`;
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
    n.range = slider("Word that is being written", {}, (at) => this.go(at));
    this.lines = svg("svg.lines", { "aria-hidden": "true" });
    for (const name of ["sentence", "read", "now", "bars"]) n[name] = el(`div.${name}`);
    n.tags = el("div.tags");
    n.say = el("p.finding", { role: "status" });
    const pick = (name, { node }) => el("span.pick", `${name} `, node);
    const picks = el("div.picks", pick("Layer", this.layers), pick("Head", this.heads), n.ghostLabel);
    const player = el("div.player", n.range, n.count, picks);
    this.stage = el("div.stage", this.lines, n.sentence, el("div.line", n.read, n.now, n.bars), n.tags);
    this.root.replaceChildren(el("div.headline", n.say, n.on), this.stage, player);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const first = !this.signature;
    this.endBeat?.(); // while it has the data that it began with
    Object.assign(this, { signature, data });
    if (first) this.readUrl();
    else {
      this.step = this.opens;
      this.link.later();
    }
    if (this.layer >= data.layers) this.layer = data.layers - 1;
    if (this.head >= data.heads) this.head = -1;
    this.step = this.within(this.step);
    if (first && this.step && param("tr_thread_step") === null) this.endBeat = this.beat(this.step);
    this.draw();
  }

  /** The first beat: it writes up to where it opens. Returns what ends it. */
  beat(opens) {
    const show = (step) => {
      if (step === this.step) return;
      this.step = step;
      this.draw();
    };
    let stop;
    const begin = () => {
      this.step = 0;
      stop = tween(BEAT - 300, (share) => show(Math.min(opens, Math.floor(share * (opens + 1)))));
    };
    const end = () => {
      stop();
      show(opens);
    };
    return firstBeat("steps", BEAT, begin, end);
  }

  readUrl() {
    const { layers, heads, target } = this.data;
    this.layer = wholeParam("tr_thread_layer", layers) ?? layers - 1;
    this.head = wholeParam("tr_thread_head", heads) ?? -1;
    this.step = (wholeParam("tr_thread_step", target.length + 1) ?? this.opens + 1) - 1;
    this.ghost = param("tr_thread_ghost") !== "off";
  }

  write(put) {
    put("tr_thread_layer", this.layer, this.data.layers - 1);
    put("tr_thread_head", this.head, -1);
    put("tr_thread_ghost", this.ghost ? null : "off");
    put("tr_thread_step", this.step + 1, this.opens + 1);
  }

  set(change) {
    this.endBeat?.();
    Object.assign(this, change);
    this.draw();
    this.link.later();
  }

  /** The step at which the picture opens: it looks past a word, and the next step goes back to that one. */
  get opens() {
    return Math.max(0, new Weights(this.data, this.data.layers - 1, -1).turn - 1);
  }

  get last() {
    return this.data.target.length - 1;
  }

  within(step) {
    return Math.max(0, Math.min(step, this.last));
  }

  go(step) {
    this.set({ step: this.within(step) });
  }

  /** On to the step that looks most at a word of the sentence. */
  lookedFrom(j) {
    const column = new Weights(this.data, this.layer, this.head).column(j);
    this.go(column.indexOf(Math.max(...column)));
  }

  /** The next word; after the last one the first again, unless the press is one too many of several quick ones. */
  goOn(nth) {
    if (this.step < this.last) this.go(this.step + 1);
    else if (nth < 2) this.go(0);
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
    n.range.setAttribute("aria-valuetext", `${this.step + 1} of ${target.length}: ${target[this.step]}`);
    write(n.count, `word ${this.step + 1} of ${target.length}`);
    n.on.textContent = this.step < this.last ? "Next word" : "Start again";
  }

  paint() {
    const { stage, data, step, layer, head } = this;
    const width = (this.width = stage.clientWidth);
    this.room = roomOf(stage);
    if (!width) return;
    const isNarrow = (this.isNarrow = width < NARROW);
    this.root.classList.toggle("narrow", isNarrow);
    const height = Math.max(360, Math.min(900, windowHeight(this.root) - 256));
    stage.style.height = isNarrow ? "" : `${height}px`;
    const weights = new Weights(data, layer, head);
    const row = weights.row(step);
    this.paintWords(row, isNarrow ? 46 : Math.round(0.185 * height));
    this.paintLines(row, isNarrow ? 34 : 0.11 * height);
    this.nodes.say.replaceChildren(...ofWritten(data, step, row));
    const threads = row.filter((weight) => weight >= LEAST).length;
    this.root.dataset.shown = JSON.stringify({ layer, head, step, focus: `t${step}`, threads, row });
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  paintWords(row, large) {
    const { data, step, nodes: n } = this;
    const { source, target, unread, ghost, frames } = data;
    const right = this.ghost ? ghost.filter(([i]) => i === step).map(([, j]) => j) : [];
    this.source = source.map((word, j) => {
      const classes = [row[j] >= LEAST ? "looked" : "", right.includes(j) ? "right" : "", unread[j] ? "unread" : ""];
      const weight = row[j] >= LEAST ? fixed(row[j]) : "";
      const title = unread[j] ? UNREAD : `On to the word that looks at “${word}” most`;
      const props = { class: `word ${classes.join(" ")}`, title, "data-word": `s${j}` };
      return el("button", { ...props, onclick: () => this.lookedFrom(j) }, el("small", weight), el("span", word));
    });
    const { activeElement } = n.sentence.getRootNode();
    const held = [...n.sentence.children].indexOf(activeElement);
    n.sentence.replaceChildren(...this.source);
    this.source[held]?.focus({ preventScroll: true });
    const before = target.slice(0, step).map((word, i) => {
      const props = { "data-word": `t${i}`, title: `Back to ${word}`, onclick: () => this.go(i) };
      return el("button.word", props, word);
    });
    this.read = [el("span.word", "⟨start⟩"), ...before];
    const hadFocus = n.read.contains(n.read.getRootNode().activeElement);
    n.read.replaceChildren(...this.read);
    if (hadFocus) n.range.focus({ preventScroll: true }); // the button that had it is gone
    n.now.replaceChildren(el("span.word", { "data-word": `t${step}` }, target[step]));
    this.paintBars();
    n.now.style.fontSize = `${Math.round(Math.min(large, (large * 0.4 * this.width) / n.now.offsetWidth))}px`;
    const { encoder, decoder } = frames[step];
    const all = frames.at(-1).decoder;
    n.tags.replaceChildren(
      el("span.tag.source", `The encoder reads the sentence ${times(encoder)}`),
      el("span.tag.target", readBack(decoder, all, this.isNarrow)),
    );
  }

  /** Attention from above, and what was written before from below. */
  paintLines(row, whole) {
    const { stage, nodes: n } = this;
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
    const ribbons = ends(row, from, top.x, whole, LEAST).map(([j, x, wide]) =>
      ribbon(from[j], { x, y: top.y - 5 }, wide, row[j], { "data-pair": `${this.step} ${j}` }),
    );
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
    this.lines.setAttribute("viewBox", `0 0 ${stage.clientWidth} ${stage.clientHeight}`);
    this.lines.replaceChildren(...back, ...ribbons);
  }

  /** How much the decoder looks at each word that it has read of its own, ⟨start⟩ the first, in this step. */
  back() {
    const { back, target } = this.data;
    const among = new Weights({ ...this.data, weights: back, source: target }, this.layer, this.head);
    return among.row(this.step).slice(0, this.step + 1);
  }

  /** The words that could have come. */
  paintBars() {
    const { top } = this.data.frames[this.step];
    const bars = top
      .filter(([, p], at) => !at || p >= SEEN)
      .flatMap(([word, p], at) => {
        const bar = el(at ? "i" : "i.chosen", { style: `width:${(100 * p).toFixed(2)}%` });
        const name = el(at ? "span.name" : "span.name.chosen", word);
        return [name, el("span.track", { "aria-hidden": "true" }, bar), el("span.value", percent(p))];
      });
    const isEnd = this.data.target[this.step] === END;
    const done = isEnd ? `${END} is the likeliest: the sentence is done.` : "The likeliest is written.";
    const others = top.some(([, p]) => p < SEEN) ? " Every other word: less than 0.1%." : "";
    this.nodes.bars.replaceChildren(el("h2", "Chance of each word"), ...bars, el("p.quiet", done + others));
  }

  destroy() {
    this.endBeat?.();
  }
}

export default mount(".written-word", WrittenWord);
