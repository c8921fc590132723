// Two translations of one sentence, above it and below it, and the threads of their cross-attention, as thick as the
// attention weight. What differs between the two is for each of its heirs to say.

import { el, fixed, roomOf, svg, windowHeight } from "../../../attention_view/lab.js";
import { column, fits, growth, LEAST, row, thread, way } from "./thread_lines.js";

export const wide = (word) => 20 + 7.8 * word.length; // pixels of a word that is not enlarged

/** Heirs say: `tags()`, what is at the rows; `overview()`, what is said while no word is pointed at;
 * `ofTarget(side, n)`, what is said of a written word; `isOther(side, n)`, whether the other translation differs there.
 * And they may say more of chips and threads. */
export class TwoTranslations {
  constructor(root) {
    this.root = root;
    this.lines = svg("svg.lines", { "aria-hidden": "true" });
    this.words = el("div.words");
    this.stage = el("div.stage", this.lines, this.words);
    this.say = el("p.say", { role: "status" });
    root.replaceChildren(this.stage, this.say);
    this.resized = () => this.room !== roomOf(this.stage) && this.paint();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.stage.classList.toggle("changed", Boolean(this.signature));
    this.signature = signature;
    this.data = data;
    this.focus = null;
    this.paint();
  }

  /** The three rows of words, from top to bottom. */
  get rows() {
    const { source, sides } = this.data;
    return [sides[0].words, source, sides[1].words];
  }

  /** Pixels of the window above and below the stage. */
  get around() {
    return 298;
  }

  /** Where the three rows of words stand; columns where there is no room for rows. */
  place(rows) {
    const width = (this.width = this.stage.clientWidth);
    this.room = roomOf(this.stage);
    const upright = width < 620 || !rows.every((words) => fits(words, width, wide, 2));
    if (upright) {
      const most = Math.max(...rows.map((words) => words.length));
      const places = rows.map((words, n) => column(words, width * [0.15, 0.5, 0.85][n], 44, 34, most));
      return { upright, height: 60 + most * 34, rows: places, grown: 1 };
    }
    const height = Math.max(372, Math.min(760, windowHeight(this.root) - this.around));
    const grown = Math.min(1.35, ...rows.map((words) => growth(words, width, wide)));
    const at = [24 + 14 * grown, height / 2, height - 24 - 14 * grown];
    return { upright, height, rows: rows.map((words, n) => row(words, at[n], width)), grown };
  }

  paint() {
    const rows = this.rows;
    const placed = (this.placed = this.place(rows));
    if (!this.width) return;
    this.stage.style.height = `${placed.height}px`;
    this.stage.style.setProperty("--grown", placed.grown);
    this.stage.classList.toggle("upright", placed.upright);
    this.lines.setAttribute("viewBox", `0 0 ${this.width} ${placed.height}`);
    const chips = rows.flatMap((words, r) => words.flatMap((word, n) => this.chips(word, r, n)));
    const at = this.root.getRootNode().activeElement?.dataset?.word; // the focus stays at its place
    this.words.replaceChildren(...this.tags(), ...chips);
    if (at) chips.findLast((chip) => chip.dataset.word === at)?.focus({ preventScroll: true });
    this.paintThreads();
    this.root.dataset.painted = String(Number(this.root.dataset.painted ?? 0) + 1);
  }

  tag(text, style) {
    return el("span.tag", { style }, text);
  }

  /** What stands at one place of a row. */
  chips(word, r, n) {
    return [this.chip(word, r, n, r !== 1 && this.isOther(r === 2 ? 1 : 0, n) ? " other" : "")];
  }

  chip(word, r, n, more = "", lower = 0) {
    const { x, y } = this.placed.rows[r][n];
    const [point, leave] = [() => this.point([r, n]), () => this.point(null)];
    const listeners = { onpointerenter: point, onpointerleave: leave, onfocus: point, onblur: leave, onclick: point };
    const style = `left:${x}px;top:${y + lower}px`;
    const classes = `word ${r === 1 ? "source" : "target"}${more}`;
    return el("button", { class: classes, style, title: word, "data-word": `${"wsa"[r]}${n}`, ...listeners }, word);
  }

  path(side, i, j) {
    const { upright, grown } = this.placed;
    const sign = side ? 1 : -1;
    return way(this.end(side, j), this.placeOf(side, i), upright, [34 * sign, 18 * sign * grown]);
  }

  /** Where the threads of a written word end. */
  placeOf(side, i) {
    return this.placed.rows[side ? 2 : 0][i];
  }

  /** Where the threads of a source word end, to the one side or the other. */
  end(_side, j) {
    return this.placed.rows[1][j];
  }

  point(word) {
    if (String(word) === String(this.focus)) return;
    this.focus = word;
    this.paintThreads();
  }

  /** Whether the thread of a word is shown: all of them, or those of the word that is pointed at. */
  sees(side, i, j) {
    if (!this.focus) return true;
    const [row, n] = this.focus;
    return row === 1 ? j === n : row === (side ? 2 : 0) && i === n;
  }

  /** The classes of a thread, and how faint it is. */
  kind() {
    return ["thread", 1];
  }

  paintThreads() {
    const lines = this.data.sides.flatMap(({ weights }, side) =>
      weights.flatMap((weightsOf, i) =>
        weightsOf.flatMap((w, j) =>
          w >= LEAST && this.sees(side, i, j) ? [thread(this.path(side, i, j), w, ...this.kind(side, i))] : [],
        ),
      ),
    );
    this.lines.replaceChildren(...lines);
    this.say.textContent = this.told();
    this.root.dataset.threads = String(lines.length);
  }

  told() {
    if (!this.focus) return this.overview();
    const [row, n] = this.focus;
    return row === 1 ? this.ofSource(n) : this.ofTarget(row === 2 ? 1 : 0, n);
  }

  ofSource(n) {
    return `${this.data.source[n]}: the words above and below that look at it.`;
  }

  /** The source word that a word looks at most, and its weight. */
  best(side, n) {
    const weights = this.data.sides[side].weights[n];
    const best = weights.indexOf(Math.max(...weights));
    return [best, fixed(weights[best])];
  }
}
