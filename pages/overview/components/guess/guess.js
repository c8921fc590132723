// Guess the next word. Before the guess: the sentence and what to choose from. After it: how likely each word is, where
// the model looked, and the same with another word in the sentence.

import { boxOf, el, mirror, mount, param, still, unpack, UNREAD } from "../../../../attention_view/lab.js";
import { Scene } from "../../../../attention_view/scene.js";
import { readPlace, writtenPlace } from "../../../../attention_view/scene_places.js";
import { askForUnits, isForward } from "../../../../attention_view/scene_units.js";
import { returned, takeLeft } from "../../../../attention_view/scene_return.js";
import { Editor, Stops, stop } from "../../../../lab/kit/components/sentence_words/editor.js";
import { sentenceOf, textOf } from "../../../../lab/kit/components/sentence_words/sentence.js";
import { Asking } from "../feed.js";
import { Marks } from "../marks.js";
import { withWayBack } from "./back.js";
import { Bars } from "./bars.js";
import { Fork } from "./fork.js";
import { Room } from "./room.js";
import { called, endingOf, favourite, flip, SWAPS, turnsOf, verdict, whereItLooked } from "./said.js";
import { WordRow, summary } from "../word_row.js";
import { numbersSent } from "./sent.js";

const LEAD = 16; // pixels between the words and the model, for the lines from the ones to the other
const MOST_WORDS = [100, 240]; // pixels that words take before they become smaller; on a phone
const [LEAST_LETTERS, MOST_LETTERS] = [16.5, 40]; // pixels of the letters of a sentence on one line
const START_BEFORE = 30; // pixels from the first word to the column of the start of the text
const HEADS_AFTER = 36; // pixels from the end of the words to the heads
const PALE = [0.33, 0.4]; // how much of the model is there, before the guess and after it
const QUIET = 0.2; // the same while there is one thing to do: to press another word
/** Which word of the sentence each token is a part of, where its words have so many tokens. */
export const wordsOfTokens = (counts) => counts.flatMap((count, n) => Array.from({ length: count }, () => n));

/** The place of the next word; it opens the choice of one. */
const blankOf = (text, onclick) =>
  stop("span.word.blank", { "aria-label": `${text}: write a word on`, onclick }, el("b", text), el("small", ""));

class Guess {
  constructor(root) {
    this.root = root;
    this.row = new WordRow((props, i) => stop("span", { ...props, onclick: (event) => this.open(i, event) }));
    const remove = (at) => this.edit((n) => this.editor.remove(n), at);
    this.stops = new Stops(this.row.words, "Words of the sentence: press one to change it", remove);
    this.bars = new Bars((word) => this.choose(word));
    this.texts = el("div.texts");
    this.fork = new Fork();
    this.top = el("div.top", this.texts, this.bars.node, this.fork.node);
    this.scene = new Scene({ moved: () => this.moved(), turned: (isNear) => this.turnedTo(isNear) });
    this.marks = new Marks(this.scene);
    this.scene.resized = () => this.fitScene();
    this.room = new Room(root, () => this.fitScene());
    this.asking = new Asking(
      () => this.data && this.numbersOf(this.reading),
      () => {
        this.scene.added();
        this.moved();
      },
    );
    this.scene.place = readPlace(param("front_place"));
    this.verdict = el("p.verdict", { tabindex: "-1", role: "status" });
    const screen = el("div.screen", this.scene.canvas, this.marks.node, this.top, this.row.node);
    root.replaceChildren(screen, withWayBack(this.scene));
    this.editor = new Editor(root, (text, n) => this.turned(text, n));
    this.guess = param("front_guess");
    this.knows = false; // whether a link has led where the answer can be seen
    this.isQuiet = false; // whether only the sentence, its arc and the words to press are there
    this.name = param("front_name");
    this.link = mirror((put) => {
      put("front_guess", this.guess, null);
      put("front_name", this.name, this.data.readings[0].name);
      put("front_place", writtenPlace(this.scene.place), "");
    });
  }

  destroy() {
    this.stopAsking?.();
    this.room.stop?.();
    for (const one of [this.row, this.asking, this.marks, this.scene]) one.destroy();
  }
  update(bytes, { setStateValue, setTriggerValue }) {
    [this.send, this.keep] = [setTriggerValue, setStateValue];
    const { header: data, arrays } = unpack(bytes);
    if (data.sentence && !this.editor.take(data.sentence)) return; // it has been changed since
    const isNew = this.data && this.data.readings[0].tokens.join(" ") !== data.readings[0].tokens.join(" ");
    [this.data, this.arrays, this.numbers] = [data, arrays, new Map()];
    if (isNew) {
      if (!this.isTurned) this.guess = null; // a guess is one of its own sentence
      [this.name, this.knows] = [null, false];
      this.link.later();
    }
    this.isTurned = false;
    const hadFocus = this.stops.hasFocus;
    this.draw();
    if (hadFocus) this.stops.focus();
  }

  // ---- the model behind the words ---------------------------------------------------------------------------------

