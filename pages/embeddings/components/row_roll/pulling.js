// The row that comes out of the table, by itself or under a hand, and unfolds into its bars on the way.

import { tween } from "../../../../attention_view/controls.js";
import { boxOf, still } from "../../../../attention_view/lab.js";
import { slowing } from "./rolling.js";

const PULL = 450; // milliseconds in which a row comes out
const LEAST = 240; // pixels that a hand pulls it

export class Pulling {
  /** view: has the roll, a root, and what draws its lines; and stops a row by `stop` */
  constructor(view) {
    Object.assign(this, { view, share: 1 });
  }

  /** How far the row has come out, from 0, where it lies on its line of the table, to 1. */
  set(share) {
    const { root, bars } = this.view;
    this.share = share;
    root.style.setProperty("--pulled", share.toFixed(3));
    bars.node.style.transform = share < 1 ? this.folded(1 - share) : "";
    this.view.drawWires();
  }

  /** From the room of the bars to the line of the table: [pixels across, pixels down, its width, its height]. */
  get way() {
    const { root, roll, bars } = this.view;
    const [at, canvas, { notch }, room] = [boxOf(root), boxOf(roll.canvas), roll, bars.node];
    const [x, y] = [canvas.left - at.left + notch.left, canvas.top - at.top + notch.top];
    const size = [(roll.width - notch.left) / room.offsetWidth, (notch.bottom - notch.top) / room.offsetHeight];
    return [x - room.offsetLeft, y - room.offsetTop, ...size];
  }

  folded(share) {
    const [x, y, wide, tall] = this.way;
    const scale = [wide, tall].map((size) => 1 - share * (1 - size));
    return `translate(${share * x}px, ${share * y}px) scale(${scale})`;
  }

  /** What is left of the way. */
  finish() {
    if (still()) return this.set(1);
    const from = this.share;
    this.view.stop = tween(PULL, (share) => this.set(from + (1 - from) * slowing(share)));
  }

  /** A hand pulls the row out so many pixels, and lets go: null. */
  by(x) {
    if (x === null) this.finish();
    else this.set(Math.max(0, Math.min(1, x / Math.max(LEAST, -this.way[0]))));
  }
}
