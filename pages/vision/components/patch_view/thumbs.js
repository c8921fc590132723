// The heads of one layer, small, and the rollout behind them.

import { el } from "../../../../attention_view/lab.js";
import { show } from "../../../../lab/kit/components/patches.js";
import { lay } from "../light.js";

const MANY = 6; // heads: more stand in several rows
const FINE = 280; // pixels across a map, at most

/** The largest of some attention weights. */
export const mostOf = (weights) => weights.reduce((a, b) => Math.max(a, b), 0);

export class Thumbs {
  /** open(layer, head) hears which one was chosen, peek([layer, head]) which one the pointer is on, or null. */
  constructor({ open, peek }) {
    Object.assign(this, { open, peek, shown: [], head: 0 });
    this.layers = el("div.layers", { role: "group", "aria-label": "Layer" });
    this.node = el("div.heads", { onpointerleave: () => peek(null) });
  }

  /** Makes room for maps of weights (L, H, T, T): those of `layer`. */
  fill([L, H], layer) {
    const key = `${layer}|${L}|${H}`;
    if (key === this.filled) return;
    this.filled = key;
    this.node.style.setProperty("--heads", H + 1);
    this.node.classList.toggle("many", H > MANY);
    const names = [...Array.from({ length: H }, (_, h) => `head ${h}`), "rollout"];
    this.shown = [];
    this.node.replaceChildren(...names.map((name, h) => this.cell(layer, h, name)));
    if (this.layers.childElementCount === L) return;
    this.layers.replaceChildren(
      ...Array.from({ length: L }, (_, n) =>
        el("button", { onclick: () => this.open(n, this.head), "aria-label": `layer ${n}` }, `${n}`),
      ),
    );
  }

  cell(layer, h, name) {
    const canvas = el("canvas", { "aria-hidden": "true" });
    const button = el(
      "button",
      {
        "aria-label": `layer ${layer}, ${name}`,
        onclick: () => this.open(layer, h),
        onpointerenter: (event) => event.pointerType === "mouse" && this.peek([layer, h]),
      },
      canvas,
    );
    this.shown.push({ layer, h, canvas, button });
    const layers = layer ? `layers 0–${layer}` : "layer 0";
    return el("div", el("span.name", name === "rollout" ? `${name}, ${layers}` : name), button);
  }

  /** Draws the attention weights on the patches, in the order of `shown`, each as shares of its own largest: of every
   * head it is seen where it looks. The chosen head is marked. */
  draw(rows, [layer, head], { pixels, across, violet }) {
    this.head = head;
    const picture = el("canvas");
    show(picture, pixels);
    const size = Math.floor(FINE / across) * across;
    this.shown.forEach(({ canvas, button, layer: n, h }, k) => {
      const shares = Array.from(rows[k], (w) => w / (mostOf(rows[k]) || 1));
      Object.assign(canvas, { width: size, height: size });
      const pen = canvas.getContext("2d");
      pen.imageSmoothingEnabled = false;
      pen.drawImage(picture, 0, 0, size, size);
      lay(pen, size, shares, across, violet);
      button.setAttribute("aria-pressed", n === layer && h === head);
    });
    for (const [n, button] of [...this.layers.children].entries()) button.setAttribute("aria-pressed", n === layer);
  }
}
