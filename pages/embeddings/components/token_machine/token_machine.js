// A text, its tokens and their ids, and how merges made them. All text comes as data and goes to textContent.

import { el, counted, mirror, mount, put, still, windowHeight } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { fullest, nextPlaces, placesOf, roomFor, tileFor, tokensAfter, wordAt } from "./cutting.js";
import { Merges } from "./merges.js";
import { Plain } from "./plain.js";
import { Tree } from "./tree.js";

const [FLASH, GLOW] = [800, 500]; // milliseconds
const LIT = { background: "var(--ink)", color: "var(--ground)" };
const MANY = 26; // tokens on one line with their ids

const signature = ({ merges, ids }) => JSON.stringify([merges, ids.length]);

export class TokenMachine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const { step_url } = this.data;
      if (step_url) put(step_url, this.at, 0);
    });
    this.at = this.start = null;
    [this.merges, this.plain, this.tree] = [new Merges(this), new Plain(this), new Tree(this)];
    const n = (this.nodes = {});
    n.chips = el("div.chips", { onkeydown: (event) => this.key(event) });
    n.count = el("p.count");
    n.tail = el("div");
    const names = el("div.names", { "aria-hidden": "true" }, el("b", "tokens"), el("i", "ids"));
    n.columns = el("div.columns", el("div.named", names, n.chips), n.tail);
    const under = el("div.under", n.count, this.merges.scrub);
    n.top = el("div");
    root.replaceChildren(n.top, under, n.columns);
  }

  resized() {
    if (this.data.merges.length) this.size();
    this.tree.draw();
  }

  update(data, { setTriggerValue }) {
    this.tell = setTriggerValue;
    const before = this.data;
    const same = before && signature(before) === signature(data);
    this.data = data;
    if (!same) {
      this.merges.player.stop();
      this.at = data.at;
      this.start = data.merges.length && data.at < data.merges.length ? null : fullest(data);
      this.merges.forget();
    }
    const all = data.merges.length;
    this.root.classList.toggle("plain", !all);
    this.nodes.columns.classList.toggle("film-on", all > 0);
    const named = all
      ? ["group", "Tokens, and the seams between them"]
      : ["radiogroup", "Tokens and their ids: press one"];
    put(this.nodes.chips, { role: named[0], "aria-label": named[1] });
    const { headline } = all ? this.merges : this.plain;
    if (this.nodes.top.firstChild !== headline) this.nodes.top.replaceChildren(headline);
    this.tree.build(this.nodes.tail);
    this.plain.build(this.nodes.tail);
    this.go(Math.min(this.at, all), false);
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  // ---- the cut ------------------------------------------------------------------------------------------------

  go(at, byHand) {
    this.close = null;
    if (byHand) {
      this.merges.player.stop();
      this.merges.forget();
    }
    this.at = at;
    if (at && at === this.data.merges.length) this.start ??= fullest(this.data);
    this.draw();
    if (!byHand) return;
    this.snap();
    this.link.later();
  }

  /** Two tiles come together, wherever they stand side by side. */
  snap() {
    if (still()) return;
    for (const chip of this.nodes.chips.querySelectorAll(".fresh b")) {
      const width = chip.offsetWidth;
      const apart = 1.2 * this.tile;
      const spacing = `${apart / Array.from(chip.textContent).length}px`;
      const frames = [
        { width: `${width + apart}px`, letterSpacing: spacing },
        { width: `${width}px`, letterSpacing: "0px" },
      ];
      chip.animate(frames, { duration: 320, easing: "cubic-bezier(0.5, 0, 0.2, 1)" });
    }
  }

  /** The commonest pair lights up once, wherever it stands in this text. */
  flash() {
    if (!still()) this.light(nextPlaces(this.data, this.at, this.tokens), [{}, LIT, {}], FLASH);
  }

  light(places, frames, duration) {
    for (const n of places) for (const chip of this.chips.slice(n, n + 2)) chip.firstChild.animate(frames, duration);
  }

  /** A pair lights up wherever it stands, and then closes; the next press closes it at once. */
  glow(left, right, close) {
    const places = placesOf(this.data, this.tokens, left, right);
    if (still() || !places.length) return close();
    this.light(places, [{}, { ...LIT, offset: 0.3 }, LIT], GLOW);
    this.close = close;
    setTimeout(() => this.close === close && close(), GLOW);
  }

  draw() {
    const { data, at } = this;
    this.tokens = tokensAfter(data, at);
    this.drawChips();
    this.merges.draw();
    this.pick(this.tokenAt(this.start ?? 0), false);
  }

  /** Which token covers the place `start`. */
  tokenAt(start) {
    return Math.max(
      0,
      this.tokens.findLastIndex(([, , from]) => from <= start),
    );
  }

  /** Whether a label begins with the sign for: no space before it. */
  isGlued(label) {
    const { glue } = this.data;
    return glue && label.startsWith(glue) && label.length > glue.length;
  }

  drawChips() {
    const { tokens } = this;
    const { chips, count } = this.nodes;
    if (chips.contains(chips.getRootNode().activeElement)) this.refocus = true;
    this.chips = tokens.map((token, at) => this.chip(token, at));
    const isFilm = this.data.merges.length > 0;
    if (isFilm) this.size();
    chips.replaceChildren(...(isFilm ? this.pieces() : this.chips));
    this.stops = [...chips.querySelectorAll("button")];
    chips.classList.toggle("many", tokens.length > MANY);
    count.textContent = this.notes().join(" ");
    this.root.dataset.at = this.at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
  }

  /** Tiles as large as all bytes of the text fit the window. */
  size() {
    const { words, ids } = this.data;
    const lengths = words.map((start, n) => (words[n + 1] ?? ids.length) - start);
    const room = roomFor(this.root.clientWidth, windowHeight(this.root));
    this.tile = tileFor(lengths, this.nodes.chips.clientWidth - 4, room);
    this.root.style.setProperty("--tile", `${this.tile}px`);
  }

  /** The words that no merge goes beyond: tiles with a seam between every two. */
  pieces() {
    const starts = new Set(this.data.words);
    const pieces = [];
    this.chips.forEach((chip, at) => {
      if (starts.has(this.tokens[at][2])) pieces.push(el("span.piece"));
      else if (this.at < this.data.merges.length) pieces.at(-1).append(this.seam(at - 1));
      pieces.at(-1).append(chip);
    });
    return pieces;
  }

  seam(at) {
    const [[left, , start], [right]] = this.tokens.slice(at);
    const classes = this.merges.tried.has(`${left} ${right}`) ? "seam tried" : "seam";
    const label = `Join ${this.label(left)} and ${this.label(right)}`;
    const press = () => {
      this.pressed = start;
      this.merges.press(left, right);
    };
    return el("button", {
      class: classes,
      "aria-label": label,
      "data-said": this.merges.said(left, right),
      onclick: press,
    });
  }

  chip([id, isFresh], at) {
    const { unknown, glue, raw, merges } = this.data;
    const label = this.label(id);
    const isByte = merges.length > 0 && merges[0][2] > id;
    const is = { unknown: id === unknown, fresh: isFresh, byte: raw.includes(id), space: /^[␣⏎⇥]$/.test(label) };
    const classes = Object.keys(is).filter((name) => is[name]);
    const text = this.isGlued(label) ? [el("span.glue", glue), label.slice(glue.length)] : [label];
    const hands = isByte ? {} : { role: merges.length ? null : "radio", onclick: () => this.choose(at) };
    const inside = [el("b", { dir: "auto" }, ...text), el("i", String(id))];
    return el(isByte ? "span" : "button", { class: ["tile", ...classes].join(" "), ...hands }, ...inside);
  }

  /** How many tokens there are, and what their signs mean. */
  notes() {
    const { tokens, data } = this;
    const { unknown, glue, raw } = data;
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    const labels = tokens.map(([id]) => this.label(id));
    const many = counted(tokens.length, "token");
    const count = many + (unknowns ? `, ${unknowns} of them unknown.` : ".");
    const notes = data.merges.length ? this.merges.notes(many) : [count];
    if (labels.some((label) => this.isGlued(label))) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.includes(id)))
      notes.push("Two characters such as C3 are one byte: part of a letter that takes several.");
    return notes;
  }

  // ---- the token whose word is shown --------------------------------------------------------------------------

  choose(at) {
    this.start = this.pressed = this.tokens[at][2];
    this.pick(at, true);
    this.link.later();
    this.chips[at].focus({ preventScroll: true });
    this.tree.node.scrollIntoView({ block: "nearest" });
  }

  key(event) {
    const isFilm = this.data.merges.length > 0;
    const to = inRow(event, this.stops.indexOf(event.target), this.stops.length);
    if (to === null) return;
    if (!isFilm) this.choose(to);
    else this.rove(to).focus();
  }

  /** The one of tiles and seams that the tab key leads to. */
  rove(to) {
    this.stops.forEach((stop, n) => (stop.tabIndex = n === to ? 0 : -1));
    return this.stops[to];
  }

  pick(at, byHand) {
    const isFilm = this.data.merges.length > 0;
    const isNone = this.start === null;
    this.token = at;
    this.picked = isNone ? null : this.tokens[at][0];
    const [from, end] = isNone ? [0, 0] : wordAt(this.data, this.start);
    this.chips.forEach((chip, n) => {
      chip.classList.toggle("same", this.tokens[n][0] === this.picked);
      chip.classList.toggle("of-word", this.tokens[n][2] >= from && this.tokens[n][2] < end);
      if (!isFilm) chip.setAttribute("aria-checked", String(n === at));
      else if (chip.onclick) chip.setAttribute("aria-pressed", String(n === at && !isNone));
    });
    const held = this.stops.indexOf(this.chips[isFilm ? this.tokenAt(this.pressed ?? 0) : at]);
    const stop = this.stops.length ? this.rove(Math.max(0, held)) : null;
    if (byHand) this.bringIn(this.chips[at]);
    if (this.refocus) stop?.focus({ preventScroll: true });
    this.refocus = false;
    this.root.dataset.token = at;
    this.root.dataset.id = this.picked;
    this.tree.draw();
    this.plain.draw();
  }

  /** Scrolls a chip into the box of chips; the page stays where it is. */
  bringIn({ offsetTop, offsetHeight }) {
    const { chips } = this.nodes;
    const lowest = offsetTop + offsetHeight - chips.clientHeight;
    chips.scrollTop = Math.max(lowest, Math.min(offsetTop, chips.scrollTop));
  }

  destroy() {
    this.close = null;
    this.merges.player.stop();
  }
}

export default mount(".token-machine", TokenMachine);
