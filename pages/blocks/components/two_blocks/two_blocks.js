// One layer, drawn as a machine: a press swaps a part for that of today, and the gauge beside it says what trainings
// came to. One part is swapped at a time, or all: no other combination was trained. Instead of the machine, both ways
// to build a part are seen as large drawings.

import {
  boxOf,
  el,
  enlarged,
  mirror,
  mount,
  param,
  put,
  still,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { POSITIONS, RESTING, paint, picture } from "./drawings.js";
import { Gauge, verdictOf } from "./gauge.js";
import { Machine } from "./machine.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 800; // ms for which drawings move after a press
const PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one
const AROUND = 152; // pixels above the figure
const LEAST = 500;
const CHART = "chart"; // what is shown while no part is swapped
const ALL = "all";
const WORDS = { close: "too close to tell", diverged: "diverged", "not trained": "not trained" };
const BACK = "Put 2017’s back";

/** Where the walk goes from here: to the next part that was not tried, then to all at once, then back to 2017's. */
export function nextOf(names, tried, shown) {
  if (shown === ALL) return CHART;
  const from = names.indexOf(shown) + 1;
  return [...names.slice(from), ...names.slice(0, from)].find((name) => !tried.has(name) && name !== shown) ?? ALL;
}

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.tried = new Map(); // parts that were swapped in, and as what
    this.link = mirror((put) => {
      put("blocks_pair", this.shown, this.data.usual);
      put("blocks_drawings", this.isNear ? "true" : null, null);
    }, 100);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.walk() });
    this.headline = el("div.headline", this.finding, this.act);
    this.machine = new Machine((name) => this.swap(name));
    this.gauge = new Gauge();
    this.ways = [0, 1].map(() => this.way());
    put(this.ways[0].drawn, { "aria-hidden": "true" });
    this.hand = this.ways[1].drawn; // the hand moves both
    put(this.hand, { role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "100" });
    this.hand.onkeydown = (event) => this.nudge(event);
    this.card = el("article.card", ...this.ways.map(({ node }) => node));
    this.cost = el("p.cost");
    this.near = el("button.near", { onclick: () => this.approach(true) }, "See both drawings, large");
    this.rule = el("p.rule");
    this.gauge.more.append(this.cost, this.near, this.rule);
    root.replaceChildren(this.headline, el("div.bench", this.machine.node, this.card, this.gauge.node));
    this.t = RESTING; // the moment that is drawn
    this.resized = () => this.size();
  }

  /** One way to build a part: when, its name, what it does in a sentence, and its drawing. */
  way() {
    const way = { when: el("small"), name: el("b"), note: el("p.note"), drawn: el("div.drawn") };
    way.drawn.onpointermove = (event) => this.scrub(event);
    way.node = el("section", el("p", way.when, way.name), way.note, way.drawn);
    return way;
  }

  update(data, { setTriggerValue }) {
    this.send = (press) => setTriggerValue("press", press);
    const isFirst = !this.data;
    this.data = data;
    const { waits } = this;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = waits && performance.now() < waits.until && waits.shown !== data.shown;
    const isThere = this.shown === CHART || this.stop; // a stop may go with the way that was in it
    if (!isOld || !isThere) Object.assign(this, { shown: data.shown, waits: null });
    if (isFirst) this.isNear = param("blocks_drawings") === "true";
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

  /** The dark button. */
  walk() {
    if (this.isNear) this.approach(false);
    else this.turn(this.next);
  }

  get parts() {
    return this.data.stops.filter(({ name }) => name !== ALL);
  }

  get next() {
    const names = this.parts.map(({ name }) => name);
    return nextOf(names, new Set(this.seen.map(({ name }) => name)), this.shown);
  }

  /** What was tried, as it is now. */
  get seen() {
    return this.data.stops.filter((stop) => this.tried.get(stop.name) === String(stop.kinds[1]));
  }

  turn(shown) {
    this.endBeat?.();
    this.endPlay?.();
    Object.assign(this, { shown, waits: { shown, until: performance.now() + PATIENCE } });
    this.show();
    this.link.later();
    this.send(shown);
    this.play();
  }

  /** Both drawings instead of the machine, or not. */
  approach(isNear) {
    this.isNear = isNear;
    this.show();
    this.size();
    this.link.later();
    if (!isNear) return;
    this.play();
    this.act.focus({ preventScroll: true }); // the button that was pressed has gone
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown);
  }

  show() {
    const { stop, data, root } = this;
    if (stop) this.tried.set(stop.name, String(stop.kinds[1]));
    this.isNear &&= Boolean(stop); // there is nothing to draw where no part is swapped
    const { isNear } = this;
    root.dataset.shown = this.shown;
    this.machine.node.hidden = isNear;
    this.card.hidden = !isNear;
    const { seen } = this;
    const told = (one) => WORDS[verdictOf(one)] ?? one.change;
    this.machine.show(data, this.shown, new Map(seen.map((one) => [one.name, told(one)])));
    this.gauge.show(data, stop, seen);
    write(this.finding, stop ? stop.finding : data.question);
    write(this.act, isNear ? "Back to the layer" : this.offer(this.next));
    const runs = `Level: the mean of ${data.of_2017.length} runs of a small model, a dot each.`;
    write(this.rule, `${runs} One part at a time, or all at once: no other combination was trained.`);
    write(this.cost, stop ? stop.cost : "");
    this.near.hidden = !stop || isNear;
    if (!isNear) return;
    for (const [side, way] of this.ways.entries()) {
      const when = side ? stop.when : "2017";
      write(way.when, stop.ways[side] === when ? "" : when); // all parts at once are called by their time alone
      write(way.name, stop.ways[side]);
      write(way.note, stop.notes[side]);
      this.furnish(way, stop.kinds[side], stop.labels?.[side]);
    }
    this.at(this.t);
  }

  offer(name) {
    return this.data.stops.find((stop) => stop.name === name)?.act ?? BACK;
  }

  /** One picture of a part, or one for each part of a whole block. */
  furnish(way, kinds, labels) {
    const all = [kinds].flat();
    if (String(way.kinds) === String(all)) return;
    way.kinds = all;
    way.pictures = all.map(() => picture());
    const each = (n) => (all.length > 1 ? el("span", way.pictures[n], el("small", labels[n])) : way.pictures[n]);
    way.drawn.replaceChildren(...all.map((_, n) => each(n)));
    way.drawn.classList.toggle("many", all.length > 1);
  }

  // ---- the moment that is drawn -----------------------------------------------------------------------------------

  /** Draws both ways at a moment from 0 to 1. */
  at(t) {
    this.t = t;
    for (const { kinds, pictures } of this.ways) kinds.forEach((kind, n) => paint(pictures[n], kind, t));
    const isPositions = this.stop.name === "positions";
    put(this.hand, {
      "aria-label": isPositions ? "Position" : "Moment of both drawings",
      "aria-valuenow": Math.round(100 * t),
      "aria-valuetext": isPositions ? `position ${Math.round(POSITIONS * t)}` : `${Math.round(100 * t)}%`,
    });
  }

  scrub(event) {
    this.endPlay?.();
    const { left, width } = boxOf(event.currentTarget);
    this.at(Math.min(1, Math.max(0, (event.clientX / enlarged(event.currentTarget) - left) / width)));
  }

  nudge(event) {
    const to = inRow(event, Math.round(POSITIONS * this.t), POSITIONS + 1);
    if (to === null) return;
    this.endPlay?.();
    this.at(to / POSITIONS);
  }

  /** Lets drawings move to their rest, ever more slowly. */
  play() {
    this.endPlay?.();
    const draw = (share) => {
      const t = share * (2 - share);
      if (this.card.hidden) this.machine.at(t);
      else this.at(RESTING * t);
    };
    if (still()) draw(1);
    else this.endPlay = tween(PLAYS, draw);
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
    if (!this.data) return;
    const { stops, question } = this.data;
    steady(this.headline, [question, ...stops.map(({ finding }) => finding)], [BACK, ...stops.map(({ act }) => act)]);
    this.machine.size();
    this.gauge.size();
  }
}

export default mount(".two-blocks", TwoBlocks);