  /** The numbers of the reading in view. */
  numbersOf({ name }) {
    if (!this.numbers.has(name)) this.numbers.set(name, numbersSent(this.data, this.arrays, name));
    return this.numbers.get(name);
  }

  showScene() {
    const { scene } = this.data;
    const numbers = this.numbersOf(this.reading);
    this.asking.take();
    const text = numbers.tokens.slice(1).join(" ");
    const doors = scene.doors.map((door) => door && { ...door, params: { ...door.params, text } });
    this.scene.place = returned(this.scene.place, takeLeft(), doors);
    const [, , , row] = isForward(this.scene.place) ? [] : this.scene.place;
    if (row === numbers.decisive) this.knows = true;
    const isTold = this.guess !== null || this.knows;
    const looksAt = favourite(this.reading); // the label is on the thread that it names
    this.marks.show(scene.marks);
    this.scene.show({
      numbers,
      opens: scene.opens,
      isTold,
      looksAt,
      doors,
      isWhole: false,
      pale: this.isQuiet ? QUIET : PALE[Number(isTold)],
      isLone: this.isQuiet,
    });
    this.fitScene();
    this.moved();
  }

  /** The scene keeps off what stands above and below it, and every column leads to its word. */
  fitScene() {
    if (!this.data) return;
    const { root, row, scene, top } = this;
    const isNarrow = scene.canvas.clientWidth < 640;
    root.removeAttribute("data-dense");
    const line = isNarrow ? null : this.fitLine();
    root.toggleAttribute("data-dense", !line && row.node.offsetHeight > MOST_WORDS[Number(isNarrow)]);
    const words = scene.canvas.clientHeight - row.node.offsetTop; // they may end below the canvas
    const isAlone = getComputedStyle(top).position === "absolute"; // on a phone, inside of the model
    if (isAlone) scene.laid({ top: 10, foot: 30, feet: null, words: 0 });
    else scene.laid({ top: top.offsetHeight + 6, foot: words + (line ? LEAD : 22), words, feet: null, ...line });
    this.fork.draw(scene, top, !isAlone);
  }

  /** Puts the words on one line, as large as it has room for: {feet, beside}; null where they would be too small. */
  fitLine() {
    const { root, row } = this;
    const [words, size] = [[...row.words.children], (px) => root.style.setProperty("--word", `${px}px`)];
    root.toggleAttribute("data-line", true);
    size(LEAST_LETTERS);
    const wide = () => words.reduce((sum, { offsetWidth }) => sum + offsetWidth, 0);
    const { paddingLeft, paddingRight, columnGap } = getComputedStyle(row.words);
    const taken = [paddingLeft, paddingRight, ...words.slice(1).fill(columnGap)].map(parseFloat);
    const room = taken.reduce((rest, px) => rest - px, row.words.clientWidth);
    const least = wide();
    size(MOST_LETTERS);
    const rise = (wide() - least) / (MOST_LETTERS - LEAST_LETTERS); // pixels of the line for each of its letters' size
    const fits = LEAST_LETTERS + (room - least) / rise;
    if (fits < LEAST_LETTERS) {
      root.removeAttribute("data-line");
      return null;
    }
    size(Math.min(MOST_LETTERS, Math.floor(2 * fits) / 2));
    const left = boxOf(this.scene.canvas).left;
    const boxes = words.map(boxOf);
    const feet = boxes.slice(0, -1).map((box) => box.left - left + box.width / 2);
    return { feet: [boxes[0].left - left - START_BEFORE, ...feet], beside: boxes.at(-1).right - left + HEADS_AFTER };
  }

  /** Inside of the model the question and the words make way. */
  turnedTo(isNear) {
    this.root.toggleAttribute("data-away", isNear);
    if (isNear && this.isQuiet) this.unfold();
    for (const node of [this.top, this.row.node]) node.inert = isNear;
  }

  /** Further in, its exact numbers are asked for. */
  moved() {
    this.link.later();
    const { place } = this.scene;
    const numbers = this.numbersOf(this.reading);
    if (place.length && !numbers.q) this.keep("name", this.reading.name);
    this.stopAsking?.();
    this.stopAsking = askForUnits({ place, numbers }, (l) => this.asking.ask(l));
  }

  // ---- the words, to be changed -------------------------------------------------------------------------------

  /** Opens the choice at the ith token, and behind the last the choice of a word more. */
  open(i, event) {
    const [byHand, anchor] = [event.detail > 0, this.stops.settle(i)];
    this.edit((n) => {
      if (n < this.editor.length) this.editor.open(n, anchor, byHand);
      else this.editor.add(n, anchor, byHand, this.guess === null);
    }, i);
  }

