// One sentence, and two translations of it: above by the whole model, below without a part of it. Threads are grey
// where nothing comes through them any more.

import { mount } from "../../../../attention_view/lab.js";
import { TwoTranslations } from "../two_translations.js";

const NAME = "the whole model";

class WithoutPart extends TwoTranslations {
  tags() {
    const { part } = this.data;
    const below = part ? `without ${part}` : "nothing left out";
    if (!this.placed.upright) return [this.tag(NAME, "left:12px;top:0"), this.tag(below, "left:12px;bottom:0")];
    const sentence = this.tag("the sentence", "left:50%;top:0;transform:translateX(-50%)");
    return [this.tag(NAME, "left:8px;top:0"), sentence, this.tag(below, "right:8px;top:0")];
  }

  isOther(side, n) {
    const [whole, ablated] = this.data.sides.map(({ words }) => words);
    return side === 1 && whole.join(" ") !== ablated.join(" ") && whole[n] !== ablated[n];
  }

  kind(side) {
    return [side ? (this.data.carries ? "thread ablated" : "thread nothing") : "thread", 1];
  }

  overview() {
    const { layer, part, carries } = this.data;
    return (
      `Threads: attention weights of the decoder's layer ${layer}, the mean of its heads` +
      `${part && !carries ? "; grey where nothing comes through them" : ""}.` +
      " Press a word to see its own."
    );
  }

  ofTarget(side, n) {
    const { source, sides, part } = this.data;
    const [best, weight] = this.best(side, n);
    const where = side && part ? `Without ${part}, to` : "To";
    return `${where} write ${sides[side].words[n]}, it looks most at ${source[best]} (${weight}).`;
  }
}

export default mount(".without-part", WithoutPart);
