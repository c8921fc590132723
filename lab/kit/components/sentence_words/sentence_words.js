// The words of a sentence as chips, over the box that it is typed into. One of them is a stop of the Tab key; the arrow
// keys walk along them, Enter opens the choice at one, Delete takes it away.

import { inRow } from "../../../../attention_view/controls.js";
import { el, mount, put, UNREAD } from "../../../../attention_view/lab.js";
import { Editor } from "./editor.js";

class SentenceWords {
  constructor(root) {
    this.root = root;
    this.editor = new Editor(root, (text, n) => this.turned(text, n));
    this.row = el("div.words", {
      role: "group",
      "aria-label": "Words of the sentence: tap one to change it",
      onkeydown: (event) => this.walk(event),
      onwheel: (event) => this.roll(event),
    });
    root.prepend(this.row);
    this.at = 0;
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.editor.take(data)) this.draw();
  }

  /** The chips as the sentence is now; the keyboard stays where it was. */
  draw() {
    const { sentence, data, isNew } = this.editor;
    const had = this.row.contains(this.root.getRootNode().activeElement);
    const chips = sentence.map(({ word }, n) => {
      const unread = !isNew && data.unread[n];
      const open = (event) => this.open(n, event);
      const props = { title: unread ? UNREAD : null, "aria-haspopup": "dialog", onclick: open };
      return el(unread ? "button.chip.unread" : "button.chip", props, word);
    });
    const blank = el(
      "button.chip.blank",
      { title: "Write a word on", "aria-label": "Write a word on", "aria-haspopup": "dialog", onclick: (e) => this.open(-1, e) },
      "+",
    );
    this.row.classList.toggle("empty", !sentence.length);
    this.row.replaceChildren(...chips, blank);
    this.settle(Math.min(this.at, chips.length));
    if (had) this.focus();
  }

  get chips() {
    return [...this.row.children];
  }

  settle(n) {
    this.at = n;
    this.chips.forEach((chip, at) => put(chip, { tabindex: at === n ? 0 : -1 }));
  }

  focus() {
    this.chips[this.at].focus({ preventScroll: true });
    this.chips[this.at].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  open(n, event) {
    const byHand = event.detail > 0; // a press of Enter is a click of none
    const { length } = this.editor;
    this.settle(n < 0 ? length : n);
    const anchor = this.chips[this.at];
    if (n < 0) this.editor.add(length, anchor, byHand);
    else this.editor.open(n, anchor, byHand);
  }

  turned(text, n) {
    this.at = n;
    this.draw();
    this.focus();
    this.send("text", text);
  }

  walk(event) {
    const at = this.chips.indexOf(event.target);
    if (["Delete", "Backspace"].includes(event.key) && at < this.editor.length) {
      event.preventDefault();
      return this.editor.remove(at);
    }
    const next = inRow(event, at, this.chips.length);
    if (next === null) return;
    this.settle(next);
    this.focus();
  }

  /** A wheel rolls the row sideways where it is longer than the box. */
  roll(event) {
    if (event.deltaX || this.row.scrollWidth <= this.row.clientWidth) return;
    event.preventDefault();
    this.row.scrollLeft += event.deltaY;
  }
}

export default mount(".sentence-words", SentenceWords);
