// How a scene draws what is inside of a cell: a query meets a key, feature by feature; the sum, and the softmax.

import { css, signedCss, weightColour } from "./colours.js";
import { fixed, shorten, strength } from "./lab.js";
import { ramp } from "./scene_camera.js";
import { HeadPen } from "./scene_heads.js";
import { SMALL } from "./scene_pen.js";
import { isForward } from "./scene_units.js";

const OPENING = [90, 260]; // pixels of a cell between which it opens into its products
const LONG = 1.5; // times as wide as the screen is what one moves along
const NAMED = 58; // pixels at the left edge that the names of the rows take, where there is nothing else
const [LEFT, WIDE] = [0.1, 0.86]; // of the stage: where its features begin, and what they take together

/** "−2.4", and never "−0.0". */
export const short = (x, digits) => fixed(Number(x.toFixed(digits)) || 0, digits);

export class CellPen extends HeadPen {
  /** The cell that is large enough to be seen into: {l, h, i, j, open}, `open` from 0 to 1; or null. */
  openCell() {
    const { place, numbers, camera, geometry } = this;
    if (place.length < 4 || isForward(place)) return null;
    const [l, , h, i] = place;
    const size = (geometry.map(l, h, camera.k).h / numbers.part(l).T) * camera.k;
    const rests = place.length === 4 ? (size * geometry.camera(place).k) / camera.k : 0; // where one looks at the row
    const [low, high] = OPENING;
    const open = ramp(size, Math.max(low, 1.1 * rests), Math.max(high, 2.2 * rests));
    const j = place[4] ?? geometry.within([camera.x, camera.y], camera.k).at(-1)[4];
    return open > 0 && j !== undefined ? { l, h, i, j, open } : null;
  }

  drawInside({ l, h, i, j, open }) {
    const { numbers, geometry, pen, colours, place } = this;
    const on = this.seen(geometry.stage(l, h, i, j));
    const cell = this.seen(geometry.cell(l, h, i, j));
    if (!on || !cell) return;
    const inset = 0.004 * cell.w;
    const panel = { x: cell.x + inset, y: cell.y + inset, w: cell.w - 2 * inset, h: cell.h - 2 * inset };
    pen.globalAlpha = open;
    this.box(panel, { fill: colours.panel, line: colours.weight, thick: 2, round: 10 });
    pen.globalAlpha = ramp(open, 0.5, 1);
    // On a narrow screen products are as wide as their numbers: what is read keeps to the height of the screen.
    const isLong = geometry.isNarrow && on.w > LONG * geometry.width;
    const [top, tall] = isLong ? [Math.max(on.y, 0), Math.min(on.h, geometry.height)] : [on.y, on.h];
    const at = { x: (share) => on.x + share * on.w, y: (share) => top + share * tall, isLong };
    const title = isLong ? 16 : Math.max(16, Math.min(24, 0.02 * on.w));
    const meets = numbers.part(l).sees(i, j) && numbers.q;
    const chosen = place[5];
    if (meets) this.drawMeeting({ l, h, i, j, chosen, at, wide: (WIDE * on.w) / numbers.d });
    const x = Math.max(at.x(0.02), 16);
    const text = this.titled({ l, h, i, j, chosen });
    if (meets) this.write(text, x, Math.max(at.y(0.04), 20), { weight: 650, size: title });
    else this.write(text, at.x(0.5), at.y(0.5), { weight: 650, size: title, align: "center" });
    pen.globalAlpha = 1;
  }

  titled({ l, h, i, j, chosen }) {
    const { numbers } = this;
    const part = numbers.part(l);
    const [query, key] = [part.tokens[i], part.keys[j]].map((token) => `“${token}”`);
    if (!part.sees(i, j)) return `${query} may not look at ${key}: it comes later`;
    const weight = fixed(numbers.weight(l, h, i, j));
    if (!numbers.q) return `${query} looks at ${key}: ${weight}`;
    if (chosen === undefined && this.geometry.isNarrow) return `Why ${weight}?`;
    if (chosen === undefined) return `Why ${weight}? The query of ${query} meets the key of ${key}`;
    const [q, k] = [numbers.vector("q", l, h, i)[chosen], numbers.vector("k", l, h, j)[chosen]];
    return `${fixed(q)} × ${fixed(k)} = ${fixed(q * k)}, one of ${numbers.d} products`;
  }

  drawMeeting({ l, h, i, j, chosen, at, wide }) {
    const { numbers, colours } = this;
    const products = numbers.products(l, h, i, j);
    const how = { at, wide, size: Math.max(SMALL, Math.min(17, 0.3 * wide)), digits: wide > 40 ? 2 : 1 };
    this.drawRow(numbers.vector("q", l, h, i), { ...how, from: 0.1, to: 0.21 });
    this.drawRow(numbers.vector("k", l, h, j), { ...how, from: 0.23, to: 0.34 });
    const zero = this.drawBars(products, how);
    this.clearNames(at, 0.085, 0.7);
    this.nameRow("q", at.y(0.155), { at, colour: "query" });
    this.nameRow("k", at.y(0.285), { at, colour: "key" });
    this.nameRow("q × k", zero, { at, size: 15 });
    if (chosen !== undefined) {
      const box = { x: at.x(LEFT) + chosen * wide, y: at.y(0.085), w: wide, h: at.y(0.7) - at.y(0.085) };
      this.box(box, { line: colours.ink, thick: 2, round: 6 });
    }
    this.drawSum({ l, h, i, j, products, at });
    this.drawSoftmax({ l, h, i, j, at });
  }

