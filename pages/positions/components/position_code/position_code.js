// One figure of the sinusoidal codes. One clock, whose hand tells the position: who turns it finds another one that it
// shows alike, and adds a slower hand to tell them apart, until there are eight. Behind them is the table itself, a row
// per position and two columns per pair, below its clocks and beside the wave of one pair; and what a step does, with
// the similarity of every code to that of the chosen position. Hands, waves and products are read from the table that
// the model's code made.

import {
  el,
  fixed,
  mirror,
  mount,
  paintPixels,
  pointIn,
  put,
  rewrite,
  rgb,
  still,
  svg,
  theme,
  trimmed,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, slider, smoothly, tween } from "../../../../attention_view/controls.js";
import { CodeTable } from "./code_table.js";
import {
  BACK,
  clockMarks,
  clockPairs,
  EIGHT,
  HANDS,
  likenessMarks,
  MAP,
  onward,
  rowMarks,
  turning,
  waveMarks,
} from "./marks.js";
import {
  alikes,
  angleAt,
  inOrder,
  isHeld,
  legend,
  likeness,
  oneHand,
  planHands,
  planOne,
  positionAt,
  smallClock,
  strip,
  told,
} from "./one_hand.js";
import { magnifier, thinHand, usualPair } from "./reading.js";
import { planOf, scalesOf } from "./scales.js";

const ROUND = 60; // milliseconds per position while the hand turns by itself
const SINK = 900; // milliseconds in which a position that no longer looks alike sinks
const NAMED = ["pos_at", "pos_offset", "pos_pair", "pos_anchor"]; // a link that has one of them shows the whole figure

