// What comes of a training, drawn above its track by the hand that moves along it: how much of the attention is where
// the answer comes from, and how many answers are right.

import { el, put, svg } from "../../../../attention_view/lab.js";
import { sourceOf } from "./headline.js";
import { rightOf } from "./run.js";

const [TRACE_WIDE, TRACE_TALL] = [1000, 68]; // of the drawing, which is as wide as the track; pixels of its height
const NAME = 20; // that a name takes
const FINDS = 0.5; // of the attention: with more of it where the answer comes from, the model has found out

/** Heights of names beside points, no two of them nearer than a line. */
export function spread(heights) {
  const order = [...heights.keys()].sort((a, b) => heights[a] - heights[b]);
  const placed = [];
  let low = NAME / 2;
  for (const [n, at] of order.entries()) {
    const most = TRACE_TALL - NAME / 2 - (order.length - 1 - n) * NAME;
    placed[at] = Math.min(most, Math.max(low, heights[at]));
    low = placed[at] + NAME;
  }
  return placed;
}

export class Trace {
  constructor(film) {
    this.film = film;
    this.plot = svg("svg", {
      viewBox: `0 0 ${TRACE_WIDE} ${TRACE_TALL}`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    this.mark = el("span.finds");
    this.node = el("div.trace", this.plot);
    this.lines = [];
  }

  /** Of each run what came of it, and of one alone what it came from as well: [{ kind, name, steps, values }]. */
  told() {
    const { film } = this;
    const told = film.runs.flatMap((run, r) => {
      const { steps, curves, probes, script } = run;
      const [axes, [layer, head], right] = [film.axes(run), film.chosen(run), rightOf(run)];
      const where = sourceOf(film.kind, axes, probes[film.probe], script?.asked[film.probe]);
      const mass = film.mass(run).map((row) => row[layer * axes.heads[1] + head]);
      const cause = { kind: "cause", name: `attention on ${where}`, steps, values: mass };
      const counted = right && (right[2] === "right" ? `${right[1]} right` : `${right[2]} ${right[1]}`);
      const name = right && `${run.name ? `${run.name}: ` : ""}${counted}`;
      const effect = right && { kind: r ? "effect.b" : "effect", name, steps, values: curves[right[0]] };
      return film.runs.length > 1 && right ? [effect] : right ? [cause, effect] : [cause];
    });
    return told.filter(({ values }) => !values.some(Number.isNaN));
  }

  /** reached: the last step that was seen */
  paint(reached) {
    const told = this.told();
    if (told.map(({ kind }) => kind).join() !== this.lines.map(({ kind }) => kind).join()) this.build(told);
    const { step, last, timeline } = this.film;
    const x = (at) => (TRACE_WIDE * at) / last;
    const y = (value) => TRACE_TALL - 2 - (TRACE_TALL - 6) * value;
    const now = told.map(
      ({ steps, values }) =>
        values[
          Math.max(
            0,
            steps.findLastIndex((s) => s <= step),
          )
        ],
    );
    const isLate = step > (this.node.clientWidth < 500 ? 0.5 : 0.6) * last; // the names stand where there is room
    const tops = spread(now.map((value) => y(value) + (isLate ? 18 : 0))); // below the lines that lead there
    const share = (100 * step) / last;
    told.forEach(({ name, steps, values }, n) => {
      const { ahead, area, line, label } = this.lines[n];
      const points = (to) =>
        steps.flatMap((s, at) => (s <= to ? [`${x(s).toFixed(1)} ${y(values[at]).toFixed(1)}`] : []));
      const path = `M${points(step).join("L")}`;
      put(ahead, { d: `M${points(reached).join("L")}` });
      put(line, { d: path });
      put(area, { d: `${path}V${TRACE_TALL}H${x(steps[0])}Z` });
      label.textContent = name;
      const side = isLate ? `right:calc(${100 - share}% + 12px)` : `left:calc(${share}% + 12px)`;
      put(label, { style: `${side};top:${tops[n]}px` });
    });
    const [{ kind, ...first } = {}] = told;
    const found = kind === "cause" ? first.steps.find((s, n) => s <= reached && first.values[n] > FINDS) : undefined;
    this.mark.hidden = found === undefined;
    if (found !== undefined) this.markAt(found, found / last);
    this.node.classList.toggle("blank", reached === timeline[0]);
  }

  /** At which step it found out, on the side of the line where there is room. */
  markAt(step, share) {
    const isLate = share > 0.5;
    const side = isLate ? `right:${100 * (1 - share)}%` : `left:${100 * share}%`;
    put(this.mark, { class: isLate ? "finds late" : "finds", style: side });
    this.mark.textContent = `it finds out: step ${step}`;
  }

  build(told) {
    this.lines = told.map(({ kind }) => {
      const [ahead, area, line] = ["ahead", "area", "line"].map((name) => svg(`path.${name}`));
      return { kind, ahead, area, line, label: el(`b.${kind}`), group: svg(`g.${kind}`, ahead, area, line) };
    });
    this.plot.replaceChildren(...this.lines.map(({ group }) => group));
    this.node.replaceChildren(this.plot, this.mark, ...this.lines.map(({ label }) => label));
  }
}
