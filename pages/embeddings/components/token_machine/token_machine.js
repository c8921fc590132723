// A text, its tokens and their ids, and how merges made them. All text comes as data and goes to textContent.

import { el, counted, howOften, mirror, mount, put, still } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { mergeOf, placesOf, tokensAfter, weightsAt } from "./cutting.js";
import { Merges } from "./merges.js";
import { Plain } from "./plain.js";
import { Push } from "./push.js";

const [CLOSING, MOVING] = [180, 240]; // milliseconds
const MANY = 26; // tokens on one line with their ids
const [SMALLEST, LARGEST] = [26, 110]; // pixels of a tile
const signature = ({ merges, ids }) => JSON.stringify([merges, ids.length]);

/** The largest whole number from low to high that fits, or else the lowest. */
export function largestThat(fits, low, high) {
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class TokenMachine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const { step_url } = this.data;
      if (step_url) put(step_url, this.at, 0);
    });
    this.at = this.token = 0;
    this.joints = [];
    [this.merges, this.plain, this.hand] = [new Merges(this), new Plain(this), new Push(this)];
    const n = (this.nodes = {});
    n.chips = el("div.chips", { onkeydown: (event) => this.key(event), ...this.hand.listeners });
    n.count = el("p.count");
    const names = el("div.names", { "aria-hidden": "true" }, el("b", "tokens"), el("i", "ids"));
    n.columns = el("div.columns", el("div.named", names, n.chips));
    n.top = el("div");
    root.replaceChildren(n.top, n.columns, n.count, this.plain.node);
  }

  get isFilm() {
    return this.data.merges.length > 0;
  }

  resized() {
    if (this.isFilm) this.size();
  }

  update(data, { setTriggerValue }) {
    this.tell = setTriggerValue;
    const before = this.data;
    const same = before && signature(before) === signature(data);
    this.data = data;
    if (!same) {
      this.merges.player.stop();
      this.at = data.at;
      this.token = 0;
    }
    const { isFilm } = this;
    this.root.classList.toggle("plain", !isFilm);
    this.nodes.columns.classList.toggle("film-on", isFilm);
    const named = isFilm
      ? ["group", "Tokens, and the joints between them"]
      : ["radiogroup", "Tokens and their ids: press one"];
    put(this.nodes.chips, { role: named[0], "aria-label": named[1] });
    const { headline } = isFilm ? this.merges : this.plain;
    if (this.nodes.top.firstChild !== headline) this.nodes.top.replaceChildren(headline);
    this.plain.build();
    this.go(Math.min(this.at, data.merges.length), false);
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  // ---- the cut ------------------------------------------------------------------------------------------------

  /** So many merges are applied. */
  go(at, byHand) {
    this.closing = null;
    this.merges.miss = null;
    if (byHand) this.merges.player.stop();
    const before = this.isFilm && this.tokens && at !== this.at ? this.places() : null;
    this.at = at;
    this.draw();
    if (before) this.travel(before);
    if (byHand) this.link.later();
  }

  /** Where each word is, and how large tiles are. */
  places() {
    const words = Array.from(this.nodes.chips.children, ({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop]);
    return { words, tile: this.tile };
  }

  /** Each word goes from where it was to where it is, and grows as the tiles do. */
  travel({ words, tile }) {
    if (still() || words.length !== this.nodes.chips.childElementCount) return;
    [...this.nodes.chips.children].forEach((node, n) => {
      const [x, y] = [words[n][0] - node.offsetLeft, words[n][1] - node.offsetTop];
      const from = { transform: `translate(${x}px,${y}px) scale(${tile / this.tile})` };
      node.animate([from, {}], { duration: MOVING, easing: "ease-out" });
    });
  }

  /** After how many merges the two of this joint are one token; null where another pair is more frequent. */
  canMerge({ left, right }) {
    return mergeOf(this.data, this.at, left, right);
  }

  /** A pair closes wherever it stands and is one token then; the next press waits for nothing. */
  push(left, right, to = this.canMerge({ left, right })) {
    if (this.closing) return this.closing();
    this.merges.player.stop();
    if (!to) return this.refuse(left, right);
    if (still() || !placesOf(this.data, this.tokens, left, right).length) return this.go(to, true);
    this.hand.close({ left, right }, 1);
    const close = () => this.go(to, true);
    this.closing = close;
    setTimeout(() => this.closing === close && close(), CLOSING);
  }

  /** A pair that is not the most frequent one springs back. */
  refuse(left, right) {
    this.merges.miss = [left, right];
    this.hand.close({ left, right }, 0);
    this.merges.draw();
  }

  draw() {
    this.tokens = tokensAfter(this.data, this.at);
    this.drawChips();
    if (this.isFilm) this.merges.draw();
    this.pick(Math.min(this.token, this.tokens.length - 1), false);
  }

  /** Whether a label begins with the sign for: no space before it. */
  isGlued(label) {
    const { glue } = this.data;
    return glue && label.startsWith(glue) && label.length > glue.length;
  }

  drawChips() {
    const { tokens, isFilm } = this;
    const { chips, count } = this.nodes;
    const held = this.stops?.indexOf(chips.getRootNode().activeElement) ?? -1;
    this.chips = tokens.map((token, at) => this.chip(token, at));
    this.joints = [];
    chips.replaceChildren(...(isFilm ? this.pieces() : this.chips));
    this.stops = isFilm ? this.joints.map(({ node }) => node) : this.chips;
    chips.classList.toggle("many", tokens.length > MANY);
    chips.classList.toggle("over", this.at === this.data.merges.length);
    if (isFilm) this.size();
    count.textContent = this.notes().join(" ");
    this.root.dataset.at = this.at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
    if (held >= 0)
      (this.stops[Math.min(held, this.stops.length - 1)] ?? this.merges.main).focus({ preventScroll: true });
  }

  /** Tiles as large as all tokens of the text fit the window. */
  size() {
    const { chips } = this.nodes;
    const fits = (tile) => {
      this.root.style.setProperty("--tile", `${tile}px`);
      chips.classList.toggle("tight", tile === SMALLEST);
      return chips.scrollHeight <= chips.clientHeight && chips.scrollWidth <= chips.clientWidth;
    };
    this.tile = largestThat(fits, SMALLEST, LARGEST);
    fits(this.tile);
    const [joint] = this.joints;
    this.gap = joint ? parseFloat(getComputedStyle(joint.node, "::before").width) : 0;
  }

  /** The words that no merge goes beyond: tiles with a joint between every two. */
  pieces() {
    const starts = new Set(this.data.words);
    const weights = weightsAt(this.data, this.at);
    const isOver = this.at === this.data.merges.length;
    const pieces = [];
    this.chips.forEach((chip, n) => {
      if (starts.has(this.tokens[n][2])) pieces.push(el("span.piece"));
      else if (!isOver) pieces.at(-1).append(this.joint(n - 1, weights));
      pieces.at(-1).append(chip);
    });
    return pieces;
  }

  /** What is between two tiles: as thick as they are often side by side. */
  joint(n, { counts, most }) {
    const [[left], [right]] = this.tokens.slice(n);
    const count = counts.get(`${left} ${right}`) ?? 0;
    const point = (isOn) =>
      this.joints.forEach((one) => one.node.classList.toggle("twin", isOn && one.left === left && one.right === right));
    const node = el("button.joint", {
      "aria-label": `Join ${this.label(left)} and ${this.label(right)}: ${howOften(count)}`,
      "data-count": `${count}×`,
      style: `--thick: ${Math.min(1, count / most)}`,
      onclick: () => this.push(left, right),
      onpointerenter: () => point(true),
      onpointerleave: () => point(false),
    });
    this.joints.push({ node, left, right });
    return node;
  }

  chip([id, isFresh], at) {
    const { unknown, raw } = this.data;
    const { isFilm } = this;
    const label = this.label(id);
    const is = { unknown: id === unknown, fresh: isFresh, byte: raw.includes(id), space: /^[␣⏎⇥]$/.test(label) };
    const classes = Object.keys(is).filter((name) => is[name]);
    const text = this.isGlued(label) ? [el("span.glue", this.data.glue), label.slice(this.data.glue.length)] : [label];
    const hands = isFilm ? {} : { role: "radio", onclick: () => this.choose(at) };
    const inside = [el("b", { dir: "auto" }, ...text), el("i", String(id))];
    return el(isFilm ? "span" : "button", { class: ["tile", ...classes].join(" "), ...hands }, ...inside);
  }

  /** How many tokens there are, and what their signs mean. */
  notes() {
    const { tokens, data } = this;
    const { unknown, glue, raw } = data;
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    const labels = tokens.map(([id]) => this.label(id));
    const many = counted(tokens.length, "token");
    const count = many + (unknowns ? `, ${unknowns} of them unknown.` : ".");
    const thick = "Thick: often side by side in the text that the vocabulary is learned from.";
    const isOver = this.at === data.merges.length;
    const notes = [!this.isFilm ? count : isOver ? "The number of each token is its id." : thick];
    if (labels.some((label) => this.isGlued(label))) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.includes(id)))
      notes.push("Two characters such as C3 are one byte: part of a letter that takes several.");
    return notes;
  }

  // ---- the token that is chosen -------------------------------------------------------------------------------

  choose(at) {
    this.pick(at, true);
    this.chips[at].focus({ preventScroll: true });
  }

  key(event) {
    const to = inRow(event, this.stops.indexOf(event.target), this.stops.length);
    if (to === null) return;
    if (this.isFilm) this.rove(to).focus();
    else this.choose(to);
  }

  /** The one stop that the tab key leads to. */
  rove(to) {
    this.stops.forEach((stop, n) => (stop.tabIndex = n === to ? 0 : -1));
    return this.stops[to];
  }

  pick(at, byHand) {
    this.token = at;
    if (this.isFilm) {
      if (this.stops.length) this.rove(0);
      return;
    }
    this.picked = this.tokens[at][0];
    this.chips.forEach((chip, n) => {
      chip.setAttribute("aria-checked", String(n === at));
    });
    this.rove(at);
    if (byHand) this.bringIn(this.chips[at]);
    this.root.dataset.token = at;
    this.root.dataset.id = this.picked;
    this.plain.draw();
  }

  /** Scrolls a chip into the box of chips; the page stays where it is. */
  bringIn({ offsetTop, offsetHeight }) {
    const { chips } = this.nodes;
    const lowest = offsetTop + offsetHeight - chips.clientHeight;
    chips.scrollTop = Math.max(lowest, Math.min(offsetTop, chips.scrollTop));
  }

  destroy() {
    this.closing = null;
    this.merges.player.stop();
  }
}

export default mount(".token-machine", TokenMachine);
