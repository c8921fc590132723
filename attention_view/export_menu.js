// Taking it away: one menu, and in it every form that what is shown can have.

import { axesOf } from "./axes.js";
import { csvOf, parquetOf } from "./export_tables.js";
import { htmlOf } from "./export_html.js";
import { npz } from "./export_npz.js";
import { ribbonsSvg, svgOf } from "./export_svg.js";
import { el, saveFile } from "./lab.js";

const MOST_NUMBERS = 2 ** 24; // in a .npz: 64 MB
const FORMS = [
  ["PNG", "the picture", "png"],
  ["SVG", "the picture, for papers", "svg"],
  ["CSV", "the numbers, for a spreadsheet", "csv"],
  ["Parquet", "the numbers, for a data frame", "parquet"],
  ["NumPy", "", "npz"],
  ["HTML", "this view, works offline", "html"],
  ["Python", "the lines that make it", "python"],
];

/** The menu of a view: a button, what it opens, and the lines of Python when they are asked for. */
export class DownloadMenu {
  constructor(view) {
    this.view = view;
    const items = FORMS.map(([name, about, form]) => this.item(name, about, form));
    this.menu = el("div", { class: "menu", role: "menu", "aria-label": "Download", hidden: true }, ...items);
    this.button = el(
      "button",
      {
        type: "button",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
        onclick: () => this.open(this.menu.hidden),
        onkeydown: (event) => {
          if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
          event.preventDefault();
          this.open(true);
        },
      },
      "Download",
    );
    this.code = el("div", { class: "code", role: "group", "aria-label": "Python", hidden: true });
    this.said = el("span", { class: "said", role: "status" });
    this.node = el(
      "div",
      { class: "download", onkeydown: (event) => this.key(event) },
      this.said,
      this.button,
      this.menu,
      this.code,
    );
    this.node.addEventListener("focusout", (event) => this.left(event));
  }

  item(name, about, form) {
    const take = () => {
      this.open(false);
      this.take(form);
    };
    const attributes = { type: "button", role: "menuitem", tabindex: "-1", "data-form": form, onclick: take };
    return el("button", attributes, el("b", {}, name), el("span", { class: "quiet" }, about));
  }

  get items() {
    return [...this.menu.children];
  }

  open(now) {
    this.menu.hidden = !now;
    this.code.hidden = true;
    if (now) this.said.textContent = "";
    this.button.setAttribute("aria-expanded", String(now));
    if (!now) return;
    const about = this.items.find((item) => item.dataset.form === "npz").lastChild;
    about.textContent = allExact(this.view) ? "the weights of all heads" : "the weights of what is shown";
    this.items[0].focus();
  }

  key(event) {
    const at = this.items.indexOf(event.target);
    const last = this.items.length - 1;
    const to = { ArrowDown: at < last ? at + 1 : 0, ArrowUp: at > 0 ? at - 1 : last, Home: 0, End: last }[event.key];
    if (event.key === "Escape" && !(this.menu.hidden && this.code.hidden)) {
      event.stopPropagation();
      this.open(false);
      this.button.focus();
    } else if (at >= 0 && to !== undefined) {
      event.preventDefault();
      this.items[to].focus();
    }
  }

  /** What is open closes when the focus goes elsewhere; for a moment it is nowhere when a choice has been made. */
  left({ relatedTarget }) {
    if (relatedTarget && !this.node.contains(relatedTarget)) this.open(false);
    else if (!relatedTarget) setTimeout(() => this.node.matches(":focus-within") || this.open(false), 200);
  }

  async take(form) {
    if (form === "python") return this.showCode();
    try {
      const shown = shownBy(this.view);
      const [content, type] = await this.made(form, shown);
      const name = form === "npz" ? npzName(this.view, shown) : `${shown.name}.${form}`;
      saveFile(content instanceof Blob ? content : new Blob([content], { type }), name);
      this.said.textContent = "";
      this.button.focus();
    } catch (error) {
      this.said.textContent = `This could not be made: ${error.message}`;
    }
    return undefined;
  }

  /** A file's content, and its type. */
  made(form, shown) {
    const { view } = this;
    const ways = {
      png: async () => [await pngOf(view)],
      svg: () => [(shown.drawing === "ribbons" ? ribbonsSvg : svgOf)(shown, view.colours), "image/svg+xml"],
      csv: () => [csvOf(shown), "text/csv"],
      parquet: () => [parquetOf(shown), "application/vnd.apache.parquet"],
      npz: () => [npz(arraysOf(view, shown)), "application/zip"],
      html: async () => [await htmlOf(view, await sourceOf(view)), "text/html"],
    };
    return ways[form]();
  }

  showCode() {
    const text = pythonOf(this.view, shownBy(this.view));
    const lines = el("pre", { tabindex: "0", "aria-label": "Lines of Python" }, text);
    const copy = el("button", { type: "button", onclick: () => this.copy(lines, text) }, "Copy");
    this.code.replaceChildren(lines, copy);
    this.code.hidden = false;
    copy.focus();
  }

  /** Into the clipboard; where a page may not, the lines are selected, for the keyboard to copy. */
  async copy(lines, text) {
    try {
      await navigator.clipboard.writeText(text);
      this.said.textContent = "Copied.";
    } catch {
      getSelection().selectAllChildren(lines);
      this.said.textContent = "The lines are selected: copy them with your keyboard.";
    }
  }
}

