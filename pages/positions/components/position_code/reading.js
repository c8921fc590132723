// How the figure of the codes reads its numbers: pure functions.

import { minus } from "../../../../attention_view/lab.js";

/** "62.8", "1,987", "4.1 M": positions per turn, short enough to stand below a clock. */
export function perTurn(turn) {
  if (turn >= 1e6) return `${minus(Number((turn / 1e6).toFixed(1)).toString())} M`;
  return turn < 100 ? String(Number(turn.toFixed(1))) : Math.round(turn).toLocaleString("en");
}

/** The pair whose hand turns most nearly once in 20 positions: it is read first. */
export function usualPair(turns) {
  const far = turns.map((turn) => Math.abs(Math.log(turn / 20)));
  return far.indexOf(Math.min(...far));
}

/** By which power of ten a hand is magnified so that one position moves it by 6 degrees or more; 1 if it does. */
export function magnifier(turn) {
  let times = 1;
  while ((360 / turn) * times < 6 - 1e-9) times *= 10;
  return times;
}

/** Round numbers from 0 to below `length`, at most seven. */
export function ticksTo(length) {
  const by = [1, 2, 5, 10, 20, 50, 100].find((step) => length / step <= 7) ?? 100;
  return Array.from({ length: Math.ceil(length / by) }, (_, n) => n * by);
}

/** The steps [p, p + 1] along which likeness grows although they lead away from the anchor. */
export function rises(products, anchor) {
  const steps = [];
  for (let p = 0; p + 1 < products.length; p++) {
    const away = p >= anchor ? products[p + 1] - products[p] : products[p] - products[p + 1];
    if (away > 1e-5) steps.push([p, p + 1]);
  }
  return steps;
}

/** The part of the face between two hands, going with the clock from p to q. */
export function wedge(p, q, radius) {
  const angle = ([x, y]) => Math.atan2(x, -y);
  const from = angle(p),
    by = (angle(q) - from + 4 * Math.PI) % (2 * Math.PI);
  const at = (a) => `${(Math.sin(a) * radius).toFixed(2)} ${(-Math.cos(a) * radius).toFixed(2)}`;
  return `M0 0 L${at(from)} A${radius} ${radius} 0 ${by > Math.PI ? 1 : 0} 1 ${at(from + by)} Z`;
}

/** What the thin hands of several clocks are, of which the slowest is magnified so many times. */
export const thinHand = (most) =>
  most > 1 ? "thin hand: the same turn, enlarged so that one can see it" : "thin hand: the same turn";
