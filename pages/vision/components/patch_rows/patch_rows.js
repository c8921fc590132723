// From a picture to a text: a hand drags a patch onto another, they change places, and beside the picture stands what
// the model makes of it. A patch that is pointed at is magnified there instead, its numbers are read off colour by
// colour, and a matrix makes them a vector. Below, all patches lie in a row.

import {
  brief,
  el,
  mirror,
  mount,
  rewrite,
  roomOf,
  unpack,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";
import { Latest } from "../../../../lab/kit/components/latest.js";
import { placeOf, show, stepped } from "../../../../lab/kit/components/patches.js";
import { verdictOf } from "../verdicts.js";
import { exchange, inPixels, Numbers, rowOf, travelled } from "./numbers.js";
import { inPictureOf, inRowOf, onTheWay, planOf } from "./plan.js";

const AROUND = 204; // pixels of a window above and below the drawing
const [LEAST, MOST] = [440, 1200]; // pixels of its height
const BEAT = 3000; // milliseconds
const FINE = 2; // drawn pixels to one of the page

class PatchRows {
  constructor(root) {
    this.root = root;
    [this.swaps, this.held] = [[], null]; // the place at which the keyboard has taken a patch up
    [this.isClose, this.hasMoved] = [false, false]; // a patch is read off; one was moved since the pointer came
    this.link = mirror((put) => {
      put("vision_patch", this.at, this.usual);
      put("vision_swaps", this.code, "");
    });
    this.asks = new Latest((code) => this.tell("swaps", code));
    this.pieces = el("canvas.pieces", { "aria-hidden": "true" });
    this.flight = el("canvas.flight", { "aria-hidden": "true", hidden: true });
    this.numbers = new Numbers();
    this.grid = el("div.grid", {
      role: "listbox",
      tabindex: 0,
      "aria-label": "Patches of the picture: arrow keys move, space takes one up and puts it down",
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.carry(event),
      onpointermove: (event) => event.buttons || this.hasMoved || this.near(this.underPicture(event)),
      onpointerleave: (event) => event.pointerType === "mouse" && this.rest(),
      onblur: () => this.rest(),
    });
    this.answers = el("div.answers");
    this.row = el("div.row", {
      "aria-hidden": "true",
      onpointermove: (event) => event.buttons || this.near(this.underRow(event)),
      onpointerdown: (event) => this.pressRow(event),
      onpointerleave: (event) => event.pointerType === "mouse" && this.rest(),
    });
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.said = el("p.unseen", { "aria-live": "polite" });
    this.stage = el("div.stage", this.pieces, this.numbers.node, this.flight, this.grid, this.row, this.answers);
    this.act = el("button.primary", { onclick: () => this.pressed() });
    root.replaceChildren(el("div.headline", this.finding, this.act), this.stage, this.said);
  }

  update(data, { setTriggerValue, setStateValue }) {
    Object.assign(this, { send: setTriggerValue, tell: setStateValue });
    this.numbers.colours(this.root);
    const isFirst = !this.data;
    if (data !== this.data) this.take(data);
    this.draw();
    if (isFirst) this.open();
  }

  destroy() {
    this.asks.end();
  }

  resized() {
    if (this.data && roomOf(this.root) !== this.room) this.draw();
  }

  take(data) {
    this.data = data;
    const { header, arrays } = unpack(data);
    const { across, finding, act, groups, swaps } = header;
    this.asks.heard(swaps);
    rewrite(this.answers, ...groups.map((group) => verdictOf(group)));
    const [before, side] = [this.pixels, arrays.pixels.shape[0]];
    if (before && this.asks.waits && before.length === arrays.pixels.length) return; // the hand is further on
    if (swaps !== this.code) this.hold(null); // it is not what the hand has made
    this.swaps = swaps ? swaps.split(".").map((pair) => pair.split("-").map(Number)) : [];
    if (before) this.at = travelled(before, arrays.pixels, side, across, this.at);
    const pixels = Object.assign(arrays.pixels.slice(), { shape: arrays.pixels.shape }); // a hand changes it
    Object.assign(this, { across, side, pixels, flat: arrays.vectors.slice() });
    [this.n, this.D] = arrays.vectors.shape;
    this.p = this.side / this.across;
    this.usual = Math.floor(this.across / 4) * this.across + Math.floor(this.across / 4);
    this.at = Math.min(this.at ?? wholeParam("vision_patch", this.n) ?? this.usual, this.n - 1);
    const cut = `${this.n} patches, ${this.n} tokens.`;
    const usual = [act ? `${cut} Shuffle them: what will the model still see?` : cut];
    const [said, more] = finding.length ? finding : usual;
    rewrite(this.finding, said, ...(more ? [el("span.more", ` ${more}`)] : []));
    this.act.hidden = !act;
    write(this.act, act);
    this.most = arrays.vectors.reduce((a, b) => Math.max(a, Math.abs(b)), 0) || 1;
    if (before) this.link.later();
    this.whole = el("canvas");
    show(this.whole, this.pixels);
    const option = (n) =>
      el("div", { role: "option", id: `patch-${n}`, "aria-label": `patch in ${placeOf(n, this.across)}` });
    this.options = Array.from({ length: this.n }, (_, n) => option(n));
    this.grid.style.setProperty("--across", this.across);
    this.grid.replaceChildren(...this.options);
  }

  // ---- drawing ---------------------------------------------------------------------------------------------------

  draw() {
    const { root, n, across } = this;
    this.width = root.clientWidth;
    this.room = roomOf(root);
    if (!this.width) return;
    const tall = Math.min(MOST, Math.max(LEAST, windowHeight(root) - AROUND));
    this.plan = planOf(Math.max(280, this.width), tall, n);
    const { picture, row, height, answers } = this.plan;
    this.stage.style.height = `${height}px`;
    const pixels = (place) => Object.fromEntries(Object.entries(place).map(([name, x]) => [name, `${x}px`]));
    const square = { left: picture.x, top: picture.y, width: picture.side, height: picture.side };
    Object.assign(this.grid.style, pixels(square));
    Object.assign(this.answers.style, pixels({ left: answers.x, top: answers.y, width: answers.width }));
    this.answers.style.setProperty("--deep", answers.height);
    const step = row.side + row.gap;
    Object.assign(this.row.style, pixels({ top: row.y, width: row.across * step, height: row.lines * step }));
    const pen = this.penOn(this.pieces);
    for (let k = 0; k < n; k++) {
      this.put(pen, k, inPictureOf(this.plan, k, across));
      this.put(pen, k, inRowOf(this.plan, k));
    }
    this.still = pen.getImageData(0, 0, this.pieces.width, this.pieces.height);
    this.show();
  }

  /** An empty canvas as large as the drawing. */
  penOn(canvas) {
    Object.assign(canvas, { width: FINE * this.width, height: Math.ceil(FINE * this.plan.height) });
    const pen = canvas.getContext("2d", { willReadFrequently: canvas === this.pieces });
    pen.scale(FINE, FINE);
    pen.imageSmoothingEnabled = false;
    return pen;
  }

  /** Draws a patch where it is to be. */
  put(pen, k, { x, y, side }) {
    const { p, across } = this;
    pen.drawImage(this.whole, (k % across) * p, Math.floor(k / across) * p, p, p, x, y, side, side);
  }

  show() {
    const { at, n, across, p, D, plan } = this;
    const row = rowOf(this.pixels, this.side, across, at);
    const vector = this.flat.subarray(at * D, (at + 1) * D);
    const pen = this.pieces.getContext("2d");
    pen.putImageData(this.still, 0, 0);
    const { isClose, most } = this;
    if (isClose) this.put(pen, at, plan.close);
    this.root.classList.toggle("close", isClose);
    this.numbers.draw(plan, { at, n, across, p, row, vector, most, isClose, isMarked: isClose || this.hasMoved });
    this.options.forEach((option, k) => option.setAttribute("aria-selected", k === at));
    this.grid.setAttribute("aria-activedescendant", `patch-${at}`);
    const three = (numbers, text) => `${Array.from(numbers.slice(0, 3), text).join(", ")}, …`;
    this.said.textContent =
      `Patch in ${placeOf(at, across)}: ${row.length} numbers (${three(row, String)}) ` +
      `become ${D} (${three(vector, brief)}).`;
    Object.assign(this.root.dataset, { at, first: row[0] });
  }

  // ---- the first beat: the picture falls apart into patches, and they lie down in a row --------------------------

  open() {
    const frame = (share) => {
      const pen = this.penOn(this.flight);
      for (let k = 0; k < this.n; k++) this.put(pen, k, onTheWay(this.plan, k, this.n, this.across, share));
    };
    const begin = () => {
      this.root.dataset.beat = "cut";
      this.flight.hidden = false;
      this.stop = tween(0.94 * BEAT, frame);
    };
    const end = () => {
      this.stop();
      this.flight.hidden = true;
      delete this.root.dataset.beat;
    };
    this.endBeat = firstBeat("cut", BEAT, begin, end);
  }

  // ---- hands -----------------------------------------------------------------------------------------------------

  /** A patch is pointed at: its numbers are read off. */
  near(n) {
    const wasClose = this.isClose;
    this.isClose = true;
    if (n !== this.at) this.pick(n);
    else if (!wasClose) this.show();
  }

  /** A finger leaves nothing behind that points: the row is read off until the focus goes. */
  pressRow(event) {
    event.preventDefault();
    this.grid.focus({ preventScroll: true });
    this.near(this.underRow(event));
  }

  /** Nothing is pointed at: the answers stand beside the picture. */
  rest() {
    if (!this.isClose && !this.hasMoved) return;
    this.isClose = this.hasMoved = false;
    this.show();
  }

  pick(n) {
    if (n === this.at) return;
    this.hold(null);
    this.at = n;
    this.show();
    this.link.later();
  }

  /** The keyboard has taken up the patch at a place; null: none. */
  hold(at) {
    this.held = at;
    this.grid.setAttribute("aria-description", at === null ? "" : "A patch is taken up.");
  }

  get code() {
    return this.swaps.map((pair) => pair.join("-")).join(".");
  }

  /** The patches change places, or are put back as the picture has them. */
  pressed() {
    this.hold(null);
    this.asks.end();
    if (this.code) this.tell("swaps", "");
    this.send("press", this.act.textContent);
  }

  /** Two patches change places: the picture at once, the answers as soon as the model has read it. */
  exchange(a, b) {
    exchange(this.pixels, a, b, inPixels(this.side, this.across));
    exchange(this.flat, a, b, { lines: 1, width: this.D, at: (k) => k * this.D });
    show(this.whole, this.pixels);
  }

  /** The patch that was taken up at one place goes to another; what lay there comes to the first. */
  bring(from, to) {
    if (this.at === to) return;
    [this.isClose, this.hasMoved] = [false, true];
    if (this.at !== from) {
      this.exchange(from, this.at);
      this.swaps.pop();
    }
    if (to !== from) {
      this.exchange(from, to);
      this.swaps.push([from, to]);
    }
    this.at = to;
    this.draw();
    this.asks.want(this.code);
    this.link.later();
  }

  /** A hand takes a patch along. */
  carry(event) {
    this.hold(null);
    if (event.button) return;
    const from = this.underPicture(event);
    if (this.hasMoved) this.pick(from);
    else this.near(from);
    if (this.act.hidden) return; // what is compared stays as it is
    const node = event.currentTarget;
    const take = (moved) => this.bring(from, this.underPicture(moved));
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", take);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", take), { once: true });
  }

  underPicture(event) {
    const box = this.grid.getBoundingClientRect();
    const cell = (at, size) => Math.min(this.across - 1, Math.max(0, Math.floor((at / size) * this.across)));
    return cell(event.clientY - box.top, box.height) * this.across + cell(event.clientX - box.left, box.width);
  }

  underRow(event) {
    const { across, lines } = this.plan.row;
    const box = this.row.getBoundingClientRect();
    const cell = (at, size, count) => Math.min(count - 1, Math.max(0, Math.floor((at / size) * count)));
    const line = cell(event.clientY - box.top, box.height, lines);
    return Math.min(this.n - 1, line * across + cell(event.clientX - box.left, box.width, across));
  }

  key(event) {
    const to = stepped(this.at, event.key, 0, this.across);
    if (event.key === " ") this.hold(this.held === null && !this.act.hidden ? this.at : null);
    else if (to === this.at) return;
    else if (this.held === null) this.near(to);
    else this.bring(this.held, to);
    event.preventDefault();
  }
}

export default mount(".patch-rows", PatchRows);
