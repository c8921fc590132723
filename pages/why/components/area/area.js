// The area: a square of n x n beside a rectangle of n x d, to one scale. A corner of the square drags n, one of the
// rectangle d.

import { el, mount, put, rewrite, svg, write } from "../../../../attention_view/lab.js";

const SIZE = 340; // that the longer side may have, in the drawing's own units
const LEFT = 24;
const BESIDE = LEFT + SIZE + 100; // where the rectangle begins
const WIDE = BESIDE + SIZE + 14;
const ABOVE = 34;
const BELOW = 36;
const ROOM = 1.08; // how much more than the longer side fits at first
const LEAST = 0.4; // of the room, that the longer side takes: below it the drawing is magnified
const MOVED = 1.02; // by which a side has to be dragged to be another
const PATIENCE = 4000; // milliseconds in which a press holds against the answer to an earlier one

const UNITS = [
  [1e12, "trillion"],
  [1e9, "billion"],
  [1e6, "million"],
];

/** A large number in words: 537 million. */
export function inWords(x) {
  for (const [size, name] of UNITS) if (x >= size) return `${Number((x / size).toPrecision(3))} ${name}`;
  return Math.round(x).toLocaleString("en");
}

/** "33.6 MB"; a kB is 1000 B. */
export function inBytes(x) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  while (x >= 1000 && units.length > 1) {
    x /= 1000;
    units.shift();
  }
  return `${x < 1000 ? Number(x.toPrecision(3)) : Math.round(x).toLocaleString("en")} ${units[0]}`;
}

/** The option that is nearest on a logarithmic scale. */
export const nearest = (value, options) =>
  options.reduce((a, b) => (Math.abs(Math.log(b / value)) < Math.abs(Math.log(a / value)) ? b : a));

/** Where a side that was dragged comes to rest: the nearest option, but at least one further the way it was dragged. */
export function landed(value, from, options) {
  const near = nearest(value, options);
  const by = value > from * MOVED ? 1 : value < from / MOVED ? -1 : 0;
  return near === from && by ? (options[options.indexOf(from) + by] ?? from) : near;
}

/** How much of the drawing a word takes: as before, as long as the longer side has room and is not small. */
export function unitFor(longest, unit) {
  const side = longest * (unit ?? 0);
  return side > SIZE + 0.5 || side < LEAST * SIZE ? SIZE / (ROOM * longest) : unit;
}

/** By how much the scale has changed; nothing where it has not. */
export function zoomed(before, unit) {
  const [out, by] = [unit < before, times(Math.max(before / unit, unit / before))];
  return by === "1×" ? "" : `zoomed ${out ? "out" : "in"} ${by}, both alike`;
}

/** Twice as many words, if there are so many to choose; null where there are not. */
export const doubled = (n, lengths) => lengths.find((one) => one === 2 * n) ?? null;

/** How many times as much: "2×", "1/1.9×". */
export function times(ratio) {
  const text = ratio >= 1 ? ratio : 1 / ratio;
  const short = text >= 10 ? Math.round(text).toLocaleString("en") : Number(text.toPrecision(2));
  return ratio >= 1 || short === 1 ? `${short}×` : `1/${short}×`;
}

const whole = (x) => Math.round(x).toLocaleString("en");

/** What the two areas come to: the larger one is named first. */
export function comparison(n, d) {
  const many = times(Math.max(n / d, d / n));
  const steps = `, not ${whole(n)}`;
  const long = `At ${whole(n)} words, `;
  if (many === "1×") return `${long}both multiply equally often, but attention needs 1 step${steps}.`;
  if (n < d) return `${long}a recurrent layer multiplies ${many} as much as attention, which needs 1 step${steps}.`;
  return `${long}attention multiplies ${many} as much as a recurrent layer, but in 1 step${steps}.`;
}

const NAMED = 230; // units of a square in which its number and a word below it fit

/** Whether a rectangle of these units has room for words beside its number. */
const hasHint = (wide, tall) => tall > 120 || (tall > 36 && wide > 310);

