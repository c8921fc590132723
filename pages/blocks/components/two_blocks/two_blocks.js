// What trainings came to with each part of a block exchanged, as bars of loss; and instead of them the part that is
// pressed, as it was built in 2017 and as it is today.

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
import { LossBars, isLarge } from "./loss_bars.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 1200; // ms for which drawings move after a press
const PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one
const RESTING = 0.8; // of their way, where drawings rest
const AROUND = 152; // pixels above the figure
const LEAST = 500;
const CHART = "chart"; // what is shown while no part is

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_pair", this.shown, this.data.usual), 100);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => (this.stop ? this.close() : this.open(this.first.name)) });
    this.bars = new LossBars((name) => this.open(name));
    this.ways = [0, 1].map(() => this.way());
    put(this.ways[0].drawn, { "aria-hidden": "true" });
    this.hand = this.ways[1].drawn; // the hand moves both
    put(this.hand, { role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "100" });
    this.hand.onkeydown = (event) => this.nudge(event);
    this.cost = el("p.cost");
    this.card = el("article.card", ...this.ways.map(({ node }) => node), this.cost);
    root.replaceChildren(el("div.headline", this.finding, this.act), this.bars.node, this.card);
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

  /** At first every bar is as long as 2017's; then each goes to where its part brings it. */
  beat() {
    const begin = () => {
      this.root.dataset.beat = "pair";
      if (!still()) this.endPlay = tween(BEAT, (share) => this.bars.draw(Math.min(1, Math.max(0, 1.6 * share - 0.5))));
    };
    const end = () => {
      this.endPlay?.();
      delete this.root.dataset.beat;
      this.bars.draw(1);
    };
    return firstBeat("pair", BEAT, begin, end);
  }

  // ---- what is pressed --------------------------------------------------------------------------------------------

  open(shown) {
    this.turn(shown);
    this.act.focus({ preventScroll: true }); // the row that was pressed is gone
    this.play();
  }

  /** Back to the bars, at the row that was open. */
  close() {
    const { shown } = this;
    this.turn(CHART);
    this.bars.focus(shown);
  }

  turn(shown) {
    this.endPlay?.();
    Object.assign(this, { shown, waits: { shown, until: performance.now() + PATIENCE } });
    this.show();
    this.link.later();
    this.send(shown);
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown);
  }

  /** The row that is worth a look before all others: a part alone that changes the loss. */
  get first() {
    const { stops } = this.data;
    return stops.find((stop) => stop.name !== "all" && isLarge(stop)) ?? stops[0];
  }

  show() {
    const { stop, data, root, bars } = this;
    root.dataset.shown = this.shown;
    bars.node.hidden = Boolean(stop);
    this.card.hidden = !stop;
    bars.show(data);
    bars.draw(1);
    write(this.finding, stop ? stop.finding : data.headline);
    write(this.act, stop ? "Back to all losses" : `See ${this.first.called}`);
    if (!stop) return;
    for (const [side, way] of this.ways.entries()) {
      const when = side ? stop.when : "2017";
      write(way.when, stop.ways[side] === when ? "" : when); // all parts at once are called by their time alone
      write(way.name, stop.ways[side]);
      write(way.note, stop.notes[side]);
      this.furnish(way, stop.kinds[side], stop.labels?.[side]);
    }
    write(this.cost, stop.cost);
    this.at(this.t);
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

  /** Lets both drawings move to their rest, ever more slowly. */
  play() {
    this.endPlay?.();
    if (!still()) this.endPlay = tween(PLAYS, (share) => this.at(RESTING * share * (2 - share)));
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
  }
}

export default mount(".two-blocks", TwoBlocks);
