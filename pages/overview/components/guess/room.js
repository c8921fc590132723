// The room that the words leave to heads beside them: little before the guess, for the sentence is the subject.

import { tween } from "../../../../attention_view/controls.js";

const HEADS_TAKE = [7, 27]; // per cent of the width, before the guess and after it
const SHIFT = 500; // milliseconds from the one to the other

export class Room {
  /** fit lays words and model out anew. */
  constructor(root, fit) {
    Object.assign(this, { root, fit });
  }

  leave(isTold) {
    this.stop?.();
    this.set(HEADS_TAKE[Number(isTold)]);
  }

  /** The words give way, where they still fit on one line then. */
  make() {
    if (!this.root.hasAttribute("data-line")) return;
    const [from, to] = HEADS_TAKE;
    this.stop = tween(SHIFT, (share) => {
      this.set(from + share * (to - from));
      this.fit();
    });
  }

  set(share) {
    this.root.style.setProperty("--heads", `${share}%`);
  }
}
