// Where the model looked for the next word: the words of the story in violet, and every head as a row of small bars.

import { el, strength, theme } from "../../../../attention_view/lab.js";

export class Looks {
  constructor(story) {
    this.story = story;
    this.said = el("p.quiet");
    this.heads = el("div.heads", { role: "group", "aria-label": "Every head" });
    this.node = el("div.attention", this.said, this.heads);
    this.taken = undefined; // [layer, head] that was chosen; null: none, undefined: the link was not read
  }

  /** Takes the head of a link, and lets go of one that is not there. */
  keep({ attention, head }) {
    if (this.taken === undefined && /^\d{1,2}\.\d{1,2}$/.test(head)) this.taken = head.split(".").map(Number);
    const [layer, n] = this.taken ?? [0, 0];
    if (layer >= attention.length || n >= attention[0].length) this.taken = undefined;
    this.taken ??= null; // then the sharpest head of the last layer is shown
  }

  paint() {
    const { data, over, text, tokens } = this.story;
    const [l, h] = this.taken ?? this.sharpest();
    const row = over ? [] : (data.attention[l]?.[h] ?? []);
    const most = this.taken ? Math.max(...row, 1e-9) : Infinity; // violet comes with a head that somebody chose
    tokens.forEach((token, at) => {
      const weight = row[at] ?? 0;
      token.style.setProperty("--w", strength(weight / most).toFixed(3));
      const seen = over ? "" : `attention weight ${weight.toFixed(3)}`;
      token.title = [`${this.story.label(text[at])}: ${seen}`, token.dataset.about].filter(Boolean).join("; ");
    });
    this.node.hidden = over;
    this.say(l, h, row);
    this.offer(l, h);
    this.paintHeads();
  }

  say(l, h, row) {
    const { text } = this.story;
    const label = (id) => this.story.label(id);
    const violet = (words) => el("b.weight", words);
    const best = row.indexOf(Math.max(...row));
    const last = text.length ? label(text.at(-1)) : "";
    const [to, weight] = best < 0 ? ["", ""] : [label(text[best]), row[best].toFixed(2)];
    const from = `: layer ${l}, head ${h}, from “${last}” most to “${to}” (`;
    const end = `). ${this.taken ? "The story wears its violet." : "Press a head to see it in the story."}`;
    this.said.replaceChildren("Where it ", violet("looked"), from, violet(weight), end);
  }

  /** A button for every head. */
  offer(l, h) {
    const { attention } = this.story.data;
    const H = attention[0]?.length ?? 0;
    const n_heads = H * attention.length;
    const button = (i, j) => {
      const name = `Layer ${i}, head ${j}`;
      const props = { "aria-label": name, title: name, "aria-pressed": String(i === l && j === h) };
      return el("button", { ...props, onclick: () => this.take(i, j) }, el("canvas", { "data-head": `${i}.${j}` }));
    };
    this.heads.style.setProperty("--heads", n_heads <= 8 ? n_heads : H);
    this.heads.classList.toggle("many", n_heads > 64);
    this.heads.replaceChildren(...attention.flatMap((layer, i) => layer.map((_, j) => button(i, j))));
  }

  /** The head of the last layer with the largest weight on a token that is neither the first nor the last. */
  sharpest() {
    const { attention } = this.story.data;
    const last = attention.length - 1;
    const weights = (attention[last] ?? []).map((row) => Math.max(0, ...row.slice(1, -1)));
    return [Math.max(0, last), Math.max(0, weights.indexOf(Math.max(...weights)))];
  }

  take(l, h) {
    this.taken = [l, h];
    this.paint();
    this.heads.children[this.story.data.attention[0].length * l + h].focus();
    this.story.link.later();
  }

  paintHeads() {
    const colour = theme(this.story.root)("weight");
    for (const canvas of this.heads.querySelectorAll("canvas")) {
      const [l, h] = canvas.dataset.head.split(".").map(Number);
      const weights = this.story.data.attention[l]?.[h];
      const wide = canvas.clientWidth,
        tall = canvas.clientHeight,
        dense = devicePixelRatio || 1;
      if (!weights || !wide) continue;
      canvas.width = wide * dense;
      canvas.height = tall * dense;
      const pen = canvas.getContext("2d");
      pen.scale(dense, dense);
      pen.fillStyle = colour;
      const step = wide / weights.length;
      const one = Math.max(1, step - (step > 3 ? 1 : 0));
      weights.forEach((w, s) => pen.fillRect(s * step, tall * (1 - w), one, tall * w));
    }
  }
}
