// The hand, or Shift and an arrow, that pulls a block: it adds the less the further it is out; let go, it is out or in,
// whichever is nearer.

import { pointIn, wholePercent } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { isOut } from "./cuts.js";

const STILL = 4; // pixels that a pointer may move while it presses

/** What is said in the gap of a block that is held: what it adds, where it is known what is said with such a share. */
export const addsOf = (share, isKnown) => (isKnown && share ? `adds ${wholePercent(share)}` : share > 0.5 ? "" : "out");

export class Pull {
  constructor(tower) {
    this.tower = tower;
    this.isOn = false; // by a pointer
    tower.rows.addEventListener("keyup", ({ key }) => key === "Shift" && !this.isOn && this.letGo());
    tower.rows.addEventListener("focusout", () => this.isOn || this.letGo());
  }

  /** How many pixels a block is out. */
  from(part) {
    const { held, out, off } = this.tower;
    return held?.by ?? isOut(part, out) * off;
  }

  press(event, part) {
    if (event.button) return;
    const { tower } = this;
    tower.turns.halt();
    tower.named.get(part).setPointerCapture(event.pointerId);
    const [start, was] = [pointIn(event, tower.root)[0], this.from(part)];
    const move = (to) => {
      const by = pointIn(to, tower.root)[0] - start;
      this.isOn ||= Math.abs(by) > STILL;
      if (this.isOn) this.hold(part, was + by);
    };
    tower.endDrag = drag(move, () => {
      setTimeout(() => (this.isOn = false)); // after the click that ends it
      this.letGo();
    });
  }

  /** Whether this key pulls the block by a tenth. */
  key({ key, shiftKey }, node) {
    const by = shiftKey && { ArrowLeft: -0.1, ArrowRight: 0.1 }[key];
    const { part } = node.dataset;
    if (by) this.tower.turns.halt();
    if (by) this.hold(part, this.from(part) + by * this.tower.off);
    return Boolean(by);
  }

  hold(part, pixels) {
    const { off, held, named } = this.tower;
    const node = held?.node ?? named.get(part);
    const by = Math.max(0, Math.min(off, pixels));
    node.classList.add("held");
    node.style.setProperty("--by", `${by}px`);
    this.tower.held = { part, node, by, share: Math.round(10 * (1 - by / off)) / 10 };
    this.tower.show();
  }

  letGo() {
    const { tower } = this;
    if (!tower.held) return;
    const { part, node, share } = tower.held;
    tower.held = null;
    node.classList.remove("held");
    node.style.removeProperty("--by");
    if (share <= 0.5 !== isOut(part, tower.out)) tower.toggle(part); // as it was told of last
    else tower.show();
  }
}
