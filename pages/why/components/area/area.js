// The area: a square of n x n beside a rectangle of n x d, to one scale. A button walks through texts that people
// know, from a sentence on; a corner of the square drags n, one of the rectangle d.

import { el, mount, param, put, rewrite, still, svg, write } from "../../../../attention_view/lab.js";
import { smoothly, tween } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import {
  comparison,
  following,
  hasHint,
  inBytes,
  inWords,
  landed,
  LEAST,
  nearest,
  ofScale,
  onScale,
  onTheWay,
  shorterThan,
  SIZE,
  times,
  unitFor,
  weightsOf,
  whole,
  zoomed,
} from "./sizes.js";

const LEFT = 24;
const BESIDE = LEFT + SIZE + 100; // where the rectangle begins
const WIDE = BESIDE + SIZE + 14;
const ABOVE = 34;
const BELOW = 36;
const ASKED = "Twice the text: how much more work?"; // until a hand gives a length

const GLIDE = 450; // milliseconds from one text to the next
const NAMED = 230; // units of a square in which its number and a word below it fit
const SEEN = 5; // units of a square that can be seen

const text = (x, y, words, more = "") => (words ? svg("text", { x, y, class: more }, words) : "");

/** Words for which a phone has no room. */
const roomy = (words) => svg("tspan.roomy", words);

/** What a press of the first button does; another one does nothing. */
const byFirst = (act) => (event) => event.button || act(event);

export class Area {
  constructor(root) {
    this.root = root;
    const whole = { viewBox: `0 ${-ABOVE} ${WIDE} ${ABOVE + SIZE + BELOW}`, role: "group" };
    this.drawing = svg("svg", whole);
    this.square = svg("rect.square");
    this.inner = svg("rect.inner");
    this.strip = svg("rect.strip");
    this.floor = svg("path.floor", { d: `M0 ${SIZE}H${WIDE}` });
    this.texts = svg("g");
    this.grips = { n: this.grip("n", "Number of words n", "lengths"), d: this.grip("d", "Width d", "widths") };
    const { n: cornerOfN, d: cornerOfD } = this.grips;
    this.drawing.append(this.floor, this.strip, this.square, this.inner, this.texts, cornerOfN, cornerOfD);
    this.scale = el("div.scale");
    this.facts = el("div.facts");
    this.finding = el("p.finding");
    this.act = el("button.primary", { onclick: () => this.go(following(this.n, this.known)[1]) });
    const headline = el("div.headline", this.finding, this.act);
    root.replaceChildren(headline, el("div.picture", this.drawing), this.scale, this.facts);
    this.presses = new Presses(() => (this.held || this.size(this.told), this.draw()));
  }

  /** A side that can be dragged, or moved with the arrow keys. */
  grip(side, label, options) {
    const at = (event) => this.sideAt(event, side);
    return svg("circle", { r: 9, class: `grip ${side}`, ...this.slider(side, label, options, at) });
  }

