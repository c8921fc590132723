// One part of a block, as it was built in 2017 and as it is today. The dark button, or the drawing itself, puts one in
// the place of the other, and the losses of the models that were trained so move. A strip leads to the other parts.

import { boxOf, el, mirror, mount, put, rewrite, still, windowHeight, write } from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";
import { paint, picture } from "./drawings.js";

const PLAYS = 2600; // ms for which a drawing moves
const PATIENCE = 4000; // ms in which a press holds against the answer to an earlier one
const RESTING = 0.8; // of its way, where a drawing rests
const AROUND = 156; // pixels above the figure
const LEAST = 470;

/** Where a loss stands between the lowest and the highest, from 0 to 1. */
export function scaleOf([low, high]) {
  return (loss) => (high > low ? Math.min(1, Math.max(0, (loss - low) / (high - low))) : 0.5);
}

/** Which stop an arrow key leads to; null where it leads nowhere. */
export function beside(key, n, count) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
  return by ? (n + by + count) % count : null;
}

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const inPercent = (share) => `${(100 * share).toFixed(1)}%`;

/** Losses on an axis, a dot per seed: those of 2017 stay below it, those of the block that is in stand on it. */
class Axis {
  constructor() {
    this.value = el("b");
    this.band = el("i.band");
    this.before = el("span");
    this.dots = el("span.dots");
    this.first = el("small.first");
    const better = el("small.better", "← lower is better");
    this.node = el("div.axis", el("span.line", this.band, this.before, this.dots), better, this.first);
  }

  paint(seeds, losses, at) {
    const [low, high] = [Math.min(...seeds), Math.max(...seeds)].map(at);
    put(this.band, { style: `left:${inPercent(low)};width:${inPercent(high - low)}` });
    const place = (loss) => `left:${inPercent(at(loss))}`;
    this.before.replaceChildren(...seeds.map((loss) => el("i.dot.was", { style: place(loss) })));
    while (this.dots.children.length < seeds.length) this.dots.append(el("i.dot"));
    // Each seed has its dot, which goes from the one block to the other.
    for (const [n, dot] of [...this.dots.children].entries()) {
      dot.hidden = losses?.[n] === undefined;
      if (!dot.hidden) put(dot, { style: place(losses[n]) });
    }
    write(this.value, losses?.length ? mean(losses).toFixed(3) : losses ? "diverged" : "not trained");
    write(this.first, `2017: ${mean(seeds).toFixed(3)}`);
    put(this.first, { style: `left:${inPercent(Math.min(0.93, at(mean(seeds))))}` });
  }
}

class TwoBlocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("blocks_pair", this.stop.name, this.isIn ? "" : this.data.usual), 100);
    this.strip = el("div.strip", { role: "radiogroup", "aria-label": "Parts of a layer" });
    this.strip.onkeydown = (event) => this.step(event);
    this.cards = [0, 1].map((n) => this.card(n));
    this.pair = el("div.pair", ...this.cards.map(({ node }) => node));
    this.act = el("button.primary", { onclick: () => this.become(this.stop.name, !this.isIn) });
    this.axis = new Axis();
    this.where = el("small");
    this.verdict = el("p.verdict");
    this.cost = el("p.cost");
    const loss = el("p.loss", el("span", "loss"), this.axis.value, this.where);
    const says = { "aria-live": "polite" };
    this.result = el("section.result", says, loss, this.act, this.axis.node, this.verdict, this.cost);
    root.replaceChildren(this.strip, this.pair, this.result);
    this.tried = new Set();
    this.t = RESTING;
    this.resized = () => this.size();
  }

  /** One way to build the part in view: pressed, it is in; the pointer in it sets the moment that is drawn. */
  card(n) {
    const card = { when: el("small.when"), name: el("b"), drawn: el("span.drawn"), note: el("span.note") };
    card.node = el(
      "button.card",
      { onclick: () => this.become(this.stop.name, n === 1), onpointermove: (event) => this.scrub(event) },
      el("span.head", card.when, card.name),
      card.drawn,
      card.note,
    );
    return card;
  }

  update(data, { setTriggerValue }) {
    this.send = (press) => setTriggerValue("press", press);
    const isFirst = !this.data;
    this.data = data;
    const { waits } = this;
    // The answer to an earlier press may come after a later one: that one holds until its own answer is there.
    const isOld = waits && performance.now() < waits.until && (waits.shown !== data.shown || waits.isIn !== data.is_in);
    const isThere = data.stops.some(({ name }) => name === this.shown); // a stop may go with the way that was in it
    if (!isOld || !isThere) Object.assign(this, { shown: data.shown, isIn: data.is_in, waits: null });
    this.show();
    this.size();
    this.link.later();
    this.root.dataset.painted = "true";
    if (isFirst)
      this.endBeat = firstBeat(
        "pair",
        PLAYS,
        () => this.play(),
        () => {},
      );
  }

  destroy() {
    this.endBeat?.();
    cancelAnimationFrame(this.frame);
  }

  // ---- what is pressed --------------------------------------------------------------------------------------------

  become(shown, isIn) {
    if (shown === this.shown && isIn === this.isIn) return;
    Object.assign(this, { shown, isIn, waits: { shown, isIn, until: performance.now() + PATIENCE } });
    this.show();
    this.play();
    this.send(`${shown} ${isIn ? "in" : "out"}`);
  }

  step(event) {
    const { stops } = this.data;
    const to = beside(
      event.key,
      stops.findIndex(({ name }) => name === this.shown),
      stops.length,
    );
    if (to === null) return;
    event.preventDefault();
    this.become(stops[to].name, false);
    this.strip.children[to].focus();
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  get stop() {
    return this.data.stops.find(({ name }) => name === this.shown) ?? this.data.stops[0];
  }

  show() {
    const { stop, isIn, data } = this;
    const one = typeof stop.kinds[0] === "string";
    const side = isIn ? stop.side : data.of_2017;
    if (isIn) this.tried.add(stop.name);
    this.root.dataset.shown = stop.name;
    this.root.dataset.in = String(isIn);
    this.showStrip();
    this.cards.forEach((card, n) => {
      write(card.when, one ? ["2017", stop.when][n] : "");
      write(card.name, stop.ways[n]);
      write(card.note, stop.notes[n]);
      put(card.node, { "aria-pressed": String(isIn === Boolean(n)) });
      this.furnish(card, stop.kinds[n]);
    });
    const other = !one ? stop.title.toLowerCase() : stop.when === "today" ? "today’s" : stop.when;
    write(this.act, isIn ? "Put 2017’s back" : `Put ${other} in`);
    this.axis.paint(data.of_2017.losses, side.losses, scaleOf(data.range));
    write(this.where, side.losses?.length ? `after training, ${data.trained_width} wide` : "");
    write(this.verdict, side.verdict);
    const costs = side.effects.flatMap(({ name, number, growth }, n) => [
      n ? " · " : `Cost of one block, ${data.counted_width} wide: `,
      el("b", number),
      ` ${name}`,
      growth ? el("b", ` (${growth})`) : "",
    ]);
    rewrite(this.cost, ...costs.filter((part) => part !== ""));
    this.draw();
  }

  showStrip() {
    const { stops } = this.data;
    const made = String(stops.map(({ name }) => name));
    const isLost = made !== this.made && this.strip.matches(":focus-within"); // the button with the focus goes
    if (made !== this.made) {
      this.made = made;
      const names = stops.map(({ name }) => {
        const [heading, result] = [el("span"), el("small")];
        const button = el("button", { role: "radio", "data-name": name }, heading, result);
        button.onclick = () => this.become(name, name === this.shown && this.isIn);
        return Object.assign(button, { heading, result });
      });
      this.strip.replaceChildren(...names);
    }
    for (const [n, { name, title, change, is_clear: isClear }] of stops.entries()) {
      const button = this.strip.children[n];
      const isShown = name === this.stop.name;
      write(button.heading, title);
      put(button, { "aria-checked": String(isShown), tabindex: isShown ? "0" : "-1" });
      button.classList.toggle("in", this.isIn && isShown);
      const isTried = this.tried.has(name) && change;
      write(button.result, isTried ? change : "");
      put(button.result, {
        class: isClear ? "clear" : "",
        title: isTried && !isClear ? "no more than seeds differ" : "",
      });
      if (isLost && isShown) button.focus();
    }
  }

  /** The pictures of a card: one of a part, or one for each part of a whole block. */
  furnish(card, kinds) {
    const all = [kinds].flat();
    if (String(card.kinds) === String(all)) return;
    card.kinds = all;
    card.pictures = all.map(() => picture());
    const each = (n) => (all.length > 1 ? el("span", card.pictures[n], el("small", all[n])) : card.pictures[n]);
    card.drawn.replaceChildren(...all.map((_, n) => each(n)));
    card.drawn.classList.toggle("many", all.length > 1);
  }

  // ---- the drawings -----------------------------------------------------------------------------------------------

  draw() {
    for (const { kinds, pictures } of this.cards) kinds.forEach((kind, n) => paint(pictures[n], kind, this.t));
  }

  scrub(event) {
    cancelAnimationFrame(this.frame);
    const { left, width } = boxOf(event.currentTarget);
    this.t = Math.min(1, Math.max(0, (event.clientX / (event.currentTarget.currentCSSZoom ?? 1) - left) / width));
    this.draw();
  }

  play() {
    cancelAnimationFrame(this.frame);
    if (still()) return;
    const start = performance.now();
    const tick = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / PLAYS));
      this.t = RESTING * share * (2 - share);
      this.draw();
      if (share < 1) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  size() {
    this.root.style.setProperty("--tall", `${Math.max(LEAST, Math.min(960, windowHeight(this.root) - AROUND))}px`);
  }
}

export default mount(".two-blocks", TwoBlocks);
