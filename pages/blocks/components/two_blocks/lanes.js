// The losses of trainings as dots, a lane for each change: all on one axis, which is cut to the data and on which less
// is further right. Dots lie on 2017's mean, unseen, until their change is tried. The bar is their mean: it is judged.

import { el, put, write } from "../../../../attention_view/lab.js";

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

/** The round numbers among these at which an axis is marked, seven at most. */
export function marksIn(numbers) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? (high - low) / 6;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from({ length: Math.floor(high / step + 1e-9) - first + 1 }, (_, n) =>
    Number(((first + n) * step).toFixed(4)),
  );
}

/** Names of parts, those first whose mean lies furthest from that of 2017's runs. */
export function byChange(stops, seeds) {
  const far = ({ losses }) => (losses?.length ? Math.abs(mean(losses) - mean(seeds)) : 0);
  return [...stops].sort((a, b) => far(b) - far(a)).map(({ name }) => name);
}

export const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

/** An element at this share of the axis. */
export function standing(node, share) {
  node.style.left = percentOf(share);
  return node;
}

export class Lane {
  constructor() {
    this.reach = el("i.reach");
    this.dots = el("span.dots");
    this.mean = el("i.mean");
    this.told = el("b.told");
    this.node = el("div.lane", { role: "img" }, this.reach, this.dots, this.mean, this.told);
  }

  show({ says, term, verdict, losses }, seeds, at, isTried) {
    const [runs, base] = [losses ?? [], mean(seeds)];
    if (this.dots.childElementCount !== runs.length) {
      this.dots.replaceChildren(...runs.map(() => standing(el("i.dot"), at(base))));
      void this.dots.offsetWidth; // they set out from there
    }
    for (const [n, loss] of runs.entries()) standing(this.dots.children[n], at(isTried ? loss : base));
    const to = isTried && runs.length ? mean(runs) : base;
    standing(this.mean, at(to)).hidden = !runs.length;
    const [left, right] = [base, to].map(at).sort((a, b) => a - b);
    Object.assign(this.reach.style, { left: percentOf(left), width: percentOf(right - left) });
    this.node.classList.toggle("late", at(base) > MIDDLE);
    write(this.told, isTried ? verdict : "");
    const each = runs.length ? `; losses of its runs ${runs.map((loss) => loss.toFixed(3)).join(", ")}` : "";
    put(this.node, { "aria-label": isTried ? `${term || says}: ${verdict}${each}` : `${says}: not tried` });
  }
}
