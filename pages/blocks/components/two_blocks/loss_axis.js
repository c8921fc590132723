// Losses of trainings on one axis: a row for each way to build a block, a dot per seed, and a bar at their mean. A line
// joins both trainings that began from the same seed.

import { el, put, svg, write } from "../../../../attention_view/lab.js";

const ROWS = [24, 66]; // where each row of dots lies, in pixels from the top,
const FLOOR = 92; // the axis below them,
const END = 118; // and the end of its numbers
const MARGIN = 0.06; // of the range, left free on both sides
const STEPS = [0.02, 0.05, 0.1, 0.2, 0.5, 1];

const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;

/** Where a loss stands, as a share of the axis's length: all of the range has room. */
export function scaleOf([low, high]) {
  const wide = (high - low || 1) * (1 + 2 * MARGIN);
  const from = (low + high - wide) / 2;
  return (loss) => Math.min(1, Math.max(0, (loss - from) / wide));
}

/** The round numbers within a range at which the axis is marked, at most seven of them. */
export function marksOf([low, high]) {
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? (high - low) / 5;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, n) => Number(((first + n) * step).toFixed(4)));
}

/** Both rows of losses in words; an empty one is `missing`. */
export function spoken(names, rows, missing) {
  const said = rows.map((row, n) => {
    const losses = row.length ? row.map((x) => x.toFixed(3)).join(", ") : missing;
    return `${names[n].filter(Boolean).join(" ")}: ${losses}`;
  });
  return `Loss after training, by seed. ${said.join("; ")}`;
}

export class LossAxis {
  constructor() {
    this.names = [0, 1].map(() => ({ when: el("small"), way: el("b") }));
    this.means = [0, 1].map(() => el("b"));
    this.sheet = svg("svg", { height: END, role: "img" });
    const rows = this.names.map(({ when, way }, n) => el(`p.name${n ? ".now" : ""}`, when, " ", way));
    const means = this.means.map((number, n) => el(`p.mean${n ? ".now" : ""}`, el("small", "mean "), number));
    const what = el("p.what", "loss, lower is better");
    this.node = el("div.axis", ...rows, what, this.sheet, ...means);
  }

  /** names: [when, way] of either;  seeds: the losses of 2017;  losses: of the other way, none if it was not trained */
  show(names, seeds, losses, range) {
    for (const [n, [when, way]] of names.entries()) {
      write(this.names[n].when, when);
      write(this.names[n].way, way);
    }
    const now = losses?.length ? losses : [];
    this.losses = [seeds, now];
    this.place = scaleOf(range);
    write(this.means[0], mean(seeds).toFixed(3));
    const missing = losses ? "diverged" : "not trained";
    write(this.means[1], now.length ? mean(now).toFixed(3) : missing);
    put(this.means[1].parentNode, { class: now.length ? "mean now" : "mean now none" });
    put(this.sheet, { "aria-label": spoken(names, this.losses, missing) });
    const at = (loss) => `${(100 * this.place(loss)).toFixed(2)}%`;
    this.ground = [
      svg("line.mark", { x2: "100%", y1: FLOOR, y2: FLOOR }),
      ...marksOf(range).flatMap((mark) => [
        svg("line.mark", { x1: at(mark), x2: at(mark), y1: FLOOR, y2: FLOOR + 6 }),
        svg("text.middle", { x: at(mark), y: END - 5 }, String(mark)),
      ]),
    ];
    this.draw(1);
  }

  /** Both rows, the lower one so far on its way out of the upper: 0 to 1. */
  draw(arrived) {
    const [seeds, now] = this.losses;
    const share = (loss) => `${(100 * this.place(loss)).toFixed(2)}%`;
    const between = (from, to) => from + (to - from) * arrived * arrived * (3 - 2 * arrived);
    const y = between(...ROWS);
    const xs = now.map((loss, n) => between(seeds[n], loss));
    const dots = (losses, at, kind) =>
      losses.map((loss) => svg(`circle.dot.${kind}`, { cx: share(loss), cy: at, r: 8 }));
    const bar = (losses, at, kind) => {
      const x = share(mean(losses));
      return svg(`line.bar.${kind}`, { x1: x, x2: x, y1: at - 17, y2: at + 17 });
    };
    const joins = xs.map((x, n) => svg("line.join", { x1: share(seeds[n]), y1: ROWS[0], x2: share(x), y2: y }));
    this.sheet.replaceChildren(
      ...this.ground,
      ...joins,
      ...(xs.length ? [bar(xs, y, "now"), ...dots(xs, y, "now")] : []),
      bar(seeds, ROWS[0], "was"),
      ...dots(seeds, ROWS[0], "was"),
    );
  }
}
