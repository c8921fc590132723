// Changes to a layer, in the hand, above an axis of loss: each is dropped where the reader thinks that it lands, its
// three runs fall, and it slides to their mean. What lies in the band of luck piles up there. Then two of them again,
// in a deep stack.

import {
  capital,
  el,
  mirror,
  mount,
  numeral,
  param,
  pointIn,
  put,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { deepSaid, gainSaid, landsSaid, levels, mean, summaryOf } from "./axis.js";
import { Field } from "./field.js";
import { cropOf, paint, picture, RESTING } from "./drawings.js";

const BEAT = 3000; // ms of the first beat
const AROUND = 196; // pixels above the figure
const LEAST = 480;
const NARROW = 700; // below this width two changes stand side by side in the hand, and all is less tall
const LOW = 510;
const GAP = 10;
const CARD = { wide: 156, narrow: 72 }; // how tall a change is in the hand
const CHIP = 42; // and on the axis, at most
const NAMED = 58; // pixels of the name of the band
const FLOOR = 84; // of the runs and the marks
const STILL = 4; // pixels that a pointer may move while it presses
const CHART = "chart"; // nothing is dropped
const ALL = "all"; // everything is, and all at once too
const DEEP = "deep"; // and two come again, in a deep stack

/** What the dark button drops next: one change, then all others, then two more in a deep stack. */
export function nextOf(names, down, deep) {
  const left = [...names, ALL].filter((name) => !down.has(name));
  if (left.length > names.length) return names[0];
  if (left.length) return ALL;
  if (deep.every((name) => down.has(name))) return CHART;
  return down.has(DEEP) ? deep.find((name) => !down.has(name)) : DEEP;
}

export class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.down = new Set(); // what was dropped
    this.bets = new Map(); // the loss that was bet on
    this.made = new Map();
    this.link = mirror(
      (put) => put("blocks_pair", this.deep.includes(this.shown) ? DEEP : this.shown, this.data.own ? null : CHART),
      100,
    );
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.drop(this.next) });
    this.headline = el("div.headline", this.finding, this.act);
    this.field = new Field();
    this.hand = el("div.hand", { role: "group", "aria-label": "Changes to the layer of 2017" });
    this.hand.onkeydown = (event) => this.step(event);
    this.bench = el("div.bench", this.field.node, this.hand);
    root.replaceChildren(this.headline, this.bench);
    this.resized = () => this.size();
    this.beat = [() => (root.dataset.beat = "pair"), () => delete root.dataset.beat]; // the changes come in
  }

  update(data) {
    const { data: before } = this;
    this.data = data;
    const asked = param("blocks_pair");
    if (!before) this.open([CHART, DEEP, ...this.names].includes(asked) ? asked : data.own || CHART);
    else if (before.own !== data.own || (![CHART, DEEP].includes(this.shown) && !this.stop))
      this.open(data.own || CHART);
    this.size();
    this.link.later();
    this.root.dataset.painted = "true";
    if (!before && this.shown === CHART) this.endBeat = firstBeat("pair", BEAT, ...this.beat);
  }

  // ---- what is dropped --------------------------------------------------------------------------------------------

  get names() {
    return this.data.stops.map(({ name }) => name);
  }

  get parts() {
    return this.data.stops.filter(({ name }) => name !== ALL);
  }

  get deep() {
    return this.data.deep.map(({ name }) => name);
  }

  get stop() {
    return [...this.data.stops, ...this.data.deep].find(({ name }) => name === this.shown);
  }

  get next() {
    return nextOf(
      this.parts.map(({ name }) => name),
      this.down,
      this.deep,
    );
  }

  open(name) {
    this.down.clear();
    this.bets.clear();
    this.let(name, name === this.data.own);
  }

  /** Alone, or with all that comes before it. */
  let(name, isAlone) {
    this.shown = name;
    if (name === CHART) this.down.clear();
    else if (!isAlone && [ALL, DEEP].includes(name)) for (const one of this.names) this.down.add(one);
    if (name !== CHART) this.down.add(name);
  }

  drop(name, { bet, isAlone = false } = {}) {
    this.endBeat?.();
    if (name === CHART) this.bets.clear();
    if (bet !== undefined) this.bets.set(name, bet);
    this.let(name, isAlone);
    this.show();
    this.link.later();
  }

  // ---- the hand ---------------------------------------------------------------------------------------------------

  /** A change follows the pointer, and falls where it is let go above the axis; a press lets it fall, too. */
  grasp(event, name) {
    if (event.button) return;
    this.moved = false;
    if (this.isDown(name)) return;
    const { node } = this.made.get(name);
    const [x, y] = pointIn(event, this.bench);
    const [left, top] = [node.offsetLeft, node.offsetTop];
    const move = (to) => {
      const [dx, dy] = pointIn(to, this.bench).map((at, n) => at - [x, y][n]);
      this.moved ||= Math.hypot(dx, dy) > STILL;
      if (!this.moved) return;
      this.endBeat?.();
      node.classList.add("held");
      Object.assign(node.style, { left: `${left + dx}px`, top: `${top + dy}px` });
      this.field.point(this.field.lossUnder(to));
    };
    this.endDrag = drag(move, (to) => {
      if (!this.moved) return;
      setTimeout(() => (this.moved = false)); // after the click that ends it
      node.classList.remove("held");
      const bet = to.type === "pointerup" ? this.field.lossUnder(to) : undefined;
      if (bet === undefined) this.show();
      else this.drop(name, { bet, isAlone: true });
    });
  }

  touch(name) {
    if (!this.moved) this.drop(name, { isAlone: true });
  }

  step(event) {
    const buttons = [...this.hand.children].filter((node) => !node.hidden);
    const to = inRow(event, buttons.indexOf(event.target.closest("button")), buttons.length);
    if (to !== null) buttons[to].focus();
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  /** Whether a change lies on the axis: it was dropped and has a loss. */
  isDown(name) {
    return this.down.has(name) && this.made.get(name)?.stop.losses?.length > 0;
  }

  card(name) {
    const [says, term, gain, sheet] = [el("span.says"), el("b"), el("small"), picture()];
    const hands = { onclick: () => this.touch(name), onpointerdown: (event) => this.grasp(event, name) };
    const node = el(
      "button.card",
      { "data-name": name, ...hands },
      sheet,
      el("span.name", term, " ", gain),
      says,
      el("i.pin"),
    );
    return { node, says, term, gain, sheet };
  }

  show() {
    const { data, down } = this;
    const stops = [...data.stops, ...data.deep];
    const names = stops.map(({ name }) => name);
    if (String(names) !== this.drawn) {
      this.drawn = String(names);
      this.made = new Map(names.map((name) => [name, this.made.get(name) ?? this.card(name)]));
      this.hand.replaceChildren(...names.map((name) => this.made.get(name).node));
    }
    for (const [n, stop] of stops.entries()) {
      this.made.get(stop.name).stop = stop;
      this.made.get(stop.name).node.style.setProperty("--n", n);
    }
    const seen = stops.filter(({ name }) =>
      this.deep.includes(name) ? down.has(DEEP) : name !== ALL || down.has(ALL) || data.own === ALL,
    );
    for (const { name } of stops) this.made.get(name).node.hidden = !seen.some((stop) => stop.name === name);
    this.scale();
    for (const stop of stops) this.furnish(stop);
    this.place(seen);
    write(this.finding, this.says());
    write(this.act, this.offer());
  }

  /** The axis reaches to all that is or can be on it, and the runs of what was dropped last fall onto it. */
  scale() {
    const { of_2017: seeds, luck, stops, deep } = this.data;
    const others = [...stops, ...deep.filter(({ name }) => this.down.has(name))];
    const all = others.flatMap(({ losses }) => losses ?? []);
    this.field.scale(all, seeds, luck);
    this.field.fall(this.shown, this.isDown(this.shown) ? this.stop.losses : []);
    this.field.point(this.bets.get(this.shown));
  }

  furnish(stop) {
    const { node, says, term, gain, sheet } = this.made.get(stop.name);
    const isDown = this.isDown(stop.name);
    write(says, stop.says);
    write(term, stop.term);
    write(gain, !isDown ? "" : stop.clear ? gainSaid(stop.losses, this.data.of_2017) : stop.buys);
    put(node, { "aria-pressed": String(stop.name === this.shown) });
    put(sheet, { viewBox: cropOf(stop.kind) });
    paint(sheet, stop.kind, RESTING);
    for (const [name, isOn] of Object.entries({ down: isDown, now: stop.name === this.shown, clear: stop.clear }))
      node.classList.toggle(name, isOn);
  }

  /** In the hand side by side; on the axis each at the mean of its runs, piled up where there is no room beside. */
  place(seen) {
    const wide = this.bench.clientWidth;
    const up = seen.filter(({ name }) => !this.isDown(name));
    const isNarrow = wide < NARROW;
    const slots = this.down.has(DEEP)
      ? up
      : seen.filter(({ name }) => name !== ALL || up.some((stop) => stop.name === ALL));
    const across = Math.max(isNarrow ? 2 : 4, isNarrow ? 2 : slots.length);
    const [slot, tall] = [(wide - GAP * (across - 1)) / across, isNarrow ? CARD.narrow : CARD.wide];
    for (const [n, { name }] of slots.entries())
      if (!this.isDown(name))
        this.put(name, (n % across) * (slot + GAP), Math.floor(n / across) * (tall + GAP), slot, tall);
    const handTall = up.length ? Math.ceil(slots.length / across) * (tall + GAP) + 4 : 0;
    this.field.node.style.top = `${handTall}px`;
    const order = [...this.down].sort((a, b) => this.deep.includes(b) - this.deep.includes(a));
    const lying = order.filter((name) => this.isDown(name)).map((name) => this.made.get(name).stop);
    const boxes = lying.map(({ name, losses }) => {
      const { node } = this.made.get(name);
      const middle = this.field.axis.at(mean(losses)) * wide;
      const width = node.querySelector(".name").offsetWidth + 26;
      const left = Math.max(0, Math.min(wide - width, middle - width / 2));
      node.style.setProperty("--pin", `${middle - left}px`);
      return [left, left + width];
    });
    const rows = levels(boxes.map(([left, right]) => [left - 3, right + 3]));
    const room = this.tall - handTall - NAMED - FLOOR;
    const chip = Math.min(CHIP, room / Math.max(1, ...rows.map((row) => row + 1)));
    for (const [n, { name }] of lying.entries())
      this.put(name, boxes[n][0], this.tall - FLOOR - (rows[n] + 1) * chip, boxes[n][1] - boxes[n][0], chip - 4);
  }

  put(name, left, top, width, height) {
    const { style } = this.made.get(name).node;
    const sizes = Object.entries({ left, top, width, height }).map(([side, x]) => [side, `${x.toFixed(1)}px`]);
    Object.assign(style, Object.fromEntries(sizes));
  }

  // ---- what is said -----------------------------------------------------------------------------------------------

  says() {
    const { data, shown, stop, down } = this;
    const isOver = this.deep.includes(shown) && this.deep.every((name) => down.has(name));
    if (isOver) return deepSaid(data.deep, data.layers);
    if (shown === DEEP) return this.asksDeep;
    if (shown === ALL && this.isDown(ALL) && this.parts.every(({ name }) => down.has(name)))
      return summaryOf(this.parts, stop, data.of_2017);
    return stop ? landsSaid(stop, data.of_2017, this.bets.get(shown)) : this.asks;
  }

  get asks() {
    return `${capital(numeral(this.parts.length))} changes since 2017. Which of them beats luck?`;
  }

  get asksDeep() {
    const [shallow, deep] = this.data.layers.map(numeral);
    return `Now ${deep} layers instead of ${shallow}, trained the same way. Where do these two land?`;
  }

  offer() {
    const { next, deep, data, down } = this;
    if (next === CHART) return "Start over";
    if (next === DEEP) return `Stack ${numeral(data.layers[1])} layers`;
    if (deep.includes(next)) return deep.some((name) => down.has(name)) ? "Drop the other" : "Drop one";
    if (next !== ALL) return "Drop one";
    const left = this.parts.filter(({ name }) => !down.has(name)).length;
    return left ? `Drop the other ${left > 1 ? numeral(left) : "one"}` : "Drop all at once";
  }

  size() {
    if (!this.data) return;
    const { stops, of_2017: seeds, deep, layers } = this.data;
    const lands = stops.map((stop) => landsSaid(stop, seeds, seeds[0]));
    const all = stops.find(({ name }) => name === ALL);
    if (all.losses?.length) lands.push(summaryOf(this.parts, all, seeds));
    steady(this.headline, [...lands, deepSaid(deep, layers)], ["Drop the other five"]);
    const grown = this.headline.offsetHeight - this.act.offsetHeight;
    const isNarrow = this.bench.clientWidth < NARROW;
    this.tall = isNarrow ? LOW : Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND - grown));
    this.root.style.setProperty("--tall", `${this.tall}px`);
    this.show();
  }
}

export default mount(".two-blocks", TwoBlocks);
