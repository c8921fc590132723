// How the parts of the figure lie: one row of a sentence large, or the matrix of a stage beside what is said of it.

import { el } from "../../../../attention_view/lab.js";
import { RowFigure } from "./row_figure.js";
import { StageGrid } from "./stage_grid.js";

/** One row through all stages; below it why a number is what it is, the code, and the queries, keys and values. */
export function oneRow(steps) {
  steps.figure = new RowFigure(steps);
  const { title, back, rows, next, figure } = steps;
  const top = el("div.top", el("div.headline", title, back, rows, next));
  const stage = el("section.stage", { "aria-label": "One row" }, figure.node);
  return el("div.columns.one", top, stage, below(steps), steps.inputs.node);
}

/** The whole matrix of a stage. */
export function allRows(steps) {
  steps.figure = new StageGrid(steps);
  const { title, say, rows, next, formula, data } = steps;
  const { grid, cell, legend } = steps.figure;
  const now = el("div.now", el("div.title", title, next, rows), say);
  return el(
    data.limit == null ? "div.columns.read" : "div.columns.typed",
    el("div.top", formula.node, formula.whole, now),
    el("section.stage", { "aria-label": "The stage" }, el("div.scroll", grid), cell, legend),
    below(steps),
    steps.inputs.node,
  );
}

function below({ why, row, tuner, code, data, isRow }) {
  const hints = [
    ["← →", " or a part of the formula"],
    ["press", " a word or a number"],
    ["drag", " a score"],
    ["type", " any number"],
  ];
  const able = hints.filter(([key]) => key !== (data.limit == null ? "type" : "drag") && (isRow || key !== "drag"));
  const list = el("ul.hints.quiet", ...able.map(([key, text]) => el("li", el("kbd", key), text)));
  const label = "The row that is held, and the code";
  return el("section.told", { "aria-label": label }, why, row, tuner.node, code, list);
}
