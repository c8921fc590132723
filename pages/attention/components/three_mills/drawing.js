// What the three mills are drawn with: bars of a vector, cells of a strip, and the walk of a sum.

import { fixed, svg } from "../../../../attention_view/lab.js";
import { apart, cellOf, MADE } from "./places.js";
import { largest, walk } from "./sums.js";

export const NAMED = 4; // products
const ROUNDED = 0.005; // a constant below it is written as 0.00
const TALL = 38; // pixels of a label
const [SLIGHT, CLEAR] = [0.1, 0.33]; // of the scale: below the one a change is pale, from the other on it is strong
const PALE = 0.22;

const signOf = (number) => (number < 0 ? "below" : "above");

/** The hues of what flows into the mills, which grow on the way. */
export const fades = () =>
  svg(
    "defs",
    ...MADE.map((made) =>
      svg(
        "linearGradient",
        { id: `into-${made}` },
        ...[0.04, 0.34].map((opacity, offset) =>
          svg("stop", { offset, "stop-color": `var(--${made})`, "stop-opacity": opacity }),
        ),
      ),
    ),
  );

/** The vector runs into a mill. */
export function flow(vector, { made, mill }) {
  const [x, from, to] = [vector.x + vector.width + 4, vector.y, vector.y + vector.height];
  const [end, top, bottom] = [mill.x - 3, mill.y, mill.y + mill.height];
  const half = (x + end) / 2;
  const [there, back] = [
    `C${half} ${from} ${half} ${top} ${end} ${top}`,
    `C${half} ${bottom} ${half} ${to} ${x} ${to}`,
  ];
  return svg("path.flow", { d: `M${x} ${from}${there}V${bottom}${back}z`, fill: `url(#into-${made})` });
}

/** Numbers as bars from a middle line, to the right where they are above zero: {above, below} as paths. */
function barsOf(numbers, { x, y, width, height }, most) {
  const [step, middle] = [height / numbers.length, x + width / 2];
  const paths = { above: "", below: "" };
  numbers.forEach((number, i) => {
    const long = Math.max(-1, Math.min(1, number / most)) * (width / 2 - 2);
    paths[signOf(number)] += `M${middle} ${y + i * step}h${long}v${step}h${-long}z`;
  });
  return paths;
}

/** A vector, or a column of a matrix, from the top to the bottom. */
export function tower(numbers, place, most) {
  const { above, below } = barsOf(Array.from(numbers), place, most);
  return svg(
    "g.tower",
    svg("rect.ground", place),
    svg("path.above", { d: above }),
    svg("path.below", { d: below }),
    svg("rect.edge", place),
  );
}

/** The cells of a strip: each number is a bar up or down from the middle of its cell. Beside those before, a bar is the
 * paler the less its number has changed, and where it has, the bar of before is an outline.
 *
 * held: the cell in hand, or null; sofar: so many are there yet */
export function cells(numbers, strip, { most, before, held, sofar }) {
  const gap = strip.lines > 1 ? 4 : 0;
  const lines = Array.from({ length: strip.lines }, (_, n) => {
    const { x, y, height } = cellOf(strip, n * strip.across);
    const width = Math.min(strip.across, strip.numbers - n * strip.across) * strip.cell;
    const ground = svg("rect.ground", { x, y, width, height: height - gap });
    return [ground, svg("path.zero", { d: `M${x} ${y + height / 2}h${width}` })];
  });
  const at = (value, { y, height }) => y + height / 2 - Math.max(-1, Math.min(1, value / most)) * (height / 2 - 5);
  const bars = Array.from(numbers.slice(0, sofar), (value, n) => {
    const cell = cellOf(strip, n);
    const [zero, end] = [at(0, cell), at(value, cell)];
    const [y, height] = [Math.min(zero, end), Math.max(1.5, Math.abs(end - zero))];
    const strong = before ? { opacity: strengthOf(Math.abs(value - before[n]) / most) } : {};
    const bar = svg(`rect.${signOf(value)}`, { x: cell.x + 1, y, width: cell.width - 2, height, ...strong });
    if (n !== held) return bar;
    const frame = { ...cell, height: cell.height - gap };
    return svg("g.held", svg("rect.ground", frame), bar, svg("rect.frame", frame));
  });
  const inHand = held === null ? [] : bars.splice(held, 1); // above the others
  const was = before ? [svg("path.was", { d: outlines(before, numbers, strip, { at, most }) })] : [];
  return [...lines.flat(), ...bars, ...was, ...inHand];
}

