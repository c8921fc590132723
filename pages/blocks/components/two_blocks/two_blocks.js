// One layer, drawn as a machine: a press swaps a part for that of today, and in the lane beside it the losses of three
// trainings leave those of 2017. One part is swapped at a time, or all: no other combination was trained.

import { el, mirror, mount, param, still, windowHeight, write } from "../../../../attention_view/lab.js";
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
const BACK = "Put 2017’s back";

/** Where the walk goes: to the first of these that was not tried, then to all at once, then back to 2017's. */
export const nextOf = (names, tried, shown) =>
  shown === ALL ? CHART : (names.find((name) => !tried.has(name) && name !== shown) ?? ALL);

export class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.tried = new Map(); // parts that were swapped in, and as what
    this.link = mirror((put) => put("blocks_pair", this.shown, this.data.usual), 100);
    this.presses = new Presses(() => this.become(this.data.shown));
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.turn(this.next) });
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
    this.send = (press) => setTriggerValue("press", press);
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

  /** The layer of 2017 is put together from below, and the level rises to its loss. */
  beat() {
    const begin = () => (this.root.dataset.beat = "pair");
    const end = () => delete this.root.dataset.beat;
    return firstBeat("pair", BEAT, begin, end);
  }

  // ---- what is swapped --------------------------------------------------------------------------------------------

  /** A part that is in alone is put back; any other is in alone from now on. */
  swap(name) {
    this.turn(name === this.shown ? CHART : name);
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

  turn(shown) {
    this.endBeat?.();
    this.endPlay?.();
    this.presses.add(shown);
    this.become(shown);
    this.send(shown);
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

  show() {
    const { stop, data, root } = this;
    if (stop) this.tried.set(stop.name, String(stop.kinds[1]));
    root.dataset.shown = this.shown;
    this.machine.show(data, this.shown);
    this.lanes.show(data, this.seen, this.shown);
    write(this.finding, stop ? stop.finding : data.question);
    write(this.act, this.offer(this.next));
    const runs = data.of_2017.length;
    write(
      this.rule,
      `A dot is one training, ${runs} for each change. Light: one standard deviation of 2017’s ${runs} runs.`,
    );
    this.arrange();
  }

  arrange() {
    if (this.machine.boxes) this.lanes.place(this.machine.boxes, this.machine.below);
  }

  offer(name) {
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
    steady(this.headline, [question, ...stops.map(({ finding }) => finding)], [BACK, ...stops.map(({ act }) => act)]);
    this.machine.size();
    this.arrange();
  }
}

export default mount(".two-blocks", TwoBlocks);
