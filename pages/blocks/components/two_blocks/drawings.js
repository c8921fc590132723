// What each new way to build a part does, as a drawing of 320 x 180: curves, bars and angles are those of its formula.

import { svg } from "../../../../attention_view/lab.js";

const [WIDE, TALL] = [320, 180];
const SAMPLE = [2.2, 0.6, 1.5, 3, -0.8, 1.9, 2.5, 1.1]; // numbers of a vector, for the norms to act on
const silu = (x) => x / (1 + Math.exp(-x));
const gelu = (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
const HEAD = 12; // numbers of a head, in the models that were trained: they set how fast hands turn
const AT = 12.4; // the position of the query

/** By the root of the mean square. */
export function rmsNorm(numbers) {
  const size = Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / numbers.length);
  return numbers.map((x) => x / size);
}

/** By how much the pair of numbers n turns from one position to the next, in a vector so wide. */
export const rate = (n, width) => 10_000 ** ((-2 * n) / width);

const box = (x, y, width, height, kind = "") => svg(kind ? `rect.${kind}` : "rect", { x, y, width, height, rx: 3 });
const path = (d, kind = "") => svg(kind ? `path.${kind}` : "path", { d });
const dot = (x, y, kind, r) => svg(`circle.${kind}`, { cx: x, cy: y, r });
const line = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
const steps = (n, of) => Array.from({ length: n + 1 }, (_, i) => of(i / n));

// ---- positions --------------------------------------------------------------------------------------------------

/** Two pairs of numbers of a query, and of the key two positions before it: how far they have turned by their own. */
function dials() {
  const hand = (x, angle, kind) => {
    const [dx, dy] = [62 * Math.cos(angle), -62 * Math.sin(angle)];
    return [path(`M${x} 76l${dx} ${dy}`, kind), dot(x + dx, 76 + dy, kind, 5)];
  };
  return [0, 1].flatMap((n) => {
    const [x, by] = [84 + 152 * n, rate(n, HEAD)];
    const [query, key] = [AT * by + 0.4, (AT - 2) * by + 0.4];
    const arc = steps(24, (s) => {
      const angle = key + (query - key) * s;
      return [x + 30 * Math.cos(angle), 76 - 30 * Math.sin(angle)];
    });
    return [dot(x, 76, "dial", 66), path(line(arc), "arc"), ...hand(x, key, "key"), ...hand(x, query, "query")];
  });
}

// ---- norms ------------------------------------------------------------------------------------------------------

/** Bars up and down from a line. */
function bars(numbers, kind) {
  return numbers.map((value, n) => {
    const tall = Math.max(1.5, Math.abs(value) * 36);
    return box(23 + 35 * n, value < 0 ? 118 : 118 - tall, 27, tall, kind);
  });
}

/** What the norm makes of numbers, before what they were. */
function norm(act) {
  const made = act(SAMPLE);
  const level = 118 - (36 * made.reduce((sum, x) => sum + x, 0)) / made.length;
  return [
    ...bars(SAMPLE, "was"),
    ...bars(made, "full"),
    path("M14 118H306", "thin"),
    path(`M14 ${level.toFixed(1)}H306`, "dashed"),
  ];
}

/** The stream, a sublayer beside it, and the norm on the way there. */
const before = () => [
  path("M6 142H314", "stream"),
  path("M56 142V56H270V142"),
  box(150, 30, 96, 52),
  box(70, 30, 62, 52, "full"),
  svg("circle.plus", { cx: 270, cy: 142, r: 9 }),
  path("M265 142h10M270 137v10"),
];

// ---- the others -------------------------------------------------------------------------------------------------

function curve(of, kind = "") {
  const points = steps(80, (s) => 6.4 * s - 3.2).map((x) => [WIDE / 2 + 45 * x, 124 - 34 * of(x)]);
  return path(line(points), kind);
}

/** A function, over that of 2017. */
const bend = (of, ...others) => [
  path(`M10 124H310M${WIDE / 2} 4V176`, "thin"),
  curve((x) => Math.max(0, x), "relu"),
  ...others,
  curve(of),
];

const gated = (gate) => curve((x) => gate * silu(x), "dashed");

/** Four heads of queries over those of keys and values that they share, and the cache that these fill. */
function heads(kv) {
  const wide = 288 / kv - 8;
  const center = (n) => 20 + (288 / kv) * n + wide / 2;
  const queries = [0, 1, 2, 3].flatMap((n) => [
    path(`M${16 + 72 * n + 36} 34L${center(Math.floor((n * kv) / 4))} 58`, "thin"),
    box(20 + 72 * n, 8, 64, 26, "query"),
  ]);
  const kept = Array.from({ length: 5 }, (_, row) =>
    Array.from({ length: kv }, (_, n) => [
      box(center(n) - 32, 58 + 17 * row, 31, 13, "key"),
      box(center(n) + 1, 58 + 17 * row, 31, 13, "value"),
    ]),
  ).flat(2);
  return [...queries, ...kept];
}

/** Four networks side by side, of which some work on a token. */
function experts(busy) {
  return [46, 122, 198, 274].flatMap((center, e) => {
    const works = e < busy;
    const way = `M160 174C160 150 ${center} 160 ${center} 134V46C${center} 20 160 30 160 6`;
    return [path(way, works ? "" : "thin"), box(center - 31, 50, 62, 80, works ? "full" : "")];
  });
}

const DRAWINGS = {
  rotary: () => dials(),
  RMSNorm: () => norm(rmsNorm),
  "no norm": () => norm((numbers) => numbers),
  before: () => before(),
  GELU: () => bend(gelu),
  SwiGLU: () => bend(silu, gated(0.5), gated(-0.5)),
  "no feed-forward": () => [path("M10 90H310")],
  "one for two": () => heads(2),
  "one for all": () => heads(1),
  "1 of 4": () => experts(1),
  "2 of 4": () => experts(2),
  normalised: () => norm(rmsNorm),
  "a transform": () => [path("M10 90H110M210 90H310"), box(110, 40, 100, 100)],
};

// What of a drawing is worth the room where it is small.
const CROPS = {
  rotary: "12 4 296 146",
  before: "0 22 320 146",
  GELU: "10 24 300 148",
  SwiGLU: "10 24 300 148",
  "one for two": "8 2 304 160",
  "one for all": "8 2 304 160",
};

/** The drawing of a way; an empty one of several. */
export const picture = (kind) => {
  const viewBox = CROPS[kind] ?? `0 0 ${WIDE} ${TALL}`;
  return svg("svg.sketch", { viewBox, "aria-hidden": "true" }, ...(DRAWINGS[kind]?.() ?? []));
};
