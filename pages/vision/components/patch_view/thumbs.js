// Every head, small: of all layers, or, where there are many heads, of one. A column for the rollout closes each row.

import { el } from "../../../../attention_view/lab.js";
import { painted } from "../../../../lab/kit/components/patches.js";

const FEW = 24; // heads that are shown at once; of more, those of one layer

export class Thumbs {
  /** open(layer, head) hears which one was chosen, peek([layer, head]) which one the pointer is on, or null. */
  constructor({ open, peek }) {
    Object.assign(this, { open, peek, shown: [], head: 0 });
    this.layers = el("div.layers", { role: "group", "aria-label": "Layer" });
    this.node = el("div.heads", { onpointerleave: () => peek(null) });
  }

  /** Makes room for maps of weights (L, H, T, T); returns whether only those of `layer` are shown. */
  fill([L, H], layer) {
    const isOne = L * H > FEW;
    const key = `${isOne ? layer : ""}|${L}|${H}`;
    if (key === this.filled) return isOne;
    this.filled = key;
    this.layers.hidden = !isOne;
    this.node.style.setProperty("--heads", H + 1);
    const names = [...Array.from({ length: H }, (_, h) => `head ${h}`), "rollout"];
    const layers = isOne ? [layer] : Array.from({ length: L }, (_, n) => n);
    this.shown = [];
    const rows = layers.flatMap((n) => [
      el("span.layer", `layer ${n}`),
      ...names.map((name, h) => this.cell(n, h, name, isOne)),
    ]);
    const head = names.map((name) => el("span.name", name));
    this.node.replaceChildren(...(isOne ? rows.slice(1) : [el("span"), ...head, ...rows]));
    this.layers.replaceChildren(
      ...Array.from({ length: L }, (_, n) =>
        el("button", { onclick: () => this.open(n, this.head), "aria-label": `layer ${n}` }, `${n}`),
      ),
    );
    return isOne;
  }

  cell(layer, h, name, isNamed) {
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
    return isNamed ? el("div", el("span.name", name), button) : button;
  }

  /** Draws the attention weights on the patches, in the order of `shown`; the chosen head is marked. */
  draw(rows, largest, [layer, head], { pixels, side, across, colours }) {
    this.head = head;
    this.shown.forEach(({ canvas, button, layer: n, h }, k) => {
      const shares = Array.from(rows[k], (w) => w / (largest || 1));
      canvas.width = canvas.height = side;
      const image = new ImageData(painted(pixels, side, shares, across, colours), side, side);
      canvas.getContext("2d").putImageData(image, 0, 0);
      button.setAttribute("aria-pressed", n === layer && h === head);
    });
    for (const [n, button] of [...this.layers.children].entries()) button.setAttribute("aria-pressed", n === layer);
  }
}
