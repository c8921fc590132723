// What each way to build a part does, as a drawing of 132 x 58: curves and bars are those of its formula.

import { svg } from "../../../../attention_view/lab.js";

const [WIDE, TALL] = [132, 58];
const SAMPLE = [2.2, 0.6, 1.5, 3, -0.8, 1.9, 2.5]; // numbers of a vector, for the norms to act on
const silu = (x) => x / (1 + Math.exp(-x));
const CURVES = {
  relu: (x) => Math.max(0, x),
  gelu: (x) => (x / 2) * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu,
};

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

const box = (x, y, width, height, kind = "") => svg(kind ? `rect.${kind}` : "rect", { x, y, width, height, rx: 2 });
const path = (d, kind = "") => svg(kind ? `path.${kind}` : "path", { d });

/** Numbers as bars up and down from a line. */
function bars(numbers, x, scale) {
  const each = numbers.map((value, n) => {
    const tall = Math.max(1.5, Math.abs(value) * scale);
    return box(x + 7.5 * n, value < 0 ? 38 : 38 - tall, 5, tall, "full");
  });
  return [...each, path(`M${x - 2} 38H${x + 7.5 * numbers.length}`, "thin")];
}

function norm(act) {
  const arrow = path("M62 30H72M68 26.5L72 30L68 33.5");
  return [...bars(SAMPLE, 4, 10), arrow, ...bars(act(SAMPLE), 78, 14)];
}

/** A curve over -3.2 to 3.2. */
function curve(of, kind = "") {
  const at = (n) => -3.2 + 0.16 * n;
  const points = Array.from({ length: 41 }, (_, n) => `${WIDE / 2 + 17 * at(n)} ${(45 - 12 * of(at(n))).toFixed(1)}`);
  return path(`M${points.join("L")}`, kind);
}

const axes = () => path(`M8 45H124M${WIDE / 2} 4V54`, "thin");

/** Four heads of queries over those of keys and values that they share. */
function heads(kv) {
  const wide = (132 - 4 * (kv + 1)) / kv;
  return [
    ...Array.from({ length: 4 }, (_, n) => box(4 + 32 * n, 10, 28, 15, "query")),
    ...Array.from({ length: kv }, (_, n) => box(4 + (wide + 4) * n, 34, wide, 15, "key")),
  ];
}

function experts(n, busy) {
  return Array.from({ length: n }, (_, e) => {
    const wide = n > 1 ? 27 : 60;
    return box(n > 1 ? 4 + 32.3 * e : 36, 9, wide, 40, e < busy ? "full" : "");
  });
}

const WAVE = Array.from({ length: 63 }, (_, n) => `${4 + 2 * n} ${(29 - 17 * Math.sin(n / 5)).toFixed(1)}`);
const stream = () => path("M2 47H130", "stream");

export const DRAWINGS = {
  sinusoidal: () => [path(`M${WAVE.join("L")}`), path("M4 29H130", "thin")],
  rotary: () => [
    path("M40 29m-22 0a22 22 0 1 0 44 0a22 22 0 1 0 -44 0", "thin"),
    path("M40 29L61 23M40 29L51 10", "query"),
    path("M92 29m-22 0a22 22 0 1 0 44 0a22 22 0 1 0 -44 0", "thin"),
    path("M92 29L113 35M92 29L112 20", "key"),
    path("M64 19A24 24 0 0 0 54 6M57.6 5.2L54 6L55.4 9.6"),
  ],
  LayerNorm: () => norm(layerNorm),
  RMSNorm: () => norm(rmsNorm),
  "no norm": () => norm((numbers) => numbers),
  after: () => [stream(), path("M16 47V20H82V47"), box(32, 8, 34, 24), box(98, 37, 20, 20, "full")],
  before: () => [stream(), path("M16 47V20H112V47"), box(26, 10, 20, 20, "full"), box(60, 8, 34, 24)],
  ReLU: () => [axes(), curve(CURVES.relu)],
  GELU: () => [axes(), curve(CURVES.gelu)],
  SwiGLU: () => [axes(), curve((x) => x * 0.62, "dashed"), curve(CURVES.silu)],
  "no feed-forward": () => [path("M4 29H128")],
  "one each": () => heads(4),
  "one for two": () => heads(2),
  "one for all": () => heads(1),
  one: () => experts(1, 1),
  "1 of 4": () => experts(4, 1),
  "2 of 4": () => experts(4, 2),
  "as they are": () => norm((numbers) => numbers),
  normalised: () => norm(rmsNorm),
  nothing: () => [path("M4 29H128")],
  "a transform": () => [path("M4 29H44M88 29H128"), box(44, 9, 44, 40)],
};

export function drawing(kind) {
  const picture = svg("svg.sketch", { viewBox: `0 0 ${WIDE} ${TALL}`, "aria-hidden": "true" });
  picture.append(...(DRAWINGS[kind]?.() ?? []));
  return picture;
}
