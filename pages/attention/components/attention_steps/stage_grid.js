// The matrix of a stage, with the row held and the chosen column outlined. The cells of one shape stay: their numbers
// and colours move from one stage to the next.

import { brief, el, minus, mix, rgb, still, strength, theme, windowHeight } from "../../../../attention_view/lab.js";
import { inGrid, tween } from "../../../../attention_view/controls.js";
import { reach, readable, share, short } from "./stages.js";

const AROUND = 222; // pixels above the cells, and below them for the legend
const TWEEN = 200; // milliseconds, from the numbers of one stage to those of the next
const NOTES = { weights: "dotted: a word looking at itself", masked: "hatched: blocked" };

/** A number for a small cell: a share without its nought, what is no share as a whole number. */
function inTwoDigits(x, stage) {
  if (stage !== "weights") return minus(String(Math.round(x) || 0));
  const text = x.toFixed(2);
  return text === "0.00" ? "" : text.replace(/^0/, "");
}

export class StageGrid {
  constructor(steps) {
    this.steps = steps;
    this.shown = null; // the cells of the stage, and their numbers
    this.grid = el("div.grid.from-top", { tabindex: 0, role: "grid", onkeydown: (event) => this.key(event) });
    this.cell = el("p.unseen", { role: "status" });
    this.legend = el("p.quiet.legend");
  }

  /** [row, column] that is chosen: the column is a key, or a feature of the output. */
  get at() {
    const { stage, row, col, feature } = this.steps.state;
    return [row, stage === "output" ? feature : col];
  }

  /** What can hold the focus: the bar of the chosen score, or the cells where that is blocked. */
  get holder() {
    const { row, state } = this.steps;
    return row.querySelector(`.hand[data-col="${state.col}"]`) ?? this.grid;
  }

  choose([row, column]) {
    this.steps.set(this.steps.state.stage === "output" ? { row, feature: column } : { row, col: column });
  }

  key(event) {
    const rows = this.steps.stages[this.steps.state.stage];
    const to = inGrid(event, this.at, [rows.length, rows[0].length]);
    if (to) this.choose(to);
  }

  paint() {
    const { stages, state, root } = this.steps;
    const { stage } = state;
    const rows = stages[stage];
    const [T, S] = [rows.length, rows[0].length];
    const [row, at] = this.at;
    const { names, columns } = this.steps.names(stage === "output", S);
    const shape = JSON.stringify([stage === "output", names, columns]);
    if (shape !== this.shown?.shape) this.lay(shape, names, columns);
    const { cells, heads, sides } = this.shown;
    heads.forEach((head, j) => head.classList.toggle("on", j === at));
    sides.forEach((side, i) => side.classList.toggle("on", i === row));
    cells.forEach((line, i) => line.forEach((cell, j) => this.dress(cell, i, j)));
    this.grid.setAttribute("aria-activedescendant", `step-${row}-${at}`);
    this.grid.setAttribute("aria-label", `${stage}, ${T} by ${S}. Arrow keys choose a cell.`);
    this.move(rows, stage);
    const value = rows[row][at];
    this.cell.textContent = `${names[row]}, ${columns[at]}: ${value == null ? "blocked by the mask" : short(value, 4)}`;
    root.dataset.value = value == null ? "" : String(value);
    this.paintLegend(rows);
  }

  dress(cell, i, j) {
    const { stages, state } = this.steps;
    const rows = stages[state.stage];
    const [row, at] = this.at;
    const isWeight = state.stage === "weights";
    const isBlocked = rows[i][j] == null || (isWeight && this.steps.isBlocked(i, j));
    const is = {
      blocked: isBlocked,
      held: i === row,
      both: i === row && j === at,
      self: isWeight && i === j && !isBlocked,
      first: i === row && j === 0,
      last: i === row && j === rows[0].length - 1,
    };
    for (const [name, on] of Object.entries(is)) cell.classList.toggle(name, on);
  }