  /** Calls act(n) for the word that the ith token is a part of, in the sentence as it is on screen. */
  edit(act, i) {
    const { editor, isTurned, data } = this;
    if (!data.sentence) return;
    const [first, now] = [data.readings[0].name, this.reading.name];
    const turns = (n, all) => data.swap === "name" || n === all.length - 1;
    if (!isTurned)
      editor.sentence = sentenceOf(data.sentence).map((one, n, all) =>
        one.word.toLowerCase() === first && turns(n, all) ? { ...one, word: now } : one,
      );
    const isBlank = i >= this.row.tokens.length;
    const n = isTurned ? i : wordsOfTokens(data.sentence.tokens)[i];
    act(isBlank ? editor.length : Math.min(n ?? i, editor.length));
  }

  /** The sentence as it is now, before the server has answered. Whoever has guessed before sees the answers at once. */
  turned(text, n) {
    if (!this.isTurned && text === textOf(sentenceOf(this.data.sentence))) return this.putBack(n);
    if (this.guess !== null) this.guess = "";
    this.isTurned = true;
    const words = this.editor.sentence.map(({ word }) => word);
    this.row.show(words, null, this.blank("+"));
    for (const button of this.top.querySelectorAll("button")) button.disabled = true;
    this.stops.settle(n);
    this.stops.focus();
    this.send("text", text);
  }

  /** A word that was swapped is its own again: the server knows this sentence. */
  putBack(n) {
    this.name = null;
    this.link.later();
    this.draw();
    this.stops.settle(n);
    this.stops.focus();
  }

  blank(text) {
    return blankOf(text, (event) => this.open(this.row.words.children.length - 1, event));
  }

  /** The row of words as the reading has them. */
  showRow(looks, text) {
    const { tokens, unread } = this.reading;
    this.row.show(tokens, looks, this.blank(text));
    for (const [i, word] of [...this.row.words.children].entries()) {
      if (!unread[i]) continue;
      word.classList.add("unread");
      word.title = UNREAD;
    }
    this.stops.settle(this.stops.at);
  }

  // ---- the question and the answer ------------------------------------------------------------------------------

  get reading() {
    const { readings } = this.data;
    return readings.find(({ name }) => name === this.name) ?? readings[0];
  }

  draw() {
    const isOpen = this.guess !== null;
    this.root.dataset.state = isOpen ? "revealed" : "asked";
    this.root.dataset.name = this.reading.name;
    if (!isOpen) this.isQuiet = false;
    this.root.toggleAttribute("data-quiet", this.isQuiet);
    this.room.leave(isOpen && !this.isQuiet);
    isOpen ? this.reveal() : this.question();
    this.showScene();
  }

  question() {
    const { tokens } = this.reading;
    this.showRow(null, "+");
    this.row.node.setAttribute("aria-label", `${tokens.join(" ")}, and then a word that is missing.`);
    const asks = el("p.question", "Press the word that you think comes next.");
    this.texts.replaceChildren(endingOf(tokens, "?"), asks);
    this.bars.cover(this.data.options);
  }

  choose(word) {
    this.guess = word;
    this.isQuiet = this.data.readings.length > 1;
    this.link.later();
    this.bars.wait(true);
    this.draw();
    this.pass();
    if (!still() && !this.isQuiet) this.room.make();
    this.verdict.focus({ preventScroll: true }); // the button that had it is gone
  }

  swap(name) {
    this.name = name;
    this.link.later();
    this.isQuiet && this.reading === this.data.readings[0] ? this.unfold() : this.draw();
    this.texts.querySelector("[aria-pressed=true]").focus();
  }

  /** All of the answer: how likely each word is, the heads, and the doors into the model. */
  unfold() {
    this.isQuiet = false;
    this.draw();
    if (!still()) this.room.make();
  }

  reveal() {
    const { tokens, weights, start, looks_at: key, shares, without } = this.reading;
    const { words, n_words: n, readings, swap, head } = this.data;
    const last = tokens.length - 1;
    const best = words[shares.indexOf(Math.max(...shares))];
    this.showRow({ query: last, key, weights }, best);
    const looks = summary(["⟨start⟩", ...tokens], [start, ...weights]);
    const told = `${called(tokens[last])} looks at ${looks}; the likeliest next word is ${best}.`;
    this.row.node.setAttribute("aria-label", told);
    const isFirst = this.reading === readings[0]; // whose next word was guessed
    const guess = isFirst ? this.guess : null;
    this.verdict.textContent = isFirst
      ? verdict(guess, words, shares)
      : flip(words, readings[0].shares, shares, SWAPS[swap].called);
    const looked = whereItLooked(this.reading, { word: best, share: Math.max(...shares), without, head });
    const turns = readings.length > 1 && turnsOf(readings, SWAPS[swap], this.reading.name, (name) => this.swap(name));
    this.texts.replaceChildren(endingOf(tokens, best, turns), this.verdict, looked);
    this.bars.show(words, shares, { n, guess, asked: this.data.options });
  }

  /** The model computes: a wave runs up through the layers, and then the answer is there. */
  pass() {
    this.root.toggleAttribute("data-passes", true);
    this.scene.run(() => {
      this.root.removeAttribute("data-passes");
      this.bars.wait(false);
    });
  }
}

export default mount(".guess", Guess);
