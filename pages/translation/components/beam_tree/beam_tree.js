// A beam search as a tree from left to right: one column per step, the best on top. A node that is pointed at shows its
// numbers.

import { asShare, el, fixed, mount, shorten, svg } from "../../../../attention_view/lab.js";

const COLUMN = 118;
const ROW = 40;
const BOX = 100;
const LEFT = 84;
const TOP = 30;
const FATES = {
  kept: "goes on",
  finished: "finished",
  cut: "stopped: too long",
  dropped: "dropped: others were better",
};
const USUAL = "Press a word to see its numbers. The best of each step is on top.";

/** Where node n of step t stands; before the first step there is the start. */
export const placeOf = (t, n) =>
  t < 0 ? { x: 8, y: TOP + ROW / 2 } : { x: LEFT + t * COLUMN, y: TOP + (n + 0.5) * ROW };

/** A score with three digits, and no sign before nothing. */
export const score = (x) => fixed(x, 3).replace(/^−(0\.0+)$/, "$1");

class Tree {
  constructor(root) {
    this.root = root;
    this.scroll = el("div.scroll", { tabindex: 0, role: "region", "aria-label": "The tree, to be scrolled sideways" });
    this.say = el("p.say", { role: "status" });
    this.hint = el("span.hint", { "aria-hidden": "true" }, "more steps: scroll sideways →");
    root.replaceChildren(this.scroll, el("p.foot", this.hint), this.say);
    this.scroll.onscroll = () => this.tell();
    this.observer = new ResizeObserver(() => this.tell());
    this.observer.observe(this.scroll);
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    this.signature = signature;
    this.say.textContent = USUAL;
    const { steps, best, alt } = data;
    const width = LEFT + steps.length * COLUMN;
    const height = TOP + Math.max(...steps.map((step) => step.length)) * ROW + 6;
    const nodes = steps.flatMap((step, t) => step.map((node, n) => ({ node, t, n, won: best[t] === n })));
    const start = placeOf(-1, 0);
    this.scroll.replaceChildren(
      svg(
        "svg",
        { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": alt },
        ...steps.map((_, t) => svg("text.quiet.middle", { x: placeOf(t, 0).x + BOX / 2, y: 16 }, `step ${t + 1}`)),
        ...nodes.filter(({ won }) => !won).map((at) => this.edge(at)),
        ...nodes.filter(({ won }) => won).map((at) => this.edge(at)), // on top of the others
        svg("g.node.won", svg("text.start", { x: start.x, y: start.y + 5 }, "⟨start⟩")),
        ...nodes.map((at) => this.box(at)),
      ),
    );
    this.tell();
    this.root.dataset.nodes = String(nodes.length);
  }

  /** Whether there are more steps at the right. */
  tell() {
    const { scrollLeft, clientWidth, scrollWidth } = this.scroll;
    const more = scrollLeft + clientWidth < scrollWidth - 8;
    this.hint.hidden = !more;
    this.scroll.classList.toggle("more", more);
  }

  destroy() {
    this.observer.disconnect();
  }

  edge({ node, t, n, won }) {
    const from = placeOf(t - 1, Math.max(node.parent, 0));
    const to = placeOf(t, n);
    const x1 = t ? from.x + BOX : from.x + 62;
    const middle = (x1 + to.x) / 2;
    return svg("path", {
      class: `edge ${node.fate} ${won ? "won" : ""}`,
      d: `M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`,
    });
  }

  box({ node, t, n, won }) {
    const { x, y } = placeOf(t, n);
    const numbers = `${asShare(node.p)} for “${node.word}”, score ${score(node.score)}`;
    const text = `${node.text}: ${numbers}, ${FATES[node.fate]}`;
    const say = (words) => (this.say.textContent = words);
    return svg(
      "g",
      {
        class: `node ${node.fate} ${won ? "won" : ""}`,
        tabindex: 0,
        role: "img",
        "aria-label": text,
        onpointerenter: () => say(text),
        onfocus: () => say(text),
        onpointerleave: () => say(USUAL),
        onblur: () => say(USUAL),
      },
      svg("rect", { x, y: y - 16, width: BOX, height: 32, rx: 8 }),
      svg("text", { x: x + 8, y: y + 5 }, shorten(node.word, 10)),
      svg("text.small.end", { x: x + BOX - 7, y: y + 4 }, asShare(node.p)),
    );
  }
}

export default mount(".beam-tree", Tree);
