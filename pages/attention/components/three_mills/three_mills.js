// A word's vector goes into three mills, and three strips come out. A hand on a strip opens its mill: the column lights
// up, and its products with the vector walk to the number in hand. All of it is worked out here.

import {
  el,
  fixed,
  mount,
  paintPixels,
  pointIn,
  put,
  rewrite,
  rgb,
  shorten,
  still,
  strength,
  svg,
  theme,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, takesHold, tween } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { cells, fades, flow, NAMED, tower, walked } from "./drawing.js";
import { cellAt, cellOf, MADE, placesOf } from "./places.js";
import { chain, changed, heard, legend, longestSentences, verdictOf } from "./said.js";
import { largest, reach } from "./sums.js";
import { Turn } from "./turn.js";

const ROOM = 182; // pixels above and below the figure, with one line of words, without the headline
const LINE = 34; // pixels of a line of words
const BEAT = 1800; // milliseconds
const BLINK = 900;
const DOES = { query: "what it looks for", key: "what it is found by", value: "what it passes on" };
const LETTER = { query: "q", key: "k", value: "v" };
const HINT = "↔ drag along any strip";
const NEXT = {
  twin: "Same word, other place",
  open: "How is one number made?",
  part: "Next largest part", // of the score of what a query finds
  number: "Next largest number",
};
const swapFor = (word) => `Swap it for “${shorten(word)}”`;

const place = (node, { x, y, width, height }) => {
  const [left, top, wide, tall] = [x, y, width, height].map((n) => (n === undefined ? "" : `${n}px`));
  Object.assign(node.style, { left, top, width: wide, height: tall });
};

/** What says of a strip that it will change least. */
const guessing = (made, onclick) => el("button.guess", { "aria-label": `This one, the ${made}`, onclick }, "this one");

