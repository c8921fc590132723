// The one picture of all lights on the heads: what is found and the dark button; all heads, and beside them what one of
// them does; below, the text with threads. What moves between the lights is what is said, never where it stands.

import { el, svg, write } from "../../../../attention_view/lab.js";
import { HeadGrid } from "./head_grid.js";
import { Heads } from "./heads.js";

/** touch(layer, head) hears of a head, and press() of the dark button; one head is `chosen`. */
export class HeadPicture extends Heads {
  constructor(root, told, about) {
    super(root, told, about);
    const layerOf = (layer) => el("span.layer", `layer ${layer}`);
    this.grid = new HeadGrid(root, (layer, head) => this.touch(layer, head), layerOf);
    this.finding = el("h2.finding", { "aria-live": "polite" });
    this.act = el("button.primary", { onclick: () => this.press() });
    this.signs = el("p.quiet.signs");
    this.title = el("h3.quiet");
    this.bars = el("ol.bars");
    this.others = el("p.others");
    this.where = el("p.where");
    this.words = el("div.words");
    this.second = el("div.words.second");
    this.threads = svg("svg.threads", { "aria-hidden": "true" });
    root.replaceChildren(
      el("div.headline", this.finding, this.act),
      el(
        "div.top",
        el("div.map", this.grid.node, this.signs),
        el("div.answer", this.title, this.bars, this.others, this.where),
      ),
      el("div.text", this.words, this.second, this.threads),
    );
  }

  follow(chosen) {
    this.chosen = chosen;
  }

  /** The place of the chosen head among all heads. */
  get index() {
    return this.chosen[0] * this.H + this.chosen[1];
  }

  /** What is said around the bars. */
  say({ finding, act, title, others, where, signs }) {
    write(this.finding, finding);
    write(this.act, act);
    write(this.title, title);
    write(this.others, others);
    write(this.where, where);
    write(this.signs, this.grid.isNumbered ? signs : ""); // maps too small for a number need no word on it
  }

  /** The box that threads are drawn in, and how much larger than said it is drawn. */
  get paper() {
    return [this.threads.parentElement.getBoundingClientRect(), this.root.currentCSSZoom ?? 1];
  }
}

/** Whether a token is no word: ⟨start⟩, [CLS]. */
export const isMark = (token) => /^[⟨[].+[⟩\]]$/.test(token);

/** Who comes after `index` when all are taken by size, the largest first; the first again after the last. */
export function nextBySize(sizes, index) {
  const order = bySize(sizes);
  return order[(order.indexOf(index) + 1) % order.length];
}

/** The places of all numbers, that of the largest first. */
export const bySize = (sizes) => [...sizes.keys()].sort((a, b) => sizes[b] - sizes[a]);

/** The layer and the number of a head, by its place among all of them. */
export const headOf = (index, H) => [Math.floor(index / H), index % H];

/** What a head is called within a sentence. */
export const headName = ([layer, head]) => `head ${head} of layer ${layer}`;

/** The same as the beginning of a sentence. */
export const headFirst = (place) => headName(place).replace(/^./, (letter) => letter.toUpperCase());
