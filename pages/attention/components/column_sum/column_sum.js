// A word's vector beside a matrix. The column under the hand is multiplied with it, and the products add up, row by
// row, to one number of what comes out. All of it is worked out here.

import {
  el,
  fixed,
  fromBase64,
  mount,
  paintPixels,
  pointIn,
  rgb,
  svg,
  theme,
  windowHeight,
} from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";
import { outOf, span, summed } from "./sums.js";

const ROOM = 292; // pixels above and below the rows
const NARROW = 620;
const LETTER = { query: "q", key: "k", value: "v" };
const PART = 0.36; // of the drawing, for the products; the sum has the rest

class ColumnSum {
  constructor(root) {
    this.root = root;
    this.resized = () => this.data && this.draw();
  }

  update(data) {
    const signature = JSON.stringify(data);
    const isNew = signature !== this.signature;
    this.signature = signature;
    this.data = data;
    if (isNew) {
      for (const name of ["x", "w", "b"]) this[name] = new Float32Array(fromBase64(data[name]).buffer);
      this.column = data.feature;
      this.out = outOf(this);
      this.build();
    }
    this.draw();
    this.root.dataset.painted = "true";
  }

  build() {
    const { word, made, alt } = this.data;
    this.root.style.setProperty("--hue", `var(--${made})`);
    const matrix = el("b.hue", "W", el("sub", LETTER[made]));
    this.vector = el("canvas");
    this.whole = el("canvas.whole");
    this.picked = el("canvas");
    this.frame = el("span.frame", this.picked);
    this.sheet = el("div.sheet", { onpointerdown: (event) => this.press(event) }, this.whole, this.frame);
    this.cells = el("canvas");
    this.cell = el("i.cell");
    this.strip = el("div.strip", this.stripProps(), this.cells, this.cell);
    this.sheet.onpointermove = (event) => this.hover(event, this.sheet);
    this.sum = svg("svg", { role: "img", "aria-label": alt, onpointermove: (event) => this.hover(event, this.sum) });
    this.x_side = el("div.side", this.vector);
    this.total = el("output.total");
    this.heading = el("h2");
    this.readout = el("p.readout", { role: "status" });
    for (const node of [this.sheet, this.sum]) node.onpointerleave = () => this.row(null);
    this.root.replaceChildren(
      el(
        "div.mill",
        el("h2.of", "the vector of ", el("b", word)),
        el("h2.matrix", "× ", matrix, el("span.quiet", " · pick a column")),
        this.heading,
        this.x_side,
        this.sheet,
        this.sum,
        el("p.made", el("b.hue", made)),
        this.strip,
        this.total,
      ),
      this.readout,
    );
  }

  stripProps() {
    const n = this.b.length;
    return {
      role: "slider",
      tabindex: 0,
      "aria-label": `Number of the ${this.data.made}`,
      "aria-valuemin": 1,
      "aria-valuemax": n,
      onpointerdown: (event) => this.press(event),
      onkeydown: (event) => {
        const to = inRow(event, this.column, n);
        if (to !== null) this.pick(to);
      },
    };
  }

  /** One drags over the columns as long as the pointer is down. */
  press(event) {
    const node = event.currentTarget;
    const take = (moved) => {
      const share = pointIn(moved, node)[0] / node.clientWidth;
      this.pick(Math.max(0, Math.min(this.b.length - 1, Math.floor(share * this.b.length))));
    };
    take(event);
    node.setPointerCapture(event.pointerId);
    node.addEventListener("pointermove", take);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", take), { once: true });
  }

  pick(column) {
    this.column = column;
    this.draw();
  }

  hover(event, node) {
    const share = pointIn(event, node)[1] / this.height;
    this.row(Math.max(0, Math.min(this.x.length - 1, Math.floor(share * this.x.length))));
  }

