// Which head does the model need? It opens whole, with its next word. Whoever points at a head sees where it looks; one
// that is pressed is taken out: what that costs is then written below it, and stays; the word stays, or another falls
// into its place.

import { asShare, el, mount, put, rewrite, shareInProse, svg, write } from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";
import { arc, footOf, HeadGrid } from "../head_stage/head_grid.js";
import { Heads } from "../head_stage/heads.js";
import { headOf, isMark } from "../head_stage/picture.js";
import { chances, lookedAt, mostOf, said } from "../head_stage/ranks.js";
import { act, finding, gauge, needed, shownFirst, sought, where } from "./telling.js";
import { around, rounded } from "./threads.js";

// The grid fills its half of the figure and all of its height; its words are as large as its maps.
const LARGE = { around: 176, part: 0.52, aside: 84, header: 32, signs: 4, number: 40, beside: 34 };

const BEAT = 3000; // milliseconds
const NARROW = 700; // pixels of the figure: below a small map is room for a number
const SENTENCES = 4; // so many stand on lines of their own

/** "2-3" is a head, "2-" all of its layer. */
const nameOf = (out) => (out ? `${out[0]}-${out[1] ?? ""}` : "none");

export class HeadHunt extends Heads {
  constructor(root) {
    super(root, "out", ["tokens", "labels", "shape"]);
    this.grid = new HeadGrid(
      root,
      (layer, head) => this.touch([layer, head]),
      (layer) => this.layer(layer),
    );
    this.grid.node.onpointerdown = ({ target, pointerType }) => this.point(target, pointerType === "touch");
    this.grid.node.onpointermove = ({ target, pointerType }) => pointerType === "touch" || this.point(target);
    this.grid.node.onpointerleave = ({ pointerType }) => pointerType === "touch" || this.point(this.root);
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

  read(all) {
    super.read(all);
    this.needed = needed(all.arrays);
    this.target = headOf(sought(this.needed, all.arrays.moved), this.H);
    const { tokens, at, labels } = all.header;
    const answer = labels[said(all.arrays.before)];
    this.tour = shownFirst(tokens, at, answer, all.arrays.looks, this.needed).map((n) => headOf(n, this.H));
    if (!this.out && !this.tried.size) this.pointed = this.tour.at(-1) ?? null; // so one sees what pointing does
  }

  build() {
    super.build();
    if (this.isOpen || !this.tokens) return;
    this.isOpen = true;
    if (!this.out && this.tour.length) this.beat();
  }

  /** One head after the other is pointed at. */
  beat() {
    const { root, tour } = this;
    let stop;
    const begin = () => {
      root.dataset.beat = "looks";
      stop = tween(BEAT, (share) => this.see(tour[Math.min(tour.length - 1, Math.floor(share * tour.length))]));
    };
    const end = () => {
      stop();
      delete root.dataset.beat;
      this.see(tour.at(-1));
    };
    this.endBeat = firstBeat("looks", BEAT, begin, end);
  }

  follow(out) {
    this.out = out;
    if (out && out[1] !== null) this.tried.add(this.index);
  }

  /** tried: the heads whose cost is told; tries: how many of them by a press; found: the try that found a head, and
   * which; isAll, isTold: whether the costs of all are told, and whether the sentence is on them; hints, isHint: the
   * same of hints; pointed: the head that is pointed at. */
  begin() {
    Object.assign(this, { out: null, tried: new Set(), tries: 0, found: [], isAll: false, isTold: false });
    Object.assign(this, { hints: 0, isHint: false, pointed: null, isFirst: false });
  }

  get drawn() {
    return { isCausal: this.header.next, room: LARGE };
  }

  layer(layer) {
    const props = {
      "data-place": `${layer}-`,
      title: `Take out all of layer ${layer}`,
      onclick: () => this.touch([layer, null]),
    };
    return el("button.layer", props, `layer ${layer}`);
  }

  seen(layer, head) {
    const at = layer * this.H + head;
    if (!this.tried.has(at)) return { text: "\u00a0", label: "not tried yet", share: 1, isStrong: false };
    const moved = this.arrays.moved[at];
    const cost = asShare(moved);
    const text = this.root.clientWidth < NARROW ? cost : `costs ${cost}`;
    return { text, label: `costs ${cost} of the probability`, share: moved, isStrong: this.needed.includes(at) };
  }

  // ---- what hands do -----------------------------------------------------------------------------------------------

  /** The threads of a head, before it is taken out. isTouch: a finger points with the first touch, and presses with the
   * second. */
  point(target, isTouch = false) {
    const place = target.closest?.(".head")?.dataset.place.split("-").map(Number) ?? null;
    this.isFirst = Boolean(isTouch && place && ![String(this.pointed), String(this.out)].includes(String(place)));
    this.endBeat?.();
    this.see(place);
  }

  see(place) {
    if (String(this.pointed) === String(place)) return;
    this.pointed = place;
    this.thread();
  }

  touch(out) {
    if (this.isFirst) this.isFirst = false;
    else if (String(out) === String(this.out)) this.tell(null);
    else this.take(out);
  }

  take(out) {
    const [, head] = out;
    this.out = out;
    if (head !== null && !this.tried.has(this.index)) {
      this.tried.add(this.index);
      this.tries++;
      if (!this.found.length && this.needed.includes(this.index)) this.found = [this.tries, ...out];
      this.grid.rewrite(...out);
    }
    this.tell(out);
  }

  /** Shows what is out, and lets the page know. */
  tell(out) {
    Object.assign(this, { out, isTold: false, isHint: false });
    this.show();
    this.presses.add(out);
    this.send("out", nameOf(out));
  }

  /** The dark button points at the layer of a head, then at the head, and takes it out; then it tells of all, and then
   * goes further or tells of none. */
  press() {
    if (!this.isFound && this.hints < 2) {
      Object.assign(this, { hints: this.hints + 1, isHint: true, isTold: false });
      if (this.hints === 2) this.pointed = this.target;
      this.show();
    } else if (!this.isFound) this.take(this.target);
    else if (!this.isAll) this.tellAll();
    else if (this.header.further) this.send("further", this.about);
    else {
      this.begin();
      this.rewriteAll();
      this.tell(null);
    }
  }

  /** Whether there is nothing to hint at any more. */
  get isFound() {
    const [layer, head] = this.target;
    return this.isAll || [...this.needed, layer * this.H + head].some((at) => this.tried.has(at));
  }

  tellAll() {
    Object.assign(this, { isAll: true, isTold: true, isHint: false });
    for (const at of this.arrays.moved.keys()) this.tried.add(at);
    this.rewriteAll();
    this.show();
  }

  rewriteAll() {
    for (const at of this.arrays.moved.keys()) this.grid.rewrite(...headOf(at, this.H));
  }

  /** The place of the head that is out among all heads; of a layer, that of its first. */
  get index() {
    return this.out[0] * this.H + (this.out[1] ?? 0);
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
    const { arrays, header, out } = this;
    const { labels } = header;
    const after = chances(arrays, out);
    const [now, was] = [said(after), said(arrays.before)];
    const words = { now: labels[now], was: labels[was], sure: shareInProse(after[now]), labels };
    write(this.finding, finding(this, words));
    write(this.act, act(this));
    rewrite(this.word, ...(now === was ? [] : [el("s", words.was), " "]), el("b", words.now));
    this.measure(after[now], arrays.before[was]);
    this.root.classList.toggle("other", now !== was);
    const first = out ? nameOf(out) : `${header.shape[0] - 1}-0`;
    this.grid.mark((layer, head) => out?.[0] === layer && (out[1] === null || out[1] === head), first);
    this.grid.node.querySelector(".hinted")?.classList.remove("hinted");
    const head = this.grid.node.querySelector(`[data-place="${this.target.join("-")}"]`);
    if (!this.isFound && this.hints) (this.hints === 1 ? head.parentElement : head).classList.add("hinted");
    put(this.root, { "data-tries": this.tries });
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

  /** Where a head looks from the position that is read, the one that is pointed at or else the one that is out: threads
   * among the words, and a sentence. */
  thread() {
    const { threads, tokens } = this;
    const { at, shape } = this.header;
    const seen = this.pointed ?? this.out;
    const answer = this.header.labels[said(this.arrays.before)];
    const kindOf = (text) => (isMark(text) ? "mark" : text === answer ? "same" : "");
    for (const token of tokens) token.className = `token ${kindOf(token.textContent)}`;
    tokens[at].classList.add("from");
    threads.replaceChildren();
    this.grid.node.querySelector(".seen")?.classList.remove("seen");
    if (this.pointed) this.grid.node.querySelector(`[data-place="${this.pointed.join("-")}"]`)?.classList.add("seen");
    this.root.style.setProperty("--from", at / shape[2]);
    this.root.style.setProperty("--row", 1 / shape[2]);
    write(this.where, "");
    if (!seen || seen[1] === null) return;
    const index = seen[0] * this.H + seen[1];
    const row = this.arrays.looks.subarray(index * shape[2], (index + 1) * shape[2]);
    const keys = lookedAt(row);
    const isTried = this.tried.has(index); // of all weights the largest would give the answer away
    const [best, to] = mostOf(this.header.tokens, row, at, isTried);
    if (best !== at) tokens[best].classList.add("to");
    const box = this.text.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1;
    const feet = tokens.map((token) => footOf(token, box, zoom));
    const right = Math.max(...tokens.map((token) => (token.getBoundingClientRect().right - box.left) / zoom));
    const pitch = parseFloat(getComputedStyle(this.words).lineHeight);
    const isLast = feet.every(([, y]) => y < feet[at][1] + pitch / 2);
    // A mark has smaller letters, and a higher foot.
    const isLevel = (key) => Math.abs(feet[key][1] - feet[at][1]) < pitch / 2;
    const far = keys.filter((key) => !isLevel(key));
    const ways = around(feet[at], far.map((key) => feet[key]), right); // prettier-ignore
    for (const key of keys) {
      const way = ways[far.indexOf(key)];
      const d = way ? rounded(way, 12) : arc(feet[at], [feet[key][0], feet[at][1]], isLast ? 34 : 0);
      threads.append(svg("path.grow", { d, pathLength: 1, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    this.threads.classList.toggle("light", String(seen) !== String(this.out));
    write(this.where, where(tokens[at].textContent, to, seen));
  }
}

export default mount(".head-hunt", HeadHunt);
