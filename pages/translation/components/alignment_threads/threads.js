// Words of two languages, and threads between them as thick as the cross-attention. One layer and head at a time, or
// the mean of a layer's heads. With frames the translation can be played; without, it can be guessed at.

import { el, mirror, mount, param, percent, wholeParam } from "../../../../attention_view/lab.js";
import { choice, firstBeat, Player, slider } from "../../../../attention_view/controls.js";
import { LEAST } from "../thread_lines.js";
import { ofFocus, ofGuess } from "./sentences.js";
import { Stage, times } from "./stage.js";
import { Weights } from "./weights.js";

const PACE = 1100; // milliseconds per step, while playing
const SEEN = 0.001; // less likely words would be empty bars
const EARLIER = 0.32; // how faint threads of words are that were written before, while playing
const BEAT = 2200; // milliseconds in which the threads are drawn at first

class Threads {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.write(put));
    this.player = new Player(
      () => this.advance(),
      PACE,
      () => this.data && this.furnish(),
    );
    this.stage = new Stage(this);
    this.build();
    this.resized = () => this.stage.width !== this.stage.node.clientWidth && this.paint();
  }

  build() {
    const n = (this.nodes = {});
    this.layers = choice("span.choice", "Layer", (layer) => this.set({ layer: Number(layer) }));
    this.heads = choice("span.choice", "Head", (head) => this.set({ head: Number(head) }));
    n.mass = el("span.quiet.mass");
    n.ghost = el("input", { type: "checkbox", onchange: () => this.set({ ghost: n.ghost.checked }) });
    n.ghostLabel = el("label.switch", n.ghost, el("i.dash"), "the right alignment");
    n.yourself = el("button.act", {
      onclick: () => this.set({ guess: this.guess ? null : this.weights.quiz(), word: null }),
    });
    const step = (name, sign, by) =>
      el("button", { title: name, "aria-label": name, onclick: () => this.go(this.step + by) }, sign);
    n.back = step("One word back", "‹", -1);
    n.play = el("button", { onclick: () => this.toggle() });
    n.on = el("button.play", { onclick: () => this.go(this.step < this.last ? this.step + 1 : 0) });
    n.range = slider("Word that is being written", {}, (at) => this.go(at));
    n.count = el("output");
    n.player = el("div.player", n.on, n.back, n.range, n.count, n.play);
    n.bars = el("div.bars");
    n.choices = el("div.choices");
    n.side = el("div.side", n.bars, n.choices);
    n.say = el("p.say", { role: "status" });
    const pick = (name, { node }) => el("span.pick", `${name} `, node);
    n.right = el("span.right", n.ghostLabel, n.yourself);
    n.picks = [pick("Layer", this.layers), pick("Head", this.heads)];
    n.top = el("div.top");
    this.root.replaceChildren(n.top, el("div.body", this.stage.node, n.side), n.say);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const first = !this.signature;
    this.signature = signature;
    this.data = data;
    this.layer ??= data.layers - 1;
    this.head ??= -1;
    this.player.stop();
    const { source: S, target: T, layers, frames } = data;
    if (first) this.readUrl();
    else Object.assign(this, { word: null, guess: null, step: this.opens });
    if (this.layer >= layers) this.layer = layers - 1;
    if (this.head >= data.heads) this.head = -1;
    if (this.word && this.word[1] >= (this.word[0] === "s" ? S : T).length) this.word = null;
    this.step = Math.max(0, Math.min(this.step, T.length - 1));
    this.hover = null;
    this.playing = frames.length > 0;
    const { top, choices, picks, right, mass, player } = this.nodes; // while playing, one row: the next word
    top.replaceChildren(...(this.playing ? [player] : [...picks, mass, player, right]));
    choices.replaceChildren(...(this.playing ? [...picks, right] : []));
    this.root.classList.toggle("playing", this.playing);
    this.furnish();
    this.paint();
    if (first)
      this.endBeat = firstBeat(
        "threads",
        BEAT,
        () => this.grow(true),
        () => this.grow(false),
      );
  }

  /** Whether the threads grow from word to word, or are there. */
  grow(isGrowing) {
    this.root.classList.toggle("growing", isGrowing);
  }

  readUrl() {
    const { layers, heads, target } = this.data;
    this.layer = wholeParam("tr_thread_layer", layers) ?? layers - 1;
    this.head = wholeParam("tr_thread_head", heads) ?? -1;
    this.step = (wholeParam("tr_thread_step", target.length + 1) ?? this.opens + 1) - 1;
    const word = /^([st])(\d{1,3})$/.exec(param("tr_thread_word") ?? "");
    this.word = word ? [word[1], Number(word[2])] : null;
    this.ghost = param("tr_thread_ghost") !== "off";
    this.guess = null;
  }

  write(put) {
    put("tr_thread_layer", this.layer, this.data.layers - 1);
    put("tr_thread_head", this.head, -1);
    put("tr_thread_ghost", this.ghost ? null : "off");
    if (this.playing) put("tr_thread_step", this.step + 1, this.opens + 1);
    else put("tr_thread_word", this.word && this.word.join(""));
  }

  set(change) {
    Object.assign(this, change);
    this.hover = null;
    this.furnish();
    this.paint();
    this.link.later();
  }

  /** The step at which the picture opens. */
  get opens() {
    return new Weights(this.data, this.data.layers - 1, -1).turn;
  }

  get weights() {
    return new Weights(this.data, this.layer, this.head);
  }

  /** The word everything points at: under the pointer, else pinned; while playing the one being written. */
  get focus() {
    if (this.guess) return null;
    return this.playing ? ["t", this.step] : (this.hover ?? this.word);
  }

  /** The word that a guess is asked for. */
  get asked() {
    return this.guess ? this.guess.order[this.guess.at] : null;
  }

  get revealed() {
    return this.guess && this.guess.picks.length > this.guess.at;
  }

  get frame() {
    return this.data.frames[this.step];
  }

  /** How often each half has run by this step, in words. */
  get ran() {
    const { encoder, decoder } = this.frame;
    const all = this.data.frames.at(-1).decoder;
    return { encoder: times(encoder), decoder: `${decoder} of ${all} ${all === 1 ? "time" : "times"}` };
  }

  get last() {
    return this.data.target.length - 1;
  }

  point(word) {
    if (this.playing || this.guess || String(word) === String(this.hover)) return;
    this.endBeat?.();
    this.hover = word;
    this.paintThreads();
  }

  pick(side, at) {
    if (this.playing) {
      if (side === "t") this.go(at);
    } else if (!this.guess) this.set({ word: String(this.word) === String([side, at]) ? null : [side, at] });
    else if (side === "s" && !this.revealed) {
      this.guess.picks.push(at);
      this.paintThreads();
    }
  }

  // ---- playing ------------------------------------------------------------------------------------------------

  go(step) {
    this.player.stop();
    this.show(step);
  }

  show(step) {
    this.set({ step: Math.max(0, Math.min(step, this.last)) });
  }

  toggle() {
    if (!this.player.isOn && this.step >= this.last) this.show(0);
    this.player.toggle();
  }

  advance() {
    this.show(this.step + 1);
    if (this.step >= this.last) this.player.stop();
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Switches and numbers; not the stage. */
  furnish() {
    const n = this.nodes;
    const { layers, heads, ghost, target } = this.data;
    const numbers = (count) => Array.from({ length: count }, (_, at) => [at, String(at)]);
    this.layers.offer(numbers(layers));
    this.layers.show(this.layer);
    this.heads.offer([[-1, "mean"], ...numbers(heads)]);
    this.heads.show(this.head);
    n.ghostLabel.hidden = !ghost.length || Boolean(this.guess);
    n.ghost.checked = this.ghost;
    const mass = this.guess || this.playing ? null : this.weights.mass;
    n.mass.textContent = mass === null ? "" : `${Math.round(100 * mass)}% of the attention weight on the right words`;
    n.yourself.hidden = this.playing;
    n.yourself.textContent = this.guess ? "Show all threads" : "Thread it yourself";
    n.player.hidden = !this.playing;
    n.range.max = this.last;
    n.range.value = this.step;
    n.range.setAttribute("aria-valuetext", `${this.step + 1} of ${target.length}: ${target[this.step]}`);
    n.count.textContent = `word ${this.step + 1} of ${target.length}`;
    n.play.textContent = this.player.isOn ? "Pause" : "Play";
    n.back.disabled = this.step === 0;
    n.on.textContent = this.step < this.last ? "Next word" : "Start again";
  }

  paint() {
    this.stage.build();
    if (!this.stage.width) return;
    this.paintThreads();
    this.paintBars();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  paintThreads() {
    const { weights, guess, asked, revealed, focus } = this;
    const { source, target, ghost } = this.data;
    const threads = target.flatMap((_, i) => {
      const faint = this.playing && i < this.step ? EARLIER : guess && i !== asked ? 0.35 : 1;
      const row = source.map((_word, j) => [i, j, weights.at(i, j), faint]);
      const isThere = (j) => this.sees(i, j) || (this.playing && i < this.step);
      return row.filter(([, j, w]) => w >= LEAST && isThere(j));
    });
    const isMarked = (i) => (guess ? revealed && i === asked : this.ghost);
    const marks = ghost.filter(([i, j]) => isMarked(i) && this.sees(i, j)).map(([i, j]) => [i, j, "ghost"]);
    if (revealed) marks.push([asked, guess.picks[guess.at], "mine"]);
    this.stage.weave(threads, marks);
    if (this.playing) this.stage.feedBack(this.step);
    const row = this.dressWords();
    this.nodes.say.replaceChildren(...(guess ? ofGuess(this, (next) => this.set({ guess: next })) : ofFocus(this)));
    this.root.dataset.shown = JSON.stringify({
      layer: this.layer,
      head: this.head,
      focus: focus ? focus.join("") : "",
      step: this.playing ? this.step : -1,
      threads: threads.length,
      row,
    });
  }

  /** Whether a thread is shown. While guessing: those of words that nobody is asked for, and those known by now. */
  sees(i, j) {
    const { guess, focus } = this;
    if (guess) return !guess.order.includes(i) || guess.order.indexOf(i) < guess.picks.length;
    return !focus || (focus[0] === "t" ? focus[1] === i : focus[1] === j);
  }

  /** Every word with its weight, if one is pointed at; the row of a target word, or null. */
  dressWords() {
    const { weights, focus, asked, revealed } = this;
    const [side, at] = focus ?? [];
    const row = side === "t" ? weights.row(at) : revealed ? weights.row(asked) : null;
    const column = side === "s" ? weights.column(at) : null;
    this.data.source.forEach((_, j) => this.stage.dress("s", j, side === "s" && at === j, row && row[j]));
    this.data.target.forEach((_, i) => {
      const isOn = (side === "t" && at === i) || i === asked;
      this.stage.dress("t", i, isOn, column && column[i], this.playing ? i - this.step : 0);
    });
    return row;
  }

  /** The words that could have come, while playing. */
  paintBars() {
    const n = this.nodes;
    n.side.hidden = !this.playing;
    if (!this.playing) return;
    const { top } = this.frame;
    const { encoder, decoder } = this.ran;
    const isEnd = this.data.target[this.step] === "⟨end⟩";
    const bars = top
      .filter(([, p], at) => !at || p >= SEEN)
      .flatMap(([word, p], at) => {
        const bar = el("i", { class: at ? "" : "chosen", style: `width:${(100 * p).toFixed(2)}%` });
        const name = el(at ? "span.name" : "span.name.chosen", word);
        return [name, el("span.track", { "aria-hidden": "true" }, bar), el("span.value", percent(p))];
      });
    const done = "⟨end⟩ is the likeliest: the sentence is done.";
    const others = top.some(([, p]) => p < SEEN) ? " Any other word: less than 0.1%." : "";
    const said = (isEnd ? done : "The likeliest is written.") + others;
    const ran = `Encoder: ran ${encoder}. Decoder: ran ${decoder}.`;
    const below = [el("p.quiet", said), ...(this.stage.placed.upright ? [el("p.quiet", ran)] : [])];
    n.bars.replaceChildren(el("h2", "Chance of each word"), ...bars, ...below);
  }

  destroy() {
    this.player.stop();
  }
}

export default mount(".threads", Threads);
