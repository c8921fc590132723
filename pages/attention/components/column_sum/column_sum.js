// A word's vector beside a matrix. The column under the hand is multiplied with it, and the products add up, row by
// row, to one number of what comes out. All of it is worked out here.

import {
  el,
  fixed,
  fromBase64,
  mount,
  paintPixels,
  pointIn,
  rewrite,
  rgb,
  svg,
  theme,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { chain, heard, isOtherState, longestSentences, sentence } from "./said.js";
import { outOf, partsOf, ranked, reach, span, summed } from "./sums.js";
import { placesOf, stepsOf, waterfall } from "./waterfall.js";

const ROOM = 295; // pixels above and below the rows, without the headline
const NARROW = 620;
const GRIP = 28; // pixels, half of the grip
const LABELS = 128; // pixels for what a bar stands for
const LETTER = { query: "q", key: "k", value: "v" };
const BEAT = 3000; // milliseconds
const NEXT = { part: "Next largest part", number: "Next largest number" }; // of a query that finds a word, or of any
const SWEEP = 0.3; // of the beat: the hand moves to the column; the rest: the sum grows

const isLed = (root) => theme(root)("lesson") === "1";

/** What the numbers of each query add to a score; in a lesson, which has not told of scores yet, nothing. */
function readFinds(root, { finds }) {
  const read = (name) => new Float32Array(fromBase64(finds[name]).buffer);
  return finds && !isLed(root) ? [read("earned"), read("met")] : [null, null];
}

/** The vector, the matrix with the column in question, and what comes out, as colours. */
function paintNumbers(view) {
  const { w, b, root } = view;
  const colours = ["negative", "panel", "positive"].map(theme(root)).map(rgb);
  const paint = (canvas, numbers, across, largest) =>
    paintPixels(canvas, Float32Array.from(numbers), across, colours, (number) => Math.abs(number) / largest);
  const out = outOf(view);
  paint(view.vector, view.x, 1, span(view.x));
  paint(view.whole, w, b.length, span(w));
  paint(view.picked, view.one.column, 1, span(w));
  paint(view.cells, out, b.length, Math.max(...out.map(Math.abs)) || 1);
}

class ColumnSum {
  constructor(root) {
    this.root = root;
    this.resized = () => this.data && this.draw();
    this.finding = el("h2.finding");
    this.line = el("div.words", {
      role: "radiogroup",
      "aria-label": "Whose vector",
      onkeydown: (event) => this.step(event),
    });
    this.mill = el("div.mill");
    this.act = el("button.primary", { onclick: () => this.next() }, NEXT.number);
    this.headline = el("div.headline", this.finding, this.act);
    root.replaceChildren(this.headline, this.line, this.mill);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isFirst = !this.data;
    this.follow(data);
    this.draw();
    if (isFirst) this.open();
    this.root.dataset.painted = "true";
  }

  destroy() {
    this.endBeat?.();
  }

  /** Takes new numbers; the column stays where the matrix does, and a word that was just pressed stays. */
  follow(data) {
    const [text, matrix] = [JSON.stringify([data.words, data.x]), JSON.stringify([data.made, data.w, data.b])];
    const isSame = text === this.text && matrix === this.matrix;
    if (!isSame) this.endBeat?.(); // while it has the numbers that it began with
    const isSameHead = this.data?.of === data.of; // trained or not
    if (!isSame) this.meanwhile = isOtherState(this.data, data) ? this.now : null;
    this.data = data;
    [this.finds, this.met] = readFinds(this.root, data);
    if (isSame) return this.turnTo(data.at);
    for (const name of ["w", "b"]) this[name] = new Float32Array(fromBase64(data[name]).buffer);
    this.vectors = new Float32Array(fromBase64(data.x).buffer);
    if (text === this.text) this.turnTo(data.at);
    else [this.at, this.sent] = [data.at, null];
    if (matrix !== this.matrix && !(isSameHead && this.column < this.b.length)) this.column = data.feature;
    this.now = { vectors: this.vectors, w: this.w, b: this.b };
    Object.assign(this, { text, matrix });
    this.build();
  }

  /** The word that the server shows; while it has not heard of the last press, that one holds. */
  turnTo(at) {
    if (at === this.sent) this.sent = null;
    if (this.sent != null || at === this.at) return;
    this.at = at;
  }

  build() {
    const { words, made } = this.data;
    this.root.style.setProperty("--hue", `var(--${made})`);
    const radio = (word, n) => el("button.word", { role: "radio", onclick: () => this.say(n) }, word);
    this.line.replaceChildren(...words.map(radio));
    this.features = this.w.length / this.b.length;
    this.vector = el("canvas");
    this.whole = el("canvas.whole");
    this.picked = el("canvas");
    this.grip = el("span.grip");
    this.frame = el("span.frame", this.picked, this.grip);
    this.sheet = el("div.sheet", { onpointerdown: (event) => this.press(event) }, this.whole, this.frame);
    this.cells = el("canvas");
    this.cell = el("i.cell");
    this.strip = el("div.strip", this.stripProps(), this.cells, this.cell);
    this.sum = svg("svg", { role: "img" });
    this.total = el("output.total");
    this.heading = el("h2.adds");
    this.lines = [el("i.at-row"), el("i.at-row")];
    this.sheet.append(this.lines[1]);
    this.owner = el("h2.of");
    this.mill.replaceChildren(
      this.owner,
      el("h2.matrix", "× ", el("b.hue", "W", el("sub", LETTER[made])), el("b.ask", "Drag across the matrix")),
      this.heading,
      el(
        "div.side",
        el("span.rows", { "aria-hidden": "true" }, el("i", "1"), el("i", String(this.features))),
        this.vector,
        this.lines[0],
      ),
      this.sheet,
      this.sum,
      el("p.made", el("b.hue", made)),
      this.strip,
      el("div.foot", this.total),
    );
  }

  stripProps() {
    const n = this.b.length;
    return {
      role: "slider",
      tabindex: 0,
      "aria-label": `Number of the ${this.data.made}`,
      "aria-valuemin": 1,
      "aria-valuemax": n,
      onpointerdown: (event) => this.press(event),
      onkeydown: (event) => {
        const to = inRow(event, this.column, n);
        if (to !== null) this.pick(to);
      },
    };
  }

  // ---- hands -----------------------------------------------------------------------------------------------------

  /** Another word: its vector is here already, and the text below the figure follows. */
  say(n) {
    if (n === this.at) return;
    this.at = n;
    this.draw();
    this.send("word", (this.sent = n));
  }

  step(event) {
    const to = inRow(event, this.at, this.data.words.length);
    if (to === null) return;
    this.say(to);
    this.line.children[to].focus();
  }

  /** One drags over the columns as long as the pointer is down. */
  press(event) {
    const node = event.currentTarget;
    const take = (moved) => {
      const share = pointIn(moved, node)[0] / node.clientWidth;
      this.pick(Math.max(0, Math.min(this.b.length - 1, Math.floor(share * this.b.length))));
    };
    take(event);
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", take);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", take), { once: true });
  }

  pick(column) {
    this.column = column;
    this.draw();
  }

  /** On to the number that is worth most after this one: of a query by what it earns, or else by its size. */
  next() {
    const { earned } = this;
    const order = ranked(earned ?? Array.from(outOf(this), Math.abs));
    this.pick(order[(order.indexOf(this.column) + 1) % order.length]);
  }

  // ---- the first beat: a hand goes to the column, and its sum grows ----------------------------------------------

  open() {
    const to = this.column;
    const begin = () => {
      this.root.dataset.beat = "sum";
      this.stop = tween(0.94 * BEAT, (share) => {
        const column = Math.round(to * Math.min(1, share / SWEEP));
        if (column !== this.column || share === 0) this.pick(column);
        this.drawSum(Math.round(this.parts.length * Math.max(0, (share - SWEEP) / (1 - SWEEP))));
      });
    };
    const end = () => {
      this.stop();
      delete this.root.dataset.beat;
      this.pick(to);
    };
    this.endBeat = firstBeat("sum", BEAT, begin, end);
  }

  /** The vector of the word, of those of all words. */
  vectorOf(vectors) {
    const D = this.w.length / this.b.length;
    return vectors.subarray(this.at * D, (this.at + 1) * D);
  }

  // ---- drawing ---------------------------------------------------------------------------------------------------

  draw() {
    const { vectors, w, b, column, root, data } = this;
    const d = b.length;
    this.x = this.vectorOf(vectors);
    this.one = summed(this, column);
    this.parts = partsOf(this.one, b[column]);
    const of = [vectors, w, this.at];
    if (!this.reached || of.some((what, n) => what !== this.reached.of[n])) this.reached = { of, ends: reach(this) };
    [...this.line.children].forEach((node, n) => {
      node.setAttribute("aria-checked", n === this.at);
      node.setAttribute("tabindex", n === this.at ? 0 : -1);
    });
    const most = root.clientWidth < NARROW ? 360 : 900;
    const words = this.line.offsetHeight - 34; // more lines of them than one
    rewrite(this.finding, ...this.said());
    this.act.textContent = this.earned ? NEXT.part : NEXT.number;
    this.keepHeight();
    const above = this.headline.offsetHeight + Math.max(0, words);
    this.height = Math.min(most, Math.max(220, windowHeight(root) - ROOM - above));
    root.style.setProperty("--tall", `${this.height}px`);
    paintNumbers(this);
    for (const node of [this.frame, this.cell]) {
      node.style.left = `${(100 * column) / d}%`;
      node.style.width = `${100 / d}%`;
    }
    const [wide, left] = [this.sheet.clientWidth, (column / d) * this.sheet.clientWidth];
    const middle = Math.max(GRIP, Math.min(wide - GRIP, left + wide / d / 2)); // not beyond the edge of a phone
    this.grip.style.left = `${middle - left}px`;
    this.grip.textContent = String(column + 1);
    this.strip.setAttribute("aria-valuenow", column + 1);
    this.strip.setAttribute("aria-valuetext", `number ${column + 1}: ${fixed(this.one.total, 2)}`);
    root.dataset.column = String(column);
    root.dataset.total = String(this.one.total);
    const ways = [el("b.left", "left"), " or ", el("b.right", "right")];
    this.heading.replaceChildren("Each product pushes the sum ", ...ways);
    this.owner.replaceChildren(`vector of ${data.words[this.at]}`);
    this.sum.setAttribute("aria-label", heard(this.one, this.parts));
    this.drawSum(this.parts.length);
    this.row(null);
  }

  /** The figure stays where it is, and as tall, whichever number is told of. */
  keepHeight() {
    const { data, b, w, root } = this;
    const key = [root.clientWidth, windowHeight(root), this.text, data.made, b.length, w.length].join(" ");
    if (key === this.kept) return;
    this.kept = key;
    const of = { numbers: b.length, products: w.length / b.length, constants: b.some((bias) => bias !== 0) };
    steady(this.headline, longestSentences(data.words, data.made, data.finds?.keys, of), Object.values(NEXT));
  }

  /** What each number of this query adds to the score of the word that it finds; null where it finds none. */
  get earned() {
    const { finds, at, b, data } = this;
    return finds && data.finds.keys[at] !== null ? finds.subarray(at * b.length, (at + 1) * b.length) : null;
  }

  /** The finding, with elements. */
  said() {
    const { one, data, column, at, earned } = this;
    const what = `Number ${column + 1} of the ${data.made} of “${data.words[at]}”`;
    const found = earned && {
      word: data.words[data.finds.keys[at]],
      share: earned[column] / data.finds.scores[at],
    };
    const part = ([role, text]) => el(role === "hue" ? "b.hue" : "b", text);
    const other = this.meanwhile && summed({ x: this.vectorOf(this.meanwhile.vectors), ...this.meanwhile }, column);
    const was = other && { total: other.total, when: data.trained ? "before" : "after" };
    return sentence(one, this.parts, { what, found, was }).map((said) =>
      typeof said === "string" ? said : part(said),
    );
  }

  /** So many of the parts, one after the other, and their sum so far. */
  drawSum(sofar) {
    const { parts, height, x, one } = this;
    const width = Math.max(100, this.sum.clientWidth || this.root.clientWidth);
    const product = (row) => `${fixed(x[row], 2)} × ${fixed(one.column[row], 2)}`;
    const name = ({ row, others }) =>
      row !== undefined ? product(row) : others ? `the other ${others}` : "learned constant";
    const look = (row) => this.row(row);
    this.sum.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const sum = sofar ? stepsOf(parts)[sofar - 1][1] : 0;
    const isWhole = sofar === parts.length;
    this.total.replaceChildren(...this.chained(isWhole ? one.total : sum));
    this.total.classList.toggle("growing", !isWhole);
    const { ends } = this.reached;
    const [end, first] = [placesOf(ends, LABELS, width)(sum), this.total.firstChild.offsetWidth / 2];
    const left = Math.max(0, Math.min(end - first, width - this.total.offsetWidth));
    this.total.style.left = `${left}px`;
    const more = { width, height, reach: ends, labels: LABELS, name, to: left + first, look };
    this.sum.replaceChildren(...waterfall(parts, sofar, more));
  }

  /** The sum, and how it becomes a part of the score where it is a number of a query that finds a word. */
  chained(total) {
    const { earned, data, at, column, met, b } = this;
    const step = ({ sign, text, role, under }) =>
      el("span.step", el("span", sign, " ", el(role ? `b.${role}` : "b", text)), el("small", under));
    if (!earned) return [el("span.step", el("span", "sum ", el("b.hue", fixed(total, 2))))];
    const { keys, scores, turned, scale } = data.finds;
    const word = data.words[keys[at]];
    const numbers = { met: met[at * b.length + column], earned: earned[column], score: scores[at] };
    return chain(total, { ...numbers, word, isSelf: keys[at] === at, turned, scale, size: b.length }).map(step);
  }

  /** Where a product comes from, in the vector and in the matrix; null for none. */
  row(i) {
    for (const line of this.lines) {
      line.hidden = i === null;
      line.style.top = `${(100 * (i + 0.5)) / this.x.length}%`;
    }
  }
}

export default mount(".column-sum", ColumnSum);
