// All heads of a model as small maps, layer over layer, each with a number below it: one is chosen by a touch or a key.

import { el, paintPixels, rgb, strength, theme, windowHeight } from "../../../../attention_view/lab.js";
import { loop } from "../../../../attention_view/loop.js";

const ROOMY = 66; // a map as wide has room for both on one line
const LARGEST = 190; // pixels of a map
const NAMED = 36; // a map as wide has room for a number below it
const CALLED = 54; // a map as wide has room for "head 3" above it
const [LARGER, MANY] = [0.6, 8]; // of the width for the grid, for more columns than so many
const ROOM = {
  around: 342, // pixels of a window above and below the grid
  part: 0.46, // of the width for the grid
  aside: 60, // pixels at the left of the maps
  header: 24, // above all of them
  signs: 26, // of what is said below
  number: 34, // below a map: a bar and below it a number
  beside: 24, // the same where they stand on one line
};
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

export class HeadGrid {
  /** touched(layer, head) hears of a head; layerOf(layer) is what stands at the left of its heads. */
  constructor(root, touched, layerOf) {
    Object.assign(this, { root, touched, layerOf });
    this.node = el("div.grid", { role: "group", "aria-label": "All heads", onkeydown: (event) => this.step(event) });
  }

  /** maps (L, H, T, T): their share of each map's largest weight, of 255. seen(layer, head) is what is said of a head:
   * {text, label, share: how much it counts, isStrong}. more(layer): one more cell behind the heads of a layer. room:
   * what of ROOM is otherwise. */
  draw({ shape: [L, H, T], maps, isCausal, seen, more = null, room: own = {} }) {
    const { root } = this;
    const { around, part, aside, header, signs, number, beside } = { ...ROOM, ...own };
    Object.assign(this, { H, T, maps, isCausal, seen, more });
    const colour = theme(root);
    this.colours = [colour("line"), colour("panel"), colour("weight")].map(rgb);
    const width = root.clientWidth;
    const columns = H + (more ? 1 : 0);
    const isNarrow = width < 700;
    const across = isNarrow ? width : (columns > MANY ? LARGER : part) * width;
    const tall = Math.max(220, windowHeight(root) - around);
    const room = (tall - header - signs) / L;
    const gap = columns > MANY ? 6 : 10;
    const wide = Math.min(LARGEST, (across - aside - 10) / columns - gap);
    const fits = (label) => Math.floor(Math.min(wide, room - gap - label));
    const isRoomy = fits(beside) >= ROOMY;
    const label = isRoomy ? beside : number;
    this.isNumbered = fits(label) >= NAMED;
    root.style.setProperty("--size", `${Math.max(14, this.isNumbered ? fits(label) : fits(0))}px`);
    root.style.setProperty("--gap", `${gap}px`);
    root.style.setProperty("--tall", isNarrow ? "auto" : `${tall}px`);
    root.style.setProperty("--across", `${across}px`);
    root.classList.toggle("named", this.isNumbered);
    root.classList.toggle("roomy", isRoomy);
    const focused = root.getRootNode().activeElement?.dataset?.place;
    const rows = [this.header(this.isNumbered && fits(label) >= CALLED)];
    for (let layer = L - 1; layer >= 0; layer--) rows.push(this.row(layer));
    this.node.replaceChildren(...rows);
    this.node.querySelector(`[data-place="${focused}"]`)?.focus();
  }

  /** What stands above the maps: the numbers of the heads, in words where there is room. */
  header(isLong) {
    const names = Array.from({ length: this.H }, (_, head) => el("span", isLong ? `head ${head}` : head));
    const all = [...names, ...(this.more ? [el("span")] : [])];
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
    const button = el("button.head", props, canvas, counts());
    this.write(button, layer, head);
    return button;
  }

  write(button, layer, head) {
    const { text, label, share, isStrong } = this.seen(layer, head);
    button.setAttribute("aria-label", `Layer ${layer}, head ${head}: ${label}`);
    button.querySelector(".moves").textContent = text;
    button.style.setProperty("--matters", (0.6 + 0.4 * strength(Math.abs(share))).toFixed(2));
    button.style.setProperty("--share", `${Math.round(100 * Math.min(1, Math.abs(share)))}%`);
    button.classList.toggle("against", share < 0);
    button.classList.toggle("untold", !text.trim());
    button.classList.toggle("strong", isStrong);
  }

  /** Says anew what is to be said of a head, and returns its button. */
  rewrite(layer, head) {
    const button = this.node.querySelector(`[data-place="${layer}-${head}"]`);
    this.write(button, layer, head);
    return button;
  }

  step(event) {
    const by = STEPS[event.key];
    const place = event.target.dataset?.place;
    if (!by || !place) return;
    event.preventDefault();
    const [layer, head] = place.split("-").map(Number);
    this.node.querySelector(`[data-place="${layer + by[0]}-${head + by[1]}"]`)?.focus();
  }

  /** Presses what isOn(layer, head) says; the Tab key stops at the place `first`. */
  mark(isOn, first) {
    for (const button of this.node.querySelectorAll("button")) {
      const on = isOn(...button.dataset.place.split("-").map(Number));
      button.setAttribute("aria-pressed", String(on));
      button.setAttribute("tabindex", button.dataset.place === first ? "0" : "-1");
    }
  }
}

/** How much a head counts, as a bar and a number below its map. */
export const counts = (text = "") => el("span.counts", el("span.gauge", el("i")), el("span.moves", text));

/** Draws an arc below a line of words, from the middle of one to that of another, and from a word to itself a loop;
 * null where they are on two lines. */
export function arc([x, y], [to, line], deepest = 34) {
  if (Math.abs(line - y) > 4) return null;
  if (to === x) return loop([x, y + 3]);
  const deep = y + 10 + Math.min(deepest, Math.abs(x - to) / 12);
  return `M${x} ${y + 3}C${x} ${deep} ${to} ${deep} ${to} ${y + 3}`;
}

/** Where the middle of a word's foot is, in pixels of a box around it. */
export function footOf(word, box, zoom = 1) {
  const { left, width, bottom } = word.getBoundingClientRect();
  return [(left + width / 2 - box.left) / zoom, (bottom - box.top) / zoom];
}
