// One film, or two side by side: what tells them apart, and what is said of them in the same words everywhere.

import { el } from "../../../../attention_view/lab.js";

/** The name of one of two trainings, in its colour: ink for the first. */
export const sideName = (text, side) => el("b", { class: side ? "b" : "a" }, text);

/** Who looks at the patches: where the answers are read. */
export const asker = (run) => (run.sight.reads === "class" ? "class token" : "mean of all patches");

/** What is outlined in a run's maps. */
export const outlined = (run) => (run.sight ? "patches" : "cells");
