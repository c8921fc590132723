// The small doors of the formula: the matrix that each part makes, as a picture of a few pixels.

import { el, paintPixels, rgb, strength, theme } from "../../../../attention_view/lab.js";
import { reach } from "./stages.js";

export class Doors {
  constructor() {
    this.canvases = {};
  }

  /** The door to a stage, still empty. */
  door(stage) {
    return (this.canvases[stage] = el("canvas.door", { "aria-hidden": "true" }));
  }

  /** stages: the matrices by name; isBlocked(i, j): whether the mask hides a cell, which stays hatched */
  paint(stages, isBlocked, root) {
    const [negative, panel, positive, weight] = ["negative", "panel", "positive", "weight"].map(theme(root)).map(rgb);
    for (const [stage, canvas] of Object.entries(this.canvases)) {
      const rows = stages[stage];
      const most = reach(rows.flat());
      const colours = stage === "weights" ? [panel, panel, weight] : [negative, panel, positive];
      const numbers = rows.flat().map((x) => x ?? 0);
      paintPixels(canvas, numbers, rows[0].length, colours, (x) => strength(Math.abs(x) / most));
      const pen = canvas.getContext("2d");
      const hides = (i, j) => stages[stage][i][j] == null || (stage === "weights" && isBlocked(i, j));
      rows.forEach((row, i) => row.forEach((_, j) => hides(i, j) && pen.clearRect(j, i, 1, 1)));
    }
  }
}