  /** New cells, with the names of their rows and columns. */
  lay(shape, names, columns) {
    const [T, S] = [names.length, columns.length];
    const { grid } = this;
    const isOutput = this.steps.state.stage === "output";
    const heads = columns.map((text, j) => this.columnName(text, j, isOutput));
    const sideOf = (text, i) => {
      const props = { role: "rowheader", onclick: () => this.steps.set({ row: i }) };
      return this.steps.marked(el("span.label.query", props, text), i);
    };
    const cell = (i, j) => el("i.cell", { role: "gridcell", id: `step-${i}-${j}`, onclick: () => this.choose([i, j]) });
    const sides = names.map(sideOf);
    const cells = names.map((_, i) => columns.map((_, j) => cell(i, j)));
    const roomy = S <= 12;
    grid.className = `grid ${roomy ? "roomy" : "dense"} ${S <= 8 ? "large" : ""} ${this.shown ? "new" : ""}`;
    grid.style.setProperty("--n", S);
    const tall = Math.floor(Math.max(270, Math.min(900, windowHeight(grid) - AROUND)) / T); // of a row
    const side = Math.max(T <= 12 ? 27 : 13, Math.min(60, tall));
    grid.style.setProperty("--cell", `${isOutput ? Math.max(9, (side * T) / S) : side}px`);
    grid.style.setProperty("--ratio", isOutput ? T / S : 1); // the output is as large as the other stages
    // As wide as the matrix of words, so that nothing moves from stage to stage.
    this.steps.columns.style.setProperty("--stage", `${82 + (T <= 8 ? 440 : T * side)}px`);
    grid.style.setProperty("--tall", `${Math.max(30, Math.min(T <= 4 ? 150 : 60, tall - 4))}px`);
    const corner = `query ↓ ${isOutput ? "feature" : "key"} →`;
    const line = (...inside) => el("div.line-of-cells", { role: "row" }, ...inside);
    grid.replaceChildren(
      line(el("span.corner.quiet", { role: "columnheader" }, corner), ...heads),
      ...cells.map((row, i) => line(sides[i], ...row)),
    );
    const wide = (grid.clientWidth - 82) / S; // of a cell; on a phone a digit less
    const room = { isNarrow: wide < 48, hasRoom: wide >= 25 };
    this.shown = { shape, cells, heads, sides, ...room, numbers: null, stage: null };
  }

  columnName(text, j, isOutput) {
    const { labels, limit } = this.steps.data;
    const isShort = labels.length <= 8 && labels.every((label) => label.length <= 7);
    const classes = `column ${isOutput ? "value" : "key"} ${limit != null || isOutput || isShort ? "flat" : ""}`;
    const onclick = () => this.steps.set(isOutput ? { feature: j } : { col: j });
    const name = el("span", text);
    return el("span", { class: classes, role: "columnheader", onclick }, isOutput ? name : this.steps.marked(name, j));
  }

  /** The cells' numbers and colours: from what is shown to those of the stage. */
  move(rows, stage) {
    this.end?.();
    const { shown } = this;
    const isMove = shown.numbers && shown.stage !== stage && !still() && document.visibilityState === "visible";
    const colours = this.colours();
    const draw = (part) => {
      this.drawCells(rows, stage, part * (2 - part), colours);
      if (part === 1) Object.assign(shown, { numbers: rows, stage, largest: reach(rows.flat()) });
    };
    if (isMove) this.end = tween(TWEEN, draw);
    else draw(1);
  }

  /** So much of the way, from 0 to 1. */
  drawCells(rows, stage, part, colours) {
    const { cells, numbers, largest } = this.shown;
    const most = reach(rows.flat());
    const between = (a, b) => (part === 1 ? b : a + (b - a) * part);
    cells.forEach((line, i) =>
      line.forEach((cell, j) => {
        const end = rows[i][j];
        const isBlocked = end == null || cell.classList.contains("blocked");
        const start = numbers?.[i][j] ?? end;
        const x = between(start, end);
        const p = strength(between(Math.abs(start) / (largest || 1), Math.abs(end) / most));
        const name = stage === "weights" ? "weight" : x < 0 ? "negative" : "positive";
        cell.textContent = isBlocked ? "" : this.cellText(x, line.length, stage, cell.classList.contains("held"));
        cell.style.background = isBlocked ? "" : mix(name, Math.round(1000 * p) / 10);
        cell.style.color = isBlocked ? "" : readable(colours[name], colours.panel, p, colours.ink, colours.ground);
      }),
    );
  }

  colours() {
    const colour = theme(this.steps.root);
    const names = ["weight", "negative", "positive", "panel", "ink", "ground"];
    return Object.fromEntries(names.map((name) => [name, [...rgb(colour(name))]]));
  }

  /** A number in a cell, as long as there is room for; of many cells only those of the row that is held have one. */
  cellText(x, S, stage, isHeld) {
    if (S > 12) return isHeld && this.shown.hasRoom ? inTwoDigits(x, stage) : "";
    if (stage === "weights") return S <= 8 ? share(x) : brief(x).replace("<0.01", "");
    return S <= 8 && !this.shown.isNarrow ? short(x) : short(x, 1).replace(/[<>].*/, "0");
  }

  paintLegend(rows) {
    const { stage } = this.steps.state;
    const numbers = rows.flat().filter((x) => x != null);
    const [low, high] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
    const signs = low < 0 && high > 0 ? "amber: below 0, slate: above" : "";
    const hue = stage === "weights" ? "weight" : low < 0 ? "both" : "positive";
    const style = `--zero: ${(100 * -low) / (high - low || 1)}%`;
    this.legend.replaceChildren(
      el("span", short(low)),
      el(`span.bar.${hue}`, { style, "aria-hidden": "true" }),
      el("span", short(high)),
      el("span.note", NOTES[stage] ?? signs),
    );
  }
}