class Area {
  constructor(root) {
    this.root = root;
    const whole = { viewBox: `0 ${-ABOVE} ${WIDE} ${ABOVE + SIZE + BELOW}`, role: "group" };
    this.drawing = svg("svg", whole);
    this.square = svg("rect.square");
    this.strip = svg("rect.strip");
    this.floor = svg("path.floor", { d: `M0 ${SIZE}H${WIDE}` });
    this.texts = svg("g");
    this.grips = { n: this.grip("n", "Number of words n", "lengths"), d: this.grip("d", "Width d", "widths") };
    this.drawing.append(this.floor, this.strip, this.square, this.texts, this.grips.n, this.grips.d);
    this.facts = el("div.facts");
    this.finding = el("p.finding");
    this.act = el("button.primary", { onclick: () => this.double() });
    root.replaceChildren(el("div.headline", this.finding, this.act), el("div.picture", this.drawing), this.facts);
  }

  /** A side that can be dragged, or moved with the arrow keys. */
  grip(side, label, options) {
    return svg("circle", {
      r: 9,
      class: `grip ${side}`,
      role: "slider",
      tabindex: 0,
      "aria-label": label,
      onpointerdown: (event) => this.hold(event, side),
      onpointermove: (event) => this.held === side && this.drag(event, side),
      onpointerup: () => this.drop(side),
      onpointercancel: () => this.drop(side),
      onkeydown: (event) => {
        const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        const all = this[options];
        const at = all.indexOf(nearest(this[side], all)) + by;
        if (all[at] !== undefined) this.send(side, all[at]);
      },
    });
  }

  update({ n, d, ...more }, { setTriggerValue }) {
    Object.assign(this, more, { tell: setTriggerValue });
    const { waits } = this;
    const now = { n, d };
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = waits && performance.now() < waits.until && now[waits.side] !== this[waits.side];
    if (isOld) now[waits.side] = this[waits.side];
    else this.waits = null;
    if (now.n !== this.n) this.from = null; // another control has set it
    if (!this.held) this.size(now); // else the hand has it
    this.draw();
  }

  /** Takes these sides, to one scale; before: the scale that the last change began with. */
  size(sides, before = this.unit) {
    if (Object.entries(sides).every(([side, value]) => this[side] === value) && this.unit) return;
    Object.assign(this, sides);
    this.unit = unitFor(Math.max(this.n, this.d), this.unit); // of the drawing, for one word
    this.zoom = before ? zoomed(before, this.unit) : "";
  }

  /** Twice the words, as often as there are so many to choose; then as many as there were before. */
  double() {
    const to = doubled(this.n, this.lengths);
    const from = to && (this.from ?? this.n);
    this.send("n", to ?? this.before, from);
  }

  /** How many words there were before they were doubled, or else as many as usual. */
  get before() {
    return this.from ?? this.usual;
  }

  hold(event, side) {
    this.held = side;
    this.start = { value: this[side], unit: this.unit };
    event.target.setPointerCapture(event.pointerId);
    event.preventDefault();
  }

  drag(event, side) {
    const box = this.drawing.getBoundingClientRect();
    const scale = WIDE / box.width;
    const down = (event.clientY - box.top) * scale - ABOVE;
    const at = side === "n" ? (event.clientX - box.left) * scale - LEFT : SIZE - down;
    const options = side === "n" ? this.lengths : this.widths;
    const { unit } = this.start;
    this[side] = Math.min(options.at(-1), Math.max(options[0], at / unit));
    this.unit = Math.min(unit, SIZE / Math.max(this.n, this.d)); // beyond the room the drawing grows smaller
    this.zoom = zoomed(unit, this.unit);
    this.draw();
  }

  drop(side) {
    if (this.held !== side) return;
    this.held = null;
    const { value, unit } = this.start;
    this.send(side, landed(this[side], value, side === "n" ? this.lengths : this.widths), null, unit);
  }

  send(side, value, from = null, unit = this.unit) {
    Object.assign(this, { from, waits: { side, until: performance.now() + PATIENCE } });
    this.size({ [side]: value }, unit);
    this.draw();
    this.tell(side, value);
  }

