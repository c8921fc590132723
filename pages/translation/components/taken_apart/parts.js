// The parts of a translator that can be taken out: each is a picture of what it holds for this sentence, and of what
// stands in its place once it is out.

import { el, paintPixels, put, rgb, svg, theme, write } from "../../../../attention_view/lab.js";
import { LEAST, way } from "../thread_lines.js";

const FULL = 127; // as the page sends the largest number of the memory
const [WIDE, TALL] = [240, 92]; // of the drawing of threads; the page stretches it

const SAYS = {
  positions: ["each word has its position", "no positions: a bag of words"],
  memory: ["one vector per word", "zeros: the decoder reads nothing"],
  "cross-attention": ["where each written word looks", "it looks everywhere equally"],
};

const KINDS = { encoder: "encoder self", decoder: "decoder self", cross: "cross" }; // -attention

/** What was done to the model, as a sentence begins with it; "" if nothing was. */
export function spoken(name, head) {
  if (name === "nothing") return "";
  if (name === "cross-attention") return "with cross-attention spread evenly";
  if (name !== "one head") return `without ${name === "memory" ? "the encoder’s memory" : name}`;
  const [kind, layer, number] = head;
  return `without head ${number} of the ${KINDS[kind]}-attention in layer ${layer}`;
}

// Each picture is one thing or two: what the part holds, and what stands in its place.

function words({ source }) {
  const order = (n) => `--order:${(n * 5 + 3) % source.length};--turn:${((n * 37) % 15) - 7}deg`;
  return [el("span.bag", ...source.map((word, n) => el("span", { style: order(n) }, el("small", String(n)), word)))];
}

function memory({ memory: rows }, root) {
  const colour = theme(root);
  const colours = ["negative", "panel", "positive"].map((name) => [...rgb(colour(name))]);
  const [whole, instead] = [el("canvas.whole"), el("canvas.instead")];
  const numbers = rows.flat().map((x) => x / FULL);
  paintPixels(whole, numbers, rows[0].length, colours);
  const zeros = numbers.map(() => 0);
  paintPixels(instead, zeros, rows[0].length, colours);
  return [whole, instead];
}

function net(name, rows) {
  const at = (n, of, y) => ({ x: (WIDE * (n + 0.5)) / of, y });
  const lines = rows.flatMap((row, i) =>
    row.flatMap((weight, j) => {
      if (weight < LEAST) return [];
      const d = way(at(j, row.length, 6), at(i, rows.length, TALL - 6), false, [0, 0]);
      const opacity = (0.2 + 0.6 * weight).toFixed(2);
      return [svg("path.thread", { d, opacity, "stroke-width": (0.8 + 7 * weight).toFixed(2) })];
    }),
  );
  return svg(name, { viewBox: `0 0 ${WIDE} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...lines);
}

const threads = ({ weights, even }) => [net("svg.whole", weights), net("svg.instead", even)];

const PICTURES = { positions: words, memory, "cross-attention": threads };

/** A part that a press takes out, and puts back: {node, show(what is out)}. */
function part(name, data, root, press) {
  const [act, says] = [el("span.act"), el("span.says")];
  const picture = el("span.picture", ...PICTURES[name](data, root));
  const node = el("button.part", { "data-part": name }, el("b", name), act, picture, says);
  const show = (out) => {
    const isOut = out === name;
    node.onclick = () => press(isOut ? "nothing" : name);
    put(node, { "aria-pressed": isOut });
    node.classList.toggle("out", isOut);
    write(act, isOut ? "put back" : "take out");
    write(says, SAYS[name][Number(isOut)]);
  };
  return { node, show };
}

/** All heads, each a square to press: {node, show(what is out, the head if that is one)}. */
function heads({ heads: kinds }, press) {
  const squares = [];
  const square = (kind, layer, number) => {
    const label = `${KINDS[kind]}-attention, layer ${layer}, head ${number}`;
    const first = layer && !number ? "margin-left:6px" : null;
    const button = el("button.head", { "aria-label": label, title: label, style: first });
    squares.push([button, [kind, layer, number]]);
    return button;
  };
  const rows = kinds.flatMap(([kind, L, H]) => [
    el("span", KINDS[kind]),
    el("div", ...Array.from({ length: L * H }, (_, at) => square(kind, Math.floor(at / H), at % H))),
  ]);
  const says = el("span.says");
  const node = el("div.part.heads", el("b", "one head"), el("div.picture", ...rows), says);
  const show = (out, head) => {
    const isOut = out === "one head";
    node.classList.toggle("out", isOut);
    write(says, isOut ? "its output is zero" : `any of ${squares.length}: press one`);
    for (const [button, one] of squares) {
      const isIt = isOut && String(one) === String(head);
      button.onclick = () => (isIt ? press("nothing") : press("one head", one));
      put(button, { "aria-pressed": isIt });
    }
  };
  return { node, show };
}

/** What is taken out after another, [its name, which head]: after one head, and when nothing is out, the first. Of
 * heads it is the one that was out last, the one that changes this sentence most, or the first of the last kind. */
export function following(out, { heads: kinds, head, telling }) {
  const names = [...Object.keys(PICTURES), "one head"];
  const name = names[(names.indexOf(out) + 1) % names.length];
  return [name, name === "one head" ? (head ?? telling ?? [kinds.at(-1)[0], 0, 0]) : null];
}

/** The parts, in the order in which the sentence passes them. They stay where they are while parts are taken out: a
 * press may come while the picture changes. */
export const parts = (data, root, press) => [
  ...Object.keys(PICTURES).map((name) => part(name, data, root, press)),
  heads(data, press),
];
