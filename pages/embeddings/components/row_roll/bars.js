// A row that was pulled out: all of its numbers as bars, and on them, as an outline, the row that came out before.

import { el, fixed, strength, svg, write } from "../../../../attention_view/lab.js";
import { many } from "./rolling.js";

const FIRST = 8; // numbers that are read out
const [WIDE, TALL] = [1000, 300]; // units of the picture, which is stretched to the room that there is

/** From where to where a bar goes: {y, height} with zero at `zero`, of a number that is at most `largest`. */
export function bar(x, largest, zero, reach) {
  const height = (Math.min(1, Math.abs(x) / largest) || 0) * reach;
  return { y: x < 0 ? zero : zero - height, height };
}

/** How many numbers two rows have in common, place by place. */
export const alike = (one, other) => one.reduce((n, x, k) => n + (x === other[k]), 0);

export class Bars {
  constructor() {
    this.sky = svg("svg", { class: "sky", role: "img", viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none" });
    this.more = el("p.more");
    this.name = el("p.equals");
    this.node = el("div.row", this.name, this.sky, this.more);
    this.sky.onpointermove = (event) => this.point(event);
    this.sky.onpointerleave = () => write(this.more, this.said);
  }

  /** values: of the row; d: how many numbers there are; isExact: whether they may be written;
   * before: {label, values} of the row that came out before, if any */
  draw(values, d, isExact, before) {
    Object.assign(this, { values, d, isExact });
    const largest = Math.max(...[...values, ...(before?.values ?? [])].map(Math.abs));
    const step = WIDE / values.length;
    const zero = TALL / 2;
    const marks = Array.from(values, (x, k) => {
      const { y, height } = bar(x, largest, zero, zero - 4);
      return svg("rect", { class: x < 0 ? "negative" : "positive", x: step * k, width: 0.86 * step, y, height });
    });
    const stripes = Array.from(values, (x, k) => {
      const d = `M${step * k},0v${TALL}h${0.86 * step}V0z`;
      return svg("path", { class: x < 0 ? "negative" : "positive", d, opacity: strength(Math.abs(x) / largest) });
    });
    const ghost = [];
    if (before) {
      const tops = Array.from(
        before.values,
        (x) => zero - (Math.sign(x) * bar(x, largest, zero, zero - 4).height || 0),
      );
      ghost.push(svg("path.ghost", { d: `M0,${zero}${tops.map((y, k) => `V${y}H${step * (k + 1)}`).join("")}` }));
    }
    this.fallen = svg("g.bars", ...marks);
    this.sky.replaceChildren(svg("g.stripes", ...stripes), this.fallen, ...ghost);
    const numbers = Array.from(values.slice(0, FIRST), (x) => fixed(x, 2)).join(", ");
    this.sky.setAttribute(
      "aria-label",
      isExact ? `${many(d)} numbers as bars: ${numbers} …` : `${many(d)} numbers as bars`,
    );
    this.said = before ? `Outline: “${before.label}”, which came out before.` : "";
    write(this.more, this.said);
  }

  /** The bars hang so far above their place, in heights of the picture. */
  lift(share) {
    this.fallen?.setAttribute("transform", `translate(0 ${-TALL * share})`);
  }

  point(event) {
    const box = this.sky.getBoundingClientRect();
    const n = this.values.length;
    const k = Math.max(0, Math.min(n - 1, Math.floor(((event.clientX - box.left) / box.width) * n)));
    if (this.isExact) write(this.more, `number ${k + 1}: ${fixed(this.values[k], 4)}`);
  }

  /** Whose row it is. */
  say(label, isStrange) {
    const enters = isStrange ? "would enter" : "enters";
    const numbers = `${many(this.d)} number${this.d === 1 ? "" : "s"}`;
    this.name.replaceChildren(el("b", "“", el("bdi", label), "”"), ` ${enters} the model as ${numbers}`);
  }
}
