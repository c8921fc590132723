// What a map says along a diagonal, and a small drawing of how each way works.

import { svg } from "../../../../attention_view/lab.js";

/** The least, the most and the mean of the weights of a map (T, T) at the key so many positions back. */
export function alongDiagonal(map, T, distance) {
  let least = Infinity,
    most = 0,
    sum = 0;
  for (let query = distance; query < T; query++) {
    const weight = map[query * T + query - distance];
    least = Math.min(least, weight);
    most = Math.max(most, weight);
    sum += weight;
  }
  return { least, most, mean: sum / (T - distance) };
}

const box = (x, name = "token") => svg("rect", { class: name, x, y: 6, width: 22, height: 18, rx: 4 });
const line = (d, name = "drawn") => svg("path", { class: name, d });
const plus = (x) => line(`M${x - 4} 15h8M${x} 11v8`);

/** In 72 x 30: what is added to a token, what turns, or what is added to the score. */
export function mechanism(kind) {
  const wave = "M42 15c3.5-11 7-11 10.500 0s7 11 10.500 0";
  const score = (d) => [
    line("M4 24V6M4 24h22M4 24", "rule"),
    ...[9, 14, 8, 16, 11].map((h, n) => bar(6 + 4 * n, h)),
    plus(36),
    line(d),
  ];
  return {
    none: () => [box(25)],
    wave: () => [box(4), plus(34), line(wave)],
    row: () => [box(4), plus(34), ...[5, 9, 3, 7].map((h, n) => bar(44 + 6 * n, h + 4))],
    turn: () => [
      line("M14 24L24 8", "query"),
      line("M46 24L62 16", "key"),
      line("M17 4a12 12 0 0 1 12 7m0-5v5h-5", "drawn"),
      line("M54 8a12 12 0 0 1 9 3m1-5l-1 5h-5", "drawn"),
    ],
    steps: () => score("M46 24V20H50V13H54V7H58V13H62V20H66V24"),
    slope: () => score("M45 24L56 7L67 24"),
  }[kind]();
}

const bar = (x, height) => svg("rect.bar-of", { x, y: 24 - height, width: 2.6, height });
