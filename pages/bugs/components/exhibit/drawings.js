// What an instrument reads of a model, drawn: bars, a map of cells, or curves. A reading of the same shape takes the
// place of another in a moment.

import { brief, el, mix, put, strength, svg, write } from "../../../../attention_view/lab.js";

const [WIDE, HIGH] = [100, 60]; // of the drawing of curves, which fills what room there is

/** Bars, each beside its label, and a line where a healthy model has them. */
class Bars {
  constructor({ labels, healthy, hue, top }) {
    this.top = top;
    this.bars = labels.map(() => el("b"));
    this.numbers = labels.map(() => el("small"));
    const line = healthy ? { style: `--at:${(100 * healthy) / top}%` } : { class: "none" };
    const rows = labels.flatMap((label, n) => [
      el("span", label),
      el("div.track", this.bars[n], el("u", line)),
      this.numbers[n],
    ]);
    this.node = el(`div.bars.${hue}`, { style: `--rows:${labels.length}` }, ...rows);
  }

  show({ values }) {
    values.forEach((x, n) => {
      this.bars[n].style.width = `${(100 * Math.max(0, x ?? 0)) / this.top}%`;
      write(this.numbers[n], x === null ? "NaN" : Number.isInteger(x) ? String(x) : brief(x));
    });
  }
}

/** Cells, from the panel's colour for 0 to that of the largest number; an edge where a causal mask has it. */
class Cells {
  constructor({ rows, columns, stairs, hue, top }) {
    Object.assign(this, { hue, top });
    this.cells = rows.map((_, i) => columns.map((_, j) => el(stairs && i === j ? "td.edge" : "td")));
    const lines = rows.map((label, i) => el("tr", el("th", { scope: "row" }, label), ...this.cells[i]));
    const heads = columns.map((label) => el("th", { scope: "col" }, el("span", label)));
    this.node = el("table", el("tbody", ...lines), el("tfoot", el("tr", el("td"), ...heads)));
  }

  show({ values }) {
    values.forEach((row, i) =>
      row.forEach((x, j) => {
        this.cells[i][j].style.background = mix(this.hue, Math.round(100 * strength((x ?? 0) / this.top)));
        write(this.cells[i][j], x === null ? "NaN" : "");
      }),
    );
  }
}

/** Losses over the steps of a training, each a curve. */
class Curves {
  constructor({ names, top }) {
    this.top = top;
    this.paths = names.map((_, n) => svg(`path.curve${n}`));
    const size = { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none" };
    const keys = names.map((name, n) => el(`span.curve${n}`, name));
    this.node = el("div.curves", svg("svg", size, ...this.paths), el("p", ...keys));
  }

  show({ values }) {
    values.forEach((row, n) => {
      const points = row.map((x, at) => `${(WIDE * at) / (row.length - 1)} ${HIGH * (1 - x / this.top)}`);
      put(this.paths[n], { d: `M${points.join("L")}` });
    });
  }
}

const KINDS = { bars: Bars, cells: Cells, curves: Curves };
const shapeOf = (reading) => JSON.stringify({ ...reading, values: "", reads: "" });

/** The drawing of a reading: the one that is there, if it has its shape. */
export function drawn(reading, before) {
  const shape = shapeOf(reading);
  const drawing = before?.shape === shape ? before : Object.assign(new KINDS[reading.kind](reading), { shape });
  drawing.show(reading);
  return drawing;
}