class ThreeMills {
  constructor(root) {
    this.root = root;
    this.turn = new Turn((turn) => this.send("turn", turn));
    this.resized = () => this.turn.data && this.draw();
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.change(() => this.turn.next()) });
    this.headline = el("div.headline", this.finding, this.act);
    const onkeydown = (event) => this.step(event);
    this.line = el("div.words", { role: "radiogroup", "aria-label": "Whose vector", onkeydown });
    this.picture = svg("svg", { role: "img" });
    this.word = el("span");
    this.swap = el("button.swap", { onclick: () => this.change(() => this.turn.exchange()) });
    this.rows = MADE.map((made) => this.row(made));
    const parts = this.rows.flatMap(({ nodes }) => Object.values(nodes));
    this.note = el("p.note");
    this.figure = el("div.mills", this.picture, el("p.whose", this.word, this.swap), ...parts, this.note);
    root.replaceChildren(this.headline, this.line, this.figure);
  }

  /** What a mill has beside its drawing: its matrix, the column in hand, names, and what hears a hand. */
  row(made) {
    const strip = {
      role: "slider",
      tabindex: 0,
      "aria-label": `Numbers of the ${made}`,
      "aria-valuemin": 1,
      onpointerdown: (event) => this.press(event, made),
      onkeydown: (event) => {
        const { held, mills } = this.turn;
        const to = inRow(event, held?.made === made ? held.n : -1, mills[made].b.length);
        if (to !== null) this.change(() => this.turn.hold(made, to));
      },
    };
    const nodes = {
      column: el("canvas.column"),
      strip: el("div.strip", strip),
      name: el(`h3.${made}`, el("b", made), el("span.quiet", DOES[made])),
      kept: el(`p.kept.${made}`),
      guess: guessing(made, () => (this.change(() => this.turn.exchange(made)), this.act.focus())),
    };
    return { made, nodes };
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isFirst = !this.turn.data;
    const isLed = theme(this.root)("lesson") === "1";
    this.root.classList.toggle("led", isLed);
    const isNew = this.turn.follow(data, isLed);
    if (isNew) this.lay();
    if (isNew && !isFirst) this.endBeat?.();
    this.draw();
    if (isFirst) this.open();
    this.root.dataset.painted = "true";
  }

  destroy() {
    clearTimeout(this.blinks);
    this.turn.latest.end();
  }

  lay() {
    const press = (n) => () => this.change(() => this.turn.say(n));
    const radio = (word, n) => el("button.word", { role: "radio", onclick: press(n) }, word);
    this.line.replaceChildren(...this.turn.data.words.map(radio));
  }

  // ---- hands -------------------------------------------------------------------------------------------------------

  /** Draws what is turned to now, and lets the server hear of it. */
  change(act) {
    const { was } = this.turn;
    act();
    this.draw();
    if (this.turn.was !== was) this.blink();
    this.turn.tell();
  }

  /** Of a word swapped for another, the strip that changed blinks, and the others are grey meanwhile. */
  blink() {
    const { root, turn } = this;
    clearTimeout(this.blinks);
    const made = turn.was?.occasion === "swap" && turn.similar ? changed(turn.similar) : null;
    delete root.dataset.blink;
    if (!made || still()) return;
    root.dataset.blink = made;
    this.blinks = setTimeout(() => delete root.dataset.blink, BLINK);
  }

  step(event) {
    const to = inRow(event, this.turn.at, this.turn.data.words.length);
    if (to === null) return;
    this.line.children[to].click();
    this.line.children[to].focus();
  }

  /** One drags over the cells as long as the pointer is down. */
  press(event, made) {
    if (!takesHold(event)) return;
    const node = event.currentTarget;
    const { strip } = this.places.rows[MADE.indexOf(made)];
    const take = (moved) => {
      this.turn.hold(made, cellAt(strip, pointIn(moved, node)));
      this.draw();
    };
    const over = () => {
      node.removeEventListener("pointermove", take);
      this.change(() => {});
    };
    take(event);
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", take);
    node.addEventListener("lostpointercapture", over, { once: true });
  }

  // ---- the first beat: the strips come out of the mills ------------------------------------------------------------

  open() {
    if (this.turn.held) return;
    const begin = () => {
      this.root.dataset.beat = "mills";
      this.stop = tween(0.94 * BEAT, (share) => {
        this.sofar = Math.round(share * this.turn.mills.query.b.length);
        this.drawPicture();
      });
    };
    const end = () => {
      this.stop();
      this.sofar = undefined;
      delete this.root.dataset.beat;
      this.drawPicture();
    };
    this.endBeat = firstBeat("mills", BEAT, begin, end);
  }

  // ---- drawing -----------------------------------------------------------------------------------------------------

  draw() {
    const { root, turn } = this;
    const { data, held, swap, coming } = turn;
    [...this.line.children].forEach((node, n) => {
      write(node, n === turn.at ? turn.name : data.words[n]);
      put(node, { "aria-checked": n === turn.at, tabindex: n === turn.at ? 0 : -1 });
    });
    write(this.act, coming === "swap" ? swapFor(swap.word) : NEXT[coming]);
    rewrite(
      this.finding,
      ...turn.said().map((part) => (typeof part === "string" ? part : el(`b.${part[0]}`, part[1]))),
    );
    write(this.word, shorten(turn.name, 10));
    this.swap.hidden = !swap || Boolean(held);
    write(this.swap, swap ? `⇄ ${shorten(turn.isSwapped ? data.words[turn.at] : swap.word, 10)}` : "");
    this.keepHeight();
    const above = this.headline.offsetHeight + Math.max(0, this.line.offsetHeight - LINE);
    const height = Math.min(1000, Math.max(354, windowHeight(root) - ROOM - above));
    this.places = placesOf({ width: root.clientWidth, height, numbers: turn.mills.query.b.length });
    root.classList.toggle("holding", Boolean(held));
    const told = {
      at: turn.at,
      swapped: turn.isSwapped,
      held: held ? `${held.made} ${held.n}` : "",
      total: held ? turn.one.total : "",
    };
    Object.assign(root.dataset, told);
    this.drawPicture();
  }

  drawPicture() {
    const { places, turn } = this;
    const { held, scales } = turn;
    const tall = held ? places.height : places.rest;
    this.figure.style.height = `${tall}px`;
    put(this.picture, { viewBox: `0 0 ${this.root.clientWidth} ${tall}` });
    const { strips } = turn.shown;
    place(this.note, places.note);
    rewrite(this.note, ...this.explained(held, strips.query));
    const rows = this.rows.map((row, n) => this.drawRow(row, places.rows[n], strips[row.made]));
    const more = held ? this.drawSum() : [fades(), ...places.rows.map((row) => flow(places.vector, row))];
    this.picture.replaceChildren(tower(turn.vector, places.vector, scales.vector), ...rows, ...more);
    const rest = `The vector of ${turn.name}, three matrices, and what they make of it: a query, a key and a value`;
    put(this.picture, { "aria-label": held ? heard(turn.one, largest(turn.one, NAMED)) : rest });
  }

  drawRow({ made, nodes }, { y, mill, strip }, numbers) {
    const { turn, sofar } = this;
    const { held, was, similar, scales } = turn;
    const { b } = turn.mills[made];
    const n = held?.made === made ? held.n : null;
    const isAside = Boolean(held) && n === null;
    this.lightUp(nodes.column, mill, n, b.length);
    place(nodes.strip, strip);
    place(nodes.name, { x: strip.x, y: y + 4 });
    place(nodes.kept, { x: strip.x, y: y + 4, width: strip.width });
    for (const node of Object.values(nodes)) node.classList.toggle("aside", isAside);
    const at = n ?? 0;
    const told = `number ${at + 1}: ${fixed(numbers[at], 2)}`;
    put(nodes.strip, { "aria-valuemax": b.length, "aria-valuenow": at + 1, "aria-valuetext": told });
    place(nodes.guess, { x: strip.x + strip.width, y });
    nodes.guess.hidden = turn.coming !== "swap";
    const mine = turn.was?.guess === made && !this.places.isNarrow ? "your guess: " : "";
    rewrite(nodes.kept, ...(similar ? [mine, ...likeness(similar[made], this.places)] : []));
    const before = similar && was.strips[made];
    const drawn = cells(numbers, strip, { most: scales.strips[made], before, held: n, sofar: sofar ?? b.length });
    const pipe = svg("path.pipe", { d: `M${mill.x + mill.width} ${strip.y + strip.height / 2}H${strip.x - 3}` });
    const middle = { x: mill.x + mill.width / 2, y: mill.y + mill.height / 2, dy: "0.25em" };
    const letter = svg("text.mill-name", middle, "W", svg("tspan", { dy: "0.2em" }, LETTER[made]));
    const box = svg("rect.mill", { ...mill, rx: 4 });
    const label = n === null ? [] : [inHand(numbers[n], cellOf(strip, n), strip)];
    return svg(`g.row.${made}${isAside ? ".aside" : ""}`, pipe, box, letter, ...drawn, ...label);
  }

  /** The column that makes the number in hand, in its mill. */
  lightUp(canvas, mill, n, across) {
    canvas.hidden = n === null;
    if (n === null) return;
    const { held, one, scales } = this.turn;
    const width = Math.max(5, mill.width / across);
    const x = mill.x + ((n + 0.5) / across) * mill.width - width / 2;
    this.paint(canvas, one.column, 1, scales.matrices[held.made]);
    place(canvas, { x, y: mill.y - 4, width, height: mill.height + 8 });
  }

  /** The note: what the line over the bars is, or what a number of the query is worth. */
  explained(held, numbers) {
    const { turn } = this;
    if (turn.similar) return [legend(turn.was)];
    if (!held) return this.places.isNarrow ? [] : [HINT];
    const { earned, finds, at } = turn;
    if (held.made !== "query" || !earned) return [];
    const [n, size, key] = [held.n, numbers.length, finds.keys[at]];
    const { turned, scale } = finds;
    const worth = { met: finds.met[at * size + n], earned: earned[n], score: finds.scores[at], turned, scale, size };
    const steps = chain(numbers[n], { ...worth, word: turn.data.words[key], isSelf: key === at });
    return steps.flatMap(({ sign, text, role, title }) => [
      `${sign} `,
      el(role ? `b.${role}` : "b", { title: title ?? "" }, text),
      " ",
    ]);
  }

  /** The vector beside the column in hand, and the walk of their products to the number in hand. */
  drawSum() {
    const { places, turn } = this;
    const { held, one, vector, scales } = turn;
    const { column, walk, labels, copy, rows } = places;
    const { w, b } = turn.mills[held.made];
    const of = [turn.vectors, turn.at, turn.isSwapped, w];
    if (!this.reached || of.some((what, n) => what !== this.reached.of[n]))
      this.reached = { of, ends: reach({ x: vector, w, b }) };
    const beside = copy ?? places.vector;
    const { nodes, end } = walked(one, { place: walk, labels, reach: this.reached.ends, x: vector, beside, column });
    const [x, y] = end;
    const { mill } = rows[MADE.indexOf(held.made)];
    const inlet = mill.y + mill.height / 2;
    const turnAt = mill.x - 14;
    const low = y + 18; // below all labels
    const down = `Q${x} ${low} ${x + 18} ${low}H${turnAt - 18}Q${turnAt} ${low} ${turnAt} ${y}`;
    const way = `M${x} ${y}${down}V${inlet + 30}Q${turnAt} ${inlet} ${mill.x - 3} ${inlet}`;
    const head = ({ x: left, width, y: top }, ...text) =>
      svg("text.head", { x: left + width / 2, y: top - 8 }, ...text);
    const name = svg("tspan.hue", "W", svg("tspan.sub", { dy: 3 }, LETTER[held.made]));
    const times = { x: (beside.x + beside.width + column.x) / 2, y: column.y + column.height / 2, dy: "0.35em" };
    return [
      svg(
        `g.sum.${held.made}`,
        ...(copy ? [tower(vector, copy, scales.vector), head(copy, "vector")] : []),
        tower(one.column, column, scales.matrices[held.made]),
        head(column, `no. ${held.n + 1}`, ...(copy ? [] : [" of ", name])),
        ...nodes,
        svg("text.times", times, "×"),
        ...(copy ? [] : [svg("path.way", { d: way })]),
        svg("text.total", { x: x - 10, y: y + 12 }, `= ${fixed(one.total, 2)}`),
      ),
    ];
  }

  paint(canvas, numbers, across, most) {
    const colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    paintPixels(canvas, Float32Array.from(numbers), across, colours, (number) => strength(Math.abs(number) / most));
  }

  /** The figure stays where it is, whatever is told. */
  keepHeight() {
    const { root, turn } = this;
    const { data, swap, vectors, mills } = turn;
    const { w, b } = mills.query;
    const of = [root.clientWidth, windowHeight(root), vectors, w, swap?.word];
    if (this.kept && of.every((what, n) => what === this.kept[n])) return;
    this.kept = of;
    const many = { numbers: b.length, products: w.length / b.length, constants: b.some((bias) => bias !== 0) };
    const acts = [...Object.values(NEXT), ...(swap ? [swapFor(swap.word)] : [])];
    steady(this.headline, longestSentences(data.words, data.finds?.keys, swap?.word, many), acts);
  }
}

/** How similar a strip is to the one before: a word, and the number. */
const likeness = (similar, { isNarrow }) => [
  el("strong", verdictOf(similar)),
  ...(isNarrow ? [] : ["similarity "]),
  el("b", fixed(similar, 2)),
];

/** The number in hand, above its cell. */
function inHand(value, { x, y, width }, strip) {
  const at = Math.min(x + width / 2, strip.x + strip.width - 20);
  return svg("text.in-hand", { x: at, y: y - 13 }, fixed(value, 2));
}

export default mount(".three-mills", ThreeMills);
