// One layer, drawn as a machine: a press swaps a part for that of today, and in the lane beside it the losses of three
// trainings leave those of 2017. One part is swapped at a time, or all: no other combination was trained; of all of
// today, single parts can be put back. Of a visitor's own block the server exchanges them, and says what it is then.

import {
  capital,
  el,
  mirror,
  mount,
  param,
  numeral,
  still,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { byChange, Lanes } from "./lanes.js";
import { Machine } from "./machine.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 800; // ms for which drawings move after a press
const AROUND = 152; // pixels above the figure
const LEAST = 500;
const CHART = "chart"; // what is shown while no part is swapped
const ALL = "all";
const REST = "rest"; // of the walk: all that was not tried, each alone
const BACK = "Put 2017’s back";

/** Where the walk goes: to the first of these that was not tried, twice; to all others, each alone; then to all at
 * once, and back to 2017's. */
export function nextOf(names, tried, shown) {
  if (shown === ALL) return CHART;
  const left = names.filter((name) => !tried.has(name) && name !== shown);
  return left.length > 1 && names.length - left.length > 1 ? REST : (left[0] ?? ALL);
}

/** What is said where all but some parts of today are in, of which this one was put back last; n: how many are in. */
export const toldWithout = ({ ways, verdict }, n) =>
  `The other ${numeral(n)} were never trained together: no loss. ${capital(ways[1])} alone: ${verdict}.`;

/** How many of these parts, each swapped alone, change the loss by more than runs differ. */
export function summaryOf(parts) {
  const clear = parts.filter((part) => part.clear).map(({ ways }) => ways[1]);
  const [count, verb] = [numeral(clear.length), clear.length > 1 ? "move" : "moves"];
  const all = numeral(parts.length);
  const told = `Swapped one at a time, ${count} of the ${all} ${verb} the loss by more than runs differ`;
  return `${[told, ...(clear.length ? [clear.join(", ")] : [])].join(": ")}.`;
}

export class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.tried = new Map(); // parts that were swapped in, and as what
    this.back = new Set(); // while all are in, the parts that were put back since
    this.link = mirror((put) => put("blocks_pair", this.shown, this.data.usual), 100);
    this.presses = new Presses(() => this.become(this.data.shown));
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.headline = el("div.headline", this.finding, this.act);
    this.machine = new Machine((name) => this.swap(name));
    this.lanes = new Lanes();
    this.was = el("p.was", "A layer, from its output down");
    this.rule = el("p.rule");
    const { above, field, marks } = this.lanes;
    root.replaceChildren(this.headline, el("div.bench", this.was, above, this.machine.node, field, this.rule, marks));
    this.resized = () => this.size();
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isFirst = !this.data;
    this.data = data;
    const isThere = this.shown === CHART || this.stop; // a stop may go with the way that was in it
    if (this.presses.isNews(data.shown) || !isThere) this.shown = data.shown;
    this.show();
    this.size();
    this.link.later();
    this.root.dataset.painted = "true";
    if (isFirst && param("blocks_pair") === null && !this.stop) this.endBeat = this.beat();
  }

  destroy() {
    this.endBeat?.();
    this.endPlay?.();
  }

  /** The layer of 2017 is put together from below. */
  beat() {
    const begin = () => (this.root.dataset.beat = "pair");
    const end = () => delete this.root.dataset.beat;
    return firstBeat("pair", BEAT, begin, end);
  }

  // ---- what is swapped --------------------------------------------------------------------------------------------

  /** A part that is in alone is put back; any other is in alone from now on. While all of today are in, one that is
   * pressed goes back alone, or in again. */
  swap(name) {
    if (name !== ALL && this.shown === ALL && !this.isOfToday) return this.send("exchange", name);
    const ins = name !== ALL && this.isOfToday ? this.insOf(this.stop) : [];
    if (!ins.includes(name)) return this.turn(name === this.shown && !this.back.size ? CHART : name);
    if (!this.back.delete(name)) this.back.add(name);
    const left = ins.filter((one) => !this.back.has(one));
    if (left.length < 2) return this.turn(left[0] ?? CHART);
    this.show();
  }

  /** The parts that differ where all are in. */
  insOf({ parts, labels: [was, now] }) {
    return parts.filter((_, n) => was[n] !== now[n]);
  }

  /** The dark button. */
  goOn() {
    const { next } = this;
    if (next !== REST) return this.turn(next);
    for (const stop of this.parts) this.tried.set(stop.name, String(stop.kinds[1]));
    this.turn(CHART, true);
  }

  get parts() {
    return this.data.stops.filter(({ name }) => name !== ALL);
  }

  get next() {
    return nextOf(byChange(this.parts, this.data.of_2017), new Set(this.seen.map(({ name }) => name)), this.shown);
  }

  /** What was tried, as it is now. */
  get seen() {
    return this.data.stops.filter((stop) => this.tried.get(stop.name) === String(stop.kinds[1]));
  }

  turn(shown, isSummed = false) {
    this.endBeat?.();
    this.endPlay?.();
    this.back.clear();
    this.isSummed = isSummed;
    this.presses.add(shown);
    this.become(shown);
    this.send("press", shown);
    this.play();
  }

  become(shown) {
    this.shown = shown;
    this.show();
    this.link.later();
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown);
  }

  /** Whether all parts of today are in, but for those that were put back. */
  get isOfToday() {
    return this.shown === ALL && this.stop.when === "today";
  }

  show() {
    const { stop, data, root } = this;
    if (stop) this.tried.set(stop.name, String(stop.kinds[1]));
    root.dataset.shown = this.shown;
    if (!this.isOfToday) this.back.clear();
    this.machine.show(data, this.shown, this.back);
    this.lanes.show(data, this.seen, this.back.size ? "" : this.shown);
    write(this.finding, this.told);
    write(this.act, this.offer(this.next));
    const runs = data.of_2017.length;
    write(
      this.rule,
      `A dot is one training, ${runs} for each change. Light: one standard deviation of 2017’s ${runs} runs.`,
    );
    this.arrange();
  }

  get told() {
    const { stop, data, back } = this;
    if (!stop) return this.isSummed ? summaryOf(this.parts) : data.question;
    const last = data.stops.find(({ name }) => name === [...back].at(-1));
    return last ? toldWithout(last, this.insOf(stop).length - back.size) : stop.finding;
  }

  arrange() {
    if (this.machine.boxes) this.lanes.place(this.machine.boxes, this.machine.below);
  }

  offer(name) {
    if (name === REST)
      return `Swap the other ${numeral(this.parts.filter((stop) => !this.seen.includes(stop)).length)}`;
    return this.data.stops.find((stop) => stop.name === name)?.act ?? BACK;
  }

  /** Lets drawings move to their rest, ever more slowly. */
  play() {
    this.endPlay?.();
    const draw = (share) => this.machine.at(share * (2 - share));
    if (still()) draw(1);
    else this.endPlay = tween(PLAYS, draw);
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
    if (!this.data) return;
    const { stops, question } = this.data;
    const without = this.parts.map((stop) => toldWithout(stop, 5));
    steady(
      this.headline,
      [question, summaryOf(this.parts), ...without, ...stops.map(({ finding }) => finding)],
      [BACK, ...stops.map(({ act }) => act)],
    );
    this.machine.size();
    this.arrange();
  }
}

export default mount(".two-blocks", TwoBlocks);
