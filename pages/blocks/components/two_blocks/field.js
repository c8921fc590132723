// The axis of loss with the band of luck, the runs on its ground, and the flag of a bet.

import { boxOf, el, fixed, pointIn, put } from "../../../../attention_view/lab.js";
import { axisOf, markOf, marksIn, mean } from "./axis.js";

const percentOf = (share) => `${(100 * share).toFixed(2)}%`;

export class Field {
  constructor() {
    this.luck = el("div.luck", el("b", "luck"), el("span", "the same block of 2017, three runs"));
    this.flag = el("div.flag", el("b", "your bet"));
    this.own = el("div.runs.own");
    this.runs = el("div.runs");
    this.marks = el("div.marks", { "aria-hidden": "true" });
    const parts = [this.luck, this.flag, el("i.ground"), this.own, this.runs, this.marks];
    this.node = el("div.field", { role: "img" }, ...parts);
  }

  /** The axis of these losses and of 2017's own, its marks, and how far luck goes from their mean. */
  scale(losses, seeds, luck) {
    const base = mean(seeds);
    const all = [...seeds, base - luck, base + luck, ...losses];
    this.axis = axisOf(all);
    const [left, right] = [base + luck, base - luck].map(this.axis.at);
    Object.assign(this.luck.style, { left: percentOf(left), width: percentOf(right - left) });
    this.strew(this.own, seeds);
    const marks = marksIn(all.map((loss) => base - loss));
    this.marks.replaceChildren(...marks.map((gain) => el("b", markOf(gain, base))));
    for (const [n, gain] of marks.entries()) this.marks.children[n].style.left = percentOf(this.axis.at(base - gain));
    const said = `Runs of 2017’s block: ${seeds.map((loss) => fixed(loss)).join(", ")}. Right is better.`;
    put(this.node, { "aria-label": said });
  }

  strew(row, losses) {
    if (row.childElementCount !== losses.length) row.replaceChildren(...losses.map(() => el("i.run")));
    for (const [n, loss] of losses.entries()) row.children[n].style.left = percentOf(this.axis.at(loss));
  }

  /** The runs of what has this name fall one after the other, unless they lie there. */
  fall(name, losses) {
    if (this.fallen !== name) this.runs.replaceChildren();
    this.fallen = name;
    this.strew(this.runs, losses);
  }

  /** The flag of a bet on this loss, or of none. */
  point(loss) {
    this.flag.hidden = loss === undefined;
    if (loss !== undefined) this.flag.style.left = percentOf(this.axis.at(loss));
  }

  /** The loss under a pointer, if it is above the axis. */
  lossUnder(event) {
    const [x, y] = pointIn(event, this.node);
    const { width, height } = boxOf(this.node);
    return y > 0 && y < height && x >= 0 && x <= width ? this.axis.lossAt(x / width) : undefined;
  }
}