  draw() {
    const { n, d, unit } = this;
    const rect = (node, x, width, height) =>
      put(node, { x, y: SIZE - height * unit, width: width * unit, height: height * unit });
    rect(this.square, LEFT, n, n);
    rect(this.strip, BESIDE, n, d);
    this.place(this.grips.n, LEFT + n * unit, SIZE, n);
    this.place(this.grips.d, BESIDE, SIZE - d * unit, d);
    const text = (x, y, words, more = "") => svg("text", { x, y, class: more }, words);
    const hint = (x, y, words) => (hasHint(n * unit, d * unit) ? text(x, y, words, "hint") : "");
    const middle = [LEFT, BESIDE].map((x) => x + Math.max(40, (n * unit) / 2));
    this.texts.replaceChildren(
      text(LEFT, SIZE - n * unit - 12, "attention: words × words", "strong weight"),
      text(BESIDE + 16, SIZE - d * unit - 12, "recurrent: words × width", "strong"),
      this.share(middle[0], n, n, times(n / d), "weight"),
      this.share(middle[1], n, d, "1×", ""),
      n * unit > NAMED ? text(middle[0], SIZE - (n * unit) / 2 + 78, "as many multiplications", "middle weight") : "",
      hint(LEFT + n * unit + 20, SIZE - 10, "↔ more words"),
      hint(BESIDE + 16, SIZE - d * unit + 24, "↕ wider vectors"),
      text(middle[0], SIZE + 26, `n = ${whole(n)} words`, "middle"),
      text(middle[1], SIZE + 26, `n = ${whole(n)} words`, "middle"),
      text(WIDE - 14, -12, this.zoom ?? "", "end zoom"),
      text(BESIDE - 14, SIZE - d * unit + 5, `d = ${whole(d)}`, "end"),
    );
    this.list();
    rewrite(this.finding, comparison(n, d));
    const isMost = doubled(nearest(n, this.lengths), this.lengths) === null;
    write(this.act, isMost ? `Back to ${whole(this.before)} words` : "Double the words");
    this.drawing.setAttribute(
      "aria-label",
      `${whole(n)} words at width ${whole(d)}: attention is a square of ${whole(n)} by ${whole(n)},` +
        ` a recurrent layer a rectangle of ${whole(n)} by ${whole(d)}.` +
        ` Attention takes ${times(n / d)} the multiplications.`,
    );
    Object.assign(this.root.dataset, { n: Math.round(n), d: Math.round(d) });
  }

  /** How many times the rectangle a shape is, as large as it has room for. */
  share(x, width, height, words, more) {
    const [wide, tall] = [width * this.unit, height * this.unit];
    const size = Math.max(14, Math.min(120, 0.6 * tall, (1.5 * wide) / words.length));
    return svg(
      "text",
      { x, y: SIZE - tall / 2 + size * 0.35, class: `share middle ${more}`, style: `font-size: ${size}px` },
      words,
    );
  }

  place(grip, x, y, value) {
    grip.setAttribute("cx", x);
    grip.setAttribute("cy", y);
    const options = grip === this.grips.n ? this.lengths : this.widths;
    grip.setAttribute("aria-valuemin", options[0]);
    grip.setAttribute("aria-valuemax", options.at(-1));
    grip.setAttribute("aria-valuenow", Math.round(value));
  }

  /** What each of them takes: below its shape. */
  list() {
    const { n, d, heads } = this;
    const of = [
      [inWords(n * n * d), "n² · d", inBytes(4 * heads * n * n), `${heads} squares of 4 bytes per cell`, 1],
      [inWords(n * d * d), "n · d²", inBytes(4 * n * d), "one state of d numbers per word", n],
    ];
    this.facts.replaceChildren(
      ...of.map(([multiplications, formula, memory, why, steps]) =>
        el(
          "dl",
          el("div", el("dd", multiplications), el("dt", `multiplications, ${formula}`)),
          el("div", el("dd", memory), el("dt", { title: why }, "memory")),
          el("div", el("dd", whole(steps)), el("dt", steps === 1 ? "step: all rows at once" : "steps, one by one")),
        ),
      ),
    );
  }
}

export default mount(".area", Area);
