// Text, tokens, ids, the table, a vector: one machine. All text comes as data and goes to textContent.

import {
  boxOf,
  el,
  fixed,
  fromBase64,
  mirror,
  mount,
  paintPixels,
  rgb,
  still,
  strength,
  svg,
  theme,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { endSaid, fullest, tokensAfter, wordAt } from "./cutting.js";
import { BEAT, Merges } from "./merges.js";
import { Plain } from "./plain.js";
import { Tree } from "./tree.js";
import { Sheet } from "./zooms.js";

const MANY = 26; // tokens on one line with their ids

const signature = ({ zoom, merges, ids }) => JSON.stringify([zoom, merges, ids.length]);

class TokenMachine {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      const { step_url, token_url, merges } = this.data;
      if (step_url) put(step_url, this.at, merges.length);
      if (token_url) put(token_url, this.token, 0);
    });
    this.at = this.start = null;
    [this.merges, this.plain] = [new Merges(this), new Plain(this)];
    this.zooms = { tree: new Tree(this), sheet: new Sheet(this) };
    const n = (this.nodes = {});
    const label = "Tokens and their ids: press one";
    const listeners = { onkeydown: (event) => this.key(event), onscroll: () => this.drawWire() };
    n.chips = el("div.chips", { role: "radiogroup", "aria-label": label, ...listeners });
    n.count = el("p.count");
    n.tail = el("div");
    n.wire = svg("svg.wire", { "aria-hidden": "true" });
    const names = el("div.names", { "aria-hidden": "true" }, el("b", "tokens"), el("i", "ids"));
    n.columns = el("div.columns", el("div", el("div.named", names, n.chips), n.tail), this.merges.side);
    const under = el("div.under", this.merges.scrub, n.count);
    n.top = el("div");
    root.replaceChildren(n.wire, n.top, under, n.columns);
    this.resized = () => {
      if (this.zoom === this.zooms.tree) this.zoom.draw();
      this.drawWire();
    };
  }

  update(data, { setTriggerValue }) {
    this.tell = setTriggerValue;
    const before = this.data;
    const same = before && signature(before) === signature(data);
    if (!same) this.endBeats(); // while they have the data that they began with
    this.data = data;
    if (data.table && before?.table !== data.table) this.takeTable(data.table);
    const isCut = data.zoom === "cut";
    if (!same) {
      this.merges.player.stop();
      this.at = data.at;
      this.start = isCut ? fullest(data) : data.token;
      this.merges.list();
    }
    this.colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    const all = data.merges.length;
    this.root.classList.toggle("plain", !all);
    this.root.classList.toggle("cut", isCut);
    this.root.classList.toggle("look-up", !isCut);
    this.nodes.columns.classList.toggle("film-on", all > 0);
    this.zoom = isCut ? this.zooms.tree : this.zooms.sheet;
    const { headline } = isCut ? (all ? this.merges : this.plain) : this.zooms.sheet;
    if (this.nodes.top.firstChild !== headline) this.nodes.top.replaceChildren(headline);
    this.zoom.build(this.nodes.tail);
    if (isCut) this.plain.build(this.nodes.tail);
    this.go(Math.min(this.at, all), false);
    if (!before) this.begin();
  }

  begin() {
    const all = this.data.merges.length;
    if (this.zoom === this.zooms.sheet) this.lookUpAll();
    else if (all && this.at === all) this.merges.begin();
  }

  endBeats() {
    this.merges.endBeat?.();
    this.endLookUp?.();
  }

  /** The first beat of the table: each token of the text takes its row, and the chosen one comes last. */
  lookUpAll() {
    const own = this.token;
    const walk = (share) => {
      const at = share === 1 ? own : Math.floor(share * this.tokens.length);
      if (at !== this.token) this.pick(at, true);
    };
    let stop;
    const begin = () => {
      this.root.dataset.beat = "look-up";
      stop = tween(BEAT, walk);
    };
    const end = () => {
      stop();
      delete this.root.dataset.beat;
      this.pick(own, false);
    };
    this.endLookUp = firstBeat("look-up", BEAT, begin, end);
  }

  takeTable(text) {
    this.table = new Float32Array(fromBase64(text).buffer);
    // Colours end where 99 of 100 numbers do: a few large ones would leave all the others pale.
    const sizes = this.table.map(Math.abs).sort();
    this.largest = sizes[Math.floor(0.99 * (sizes.length - 1))] || 1e-12;
  }

  label(id) {
    return this.data.labels[id] ?? String(id);
  }

  row(id) {
    return this.table.subarray(id * this.data.d, (id + 1) * this.data.d);
  }

  /** Rows of the table from `first` to before `end` as a picture, a pixel per number. */
  picture(first, end) {
    const { d } = this.data;
    const canvas = el("canvas");
    const numbers = this.table.subarray(first * d, end * d);
    paintPixels(canvas, numbers, d, this.colours, (x) => strength(Math.abs(x) / this.largest));
    return canvas;
  }

  strip(id) {
    const canvas = this.picture(id, id + 1);
    const { d } = this.data;
    canvas.onpointermove = (event) => {
      const box = canvas.getBoundingClientRect();
      const c = Math.max(0, Math.min(d - 1, Math.floor(((event.clientX - box.left) / box.width) * d)));
      this.say(`row ${id}, feature ${c}: ${fixed(this.row(id)[c], 4)}`);
    };
    canvas.onpointerleave = () => this.say();
    return canvas;
  }

  // ---- the cut ------------------------------------------------------------------------------------------------

  go(at, byHand) {
    if (byHand) {
      this.merges.endBeat?.();
      this.merges.player.stop();
    }
    this.at = at;
    this.draw();
    if (byHand) this.link.later();
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
    const { data, tokens } = this;
    const { chips, count } = this.nodes;
    if (chips.contains(chips.getRootNode().activeElement)) this.refocus = true;
    this.chips = tokens.map((token, at) => this.chip(token, at));
    chips.replaceChildren(...this.chips);
    chips.classList.toggle("many", tokens.length > MANY && data.zoom === "cut");
    count.textContent = this.notes().join(" ");
    count.hidden = data.zoom !== "cut";
    this.root.dataset.at = this.at;
    this.root.dataset.ids = tokens.map(([id]) => id).join(" ");
  }

  chip([id, isFresh], at) {
    const { unknown, glue, raw } = this.data;
    const label = this.label(id);
    const is = { unknown: id === unknown, fresh: isFresh, byte: raw.includes(id), space: /^[␣⏎⇥]$/.test(label) };
    const classes = Object.keys(is).filter((name) => is[name]);
    const text = this.isGlued(label) ? [el("span.glue", glue), label.slice(glue.length)] : [label];
    const props = { role: "radio", class: classes.join(" "), onclick: () => this.choose(at) };
    return el("button", props, el("b", { dir: "auto" }, ...text), el("i", String(id)));
  }

  /** How many tokens there are, and what their signs mean. */
  notes() {
    const { tokens, data } = this;
    const { unknown, glue, raw } = data;
    const unknowns = tokens.filter(([id]) => id === unknown).length;
    const labels = tokens.map(([id]) => this.label(id));
    const many = `${tokens.length.toLocaleString("en")} token${tokens.length === 1 ? "" : "s"}`;
    const isTold = this.at > 0 && this.at === data.merges.length; // by the line on the merges
    const isMany = tokens.length > MANY && data.merges.length; // on the line of merges
    const count = many + (unknowns ? `, ${unknowns} of them unknown.` : isMany ? ", too many to show each id." : ".");
    const notes = [isTold ? "Press a token to see how it grew." : count, ...endSaid(data)];
    if (labels.some((label) => this.isGlued(label))) notes.push(`${glue} says: no space before it.`);
    if (labels.some((label) => label.includes("␣"))) notes.push("␣ is a space.");
    if (tokens.some(([id]) => raw.includes(id)))
      notes.push("Two characters such as C3 are one byte: part of a letter that takes several.");
    return notes;
  }

  // ---- the token that is looked up ----------------------------------------------------------------------------

  choose(at) {
    this.take(at);
    this.chips[at].focus({ preventScroll: true });
  }

  /** The same, for a hand that stays where it is. */
  take(at) {
    this.endLookUp?.();
    this.byHand = true;
    this.start = this.tokens[at][2];
    this.pick(at, true);
    this.link.later();
  }

  /** The first token with this id; a row of no token in the text is left alone. */
  chooseId(id) {
    const at = this.tokens.findIndex(([own]) => own === id);
    if (at >= 0) this.choose(at);
  }

  key(event) {
    const to = inRow(event, this.token, this.tokens.length);
    if (to !== null) this.choose(to);
  }

  pick(at, isMoving) {
    this.token = at;
    this.picked = this.tokens[at][0];
    const [from, end] = wordAt(this.data, this.start ?? 0);
    this.chips.forEach((chip, n) => {
      chip.classList.toggle("same", this.tokens[n][0] === this.picked);
      chip.classList.toggle("of-word", this.tokens[n][2] >= from && this.tokens[n][2] < end);
      chip.setAttribute("aria-checked", String(n === at));
      chip.tabIndex = n === at ? 0 : -1;
    });
    if (isMoving || this.zoom === this.zooms.sheet) this.bringIn(this.chips[at]);
    if (this.refocus) this.chips[at].focus({ preventScroll: true });
    this.refocus = false;
    this.root.dataset.token = at;
    this.root.dataset.id = this.picked;
    const flight = this.zoom.draw();
    this.plain.draw();
    if (!flight) return; // the cut has no table to look up in
    const [source, result] = flight;
    this.root.dataset.row = JSON.stringify(Array.from(this.row(this.picked)));
    this.say();
    this.drawWire();
    if (isMoving && !still()) fly(result, source.getBoundingClientRect());
  }

  /** Scrolls a chip into the box of chips; the page stays where it is. */
  bringIn({ offsetTop, offsetHeight }) {
    const { chips } = this.nodes;
    const lowest = offsetTop + offsetHeight - chips.clientHeight;
    chips.scrollTop = Math.max(lowest, Math.min(offsetTop, chips.scrollTop));
  }

  say(text) {
    const values = this.row(this.picked);
    const first = Array.from(values.slice(0, 4), (v) => fixed(v, 2)).join("  ");
    const vector = `${values.length} numbers:  ${first}${values.length > 4 ? "  …" : ""}`;
    this.zoom.readout.textContent = text ?? vector;
  }

  /** The line from the chip to its row. */
  drawWire() {
    const { nodes: n } = this;
    const chip = this.chips?.[this.token];
    n.wire.replaceChildren();
    if (!chip || !this.zoom.wires) return;
    const root = boxOf(this.root);
    const box = (node) => {
      const { left, right, top, bottom } = boxOf(node);
      const [x, y] = [left - root.left, top - root.top];
      return { left: x, right: right - root.left, top: y, bottom: bottom - root.top, middle: y + (bottom - top) / 2 };
    };
    const from = box(chip);
    const x = (from.left + from.right) / 2;
    const y = Math.min(from.bottom, box(n.chips).bottom);
    // Down to the gap below the chips, along it, and down to the id: at (tx, ty), to the right up to `end`.
    const led = (lane, tx, ty, end) => {
      const side = x > tx ? 6 : -6;
      const along =
        Math.abs(x - tx) < 12
          ? `V${lane - 6}C${x},${lane} ${tx},${lane} ${tx},${lane + 6}`
          : `V${lane - 6}Q${x},${lane} ${x - side},${lane}H${tx + side}Q${tx},${lane} ${tx},${lane + 6}`;
      return `M${x},${y}${along}V${ty - 6}Q${tx},${ty} ${tx + 6},${ty}H${end}`;
    };
    n.wire.setAttribute("width", root.width);
    n.wire.setAttribute("height", root.height);
    n.wire.replaceChildren(...this.zoom.wires(box, box(n.tail).top, led).map((d) => svg("path", { d })));
  }

  destroy() {
    this.endBeats();
    this.merges.player.stop();
  }
}

/** Moves an element from where another one is to its own place. */
function fly(node, from) {
  const to = node.getBoundingClientRect();
  const moved = `translate(${from.left - to.left}px,${from.top - to.top}px)`;
  const way = `${moved} scale(${from.width / to.width},${from.height / to.height})`;
  const frames = [way, "none"].map((transform) => ({ transform, transformOrigin: "0 0" }));
  node.animate(frames, { duration: 320, easing: "cubic-bezier(.3,.7,.2,1)" });
}

export default mount(".token-machine", TokenMachine);
