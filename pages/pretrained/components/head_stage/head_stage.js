// A text with the word that the model says next, and all heads as small maps, layer over layer. A head that is pressed
// is cut: the word loses its probability, if this head has brought it. Or, where there is a second text, what the head
// made of the first one is carried into it. What each head reads, the threads say. It opens with each head cut in turn,
// and rests on the one that is missed most.

import { asShare, el, mount, put, roomOf, shareInProse, still, svg, unpack } from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";
import { Turns } from "../../../../lab/kit/components/turns.js";
import { arc, footOf } from "./head_grid.js";
import { bySize, headOf, HeadPicture, isMark, nextBySize } from "./picture.js";
import { CARRY, CUT, ofOthers } from "./wording.js";
import { chances, lookedAt, ranked, said } from "./ranks.js";

const WORDS = 5; // that are shown with their probability
const LEAST = 0.0005; // of a word that is worth a bar
const ROUND = 3000; // milliseconds in which each head is cut once

/** "2-3" is a head, "2-" all of its layer. */
const nameOf = ([layer, head]) => `${layer}-${head ?? ""}`;

/** The head that is missed most, or carries most. */
const strongest = (moved) => headOf(bySize(moved)[0], moved.shape[1]);

export class HeadStage {
  constructor(root) {
    this.root = root;
    this.picture = new HeadPicture(root, {
      touched: (layer, head) => this.touch([layer, head]),
      layerOf: (layer) => this.layer(layer),
      press: () => this.press(),
    });
    Object.assign(this, this.picture); // its parts
    this.rows = new Map(); // number of a word -> its bar
    this.turns = new Turns(root, { turned: (first, last) => this.turned(first, last), rested: () => this.rested() });
    this.sent = []; // what was cut and is not echoed yet
  }

