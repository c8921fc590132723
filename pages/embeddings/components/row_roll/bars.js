// A row that was pulled out: eight of its numbers as bars that one can read, and below them all of it.

import { el, fixed, svg, write } from "../../../../attention_view/lab.js";
import { many } from "./rolling.js";

export const SHOWN = 8;
const WIDE = 300;
const [ROOMY, FLAT] = [
  [216, 92],
  [112, 40],
]; // how tall the eight are, and all of them: beside the roll, and below it
const [TOP, THICK] = [20, 26]; // room for a number above and below, and how wide a bar is

/** From where to where a bar goes: {y, height} with zero at `zero`, of a number that is at most `largest`. */
export function bar(x, largest, zero, reach) {
  const height = (Math.min(1, Math.abs(x) / largest) || 0) * reach;
  return { y: x < 0 ? zero : zero - height, height };
}

export class Bars {
  constructor() {
    this.eight = svg("svg", { class: "eight", role: "img" });
    this.sky = svg("svg", { class: "sky", "aria-hidden": "true" });
    this.more = el("p.more");
    this.name = el("p.equals");
    this.kept = el("p.kept");
    this.node = el("div.row", this.name, el("div.numbers", this.eight, this.sky, this.more), this.kept);
    this.sky.onpointermove = (event) => this.point(event);
    this.sky.onpointerleave = () => this.read();
  }

  /** values: of the row; scales: the largest of the eight, and of all; isExact: whether its numbers may be written */
  draw(values, scales, d, isExact, isFlat) {
    Object.assign(this, { values, d, isExact });
    const [tall, sky] = isFlat ? FLAT : ROOMY;
    this.eight.setAttribute("viewBox", `0 0 ${WIDE} ${tall}`);
    this.sky.setAttribute("viewBox", `0 0 ${WIDE} ${sky}`);
    const n = Math.min(SHOWN, values.length);
    const [zero, step] = [tall / 2, WIDE / n];
    const marks = [svg("line", { x1: 0, x2: WIDE, y1: zero, y2: zero })];
    for (let k = 0; k < n; k++) {
      const x = values[k];
      const { y, height } = bar(x, scales[0], zero, zero - TOP);
      const sign = x < 0 ? "negative" : "positive";
      const wide = Math.min(step - 8, THICK);
      marks.push(svg("rect", { class: sign, x: step * (k + 0.5) - wide / 2, width: wide, y, height }));
      const text = { class: "middle", x: step * (k + 0.5), y: x < 0 ? y + height + 15 : y - 6 };
      if (isExact) marks.push(svg("text", text, fixed(x, 2)));
    }
    this.eight.replaceChildren(...marks);
    const numbers = Array.from(values.slice(0, n), (x) => fixed(x, 2)).join(", ");
    const first = n === 1 ? "Its one number" : n < d ? `The first ${n} of its ${d} numbers` : `Its ${n} numbers`;
    this.eight.setAttribute("aria-label", isExact ? `${first}: ${numbers}` : `${first}, as bars`);
    this.drawAll(scales[1], sky);
    this.read();
  }

  drawAll(largest, tall) {
    const { values, d, sky } = this;
    sky.toggleAttribute("hidden", d <= SHOWN);
    const [zero, step] = [tall / 2, WIDE / values.length];
    const marks = Array.from(values, (x, k) => {
      const { y, height } = bar(x, largest, zero, zero - 2);
      const tone = x < 0 ? "negative" : "positive";
      return svg("rect", { class: k < SHOWN ? `${tone} first` : tone, x: step * k, width: 0.8 * step, y, height });
    });
    const cut = step * SHOWN;
    const mark = svg("path", { class: "mark", d: `M${0.5},0V${tall}M${cut - 0.1 * step},0V${tall}` });
    sky.replaceChildren(svg("line", { x1: 0, x2: WIDE, y1: zero, y2: zero }), ...marks, mark);
  }

  point(event) {
    const box = this.sky.getBoundingClientRect();
    const n = this.values.length;
    const k = Math.max(0, Math.min(n - 1, Math.floor(((event.clientX - box.left) / box.width) * n)));
    this.read(this.isExact ? `number ${k + 1}: ${fixed(this.values[k], 4)}` : undefined);
  }

  /** Whose row it is; kept: how many of its numbers are as they were under its old id, null where it has that. */
  say(label, isStrange, kept) {
    const enters = isStrange ? "would enter" : "enters";
    const numbers = `${many(this.d)} number${this.d === 1 ? "" : "s"}`;
    this.name.replaceChildren(el("b", "“", el("bdi", label), "”"), ` ${enters} the model as ${numbers}`);
    write(this.kept, kept === null ? "" : `${many(kept)} of ${numbers} are as before.`);
  }

  /** The number under the pointer, or how many there are beside the eight. */
  read(text) {
    const more = this.d - SHOWN;
    write(this.more, text ?? (more > 0 ? `+${many(more)} more` : ""));
  }
}