  /** Whether the names of the rows keep to the edge of the screen, over what begins further left. */
  isCut(at) {
    return at.x(LEFT) - 14 <= 20;
  }

  clearNames(at, from, to) {
    const edge = { x: 0, y: at.y(from), w: NAMED, h: at.y(to) - at.y(from) };
    if (this.isCut(at)) this.box(edge, { fill: this.colours.panel });
  }

  /** The name of a row, which stays in sight beside it. */
  nameRow(text, y, { at, colour = "ink", size = 18 }) {
    const style = { colour, weight: 700, size };
    if (this.isCut(at)) this.write(text, 6, y, style);
    else this.write(text, at.x(LEFT) - 14, y, { ...style, align: "right" });
  }

  drawRow(vector, { at, wide, size, digits, from, to }) {
    const { colours } = this;
    const largest = this.largest(vector);
    vector.forEach((x, c) => {
      const box = { x: at.x(LEFT) + c * wide + 1, y: at.y(from), w: wide - 2, h: at.y(to) - at.y(from) };
      const isDeep = strength(Math.abs(x) / (largest || 1)) > 0.6;
      this.box(box, { fill: signedCss(x, largest, colours), line: colours.line, round: 4 });
      const style = { colour: isDeep ? "panel" : "ink", align: "center", size };
      if (wide > 26) this.write(short(x, digits), box.x + box.w / 2, box.y + box.h / 2, style);
    });
  }

  drawBars(products, { at, wide, size, digits }) {
    const { colours } = this;
    const [most, least] = [Math.max(0, ...products), Math.min(0, ...products)];
    const [high, low] = [at.y(0.4), at.y(0.67)];
    const unit = (low - high) / (most - least || 1);
    const zero = high + most * unit;
    products.forEach((x, c) => {
      const left = at.x(LEFT) + c * wide;
      const bar = { x: left + 0.14 * wide, y: Math.min(zero, zero - x * unit), w: 0.72 * wide };
      const fill = x < 0 ? colours.negative : colours.positive;
      this.box({ ...bar, h: Math.max(1, Math.abs(x) * unit) }, { fill, round: 2 });
      const end = zero - x * unit + (x < 0 ? 9 : -9);
      if (wide > 26) this.write(short(x, digits), left + wide / 2, end, { align: "center", size });
    });
    this.box({ x: at.x(LEFT), y: zero, w: at.x(LEFT + WIDE) - at.x(LEFT), h: 1 }, { fill: colours.quiet });
    return zero;
  }

  drawSum({ l, h, i, j, products, at }) {
    const { numbers } = this;
    const sum = products.reduce((a, b) => a + b, 0);
    const size = at.isLong ? 22 : Math.max(18, Math.min(38, 0.07 * (at.y(1) - at.y(0))));
    const scale = fixed(numbers.scale);
    const parts = [
      [fixed(sum), `q · k, the sum of ${products.length} products`, "ink", "q · k"],
      [fixed(sum / numbers.scale), `divided by ${scale}, the root of ${numbers.d}`, "ink", `÷ ${scale}`],
      [fixed(numbers.weight(l, h, i, j)), "after softmax over the row", "weight", "softmax"],
    ];
    parts.forEach(([number, long, colour, brief], n) => {
      const left = at.isLong ? this.geometry.width * (0.05 + 0.33 * n) : at.x(LEFT + 0.3 * n);
      this.write(number, left, at.y(0.77), { size, weight: 700, colour });
      const isRoomy = !at.isLong && 0.3 * (at.x(1) - at.x(0)) > 8 * long.length;
      this.write(isRoomy ? long : brief, left, at.y(0.77) + 0.5 * size + 10, { colour: "quiet", size: 14 });
    });
  }

  /** The row that the softmax compares: every scaled score, the one that one is in marked. */
  drawSoftmax({ l, h, i, j, at }) {
    const { numbers, colours } = this;
    const [scaled, weights] = ["scaled", "weights"].map((stage) => numbers.row(l, h, i, stage));
    const part = numbers.part(l);
    const n = part.isCausal ? i + 1 : part.S;
    const wide = (at.x(LEFT + WIDE) - at.x(LEFT)) / n;
    const [top, low] = [at.y(0.9), at.y(0.955)];
    for (let t = 0; t < n; t++) {
      const box = { x: at.x(LEFT) + t * wide + 1, y: top, w: wide - 2, h: low - top };
      const mark = t === j ? { line: colours.key, thick: 2.5 } : { line: colours.line };
      this.box(box, { ...mark, fill: css(weightColour(weights[t], 1, colours)), round: 4 });
      if (wide < 30) continue;
      const style = { align: "center", colour: strength(weights[t]) > 0.55 ? "panel" : "ink" };
      this.write(short(scaled[t], 1), box.x + box.w / 2, (top + low) / 2, style);
      const word = shorten(numbers.part(l).keys[t], Math.max(3, Math.floor(wide / 7.5)));
      this.write(word, box.x + box.w / 2, low + 11, { colour: "key", align: "center", weight: t === j ? 700 : 400 });
    }
    this.clearNames(at, 0.89, 1);
    this.nameRow("row", (top + low) / 2, { at, colour: "query", size: 15 });
  }
}