const SLIDER = { role: "slider", tabindex: 0, "aria-valuemin": 0 };
const VALUES = ["tabindex", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"];

const between = (from, to, share) => from.map((x, n) => x + share * (to[n] - x));
const px = (sizes) => Object.fromEntries(Object.entries(sizes).map(([name, n]) => [name, `${n}px`]));

export class PositionCode {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, this.usual.a);
      put("pos_offset", this.k, 3);
      put("pos_pair", this.pair, this.usual.pair);
      const isUsual = this.a === this.usual.a && this.k === 3 && this.pair === this.usual.pair;
      put("pos_beat", this.beat, isUsual ? HANDS : BACK);
      put("pos_hands", this.n, 1);
      put("pos_anchor", null); // how links once named the position
    }, 200);
    const named = (name, label) => {
      const [input, output] = [slider(label, {}, (value) => this.set({ [name]: value })), el("output")];
      return { input, output, label: el("label", el("span", label), input, output) };
    };
    this.sliders = { a: named("a", "Position"), k: named("k", "Step k"), pair: named("pair", "Pair i") };
    const isWhole = NAMED.some((name) => wholeParam(name) !== null);
    this.beat = Math.min(BACK, wholeParam("pos_beat") ?? (isWhole ? BACK : HANDS));
    this.n = wholeParam("pos_hands") ?? (this.beat === EIGHT ? 8 : 1);
    if (this.beat === EIGHT) this.beat = HANDS;
    this.on = el("button.primary", { onclick: () => this.next()[1]() });
    this.door = el("button.door", { onclick: () => this.read(this.beat === HANDS ? MAP : HANDS) });
    this.cells = el("canvas", { "aria-hidden": "true" });
    this.fixed = svg("g");
    this.marks = svg("g");
    const listeners = {
      onpointermove: (event) => this.point(event),
      onpointerdown: (event) => this.point(event, true),
      onclick: (event) => this.beat === HANDS || this.choose(event),
      onpointerleave: () => this.look({}),
      onkeydown: (event) => this.key(event),
    };
    this.drawing = svg("svg", { ...listeners }, this.fixed, this.marks);
    this.turn = el("div.turn-says");
    this.stage = el("div.stage", this.cells, this.drawing, this.turn);
    this.spoken = el("p.say", { "aria-live": "off" });
    this.told = el("h2.finding", { "aria-live": "polite" });
    this.bar = el("div.bar", ...Object.values(this.sliders).map((one) => one.label));
    const foot = el("div.foot", this.spoken, this.door);
    root.replaceChildren(el("div.headline", this.told, this.on), this.bar, this.stage, foot);
    this.resized = () => this.arrange();
  }

  update(bytes) {
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const table = (this.table = new CodeTable(bytes));
      this.usual = { a: table.at, pair: usualPair(table.turns) };
      if (this.a === undefined) {
        this.a = wholeParam("pos_at") ?? wholeParam("pos_anchor") ?? table.at;
        this.k = wholeParam("pos_offset") ?? 3;
        this.pair = wholeParam("pos_pair") ?? this.usual.pair;
      }
      const clocks = clockPairs(Math.min(8, table.groups), table.groups, this.usual.pair);
      this.hands = inOrder(clocks, this.usual.pair);
      this.n = Math.min(Math.max(1, this.n), this.hands.length);
      this.home = table.at; // is there another position that the hands show like it?
      [this.seen, this.reach] = [{}, 0];
      for (const [name, most] of Object.entries({ a: table.length - 1, k: table.most, pair: table.groups - 1 })) {
        this[name] = Math.min(this[name], most);
        this.sliders[name].input.max = most;
      }
    }
    this.paint();
    this.arrange();
  }

  destroy() {
    this.stop?.();
  }

  get pairs() {
    return this.hands.slice(0, this.n);
  }

  /** What the button does next, as [what it says, what happens]: the hand is turned to a position that looks like the
   * one asked about, then hands are added until there is none. */
  next() {
    const { beat, table, pairs, home } = this;
    if (beat === MAP) return ["A shift, as a matrix", () => this.read(BACK)];
    if (beat === BACK) return ["Back to one hand", () => (Object.assign(this, { n: 1, a: home }), this.read(HANDS))];
    const same = alikes(table, pairs, home);
    if (this.n === 1 && same.length && !same.includes(this.a)) return ["Turn the hand", () => this.turnTo(same[0])];
    const left = this.hands.length - this.n;
    if (!left) return [`All ${table.d} numbers as a map`, () => this.read(MAP)];
    if (!same.length && left > 1) return [`Add the other ${left} hands`, () => this.add(left)];
    const [last, more] = [this.n - 1, this.n].map((n) => table.turns[this.hands[n]]);
    return [`Add a ${more > last ? "slower" : "faster"} hand`, () => this.add(1)];
  }

  /** More hands: what they tell apart sinks in the strip. */
  add(more) {
    const before = likeness(this.table, this.pairs, this.home);
    this.n += more;
    this.read(HANDS);
    const { alike: after } = this;
    if (!still()) this.stop = tween(SINK, (share) => this.set({ alike: between(before, after, smoothly(share)) }));
  }

  /** The hand goes there by itself, one position after the other. */
  turnTo(last) {
    this.stop?.();
    const first = this.a;
    if (still()) return this.set({ a: last });
    const to = (share) => this.set({ a: Math.round(first + share * (last - first)) });
    this.stop = tween(ROUND * Math.abs(last - first), to);
  }

  key(event) {
    const last = this.table.length - 1;
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -last, End: last };
    const by = this.beat === HANDS && steps[event.key];
    if (!by) return;
    event.preventDefault();
    this.stop?.();
    this.set({ a: Math.max(0, Math.min(last, this.a + by)) });
  }

  read(beat) {
    this.stop?.();
    this.beat = beat;
    this.arrange();
    this.link.later();
  }

  /** The table, a pixel per number; the style sheet makes the pixels large. */
  paint() {
    const { d, length, numbers } = this.table;
    const colours = ["negative", "panel", "positive"].map(theme(this.root)).map(rgb);
    paintPixels(this.cells, numbers.subarray(0, d * length), d, colours);
  }

  /** Puts everything where it stands, for the width that there is. */
  arrange() {
    if (!this.stage.clientWidth) return;
    this.stage.style.height = "";
    this.alike = likeness(this.table, this.pairs, this.home);
    const { clientWidth, clientHeight } = this.stage;
    const isHands = this.beat === HANDS;
    if (isHands) this.plan = (this.n > 1 ? planHands : planOne)(clientWidth, clientHeight, this.n);
    else this.plan = planOf(clientWidth, clientHeight, this.table, this.beat === BACK);
    const { width, height } = this.plan;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.drawing.style, px({ width, height }));
    this.stage.style.height = `${height}px`;
    this.cells.hidden = this.beat < MAP;
    this.turn.hidden = this.beat < BACK;
    this.bar.hidden = isHands;
    this.sliders.pair.label.hidden = this.beat === BACK; // a step instead
    this.sliders.k.label.hidden = this.beat < BACK;
    this.door.textContent = isHands ? `All ${this.table.d} numbers as a map` : "Back to the hands";
    this.root.dataset.beat = ["hands", "", "map", "shift"][this.beat];
    put(this.drawing, isHands ? SLIDER : { role: "img" });
    if (!isHands) for (const name of VALUES) this.drawing.removeAttribute(name);
    if (this.beat >= MAP) this.arrangeTable();
    else this.fixed.replaceChildren();
    this.draw();
  }

  arrangeTable() {
    const { map, wave, isNarrow, foot } = this.plan;
    Object.assign(this.cells.style, px({ left: map.x, top: map.y, width: map.w, height: map.h }));
    Object.assign(this.turn.style, { left: isNarrow ? "0" : `${wave.x}px`, top: isNarrow ? `${foot}px` : "0" });
    const { parts, dots } = scalesOf(this.plan, this.table, this.beat);
    this.dots = dots;
    this.fixed.replaceChildren(...parts);
  }

  set(values) {
    Object.assign(this, values);
    this.draw();
    this.link.later();
  }

  /** What the pointer is over, for as long as it is. */
  look(seen) {
    if (seen.a === this.seen.a && seen.pair === this.seen.pair) return;
    this.seen = seen;
    this.draw();
  }

  point(event, isHeld = false) {
    if (isHeld && event.button) return;
    const place = pointIn(event, this.drawing);
    if (this.beat === HANDS) return isHeld ? this.grab(place) : undefined;
    if (!isHeld) this.look(this.under(place));
    else if (event.pointerType !== "touch") this.choose(event); // a finger may scroll: its click chooses
  }

  choose(event) {
    this.seen = {};
    this.set(this.under(pointIn(event, this.drawing)));
  }

  /** The hand itself is turned, or the place on the wave is moved, until the pointer is lifted. */
  grab(place) {
    this.stop?.();
    const { turns, length } = this.table;
    const { places = [this.plan.clock], wave } = this.plan;
    const nth = places.findIndex(({ x, y, r }) => Math.hypot(place[0] - x, place[1] - y) < r + 26);
    const turn = turns[this.hands[nth]];
    if (nth < 0 ? place[1] < wave.y - 30 : !isHeld(this.table, this.hands[nth])) return;
    const to = (now) => {
      const across = Math.floor(((now[0] - wave.x) / wave.w) * length);
      const a = nth < 0 ? across : positionAt(angleAt(places[nth], now), turn, this.a, length);
      if (a >= 0 && a < length) this.set({ a });
    };
    to(place);
    const follow = (event) => to(pointIn(event, this.drawing));
    this.endDrag = drag(follow, () => {});
  }

  /** The position and the pair at a place of the figure: {a, pair}, as far as it has them. */
  under([x, y]) {
    const { plan, beat } = this;
    const within = ({ x: left, y: top, w, h }) => x >= left && x < left + w && y >= top && y < top + h;
    const { map, wave, near, strip } = plan;
    const seen = {};
    const box = (beat < BACK ? [map, wave] : [map, wave, near]).find(within);
    if (box) seen.a = Math.floor(((y - box.y) / box.h) * this.table.length);
    const share = (x - map.x) / map.w;
    if (share < 0 || x >= map.x + map.w || y < 20 || y >= strip.y + strip.h) return seen;
    const clock = Math.min(this.clocks.length - 1, Math.floor(share * this.clocks.length));
    seen.pair = y < map.y ? this.clocks[clock] : Math.floor((share * this.table.d) / 2);
    return seen;
  }

  draw() {
    const { table, k } = this;
    const { a = this.a, pair = this.pair } = this.seen;
    this.reach = Math.max(this.reach, this.home, a);
    const { home, pairs, reach, alike } = this;
    const chosen = { a, k, pair, home, pairs, reach, alike, beat: this.beat };
    for (const [name, value] of Object.entries({ a, k, pair })) {
      this.sliders[name].input.value = value;
      this.sliders[name].output.value = value;
    }
    const products = table.likeness(a);
    this.marks.replaceChildren(...this.markings(chosen, products));
    this.turn.replaceChildren(...turning(table, chosen));
    this.say(chosen, products);
    Object.assign(this.root.dataset, { a, k, pair, product: table.product(a, a + k) });
    [this.on.textContent] = this.next();
    if (this.beat === HANDS)
      put(this.drawing, { "aria-valuemax": table.length - 1, "aria-valuenow": a, "aria-valuetext": `position ${a}` });
  }

  /** What is drawn of what is chosen, at the step that is read. */
  markings(chosen, products) {
    const { table, plan, beat } = this;
    if (beat === HANDS && this.n === 1) return oneHand(plan, table, chosen);
    const small = (pair, n) => smallClock(plan.places[n], table, chosen, pair);
    if (beat === HANDS)
      return [...legend(chosen.a, chosen.home), ...this.pairs.map(small), ...strip(plan, table, chosen)];
    this.clocks = clockPairs(plan.clocks, table.groups, chosen.pair);
    this.dots.forEach((dot, n) => {
      dot.classList.toggle("chosen", n === chosen.pair);
      dot.setAttribute("r", n === chosen.pair ? 4.5 : 2.3);
    });
    return [
      ...this.clocks.map((each, n) => clockMarks(plan, table, chosen, each, n)),
      ...rowMarks(plan, table, chosen),
      ...waveMarks(plan, table, chosen),
      ...(beat === BACK ? likenessMarks(plan, table, chosen, products) : []),
    ];
  }

  /** The chosen numbers in words. */
  say({ a, k, pair, home }, products) {
    const { turns, length } = this.table;
    if (this.beat === HANDS) {
      const [found, more] = told(this.table, this.pairs, a, home);
      rewrite(this.told, found, ...(more ? [" ", el("span.quiet", more)] : []));
      write(this.spoken, this.n === 1 ? `Dotted: how high both waves are at position ${home}.` : "");
      return this.drawing.setAttribute("aria-label", this.label({ a }));
    }
    const thin = thinHand(Math.max(...this.clocks.map((one) => magnifier(turns[one]))));
    const columns = this.table.isWhole(pair) ? `columns ${2 * pair} and ${2 * pair + 1}` : `column ${2 * pair}`;
    const turn = trimmed(turns[pair], 1);
    const thick = `Pair ${pair} is ${columns}: ${turn} positions per turn. Thick hand: position ${a}; `;
    const nearby = a + k < length ? ` Similarity of ${a} and ${a + k}: ${fixed(products[a + k])}.` : "";
    const isMap = this.beat === MAP;
    const row = `The row of position ${a} holds all its hands: a sine and a cosine each.`;
    write(this.told, isMap ? row : onward(k));
    write(this.spoken, isMap ? `${thick}${thin}.` : `${thick}dotted: ${a + k}; ${thin}.${nearby}`);
    this.drawing.setAttribute("aria-label", this.label({ a, pair, turn }));
  }

  label({ a, pair, turn }) {
    const { length, turns } = this.table;
    const turning = this.pairs.map((one) => trimmed(turns[one], 1)).join(", ");
    if (this.beat === HANDS) return `Position of the hands; positions per turn: ${turning}`;
    const near = this.beat === BACK ? `, and the similarity of every code to that of position ${a}` : "";
    return (
      `The codes of positions 0 to ${length - 1} as a table, with a clock per pair of columns, and the wave of pair ` +
      `${pair}, which turns once in ${turn} positions${near}.`
    );
  }
}

export default mount(".position-code", PositionCode);
