// The parts of a translator that can be taken out: each is a picture of what it holds for this sentence, and of what
// stands in its place once it is out.

import { el, paintPixels, rgb, svg, theme } from "../../../../attention_view/lab.js";
import { LEAST, way } from "../thread_lines.js";

const FULL = 127; // as the page sends the largest number of the memory
const [WIDE, TALL] = [240, 92]; // of the drawing of threads; the page stretches it

const SAYS = {
  positions: ["each word has its position", "no positions: a bag of words"],
  memory: ["one vector per word, from the encoder", "zeros: the decoder reads nothing"],
  "cross-attention": ["where each written word looks", "it looks everywhere equally"],
};

const KINDS = { encoder: "encoder self", decoder: "decoder self", cross: "cross" }; // -attention

/** What was done to the model, as one says it. */
export function spoken(name, head) {
  if (name === "nothing") return "the whole model";
  if (name === "cross-attention") return "with cross-attention spread evenly, it";
  if (name !== "one head") return `without ${name === "memory" ? "the memory" : name}, it`;
  const [kind, layer, number] = head;
  return `without head ${number} of the ${KINDS[kind]}-attention in layer ${layer}, it`;
}

const words = ({ source }) => {
  const order = (n) => `--order:${(n * 5 + 3) % source.length};--turn:${((n * 37) % 15) - 7}deg`;
  return el("span.bag", ...source.map((word, n) => el("span", { style: order(n) }, el("small", String(n)), word)));
};

function memory({ memory: rows }, isOut, root) {
  const colour = theme(root);
  const colours = ["negative", "panel", "positive"].map((name) => [...rgb(colour(name))]);
  const canvas = el("canvas");
  const numbers = rows.flat().map((x) => (isOut ? 0 : x / FULL));
  paintPixels(canvas, numbers, rows[0].length, colours);
  return canvas;
}

function threads({ weights, even }, isOut) {
  const rows = isOut ? even : weights;
  const at = (n, of, y) => ({ x: (WIDE * (n + 0.5)) / of, y });
  const lines = rows.flatMap((row, i) =>
    row.flatMap((weight, j) => {
      if (weight < LEAST) return [];
      const d = way(at(j, row.length, 6), at(i, rows.length, TALL - 6), false, [0, 0]);
      const opacity = (0.2 + 0.6 * weight).toFixed(2);
      return [svg("path.thread", { d, opacity, "stroke-width": (0.8 + 7 * weight).toFixed(2) })];
    }),
  );
  return svg("svg", { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines);
}

const PICTURES = { positions: words, memory, "cross-attention": threads };

/** A part that a press takes out, and puts back. */
function part(name, view) {
  const { data, out, root } = view;
  const isOut = out === name;
  return el(
    isOut ? "button.part.out" : "button.part",
    { "aria-pressed": String(isOut), "data-part": name, onclick: () => view.press(isOut ? "nothing" : name) },
    el("b", name),
    el("span.act", isOut ? "put back" : "take out"),
    el("span.picture", PICTURES[name](data, isOut, root)),
    el("span.says", SAYS[name][Number(isOut)]),
  );
}

/** All heads, each a square to press. */
function heads(view) {
  const { data, out, head } = view;
  const isSame = (one) => out === "one head" && String(one) === String(head);
  const square = (kind, layer, number) => {
    const one = [kind, layer, number];
    const label = `${KINDS[kind]}-attention, layer ${layer}, head ${number}`;
    const onclick = () => view.press(isSame(one) ? "nothing" : "one head", one);
    const props = { "aria-pressed": String(isSame(one)), "aria-label": label, title: label, onclick };
    return el("button.head", { ...props, style: number ? "" : "margin-left:6px" });
  };
  const n = data.heads.reduce((sum, [, L, H]) => sum + L * H, 0);
  const rows = data.heads.flatMap(([kind, L, H]) => [
    el("span", KINDS[kind]),
    el("div", ...Array.from({ length: L * H }, (_, at) => square(kind, Math.floor(at / H), at % H))),
  ]);
  const says = out === "one head" ? "its output is zero" : `any of ${n}: press one`;
  const classes = out === "one head" ? "div.part.heads.out" : "div.part.heads";
  return el(
    classes,
    { "data-part": "one head" },
    el("b", "one head"),
    el("div.picture", ...rows),
    el("span.says", says),
  );
}

/** The parts in the order in which the sentence passes them. */
export const parts = (view) => [...Object.keys(PICTURES).map((name) => part(name, view)), heads(view)];