  update(bytes, { setTriggerValue }) {
    this.send = setTriggerValue;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.follow(header);
      Object.assign(this, { header, arrays, wording: header.second ? CARRY : CUT });
      this.root.classList.toggle("cuts", header.second === null);
      [this.L, this.H, this.T] = header.shape;
      this.rows.clear();
    }
    this.build();
    if (!this.hasBegun && !this.header.isCut && this.room) this.beat();
    this.hasBegun = true;
  }

  /** What is cut, where another text or a control of the page has changed it; an echo of a press changes nothing, for
   * there may have been another meanwhile. */
  follow(header) {
    const [layer, heads] = header.cut;
    const cut = [layer, heads.length === 1 ? heads[0] : null];
    const told = header.isCut ? nameOf(cut) : "none";
    const about = JSON.stringify([header.tokens, header.labels, header.shape, header.second]);
    const echo = this.sent.lastIndexOf(told);
    this.sent.splice(0, echo + 1);
    if (about !== this.about || (told !== this.told && echo < 0)) {
      this.turns.rest();
      this.sent = [];
      this.cut = cut;
    }
    Object.assign(this, { told, about });
  }

  destroy() {
    this.endBeat?.();
    this.turns.rest();
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
      isCausal: header.next,
      seen: (layer, head) => this.seen(layer, head),
    });
    this.sentence();
    this.show();
  }

  layer(layer) {
    const props = {
      "data-place": `${layer}-`,
      title: `Take out all of layer ${layer}`,
      onclick: () => this.touch([layer, null]),
    };
    return this.header.second ? el("span.layer", `layer ${layer}`) : el("button.layer", props, `layer ${layer}`);
  }

  seen(layer, head) {
    if (this.turns.isOn && layer * this.H + head > this.turns.at)
      return { text: "\u00a0", label: "not taken out yet", share: 0, isStrong: false };
    const moved = this.arrays.moved[layer * this.H + head];
    const label = this.wording.moves(shareInProse(moved));
    return { text: asShare(moved), label, share: moved, isStrong: moved >= 0.1 };
  }

  touch(cut) {
    const isSame = String(cut) === String(this.cut) && !this.turns.isOn;
    this.turns.rest();
    if (isSame) this.set(null);
    else this.cutFor(cut);
  }

  /** Cuts a head, and lets the page know. */
  cutFor(cut) {
    this.set(cut);
    this.sent.push(nameOf(cut));
    this.send("cut", nameOf(cut));
  }

  set(cut) {
    this.cut = cut;
    this.show();
  }

  /** The dark button: what is cut is put back, or each head is cut in turn, or the next one is carried over. Who stops
   * the turns keeps the head that is out. */
  press() {
    const { moved } = this.arrays;
    if (this.turns.isOn) this.touch(this.cut);
    else if (this.header.second)
      this.cutFor(this.cut ? headOf(nextBySize(moved, this.index), this.H) : strongest(moved));
    else if (this.cut) this.set(null);
    else if (still()) this.cutFor(strongest(moved));
    else this.play(() => this.cutFor(strongest(moved)));
  }

  /** The place of the head that is cut among all heads; of a layer, that of its first. */
  get index() {
    return this.cut[0] * this.H + (this.cut[1] ?? 0);
  }

  /** What the dark button says. */
  get offer() {
    const { wording, cut } = this;
    if (this.turns.isOn) return "Stop";
    if (!cut) return (still() && wording.atOnce) || wording.again;
    if (!wording.next) return wording.back;
    return bySize(this.arrays.moved).at(-1) === this.index ? wording.first : wording.next;
  }

  // ---- one head after the other ----------------------------------------------------------------------------------

  /** The page opens with each head cut in turn. */
  beat() {
    const settle = () => this.set(strongest(this.arrays.moved));
    const end = () => {
      if (!this.turns.isOn) return; // something else is cut meanwhile
      this.turns.rest();
      settle();
    };
    this.endBeat = firstBeat("heads", ROUND, () => this.play(settle), end);
  }

  /** Cuts each head in turn, and says what it did; then ends. */
  play(end) {
    this.turns.play(this.L * this.H, ROUND, end);
    this.rewriteAll(); // of those that are still to come nothing is told
  }

  turned(first, last) {
    for (let index = first; index <= last; index++) this.grid.rewrite(...headOf(index, this.H));
    this.set(headOf(last, this.H));
  }

  rested() {
    this.rewriteAll();
    this.show();
  }

  rewriteAll() {
    for (let index = 0; index < this.L * this.H; index++) this.grid.rewrite(...headOf(index, this.H));
  }

  // ---- the text and its next word --------------------------------------------------------------------------------

  sentence() {
    const { tokens, at, next, second } = this.header;
    this.tokens = tokens.map((token) => el("span", token));
    this.blank = el("span.blank");
    if (second) return this.twoSentences(second);
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const words = this.tokens.flatMap((token, n) =>
      n === at && !next ? [token, " → ", this.blank, " "] : [token, gap],
    );
    this.words.replaceChildren(...words, ...(next ? [this.blank] : []));
    this.second.replaceChildren();
  }

  /** The first text with what is said after it, and the second, in which a word is another. */
  twoSentences({ tokens: others, answer }) {
    const { tokens } = this.header;
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    const differs = tokens.map((token, n) => token !== others[n]);
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
    const { arrays, cut, wording } = this;
    const { labels } = this.header;
    const after = chances(arrays, cut);
    const [now, was] = [said(after), said(arrays.before)].map((n) => labels[n]);
    this.mark();
    put(this.finding, { "aria-live": this.turns.isOn ? "off" : "polite" });
    this.picture.say({
      finding: cut ? wording.finding(cut, now, was, arrays.moved[this.index]) : wording.nothing(was),
      act: this.offer,
      title: wording.title(cut),
      others: this.turns.isOn ? "" : ofOthers(wording, arrays, cut, labels),
      where: this.thread(),
      signs: wording.signs,
    });
    const shown = ranked(after, WORDS).filter((n) => !n || after[n] >= LEAST);
    this.bars.replaceChildren(...shown.map((n) => this.bar(n, after[n])));
    this.blank.replaceChildren(...(now === was ? [was] : [el("s", was), " ", el("b", now)]));
  }

  mark() {
    const { cut } = this;
    const first = cut ? nameOf(cut) : `${this.L - 1}-0`;
    const isOn = (layer, head) => cut?.[0] === layer && (cut[1] === null || cut[1] === head);
    this.grid.mark(isOn, first, this.turns.isOn);
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

  /** What the head that is cut reads at the position in question: where it looks, in arcs below the text. Returns the
   * sentence on it; "" where no single head is cut. */
  thread() {
    const { at, tokens, second } = this.header;
    const { T, threads } = this;
    for (const token of this.tokens) token.className = isMark(token.textContent) ? "token mark" : "token";
    this.tokens[at].classList.add("from");
    if (second) for (const token of this.differing) token.classList.add("differs");
    threads.replaceChildren();
    if (!this.cut || this.cut[1] === null) return "";
    const row = this.arrays.looks.subarray(this.index * T, (this.index + 1) * T);
    const keys = lookedAt(row, at);
    const [box, zoom] = this.picture.paper;
    const place = (token) => footOf(token, box, zoom);
    const best = keys.reduce((most, key) => (row[key] > row[most] ? key : most), keys[0]);
    for (const key of keys) {
      if (key === best) this.tokens[key].classList.add("to");
      const d = arc(place(this.tokens[at]), place(this.tokens[key]));
      if (d) threads.append(svg("path", { d, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    if (!keys.length) return `From “${tokens[at]}”, this head looks at no other token.`;
    return this.wording.where(tokens[at], tokens[best], row[best].toFixed(2));
  }
}

export default mount(".head-stage", HeadStage);
