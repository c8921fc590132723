// The row that comes out of the table, by itself or under a hand, and a copy of it that leaves the table with it.

import { tween } from "../../../../attention_view/controls.js";
import { still } from "../../../../attention_view/lab.js";
import { slowing } from "./rolling.js";

const PULL = 450; // milliseconds in which a row comes out
const PULLED = 240; // pixels that a hand pulls it

export class Pulling {
  /** view: has the roll, a root, and what draws its lines; and stops a row by `stop` */
  constructor(view) {
    Object.assign(this, { view, share: 1 });
  }

  /** How far the row has come out, from 0 to 1; far: how many pixels its copy has left the table. */
  set(share, far = share * this.view.roll.width) {
    const { root, roll } = this.view;
    this.share = share;
    roll.lifted = share > 0 && share < 1 ? far : 0;
    root.style.setProperty("--pulled", share.toFixed(3));
    roll.draw();
    this.view.drawWires();
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
    else this.set(Math.max(0, Math.min(1, x / PULLED)), Math.max(0, x));
  }
}
