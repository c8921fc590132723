// A text, a second one in which a word is another, and all heads as small maps, layer over layer: what the head that is
// pressed made of the first text is carried into the second. What it reads there, the threads say.

import { asShare, el, mount, shareInProse, svg } from "../../../../attention_view/lab.js";
import { arc, footOf } from "./head_grid.js";
import { bySize, headOf, HeadPicture, isMark, nextBySize } from "./picture.js";
import { chances, lookedAt, mostOf, ranked, said } from "./ranks.js";
import { CARRY, ofOthers } from "./wording.js";

const WORDS = 5; // that are shown with their probability
const LEAST = 0.0005; // of a word that is worth a bar

export class HeadStage extends HeadPicture {
  rows = new Map(); // number of a word -> its bar
  drawn = { isCausal: true };

  constructor(root) {
    super(root, "carried", ["tokens", "labels", "shape", "second"]);
  }

  read(all) {
    super.read(all);
    this.T = this.header.shape[2];
    this.rows.clear();
  }

  // ---- the heads ------------------------------------------------------------------------------------------------

  seen(layer, head) {
    const moved = this.arrays.moved[layer * this.H + head];
    const label = CARRY.moves(shareInProse(moved));
    return { text: asShare(moved), label, share: moved, isStrong: moved >= 0.1 };
  }

  /** A head that is pressed again is left where it was. */
  touch(...head) {
    if (String(head) === String(this.chosen)) this.set(null);
    else this.carry(head);
  }

  /** The dark button: the next head, or the strongest. */
  press() {
    const { moved } = this.arrays;
    this.carry(headOf(this.chosen ? nextBySize(moved, this.index) : bySize(moved)[0], this.H));
  }

  /** Carries a head, and lets the page know. */
  carry(head) {
    this.set(head);
    this.presses.add(head);
    this.send("carried", head.join("-"));
  }

  set(head) {
    this.chosen = head;
    this.show();
  }

  /** What the dark button says. */
  get offer() {
    if (!this.chosen) return CARRY.again;
    return bySize(this.arrays.moved).at(-1) === this.index ? CARRY.first : CARRY.next;
  }

  // ---- the texts and the next word -------------------------------------------------------------------------------

  /** The first text with what is said after it, and the second, in which a word is another. */
  sentence() {
    const { tokens, second } = this.header;
    const { tokens: others, answer } = second;
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const differs = tokens.map((token, n) => token !== others[n]);
    this.tokens = tokens.map((token) => el("span", token));
    this.blank = el("span.blank");
    this.differing = this.tokens.filter((_, n) => differs[n]);
    const which = (text) => el("span.which", text);
    this.words.replaceChildren(
      which("first text"),
      ...this.tokens.flatMap((token) => [token, gap]),
      el("b.blank", answer),
    );
    const words = others.flatMap((token, n) => [
      el(differs[n] ? "b.differs" : `span.${isMark(token) ? "token.mark" : "token"}`, token),
      gap,
    ]);
    this.second.replaceChildren(which("second text"), ...words, this.blank);
  }

  show() {
    const { arrays, chosen: head } = this;
    const { labels } = this.header;
    const after = chances(arrays, head);
    const [now, was] = [said(after), said(arrays.before)].map((n) => labels[n]);
    const first = head ? head.join("-") : `${this.header.shape[0] - 1}-0`;
    this.grid.mark((layer, n) => head?.[0] === layer && head[1] === n, first);
    this.say({
      finding: head ? CARRY.finding(head, now, was, arrays.moved[this.index]) : CARRY.nothing(was),
      act: this.offer,
      title: CARRY.title(head),
      others: ofOthers(arrays, head, labels),
      where: this.thread(),
      signs: CARRY.signs,
    });
    const shown = ranked(after, WORDS).filter((n) => !n || after[n] >= LEAST);
    this.bars.replaceChildren(...shown.map((n) => this.bar(n, after[n])));
    this.blank.replaceChildren(...(now === was ? [was] : [el("s", was), " ", el("b", now)]));
  }

  /** The bar of a word; it is the same element as before, so that it is seen to fall. */
  bar(n, after) {
    if (!this.rows.has(n)) {
      const bar = el("span.bar", el("i.was"), el("i.is"));
      bar.style.setProperty("--was", `${100 * this.arrays.before[n]}%`);
      const label = el("span.label", this.header.labels[n]);
      this.rows.set(n, el(n ? "li" : "li.right", label, bar, el("span.share")));
    }
    const row = this.rows.get(n);
    row.children[1].style.setProperty("--is", `${100 * after}%`);
    row.children[2].textContent = asShare(after);
    return row;
  }

  /** What the head that is carried reads at the position in question: where it looks, in arcs below the text. Returns
   * the sentence on it; "" where none is carried. */
  thread() {
    const { at, tokens } = this.header;
    const { T, threads } = this;
    for (const token of this.tokens) token.className = isMark(token.textContent) ? "token mark" : "token";
    this.tokens[at].classList.add("from");
    for (const token of this.differing) token.classList.add("differs");
    threads.replaceChildren();
    if (!this.chosen) return "";
    const row = this.arrays.looks.subarray(this.index * T, (this.index + 1) * T);
    const keys = lookedAt(row);
    const [box, zoom] = this.paper;
    const place = (token) => footOf(token, box, zoom);
    const [best, to] = mostOf(tokens, row, at);
    for (const key of keys) {
      if (key === best && key !== at) this.tokens[key].classList.add("to");
      const d = arc(place(this.tokens[at]), place(this.tokens[key]));
      if (d) threads.append(svg("path", { d, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    return CARRY.where(tokens[at], to);
  }
}

export default mount(".head-stage", HeadStage);
