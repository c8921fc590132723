// Which head does the model need? It opens whole, with its next word. A head that is pressed is taken out: what that
// costs is then written below it, and stays; the word stays, or becomes another.

import { asShare, el, mount, put, rewrite, shareInProse, svg, write } from "../../../../attention_view/lab.js";
import { arc, footOf, HeadGrid } from "../head_stage/head_grid.js";
import { Heads } from "../head_stage/heads.js";
import { headOf, isMark } from "../head_stage/picture.js";
import { chances, lookedAt, mostOf, said } from "../head_stage/ranks.js";
import { act, finding, needed, threeOf, where } from "./telling.js";
import { around, rounded } from "./threads.js";

// The grid fills its half of the figure and all of its height; its words are as large as its maps.
const LARGE = { around: 176, part: 0.52, aside: 84, header: 32, signs: 4, number: 40, beside: 34 };

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
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.press() });
    this.words = el("p.words");
    this.word = el("p.word");
    this.sure = el("p.sure", el("span.bar", el("i")), el("b"), " sure");
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
  }

  follow(out) {
    this.out = out;
    if (out && out[1] !== null) this.tried.add(this.index);
  }

  /** tried: the heads whose cost is told; tries: how many of them by a press; found: the try that found a head, and
   * which; isAll, isTold: whether the costs of all are told, and whether the sentence is on them. */
  begin() {
    Object.assign(this, { out: null, tried: new Set(), tries: 0, found: [], isAll: false, isTold: false });
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
    const text = `costs ${asShare(moved)}`;
    return { text, label: `${text} of the probability`, share: moved, isStrong: this.needed.includes(at) };
  }

  // ---- what hands do -----------------------------------------------------------------------------------------------

  touch(out) {
    if (String(out) === String(this.out)) this.tell(null);
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
    Object.assign(this, { out, isTold: false });
    this.show();
    this.presses.add(out);
    this.send("out", nameOf(out));
  }

  /** The dark button tries a head that says more than the one before; then it tells of all, and then of none. */
  press() {
    const next = this.next;
    if (next !== undefined) this.take(headOf(next, this.H));
    else if (!this.isAll) this.tellAll();
    else {
      this.begin();
      this.rewriteAll();
      this.tell(null);
    }
  }

  /** The head that the dark button tries; none once one is found that the model needs. */
  get next() {
    const isFound = this.needed.some((at) => this.tried.has(at));
    return isFound ? undefined : threeOf(this.arrays.moved).find((at) => !this.tried.has(at));
  }

  tellAll() {
    this.isAll = this.isTold = true;
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
    this.words.replaceChildren(...this.tokens.flatMap((token) => [token, gap]));
  }

  show() {
    const { arrays, header, out } = this;
    const { labels } = header;
    const after = chances(arrays, out);
    const [now, was] = [said(after), said(arrays.before)];
    const isFound = this.isAll || this.next === undefined;
    const words = { now: labels[now], was: labels[was], sure: shareInProse(after[now]), labels };
    write(this.finding, finding(this, words));
    write(this.act, act({ isFound, isAll: this.isAll, tries: this.tries }));
    rewrite(this.word, ...(now === was ? [] : [el("s", words.was), " "]), el("b", words.now));
    this.sure.style.setProperty("--is", `${(100 * after[now]).toFixed(1)}%`);
    write(this.sure.querySelector("b"), asShare(after[now]));
    this.root.classList.toggle("other", now !== was);
    const first = out ? nameOf(out) : `${header.shape[0] - 1}-0`;
    this.grid.mark((layer, head) => out?.[0] === layer && (out[1] === null || out[1] === head), first);
    put(this.root, { "data-tries": this.tries });
    this.thread();
  }

  /** Where the head that is out looks from the position that is read: threads among the words, and a sentence. */
  thread() {
    const { threads, tokens } = this;
    const { at, shape } = this.header;
    for (const token of tokens) token.className = isMark(token.textContent) ? "token mark" : "token";
    tokens[at].classList.add("from");
    threads.replaceChildren();
    write(this.where, "");
    if (!this.out || this.out[1] === null) return;
    const row = this.arrays.looks.subarray(this.index * shape[2], (this.index + 1) * shape[2]);
    const keys = lookedAt(row, at);
    const [best, to] = mostOf(this.header.tokens, row, at);
    if (best !== at) tokens[best].classList.add("to");
    const box = this.text.getBoundingClientRect();
    const zoom = this.root.currentCSSZoom ?? 1;
    const feet = tokens.map((token) => footOf(token, box, zoom));
    const ends = tokens.map((token) => (token.getBoundingClientRect().right - box.left) / zoom);
    const tall = tokens[at].getBoundingClientRect().height / zoom;
    const lines = { pitch: parseFloat(getComputedStyle(this.words).lineHeight), tall, right: Math.max(...ends) };
    const isLast = feet.every(([, y]) => y < feet[at][1] + tall / 2);
    let nth = 0;
    for (const key of keys) {
      const [from, to] = [feet[at], feet[key]];
      const isFar = Math.abs(from[1] - to[1]) > 1.5 * lines.pitch;
      const [low, high] = from[1] > to[1] ? [from, to] : [to, from];
      const isLevel = low[1] - high[1] < lines.pitch / 2; // a mark has smaller letters, and a higher foot
      const d = isLevel
        ? arc(from, [to[0], from[1]], isLast ? 34 : 0)
        : rounded(around(low, high, lines, isFar ? nth++ : 0), 12);
      threads.append(svg("path", { d, "stroke-width": (1 + 7 * row[key]).toFixed(1) }));
    }
    write(this.where, where(tokens[at].textContent, to));
  }
}

export default mount(".head-hunt", HeadHunt);
