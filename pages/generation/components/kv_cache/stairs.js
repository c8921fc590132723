// One way of writing, step by step: a row for each step, a column for each token. Where a step computes the key and the
// value of a token, their numbers are drawn as two strips; where it takes them from the cache, there is a dotted line.

import { el, pointIn, write } from "../../../../attention_view/lab.js";
import { surface } from "../../../../attention_view/paint.js";

const NOW = 46; // pixels of the row of the step that is taken, if there is room
const LOW = 13; // pixels of a row that can be named
const ROOM = 84; // pixels at the right, for the name of the last token

/** How many columns the first n steps compute together. */
export const soFar = (counts, n) => counts.slice(0, n).reduce((sum, count) => sum + count, 0);

/** Whether a step, as a row, computes a column: it computes the last ones of those that there are. */
export const isComputed = (counts, row, column) => column <= row && column > row - counts[row];

/** How many of the first n steps compute this column. */
export const times = (counts, column, n) =>
  Array.from({ length: n }, (_, row) => isComputed(counts, row, column)).filter(Boolean).length;

/** What the nth step does, which computes so many. */
export function does(n, computed) {
  if (n === 1) return "step 1 computes the first";
  return computed < n ? `step ${n} computes ${computed} and reuses ${n - computed}` : `step ${n} computes all ${n}`;
}

/** Where rows begin and end, of `all` steps in so many pixels: [top, height] each. That of step n is taller. */
export function rowsOf(all, n, height) {
  const tall = Math.max(Math.min(NOW, height / 3), height / all);
  const low = all > 1 ? (height - tall) / (all - 1) : 0;
  return Array.from({ length: all }, (_, row) => [row * low + (row >= n ? tall - low : 0), row === n - 1 ? tall : low]);
}

export class Stairs {
  /** kind: "anew" without a cache, "kept" with one */
  constructor(kind, title) {
    this.total = el("b.total");
    this.says = el("span.says");
    this.canvas = el("canvas", { "aria-hidden": "true" });
    this.names = el("div.names", { "aria-hidden": "true" });
    this.floor = el("div.floor", this.canvas, this.names);
    this.node = el(`div.stairs.${kind}`, el("h2", this.total, el("span", title, this.says)), this.floor);
  }

  /** strips: a canvas of the keys and one of the values, for each token */
  fill(tokens, counts, strips) {
    Object.assign(this, { tokens, counts, strips });
    this.names.replaceChildren(...tokens.map((token) => el("span", token)));
  }

  /** n steps taken; column: the one that is held, or null; share: of the last row's columns that have come */
  draw({ n, column, share = 1 }, colour) {
    const { counts, tokens, canvas, floor } = this;
    const [width, height] = [floor.clientWidth, floor.clientHeight];
    if (!width || !height) return;
    this.rows = rowsOf(tokens.length, n, height);
    this.across = (width - ROOM) / tokens.length;
    const pen = surface(canvas, width, height);
    pen.imageSmoothingQuality = "high";
    for (let row = 0; row < tokens.length; row++)
      if (row < n) this.drawStep(pen, row, row === n - 1 ? share : 1, column, colour);
      else this.drawOpen(pen, row, colour);
    if (column !== null && column < n) this.drawHeld(pen, n, column, colour);
    this.placeNames(n, column);
    const now = counts[n - 1];
    write(this.total, soFar(counts, n).toLocaleString("en"));
    write(this.says, does(n, now));
  }

  drawStep(pen, row, share, held, colour) {
    const { counts, across } = this;
    const [top, high] = this.rows[row];
    const old = row + 1 - counts[row];
    const gap = high > 8 ? 2 : high > 5 ? 1 : 0;
    if (old) this.drawLine(pen, old * across - 2, top + high / 2, colour("quiet"));
    const come = old + Math.ceil(share * counts[row]);
    for (let column = old; column < come; column++) {
      pen.globalAlpha = held === null || held === column ? 1 : 0.35;
      const half = (across - (across > 12 ? 4 : across > 6 ? 2 : 0)) / 2;
      this.strips[column].forEach((strip, side) =>
        pen.drawImage(strip, column * across + side * half, top, half, high - gap),
      );
    }
    pen.globalAlpha = 1;
  }

  /** The place of a step that has not been taken. */
  drawOpen(pen, row, colour) {
    const [top, high] = this.rows[row];
    pen.strokeStyle = colour("line");
    pen.setLineDash([3, 3]);
    pen.strokeRect(row * this.across + 0.5, top + 0.5, this.across - 3, Math.max(1, high - 2));
    pen.setLineDash([]);
  }

  drawLine(pen, to, y, ink) {
    Object.assign(pen, { strokeStyle: ink, lineWidth: 1.5, lineCap: "round" });
    pen.setLineDash([0.1, 4]);
    pen.beginPath();
    pen.moveTo(1, y);
    pen.lineTo(to, y);
    pen.stroke();
    pen.setLineDash([]);
    Object.assign(pen, { lineWidth: 1, lineCap: "butt" });
  }

  /** A frame around each time that the column is computed, all in one where they follow each other. */
  drawHeld(pen, n, column, colour) {
    Object.assign(pen, { strokeStyle: colour("ink"), lineWidth: 2 });
    const computed = this.rows.map((row, at) => at < n && isComputed(this.counts, at, column));
    const first = computed.indexOf(true);
    const last = computed.lastIndexOf(true);
    const [top] = this.rows[first];
    const bottom = this.rows[last][0] + this.rows[last][1];
    pen.strokeRect(column * this.across - 2, top - 2, this.across, bottom - top + 2);
    pen.lineWidth = 1;
  }

  /** Each token stands where its row ends: that of this step large, others where their rows have room for a word. */
  placeNames(n, column) {
    [...this.names.children].forEach((name, row) => {
      const [top, high] = this.rows[row];
      const isNow = row === n - 1;
      name.className = isNow ? "last" : row >= n ? "open" : row === column ? "held" : "";
      name.hidden = !isNow && high < LOW;
      name.style.translate = `${(row + 1) * this.across + 4}px calc(${top + high / 2}px - 50%)`;
    });
  }

  /** [row, column] where a pointer is. */
  under(event) {
    const [x, y] = pointIn(event, this.floor);
    const row = this.rows.findIndex(([top, high]) => y < top + high);
    return [row < 0 ? this.rows.length - 1 : row, Math.max(0, Math.floor(x / this.across))];
  }
}
