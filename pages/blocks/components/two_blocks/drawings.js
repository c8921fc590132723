// What each way to build a part does, as a drawing of 320 x 180 at a moment from 0 to 1: curves, bars and angles are
// those of its formula.

import { svg } from "../../../../attention_view/lab.js";

const [WIDE, TALL] = [320, 180];
const SAMPLE = [2.2, 0.6, 1.5, 3, -0.8, 1.9, 2.5, 1.1]; // numbers of a vector, for the norms to act on
const silu = (x) => x / (1 + Math.exp(-x));
const CURVES = {
  relu: (x) => Math.max(0, x),
  gelu: (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu,
};
const POSITIONS = 15; // the last one
export const RESTING = 0.8; // of their way, where drawings rest
const MODEL = 48; // numbers of a token, and
const HEAD = 12; // of a head, in the models that were trained: they set how fast waves and hands are

/** Minus the mean, by the spread around it. */
export function layerNorm(numbers) {
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  return rmsNorm(numbers.map((x) => x - mean));
}

/** By the root of the mean square. */
export function rmsNorm(numbers) {
  const size = Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0) / numbers.length);
  return numbers.map((x) => x / size);
}

/** By how much the pair of numbers n turns from one position to the next, in a vector so wide. */
export const rate = (n, width) => 10_000 ** ((-2 * n) / width);

