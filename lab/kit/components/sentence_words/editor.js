// A sentence that is changed word by word: what the choice at each of its words offers, and what comes of it.

import { inRow } from "../../../../attention_view/controls.js";
import { el, put, UNREAD } from "../../../../attention_view/lab.js";
import { Choice } from "./choice.js";
import { inserted, offersAt, offersFor, removed, replaced, sentenceOf, textOf, typed } from "./sentence.js";

/** Opens choices at the words of a sentence; changed(text, n) hears of a new one, and of the word to look at then. */
export class Editor {
  constructor(root, changed) {
    this.choice = new Choice(root);
    this.changed = changed;
    this.passed = new Set(); // texts that were on screen before the last that was sent
  }

  /** Takes the choices of a sentence; false for those of one that has been changed since. */
  take(data) {
    const text = textOf(sentenceOf(data));
    if (this.passed.has(text) && text !== this.sent) return false;
    this.passed.clear();
    [this.data, this.sentence, this.sent] = [data, sentenceOf(data), text];
    return true;
  }

  get length() {
    return this.sentence.length;
  }

  /** The choice at a word: another in its place, none, or one more after it. */
  open(n, anchor, byHand) {
    const { word } = this.sentence[n];
    const { groups, more } = offersFor(this.isNew ? this.unknown : this.data, n);
    this.choice.offer(
      {
        anchor,
        title: ["In place of ", el("b", word), this.data.unread[n] && !this.isNew ? `. ${UNREAD}` : ""],
        groups,
        more,
        now: word.toLowerCase(),
        actions: [
          ["Remove", () => this.turn(removed(this.sentence, n), Math.max(0, n - 1))],
          ["Add a word after", () => this.add(n + 1, anchor, byHand)],
        ],
        choose: (text) => this.turn(replaced(this.sentence, n, typed(text)), n),
      },
      byHand,
    );
  }

  /** The choice of a word more before the nth, or at the end; `isSecret`: nobody is told how likely each is. */
  add(n, anchor, byHand, isSecret = false) {
    const { groups, more } = offersAt(this.isNew ? this.unknown : this.data, n);
    const before = this.sentence[n - 1]?.word;
    this.choice.offer(
      {
        anchor,
        title: before ? ["After ", el("b", before)] : ["The first word"],
        groups: isSecret ? groups.map(inOrder) : groups,
        more,
        now: null,
        actions: [],
        choose: (text) => this.turn(inserted(this.sentence, n, typed(text)), n),
      },
      byHand,
    );
  }

  remove(n) {
    if (n < this.length) this.turn(removed(this.sentence, n), Math.max(0, n - 1));
  }

  turn(sentence, n) {
    const [text, before] = [textOf(sentence), textOf(this.sentence)];
    if (text === before) return; // the server would not answer: nothing is new to it
    this.passed.add(before);
    this.sentence = sentence;
    this.sent = text;
    this.changed(this.sent, n);
  }

  /** Whether the choices are those of an older sentence: the answer of the server is on its way. */
  get isNew() {
    return this.sent !== textOf(sentenceOf(this.data));
  }

  /** What is known of a sentence before the server has answered: all words, and which of them is likely nowhere. */
  get unknown() {
    return { ...this.data, kind: [], near: [], same: [], next: [] };
  }
}

/** Likely words in the order of the alphabet, which tells nothing. */
const inOrder = ({ words }) => ({ name: "", words: words.map(([word]) => [word, null]).sort() });

const OPENS = ["Enter", " ", "ArrowDown"]; // a word, as such keys open an item of a menu bar

/** A word of a row of words, stop("span.chip", { onclick }, "mia"): each opens a choice. */
export const stop = (tag, props, ...inside) =>
  el(tag, { role: "menuitem", "aria-haspopup": "dialog", ...props }, ...inside);

/** The words of a row, made by stop(), as one control with one stop of the Tab key: a menu bar, the pattern for items
 * in a row of which each opens something. Arrow keys walk along them, and remove(n) hears of Delete. */
export class Stops {
  constructor(row, label, remove) {
    Object.assign(this, { row, remove, at: 0 });
    put(row, { role: "menubar", "aria-label": label });
    row.onkeydown = (event) => this.walk(event);
  }

  get all() {
    return [...this.row.children];
  }

  get hasFocus() {
    return this.row.contains(this.row.getRootNode().activeElement);
  }

  settle(n) {
    const { all } = this;
    this.at = Math.max(0, Math.min(n, all.length - 1));
    all.forEach((word, at) => put(word, { tabindex: at === this.at ? 0 : -1 }));
    return all[this.at];
  }

  focus() {
    this.all[this.at].focus({ preventScroll: true });
    this.row.scrollLeft += sidewaysTo(this.all[this.at], this.row);
  }

  walk(event) {
    const { all } = this;
    const at = all.indexOf(event.target);
    if (["Delete", "Backspace"].includes(event.key)) {
      event.preventDefault();
      return this.remove(at);
    }
    if (OPENS.includes(event.key)) {
      event.preventDefault();
      return all[at].click();
    }
    const next = inRow(event, at, all.length);
    if (next === null) return;
    this.settle(next);
    this.focus();
  }
}

const FADE = 34; // pixels at the beginning of a row below which the words before these fade away

/** How far a row must be rolled until one of its children is in sight. */
function sidewaysTo(child, row) {
  const [inner, outer] = [child.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.left < outer.left + FADE) return inner.left - outer.left - FADE;
  return inner.right > outer.right - 44 ? inner.right - outer.right + 44 : 0; // the blank lies over the end
}
