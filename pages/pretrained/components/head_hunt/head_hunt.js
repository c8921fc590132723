// How many heads can the model do without? It opens whole, with its next word. Whoever points at a head sees where it
// looks; those that are pressed are out, all together: what each cost is written below it, and the word shrinks, until
// another falls into its place.

import { asShare, el, mount, put, rewrite, shareInProse, still, svg, write } from "../../../../attention_view/lab.js";
import { tween } from "../../../../attention_view/controls.js";
import { arc, footOf, HeadGrid } from "../head_stage/head_grid.js";
import { Heads } from "../head_stage/heads.js";
import { headName, headOf, isMark } from "../head_stage/picture.js";
import { lookedAt, mostOf } from "../head_stage/ranks.js";
import { act, finding, gauge, isEvery, placeOf, spared, spelled } from "./telling.js";
import { around, rounded } from "./threads.js";

// The grid fills its half of the figure and all of its height; its words are as large as its maps.
const LARGE = { around: 176, part: 0.52, aside: 84, header: 32, signs: 4, number: 40, beside: 34 };

const NARROW = 700; // pixels of the figure: below a small map is room for a number
const SENTENCES = 4; // so many stand on lines of their own
const EACH = 420; // milliseconds from one head that goes by itself to the next
const NAMELESS = "none"; // what is sent where all heads are in