const box = (x, y, width, height, kind = "") => svg(kind ? `rect.${kind}` : "rect", { x, y, width, height, rx: 3 });
const path = (d, kind = "") => svg(kind ? `path.${kind}` : "path", { d });
const dot = (x, y, kind = "bead", r = 6) => svg(`circle.${kind}`, { cx: x, cy: y, r });
const line = (points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
const steps = (n, of) => Array.from({ length: n + 1 }, (_, i) => of(i / n));

// ---- positions --------------------------------------------------------------------------------------------------

function waves(t) {
  const across = (p) => 16 + (288 * p) / POSITIONS;
  const at = POSITIONS * t;
  const drawn = [0, 3, 6].flatMap((n, row) => {
    const y = (p) => 28 + 54 * row - 21 * Math.sin(p * rate(n, MODEL));
    const curve = path(line(steps(120, (s) => [across(POSITIONS * s), y(POSITIONS * s)])));
    return [path(`M16 ${28 + 54 * row}H304`, "thin"), curve, dot(across(at), y(at))];
  });
  return [path(`M${across(at)} 4V164`, "thin"), ...drawn];
}

/** Two pairs of numbers of a query, and of the key two positions before it: how far they have turned by their own. */
function dials(t) {
  const at = 2 + (POSITIONS - 2) * t; // the key stands two places before the query
  const hand = (x, angle, kind) => {
    const [dx, dy] = [62 * Math.cos(angle), -62 * Math.sin(angle)];
    return [path(`M${x} 76l${dx} ${dy}`, kind), dot(x + dx, 76 + dy, kind, 5)];
  };
  return [0, 1].flatMap((n) => {
    const [x, by] = [84 + 152 * n, rate(n, HEAD)];
    const [query, key] = [at * by + 0.4, (at - 2) * by + 0.4];
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

/** What the norm makes of numbers, on the way from what they were. */
function norm(act, t) {
  const made = act(SAMPLE);
  const now = SAMPLE.map((x, n) => x + (made[n] - x) * t);
  const mean = now.reduce((sum, x) => sum + x, 0) / now.length;
  const level = 118 - 36 * mean;
  return [
    ...bars(SAMPLE, "was"),
    ...bars(now, "full"),
    path("M14 118H306", "thin"),
    path(`M14 ${level.toFixed(1)}H306`, "dashed"),
  ];
}

/** The stream, a sublayer beside it, and the norm: behind the addition, or on the way to the sublayer. */
function wiring(isBefore, t) {
  const [from, to, y, up] = [56, isBefore ? 270 : 212, 142, 56];
  const [norm, part] = isBefore ? [70, 150] : [232, 90];
  const parts = [path(`M6 ${y}H314`, "stream"), path(`M${from} ${y}V${up}H${to}V${y}`)];
  parts.push(box(part, up - 26, 96, 52));
  const place = isBefore ? [norm, up - 26] : [norm, y - 26];
  parts.push(box(...place, 62, 52, "full"));
  parts.push(svg("circle.plus", { cx: to, cy: y, r: 9 }), path(`M${to - 5} ${y}h10M${to} ${y - 5}v10`));
  const bead = 6 + 308 * t;
  return [...parts, ...(isBefore || bead < norm - 4 || bead > norm + 66 ? [dot(bead, y)] : [])];
}

// ---- the others -------------------------------------------------------------------------------------------------

function curve(of, kind = "") {
  const points = steps(80, (s) => 6.4 * s - 3.2).map((x) => [WIDE / 2 + 45 * x, 124 - 34 * of(x)]);
  return path(line(points), kind);
}

/** A curve, and a number that goes through it. */
function bend(of, t, ...others) {
  const x = 6.4 * t - 3.2;
  const [left, top] = [WIDE / 2 + 45 * x, 124 - 34 * of(x)];
  const axes = path(`M10 124H310M${WIDE / 2} 4V176`, "thin");
  return [axes, path(`M${left} 124V${top}`, "thin"), ...others, curve(of), dot(left, top)];
}

const gated = (gate) => curve((x) => gate * silu(x), "dashed");

/** Four heads of queries over those of keys and values that they share, and the cache that these fill. */
function heads(kv, t) {
  const wide = 288 / kv - 8;
  const center = (n) => 20 + (288 / kv) * n + wide / 2;
  const queries = [0, 1, 2, 3].flatMap((n) => [
    path(`M${16 + 72 * n + 36} 34L${center(Math.floor((n * kv) / 4))} 58`, "thin"),
    box(20 + 72 * n, 8, 64, 26, "query"),
  ]);
  const rows = 1 + Math.round(5 * t); // tokens that were read
  const kept = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: kv }, (_, n) => [
      box(center(n) - 32, 58 + 17 * row, 31, 13, "key"),
      box(center(n) + 1, 58 + 17 * row, 31, 13, "value"),
    ]),
  ).flat(2);
  return [...queries, ...kept];
}

/** Networks side by side, of which some work on a token that goes through them. */
function experts(n, busy, t) {
  const wide = n > 1 ? 62 : 140;
  const center = (e) => (n > 1 ? 46 + 76 * e : 160);
  const parts = Array.from({ length: n }, (_, e) => {
    const works = e < busy;
    const way = path(
      `M160 174C160 150 ${center(e)} 160 ${center(e)} 134V46C${center(e)} 20 160 30 160 6`,
      works ? "" : "thin",
    );
    return [way, box(center(e) - wide / 2, 50, wide, 80, works ? "full" : ""), ...(works ? [bead(center(e), t)] : [])];
  });
  return parts.flat();
}

/** A token on its way up through a network that stands there. */
function bead(x, t) {
  const share = Math.min(1, Math.max(0, t < 0.5 ? (0.5 - t) * 4 - 1 : (t - 0.5) * 4 - 1)); // 0 within, 1 at both ends
  const y = t < 0.5 ? 134 + 40 * share : 46 - 40 * share;
  return dot(x + (160 - x) * share ** 2, y);
}

const straight = () => [path("M10 90H310")];

export const DRAWINGS = {
  sinusoidal: (t) => waves(t),
  rotary: (t) => dials(t),
  LayerNorm: (t) => norm(layerNorm, t),
  RMSNorm: (t) => norm(rmsNorm, t),
  "no norm": (t) => norm((numbers) => numbers, t),
  after: (t) => wiring(false, t),
  before: (t) => wiring(true, t),
  ReLU: (t) => bend(CURVES.relu, t),
  GELU: (t) => bend(CURVES.gelu, t),
  SwiGLU: (t) => bend(CURVES.silu, t, gated(0.5), gated(-0.5)),
  "no feed-forward": () => straight(),
  "one each": (t) => heads(4, t),
  "one for two": (t) => heads(2, t),
  "one for all": (t) => heads(1, t),
  one: (t) => experts(1, 1, t),
  "1 of 4": (t) => experts(4, 1, t),
  "2 of 4": (t) => experts(4, 2, t),
  "as they are": (t) => norm((numbers) => numbers, t),
  normalised: (t) => norm(rmsNorm, t),
  nothing: () => straight(),
  "a transform": () => [path("M10 90H110M210 90H310"), box(110, 40, 100, 100)],
};

// What of a drawing is worth the room where it is small.
const CROPS = {
  sinusoidal: "6 2 308 162",
  rotary: "12 4 296 146",
  after: "0 22 320 146",
  before: "0 22 320 146",
  ReLU: "10 24 300 148",
  GELU: "10 24 300 148",
  SwiGLU: "10 24 300 148",
  "one each": "8 2 304 160",
  "one for two": "8 2 304 160",
  "one for all": "8 2 304 160",
};
export const cropOf = (kind) => CROPS[kind] ?? `0 0 ${WIDE} ${TALL}`;

export const picture = () => svg("svg.sketch", { viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" });

/** Draws a way at a moment from 0 to 1. */
export const paint = (node, kind, t) => node.replaceChildren(...(DRAWINGS[kind]?.(t) ?? []));
