// The stages of one attention: their names and words, and the arithmetic that the browser does itself.

import { minus, trimmed } from "../../../../attention_view/lab.js";

export const NAMES = { q: "Q", k: "K", v: "V" };
export const HUES = {
  q: "query",
  k: "key",
  v: "value",
  scores: "signed",
  scaled: "signed",
  biased: "signed",
  masked: "signed",
  weights: "weight",
  output: "value",
};
export const TITLES = {
  q: "Queries: what each word asks for",
  k: "Keys: what each word offers to be found by",
  v: "Values: what each word passes on",
  scores: "Compare: each query with every key",
  scaled: "Scale: divide by √d_k",
  biased: "Add the bias for the distance",
  masked: "Mask: hide what may not be seen",
  weights: "Softmax: each row becomes shares of 1",
  output: "Mix: add up the values, each by its share",
};
/** What the button says that leads to a stage. */
const ACTS = {
  scores: "Start again",
  scaled: "Scale",
  biased: "Add the bias",
  masked: "Mask",
  weights: "Softmax",
  output: "Mix the values",
};

/** The stages that are stops: a mask that hides nothing of the row that is shown is none, unless a link is there. */
export function pathOf({ order, state: { row, stage }, isRow, stages }) {
  const isOpen = isRow && stage !== "masked" && !stages.masked?.[row].includes(null);
  return order.filter((name) => name !== "masked" || !isOpen);
}

/** What the button leads to, and what it says: the next stop of the walk. */
export function onward(path, stage) {
  const next = path[(path.indexOf(stage) + 1) % path.length];
  return [next, ACTS[next]];
}

export const SAYS = {
  q: "One row per word. A query is compared with every key.",
  k: "One row per word. A key is only compared; nothing of it is passed on.",
  v: "One row per word. Only values reach the output, each in proportion to its attention weight.",
  scores: "Multiply query and key feature by feature, and add up. A large score means a good match.",
  scaled: "Wider vectors make larger products; dividing by √d_k keeps them in range.",
  biased: "Each score gets a number that depends on the distance between the two words.",
  masked: "Hatched cells are off limits: they will get no share at all. A score of 0 would still get one.",
  weights: "e to the power of each score, divided by the sum of the row, so that each row adds up to 1.",
  output: "Each row of the output mixes all the values. As many rows come out as went in.",
};
/** A number as short as it may be: whole numbers as they are, others with two or three digits that matter. */
export function short(x, digits = 2) {
  if (x == null) return "";
  if (Number.isInteger(x)) return minus(String(x));
  const least = 10 ** -digits;
  if (Math.abs(x) >= 0.5 * least) return trimmed(x, digits);
  return x > 0 ? `<${least}` : `>−${least}`;
}
export const share = (x, digits = 2) =>
  x === 0 ? "0" : x < 0.5 * 10 ** -digits ? `<${10 ** -digits}` : x.toFixed(digits);

/** Which of two inks, on a mix of so much of a colour and the panel, has the better contrast; black or white where
 * neither has enough. */
export function readable(over, panel, part, ink, ground) {
  const light = ([r, g, b]) =>
    [r, g, b].reduce((sum, c, n) => {
      const x = c / 255;
      return sum + [0.2126, 0.7152, 0.0722][n] * (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    }, 0);
  const behind = light([0, 1, 2].map((n) => part * over[n] + (1 - part) * panel[n]));
  const contrast = (colour) => {
    const [a, b] = [light(colour), behind].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const [best, colour] =
    contrast(ink) >= contrast(ground) ? [contrast(ink), "var(--ink)"] : [contrast(ground), "var(--ground)"];
  if (best >= 4.7) return colour; // 4.5 and some room for rounding
  return contrast([0, 0, 0]) > contrast([255, 255, 255]) ? "#000" : "#fff";
}

/** Rows of scores (null: blocked) over a temperature, and their softmax: each row shares 1 among the keys, or, along
 * the queries, which is wrong, each column among the queries. A row with nothing open is all 0. */
export function softmax(rows, tau = 1, along = "keys") {
  const fed = rows.map((row) => row.map((x) => (x == null ? null : x / tau)));
  const columns = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));
  const shares = (row) => {
    const open = row.filter((x) => x != null);
    const powers = row.map((x) => (x == null ? 0 : Math.exp(x - Math.max(...open))));
    const total = powers.reduce((sum, x) => sum + x, 0);
    return powers.map((x) => (total ? x / total : 0));
  };
  return { fed, weights: along === "keys" ? fed.map(shares) : columns(columns(fed).map(shares)) };
}

export const total = (numbers) => numbers.reduce((sum, x) => sum + x, 0);

/** The largest of numbers by size, null for nothing; 1 where all are nothing. */
export const reach = (numbers) => Math.max(...numbers.map((x) => Math.abs(x ?? 0))) || 1;
