// The parts of a translator that can be pulled out: each is a picture of what it holds for this sentence, and of what
// stands in its place once it is out.

import { el, paintPixels, put, rgb, svg, theme, write } from "../../../../attention_view/lab.js";
import { LEAST, way } from "../thread_lines.js";

const FULL = 127; // as the page sends the largest number of the memory
const [WIDE, TALL] = [240, 92]; // of the drawing of threads; the page stretches it
const FAR = 34; // pixels that a part comes out, as the style sheet has it

const SAYS = {
  positions: ["each word has its position", "no positions: a bag of words"],
  memory: ["one vector per word", "zeros: the decoder reads nothing"],
  "cross-attention": ["where each written word looks", "it looks everywhere equally"],
};

const KINDS = { encoder: "encoder self", decoder: "decoder self", cross: "cross" }; // -attention

/** What a part is, or what its place holds once it is out. */
export const saysOf = (name, isOut, head) =>
  name !== "one head" ? SAYS[name][Number(isOut)] : isOut ? spoken(name, head) : "any of them: press a square";

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

const SLIP = 8; // pixels that a hand may move in a press

/** Lets a hand hold a part: it follows, out of the machine or back; what a release does is the click. One that is out
 * and is pulled further out stays there. */
function hold(handle, part) {
  let from = null;
  let [start, moved] = [0, 0];
  const end = () => {
    from = null;
    part.style.removeProperty("--pull");
  };
  handle.onpointerdown = ({ pointerId, clientX }) => {
    handle.setPointerCapture(pointerId);
    [start, moved] = [clientX, 0];
    from = clientX - (part.classList.contains("out") ? FAR : 0);
  };
  handle.onpointermove = ({ clientX }) => {
    if (from === null) return;
    moved = clientX - start;
    part.style.setProperty("--pull", `${Math.max(0, Math.min(FAR, clientX - from))}px`);
  };
  handle.onpointerup = handle.onpointercancel = end;
  const keep = (event) => {
    if (part.classList.contains("out") ? moved > SLIP : moved < -SLIP) event.stopImmediatePropagation();
    moved = 0;
  };
  handle.addEventListener("click", keep, { capture: true });
}

/** A part in its place: its name and what a press does are the handle. {name, node, show(what is out)} */
function part(name, handle, node, press, more = () => {}) {
  const act = el("span.act");
  handle.prepend(el("b", name), act);
  hold(handle, node);
  const show = (out, ...rest) => {
    const isOut = out === name;
    handle.onclick = () => press(isOut);
    put(handle, { "aria-pressed": isOut });
    node.classList.toggle("out", isOut);
    write(act, isOut ? "push in" : "pull out");
    more(isOut, ...rest);
  };
  return { name, node, show };
}

/** A part that is one thing. */
function single(name, data, root, press) {
  const node = el("button.part.handle", { "data-part": name }, el("span.picture", ...PICTURES[name](data, root)));
  return part(name, node, node, (isOut) => press(isOut ? "nothing" : name));
}

/** All heads, [kind, layer, number] each. */
export const everyHead = ({ heads }) =>
  heads.flatMap(([kind, L, H]) => Array.from({ length: L * H }, (_, at) => [kind, Math.floor(at / H), at % H]));

/** All heads, each a square to press, as full as sentences stay right without it, once that is known. */
function heads(data, press) {
  const squares = everyHead(data).map(([kind, layer, number]) => {
    const label = `${KINDS[kind]}-attention, layer ${layer}, head ${number}`;
    const first = layer && !number ? "margin-left:5px" : null;
    return [el("button.head", { "aria-label": label, title: label, style: first }), [kind, layer, number]];
  });
  const rows = data.heads.flatMap(([kind]) => [
    el("span", KINDS[kind]),
    el("div", ...squares.filter(([, [of]]) => of === kind).map(([button]) => button)),
  ]);
  const handle = el("button.handle");
  const node = el("div.part.heads", handle, el("div.picture", ...rows));
  const toggle = (isOut) => (isOut ? press("nothing") : press(...following("cross-attention", data)));
  return part("one head", handle, node, toggle, (isOut, head, tried) => {
    for (const [button, one] of squares) {
      const isIt = isOut && String(one) === String(head);
      button.onclick = () => (isIt ? press("nothing") : press("one head", one));
      put(button, { "aria-pressed": isIt });
      const found = tried.get(String(one));
      button.classList.toggle("tried", Boolean(found));
      if (found) button.style.setProperty("--right", `${(100 * found.right) / data.n}%`);
    }
  });
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
  ...Object.keys(PICTURES).map((name) => single(name, data, root, press)),
  heads(data, press),
];
