// Words of two languages, and threads between them as thick as the cross-attention. One layer and head at a time, or
// the mean of a layer's heads. One can guess where the model looks.

import { el, mirror, mount, param, roomOf, wholeParam, write } from "../../../../attention_view/lab.js";
import { choice, drag, firstBeat } from "../../../../attention_view/controls.js";
import { LEAST } from "../thread_lines.js";
import { ofFocus, ofGuess } from "./sentences.js";
import { Stage } from "./stage.js";
import { Weights } from "./weights.js";

const STILL = 4; // pixels that a pointer may move while it presses
const BEAT = 2200; // milliseconds in which the threads are drawn at first

/** A key that is held presses once: what a press brings has the focus at once, and is not pressed by the same hold. */
export function once(event) {
  if (event.repeat && event.key === "Enter") event.preventDefault();
}

/** Whether a pointer has moved since an event, and does not just press. */
const movedFrom = (event) => (to) => Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) > STILL;

class Threads {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.write(put));
    this.stage = new Stage(this);
    this.build();
    this.resized = () => this.stage.room !== roomOf(this.stage.node) && this.paint();
  }

  build() {
    const n = (this.nodes = {});
    this.layers = choice("span.choice", "Layer", (layer) => this.set({ layer: Number(layer) }));
    this.heads = choice("span.choice", "Head", (head) => this.set({ head: Number(head) }));
    n.ghost = el("input", { type: "checkbox", onchange: () => this.set({ ghost: n.ghost.checked }) });
    n.ghostLabel = el("label.switch", n.ghost, el("i.dash"), "the right alignment");
    n.yourself = el("button.primary", { onclick: () => this.go(this.next) });
    n.stop = el("button.act", { onclick: () => this.go(null) }, "Stop guessing");
    n.say = el("p.finding", { role: "status" });
    const pick = (name, { node }) => el("span.pick", `${name} `, node);
    n.hint = el(
      "span.quiet.hint",
      "Drag a word of the sentence to another place, or press one to see its threads alone.",
    );
    n.which = el("summary");
    const fold = el("details.fold", n.which, pick("Layer", this.layers), pick("Head", this.heads));
    const below = el("div.below", n.stop, n.hint, fold, n.ghostLabel);
    this.root.replaceChildren(el("div.headline", n.say, n.yourself), this.stage.node, below);
    this.root.addEventListener("keydown", once);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const first = !this.signature;
    const isMoved = String(data.source) === this.awaited;
    this.before = isMoved ? this.data : null; // what was written before a word was put elsewhere
    this.awaited = null;
    this.root.classList.remove("waiting");
    this.signature = signature;
    this.data = data;
    this.layer ??= data.layers - 1;
    this.head ??= -1;
    const { source: S, target: T, layers } = data;
    if (first) this.readUrl();
    else Object.assign(this, { word: null, guess: null });
    if (this.layer >= layers) this.layer = layers - 1;
    if (this.head >= data.heads) this.head = -1;
    if (this.word && this.word[1] >= (this.word[0] === "s" ? S : T).length) this.word = null;
    this.hover = null;
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
    const { layers, heads } = this.data;
    this.layer = wholeParam("tr_thread_layer", layers) ?? layers - 1;
    this.head = wholeParam("tr_thread_head", heads) ?? -1;
    const word = /^([st])(\d{1,3})$/.exec(param("tr_thread_word") ?? "");
    this.word = word ? [word[1], Number(word[2])] : null;
    this.ghost = param("tr_thread_ghost") !== "off";
    this.guess = null;
  }

  write(put) {
    put("tr_thread_layer", this.layer, this.data.layers - 1);
    put("tr_thread_head", this.head, -1);
    put("tr_thread_ghost", this.ghost ? null : "off");
    put("tr_thread_word", this.word && this.word.join(""));
  }

  set(change) {
    Object.assign(this, change);
    this.hover = null;
    this.furnish();
    this.paintThreads(); // the words stand where they stood, and whoever is on one stays there
    this.link.later();
  }

  /** The guess that the dark button goes on to: the first, the one after it, or null, the end of them. */
  get next() {
    const { guess } = this;
    if (!guess) return this.weights.quiz();
    return guess.at + 1 < guess.order.length ? { ...guess, at: guess.at + 1 } : null;
  }

  /** The next question, or the end of them. The button that was pressed is gone: the keyboard goes on from here. */
  go(guess) {
    this.set({ guess, word: null });
    const next = guess ? this.stage.chips.s[0] : this.nodes.yourself;
    next.focus({ preventScroll: true });
  }

  get weights() {
    return new Weights(this.data, this.layer, this.head);
  }

  /** The word everything points at: under the pointer, else pinned. */
  get focus() {
    return this.guess ? null : (this.hover ?? this.word);
  }

  /** The word that a guess is asked for. */
  get asked() {
    return this.guess ? this.guess.order[this.guess.at] : null;
  }

  get revealed() {
    return this.guess && this.guess.picks.length > this.guess.at;
  }

  point(word) {
    if (this.guess || this.isCarrying || String(word) === String(this.hover)) return;
    this.endBeat?.();
    this.hover = word;
    this.paintThreads();
  }

  pick(side, at) {
    if (this.isCarrying) return;
    if (!this.guess) this.set({ word: String(this.word) === String([side, at]) ? null : [side, at] });
    else if (side === "s" && !this.revealed) {
      this.guess.picks.push(at);
      this.paintThreads();
    }
  }

  /** A thread is pulled out of the word that is asked for, or out of one that it may look at, and follows the pointer
   * to where it is let go. */
  pull(side, at, event) {
    if (!this.guess && side === "s" && !event.button) this.carry(at, event);
    if (!this.guess || this.revealed || event.button || (side === "t" && at !== this.asked)) return;
    const other = side === "s" ? "t" : "s";
    const over = (to) => {
      const n = this.stage.under(other, to);
      return other === "t" && n !== this.asked ? -1 : n;
    };
    const hasMoved = movedFrom(event);
    this.endDrag = drag(
      (to) => hasMoved(to) && this.stage.pull([side, at], to, over(to)),
      (last) => {
        this.stage.pull(null);
        const end = last.type === "pointerup" && hasMoved(last) ? over(last) : -1;
        if (end >= 0) this.pick("s", side === "s" ? at : end);
      },
    );
  }

  /** A word of the sentence is carried along the others, and its threads with it. */
  carry(at, event) {
    const hasMoved = movedFrom(event);
    let order = null;
    this.endDrag = drag(
      (to) => {
        if (!order && !hasMoved(to)) return;
        Object.assign(this, { isCarrying: true, hover: null });
        this.endBeat?.();
        order = this.stage.carry(at, event, to);
        this.paintThreads();
      },
      ({ type }) => {
        setTimeout(() => (this.isCarrying = false)); // once the click that ends it is over
        if (order && !(type === "pointerup" && this.reorder(order))) this.paint();
      },
    );
  }

  /** The model reads the words in another order; false where it is the same. */
  reorder(order) {
    const { source } = this.data;
    this.awaited = String(order.map((n) => source[n]));
    if (this.awaited === String(source)) return false;
    this.root.classList.add("waiting");
    this.send("order", order.join(","));
    return true;
  }

  /** A word changes places with a neighbour, by a key. */
  step(at, { key, shiftKey }) {
    const to = at + ({ ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[key] ?? 0);
    const order = [...this.data.source.keys()];
    if (!shiftKey || this.guess || to === at || !(to in order)) return;
    [order[at], order[to]] = [to, at];
    this.reorder(order);
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  /** Switches and numbers; not the stage. */
  furnish() {
    const n = this.nodes;
    const { layers, heads, ghost } = this.data;
    const numbers = (count) => Array.from({ length: count }, (_, at) => [at, String(at)]);
    this.layers.offer(numbers(layers));
    this.layers.show(this.layer);
    this.heads.offer([[-1, "mean"], ...numbers(heads)]);
    this.heads.show(this.head);
    write(n.which, `Layer ${this.layer}, ${this.head < 0 ? "mean of its heads" : `head ${this.head}`}`);
    n.ghostLabel.hidden = !ghost.length || Boolean(this.guess);
    n.ghost.checked = this.ghost;
    n.hint.hidden = Boolean(this.guess);
    this.root.classList.toggle("guessing", Boolean(this.guess));
    n.stop.hidden = !this.guess;
  }

  /** The one dark button: to guess, and once that is done, to go on. */
  offer() {
    const n = this.nodes;
    n.yourself.hidden = Boolean(this.guess) && !this.revealed; // a word is the thing to press
    const says = !this.guess ? "Thread it yourself" : this.next ? "Next word" : "Show all threads";
    if (n.yourself.textContent !== says) n.yourself.textContent = says;
  }

  paint() {
    this.stage.build();
    if (!this.stage.width) return;
    this.paintThreads();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  paintThreads() {
    const { weights, guess, asked, revealed, focus } = this;
    const { source, target, ghost } = this.data;
    const threads = target.flatMap((_, i) => {
      const faint = guess && i !== asked ? 0.35 : 1;
      const row = source.map((_word, j) => [i, j, weights.at(i, j), faint]);
      return row.filter(([, j, w]) => w >= LEAST && this.sees(i, j));
    });
    const isMarked = (i) => (guess ? revealed && i === asked : this.ghost);
    const marks = ghost.filter(([i, j]) => isMarked(i) && this.sees(i, j)).map(([i, j]) => [i, j, "ghost"]);
    if (revealed) marks.push([asked, guess.picks[guess.at], "mine"]);
    this.stage.weave(threads, marks);
    const row = this.dressWords();
    this.nodes.say.replaceChildren(...(guess ? ofGuess(this) : ofFocus(this)));
    this.offer();
    this.root.dataset.shown = JSON.stringify({
      layer: this.layer,
      head: this.head,
      focus: focus ? focus.join("") : "",
      threads: threads.length,
      row,
    });
  }

  /** Whether a thread is shown. While guessing: only those of words that were guessed; others would give it away. */
  sees(i, j) {
    const { guess, focus } = this;
    if (guess) return guess.order.slice(0, guess.picks.length).includes(i);
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
      this.stage.dress("t", i, isOn, column && column[i]);
    });
    return row;
  }
}

export default mount(".threads", Threads);
