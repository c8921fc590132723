// Every block comes out in its turn, and the words go with it: at last it is said which one the model misses.

import { still } from "../../../../attention_view/lab.js";
import { NOTHING } from "./cuts.js";

const [EACH, REST, NEXT] = ["Pull out each in turn", "Now all the others", "Pull out the next one"];
const [BACK, ALL_BACK] = ["Put it back", "Put them back"];
export const BARE = "Now without residuals";
const [PACE, WHOLE] = [700, 4800]; // ms that a block is out, and at most all of them

export class Turns {
  constructor(tower) {
    this.tower = tower;
  }

  get isOn() {
    return this.timer !== undefined;
  }

  get offer() {
    const { nOut, next, wasBare, data, told } = this.tower;
    if (this.isOn) return "Skip";
    if (nOut > 1) return ALL_BACK;
    if (!next) return nOut ? BACK : wasBare || !data.words.length ? "Start over" : BARE;
    if (!data.costs) return NEXT;
    return told.size ? REST : EACH;
  }

  /** The dark button: the blocks come out in turn; then, once, the residual connections; at last all begins anew. */
  goOn() {
    const { offer, tower } = this;
    if (this.isOn) this.end();
    else if ([BACK, ALL_BACK].includes(offer)) tower.press(NOTHING);
    else if (offer === NEXT) tower.press(tower.next);
    else if (offer === BARE) {
      tower.wasBare = true;
      tower.press("Residual");
    } else if (tower.next) this.play();
    else {
      tower.forget();
      tower.become(NOTHING);
    }
  }

  /** Those that nothing is told of yet, from the bottom up. */
  play() {
    if (still()) this.end();
    else this.next();
  }

  next() {
    const { tower } = this;
    const { next, blocks } = tower;
    if (!next) return this.end();
    tower.out = next;
    tower.show();
    this.timer = setTimeout(() => this.next(), Math.min(PACE, WHOLE / blocks.length));
  }

  /** All of them are told of, and in the tower again. */
  end() {
    const { tower } = this;
    this.stop();
    for (const block of tower.blocks) tower.told.add(block);
    if (tower.data.out === NOTHING) tower.become(NOTHING);
    else tower.press(NOTHING);
  }

  /** A hand goes before. */
  halt() {
    if (!this.isOn) return;
    this.stop();
    this.tower.become(NOTHING);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }
}
