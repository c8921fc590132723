// One figure of the sinusoidal codes. Its middle is the table itself: a row per position, two columns per pair. All
// around it says the same numbers otherwise: above each pair stands its clock, below it how long a turn takes, and to
// the right, on the same rows, run the wave of one pair and the similarity of every code to that of the chosen
// position. Hands, waves and products are read from the table that the model's code made.

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
} from "../../../../attention_view/lab.js";
import { choice, firstBeat, Player, slider } from "../../../../attention_view/controls.js";
import { CodeTable } from "./code_table.js";
import { BACK, BEATS, clockMarks, clockPairs, likenessMarks, MAP, ONE, rowMarks, waveMarks } from "./marks.js";
import { planOf, scalesOf } from "./scales.js";

const PACE = 220; // milliseconds from position to position, while it plays
const BEAT = 1000; // milliseconds of each beat, the first time

class PositionCode {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, this.usual.a);
      put("pos_offset", this.k, 3);
      put("pos_pair", this.pair, this.usual.pair);
      put("pos_beat", this.beat, BACK);
      put("pos_anchor", null); // how links once named the position
    }, 200);
    const named = (name, label) => {
      const [input, output] = [slider(label, {}, (value) => this.set({ [name]: value })), el("output")];
      return { input, output, label: el("label", el("span", label), input, output) };
    };
    this.sliders = { a: named("a", "Position"), k: named("k", "Step k"), pair: named("pair", "Pair i") };
    this.beats = choice("span.beats", "How far to read", (beat) => this.read(Number(beat)));
    this.beats.offer([...BEATS.entries()]);
    this.beat = Math.min(BACK, wholeParam("pos_beat") ?? BACK);
    this.play = el("button", { onclick: () => this.player.toggle() }, "Play");
    this.player = new Player(
      () => this.set({ a: this.a >= this.table.length - 1 ? 0 : this.a + 1 }),
      PACE,
      () => (this.play.textContent = this.player.isOn ? "Pause" : "Play"),
    );
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
    root.replaceChildren(el("div.bar", this.beats.node, ...labels, this.play), this.stage, this.spoken);
    this.resized = () => this.arrange();
  }

  update(bytes) {
    const isFirst = !this.bytes;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const table = (this.table = new CodeTable(bytes));
      this.usual = { a: table.at, pair: Math.min(4, table.groups - 1) };
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
    if (isFirst && this.beat === BACK) this.begin();
  }

  /** At first it is read from one hand to the whole. */
  begin() {
    const timers = BEATS.slice(1).map((_, n) => setTimeout(() => this.show(n + 1), (n + 1) * BEAT));
    const end = () => {
      timers.forEach(clearTimeout);
      this.show(BACK);
    };
    this.endBeat = firstBeat("code", BACK * BEAT, () => this.show(ONE), end);
    if (!this.endBeat) timers.forEach(clearTimeout);
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
    const isWhole = this.beat === BACK;
    const plan = (this.plan = planOf(this.stage.clientWidth, this.stage.clientHeight, this.table, isWhole));
    const { width, height, map, wave, isNarrow, foot } = plan;
    const px = (sizes) => Object.fromEntries(Object.entries(sizes).map(([name, n]) => [name, `${n}px`]));
    this.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    Object.assign(this.drawing.style, px({ width, height }));
    Object.assign(this.cells.style, px({ left: map.x, top: map.y, width: map.w, height: map.h }));
    Object.assign(this.turn.style, { left: isNarrow ? "0" : `${wave.x}px`, top: isNarrow ? `${foot}px` : "0" });
    this.stage.style.height = `${height}px`;
    this.cells.hidden = this.beat < MAP;
    this.turn.hidden = this.beat < BACK;
    this.sliders.pair.label.hidden = this.beat === ONE || this.beat === BACK; // one hand, or a step instead
    this.sliders.k.label.hidden = this.beat < BACK;
    this.beats.show(this.beat);
    this.root.dataset.beat = BEATS[this.beat];
    const { parts, dots } = scalesOf(plan, this.table, this.beat);
    this.dots = dots;
    this.fixed.replaceChildren(...parts);
    this.draw();
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
    const seen = this.under(pointIn(event, this.drawing));
    if (!isHeld) return this.look(seen);
    this.seen = {};
    this.set(seen);
  }

  /** The position and the pair at a place of the figure: {a, pair}, as far as it has them. */
  under([x, y]) {
    const { map, wave, near, strip } = this.plan;
    const seen = {};
    const boxes = this.beat < MAP ? [wave] : this.beat < BACK ? [map, wave] : [map, wave, near];
    const box = boxes.find((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h);
    if (box) seen.a = Math.floor(((y - box.y) / box.h) * this.table.length);
    if (this.beat < MAP) return seen; // there the clocks stand elsewhere
    const share = (x - map.x) / map.w;
    if (share < 0 || x >= map.x + map.w || y < 20 || y >= strip.y + strip.h) return seen;
    const clock = Math.min(this.clocks.length - 1, Math.floor(share * this.clocks.length));
    seen.pair = y < map.y ? this.clocks[clock] : Math.floor((share * this.table.d) / 2);
    return seen;
  }

  draw() {
    const { table, plan, k } = this;
    const { a = this.a, pair = this.pair } = this.seen;
    const chosen = { a, k, pair, beat: this.beat };
    for (const [name, value] of Object.entries({ a, k, pair })) {
      this.sliders[name].input.value = value;
      this.sliders[name].output.value = value;
    }
    const products = table.likeness(a);
    this.clocks = this.beat === ONE ? [pair] : clockPairs(plan.clocks, table.groups, pair);
    this.marks.replaceChildren(
      ...this.clocks.map((each, n) => clockMarks(plan, table, chosen, each, n)),
      ...rowMarks(plan, table, chosen),
      ...waveMarks(plan, table, chosen),
      ...(this.beat === BACK ? likenessMarks(plan, table, chosen, products) : []),
    );
    this.dots.forEach((dot, n) => {
      dot.classList.toggle("chosen", n === pair);
      dot.setAttribute("r", n === pair ? 4.5 : 2.3);
    });
    this.turn.replaceChildren(...this.turning(chosen));
    this.say(chosen, products);
    const product = table.product(a, a + k);
    const { pairs, most } = table;
    Object.assign(this.root.dataset, { a, k, pair, product, worst: table.worst(k), pairs, most });
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
  say({ a, k, pair }, products) {
    const { turns, length } = this.table;
    const first = 2 * pair;
    const columns = this.table.isWhole(pair) ? `columns ${first} and ${first + 1}` : `column ${first}`;
    const turn = trimmed(turns[pair], 1);
    const isWhole = this.beat === BACK;
    const nearby = isWhole && a + k < length ? ` Similarity of ${a} and ${a + k}: ${fixed(products[a + k])}.` : "";
    this.spoken.textContent =
      `Pair ${pair} is ${columns}: ${turn} positions per turn. Thick hand: position ${a}; ` +
      `${isWhole ? `dotted: ${a + k}; ` : ""}thin: the same hand, magnified so that slow clocks move.${nearby}`;
    const label =
      `The codes of positions 0 to ${length - 1} as a table, with a clock per pair of columns, the wave of pair ` +
      `${pair}, which turns once in ${turn} positions, and the similarity of every code to that of position ${a}.`;
    this.drawing.setAttribute("aria-label", label);
  }

  destroy() {
    this.player.stop();
  }
}

export default mount(".position-code", PositionCode);
