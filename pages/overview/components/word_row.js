// A row of words, coloured by where one of them looks, with a ribbon from that word to each of the others.

import { brief, el, mix, strength, svg } from "../../../attention_view/lab.js";

const LEAST = 0.02; // of the attention: below it a ribbon is thinner than a line
const THICKEST = 13; // pixels of a ribbon that has all attention
const ROOM = 62; // pixels above the words

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

/** Words in `node`; show(tokens, looks, ...after) puts them there, and elements behind them. make(props, i)
 * makes the ith, where it is more than a word to read.
 *
 * looks  {query, key, weights}: the word that looks, the one that gets most, and a weight per word; or null
 */
export class WordRow {
  constructor(make = null) {
    this.make = make ?? ((props) => el("span", props));
    this.words = el("div.words");
    this.ribbons = svg("svg", { "aria-hidden": "true" });
    this.node = el("div.stage", { role: make ? "group" : "img" }, this.ribbons, this.words);
    this.observer = new ResizeObserver(() => this.tokens && this.drawRibbons());
    this.observer.observe(this.words);
  }

  destroy() {
    this.observer.disconnect();
  }

  show(tokens, looks, ...after) {
    [this.tokens, this.looks] = [tokens, looks];
    this.words.replaceChildren(...tokens.map((token, i) => this.word(token, i)), ...after);
    this.drawRibbons();
  }

  word(token, i) {
    const mark = /^\[.*\]$/.test(token) ? "mark" : ""; // [CLS]: no part of the sentence
    const made = (props, number) => {
      const node = this.make(props, i);
      node.append(el("b", token), el("small", number));
      return node;
    };
    if (!this.looks) return made({ class: `word ${mark}` }, "");
    const { query, key, weights } = this.looks;
    const share = Math.round(100 * strength(weights[i] / Math.max(...weights)) * 0.42);
    return made(
      {
        class: `word ${i === query ? "query" : i === key ? "key" : ""} ${mark}`,
        style: `background: ${mix("weight", share)}`,
        title: `${brief(weights[i])} of the attention of “${this.tokens[query]}”`,
      },
      weights[i] >= 0.1 ? brief(weights[i]) : "",
    );
  }

  /** On one line only: from line to line a ribbon would cross the words. */
  drawRibbons() {
    const boxes = [...this.words.children];
    const isOneLine = boxes.every((box) => box.offsetTop === boxes[0].offsetTop);
    this.node.classList.toggle("flat", !isOneLine);
    if (!isOneLine) return;
    const width = this.words.offsetWidth;
    this.ribbons.setAttribute("viewBox", `0 0 ${width} ${ROOM}`);
    this.ribbons.setAttribute("width", width);
    this.ribbons.setAttribute("height", ROOM); // kept free for ribbons to come
    if (!this.looks) return this.ribbons.replaceChildren();
    const { query, weights } = this.looks;
    const centre = (box) => box.offsetLeft + box.offsetWidth / 2;
    const order = weights.map((_, i) => i).sort((a, b) => weights[a] - weights[b]);
    this.ribbons.replaceChildren(
      ...order
        .filter((i) => i !== query && weights[i] >= LEAST)
        .map((i) =>
          svg("path", {
            d: arc(centre(boxes[query]), centre(boxes[i]), ROOM, ROOM),
            "stroke-width": Math.max(1, THICKEST * weights[i]),
            opacity: 0.35 + 0.55 * strength(weights[i]),
          }),
        ),
    );
  }
}