  /** What makes a node the handle of a side; at(event): how long the side is where the pointer is. */
  slider(side, label, options, at) {
    return {
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      onpointerdown: byFirst((event) => this.hold(event, side)),
      onpointermove: (event) => this.held === side && this.drag(at(event), side),
      onpointerup: () => this.drop(side),
      onpointercancel: () => this.drop(side),
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const all = this[options];
        const next = all.indexOf(nearest(this[side], all)) + by;
        if (all[next] !== undefined) this.glide(side, all[next]);
      },
    };
  }

  update({ n, d, texts, ...more }, { setTriggerValue }) {
    const isFirst = !this.unit;
    Object.assign(this, more, { known: texts, tell: setTriggerValue });
    if (isFirst) this.isAsked = ["why_length", "why_d"].every((name) => param(name) === null);
    else this.isAsked &&= n === this.n && d === this.d;
    this.told = { n, d };
    if (this.presses.isNews([n, d]) && !this.held) this.size(this.told); // else the hand has it
    if (isFirst) this.mark();
    this.draw();
  }

  destroy() {
    this.stopGlide?.();
  }

  /** Takes these sides, to one scale; before: the scale that a change by hand began with. */
  size(sides, before = null) {
    if (!before && Object.entries(sides).every(([side, value]) => this[side] === value) && this.unit) return;
    const began = before ?? this.unit;
    Object.assign(this, sides);
    this.unit = unitFor(Math.max(this.n, this.d), this.unit); // of the drawing, for one word
    this.zoom = began ? zoomed(began, this.unit) : "";
  }

  /** Goes to a text with so many words. */
  go(n) {
    this.glide("n", n);
  }

  /** A side becomes so long, and its picture grows out of the one before. */
  glide(side, value, unit = this.unit) {
    const from = this.view ?? { n: this.n, d: this.d, unit: this.unit };
    this.stopGlide?.();
    this.view = null;
    this.send(side, value, unit);
    if (still()) return;
    const to = { n: this.n, d: this.d, unit: this.unit };
    this.stopGlide = tween(GLIDE, (share) => {
      this.view = share < 1 ? onTheWay(from, to, smoothly(share)) : null;
      this.draw();
    });
  }

  hold(event, side) {
    this.stopGlide?.();
    this.view = null;
    Object.assign(this, { held: side, isAsked: false });
    this.start = { value: this[side], unit: this.unit };
    event.currentTarget.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  /** How long a side is whose corner is where the pointer is. */
  sideAt(event, side) {
    const box = this.drawing.getBoundingClientRect();
    const scale = WIDE / box.width;
    const down = (event.clientY - box.top) * scale - ABOVE;
    return (side === "n" ? (event.clientX - box.left) * scale - LEFT : SIZE - down) / this.start.unit;
  }

  /** How many words the scale has where the pointer is. */
  wordsAt(event) {
    const { left, width } = this.line.getBoundingClientRect();
    return ofScale((event.clientX - left) / width, this.lengths);
  }

  /** While a side is dragged the scale holds: one sees it grow. */
  drag(value, side) {
    const options = side === "n" ? this.lengths : this.widths;
    const { unit, least = 0 } = this.start;
    this[side] = Math.min(options.at(-1), Math.max(options[0], value));
    const longest = Math.max(this.n, this.d);
    this.unit = Math.max(least / longest, Math.min(unit, SIZE / longest)); // beyond the room the drawing grows smaller
    this.zoom = zoomed(unit, this.unit);
    this.draw();
  }

  drop(side) {
    if (this.held !== side) return;
    this.held = null;
    const { value, unit } = this.start;
    this.glide(side, landed(this[side], value, side === "n" ? this.lengths : this.widths), unit);
  }

  send(side, value, unit = this.unit) {
    this.isAsked = false;
    this.size({ [side]: value }, unit);
    this.presses.add([this.n, this.d]);
    this.draw();
    this.tell(side, value);
  }

  draw() {
    const { n, d, heads, known } = this;
    const { n: wide, d: high, unit } = this.view ?? this;
    const name = known.find(([, words]) => words === n)?.[0];
    const rect = (node, x, width, height) =>
      put(node, { x, y: SIZE - height * unit, width: width * unit, height: height * unit });
    rect(this.square, LEFT, wide, wide);
    rect(this.strip, BESIDE, wide, high);
    this.place(this.grips.n, LEFT + wide * unit, SIZE, this.n);
    this.place(this.grips.d, BESIDE, SIZE - high * unit, d);
    this.label({ n, d, wide: wide * unit, high: high * unit, unit });
    this.list(n);
    rewrite(this.finding, this.isAsked ? ASKED : comparison(n, d, heads, name));
    write(this.act, `Try a ${following(n, known)[0]}`);
    this.show(n);
    this.drawing.setAttribute(
      "aria-label",
      `${whole(n)} words at width ${whole(d)}: attention is a square of ${whole(n)} by ${whole(n)},` +
        ` a recurrent layer a rectangle of ${whole(n)} by ${whole(d)}.`,
    );
    Object.assign(this.root.dataset, { n: Math.round(n), d: Math.round(d) });
  }

  /** The words in the drawing; wide, high: of the two shapes, in its units. */
  label({ n, d, wide, high, unit }) {
    const [more, less] = [`${times(n, d)}×`, "1×"];
    const [square, strip] = n > d ? [more, less] : [less, more];
    const shares = [this.share(LEFT + wide / 2, wide, wide, square), this.share(BESIDE + wide / 2, wide, high, strip)];
    const [ofSquare, ofStrip] = [square, strip].map((share, i) => (shares[i] ? "" : `, ${share}`));
    const isLarge = wide > NAMED;
    const middle = Math.max(64, wide / 2);
    this.texts.replaceChildren(
      text(LEFT, SIZE - wide - 12, `attention: words × words${ofSquare}`, "strong weight"),
      text(BESIDE + 16, SIZE - high - 12, `recurrent: words × width${ofStrip}`, "strong"),
      ...shares,
      text(LEFT + wide / 2, SIZE - wide / 2 + 72, isLarge && "as many multiplications", "middle on"),
      isLarge
        ? text(LEFT + wide, SIZE + 26, "↔ more words", "hint end")
        : text(LEFT + wide + 20, SIZE - 10, "↔ more words", "hint"),
      text(BESIDE + 16, SIZE - high + 24, hasHint(wide, high) && "↕ wider vectors", "hint on"),
      text(LEFT + (isLarge ? 0 : middle), SIZE + 26, `n = ${whole(n)} words`, isLarge ? "" : "middle"),
      text(BESIDE + middle, SIZE + 26, `n = ${whole(n)} words`, "middle"),
      text(WIDE - 14, -12, SIZE - high > 60 && !this.view && this.zoom, "end zoom"),
      svg("text.end", { x: BESIDE - 14, y: SIZE - high + 5 }, roomy("width "), `d = ${whole(d)}`),
    );
    this.nest(isLarge && shorterThan(n, this.known), unit, wide);
  }

  /** The square of a shorter text within that of this one, if it can be seen. */
  nest(shorter, unit, wide) {
    const side = shorter ? shorter[1] * unit : 0;
    const size = side >= SEEN ? side : 0;
    put(this.inner, { x: LEFT, y: SIZE - size, width: size, height: size });
    put(this.inner, { opacity: 1 - Math.min(1, size / wide) ** 4 }); // it parts from the larger one as that grows
    const name = () =>
      svg("text.on", { x: LEFT + size + 8, y: SIZE - 10 }, `a ${shorter[0]}’s square`, roomy(", to this scale"));
    if (size) this.texts.append(name());
  }

  /** How many times the other a shape is, as large as it has room for: beside it, if it is thin; none, if it is low. */
  share(x, wide, tall, words) {
    const size = Math.min(120, 0.6 * tall, (1.5 * wide) / words.length);
    const y = SIZE - tall / 2 + size * 0.35;
    if (size >= 18) return svg("text", { x, y, class: "share middle on", style: `font-size: ${size}px` }, words);
    return tall > 120 ? svg("text", { x: x + wide / 2 + 28, y, class: "share", style: "font-size: 110px" }, words) : "";
  }

  /** The scale of all lengths, with the texts that people know. */
  mark() {
    this.dot = el("i.dot");
    this.before = el("i.before");
    this.even = el("span.even");
    this.marks = this.known.map(([name, words]) => {
      const act = { style: `--at: ${onScale(words, this.lengths)}`, onclick: () => this.go(words) };
      return el(
        "button.text",
        { "aria-label": `${name} ${whole(words)}`, ...act },
        el("b", name),
        el("span.roomy", ` ${whole(words)}`),
      );
    });
    const words = this.slider("n", "Length of the text", "lengths", (event) => this.wordsAt(event));
    const press = (event) => {
      this.hold(event, "n");
      this.start.least = LEAST * SIZE; // on a logarithmic scale nothing would be left to see of a short text
      this.drag(this.wordsAt(event), "n"); // a press anywhere on the scale goes there
    };
    this.line = el("div.line", { ...words, onpointerdown: byFirst(press) }, this.before, this.dot);
    const ends = [el("span", "attention does less"), this.even, el("span", "attention does more")];
    this.scale.replaceChildren(el("p.ends", ...ends), this.line, el("div.marks", ...this.marks));
  }

  show(n) {
    const at = (words) => onScale(Math.min(words, this.lengths.at(-1)), this.lengths);
    this.scale.style.setProperty("--n", at((this.view ?? this).n));
    this.scale.style.setProperty("--d", at(this.d));
    this.count(this.line, this.n, this.lengths);
    put(this.line, { "aria-valuetext": `${whole(this.n)} words` });
    write(this.even, `equal at ${whole(this.d)} words`);
    this.known.forEach(([, words], i) => put(this.marks[i], { "aria-pressed": words === n }));
  }

  place(grip, x, y, value) {
    put(grip, { cx: x, cy: y });
    this.count(grip, value, grip === this.grips.n ? this.lengths : this.widths);
  }

  /** The number that a slider has. */
  count(node, value, options) {
    const [min, max] = [options[0], options.at(-1)];
    put(node, { "aria-valuemin": min, "aria-valuemax": max, "aria-valuenow": Math.round(value) });
  }

  /** What each of them takes: below its shape. */
  list(n) {
    const { d, heads } = this;
    const weights = `attention weights, ${heads} head${heads === 1 ? "" : "s"}`;
    const of = [
      [inWords(n * n * d), "n² · d", inBytes(weightsOf(n, heads)), weights, 1],
      [inWords(n * d * d), "n · d²", inBytes(4 * n * d), "states", n],
    ];
    this.facts.replaceChildren(
      ...of.map(([multiplications, formula, memory, what, steps]) =>
        el(
          "dl",
          el("div", el("dd", multiplications), el("dt", `multiplications, ${formula}`)),
          el("div", el("dd", memory), el("dt", what)),
          el("div", el("dd", whole(steps)), el("dt", steps === 1 ? "step" : "steps, one by one")),
        ),
      ),
    );
  }
}

export default mount(".area", Area);