/** What a view shows now (see View.shown), with what files need besides: a name, and what it is in words. */
function shownBy(view) {
  const shown = view.shown();
  const { heads, layer, head, stage, kind, title, label, exact, filters } = shown;
  const others = heads.length > 1 ? `-and-${heads.length - 1}-more` : "";
  const { flow } = view.picture.header;
  const what = flow ? "share of what each token holds" : stage === "weights" ? "attention weights" : stage;
  return {
    ...shown,
    name: flow
      ? `rollout-layer${layer}`
      : ["attention", kind, `layer${layer}`, `head${head}${others}`, stage].filter(Boolean).join("-"),
    title: heads.length > 1 ? `${title}: ${heads.map((pair) => pair.join("·")).join(", ")}` : title,
    caption: [`${label}: ${what}`, ...filters, ...(exact ? [] : ["rounded to 1/255 of the largest"])].join("; "),
    column: flow ? "share" : stage === "weights" ? "weight" : stage,
    signed: stage !== "weights",
  };
}

/** Whether the weights of every head are here as the model gave them, and are few enough for a file. */
function allExact(view) {
  const all = [...view.pictures.values()];
  const count = all.reduce((sum, { L, H, T, S }) => sum + L * H * T * S, 0);
  return count <= MOST_NUMBERS && all.every(({ header }) => header.tier === "exact" || !header.view);
}

const npzName = (view, shown) => (allExact(view) ? "attention.npz" : `${shown.name}.npz`);

/** What goes into a .npz: all heads of all kinds where they are here, or else the matrix that is shown. */
export function arraysOf(view, shown) {
  const { queries, keys, rows, columns, stage } = shown;
  if (!allExact(view)) {
    const matrix = Object.assign(Float32Array.from(shown.matrix), { shape: [1, 1, rows, columns] });
    return { [stage === "weights" ? "attention" : stage]: matrix, ...tokensOf(queries, keys) };
  }
  const arrays = [...view.pictures].map(([kind, picture]) =>
    Object.entries(headsOf(picture)).map(([name, array]) => [kind ? `${kind}.${name}` : name, array]),
  );
  return Object.fromEntries(arrays.flat());
}

/** The weights (L, H, T, S) of a picture, and what they were made of, as far as it is here. */
function headsOf(picture) {
  const { L, H, T, S, queries, keys } = picture;
  const weights = Object.assign(new Float32Array(L * H * T * S), { shape: [L, H, T, S] });
  for (let n = 0; n < L * H; n++) weights.set(picture.weights(Math.floor(n / H), n % H), n * T * S);
  const { q, k, v } = picture.arrays;
  const mask = masksOf(picture);
  const scale = q && JSON.stringify(picture.header.scale);
  const known = Object.entries({ q, k, v, mask, scale }).filter(([, array]) => array);
  return { attention: weights, ...Object.fromEntries(known), ...tokensOf(queries, keys) };
}

/** The mask of a picture, T x S, or L x T x S where its layers have different ones. */
function masksOf(picture) {
  const { L, T, S, header, arrays } = picture;
  if (!header.masks) return arrays.mask;
  const masks = Object.assign(new Uint8Array(L * T * S), { shape: [L, T, S] });
  for (let layer = 0; layer < L; layer++) masks.set(picture.maskOf(layer), layer * T * S);
  return masks;
}

const tokensOf = (queries, keys) =>
  JSON.stringify(queries) === JSON.stringify(keys)
    ? { tokens: JSON.stringify(queries) }
    : { queries: JSON.stringify(queries), keys: JSON.stringify(keys) };

/**
 * Lines of Python that make the same picture: the page's own, which end with a call of `show` that is given the head in
 * view here, or lines that open the .npz of this menu.
 */
export function pythonOf(view, shown) {
  const { code } = view.picture.header;
  const { kind, layer, head } = shown;
  if (code) return code.replace(/\)\s*$/, `, layer=${layer}, head=${head})\n`);
  const first = allExact(view) ? `, ${kind ? `first="${kind}", ` : ""}layer=${layer}, head=${head}` : "";
  return [
    "import numpy as np",
    "from attention_view import show",
    "",
    `weights = np.load("${npzName(view, shown)}")  # Download, NumPy`,
    `show(weights${first})`,
    "",
  ].join("\n");
}

/** The map, or the ribbons, as they are on screen, on a ground of its own, and below it which axis is which. */
function pngOf(view) {
  const { heat, cross } = view.nodes;
  const { colours } = view;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  const scale = heat.width / parseFloat(heat.style.width);
  const font = (side) => `${side ? "600 " : ""}${12.5 * scale}px ${colours.font}`;
  const parts = axesOf(view.shown()).map(([words, side]) => {
    context.font = font(side);
    return [words, side, context.measureText(words).width];
  });
  const margin = 8 * scale;
  const wide = parts.reduce((sum, [, , width]) => sum + width, 2 * margin);
  canvas.width = Math.max(heat.width, Math.ceil(wide));
  canvas.height = heat.height + Math.ceil(28 * scale);
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(heat, 0, 0);
  context.drawImage(cross, 0, 0);
  let x = margin;
  for (const [words, side, width] of parts) {
    context.font = font(side);
    context.fillStyle = side ? colours[side] : colours.quiet;
    context.fillText(words, x, canvas.height - 10 * scale);
    x += width;
  }
  return new Promise((done) => canvas.toBlob(done));
}

/** The script that draws here: Streamlit's from where it was loaded, that of a page of its own from the page. */
async function sourceOf(view) {
  const { source } = view.constructor;
  return source ? (await source()).text() : document.querySelector("script[type=module]").textContent.trim();
}
