// The ripple of an edit through the layers of a model. All of it is known at once; it is shown layer by layer.

import { el, mount, shorten, still, svg, trimmed, windowHeight } from "../../../../attention_view/lab.js";
import { firstBeat } from "../../../../attention_view/controls.js";

const LAYER = 190; // milliseconds

/** The lines from what moved at a height to who could look at it, one height up: [from, to] each. */
export function edges(moved, mask) {
  const out = [];
  mask.forEach((row, query) =>
    row.forEach((open, key) => {
      if (moved[key] && (open || query === key)) out.push([key, query]);
    }),
  );
  return out;
}

class Ripple {
  constructor(root) {
    this.root = root;
    this.resized = () => this.draw();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    this.signature = signature;
    this.data = data;
    this.top = data.moved.length - 1;
    this.build();
    this.draw();
    this.show(this.top);
    if (isFirst) this.begin();
    else this.play(); // what was just edited spreads
    this.root.dataset.painted = "true";
  }

  build() {
    this.back = el("button", { "aria-label": "One layer back", onclick: () => this.step(-1) }, "←");
    this.next = el("button", { "aria-label": "One layer on", onclick: () => this.step(1) }, "→");
    this.playing = el("button", { onclick: () => this.play() }, "▶ Play");
    this.says = el("p.says", { role: "status" });
    this.picture = svg("svg", { role: "img", "aria-label": this.data.alt });
    this.root.replaceChildren(this.picture, el("div.foot", this.playing, this.back, this.next, this.says));
  }

  /** The first beat is the ripple itself. */
  begin() {
    const end = () => {
      clearTimeout(this.timer);
      this.show(this.top);
    };
    firstBeat("ripple", (this.top + 2) * LAYER, () => this.play(), end);
  }

  step(by) {
    clearTimeout(this.timer);
    this.show(Math.min(this.top, Math.max(0, this.height + by)));
  }

  play() {
    clearTimeout(this.timer);
    if (still()) return this.show(this.top);
    this.show(0);
    const on = () => {
      if (this.height === this.top) return;
      this.show(this.height + 1);
      this.timer = setTimeout(on, LAYER);
    };
    this.timer = setTimeout(on, 2 * LAYER);
  }

  /** What is known up to this height. */
  show(height) {
    this.height = height;
    for (const node of this.picture.querySelectorAll("[data-height]"))
      node.classList.toggle("yet", Number(node.dataset.height) > height);
    const { moved, tokens } = this.data;
    const n = moved[height].filter(Boolean).length;
    const [where, verb] = [
      height ? `After ${height} layer${height === 1 ? "" : "s"}` : "In the input",
      n === 1 ? "has" : "have",
    ];
    this.says.textContent = `${where}: ${n} of ${tokens.length} ${verb} moved.`;
    this.back.disabled = height === 0;
    this.next.disabled = height === this.top;
    this.root.dataset.height = String(height);
  }

  draw() {
    const { moved, change, predicted, masks, tokens, edited, word } = this.data;
    const width = Math.max(260, this.root.clientWidth - 4);
    const rows = moved.length;
    const room = Math.max(280, windowHeight(this.root) - 376);
    const [left, right, gap] = [76, 12, Math.max(34, Math.min(room / 2, Math.round(room / Math.max(1, rows - 1))))];
    const step = (width - left - right) / tokens.length;
    const upright = tokens.every((token) => shorten(token).length * 8 < step);
    const foot = upright ? 44 : 78;
    const height = 26 + gap * (rows - 1) + foot;
    const r = Math.max(4, Math.min(10, step / 3));
    const at = (h, t) => [left + step * (t + 0.5), 20 + gap * (rows - 1 - h)];
    const nodes = [];
    const text = (x, y, words, more = {}) => nodes.push(svg("text", { x, y, ...more }, words));
    for (let h = 0; h < rows; h++) {
      const [, y] = at(h, 0);
      nodes.push(svg("line.floor", { x1: left, x2: width - right, y1: y, y2: y }));
      text(left - 10, y + 4.5, h === 0 ? "input" : h === rows - 1 ? "output" : `after ${h}`, { class: "side" });
    }
    for (let h = 0; h + 1 < rows; h++)
      for (const [key, query] of edges(moved[h], masks[h])) {
        const [[x1, y1], [x2, y2]] = [at(h, key), at(h + 1, query)];
        nodes.push(svg("line.edge", { x1, y1, x2, y2, "data-height": h + 1 }));
      }
    for (let h = 0; h < rows; h++)
      tokens.forEach((token, t) => {
        const [cx, cy] = at(h, t);
        const isEdited = h === 0 && t === edited;
        const what = moved[h][t] ? `moved by up to ${trimmed(change[h][t], 3)}` : "not a bit has moved";
        const title = svg("title", `${token}, ${h ? `after ${h} layer${h === 1 ? "" : "s"}` : "input"}: ${what}`);
        nodes.push(svg("circle.still", { cx, cy, r: r * 0.55 }, title.cloneNode(true)));
        if (predicted[h][t] && !isEdited) nodes.push(svg("circle.ring", { cx, cy, r: r + 3.5, "data-height": h }));
        if (moved[h][t])
          nodes.push(svg("circle", { cx, cy, r, class: isEdited ? "edited" : "moved", "data-height": h }, title));
      });
    tokens.forEach((token, t) => {
      const [x, y] = at(0, t);
      const name = t === edited ? word : token;
      const [ty, turn] = upright ? [y + 30, ""] : [y + 22, `rotate(-60 ${x} ${y + 22})`];
      text(x, ty, shorten(name, 11), {
        class: `token ${upright ? "" : "turned"} ${t === edited ? "new" : ""}`,
        transform: turn,
      });
    });
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.style.height = `${height}px`;
    this.picture.replaceChildren(...nodes);
    if (this.height !== undefined) this.show(this.height);
  }

  destroy() {
    clearTimeout(this.timer);
  }
}

export default mount(".leak-ripple", Ripple);
