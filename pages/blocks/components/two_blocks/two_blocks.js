// A tower of layers of 2017. It is pulled up, and beside it stands how many next words so tall a model gets right, and
// what it writes. Changes since then are dragged into the tower: which of them saves a tall one?

import {
  boxOf,
  capital,
  counted,
  el,
  mirror,
  mount,
  numeral,
  param,
  pointIn,
  put,
  still,
  svg,
  wholeParam,
  windowHeight,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow } from "../../../../attention_view/controls.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { picture } from "./drawings.js";
import { drawChart } from "./chart.js";
import { ALL, fails, nearest, said, stepped, summary } from "./said.js";

const BEAT = 2000; // ms of the first beat
const AROUND = 232; // pixels above and below the tower
const [LOWEST, TALLEST, ON_A_PHONE] = [44, 96, 30]; // pixels of a layer
const NARROW = 760;
const STILL = 4; // pixels that a pointer may move while it presses
const CLIMB = 260; // ms per layer where the button pulls
const [CHART, DEEP] = ["chart", "deep"]; // in links: 2017's block; the same in the tallest tower

export class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("blocks_pair", this.part || CHART, this.data.own ? null : CHART);
      put("blocks_tall", this.tall, this.data.usual);
    }, 100);
    this.finding = el("p.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.goOn() });
    this.headline = el("div.headline", this.finding, this.act);
    this.handle = el("button.handle", {
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": "Layers",
      "aria-valuemin": 1,
      onkeydown: (event) => this.climb(event),
    });
    this.floors = el("div.floors");
    this.chart = svg("svg.chart", { role: "img" });
    this.stack = el(
      "div.stack",
      { onpointerdown: (event) => event.button || this.hold(event) },
      this.floors,
      this.chart,
      this.handle,
    );
    this.text = el("p.text");
    this.how = el("p.how");
    this.hand = el("div.hand", { role: "group", "aria-label": "Changes since 2017" });
    this.hand.onkeydown = (event) => this.step(event);
    this.beside = el("div.beside", this.text, this.how, this.hand);
    root.replaceChildren(this.headline, el("div.bench", this.stack, this.beside));
    this.resized = () => this.size();
    this.beat = [() => (root.dataset.beat = "pair"), () => delete root.dataset.beat];
    this.reached = new Map(); // by change: how tall its tower was pulled
  }

  update(data) {
    const { data: before } = this;
    this.data = data;
    const asked = param("blocks_pair");
    const known = data.stops.map(({ name }) => name);
    if (!before || before.own !== data.own) {
      const tall = wholeParam("blocks_tall", this.top + 1) || (asked === DEEP ? this.top : data.usual);
      const part = before || ![CHART, DEEP, ...known].includes(asked) ? data.own : asked;
      this.become(known.includes(part) ? part : "", before ? this.tall : tall);
    } else this.become(this.stop ? this.part : data.own, this.tall); // trained in other heights, perhaps
    this.hasMoved ??= this.part !== "" || this.tall !== data.usual;
    this.size();
    this.link.later();
    this.root.dataset.painted = "true";
    if (!before && !this.hasMoved) this.endBeat = firstBeat("pair", BEAT, ...this.beat);
  }

  // ---- what stands there ------------------------------------------------------------------------------------------

  get top() {
    return this.data.stops[0].heights.length;
  }

  get stop() {
    return this.data.stops.find(({ name }) => name === this.part);
  }

  get run() {
    return this.stop.heights[this.tall - 1];
  }

  /** The changes of which nothing is known yet in the tallest tower; all at once come last. */
  get untried() {
    return this.data.stops.filter(({ name, heights }) => name && heights.at(-1) && this.reached.get(name) !== this.top);
  }

  /** The tower with this change in it, so tall, or as tall as it was trained. */
  become(part, tall) {
    this.part = part;
    this.tall = nearest(this.stop.heights, tall);
    this.reached.set(part, Math.max(this.reached.get(part) ?? 0, this.tall));
  }

  turn(part, tall = this.tall) {
    if (part === this.part && tall === this.tall) return;
    this.hasMoved = true;
    this.become(part, tall);
    this.show();
    this.link.later();
  }

  /** The dark button pulls the tower up, puts the next change into it, and takes it down again. */
  goOn() {
    this.endBeat?.();
    clearTimeout(this.climbing);
    const [next] = this.untried;
    if (this.canRise) this.rise();
    else if (next) this.turn(next.name, this.top);
    else {
      this.reached.clear();
      this.become(this.data.own, this.data.usual);
      this.hasMoved = false;
      this.show();
      this.link.later();
    }
  }

  /** Whether the tower stands lower than it was trained, and that is worth a look. */
  get canRise() {
    const isNews = this.reached.get("") < this.top || this.untried.length > 0;
    return isNews && this.tall < this.top && Boolean(this.stop.heights.at(-1));
  }

  rise() {
    const { tall } = this;
    this.turn(this.part, still() ? this.top : stepped(this.stop.heights, this.tall, 1));
    if (this.tall > tall && this.tall < this.top) this.climbing = setTimeout(() => this.rise(), CLIMB);
  }

  destroy() {
    clearTimeout(this.climbing);
  }

  get offer() {
    const [next] = this.untried;
    if (this.canRise) return `Pull it up to ${numeral(this.top)}`;
    if (!next) return "Start over";
    return next.name === ALL ? "All of today’s" : this.part ? "Try the next change" : "Try a change";
  }

  // ---- the hands --------------------------------------------------------------------------------------------------

  /** The top of the tower follows the pointer. */
  hold(event) {
    clearTimeout(this.climbing);
    this.endBeat?.();
    event.preventDefault();
    this.handle.focus({ preventScroll: true });
    const move = (to) => {
      const [, y] = pointIn(to, this.floors);
      const tall = Math.round((boxOf(this.floors).height - y) / this.tallOne);
      this.turn(this.part, Math.max(1, Math.min(this.top, tall)));
    };
    if (event.target !== this.handle) move(event);
    this.endDrag = drag(move, () => {});
  }

  climb(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[event.key];
    const to = by ? stepped(this.stop.heights, this.tall, by) : { Home: 1, End: this.top }[event.key];
    if (!to) return;
    event.preventDefault();
    this.turn(this.part, to);
  }

  /** A change follows the pointer; while it is over the tower, it is in it, and where it is let go there, it stays. */
  grasp(event, name) {
    if (event.button) return;
    clearTimeout(this.climbing);
    const [node, before] = [event.currentTarget, this.part === name ? "" : this.part];
    const [x, y] = pointIn(event, this.root);
    this.moved = false;
    const move = (to) => {
      const [dx, dy] = pointIn(to, this.root).map((at, n) => at - [x, y][n]);
      this.moved ||= Math.hypot(dx, dy) > STILL;
      if (!this.moved) return;
      node.classList.add("held");
      node.style.translate = `${dx}px ${dy}px`;
      const [across, down] = pointIn(to, this.stack);
      const { width, height } = boxOf(this.stack);
      const isIn = across > 0 && across < width && down > 0 && down < height;
      this.turn(isIn ? name : before);
    };
    this.endDrag = drag(move, () => {
      node.classList.remove("held");
      node.style.removeProperty("translate");
      setTimeout(() => (this.moved = false)); // after the click that ends it
    });
  }

  touch(name) {
    if (!this.moved) this.turn(this.part === name ? "" : name);
  }

  step(event) {
    const buttons = [...this.hand.children];
    const to = inRow(event, buttons.indexOf(event.target.closest("button")), buttons.length);
    if (to !== null) buttons[to].focus();
  }

  /** A layer: each of its two parts beside the stream, and its norm. */
  floor() {
    const sub = (part) => el("div.sub", { "data-is": part }, el("i.norm"), el("i.box", part.replace("_", "-")));
    return el("div.floor", sub("feed_forward"), sub("attention"));
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  show() {
    const { data, stop, run, tall } = this;
    this.cards();
    const { dealt } = this;
    write(
      this.finding,
      this.isOver ? summary(data) : said(data, stop, tall, this.hasMoved, dealt.length === 1 && dealt[0]),
    );
    write(this.act, this.offer);
    write(this.how, stop.says);
    this.text.replaceChildren(el("span", data.opening), " ", el("b", run?.written ?? "…"));
    this.root.classList.toggle("fails", Boolean(run) && fails(run, data));
    put(this.stack, { "data-kind": stop.kind }); // the new ways, of which the sheet draws each
    [...this.floors.children].forEach((floor, n) => floor.classList.toggle("up", n < tall));
    this.handle.style.bottom = `${tall * this.tallOne + this.foot}px`;
    put(this.handle, { "aria-valuemax": this.top, "aria-valuenow": tall, "aria-valuetext": counted(tall, "layer") });
    write(this.handle, `${capital(numeral(tall))} layer${tall > 1 ? "s" : ""}`);
    drawChart(this.chart, this);
  }

  /** Whether all was tried in the tallest tower, and the last thing still stands there. */
  get isOver() {
    const [last] = this.data.stops.filter(({ heights }) => heights.at(-1)).slice(-1);
    return !this.untried.length && this.tall === this.top && this.part === last.name;
  }

  /** The changes that lie there: none until the tower was pulled up all the way, then one; all once one was tried. */
  get dealt() {
    const cards = this.data.stops.filter(({ name, says }) => name && (name !== ALL || says === "Your block"));
    if (this.data.own || [...this.reached.keys()].some(Boolean)) return cards;
    return this.reached.get("") === this.top ? cards.slice(0, 1) : [];
  }

  cards() {
    const { dealt: stops } = this;
    const drawn = JSON.stringify(stops.map(({ name, kind, term }) => [name, kind, term]));
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.hand.replaceChildren(...stops.map((stop) => this.card(stop)));
    }
    this.beside.classList.toggle("few", stops.length < 2);
    for (const card of this.hand.children) {
      put(card, { "aria-pressed": String(card.dataset.name === this.part) });
      card.classList.toggle("in", this.part === ALL && card.dataset.name !== ALL);
    }
  }

  card({ name, kind, term, says, was }) {
    const hands = { onclick: () => this.touch(name), onpointerdown: (event) => this.grasp(event, name) };
    return el(
      "button.card",
      { "data-name": name, title: says, ...hands },
      picture(kind),
      el("b", term),
      el("small", was),
    );
  }

  size() {
    if (!this.data) return;
    const { stops } = this.data;
    const isNarrow = this.root.clientWidth < NARROW;
    const all = stops.flatMap((stop) => stop.heights.map((run, n) => run && said(this.data, stop, n + 1, true)));
    steady(this.headline, [...all.filter(Boolean), summary(this.data)], ["Try the next change"]);
    const grown = this.headline.offsetHeight - this.act.offsetHeight;
    const room = (windowHeight(this.root) - AROUND - grown) / (this.top + 1);
    this.tallOne = isNarrow ? ON_A_PHONE : Math.floor(Math.max(LOWEST, Math.min(TALLEST, room)));
    this.foot = 52;
    this.root.style.setProperty("--floor", `${this.tallOne}px`);
    if (this.floors.childElementCount !== this.top)
      this.floors.replaceChildren(...Array.from({ length: this.top }, () => this.floor()));
    this.show();
  }
}

export default mount(".two-blocks", TwoBlocks);
