// The cosine of every pair of words, as a matrix; brackets say where the words of each kind stand.

import { el, fixed, rgb, theme } from "../../../../attention_view/lab.js";
import { colourOf, runsOf } from "./placing.js";

export class WordMatrix {
  constructor(view) {
    this.view = view;
    this.node = el("canvas", { "aria-hidden": "true" });
  }

  layOut() {
    const { nodes } = this.view;
    this.measure();
    nodes.stage.style.height = `${this.size + this.below}px`;
    this.paint();
    this.placeWords();
    this.frames = ["row", "down"].map(() => el("i.frame"));
    nodes.names.replaceChildren(...this.brackets(), ...(this.hasColumns ? this.columns() : []));
    this.thinOut();
    nodes.names.append(...this.frames);
  }

  /** How large a cell is, and what there is room for besides. */
  measure() {
    const { data, buttons, width: w, height: h } = this.view;
    const N = data.words.length;
    this.runs = runsOf(data.words.map((word) => word.kind));
    const hasKinds = this.runs.length > 0;
    this.isWide = w > 460;
    this.word = Math.min(110, Math.max(...buttons.map((button) => button.offsetWidth)));
    this.bracket = hasKinds ? (this.isWide ? 78 : 12) : 0;
    const foot = hasKinds ? 26 : 8;
    const room = w - this.bracket;
    const cellIn = (across, down, most = Infinity) => Math.floor(Math.min(across / N, down / N, most));
    let cell = cellIn(room - this.word - 14, h - foot, 34);
    this.staggered = Math.ceil(15 / cell); // columns of words: where a row is lower than a line of text
    if (this.staggered > 1) cell = cellIn(room - this.staggered * this.word - 14, h - 26);
    this.showsAll = this.staggered <= 2 && this.isWide;
    if (!this.showsAll) cell = Math.max(3, cellIn(room - 8, h - 26, 34));
    this.hasColumns = cell >= 15; // words at the columns, too
    const down = this.word * 0.87;
    if (this.hasColumns) cell = Math.floor(Math.min(cell, (h - down - 12) / N));
    this.below = this.hasColumns ? down + 14 : foot;
    this.left = this.bracket + (this.showsAll ? this.staggered * this.word + 14 : 8);
    this.cell = cell;
    this.size = cell * N;
  }

  paint() {
    const { cell, size, left, node } = this;
    const ratio = Math.min(2, devicePixelRatio || 1);
    Object.assign(node, { width: size * ratio, height: size * ratio });
    node.style.cssText = `left:${left}px;width:${size}px;height:${size}px`;
    const context = node.getContext("2d");
    context.scale(ratio, ratio);
    const [negative, zero, positive] = ["negative", "panel", "positive"].map(theme(this.view.root)).map(rgb);
    const gap = cell > 6 ? 1 : 0;
    this.view.data.cosines.forEach((row, i) =>
      row.forEach((value, j) => {
        const to = value < 0 ? negative : positive;
        const share = Math.min(1, Math.abs(value));
        context.fillStyle = `rgb(${[0, 1, 2].map((k) => Math.round(zero[k] + (to[k] - zero[k]) * share))})`;
        context.fillRect(j * cell, i * cell, cell - gap, cell - gap);
      }),
    );
  }

  placeWords() {
    const { cell, left, word, staggered, showsAll } = this;
    this.view.buttons.forEach((button, i) => {
      button.classList.remove("near", "on");
      const column = staggered > 1 ? i % staggered : 0;
      const x = (showsAll ? left - 6 - column * (word + 6) : left + 60) - button.offsetWidth;
      button.style.transform = `translate(${x}px,${i * cell + cell / 2 - 9.5}px)`;
      button.classList.toggle("out", !showsAll);
    });
  }

  /** Beside and below the matrix, where the words of each kind stand. */
  brackets() {
    const { cell, left, size, bracket, isWide, hasColumns } = this;
    return this.runs.flatMap(([from, to, kind]) => {
      const name = this.view.data.kinds[kind];
      const colour = `color:${colourOf(kind)};`;
      const [start, length] = [from * cell, (to - from) * cell - 2];
      const middle = start + length / 2;
      const rule = (x, y, w, h) =>
        el("i.rule", { style: `${colour}left:${x}px;top:${y}px;width:${w}px;height:${h}px` });
      const down = `${colour}width:${bracket - 14}px;transform:translate(0,${middle - 9.5}px)`;
      return [
        rule(bracket - 8, start, 3, length),
        rule(left + start, size + 4, length, 3),
        ...(isWide ? [el("span.kind.down", { style: down }, name)] : []),
        ...(hasColumns ? [] : [el("span.kind.foot", { style: colour, "data-at": left + middle }, name)]),
      ];
    });
  }

  columns() {
    const { cell, left, size } = this;
    const style = (i) =>
      `right:${this.view.width - (left + (i + 0.5) * cell)}px;top:${size}px;transform:rotate(-60deg)`;
    return this.view.data.words.map(({ label }, i) => el("span.column", { style: style(i) }, label));
  }

  /** A name wider than its bracket gives way to its neighbours. */
  thinOut() {
    let end = -Infinity;
    for (const name of this.view.nodes.names.querySelectorAll(".foot")) {
      const from = Math.min(this.view.width - name.offsetWidth, Number(name.dataset.at) - name.offsetWidth / 2);
      name.hidden = from < end + 6;
      if (name.hidden) continue;
      name.style.transform = `translate(${from}px,${this.size + 9}px)`;
      end = from + name.offsetWidth;
    }
  }

  /** [row, column] at a place, or null outside. */
  find([x, y]) {
    const [i, j] = [Math.floor(y / this.cell), Math.floor((x - this.left) / this.cell)];
    const N = this.view.data.words.length;
    return i >= 0 && j >= 0 && i < N && j < N ? [i, j] : null;
  }

  /** What a cell says, by its row and column. */
  said(at, column) {
    const { words, cosines } = this.view.data;
    if (column === undefined) return ["Point at a cell to read its pair. Rows and columns have the same order."];
    const [one, other] = [at, column].map((n) => el("b", words[n].label));
    return [one, " and ", other, `: cosine ${fixed(cosines[at][column], 2)}`];
  }

  /** Frames around the row of a word, and around a column if one is pointed at. */
  mark(at, column) {
    if (!this.frames) return;
    const { left, size, cell } = this;
    const box = (x, y, w, h) => `left:${x}px;top:${y}px;width:${w}px;height:${h}px`;
    const [row, down] = this.frames;
    row.style.cssText = box(left, at * cell, size - 1, cell - 1);
    down.style.cssText = column === undefined ? "display:none" : box(left + column * cell, 0, cell - 1, size - 1);
  }
}
