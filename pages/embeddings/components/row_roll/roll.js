// The roll itself: the rows of the table as thin lines on a canvas, large in the middle and narrow towards its ends.

import { boxOf, el, enlarged, paintPixels, pointIn, rgb, strength, theme } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { inSight, onRoll, rowAt } from "./rolling.js";

const FONT = 14; // pixels of an id and its word
const PER_ROW = 6; // pixels by which one drags the roll one row on

export class Roll {
  /** hands: has turned(row) for where a hand leaves it, held() for when one takes it, and pulled(pixels) for how far
   * one pulls the row in the middle out of it, null once it lets go */
  constructor(root, hands) {
    Object.assign(this, { root, hands, at: 0, goal: 0 });
    this.canvas = el("canvas", {
      role: "slider",
      tabindex: 0,
      "aria-label": "The table, a row per line: roll it",
      "aria-valuemin": 0,
      onkeydown: (event) => this.key(event),
      onpointerdown: (event) => this.press(event),
    });
  }

  /** New rows: data as it comes, the numbers (n, across) of the lines, and the colours of the theme. */
  take(data, numbers) {
    this.data = data;
    this.lineOf = data.lines && new Map(data.lines.map((id, line) => [id, line]));
    this.colours = Object.fromEntries(
      ["negative", "panel", "positive", "ground", "line"].map((name) => [name, rgb(theme(this.root)(name))]),
    );
    const { negative, panel, positive } = this.colours;
    this.source = document.createElement("canvas");
    const share = (x) => strength((Math.abs(x) * data.step) / data.largest);
    paintPixels(this.source, numbers, data.across, [negative, panel, positive], share);
    this.canvas.setAttribute("aria-valuemax", data.V - 1);
  }

  /** Turn it so that this place, which may lie between two rows, is in the middle. */
  turn(at) {
    this.at = at;
    this.draw();
  }

  get half() {
    return this.height / 2;
  }

  /** Where the row in the middle is, in the pixels of the canvas. */
  get notch() {
    const tall = onRoll(0.5, this.half);
    return { top: this.half - tall, bottom: this.half + tall, left: this.gutter };
  }

  draw() {
    const { canvas, data } = this;
    const { width, height } = boxOf(canvas);
    if (!width || !data) return;
    Object.assign(this, { width, height, gutter: 118 });
    const dots = Math.min(3, (window.devicePixelRatio || 1) * enlarged(canvas));
    const [across, down] = [Math.round(width * dots), Math.round(height * dots)];
    if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
    const pen = (this.pen = canvas.getContext("2d"));
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.imageSmoothingEnabled = false;
    for (const place of this.places) this.drawRow(place, place - this.at);
    this.dim();
    this.drawNames();
    this.drawNotch();
    canvas.setAttribute("aria-valuenow", Math.round(this.at));
    const label = this.data.labels[Math.round(this.at)];
    canvas.setAttribute("aria-valuetext", `row ${Math.round(this.at)}${label === undefined ? "" : `, ${label}`}`);
  }

