// One figure of the sinusoidal codes, read in four steps: one clock, whose hand tells the position; eight of them; the
// table itself, a row per position and two columns per pair, below its clocks and beside the wave of one pair; and what
// a step does, with the similarity of every code to that of the chosen position. Hands, waves and products are read
// from the table that the model's code made.

import {
  el,
  fixed,
  mirror,
  mount,
  paintPixels,
  pointIn,
  rgb,
  svg,
  theme,
  trimmed,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { choice, drag, firstBeat, slider, tween } from "../../../../attention_view/controls.js";
import { CodeTable } from "./code_table.js";
import { BACK, BEATS, clockMarks, clockPairs, EIGHT, likenessMarks, MAP, ONE, rowMarks, waveMarks } from "./marks.js";
import {
  angleAt,
  eightTell,
  lookalike,
  notEnough,
  oneHand,
  placesOfEight,
  planOne,
  positionAt,
  smallClock,
} from "./one_hand.js";
import { magnifier, thinHand, usualPair } from "./reading.js";
import { planOf, scalesOf } from "./scales.js";

const BEAT = 3000; // milliseconds in which the hand comes from 0, the first time
const NAMED = ["pos_at", "pos_offset", "pos_pair", "pos_anchor"]; // a link that has one of them shows the whole figure

const px = (sizes) => Object.fromEntries(Object.entries(sizes).map(([name, n]) => [name, `${n}px`]));

class PositionCode {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, this.usual.a);
      put("pos_offset", this.k, 3);
      put("pos_pair", this.pair, this.usual.pair);
      const isUsual = this.a === this.usual.a && this.k === 3 && this.pair === this.usual.pair;
      put("pos_beat", this.beat, isUsual ? ONE : BACK);
      put("pos_anchor", null); // how links once named the position
    }, 200);
    const named = (name, label) => {
      const [input, output] = [slider(label, {}, (value) => this.set({ [name]: value })), el("output")];
      return { input, output, label: el("label", el("span", label), input, output) };
    };
    this.sliders = { a: named("a", "Position"), k: named("k", "Step k"), pair: named("pair", "Pair i") };
    this.beats = choice("span.beats", "How far to read", (beat) => this.read(Number(beat)));
    this.beats.offer([...BEATS.entries()]);
    const isWhole = NAMED.some((name) => wholeParam(name) !== null);
    this.beat = Math.min(BACK, wholeParam("pos_beat") ?? (isWhole ? BACK : ONE));
    this.on = el("button.primary", { onclick: () => this.read((this.beat + 1) % BEATS.length) });
    this.cells = el("canvas", { "aria-hidden": "true" });
    this.fixed = svg("g");
    this.marks = svg("g");
    const listeners = {
      onpointermove: (event) => this.point(event),
      onpointerdown: (event) => this.point(event, true),
      onpointerleave: () => this.look({}),
    };
    this.drawing = svg("svg", { role: "img", ...listeners }, this.fixed, this.marks);
    this.turn = el("div.turn-says");
    this.stage = el("div.stage", this.cells, this.drawing, this.turn);
    this.spoken = el("p.say", { "aria-live": "off" });
    const labels = Object.values(this.sliders).map((one) => one.label);
    this.told = el("h2.finding");
    const bar = el("div.bar", this.beats.node, ...labels);
    root.replaceChildren(el("div.headline", this.told, this.on), bar, this.stage, this.spoken);
    this.resized = () => this.arrange();
  }

  update(bytes) {
    const isFirst = !this.bytes;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const table = (this.table = new CodeTable(bytes));
      this.usual = { a: table.at, pair: usualPair(table.turns) };
      if (this.a === undefined) {
        this.a = wholeParam("pos_at") ?? wholeParam("pos_anchor") ?? table.at;
        this.k = wholeParam("pos_offset") ?? 3;
        this.pair = wholeParam("pos_pair") ?? this.usual.pair;
      }
      this.seen = {};
      for (const [name, most] of Object.entries({ a: table.length - 1, k: table.most, pair: table.groups - 1 })) {
        this[name] = Math.min(this[name], most);
        this.sliders[name].input.max = most;
      }
    }
    this.paint();
    this.arrange();
    if (isFirst && this.beat === ONE) this.begin();
  }

  /** At first the hand comes from position 0 to where it stands. */
  begin() {
    const last = this.a;
    let stop;
    const to = (a) => {
      this.a = a;
      this.draw();
    };
    const begin = () => (stop = tween(BEAT, (share) => to(Math.round(share * last))));
    const end = () => (stop(), to(last));
    this.endBeat = firstBeat("code", BEAT, begin, end);
  }

  read(beat) {
    this.endBeat?.();
    this.show(beat);
    this.link.later();
  }

  show(beat) {
    this.beat = beat;
    this.arrange();
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
    const { clientWidth, clientHeight } = this.stage;
    if (this.beat === ONE) this.plan = planOne(clientWidth, clientHeight);
    else if (this.beat === EIGHT) this.plan = this.planEight(clientWidth, clientHeight);
    else this.plan = planOf(clientWidth, clientHeight, this.table, this.beat === BACK);
    const { width, height } = this.plan;
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.drawing.style, px({ width, height }));
    this.stage.style.height = `${height}px`;
    this.cells.hidden = this.beat < MAP;
    this.turn.hidden = this.beat < BACK;
    this.sliders.pair.label.hidden = this.beat === ONE || this.beat === BACK; // one hand, or a step instead
    this.sliders.k.label.hidden = this.beat < BACK;
    this.beats.show(this.beat);
    this.on.textContent = this.beat === BACK ? "From one hand" : `${BEATS[this.beat + 1]} →`;
    this.root.dataset.beat = BEATS[this.beat];
    if (this.beat >= MAP) this.arrangeTable();
    else this.fixed.replaceChildren();
    this.draw();
  }

  planEight(width, tall) {
    const n = Math.min(8, this.table.groups);
    return { ...placesOfEight(width, tall, n), width, clocks: n };
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
    this.endBeat?.();
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
    this.endBeat?.();
    const place = pointIn(event, this.drawing);
    if (isHeld && this.beat === ONE) return this.grab(place);
    const seen = this.under(place);
    if (!isHeld) return this.look(seen);
    this.seen = {};
    this.set(seen);
  }

  /** The hand itself is turned, or the place on the wave is moved, until the pointer is lifted. */
  grab(place) {
    const { clock } = this.plan;
    const isClock = Math.hypot(place[0] - clock.x, place[1] - clock.y) < clock.r + 26;
    const { turns, length } = this.table;
    const to = (now) => {
      const a = isClock ? positionAt(angleAt(clock, now), turns[this.pair], this.a, length) : this.under(now).a;
      if (a !== undefined) this.set({ a });
    };
    to(place);
    drag(
      (event) => to(pointIn(event, this.drawing)),
      () => {},
    );
  }

  /** The position and the pair at a place of the figure: {a, pair}, as far as it has them. */
  under([x, y]) {
    const { plan, beat } = this;
    const within = ({ x: left, y: top, w, h }) => x >= left && x < left + w && y >= top && y < top + h;
    const { length } = this.table;
    if (beat === ONE) return within(plan.wave) ? { a: Math.floor(((x - plan.wave.x) / plan.wave.w) * length) } : {};
    if (beat === EIGHT) {
      const nth = plan.places.findIndex((place) => within({ x: place.x - place.r, y: place.y - place.r, ...plan }));
      return nth < 0 ? {} : { pair: this.clocks[nth] };
    }
    const { map, wave, near, strip } = plan;
    const seen = {};
    const box = (beat < BACK ? [map, wave] : [map, wave, near]).find(within);
    if (box) seen.a = Math.floor(((y - box.y) / box.h) * length);
    const share = (x - map.x) / map.w;
    if (share < 0 || x >= map.x + map.w || y < 20 || y >= strip.y + strip.h) return seen;
    const clock = Math.min(this.clocks.length - 1, Math.floor(share * this.clocks.length));
    seen.pair = y < map.y ? this.clocks[clock] : Math.floor((share * this.table.d) / 2);
    return seen;
  }

  draw() {
    const { table, k } = this;
    const { a = this.a, pair = this.pair } = this.seen;
    const other = lookalike(table.turns[this.pair], a, table.length); // whatever is pointed at
    const chosen = { a, k, pair, other, beat: this.beat };
    for (const [name, value] of Object.entries({ a, k, pair })) {
      this.sliders[name].input.value = value;
      this.sliders[name].output.value = value;
    }
    const products = table.likeness(a);
    this.marks.replaceChildren(...this.markings(chosen, products));
    this.turn.replaceChildren(...this.turning(chosen));
    this.say(chosen, products);
    const product = table.product(a, a + k);
    const { pairs, most } = table;
    Object.assign(this.root.dataset, { a, k, pair, product, worst: table.worst(k), pairs, most });
  }

  /** What is drawn of what is chosen, at the step that is read. */
  markings(chosen, products) {
    const { table, plan, beat } = this;
    this.clocks = beat === ONE ? [chosen.pair] : clockPairs(plan.clocks, table.groups, chosen.pair);
    if (beat === ONE) return oneHand(plan, table, chosen);
    if (beat === EIGHT) return this.clocks.map((pair, n) => smallClock(plan.places[n], table, chosen, pair));
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

  /** What the step does to the chosen pair, as a multiplication. */
  turning({ a, k, pair }) {
    const { table } = this;
    if (!table.isWhole(pair)) return [el("b", `Pair ${pair} is a sine alone: d_model = ${table.d} is odd`)];
    const two = (position) => Array.from(table.row(position).subarray(2 * pair, 2 * pair + 2));
    const [sin, cos] = two(k);
    const block = (values, across = 1) =>
      el("span.block", { style: `--across: ${across}` }, ...values.map((value) => el("span", fixed(value))));
    const turn = block([cos, sin, -sin, cos], 2);
    const names = el("span.quiet", "sin", el("br"), "cos");
    const angle = (360 * k) / table.turns[pair];
    const degrees = `${trimmed(angle, angle < 0.995 ? 3 : 1)}°`;
    return [
      el("b", `k = ${k} turns pair ${pair} by ${degrees}, wherever it starts`),
      el("span.product", turn, "×", block(two(a)), "=", block(two(a + k)), names),
    ];
  }

  /** The chosen numbers in words. */
  say({ a, k, pair, other }, products) {
    const { turns, length } = this.table;
    const first = 2 * pair;
    const columns = this.table.isWhole(pair) ? `columns ${first} and ${first + 1}` : `column ${first}`;
    const turn = trimmed(turns[pair], 1);
    const nearby = a + k < length ? ` Similarity of ${a} and ${a + k}: ${fixed(products[a + k])}.` : "";
    const hands = this.clocks.length === 8 ? "Eight" : this.clocks.length;
    const slowest = Math.round(turns[this.clocks.at(-1)]).toLocaleString("en");
    const spans = `the fastest turns once in ${trimmed(turns[0], 1)} positions, the slowest once in ${slowest}`;
    const thick = `Thick hand: position ${a}; `;
    const thin = thinHand(Math.max(...this.clocks.map((one) => magnifier(turns[one]))));
    write(
      this.told,
      [
        notEnough(turns[pair], a, length),
        other === null ? `${hands} hands: ${spans}.` : eightTell(this.table, this.clocks, a, other),
        `The row of position ${a} holds all its hands: a sine and a cosine each.`,
        `${k} positions on, each hand turns by its own angle, wherever it starts.`,
      ][this.beat],
    );
    write(
      this.spoken,
      [
        "Drag the hand, or the point on its waves.",
        `${thick}${other === null ? "" : `hollow: ${other}; `}${thin}.`,
        `Pair ${pair} is ${columns}: ${turn} positions per turn. ${thick}${thin}.`,
        `Pair ${pair} is ${columns}: ${turn} positions per turn. ${thick}dotted: ${a + k}; ${thin}.${nearby}`,
      ][this.beat],
    );
    this.drawing.setAttribute("aria-label", this.label({ a, pair, turn }));
  }

  label({ a, pair, turn }) {
    const { length, turns } = this.table;
    const [sin, cos] = this.table.row(a).subarray(2 * pair, 2 * pair + 2);
    if (this.beat === ONE)
      return (
        `A clock: its hand stands at position ${a} and turns once in ${turn} positions. Sine ${fixed(sin)}, ` +
        `cosine ${fixed(cos ?? 0)}; and their waves over positions 0 to ${length - 1}.`
      );
    if (this.beat === EIGHT)
      return `Clocks of ${this.clocks.length} pairs at position ${a}; turns from ${trimmed(turns[0], 1)} positions on.`;
    const near = this.beat === BACK ? `, and the similarity of every code to that of position ${a}` : "";
    return (
      `The codes of positions 0 to ${length - 1} as a table, with a clock per pair of columns, and the wave of pair ` +
      `${pair}, which turns once in ${turn} positions${near}.`
    );
  }
}

export default mount(".position-code", PositionCode);
