// What stands below the picture: heads, maps and curves. While nobody sees them they do not keep the hand waiting.

import { el } from "../../../../attention_view/lab.js";

const PAUSE = 150; // milliseconds without a new step

export class Columns {
  constructor(parts) {
    this.parts = parts;
    this.node = el("div.columns", ...parts.map(({ node }) => node));
    this.sight = new IntersectionObserver((seen) => (this.isBelow = !seen.at(-1).isIntersecting));
    this.sight.observe(this.node);
  }

  paint() {
    clearTimeout(this.later);
    const paint = () => this.parts.forEach((part) => part.paint());
    if (this.isBelow) this.later = setTimeout(paint, PAUSE);
    else paint();
  }

  destroy() {
    clearTimeout(this.later);
    this.sight.disconnect();
  }
}
