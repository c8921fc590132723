// The parts of a translator that can be pulled out: each is a picture of what it holds for this sentence, and of what
// stands in its place once it is out.

import { el, enlarged, put, svg, write } from "../../../../attention_view/lab.js";
import { LEAST, way } from "../thread_lines.js";

export const [NOTHING, HEAD, REST] = ["nothing", "one head", "the rest"]; // are out; the rest: heads it can spare
const FULL = 127; // as the page sends the largest number of the memory
const [WIDE, TALL] = [240, 92]; // of the drawing of threads; the page stretches it
const [FAR, FREE, SLIP] = [30, 22, 8]; // pixels: where a part hangs that is out, where it comes off, and a press

/** What a part holds, and what is left without it; ordered: the model learned with positions. */
export const holds = ({ ordered }) => ({
  positions: [ordered ? "each word has its position" : "it learned without any", "a bag of words"],
  memory: ["what it noted of each word", "zeros: nothing was read"],
  "cross-attention": ["where each written word looks", "it looks everywhere equally"],
});
const KINDS = { encoder: "encoder self", decoder: "decoder self", cross: "cross" }; // -attention

/** What was done to the model, as a sentence begins with it; "" if nothing was. */
export function spoken(name, head) {
  if (name === NOTHING) return "";
  if (name === "cross-attention") return "with cross-attention spread evenly";
  if (name === REST) return "without all the heads that it can spare";
  if (name !== HEAD) return `without ${name === "memory" ? "the encoder’s memory" : name}`;
  const [kind, layer, number] = head;
  return `without head ${number} of the ${KINDS[kind]}-attention in layer ${layer}`;
}

// Each picture is one thing or two: what the part holds, and what stands in its place.

function words({ source, ordered }) {
  const order = (n) => `--order:${(n * 37 + 5) % 11};--turn:${((n * 37) % 15) - 7}deg`;
  const word = (says, n) => el("span", { style: order(n) }, el("small", ordered ? String(n) : ""), says);
  return [el("span.bag", { style: `--n:${source.length}` }, ...source.map(word))];
}

/** What the encoder has noted of each word: a bar per number, up or down; without it, a line of zeros. */
function memory({ source, memory: rows }) {
  const bars = (numbers) => numbers.map((x, n) => `M${n + 0.5} 0v${(-x / FULL).toFixed(2)}`).join("");
  const line = (name, d, D) =>
    svg(`svg.${name}`, { viewBox: `0 -1 ${D} 2`, preserveAspectRatio: "none" }, svg("path", { d }));
  const note = (numbers, n) => [
    el("span", source[n]),
    el(
      "span.bars",
      line("whole", bars(numbers), numbers.length),
      line("instead", `M0 0h${numbers.length}`, numbers.length),
    ),
  ];
  return [el("span.notes", { style: `--n:${rows.length}` }, ...rows.flatMap(note))];
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

/** Lets a hand take a part any way: it follows, and the text breaks while it is held; a press is a click. */
export function hold(handle, part, toggle) {
  let from = null;
  let moved = 0;
  const isOut = () => part.classList.contains("out");
  handle.onpointerdown = ({ button, pointerId, clientX, clientY }) => {
    if (button) return;
    handle.setPointerCapture(pointerId);
    [from, moved] = [{ x: clientX, y: clientY - (isOut() ? FAR * enlarged(part) : 0) }, 0];
    from.start = [clientX, clientY];
  };
  handle.onpointermove = ({ clientX, clientY }) => {
    if (!from) return;
    moved = Math.max(moved, Math.hypot(clientX - from.start[0], clientY - from.start[1]));
    if (moved < SLIP) return;
    const [x, y] = [clientX - from.x, clientY - from.y].map((d) => Math.max(-FAR, Math.min(FAR, d / enlarged(part))));
    part.style.setProperty("--x", `${x}px`);
    part.style.setProperty("--y", `${y}px`);
    if (Math.hypot(x, y) > FREE !== isOut()) toggle(isOut());
  };
  handle.onpointerup = () => {
    from = null;
    for (const name of ["--x", "--y"]) part.style.removeProperty(name);
  };
  // A hand that is taken away makes no click, as one that lets go does.
  handle.onpointercancel = handle.onlostpointercapture = () => {
    if (!from) return;
    handle.onpointerup();
    moved = 0;
  };
  handle.onclick = () => {
    if (moved < SLIP) toggle(isOut());
    moved = 0;
  };
}

/** A part in its place: its name is the handle, its foot says what is left without it. {name, node, show(what is out)}
 */
function part(name, handle, node, toggle, told, more = () => {}) {
  const [says, many] = [el("span.says"), el("span.many")];
  handle.prepend(el("b", name));
  node.append(says, many);
  hold(handle, node, toggle);
  const show = (out, head, foot) => {
    const isOut = out === name || (out === REST && name === HEAD);
    put(handle, { "aria-pressed": isOut });
    node.classList.toggle("out", isOut);
    write(says, foot && name !== HEAD ? "" : told(out, head)); // what was measured takes its place
    write(many, foot);
    more(out, head);
  };
  return { name, node, show };
}

const headSays = (out, head) =>
  out === HEAD
    ? `out: ${KINDS[head[0]]}, layer ${head[1]}, head ${head[2]}`
    : out === REST
      ? "out: all these"
      : "any one";

/** A part that is one thing. */
function single(name, data, press) {
  const node = el("button.part.handle", { "data-part": name }, el("span.picture", ...PICTURES[name](data)));
  const toggle = (isOut) => press(isOut ? NOTHING : name);
  return part(name, node, node, toggle, (out) => holds(data)[name][Number(out === name)]);
}

/** All heads, [kind, layer, number] each. */
export const everyHead = ({ heads }) =>
  heads.flatMap(([kind, L, H]) => Array.from({ length: L * H }, (_, at) => [kind, Math.floor(at / H), at % H]));

/** The heads that this sentence can spare, one at a time. */
export const spare = (data) => everyHead(data).filter((head) => !data.without[head]);

/** All heads, each a square to press: dark once it was out and a word was lost, empty once none was. */
function heads(data, press, tried) {
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
  return part(
    HEAD,
    handle,
    node,
    (isOut) => press(...(isOut ? [NOTHING] : someHead(data))),
    headSays,
    (out, head) => {
      for (const [button, one] of squares) {
        const isIt = out === REST ? !data.without[one] : out === HEAD && String(one) === String(head);
        button.onclick = () => (isIt && out === HEAD ? press(NOTHING) : press(HEAD, one));
        put(button, { "aria-pressed": isIt });
        button.classList.toggle("tried", tried.has(String(one)));
        button.classList.toggle("needed", tried.has(String(one)) && Boolean(data.without[one]));
      }
    },
  );
}

/** The head that goes first: one in the middle of the model that this sentence can spare, if there is one. */
export function someHead(data) {
  const all = everyHead(data);
  const late = all.slice(all.length / 2);
  return [HEAD, data.head ?? late.find((head) => !data.without[head]) ?? spare(data)[0] ?? all[0]];
}

/** The parts, in the order in which the sentence passes them. They stay where they are while parts are taken out: a
 * press may come while the picture changes. */
export const parts = (data, press, tried) => [
  ...Object.keys(PICTURES).map((name) => single(name, data, press)),
  heads(data, press, tried),
];
