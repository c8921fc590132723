// A sentence whose words are coloured by one row of attention, with a ribbon from the word that looks to each of them.

import { brief, el, mix, mount, strength, svg } from "../../../../attention_view/lab.js";

const LEAST = 0.02; // of the attention: below it a ribbon is thinner than a line
const THICKEST = 13; // pixels of a ribbon that has all attention
const HEIGHT = 62; // pixels above the words

/** The ribbon from one word to another over the words between them; x and y in pixels, y grows downwards. */
export function arc(from, to, floor, height) {
  const rise = Math.min(height, 18 + Math.abs(to - from) / 6);
  return `M${from} ${floor} C${from} ${floor - rise * 1.3} ${to} ${floor - rise * 1.3} ${to} ${floor}`;
}

/** Where attention goes, in words: "animal 0.65, [CLS] 0.15"; the strongest first, so many of them. */
export function summary(tokens, weights, most = 3) {
  const order = weights.map((_, i) => i).sort((a, b) => weights[b] - weights[a]);
  return order
    .slice(0, most)
    .map((i) => `${tokens[i]} ${brief(weights[i])}`)
    .join(", ");
}

class Pronoun {
  constructor(root) {
    this.root = root;
    this.n = 0;
    this.choice = el("div", { class: "choice", role: "group", "aria-label": "How the sentence ends" });
    this.words = el("div", { class: "words" });
    this.ribbons = svg("svg", { "aria-hidden": "true" });
    this.stage = el("div", { class: "stage", role: "img" }, this.ribbons, this.words);
    this.head = el("span", { class: "head" });
    root.replaceChildren(el("div", { class: "top" }, this.choice, this.head), this.stage);
    this.observer = new ResizeObserver(() => this.data && this.drawRibbons());
    this.observer.observe(this.words);
  }

  destroy() {
    this.observer.disconnect();
  }

  update(data) {
    this.data = data;
    this.head.textContent = data.head;
    this.buttons = data.sentences.map(({ name }, n) =>
      el("button", { type: "button", onclick: () => this.show(n) }, `… ${name}`),
    );
    this.choice.replaceChildren(...this.buttons);
    this.show(Math.min(this.n, data.sentences.length - 1));
  }

  show(n) {
    this.n = n;
    const { tokens, query, weights, name } = this.data.sentences[n];
    const largest = Math.max(...weights);
    const strongest = weights.indexOf(largest);
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === n)));
    this.words.replaceChildren(
      ...tokens.map((token, i) => {
        const role = i === query ? "query" : i === strongest ? "key" : "";
        const mark = /^\[.*\]$/.test(token) ? "mark" : ""; // [CLS]: no part of the sentence
        const share = Math.round(100 * strength(weights[i] / largest) * 0.42);
        return el(
          "span",
          {
            class: `word ${role} ${mark}`,
            style: `background: ${mix("weight", share)}`,
            title: `${brief(weights[i])} of the attention of “${tokens[query]}”`,
          },
          el("b", {}, token),
          el("small", {}, weights[i] >= 0.1 ? brief(weights[i]) : ""),
        );
      }),
    );
    this.stage.setAttribute(
      "aria-label",
      `“${tokens[query]}” looks at ${summary(tokens, weights)}, where the sentence ends with ${name}.`,
    );
    this.root.dataset.shown = name;
    this.drawRibbons();
  }

  /** On one line only: from line to line a ribbon would cross the words. */
  drawRibbons() {
    const { query, weights } = this.data.sentences[this.n];
    const boxes = [...this.words.children];
    const isOneLine = boxes.every((box) => box.offsetTop === boxes[0].offsetTop);
    this.root.classList.toggle("flat", !isOneLine);
    if (!isOneLine) return;
    const centre = (box) => box.offsetLeft + box.offsetWidth / 2;
    const width = this.words.offsetWidth;
    this.ribbons.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
    this.ribbons.setAttribute("width", width);
    this.ribbons.setAttribute("height", HEIGHT);
    const order = weights.map((_, i) => i).sort((a, b) => weights[a] - weights[b]);
    this.ribbons.replaceChildren(
      ...order
        .filter((i) => i !== query && weights[i] >= LEAST)
        .map((i) =>
          svg("path", {
            d: arc(centre(boxes[query]), centre(boxes[i]), HEIGHT, HEIGHT),
            "stroke-width": Math.max(1, THICKEST * weights[i]),
            opacity: 0.35 + 0.55 * strength(weights[i]),
          }),
        ),
    );
  }
}

export default mount(".pronoun", Pronoun);
