// One film, or two side by side: what tells them apart, and what is said of them in the same words everywhere.

import { el } from "../../../../attention_view/lab.js";

/** The name of one of two trainings, in its colour: ink for the first. */
export const sideName = (text, side) => el("b", { class: side ? "b" : "a" }, text);

/** Who looks at the patches: where the answers are read. */
export const asker = (run) => (run.sight.reads === "class" ? "class token" : "mean of all patches");

/** What is outlined in a run's maps. */
export const outlined = (run) => (run.sight ? "patches" : "cells");

/** What a head of a run is called, where there is little room: alike in all runs that are on screen. */
export function headName(film, run, layer, head) {
  const isDeep = film.runs.some((each) => film.axes(each).heads[0] > 1);
  const name = isDeep ? `${layer}·${head}` : `head ${head}`;
  return run.name ? `${run.name} ${name}` : name;
}
