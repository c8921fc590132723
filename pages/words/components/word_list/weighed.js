// Attention weights of the story: one word shares its attention out, as its scores say. A drag at the edge between the
// two strongest changes the score of the first; all shares follow, and add up to 1 as before.

import { el, fixed, svg } from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";

// The drawing, in a wide window and on a phone: its size, that of its letters, and the base lines of the text: what is
// looked at, and the sentence of the word that asks.
const LAYOUTS = { wide: [720, 210, 30, 40, 178], narrow: [440, 170, 20, 26, 144] };
const NARROW = 560; // pixels
const [LEAST, STEP] = [0.01, 0.01]; // of the share that is set

/** Scores as shares that add up to 1: their softmax. */
export function sharesOf(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/** The score that gives the nth of these this share, while all others keep theirs. */
export function scoreFor(scores, n, share) {
  const others = scores.filter((_, at) => at !== n);
  const most = Math.max(...others);
  const sum = others.reduce((all, score) => all + Math.exp(score - most), 0);
  return most + Math.log(sum) + Math.log(share / (1 - share));
}

export class Weighed {
  /** lines: the text, of which the last word asks; keys: the two words of the first line that it looks at most
   * scores: of these, and of all others together, divided as softmax has them; root: by what */
  constructor({ lines, keys, scores, root }) {
    Object.assign(this, { keys, scores, root, start: scores });
    this.lines = lines.map((line) => line.map((word) => svg("text", word)));
    this.query = this.lines[1].at(-1);
    this.query.setAttribute("class", "query");
    this.looked = keys.map((word) => this.lines[0].find((text) => text.textContent === word));
    for (const text of this.looked) text.setAttribute("class", "key");
    this.threads = keys.map(() => svg("path"));
    this.drawing = svg("svg", { "aria-hidden": "true" }, ...this.threads, ...this.lines.flat());
    this.parts = keys.map((word) => {
      const [share, score] = [el("b.weight"), el("span.quiet")];
      const node = el("p.part", el("span", el("b.key", word), " ", share), score);
      return { node, share, score };
    });
    const label = `Share of ${keys[0]}; the rest goes to ${keys[1]}`;
    const act = (share) => this.set(scoreFor(this.start, 0, share));
    this.bar = slider(label, { min: LEAST, max: 1 - LEAST, step: STEP, class: "share-bar" }, act);
    this.said = el("p.quiet.law");
    const parts = el("div.parts", ...this.parts.map(({ node }) => node));
    this.node = el("div.picture.weighed", this.drawing, el("div.one", parts, this.bar), this.said);
  }

  /** Where the words are, by their widths: once they are in the page, and in a window of another width. */
  place() {
    const [wide, high, size, ...bases] = LAYOUTS[this.node.clientWidth < NARROW ? "narrow" : "wide"];
    this.drawing.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    this.drawing.setAttribute("font-size", size);
    const middle = new Map();
    for (const [n, texts] of this.lines.entries()) {
      const widths = texts.map((text) => text.getComputedTextLength());
      const spaces = texts.map(({ textContent }) => (textContent === "." ? 0 : 0.3 * size));
      const all = [...widths, ...spaces.slice(1)].reduce((sum, part) => sum + part, 0);
      let x = (wide - all) / 2 - spaces[0];
      for (const [at, text] of texts.entries()) {
        x += spaces[at];
        text.setAttribute("x", x.toFixed(1));
        text.setAttribute("y", bases[n]);
        middle.set(text, x + widths[at] / 2);
        x += widths[at];
      }
    }
    const [top, bottom] = [bases[0] + 0.33 * size, bases[1] - 0.9 * size];
    const half = (top + bottom) / 2;
    const from = middle.get(this.query);
    for (const [n, text] of this.looked.entries()) {
      const to = middle.get(text);
      this.threads[n].setAttribute("d", `M${from} ${bottom}C${from} ${half} ${to} ${bottom} ${to} ${top}`);
    }
    this.thick = 0.87 * size;
    this.draw();
  }

  set(score) {
    this.scores = [score, ...this.start.slice(1)];
    this.draw();
  }

  draw() {
    const shares = sharesOf(this.scores);
    for (const [n, { share, score }] of this.parts.entries()) {
      share.textContent = shares[n].toFixed(2);
      score.textContent = `score ${fixed(this.scores[n] * this.root, 1)}`;
      this.threads[n].setAttribute("stroke-width", (1 + this.thick * shares[n]).toFixed(1));
    }
    this.bar.value = String(shares[0]);
    this.bar.style.setProperty("--w", `${100 * shares[0]}%`);
    this.bar.setAttribute(
      "aria-valuetext",
      `${this.keys[0]} ${shares[0].toFixed(2)}, ${this.keys[1]} ${shares[1].toFixed(2)}`,
    );
    const isMoved = this.scores !== this.start;
    this.said.textContent = isMoved
      ? `Only the score of “${this.keys[0]}” has changed. All shares follow, and still add up to 1.`
      : `All other words get ${shares[2].toFixed(4)} together. Drag the edge of the bar.`;
    this.node.dataset.shares = shares.map((share) => share.toFixed(4)).join(" ");
  }
}