export class HeadHunt extends Heads {
  constructor(root) {
    super(root, "out", ["tokens", "labels", "shape"]);
    this.grid = new HeadGrid(
      root,
      (layer, head) => this.touch(layer * this.H + head),
      (layer) => el("span.layer", `layer ${layer}`),
    );
    this.grid.node.onpointermove = ({ target }) => this.point(target);
    this.grid.node.onpointerleave = () => this.point(this.root);
    const onFocus = ({ target }) => target.matches(":focus-visible") && this.point(target);
    this.grid.node.addEventListener("focusin", onFocus);
    this.grid.node.addEventListener("focusout", () => this.point(this.root));
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.press() });
    this.words = el("p.words");
    this.word = el("p.word");
    this.marks = el("span.marks", { "aria-hidden": "true" });
    this.sure = el("p.sure", el("span.along", el("span.bar", el("i")), this.marks), el("b"), " sure");
    this.where = el("p.where");
    this.threads = svg("svg.threads", { "aria-hidden": "true" });
    this.text = el("div.text", this.threads, this.words, this.word, this.sure, this.where);
    root.replaceChildren(
      el("div.headline", this.finding, this.act),
      el("div.top", el("div.map", this.grid.node), this.text),
    );
  }

  build() {
    this.spared = spared(this.arrays);
    super.build();
  }

  follow(out) {
    this.stop?.();
    Object.assign(this, { out, last: null });
  }

  /** costs: what each head cost that was taken out; last: the head that was taken out last, by hand; pointed: the head
   * that is pointed at. */
  begin() {
    this.stop?.();
    Object.assign(this, { costs: new Map(), out: [], last: null, pointed: null });
  }

  get drawn() {
    return { isCausal: this.header.causal, room: LARGE };
  }

  seen(layer, head) {
    const cost = this.costs.get(layer * this.H + head);
    if (cost === undefined) return { text: "\u00a0", label: "not taken out", share: 1, isStrong: false };
    const text = this.root.clientWidth < NARROW ? asShare(cost) : `cost ${asShare(cost)}`;
    return { text, label: `cost ${asShare(cost)} of the answer`, share: 1, isStrong: cost > 0.5 };
  }

  // ---- what hands do -----------------------------------------------------------------------------------------------

  /** The threads of a head, before it is taken out. */
  point(target) {
    const place = target.closest?.(".head")?.dataset.place.split("-").map(Number) ?? null;
    const head = place && place[0] * this.H + place[1];
    if (head === this.pointed) return;
    this.pointed = head;
    this.thread();
  }

  touch(head) {
    this.stop?.();
    if (this.out.includes(head)) this.put(head);
    else this.take(head);
    this.tell();
  }

  put(head) {
    this.out = this.out.filter((other) => other !== head);
    this.costs.delete(head);
    this.grid.rewrite(...headOf(head, this.H)).classList.remove("goes");
    this.last = null;
  }

  putAll() {
    for (const head of this.out) this.put(head);
  }

  /** Takes a head out, and keeps what that costs. */
  take(head) {
    const { arrays } = this;
    if (!isEvery(arrays)) this.putAll();
    const before = arrays.kept[placeOf(arrays, this.out)];
    this.out = [...this.out, head];
    const after = arrays.kept[placeOf(arrays, this.out)];
    this.costs.set(head, Math.max(0, before - after));
    this.last = head;
    this.grid.rewrite(...headOf(head, this.H)).classList.add("goes");
  }

  /** Shows what is out, and lets the page know. */
  tell() {
    this.show();
    const out = this.out.toSorted((a, b) => a - b);
    this.presses.add(out);
    this.send("out", out.join(" ") || NAMELESS);
  }

  /** The dark button puts back what was too much, or takes one head after the other out, as many as can be. */
  press() {
    this.stop?.();
    const { header, out } = this;
    if (this.hasFallen && this.last === null) this.putAll();
    else if (this.hasFallen) this.put(this.last);
    else if (!this.spared.length) this[out.includes(this.strongest) ? "put" : "take"](this.strongest);
    else if (out.length < this.spared.length) return this.play();
    else if (header.further) return this.send("further", this.about);
    else {
      this.begin();
      this.build();
    }
    this.last = this.hasFallen ? this.last : null;
    return this.tell();
  }

  play() {
    const { spared } = this;
    this.putAll();
    this.show();
    const upTo = (n) => {
      const next = spared.slice(this.out.length, n);
      for (const head of next) this.take(head);
      if (next.length) this.show();
    };
    const all = still() ? 0 : spared.length * EACH;
    const stop = all ? tween(all, (share) => upTo(Math.ceil(share * spared.length))) : null;
    const ending = setTimeout(() => (upTo(spared.length), this.tell()), all);
    this.stop = () => (stop?.(), clearTimeout(ending));
  }

  /** The head whose ablation alone moves most of the probability. */
  get strongest() {
    const { moved } = this.arrays;
    return moved.indexOf(Math.max(...moved));
  }

  get hasFallen() {
    const { said } = this.arrays;
    return said[placeOf(this.arrays, this.out)] !== said[0];
  }

  destroy() {
    this.stop?.();
  }

  // ---- the text and its next word ----------------------------------------------------------------------------------

  sentence() {
    const { tokens } = this.header;
    const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
    this.tokens = tokens.map((token) => el("span", token));
    const isEnd = tokens.map((token, n) => n < tokens.length - 1 && /^·?[.?!]$/.test(token));
    const isApart = isEnd.filter(Boolean).length <= SENTENCES; // each sentence has a line of its own
    this.words.replaceChildren(...this.tokens.flatMap((token, n) => [token, isApart && isEnd[n] ? el("br") : gap]));
  }

  show() {
    const { arrays, header, out, spared } = this;
    const { said, sure, moved } = arrays;
    const at = placeOf(arrays, out);
    const [now, was] = [at, 0].map((set) => spelled(header.labels[said[set]]));
    const state = {
      out,
      most: spared.length,
      H: this.H,
      all: moved.length,
      last: this.last,
      hasFallen: this.hasFallen,
      isLed: out.includes(this.strongest),
    };
    write(this.finding, finding(state, { now, was, sure: shareInProse(sure[at]) }));
    write(this.act, act({ ...state, further: header.further }));
    rewrite(this.word, ...(now === was ? [] : [el("s", was), " "]), el("b", now));
    this.measure(sure[at], sure[0]);
    this.root.classList.toggle("other", now !== was);
    const first = headOf(this.last ?? out[0] ?? (header.shape[0] - 1) * this.H, this.H).join("-");
    this.grid.mark((layer, head) => out.includes(layer * this.H + head), first);
    put(this.root, { "data-out": out.length });
    this.thread();
  }

  /** How sure the model is of what it says: the number, the bar, and how large the word is written. */
  measure(now, whole) {
    const { long, marks } = gauge(now, whole);
    put(this.text, { style: `--is:${long.toFixed(4)}` });
    write(this.sure.querySelector("b"), asShare(now));
    this.marks.replaceChildren(
      ...marks.map(([at, said]) => el("i", { style: `left:${(100 * at).toFixed(1)}%` }, said)),
    );
    this.sure.classList.toggle("marked", marks.length > 0);
  }

  /** Where the head that is pointed at looks from the position that is read, or else all that are in, together: threads
   * among the words, and a sentence. Those of a head that is out have fallen. */
  thread() {
    const { arrays, header, out, pointed, tokens } = this;
    const { at, labels, shape } = header;
    const [T, answer] = [shape[2], labels[arrays.said[0]]];
    const kindOf = (text) => (isMark(text) ? "mark" : text === answer ? "same" : "");
    for (const token of tokens) token.className = `token ${kindOf(token.textContent)}`;
    tokens[at].classList.add("from");
    this.grid.node.querySelector(".seen")?.classList.remove("seen");
    const place = pointed !== null && headOf(pointed, this.H);
    if (place) this.grid.node.querySelector(`[data-place="${place.join("-")}"]`)?.classList.add("seen");
    this.root.style.setProperty("--from", at / T);
    this.root.style.setProperty("--row", 1 / T);
    const rowOf = (head) => arrays.looks.subarray(head * T, (head + 1) * T);
    const isIn = [...arrays.moved.keys()].filter((head) => !out.includes(head));
    const mean = (key) => isIn.reduce((sum, head) => sum + rowOf(head)[key] / arrays.moved.length, 0);
    const row = place ? rowOf(pointed) : Float32Array.from({ length: T }, (_, key) => mean(key));
    this.threads.classList.toggle("fallen", out.includes(pointed));
    this.threads.replaceChildren(...this.ways(row, place ? 7 : 30));
    const [best, to] = mostOf(header.tokens, row, at);
    if (place && best !== at) tokens[best].classList.add("to");
    write(this.where, place ? `From “${tokens[at].textContent}”, ${headName(place)} looks most at ${to}.` : "");
  }

  /** The threads of a row of weights; thick: pixels of a weight of 1. */
  ways(row, thick) {
    const { tokens } = this;
    const { at } = this.header;
    const keys = lookedAt(row);
    const box = this.text.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1;
    const feet = tokens.map((token) => footOf(token, box, zoom));
    const right = Math.max(...tokens.map((token) => (token.getBoundingClientRect().right - box.left) / zoom));
    const pitch = parseFloat(getComputedStyle(this.words).lineHeight);
    const isLast = feet.every(([, y]) => y < feet[at][1] + pitch / 2);
    // A mark has smaller letters, and a higher foot.
    const far = keys.filter((key) => Math.abs(feet[key][1] - feet[at][1]) >= pitch / 2);
    const ways = around(feet[at], far.map((key) => feet[key]), right); // prettier-ignore
    return keys.map((key) => {
      const way = ways[far.indexOf(key)];
      const d = way ? rounded(way, 12) : arc(feet[at], [feet[key][0], feet[at][1]], isLast ? 34 : 0);
      return svg("path", { d, "stroke-width": (1 + thick * row[key]).toFixed(1) });
    });
  }
}

export default mount(".head-hunt", HeadHunt);
