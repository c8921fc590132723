// The words of a sentence as chips, over the box that it is typed into. Enter opens the choice at one, Delete takes it
// away.

import { el, mount, theme, UNREAD } from "../../../../attention_view/lab.js";
import { Editor, Stops, stop } from "./editor.js";

const SIGN = 22; // pixels of the sign that words have rolled away, at least

class SentenceWords {
  constructor(root) {
    this.root = root;
    this.editor = new Editor(root, (text, n) => this.turned(text, n));
    const touched = () => (this.isTouched = true); // and from then on, it stays as it is rolled
    this.row = el("div.words", {
      onwheel: (event) => this.roll(event),
      onscroll: () => this.rolled(),
      onpointerdown: touched,
    });
    this.stops = new Stops(this.row, "Words of the sentence: press one to change it", (n) => this.editor.remove(n));
    this.row.addEventListener("focusin", touched);
    root.prepend(this.row);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.editor.take(data)) this.draw();
  }

  /** The chips as the sentence is now; the keyboard stays where it was. */
  draw() {
    const { sentence, data, isNew } = this.editor;
    const had = this.stops.hasFocus;
    const chips = sentence.map(({ word }, n) => {
      const unread = !isNew && data.unread[n];
      const onclick = (event) => this.open(n, event);
      return stop(unread ? "span.chip.unread" : "span.chip", { title: unread ? UNREAD : null, onclick }, word);
    });
    const onclick = (event) => this.open(chips.length, event);
    const blank = { title: "Write a word on", "aria-label": "Write a word on", onclick };
    this.row.classList.toggle("empty", !sentence.length);
    this.row.replaceChildren(...chips, stop("span.chip.blank", blank, "+"));
    this.resized();
    this.stops.settle(this.stops.at);
    if (had) this.stops.focus();
  }

  /** A sentence that is a little too long for its box stands closer; one that is much too long rolls. */
  resized() {
    const { row } = this;
    const isTooLong = () => row.scrollWidth > row.clientWidth;
    row.classList.remove("tight", "rolls");
    row.classList.toggle("tight", isTooLong());
    row.classList.toggle("rolls", isTooLong());
    const begins = theme(this.root)("from-start") === "1"; // most pages are about the last word
    if (!this.isTouched) row.scrollLeft = begins ? 0 : row.scrollWidth;
    this.rolled();
  }

  /** Words that have rolled away in part are hidden by a sign, so that each one that is seen is whole. */
  rolled() {
    const { row } = this;
    const isPast = row.scrollLeft > 0;
    row.classList.toggle("past", isPast);
    if (!isPast) return;
    const zoom = row.currentCSSZoom ?? 1;
    const from = row.getBoundingClientRect().left;
    const lefts = [...row.children].map((chip) => (chip.getBoundingClientRect().left - from) / zoom);
    row.style.setProperty("--past", `${(lefts.find((left) => left >= SIGN) ?? SIGN).toFixed(1)}px`);
  }

  open(n, event) {
    const byHand = event.detail > 0; // a press of Enter is a click of none
    const anchor = this.stops.settle(n);
    if (n === this.editor.length) this.editor.add(n, anchor, byHand);
    else this.editor.open(n, anchor, byHand);
  }

  turned(text, n) {
    this.draw();
    this.stops.settle(n);
    this.stops.focus();
    this.send("text", text);
  }

  /** A wheel rolls the row sideways where it is longer than the box. */
  roll(event) {
    if (event.deltaX || this.row.scrollWidth <= this.row.clientWidth) return;
    event.preventDefault();
    this.isTouched = true;
    this.row.scrollLeft += event.deltaY;
  }
}

export default mount(".sentence-words", SentenceWords);
