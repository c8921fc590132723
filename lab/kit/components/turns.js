// One part of a model after the other is taken out, each for as long as any other.

import { tween } from "../../../attention_view/controls.js";

export class Turns {
  /** root   says whose turn it is, in data-turn
   * turned  called with the first and the last part whose turn has come since it was called before
   * rested  called once the turns are over, or stopped */
  constructor(root, { turned, rested }) {
    Object.assign(this, { root, turned, rested, isOn: false, at: -1 });
  }

  /** Takes each of n parts out in turn, within so many milliseconds; then ends. */
  play(n, milliseconds, end) {
    Object.assign(this, { isOn: true, at: -1 });
    this.halt = tween(milliseconds, (share) => {
      this.to(Math.min(n - 1, Math.floor(share * n)));
      if (share < 1) return;
      this.rest();
      end();
    });
  }

  to(turn) {
    if (turn === this.at) return;
    const first = this.at + 1;
    this.root.dataset.turn = this.at = turn;
    this.turned(first, turn);
  }

  rest() {
    this.halt?.();
    this.halt = null;
    if (!this.isOn) return;
    this.isOn = false;
    delete this.root.dataset.turn;
    this.rested();
  }
}
