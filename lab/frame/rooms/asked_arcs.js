// Where the word that asks looks, as the model has it: below the words an arc to each of them, as thick as its weight.

import { svg } from "../../../attention_view/lab.js";

const LEAST = 0.05; // the smallest weight that gets an arc
const THICK = 18; // pixels of a weight of 1

/** An arc for each word that gets something, the strongest last, on top: {weight, d}.
 *
 * xs: where words are, [middle, ...]; high: the room below them */
export function arcsFrom({ truth, asks }, xs, high) {
  const found = truth.map((weight, n) => ({ n, weight })).filter(({ weight }) => weight >= LEAST);
  const far = ({ n }) => Math.abs(xs[n] - xs[asks]);
  const farthest = Math.max(1, ...found.map(far));
  return found
    .sort((one, other) => one.weight - other.weight)
    .map(({ n, weight }) => {
      const depth = (high - THICK / 2) * (0.3 + 0.7 * (far({ n }) / farthest));
      const [from, to] = n === asks ? [xs[n] - THICK, xs[n] + THICK] : [xs[asks], xs[n]];
      const reach = depth / 0.75; // a curve comes as low as three quarters of its handles
      const d = `M${from} 0C${from} ${reach} ${to} ${reach} ${to} 0`;
      return { weight, d };
    });
}

/** Of an answer that is held back, an arc that begins at the word that asks and ends in a question mark. */
function heldArc({ asks }, xs, high) {
  const [from, to] = [xs[asks], (xs[asks] + xs[asks > xs.length / 2 ? 0 : xs.length - 1]) / 2];
  const low = 0.62 * high;
  const side = Math.sign(to - from);
  return [
    svg("path.held", { d: `M${from} 0C${from} ${low} ${from + 0.3 * (to - from)} ${low} ${to - 26 * side} ${low}` }),
    svg("text.held", { x: to, y: low }, "?"),
  ];
}

/** The arcs below a row of words, drawn again whenever its place changes. */
export function arcsBelow(row, step) {
  const picture = svg("svg.arcs", { "aria-hidden": "true" });
  const draw = () => {
    const { left, height } = picture.getBoundingClientRect();
    const middle = (box) => (box.left + box.right) / 2 - left;
    const xs = [...row.querySelectorAll(".label")].map((label) => middle(label.getBoundingClientRect()));
    const arc = ({ weight, d }) => svg("path", { d, "stroke-width": (1.5 + (THICK - 1.5) * weight).toFixed(1) });
    picture.replaceChildren(...(step.truth.length ? arcsFrom(step, xs, height).map(arc) : heldArc(step, xs, height)));
  };
  new ResizeObserver(draw).observe(picture);
  return picture;
}
