// One part of a block, as it was built in 2017 and as it is today, and what models came to that were trained with
// either. A strip leads to the other parts, and so does the dark button, one after the other.

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
import { LossAxis } from "./loss_axis.js";

const BEAT = 3000; // ms of the first beat
const PLAYS = 1200; // ms for which drawings and dots move after a press
const PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one
const RESTING = 0.8; // of its way, where a drawing rests
const AROUND = 156; // pixels above the figure
const LEAST = 470;

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_pair", this.stop.name, this.data.usual), 100);
    this.strip = el("div.strip", { role: "radiogroup", "aria-label": "Parts of a layer" });
    this.strip.onkeydown = (event) => this.step(event);
    this.cards = [0, 1].map(() => this.card());
    this.hand = this.cards[0].drawn; // both drawings are at one moment, which keys reach here
    put(this.hand, { role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": "100" });
    this.hand.onkeydown = (event) => this.nudge(event);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.next = el("button.primary", { onclick: () => this.open(this.after.name) });
    this.axis = new LossAxis();
    this.cost = el("span");
    this.dots = el("span");
    const foot = el("p.foot", this.cost, this.dots);
    const pair = el("div.pair", ...this.cards.map(({ node }) => node));
    const headline = el("div.headline", this.finding, this.next);
    root.replaceChildren(headline, this.strip, pair, el("section.result", this.axis.node, foot));
    this.t = RESTING;
    this.resized = () => this.size();
  }

  /** One way to build the part in view; a pointer on its drawing sets the moment that is drawn. */
  card() {
    const card = { when: el("small.when"), name: el("b"), drawn: el("div.drawn"), note: el("p.note") };
    card.drawn.onpointermove = (event) => this.scrub(event);
    card.node = el("article.card", el("p.head", card.when, card.name), card.drawn, card.note);
    return card;
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

  /** At first the dots of 2017 are alone; then today's come out of them. */
  beat() {
    const begin = () => {
      this.root.dataset.beat = "pair";
      this.play(BEAT);
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
    Object.assign(this, { shown, waits: { shown, until: performance.now() + PATIENCE } });
    this.show();
    this.play(PLAYS);
    this.link.later();
    this.send(shown);
  }

  step(event) {
    const { stops } = this.data;
    const to = inRow(event, stops.indexOf(this.stop), stops.length);
    if (to === null) return;
    this.open(stops[to].name);
    this.strip.children[to].focus();
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown) ?? this.data.stops[0];
  }

  /** The stop to which the dark button leads: behind the last one comes the first. */
  get after() {
    const { stops } = this.data;
    return stops[(stops.indexOf(this.stop) + 1) % stops.length];
  }

  show() {
    const { stop, data, after } = this;
    const one = typeof stop.kinds[0] === "string";
    this.root.dataset.shown = stop.name;
    this.showStrip();
    this.cards.forEach((card, n) => {
      write(card.when, one ? ["2017", stop.when][n] : "");
      write(card.name, stop.ways[n]);
      write(card.note, stop.notes[n]);
      this.furnish(card, stop.kinds[n], stop.labels?.[n]);
    });
    write(this.finding, stop.finding);
    write(this.next, after === data.stops[0] ? "Start again" : `Next: ${after.title.toLowerCase()}`);
    const names = ["2017", stop.when].map((when, n) => (one ? [when, stop.ways[n]] : [when, ""]));
    this.axis.show(names, data.of_2017, stop.losses, data.range);
    write(this.cost, stop.cost);
    const lines = stop.losses?.length ? "; a line joins two with the same seed" : "";
    write(this.dots, `Each dot is a training run${lines}.`);
    this.at(this.t, 1);
  }

  showStrip() {
    const { stops } = this.data;
    const made = String(stops.map(({ name, title }) => [name, title]));
    const isLost = made !== this.made && this.strip.matches(":focus-within"); // the button with the focus goes
    if (made !== this.made) {
      this.made = made;
      const button = ({ name, title }) =>
        el("button", { role: "radio", "data-name": name, onclick: () => this.open(name) }, title);
      this.strip.replaceChildren(...stops.map(button));
    }
    for (const button of this.strip.children) {
      const isShown = button.dataset.name === this.stop.name;
      put(button, { "aria-checked": String(isShown), tabindex: isShown ? "0" : "-1" });
      if (isLost && isShown) button.focus();
    }
  }

  /** The pictures of a card: one of a part, or one for each part of a whole block. */
  furnish(card, kinds, labels) {
    const all = [kinds].flat();
    if (String(card.kinds) === String(all)) return;
    card.kinds = all;
    card.pictures = all.map(() => picture());
    const each = (n) => (all.length > 1 ? el("span", card.pictures[n], el("small", labels[n])) : card.pictures[n]);
    card.drawn.replaceChildren(...all.map((_, n) => each(n)));
    card.drawn.classList.toggle("many", all.length > 1);
  }

  // ---- the moment that is drawn -----------------------------------------------------------------------------------

  /** Draws both ways at a moment from 0 to 1, and today's dots so far on their way out of those of 2017. */
  at(t, arrived = this.arrived) {
    Object.assign(this, { t, arrived });
    for (const { kinds, pictures } of this.cards) kinds.forEach((kind, n) => paint(pictures[n], kind, t));
    this.axis.draw(arrived);
    const isPositions = this.stop.name === "positions";
    put(this.hand, {
      "aria-label": isPositions ? "Position" : "Moment of both drawings",
      "aria-valuenow": Math.round(100 * t),
      "aria-valuetext": isPositions ? `position ${Math.round(POSITIONS * t)}` : `${Math.round(100 * t)}%`,
    });
  }

  scrub(event) {
    this.endBeat?.();
    this.endPlay?.();
    const { left, width } = boxOf(event.currentTarget);
    this.at(Math.min(1, Math.max(0, (event.clientX / enlarged(event.currentTarget) - left) / width)), 1);
  }

  nudge(event) {
    const to = inRow(event, Math.round(POSITIONS * this.t), POSITIONS + 1);
    if (to === null) return;
    this.endPlay?.();
    this.at(to / POSITIONS, 1);
  }

  play(milliseconds) {
    this.endPlay?.();
    if (still()) return;
    // Drawings slow down towards their rest; dots wait for a moment, and then go.
    const frame = (share) => this.at(RESTING * share * (2 - share), Math.min(1, Math.max(0, 1.6 * share - 0.5)));
    this.endPlay = tween(milliseconds, frame);
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
  }
}

export default mount(".two-blocks", TwoBlocks);
