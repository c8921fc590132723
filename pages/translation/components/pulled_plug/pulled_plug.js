// One sentence, and two translations of it: above by the whole model, below without a part of it. Threads are grey
// where nothing comes through them any more.

import { mount, svg } from "../../../../attention_view/lab.js";
import { TwoTranslations } from "../two_translations.js";

const NAME = "the whole model";

class PulledPlug extends TwoTranslations {
  margin = 92; // for the cable

  tags() {
    const { plug } = this.data;
    const below = plug ? `without ${plug}` : "nothing taken out";
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

  /** The cable that the decoder hangs on: whole above, pulled below. */
  behind() {
    const { upright, rows } = this.placed;
    if (upright) return [];
    const [top, middle, bottom] = rows.map((row) => row[0].y),
      x = 46;
    const cord = (from, to) => svg("path.cord", { d: `M${x} ${from}V${to}` });
    const socket = (y) => svg("path.body", { d: `M${x - 9} ${y}h18v-7a9 9 0 0 0 -18 0z` });
    const plug = (y, prongs) => [
      ...(prongs ? [svg("path.prong", { d: `M${x - 4} ${y}v-8M${x + 4} ${y}v-8` })] : []),
      svg("path.body", { d: `M${x - 9} ${y}h18v7a9 9 0 0 1 -18 0z` }),
    ];
    const at = (middle + bottom) / 2,
      up = (top + middle) / 2,
      gap = this.data.plug ? 17 : 0;
    return [
      cord(top + 4, up - 14),
      cord(up + 14, middle - 2),
      socket(up),
      ...plug(up, false),
      cord(middle + 2, at - gap - 14),
      cord(at + gap + 14, bottom - 4),
      socket(at - gap),
      ...plug(at + gap, gap > 0),
      svg("circle.joint", { cx: x, cy: middle, r: 4 }),
    ];
  }

  overview() {
    const { layer, plug, carries } = this.data;
    return (
      `Threads: attention weights of the decoder's layer ${layer}, the mean of its heads` +
      `${plug && !carries ? "; grey where nothing comes through them" : ""}.` +
      " Hover over a word, or tap it, to see its own."
    );
  }

  ofTarget(side, n) {
    const { source, sides, plug } = this.data;
    const [best, weight] = this.best(side, n);
    const where = side && plug ? `Without ${plug}, to` : "To";
    return `${where} write ${sides[side].words[n]}, it looks most at ${source[best]} (${weight}).`;
  }
}

export default mount(".pulled-plug", PulledPlug);