  draw() {
    const { x, w, b, column, out, root } = this;
    const [D, d] = [x.length, b.length];
    this.one = summed(this, column);
    const most = root.clientWidth < NARROW ? 360 : 900;
    this.height = Math.min(most, Math.max(220, windowHeight(root) - ROOM));
    root.style.setProperty("--tall", `${this.height}px`);
    const colours = ["negative", "panel", "positive"].map(theme(root)).map(rgb);
    const paint = (canvas, numbers, across, largest) =>
      paintPixels(canvas, Float32Array.from(numbers), across, colours, (number) => Math.abs(number) / largest);
    paint(this.vector, x, 1, span(x));
    paint(this.whole, w, d, span(w));
    paint(this.picked, this.one.column, 1, span(w));
    paint(this.cells, out, d, Math.max(...out.map(Math.abs)) || 1);
    for (const node of [this.frame, this.cell]) {
      node.style.left = `${(100 * column) / d}%`;
      node.style.width = `${100 / d}%`;
    }
    this.heading.replaceChildren(`${D} products, and `, el("b.hue", "their sum as it grows"));
    this.total.replaceChildren("= ", el("b.hue", fixed(this.one.total, 2)), `, number ${column + 1} of ${d}`);
    this.strip.setAttribute("aria-valuenow", column + 1);
    this.strip.setAttribute("aria-valuetext", `number ${column + 1}: ${fixed(this.one.total, 2)}`);
    root.dataset.column = String(column);
    root.dataset.total = String(this.one.total);
    this.drawSum();
    this.row(null);
  }

  /** Bars of the products, and beside them the line of their sum: both as tall as the matrix, row by row. */
  drawSum() {
    const { one, height, b, column } = this;
    const width = Math.max(100, this.sum.clientWidth || this.root.clientWidth);
    const [D, middle] = [one.products.length, (PART * width) / 2];
    const step = height / D;
    const longest = Math.max(...one.products.map(Math.abs)) || 1;
    const bars = one.products.map((product, i) => {
      const wide = (Math.abs(product) / longest) * (middle - 8);
      const place = {
        x: product < 0 ? middle - wide : middle,
        y: step * i,
        width: wide,
        height: Math.max(1, step * 0.8),
      };
      return svg(`rect.${product < 0 ? "below" : "above"}`, place);
    });
    const [low, high] = [Math.min(0, b[column], ...one.sums), Math.max(0, b[column], ...one.sums)];
    const [from, to] = [PART * width + 24, width - 16];
    const at = (sum) => from + ((sum - low) / (high - low || 1)) * (to - from);
    let d = `M${at(b[column])},0`;
    one.sums.forEach((sum, i) => (d += `V${step * (i + 0.5)}H${at(sum)}`));
    d += `V${height}`;
    const area = svg("path.area", { d: `${d}H${at(0)}V0Z` });
    const line = svg("path.sum", { d });
    const axis = (x) => svg("line.axis", { x1: x, x2: x, y1: 0, y2: height });
    this.mark = svg("line.mark", { x1: 0, x2: width, visibility: "hidden" });
    const end = svg("circle.end", { cx: at(one.total), cy: height - 1, r: 6 });
    this.sum.setAttribute("viewBox", `0 -4 ${width} ${height + 12}`);
    this.sum.replaceChildren(axis(middle), axis(at(0)), ...bars, area, line, end, this.mark);
    this.total.style.paddingLeft = `${Math.max(0, Math.min(at(one.total) - 40, width - 210))}px`;
  }

  /** What one row adds; null for none. */
  row(i) {
    const { one, x } = this;
    this.mark.setAttribute("visibility", i === null ? "hidden" : "visible");
    if (i === null) {
      const many = `${x.length} numbers of the vector, each times the one beside it in the column`;
      this.readout.replaceChildren(`${many}: added up, they are `, el("b", fixed(one.total, 2)), ".");
      return;
    }
    const y = (this.height / x.length) * (i + 0.5);
    for (const end of ["y1", "y2"]) this.mark.setAttribute(end, y);
    const product = `row ${i + 1}: ${fixed(x[i], 2)} × ${fixed(one.column[i], 2)} = `;
    this.readout.replaceChildren(
      product,
      el("b", fixed(one.products[i], 2)),
      `; the sum so far: ${fixed(one.sums[i], 2)}`,
    );
  }
}

export default mount(".column-sum", ColumnSum);
