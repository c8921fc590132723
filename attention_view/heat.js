// The heatmap of one head: the cells of one stage become those of the next, in a moment.

import { still } from "./lab.js";
import { paintHeat } from "./paint.js";

const TWEEN = 170; // ms in which they do
const MAX_TWEENED = 4096; // cells

export class Heat {
  constructor(canvas) {
    this.canvas = canvas;
  }

  /** Only another stage of the same head, of the same size, is approached; all else is there at once.
   *
   * what  {matrix, largest, stage, mask}, as paintHeat has it, and whose it is, `of` */
  show(what, table, layout, colours) {
    const { last } = this;
    this.end();
    this.last = { ...what, width: layout.width, colours };
    const paint = (passed) => paintHeat(this.canvas, table, what, layout, colours, passed < 1 ? last : null, passed);
    const moves =
      last?.of === what.of &&
      last.stage !== what.stage &&
      ![last.stage, what.stage].includes("output") &&
      last.width === layout.width &&
      last.colours === colours &&
      last.matrix.length === what.matrix.length &&
      what.matrix.length <= MAX_TWEENED &&
      !still();
    if (!moves) return paint(1);
    const start = performance.now();
    const step = (now) => {
      const passed = Math.min(1, Math.max(0, (now - start) / TWEEN));
      paint(passed);
      if (passed < 1) this.tweening = requestAnimationFrame(step);
    };
    paint(0.2); // the change shows in this very frame
    this.tweening = requestAnimationFrame(step);
    return undefined;
  }

  /** What comes next comes at once. */
  end() {
    cancelAnimationFrame(this.tweening);
    this.last = null;
  }
}