const strengthOf = (change) => PALE + (1 - PALE) * Math.max(0, Math.min(1, (change - SLIGHT) / (CLEAR - SLIGHT)));

/** The bars of before, where a number has changed. */
function outlines(before, numbers, strip, { at, most }) {
  return Array.from(before, (value, n) => {
    if (Math.abs(numbers[n] - value) <= SLIGHT * most) return "";
    const cell = cellOf(strip, n);
    return `M${cell.x + 2} ${at(0, cell)}V${at(value, cell)}h${cell.width - 4}V${at(0, cell)}`;
  }).join("");
}

/** The products of one number, row by row: each bar begins where the last one ended. The largest are named, and the
 * learned constant.
 *
 * place, labels, column: as placesOf() has them; beside: where the vector stands; reach: [low, high] of all sums; x:
 * the vector. Returns {nodes, end}: where the sum ends */
export function walked(one, { place, labels, reach: [low, high], x, beside, column }) {
  const { left, right, y, height } = place;
  const scale = (right - left) / (high - low || 1);
  const at = (sum) => left + (sum - low) * scale;
  const [steps, step] = [walk(one), height / x.length];
  const paths = { above: "", below: "" };
  let rail = `M${at(0)} ${y}`;
  steps.slice(0, -1).forEach(([from, to], i) => {
    const tall = Math.max(1, step);
    paths[signOf(to - from)] += `M${at(from)} ${y + i * step}H${at(to)}v${tall}H${at(from)}z`;
    rail += `H${at(to)}v${step}`;
  });
  const named = largest(one, NAMED).map((row) => {
    const text = `${fixed(x[row], 2)} × ${fixed(one.column[row], 2)}`;
    return { row, middle: y + (row + 0.5) * step, value: one.products[row], text };
  });
  const hasConstant = Math.abs(one.bias) >= ROUNDED;
  if (hasConstant) named.push({ row: x.length, middle: y + height + 4, value: one.bias, text: "learned constant" });
  const wished = named.map(({ middle }) => middle);
  const places = apart(wished, TALL, [y + TALL / 2, y + height - TALL / 2]);
  const names = named.map(({ row, middle, value, text }, n) => {
    const [near, far] = [Math.min(...steps[row].map(at)), Math.max(...steps[row].map(at))];
    const met = `M${beside.x + beside.width} ${middle}H${column.x}M${column.x + column.width} ${middle}H${near - 3}`;
    return svg(
      "g.name",
      svg("path.lead", { d: `${row < x.length ? met : ""}M${far + 3} ${middle}L${labels - 6} ${places[n]}` }),
      svg("text.product", { x: labels, y: places[n] - 2 }, fixed(value, 2)),
      svg("text.factors", { x: labels, y: places[n] + 15 }, text),
    );
  });
  const [start, end] = steps.at(-1);
  const foot = y + height;
  const last = { x: Math.min(at(start), at(end)), y: foot + 1, width: Math.abs(at(end) - at(start)), height: 6 };
  const nodes = [
    svg("path.axis", { d: `M${at(0)} ${y - 4}V${foot + 8}` }),
    svg("text.null", { x: at(0), y: y - 8 }, "0"),
    svg("path.rail", { d: rail }),
    svg("path.above", { d: paths.above }),
    svg("path.below", { d: paths.below }),
    ...(hasConstant ? [svg(`rect.${signOf(one.bias)}`, last)] : []),
    ...names,
  ];
  return { nodes, end: [at(end), foot + 8] };
}
