// Taking it away: one menu, and in it every form that what is shown can have.

import { csvOf, parquetOf } from "./export_tables.js";
import { htmlOf } from "./export_html.js";
import { npz } from "./export_npz.js";
import { svgOf } from "./export_svg.js";
import { el } from "./lab.js";
import { hidesBlocked } from "./paint.js";

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
      { class: "download", onkeydown: (event) => this.key(event), onfocusout: (event) => this.left(event) },
      this.said,
      this.button,
      this.menu,
      this.code,
    );
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
    this.said.textContent = "";
    this.button.setAttribute("aria-expanded", String(now));
    if (!now) return;
    const about = this.items.find((item) => item.dataset.form === "npz").lastChild;
    about.textContent = allExact(this.view.picture) ? "the weights of all heads" : "the weights of what is shown";
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

  /** The menu closes when the focus goes elsewhere. */
  left({ relatedTarget }) {
    if (relatedTarget && !this.node.contains(relatedTarget) && !this.menu.hidden) this.open(false);
    else if (!relatedTarget) setTimeout(() => this.node.matches(":focus-within") || (this.menu.hidden = true), 200);
  }

  async take(form) {
    if (form === "python") return this.showCode();
    try {
      const shown = shownBy(this.view);
      const [content, type] = await this.made(form, shown);
      const name = form === "npz" ? npzName(this.view.picture, shown) : `${shown.name}.${form}`;
      save(content instanceof Blob ? content : new Blob([content], { type }), name);
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
      svg: () => [svgOf(shown, view.colours), "image/svg+xml"],
      csv: () => [csvOf(shown), "text/csv"],
      parquet: () => [parquetOf(shown), "application/vnd.apache.parquet"],
      npz: () => [npz(arraysOf(view, shown)), "application/zip"],
      html: async () => [await htmlOf(view, await sourceOf(view)), "text/html"],
    };
    return ways[form]();
  }

  showCode() {
    const text = pythonOf(shownBy(this.view), this.view.picture);
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

/** What a view shows now, in numbers and words that no other part of it is needed for. */
export function shownBy(view) {
  const { picture, table, stage, layer, head, more } = view;
  const heads = [[layer, head], ...more];
  const one = `Layer ${layer}, head ${head}`;
  const exact = heads.every((pair) => picture.isExact(...pair));
  const what = stage === "weights" ? "attention weights" : stage;
  return {
    name: `attention-layer${layer}-head${head}${more.length ? `-and-${more.length}-more` : ""}-${stage}`,
    title: more.length ? `Mean of ${heads.length} heads: ${heads.map((pair) => pair.join("·")).join(", ")}` : one,
    caption: `${picture.header.label}: ${what}${exact ? "" : ", rounded to 1/255 of the largest"}`,
    heads,
    stage,
    column: stage === "weights" ? "weight" : stage,
    T: table.T,
    S: table.S,
    queries: table.queries,
    keys: table.keys,
    across: table.across ?? "key",
    matrix: view.matrix,
    largest: view.largest,
    signed: stage !== "weights",
    allowed: hidesBlocked(stage) ? (table.arrays.mask ?? null) : null,
  };
}

/** Whether the weights of every head are here as the model gave them, and are few enough for a file. */
function allExact(picture) {
  const { L, H, T, S } = picture;
  return L * H * T * S <= MOST_NUMBERS && (picture.header.tier === "exact" || !picture.header.view);
}

const npzName = (picture, shown) => (allExact(picture) ? "attention.npz" : `${shown.name}.npz`);

/** What goes into a .npz: all heads (L, H, T, S) where they are here, or else the map that is shown (1, 1, T, S). */
export function arraysOf(view, shown) {
  const { picture } = view;
  const { L, H, T, S, queries, keys } = picture;
  const same = String(queries) === String(keys);
  const tokens = same
    ? { tokens: JSON.stringify(queries) }
    : { queries: JSON.stringify(queries), keys: JSON.stringify(keys) };
  if (!allExact(picture)) {
    const weights = Float32Array.from(view.more.length ? shown.matrix : picture.matrix("weights", ...shown.heads[0]));
    weights.shape = [1, 1, T, S];
    return { attention: weights, ...tokens };
  }
  const weights = new Float32Array(L * H * T * S);
  for (let n = 0; n < L * H; n++) weights.set(picture.weights(Math.floor(n / H), n % H), n * T * S);
  weights.shape = [L, H, T, S];
  const { q, k, v } = picture.arrays;
  return { attention: weights, ...(q && k ? { q, k } : {}), ...(v ? { v } : {}), ...tokens };
}

/** Lines of Python that make the same picture: the page's own, or from the .npz of this menu. */
export function pythonOf(shown, picture) {
  if (picture.header.code) return picture.header.code;
  const [layer, head] = allExact(picture) ? shown.heads[0] : [0, 0];
  const same = String(picture.queries) === String(picture.keys);
  const read = (of) => `json.loads(str(file["${of}"]))`;
  return [
    "import json",
    "import numpy as np",
    "from attention_view import show",
    `file = np.load("${npzName(picture, shown)}")  # Download, NumPy`,
    `show(file["attention"], ${same ? read("tokens") : `${read("queries")}, ${read("keys")}`}, layer=${layer}, head=${head})`,
    "",
  ].join("\n");
}

/** The heatmap as it is on screen, on a ground of its own. */
function pngOf({ nodes, colours }) {
  const canvas = document.createElement("canvas");
  canvas.width = nodes.heat.width;
  canvas.height = nodes.heat.height;
  const context = canvas.getContext("2d");
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(nodes.heat, 0, 0);
  context.drawImage(nodes.cross, 0, 0);
  return new Promise((done) => canvas.toBlob(done));
}

/** The script that draws here: Streamlit's from where it was loaded, that of a page of its own from the page. */
async function sourceOf(view) {
  const { source } = view.constructor;
  return source ? (await source()).text() : document.querySelector("script[type=module]").textContent.trim();
}

function save(blob, download) {
  const link = el("a", { href: URL.createObjectURL(blob), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
