// The sentence below the picture: which of its tokens is followed through the layer.

import { el } from "../../../../attention_view/lab.js";
import { inRow } from "../../../../attention_view/controls.js";

export class Follow {
  /** river: whose token is followed */
  constructor(river) {
    this.river = river;
    this.words = el("div.sentence", { role: "radiogroup", "aria-label": "The token that is followed" });
    this.words.onkeydown = (event) => this.step(event);
    this.node = el("div.follow", el("span.quiet", "follow"), this.words);
  }

  /** The tokens stay the same elements, or the focus would go. */
  draw() {
    const { followed, data } = this.river;
    if (this.told !== String(data.words)) {
      this.told = String(data.words);
      const word = (text, n) => el("button", { role: "radio", onclick: () => this.river.follow(n) }, text);
      this.words.replaceChildren(...data.words.map(word));
    }
    for (const [n, button] of [...this.words.children].entries()) {
      button.setAttribute("aria-checked", String(n === followed));
      button.classList.toggle("key", n === data.seen[followed]?.source);
      button.tabIndex = n === followed ? 0 : -1;
    }
  }

  step(event) {
    const to = inRow(event, this.river.followed, this.river.data.words.length);
    if (to === null) return;
    this.river.follow(to);
    this.words.children[to].focus();
  }
}
