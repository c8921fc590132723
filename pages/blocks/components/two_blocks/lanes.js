// The losses of trainings as dots, a lane for each part: all on one axis, which is cut to the data and on which less is
// further right. Dots lie on 2017's mean, unseen, until their part is tried. The band is what cannot be told from it.

import { capital, el, fixed, put, write } from "../../../../attention_view/lab.js";

const ROOM = 0.05; // of the range of the data, free at either end
const MIDDLE = 0.5; // of the axis: where 2017 lies further right, words lie left of it
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

export const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where a loss lies on the axis of these losses, as a share of its length. */
export function axisOf(losses) {
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const room = ROOM * (high - low || 1);
  return (loss) => (high + room - loss) / (high - low + 2 * room);
}

/** The round numbers among these losses at which the axis is marked, seven at most. */
export function marksIn(losses) {
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? (high - low) / 6;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, n) =>
    Number(((first + n) * step).toFixed(4)),
  );
}

/** A mark in as few digits as tell it from its neighbours. */
export const writtenMark = (mark, marks) => fixed(mark, marks.every((one) => one === Number(one.toFixed(1))) ? 1 : 2);

/** Names of parts, those first whose mean lies furthest from that of 2017's runs. */
export function byChange(stops, seeds) {
  const far = ({ losses }) => (losses?.length ? Math.abs(mean(losses) - mean(seeds)) : 0);
  return [...stops].sort((a, b) => far(b) - far(a)).map(({ name }) => name);
}

const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

/** An element at this share of the axis. */
function standing(node, share) {
  node.style.left = percentOf(share);
  return node;
}

export class Lanes {
  constructor() {
    this.own = el("span.own", { "aria-hidden": "true" });
    this.is2017 = el("b");
    this.above = el(
      "div.above",
      this.own,
      this.is2017,
      el("span", "less surprised", el("i", " by the next word"), " →"),
    );
    this.field = el("div.field", el("i.band"), el("i.base"));
    this.marks = el("div.marks", { "aria-hidden": "true" });
    this.lanes = new Map();
  }

  /** tried: stops that were;  shown: the name of the one that is swapped now */
  show({ of_2017: seeds, margin, stops }, tried, shown) {
    const base = mean(seeds),
      all = [...seeds, base - margin, base + margin, ...stops.flatMap(({ losses }) => losses ?? [])];
    const at = axisOf(all);
    for (const [name, loss] of Object.entries({ low: base + margin, base, high: base - margin }))
      this.field.parentNode.style.setProperty(`--${name}`, percentOf(at(loss)));
    this.field.parentNode.classList.toggle("late", at(base) > MIDDLE);
    write(this.is2017, `2017: ${fixed(base)}`);
    this.own.replaceChildren(...seeds.map((loss) => standing(el("i.dot"), at(loss))));
    this.marks.replaceChildren(
      el("span", "loss"),
      ...marksIn(all).map((mark, _, marks) => standing(el("b", writtenMark(mark, marks)), at(mark))),
    );
    const names = stops.map(({ name }) => name);
    for (const [name, { node }] of this.lanes)
      if (!names.includes(name)) {
        node.remove();
        this.lanes.delete(name);
      }
    for (const stop of stops) this.run(stop, { at, seeds, isTried: tried.includes(stop), isNow: stop.name === shown });
  }

  /** One lane. */
  run(stop, { at, seeds, isTried, isNow }) {
    const { name, title, ways, verdict } = stop,
      losses = stop.losses ?? [],
      base = mean(seeds);
    if (!this.lanes.has(name)) {
      const lane = { reach: el("i.reach"), dots: el("span.dots"), told: el("b.told") };
      lane.node = el("div.lane", { role: "img", "data-name": name }, lane.reach, lane.dots, lane.told);
      this.field.append(lane.node);
      this.lanes.set(name, lane);
    }
    const { node, reach, dots, told } = this.lanes.get(name);
    if (dots.childElementCount !== losses.length) {
      dots.replaceChildren(...losses.map(() => standing(el("i.dot"), at(base))));
      void dots.offsetWidth; // they set out from there
    }
    for (const [n, loss] of losses.entries()) standing(dots.children[n], at(isTried ? loss : base));
    const [from, to] = [base, isTried && losses.length ? mean(losses) : base].map(at).sort((a, b) => a - b);
    Object.assign(reach.style, { left: percentOf(from), width: percentOf(to - from) });
    write(told, isTried ? `${name === "all" ? title : capital(ways[1])}: ${verdict}` : "");
    node.classList.toggle("tried", isTried);
    node.classList.toggle("now", isNow);
    node.classList.toggle("clear", stop.clear);
    const runs = losses.length ? `; losses of its runs ${losses.map((loss) => loss.toFixed(3)).join(", ")}` : "";
    put(node, { "aria-label": isTried ? `${title}, ${ways[1]}: ${verdict}${runs}` : `${title}: not tried` });
  }

  /** Each lane beside its part, or below it; boxes: of parts, by name. */
  place(boxes, below) {
    for (const [name, { node }] of this.lanes) {
      const { y, h } = boxes[name];
      Object.assign(node.style, {
        height: `${below || h}px`,
        transform: `translateY(${below ? y + h : y}px)`,
      });
    }
    this.field.parentNode.style.setProperty("--inset", `${below ? boxes.norm.x : 0}px`);
  }
}