  /** The places in sight, from above downwards. */
  get places() {
    const n = inSight(this.half);
    const [first, last] = [Math.max(0, Math.ceil(this.at - n)), Math.min(this.data.V - 1, Math.floor(this.at + n))];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => first + k);
  }

  /** The row of a token, so many rows from the middle. */
  drawRow(id, u) {
    const { half, gutter, width } = this;
    const [top, bottom] = [onRoll(u - 0.5, half), onRoll(u + 0.5, half)];
    const tall = bottom - top > 2.2 ? bottom - top - Math.min(2, 0.25 * (bottom - top)) : bottom - top;
    this.drawLine(id, gutter, half + (top + bottom - tall) / 2, width - gutter, tall);
  }

  drawLine(id, x, y, across, tall) {
    const { pen, data } = this;
    const line = this.lineOf ? this.lineOf.get(id) : id;
    if (line === undefined) {
      pen.fillStyle = `rgb(${this.colours.line})`;
      pen.fillRect(x, y, across, Math.min(tall, 0.8));
    } else pen.drawImage(this.source, 0, line, data.across, 1, x, y, across, Math.max(tall, 0.7));
  }

  /** All rows step back, those at the ends the farthest. */
  dim() {
    const { pen, height, gutter, width } = this;
    const fade = pen.createLinearGradient(0, 0, 0, height);
    for (const [at, alpha] of [
      [0, 1],
      [0.35, 0.64],
      [0.65, 0.64],
      [1, 1],
    ])
      fade.addColorStop(at, `rgba(${this.colours.ground},${alpha})`);
    pen.fillStyle = fade;
    pen.fillRect(gutter, 0, width - gutter, height);
  }

  /** The ids on the left, of every row near the middle, with its word. */
  drawNames() {
    const { pen, half, gutter } = this;
    const { family, ink, quiet } = this.type();
    pen.textBaseline = "middle";
    for (const place of this.places) {
      const u = place - this.at;
      const y = half + onRoll(u, half);
      if (onRoll(u + 0.5, half) - onRoll(u - 0.5, half) < FONT) continue;
      const isOn = Math.abs(u) < 0.5;
      pen.fillStyle = isOn ? ink : quiet;
      pen.font = `${isOn ? "700 19px" : `${FONT}px`} ${family}`;
      pen.textAlign = "right";
      pen.fillText(String(place), 46, y);
      pen.textAlign = "left";
      const label = this.data.labels[place];
      if (label !== undefined) pen.fillText(this.fitted(label, gutter - 60), 54, y);
    }
  }

  /** As much of a label as fits. */
  fitted(label, room) {
    if (this.pen.measureText(label).width <= room) return label;
    let letters = Array.from(label);
    while (letters.length > 1 && this.pen.measureText(`${letters.join("")}…`).width > room)
      letters = letters.slice(0, -1);
    return `${letters.join("")}…`;
  }

  type() {
    const { fontFamily: family } = getComputedStyle(this.root);
    const [ink, quiet] = ["ink", "quiet"].map(theme(this.root));
    return { family, ink, quiet };
  }

  /** The row in the middle in its frame. */
  drawNotch() {
    const { pen, width, notch } = this;
    const [{ top, left }, tall, across] = [notch, notch.bottom - notch.top, width - notch.left];
    const id = Math.round(this.at);
    this.drawLine(id, left, top, across, tall);
    pen.strokeStyle = theme(this.root)("ink");
    pen.lineWidth = 2;
    pen.strokeRect(left + 1, top, across - 2, tall);
  }

  // ---- hands --------------------------------------------------------------------------------------------------

  /** From where the roll is going, which is not always where it is. */
  key(event) {
    const by = { ArrowUp: -1, ArrowDown: 1, ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    const end = { Home: 0, End: this.data.V - 1 }[event.key];
    if (!by && end === undefined) return;
    event.preventDefault();
    this.hands.held();
    this.hands.turned(this.within(by ? this.goal + by : end));
  }

  within(at) {
    return Math.max(0, Math.min(this.data.V - 1, at));
  }

  press(event) {
    if (event.button) return;
    this.hands.held();
    const began = this.at;
    const isInRow = Math.abs(pointIn(event, this.canvas)[1] - this.half) <= onRoll(0.5, this.half);
    let [hasMoved, isPulled] = [false, false];
    const move = ({ clientX, clientY }) => {
      const [over, by] = [clientX - event.clientX, clientY - event.clientY].map((x) => x / enlarged(this.canvas));
      if (!hasMoved) isPulled = isInRow && Math.abs(over) > Math.abs(by);
      hasMoved ||= Math.hypot(over, by) > 4;
      if (hasMoved && isPulled) this.hands.pulled(over);
      else if (hasMoved) this.turn(this.within(began - by / PER_ROW));
    };
    const end = (over) => {
      if (hasMoved && isPulled) return this.hands.pulled(null);
      if (over.type === "pointercancel") return this.hands.turned(Math.round(began));
      const y = pointIn(event, this.canvas)[1] - this.half;
      this.hands.turned(this.within(hasMoved ? Math.round(this.at) : Math.round(began) + rowAt(y, this.half)));
    };
    this.endDrag = drag(move, end);
  }
}
