// What follows the chosen position a, the step k and the pair: hands of clocks, rows of the table, a wave, likeness.

import { counted, el, fixed, svg, trimmed } from "../../../../attention_view/lab.js";
import { magnifier, perTurn, rises, wedge } from "./reading.js";
import { text } from "./scales.js";

/** How far the figure is read: hands, one after the other, the table of them all, and what a step does to it. In links
 * EIGHT stands for eight hands. */
export const [HANDS, EIGHT, MAP, BACK] = [0, 1, 2, 3];

const path = (points) => points.map(([x, y], n) => `${n ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** The pairs that have a clock: of each group of neighbours the first, but the chosen one in its own. */
export function clockPairs(n, groups, chosen) {
  return Array.from({ length: n }, (_, group) => {
    const [first, next] = [group, group + 1].map((at) => Math.floor((at * groups) / n));
    return chosen >= first && chosen < next ? chosen : first;
  });
}

/** Where the nth clock stands, and how large it is: above the pairs of the table. */
const placeOf = ({ map, radius, clocks }, n) => ({
  x: map.x + (n + 0.5) * (map.w / clocks),
  y: 24 + radius,
  r: radius,
});

/** A clock with the hands of a pair at `a` and at `a + k`, the nth of so many. */
export function clockMarks(plan, table, { a, k, pair: chosen, beat }, pair, n) {
  const { map, middle } = plan;
  const [now, later] = [table.row(a), table.row(a + k)];
  const { x, y, r: radius } = placeOf(plan, n);
  const tip = (row, times = 1) => {
    const angle = Math.atan2(row[2 * pair], row[2 * pair + 1] ?? 0) * times;
    return [Math.sin(angle) * radius * 0.86, -Math.cos(angle) * radius * 0.86];
  };
  const hand = (name, [dx, dy]) => svg("line", { class: name, x1: x, y1: y, x2: x + dx, y2: y + dy });
  const times = magnifier(table.turns[pair]);
  const [p, q] = [tip(now), tip(later)];
  const swept = () => svg("path.wedge", { d: wedge(p, q, radius * 0.6), transform: `translate(${x} ${y})` });
  const hands = () => [
    k && beat === BACK ? swept() : null,
    times > 1 ? hand("vernier", tip(now, times)) : null,
    beat === BACK ? hand("hand then", q) : null,
    hand("hand", p),
  ];
  return svg(
    pair === chosen ? "g.clock.chosen" : "g.clock",
    svg("path.leader", { d: `M${x} ${y + radius + 20}V${map.y - 10}L${middle(pair)} ${map.y - 1}` }),
    svg("circle.rim", { cx: x, cy: y, r: radius }),
    ...(table.isWhole(pair) ? hands() : []),
    text(x, y + radius + 15, perTurn(table.turns[pair]), { "text-anchor": "middle" }),
  );
}

/** The columns of the pair, and the rows of both positions. */
export function rowMarks({ map, wave, near, x, y }, { length, d }, { a, k, pair, beat }) {
  const tall = Math.max(3, map.h / length);
  const row = (p, name) => [
    svg("rect", { class: name, x: map.x - 1, y: y(p) - tall / 2, width: map.w + 2, height: tall }),
    ...(beat === BACK ? [wave, near] : [wave]).map((box) =>
      svg("line", { class: name, x1: box.x, x2: box.x + box.w, y1: y(p, box), y2: y(p, box) }),
    ),
  ];
  const [left, right] = [x(2 * pair), x(Math.min(2 * pair + 2, d))];
  return [
    svg("rect.columns", { x: left, y: map.y, width: right - left, height: map.h }),
    ...(k && beat === BACK && a + k < length ? row(a + k, "row then") : []),
    ...(a < length ? row(a, "row") : []),
  ];
}

/** Sine and cosine of the pair over the positions. */
export function waveMarks({ wave, across, y }, table, { a, pair }) {
  const column = (n) => Array.from({ length: table.length }, (_, p) => [across(table.row(p)[n]), y(p, wave)]);
  const dot = (n) => svg("circle.point", { cx: across(table.row(a)[n]), cy: y(a, wave), r: 4 });
  const [sine, cosine] = [2 * pair, 2 * pair + 1];
  const isWhole = table.isWhole(pair);
  return [
    text(wave.x, wave.y - 8, `wave of pair ${pair}`, { class: "name" }),
    ...(isWhole ? [svg("path.cosine", { d: path(column(cosine)) })] : []),
    svg("path.sine", { d: path(column(sine)) }),
    ...(isWhole ? [dot(cosine)] : []),
    dot(sine),
  ];
}

/** How alike every code is to that of `a`; products: of both codes. */
export function likenessMarks({ near, isNarrow, y }, { length }, { a, k }, products) {
  const [low, high] = [Math.min(0, ...products), Math.max(...products)];
  const x = (value) => near.x + 4 + ((value - low) / (high - low || 1)) * (near.w - 12);
  const points = Array.from(products, (value, p) => [x(value), y(p, near)]);
  const below = near.y + near.h + 16;
  const steps = (all) => all.map(([p, q]) => path([points[p], points[q]])).join("");
  const pairs = Array.from({ length: length - 1 }, (_, p) => [p, p + 1]);
  const negative = pairs.filter((step) => step.some((p) => products[p] < 0));
  const dot = (p) => svg("circle.point", { cx: points[p][0], cy: points[p][1], r: p === a ? 4.5 : 3.5 });
  const name = isNarrow ? `similarity to ${a}` : `similarity to position ${a}`;
  return [
    svg("line.rule", { x1: x(0), x2: x(0), y1: near.y, y2: near.y + near.h }),
    text(x(0), below, "0", { "text-anchor": "middle" }),
    text(x(high), below, fixed(high, 1), { "text-anchor": "end" }),
    text(near.x, near.y - 8, name, { class: "name" }),
    svg("path.likeness", { d: path(points) }),
    svg("path.rise", { d: steps(rises(products, a)) }),
    ...(negative.length ? [svg("path.below", { d: steps(negative) })] : []),
    ...(k && a + k < length ? [a + k, a] : [a]).map(dot),
  ];
}

/** What a step of k does to every pair. */
export const onward = (k) =>
  k
    ? `${counted(k, "position")} on, each hand turns by its own angle, wherever it starts.`
    : "Without a step, no hand turns.";

/** What the step does to the chosen pair, as a multiplication. */
export function turning(table, { a, k, pair }) {
  if (!table.isWhole(pair)) return [el("b", `Pair ${pair} is a sine alone: d_model = ${table.d} is odd`)];
  const two = (position) => Array.from(table.row(position).subarray(2 * pair, 2 * pair + 2));
  const [sin, cos] = two(k);
  const block = (values, across = 1) =>
    el("span.block", { style: `--across: ${across}` }, ...values.map((value) => el("span", fixed(value))));
  const turn = block([cos, sin, -sin, cos], 2);
  const names = el("span.quiet", "sin", el("br"), "cos");
  const angle = (360 * k) / table.turns[pair];
  const degrees = k && angle < 0.0005 ? "less than 0.001°" : `${trimmed(angle, angle < 0.995 ? 3 : 1)}°`;
  return [
    el("b", `k = ${k} turns pair ${pair} by ${degrees}, wherever it starts`),
    el("span.product", turn, "×", block(two(a)), "=", block(two(a + k)), names),
  ];
}
