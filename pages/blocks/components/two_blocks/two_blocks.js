// What trainings came to with each part of a block exchanged, a row per part on one axis; and of the part that is
// pressed one drawing, as it was built in 2017 or as it is today.

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
import { POSITIONS, paint, picture } from "./drawings.js";
import { LossRows } from "./loss_rows.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 1200; // ms for which a drawing moves after a press
const PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one
const RESTING = 0.8; // of its way, where a drawing rests
const AROUND = 152; // pixels above the figure
const LEAST = 500;

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_pair", this.stop.name, this.data.usual), 100);
    this.finding = el("p.finding");
    this.rows = new LossRows(
      (name) => this.open(name),
      (event) => this.step(event),
    );
    this.when = el("small.when");
    this.name = el("b");
    this.flip = el("button.primary", { onclick: () => this.turn() });
    this.drawn = el("div.drawn", { role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "100" });
    this.drawn.onpointermove = (event) => this.scrub(event);
    this.drawn.onkeydown = (event) => this.nudge(event);
    this.note = el("p.note");
    this.said = el("p.outcome", { "aria-live": "polite" });
    this.cost = el("p.cost");
    const top = el("header", el("p", this.when, this.name), this.flip);
    const card = el("article.card", top, this.note, this.drawn, this.said, this.cost);
    root.replaceChildren(el("div.headline", this.finding), el("div.both", this.rows.node, card));
    Object.assign(this, { t: RESTING, side: 1 }); // the moment that is drawn; 0: as in 2017, 1: as it is today
    this.resized = () => this.size();
  }

  update(data, { setTriggerValue }) {
    this.send = (press) => setTriggerValue("press", press);
    const isFirst = !this.data;
    this.data = data;
    const { waits } = this;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = waits && performance.now() < waits.until && waits.shown !== data.shown;
    const isThere = data.stops.some(({ name }) => name === this.shown); // a stop may go with the way that was in it
    if (!isOld || !isThere) Object.assign(this, { shown: data.shown, waits: null });
    this.show();
    this.size();
    this.link.later();
    this.root.dataset.painted = "true";
    if (isFirst && param("blocks_pair") === null) this.endBeat = this.beat();
  }

  destroy() {
    this.endBeat?.();
    this.endPlay?.();
  }

  /** At first every dot is where 2017's are; then each goes to where its part brings it. */
  beat() {
    const begin = () => {
      this.root.dataset.beat = "pair";
      this.play(BEAT, 0);
    };
    const end = () => {
      this.endPlay?.();
      delete this.root.dataset.beat;
      this.at(RESTING, 1);
    };
    return firstBeat("pair", BEAT, begin, end);
  }

  // ---- what is pressed --------------------------------------------------------------------------------------------

  open(shown) {
    if (shown === this.shown) return;
    Object.assign(this, { shown, side: 1, waits: { shown, until: performance.now() + PATIENCE } });
    this.show();
    this.play(PLAYS);
    this.link.later();
    this.send(shown);
  }

  /** The other way to build the part: as in 2017, or as today. */
  turn() {
    this.side = 1 - this.side;
    this.show();
    this.play(PLAYS);
  }

  step(event) {
    const { stops } = this.data;
    const to = inRow(event, stops.indexOf(this.stop), stops.length);
    if (to === null) return;
    const { name } = stops[to];
    this.open(name);
    this.rows.focus(name);
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown) ?? this.data.stops[0];
  }

  show() {
    const { stop, data, side } = this;
    this.root.dataset.shown = stop.name;
    this.root.dataset.side = String(side);
    write(this.finding, data.headline);
    this.rows.show(data, stop.name);
    const [when, other] = side ? [stop.when, "2017"] : ["2017", stop.when];
    const isWhole = stop.ways[side] === when; // all parts at once are called by their time alone
    write(this.when, isWhole ? "" : when);
    write(this.name, stop.ways[side]);
    write(this.flip, `Show ${other}`);
    write(this.note, stop.notes[side]);
    write(this.said, stop.finding);
    write(this.cost, stop.cost);
    this.furnish(stop.kinds[side], stop.labels?.[side]);
    this.at(this.t, 1);
  }

  /** One picture of a part, or one for each part of a whole block. */
  furnish(kinds, labels) {
    const all = [kinds].flat();
    if (String(this.kinds) === String(all)) return;
    this.kinds = all;
    this.pictures = all.map(() => picture());
    const each = (n) => (all.length > 1 ? el("span", this.pictures[n], el("small", labels[n])) : this.pictures[n]);
    this.drawn.replaceChildren(...all.map((_, n) => each(n)));
    this.drawn.classList.toggle("many", all.length > 1);
  }

  // ---- the moment that is drawn -----------------------------------------------------------------------------------

  /** Draws the way in view at a moment from 0 to 1, and all dots so far on their way out of those of 2017. */
  at(t, arrived = 1) {
    this.t = t;
    this.kinds.forEach((kind, n) => paint(this.pictures[n], kind, t));
    if (arrived !== this.arrived || arrived === 1) this.rows.draw(arrived);
    this.arrived = arrived;
    const isPositions = this.stop.name === "positions";
    put(this.drawn, {
      "aria-label": isPositions ? "Position" : "Moment of the drawing",
      "aria-valuenow": Math.round(100 * t),
      "aria-valuetext": isPositions ? `position ${Math.round(POSITIONS * t)}` : `${Math.round(100 * t)}%`,
    });
  }

  scrub(event) {
    this.endBeat?.();
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

  /** Lets the drawing move to its rest, and the dots with it from where they have arrived. */
  play(milliseconds, from = 1) {
    this.endPlay?.();
    if (still()) return;
    // A drawing slows down towards its rest; dots wait for a moment, and then go.
    const arrived = (share) => Math.min(1, Math.max(from, 1.6 * share - 0.5));
    this.endPlay = tween(milliseconds, (share) => this.at(RESTING * share * (2 - share), arrived(share)));
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
  }
}

export default mount(".two-blocks", TwoBlocks);
