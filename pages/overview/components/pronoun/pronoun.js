// What "it" looks at in a recorded sentence, and a switch between the sentences.

import { el, mount } from "../../../../attention_view/lab.js";
import { WordRow, summary } from "../word_row.js";

class Pronoun {
  constructor(root) {
    this.root = root;
    this.n = 0;
    this.choice = el("div.choice", { role: "group", "aria-label": "How the sentence ends" });
    this.row = new WordRow();
    this.head = el("span.head");
    root.replaceChildren(el("div.top", this.choice, this.head), this.row.node);
  }

  destroy() {
    this.row.destroy();
  }

  update(data) {
    this.data = data;
    this.head.textContent = data.head;
    this.buttons = data.sentences.map(({ name }, n) => el("button", { onclick: () => this.show(n) }, `… ${name}`));
    this.choice.replaceChildren(...this.buttons);
    this.show(Math.min(this.n, data.sentences.length - 1));
  }

  show(n) {
    this.n = n;
    const { tokens, query, weights, name } = this.data.sentences[n];
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === n)));
    this.row.show(tokens, { query, key: weights.indexOf(Math.max(...weights)), weights });
    this.row.node.setAttribute(
      "aria-label",
      `“${tokens[query]}” looks at ${summary(tokens, weights)}, where the sentence ends with ${name}.`,
    );
    this.root.dataset.shown = name;
  }
}

export default mount(".pronoun", Pronoun);
