// A text, a second one in which a word is another, and all heads as small maps, layer over layer: what the head that is
// pressed made of the first text is carried into the second. What it reads there, the threads say.

import { asShare, el, mount, roomOf, shareInProse, svg, unpack } from "../../../../attention_view/lab.js";
import { arc, footOf } from "./head_grid.js";
import { bySize, headOf, HeadPicture, isMark, nextBySize } from "./picture.js";
import { chances, lookedAt, mostOf, ranked, said } from "./ranks.js";
import { CARRY, ofOthers } from "./wording.js";

const WORDS = 5; // that are shown with their probability
const LEAST = 0.0005; // of a word that is worth a bar

export class HeadStage {
  constructor(root) {
    this.root = root;
    this.picture = new HeadPicture(root, {
      touched: (layer, head) => this.touch([layer, head]),
      layerOf: (layer) => el("span.layer", `layer ${layer}`),
      press: () => this.carry(this.head ? headOf(nextBySize(this.arrays.moved, this.index), this.H) : this.strongest),
    });
    Object.assign(this, this.picture); // its parts
    this.rows = new Map(); // number of a word -> its bar
    this.sent = []; // what was carried and is not echoed yet
  }

  update(bytes, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.follow(header);
      Object.assign(this, { header, arrays });
      [this.L, this.H, this.T] = header.shape;
      this.rows.clear();
    }
    this.build();
  }

  /** What is carried, where another text or a control of the page has changed it; an echo of a press changes nothing,
   * for there may have been another meanwhile. */
  follow(header) {
    const told = header.carried.join("-");
    const about = JSON.stringify([header.tokens, header.labels, header.shape, header.second]);
    const echo = this.sent.lastIndexOf(told);
    this.sent.splice(0, echo + 1);
    if (about !== this.about || (told !== this.told && echo < 0)) {
      this.sent = [];
      this.head = header.carried;
    }
    Object.assign(this, { told, about });
  }

  resized() {
    if (this.room !== roomOf(this.root) && this.header) this.build();
  }

  // ---- the heads ------------------------------------------------------------------------------------------------

  build() {
    const { root, header } = this;
    if (!root.clientWidth) return;
    this.room = roomOf(root);
    this.grid.draw({
      shape: header.shape,
      maps: this.arrays.maps,
      isCausal: true,
      seen: (layer, head) => this.seen(layer, head),
    });
    this.twoSentences();
    this.show();
  }

  seen(layer, head) {
    const moved = this.arrays.moved[layer * this.H + head];
    const label = CARRY.moves(shareInProse(moved));
    return { text: asShare(moved), label, share: moved, isStrong: moved >= 0.1 };
  }

  /** A head that is pressed again is left where it was. */
  touch(head) {
    if (String(head) === String(this.head)) this.set(null);
    else this.carry(head);
  }

  /** Carries a head, and lets the page know. */
  carry(head) {
    this.set(head);
    this.sent.push(head.join("-"));
    this.send("carried", head.join("-"));
  }

  set(head) {
    this.head = head;
    this.show();
  }

  get strongest() {
    return headOf(bySize(this.arrays.moved)[0], this.H);
  }

  /** The place of the head that is carried among all heads. */
  get index() {
    return this.head[0] * this.H + this.head[1];
  }

  /** What the dark button says. */
  get offer() {
    if (!this.head) return CARRY.again;
    return bySize(this.arrays.moved).at(-1) === this.index ? CARRY.first : CARRY.next;
  }

  // ---- the texts and the next word -------------------------------------------------------------------------------

  /** The first text with what is said after it, and the second, in which a word is another. */
  twoSentences() {
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
    const { arrays, head } = this;
    const { labels } = this.header;
    const after = chances(arrays, head);
    const [now, was] = [said(after), said(arrays.before)].map((n) => labels[n]);
    const first = head ? head.join("-") : `${this.L - 1}-0`;
    this.grid.mark((layer, n) => head?.[0] === layer && head[1] === n, first);
    this.picture.say({
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
    if (!this.head) return "";
    const row = this.arrays.looks.subarray(this.index * T, (this.index + 1) * T);
    const keys = lookedAt(row, at);
    const [box, zoom] = this.picture.paper;
    const place = (token) => footOf(token, box, zoom);
    const [best, to] = mostOf(tokens, row, at);
    for (const key of keys) {
      if (key === best) this.tokens[key].classList.add("to");
      const d = arc(place(this.tokens[at]), place(this.tokens[key]));
      if (d) threads.append(svg("path", { d, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    return CARRY.where(tokens[at], to);
  }
}

export default mount(".head-stage", HeadStage);
