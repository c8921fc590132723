// Changes to a layer as a bet: a sentence each, and beside it a lane into which the losses of three trainings fly from
// those of 2017 once it is pressed. What stays in the band of 2017 sinks back. One change is made at a time, or all: no
// other combination was trained.

import {
  el,
  fixed,
  mirror,
  mount,
  param,
  put,
  numeral,
  still,
  trimmed,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { cropOf, paint, picture, RESTING } from "./drawings.js";
import { axisOf, byChange, Lane, marksIn, mean, percentOf, standing } from "./lanes.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 800; // ms for which a drawing moves after a press
const AROUND = 190; // pixels above the figure
const LEAST = 500;
const CHART = "chart"; // what is shown while no change is made
const ALL = "all";
const REST = "rest"; // of the walk: all that was not tried, each alone
const OFFERS = { one: "Try one", another: "Try another", all: "Try all at once", chart: "Start over" };

/** Where the walk goes: to the first of these, unless the reader has tried one; to the second; to all others, each
 * alone; then to all at once, and back to 2017's. */
export function nextOf(names, tried, shown) {
  if (shown === ALL) return CHART;
  const left = names.filter((name) => !tried.has(name) && name !== shown);
  const seen = names.length - left.length;
  if (left.length > 1 && seen > 1) return REST;
  return (seen ? left.find((name) => name !== names[0]) : null) ?? left[0] ?? ALL;
}

/** The same, with something to compare it with: first the uppermost, then what changes the loss most. */
export const orderOf = (parts, seeds) => [parts[0].name, ...byChange(parts.slice(1), seeds)];

/** How a loss that is so much lower than that of 2017 is called on the axis. */
export const markOf = (gain) => (gain ? `${trimmed(Math.abs(gain))} ${gain > 0 ? "lower" : "higher"}` : "loss as 2017");

/** How many of these changes, each alone, move the loss by more than chance. */
export function summaryOf(parts) {
  const clear = parts.filter((part) => part.clear).map(({ term }) => term);
  const count = clear.length === 1 ? "only one moves" : `${numeral(clear.length)} ${clear.length ? "move" : "moves"}`;
  const told = `Of ${numeral(parts.length)} changes, ${count} the loss by more than chance`;
  return `${[told, ...(clear.length ? [clear.join(", ")] : [])].join(": ")}.`;
}

export class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.tried = new Map(); // changes that were made, and as what
    this.link = mirror((put) => put("blocks_pair", this.shown, this.data.usual), 100);
    this.presses = new Presses(() => this.become(this.data.shown));
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.headline = el("div.headline", this.finding, this.act);
    this.own = el("div.lane.own", { role: "img" });
    this.rows = el("div.rows", { role: "group", "aria-label": "Changes to the layer of 2017" });
    this.rows.onkeydown = (event) => this.step(event);
    this.marks = el("div.marks", { "aria-hidden": "true" });
    const top = el("div.row.top", el("p.rule", "Six changes since 2017"), this.own);
    const rule = "A dot is one training, a bar the mean of all three. A bar in the grey: no difference that shows.";
    const foot = el("div.row.foot", el("p.rule", rule), this.marks);
    root.replaceChildren(this.headline, el("div.bench", top, this.rows, foot));
    this.made = new Map();
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

  /** The changes come in one after the other. */
  beat() {
    const begin = () => (this.root.dataset.beat = "pair");
    const end = () => delete this.root.dataset.beat;
    return firstBeat("pair", BEAT, begin, end);
  }

  // ---- what is changed --------------------------------------------------------------------------------------------

  /** The dark button. */
  goOn() {
    const { next } = this;
    if (next === CHART) this.tried.clear();
    if (next !== REST) return this.turn(next);
    for (const stop of this.parts) this.tried.set(stop.name, stop.term);
    this.turn(CHART, true);
  }

  get parts() {
    return this.data.stops.filter(({ name }) => name !== ALL);
  }

  get next() {
    return nextOf(orderOf(this.parts, this.data.of_2017), new Set(this.seen.map(({ name }) => name)), this.shown);
  }

  /** What was tried, as it is now. */
  get seen() {
    return this.data.stops.filter((stop) => this.tried.get(stop.name) === stop.term);
  }

  turn(shown, isSummed = false) {
    this.endBeat?.();
    this.endPlay?.();
    this.isSummed = isSummed;
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
    if (stop) this.tried.set(stop.name, stop.term);
    root.dataset.shown = this.shown;
    this.scale();
    const names = data.stops.map(({ name }) => name);
    if (String(names) !== this.names) {
      this.names = String(names);
      const held = this.rows.querySelector(":focus")?.closest(".row").dataset.name;
      this.made = new Map(names.map((name) => [name, this.made.get(name) ?? this.row(name)]));
      this.rows.replaceChildren(...names.map((name) => this.made.get(name).node));
      (this.made.get(held) ?? (held && this.made.get(names[0])))?.bay.focus(); // its row may have gone
    }
    for (const one of data.stops) this.furnish(one);
    write(this.finding, stop ? stop.finding : this.isSummed ? summaryOf(this.parts) : data.question);
    write(this.act, this.offer(this.next));
  }

  /** The runs of 2017, their band, and the axis. */
  scale() {
    const { of_2017: seeds, margin, stops } = this.data;
    const base = mean(seeds);
    const all = [...seeds, base - margin, base + margin, ...stops.flatMap(({ losses }) => losses ?? [])];
    this.at = axisOf(all);
    const runs = numeral(seeds.length);
    const label = el("b.told", `2017: ${runs} runs, loss ${fixed(base)}`);
    const dots = seeds.map((loss) => standing(el("i.dot"), this.at(loss)));
    const better = el("span.better", "better →");
    this.own.replaceChildren(label, ...dots, better);
    put(this.own, { "aria-label": `${label.textContent}. Further right is a lower loss, which is better.` });
    this.band(this.own, margin);
    this.root.style.setProperty("--base", percentOf(this.at(base)));
    const marks = marksIn(all.map((loss) => base - loss));
    this.marks.replaceChildren(...marks.map((gain) => standing(el("b", markOf(gain)), this.at(base - gain))));
  }

  /** Within so much of 2017's mean, a mean cannot be told from it. */
  band(node, margin) {
    const base = mean(this.data.of_2017);
    for (const [name, loss] of [
      ["--low", base + margin],
      ["--high", base - margin],
    ])
      node.style.setProperty(name, percentOf(this.at(loss)));
  }

  row(name) {
    const [says, term, sheet, lane] = [el("b"), el("small"), picture(), new Lane()];
    const bay = el("button.bay", el("span.words", says, " ", term), sheet);
    const onclick = () => this.turn(name === this.shown ? CHART : name); // of the lane, too
    return { node: el("div.row", { "data-name": name, onclick }, bay, lane.node), bay, says, term, sheet, lane };
  }

  furnish(stop) {
    const { node, bay, says, term, sheet, lane } = this.made.get(stop.name);
    const [isTried, isNow] = [this.seen.includes(stop), stop.name === this.shown];
    write(says, stop.says);
    write(term, stop.term);
    put(bay, { "aria-pressed": String(isNow) });
    put(sheet, { viewBox: cropOf(stop.kind) });
    paint(sheet, stop.kind, RESTING);
    for (const [name, isOn] of Object.entries({ tried: isTried, now: isNow, clear: stop.clear }))
      node.classList.toggle(name, isOn);
    this.band(lane.node, isTried && stop.margin ? stop.margin : this.data.margin);
    lane.show(stop, this.data.of_2017, this.at, isTried);
  }

  offer(name) {
    const left = this.parts.filter((stop) => !this.seen.includes(stop));
    if (name === REST) return `Try the other ${numeral(left.length)}`;
    return OFFERS[name] ?? (this.tried.size ? OFFERS.another : OFFERS.one);
  }

  /** Lets the drawing of what was changed move to its rest, ever more slowly. */
  play() {
    const { stop } = this;
    if (!stop || still()) return;
    const { sheet } = this.made.get(stop.name);
    this.endPlay = tween(PLAYS, (share) => paint(sheet, stop.kind, RESTING * share * (2 - share)));
  }

  step(event) {
    const buttons = [...this.rows.querySelectorAll(".bay")];
    const to = inRow(event, buttons.indexOf(event.target.closest("button")), buttons.length);
    if (to !== null) buttons[to].focus();
  }

  size() {
    if (!this.data) return;
    const { stops, question } = this.data;
    steady(
      this.headline,
      [question, summaryOf(this.parts), ...stops.map(({ finding }) => finding)],
      Object.values(OFFERS),
    );
    const grown = this.headline.offsetHeight - this.act.offsetHeight;
    const tall = Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND - grown));
    this.root.style.setProperty("--tall", `${tall}px`);
  }
}

export default mount(".two-blocks", TwoBlocks);
