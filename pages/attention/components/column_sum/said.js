// What is said of a sum, for the eye and for a voice.

import { fixed } from "../../../../attention_view/lab.js";
import { isMany, pushesOf } from "./sums.js";

const LEAST = 0.005; // a constant that rounds to 0.01

const constant = (bias) => (Math.abs(bias) < LEAST ? "" : ` and a learned constant of ${fixed(bias, 2)}`);

/** The sentence of a sum, as texts and [role, text]; where a row is held, that of its product.
 *
 * bias: what the sum begins with; what: which number it is; held: the row, or null */
export function sentence(one, { bias, what, held }) {
  const total = ["hue", fixed(one.total, 2)];
  if (held === null) {
    const parts = `${one.products.length} ${isMany(one) ? "small pushes" : "products"}`;
    return [`${what} is `, total, `, the sum of ${parts}${constant(bias)}.`];
  }
  const { [held]: product } = one.products;
  const way = product * one.total > 0 ? " towards" : ", against";
  return [`The largest push is row ${held + 1}: `, ["push", fixed(product, 2)], `${way} the sum of `, total, "."];
}

/** What a voice hears of the picture: what adds up, how many products push the sum up, and how many down. */
export function heard(one, bias) {
  const [up, down] = pushesOf(one.products);
  const ways = `${up.count} push the sum up by ${fixed(up.sum, 2)}, ${down.count} down by ${fixed(down.sum, 2)}.`;
  return `${one.products.length} products${constant(bias)} add up to ${fixed(one.total, 2)}: ${ways}`;
}
