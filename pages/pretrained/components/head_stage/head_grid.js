// All heads of a model as small maps, layer over layer, each with a number below it: one is chosen by a touch or a key.

import { el, paintPixels, rgb, strength, theme, windowHeight } from "../../../../attention_view/lab.js";

const NUMBER = 34; // pixels below a map: a bar and a number
const NAMED = 36; // a map as wide has room for a number below it
const CALLED = 54; // a map as wide has room for "head 3" above it
const HEADER = 24; // pixels above all maps
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

export class HeadGrid {
  /** touched(layer, head) hears of a head; layerOf(layer) is what stands at the left of its heads. */
  constructor(root, touched, layerOf) {
    Object.assign(this, { root, touched, layerOf });
    this.node = el("div.grid", { role: "group", "aria-label": "All heads", onkeydown: (event) => this.step(event) });
  }

  /** maps (L, H, T, T): their share of each map's largest weight, of 255. seen(layer, head) is what is said of a head:
   * {text, label, share: how much it counts, isStrong}. above: pixels of the window around the grid; more(layer): one
   * more cell behind the heads of a layer, which is named `beside`. */
  draw({ shape: [L, H, T], maps, isCausal, seen, above, more = null, beside = "" }) {
    const { root } = this;
    Object.assign(this, { H, T, maps, isCausal, seen, more, beside });
    const colour = theme(root);
    this.colours = [colour("line"), colour("panel"), colour("weight")].map(rgb);
    const room = Math.max(220, windowHeight(root) - above - HEADER) / L;
    const width = root.clientWidth;
    const across = width < 700 ? width : 0.6 * width;
    const columns = H + (more ? 1 : 0);
    const gap = columns > 8 ? 6 : 12;
    const fits = (label) => Math.floor(Math.min(132, (across - 70) / columns - gap, room - gap - label));
    const isNamed = fits(NUMBER) >= NAMED;
    root.style.setProperty("--size", `${Math.max(14, isNamed ? fits(NUMBER) : fits(0))}px`);
    root.style.setProperty("--gap", `${gap}px`);
    root.classList.toggle("named", isNamed);
    const focused = root.getRootNode().activeElement?.dataset?.place;
    const rows = [this.header(isNamed && fits(NUMBER) >= CALLED)];
    for (let layer = L - 1; layer >= 0; layer--) rows.push(this.row(layer));
    this.node.replaceChildren(...rows);
    this.node.querySelector(`[data-place="${focused}"]`)?.focus();
  }

  /** What stands above the maps: the numbers of the heads, in words where there is room. */
  header(isLong) {
    const names = Array.from({ length: this.H }, (_, head) => el("span", isLong ? `head ${head}` : head));
    const all = [...names, ...(this.more ? [el("span", this.beside)] : [])];
    return el("div.row.names", { "aria-hidden": "true" }, el("span.layer"), ...all);
  }

  row(layer) {
    const heads = Array.from({ length: this.H }, (_, head) => this.head(layer, head));
    return el("div.row", this.layerOf(layer), ...heads, ...(this.more ? [this.more(layer)] : []));
  }

  head(layer, head) {
    const { T, H, maps } = this;
    const at = layer * H + head;
    const canvas = el("canvas", { "aria-hidden": "true" });
    const isBlocked = (n) => this.isCausal && n % T > Math.floor(n / T); // of what comes later nothing is seen
    const cells = Float32Array.from(maps.subarray(at * T * T, (at + 1) * T * T), (w, n) =>
      isBlocked(n) ? -1 : w / 255,
    );
    paintPixels(canvas, cells, T, this.colours, (cell) => strength(Math.abs(cell)));
    const props = { "data-place": `${layer}-${head}`, onclick: () => this.touched(layer, head) };
    const button = el("button.head", props, canvas, el("span.gauge", el("i")), el("span.moves"));
    this.write(button, layer, head);
    return button;
  }

  write(button, layer, head) {
    const { text, label, share, isStrong } = this.seen(layer, head);
    button.setAttribute("aria-label", `Layer ${layer}, head ${head}: ${label}`);
    button.lastChild.textContent = text;
    button.style.setProperty("--matters", (0.6 + 0.4 * strength(Math.abs(share))).toFixed(2));
    button.style.setProperty("--share", `${Math.round(100 * Math.min(1, Math.abs(share)))}%`);
    button.classList.toggle("against", share < 0);
    button.classList.toggle("untold", !text.trim());
    button.classList.toggle("strong", isStrong);
  }

  /** Says anew what is to be said of a head. */
  rewrite(layer, head) {
    this.write(this.node.querySelector(`[data-place="${layer}-${head}"]`), layer, head);
  }

  step(event) {
    const by = STEPS[event.key];
    const place = event.target.dataset?.place;
    if (!by || !place) return;
    event.preventDefault();
    const [layer, head] = place.split("-");
    const to = [Number(layer) + by[0], (head === "" ? -1 : Number(head)) + by[1]];
    this.node.querySelector(`[data-place="${to[0]}-${to[1] < 0 ? "" : to[1]}"]`)?.focus();
  }

  /** Presses what isOn(layer, head) says, head null for all of a layer; the Tab key stops at the place `first`. What is
   * on only in passing wears the mark and is not pressed. */
  mark(isOn, first, isPassing = false) {
    for (const button of this.node.querySelectorAll("button")) {
      const [layer, head] = button.dataset.place.split("-");
      const on = isOn(Number(layer), head === "" ? null : Number(head));
      button.setAttribute("aria-pressed", String(on && !isPassing));
      button.classList.toggle("passing", on && isPassing);
      button.setAttribute("tabindex", button.dataset.place === first ? "0" : "-1");
    }
  }
}

/** Draws an arc below a line of words, from the middle of one to that of another; null where they are on two lines. */
export function arc([x, y], [to, line]) {
  if (Math.abs(line - y) > 4) return null;
  const deep = y + 10 + Math.min(34, Math.abs(x - to) / 12);
  return `M${x} ${y + 3}C${x} ${deep} ${to} ${deep} ${to} ${y + 3}`;
}

/** Where the middle of a word's foot is, in pixels of a box around it. */
export function footOf(word, box, zoom = 1) {
  const { left, width, bottom } = word.getBoundingClientRect();
  return [(left + width / 2 - box.left) / zoom, (bottom - box.top) / zoom];
}
