// The first two steps of the figure: one clock, whose hand draws two waves; and a clock for each of eight pairs.

import { fixed, svg, tint } from "../../../../attention_view/lab.js";
import { magnifier, perTurn, ticksTo } from "./reading.js";
import { NARROW, text } from "./scales.js";

const HAND = 0.86; // of the radius
const TWIN = 0.58; // of the radius: where another position is marked on the hand
const FINE = 8; // points of a wave from one position to the next: between them it is drawn, at them it is in the table
const DENSE = 130; // positions from which on they are too close for a mark each
const FAR = 0.35; // radians between two hands that one sees apart
const APART = 0.22; // radians between two names on the rim, at least

/** The angle of a pair at a position, from the top and with the clock, as the table has it. */
const angleOf = (row, pair) => Math.atan2(row[2 * pair], row[2 * pair + 1] ?? 0);
const onRim = (x, y, angle, r) => [x + Math.sin(angle) * r, y - Math.cos(angle) * r];
const segment = (name, [x1, y1], [x2, y2]) => svg(`line.${name}`, { x1, y1, x2, y2 });

/** Where the clock and its waves stand, for the room that there is. The waves are as high as the hand is long. */
export function planOne(width, tall) {
  const isNarrow = width < NARROW;
  const r = isNarrow ? Math.min(130, width / 2 - 34) : Math.min(tall / 2 - 34, width / 5);
  const clock = { x: isNarrow ? width / 2 : r + 40, y: isNarrow ? r + 28 : tall / 2 + 4, r };
  const long = isNarrow ? 60 : HAND * r;
  const left = isNarrow ? 34 : clock.x + r + 110;
  const middle = isNarrow ? clock.y + r + 178 : clock.y;
  const wave = { x: left, y: middle - long, w: width - left - 14, h: 2 * long };
  return { clock, wave, isNarrow, width, height: isNarrow ? wave.y + wave.h + 34 : tall };
}

/** The positions of the turn in which the hand is at `a`, so many apart that their names fit: [position, angle]. */
export function rim(turn, a, length) {
  const first = Math.max(0, Math.ceil(Math.floor(a / turn + 1e-9) * turn - 1e-9));
  const named = [];
  for (let p = first; p < Math.min(length, first + turn); p++) {
    const angle = (2 * Math.PI * p) / turn;
    const isFar = !named.length || angle - named.at(-1)[1] >= APART;
    const isLast = named.length && 2 * Math.PI - (angle - named[0][1]) < APART;
    if (isFar && !isLast) named.push([p, angle]);
  }
  return named;
}

/** The position that a hand at this angle shows, of those the nearest to `a`. */
export function positionAt(angle, turn, a, length) {
  const share = angle / (2 * Math.PI) - a / turn;
  const p = Math.round(a + (share - Math.round(share)) * turn);
  return Math.min(length - 1, Math.max(0, p));
}

/** The angle of a place on the face, from the top and with the clock. */
export const angleAt = ({ x, y }, [px, py]) => Math.atan2(px - x, y - py);

/** A position that the hand shows nearly as well: a whole turn away; null where there is none. */
export function lookalike(turn, a, length) {
  const by = Math.round(turn);
  const other = a + by < length ? a + by : a - by;
  return other >= 0 && other !== a ? other : null;
}

/** Why a single hand does not tell positions apart, in a sentence: it shows two of them alike, or hardly moves. */
export function notEnough(turn, a, length) {
  const other = lookalike(turn, a, length);
  const says = (text) => `One hand is not enough: ${text}.`;
  if (other !== null)
    return says(`it turns once every ${perTurn(turn)} positions, so ${a} and ${other} look almost alike`);
  if (magnifier(turn) === 1) return says(`after ${perTurn(turn)} positions it points the same way again`);
  return says(`it needs ${perTurn(turn)} positions for one turn, so neighbours look almost alike`);
}

/** The same hand at another position, as a hollow point with its number, on the side where no line is drawn. */
function twinOnFace({ x, y, r }, angle, other) {
  const side = (angle + 2 * Math.PI) % Math.PI < Math.PI / 2 ? 1 : -1;
  const [cx, cy] = onRim(x, y, angle, TWIN * r);
  const [tx, ty] = onRim(x, y, angle + side * 0.2, TWIN * r);
  return [
    svg("circle.twin", { cx, cy, r: 7 }),
    text(tx, ty + 5, other, { "text-anchor": "middle", class: "tick now" }),
  ];
}

function face({ x, y, r }, table, { a, pair }, other) {
  const angle = angleOf(table.row(a), pair);
  const tip = onRim(x, y, angle, HAND * r);
  const ticks = rim(table.turns[pair], a, table.length).flatMap(([p, turned]) => {
    const [tx, ty] = onRim(x, y, turned, r + 17);
    const name = text(tx, ty + 5, p, { "text-anchor": "middle", class: p === a ? "tick now" : "tick" });
    return [segment("rule", onRim(x, y, turned, r - 7), onRim(x, y, turned, r)), name];
  });
  const corner = [x, tip[1]]; // sine across, cosine up
  return {
    tip,
    part: svg(
      "g.clock.chosen.large",
      svg("circle.rim", { cx: x, cy: y, r }),
      ...ticks,
      segment("cosine", [x, y], corner),
      segment("sine", corner, tip),
      segment("hand", [x, y], tip),
      svg("circle.grip", { cx: tip[0], cy: tip[1], r: 9 }),
      ...(other === null ? [] : twinOnFace({ x, y, r }, angleOf(table.row(other), pair), other)),
    ),
  };
}

/** One clock, and what its hand draws over the positions: how far right it points, and how far up. */
export function oneHand(plan, table, chosen) {
  const { clock, wave, isNarrow } = plan;
  const { a, pair } = chosen;
  const other = lookalike(table.turns[pair], a, table.length);
  const { tip, part } = face(clock, table, chosen, other);
  const across = (p) => wave.x + ((p + 0.5) / table.length) * wave.w;
  const up = (value) => wave.y + ((1 - value) / 2) * wave.h;
  const two = [2 * pair, 2 * pair + 1].map((column) => (p) => table.row(p)[column] ?? 0);
  const between = [Math.sin, Math.cos].map((wave) => (p) => wave((2 * Math.PI * p) / table.turns[pair]));
  const curve = (value) => {
    const fine = Array.from({ length: FINE * (table.length - 1) + 1 }, (_, n) => n / FINE);
    return `M${fine.map((p) => `${across(p).toFixed(1)} ${up(value(p)).toFixed(1)}`).join("L")}`;
  };
  const hasCosine = 2 * pair + 1 < table.row(0).length;
  const [sine, cosine] = [between[0], hasCosine ? between[1] : () => 0];
  const every = table.length > DENSE ? [] : [...Array(table.length).keys()];
  const marks = two.flatMap((value) =>
    every.map((p) => svg("circle.mark", { cx: across(p), cy: up(value(p)), r: 2.5 })),
  );
  const [sin, cos] = two.map((value) => value(a));
  const levels = [-1, 0, 1].flatMap((value) => [
    segment("rule", [wave.x, up(value)], [wave.x + wave.w, up(value)]),
    text(wave.x - 8, up(value) + 4, fixed(value, 0), { "text-anchor": "end" }),
  ]);
  const ticks = ticksTo(table.length).map((p) =>
    text(across(p), wave.y + wave.h + 20, p, { "text-anchor": "middle", class: p === a ? "now" : "" }),
  );
  const dots = two.map((value) => svg("circle.point", { cx: across(a), cy: up(value(a)), r: 6.5 }));
  const twins = other === null ? [] : two.map((value) => [across(other), up(value(other))]);
  return [
    ...levels,
    ...ticks,
    text(wave.x + wave.w, wave.y + wave.h + (isNarrow ? 33 : 38), "position", { "text-anchor": "end" }),
    isNarrow ? null : segment("guide", tip, [across(a), up(cos)]),
    segment("row", [across(a), wave.y - 6], [across(a), wave.y + wave.h + 6]),
    svg("path.cosine", { d: curve(cosine) }),
    svg("path.sine", { d: curve(sine) }),
    ...marks,
    ...dots,
    ...twins.map(([cx, cy]) => svg("circle.twin", { cx, cy, r: 7 })),
    part,
    ...readout(wave, a, [sin, cos], isNarrow),
    ...(other === null ? [] : nameOfTwin(wave, other, isNarrow)),
  ].filter(Boolean);
}

/** The two numbers of the hand, as it is called in the code of this position. */
function readout({ x, y }, a, [sin, cos], isNarrow) {
  const cell = (n, kind, value) => {
    const left = x + (isNarrow ? 0 : 150) + n * 150;
    return [
      svg(`path.${kind}`, { d: `M${left} ${y - 26}h26` }),
      text(left + 34, y - 20, kind === "sine" ? "sin" : "cos", { class: "name" }),
      svg("rect.cell", { x: left + 62, y: y - 40, width: 62, height: 28, rx: 4, style: `fill:${tint(value)}` }),
      text(left + 93, y - 20.5, fixed(value), {
        "text-anchor": "middle",
        class: Math.abs(value) > 0.55 ? "on" : "name",
      }),
    ];
  };
  return [
    text(x, y - (isNarrow ? 52 : 18), `position ${a}`, { class: "title" }),
    ...cell(0, "sine", sin),
    ...cell(1, "cosine", cos),
  ];
}

/** What the hollow points are. */
function nameOfTwin({ x, y, w }, other, isNarrow) {
  const [right, base] = [x + w, y - (isNarrow ? 54 : 20)];
  const name = `${other}: almost the same`;
  return [
    svg("circle.twin", { cx: right - (isNarrow ? 126 : 147), cy: base - 5, r: isNarrow ? 6 : 7 }),
    text(right, base, name, { "text-anchor": "end", class: isNarrow ? "name" : "now" }),
  ];
}

/** Where each of so many clocks stands: in two rows over the whole width, with room for words beside it. */
export function placesOfEight(width, tall, n) {
  const across = width < NARROW ? 2 : Math.min(4, n);
  const rows = Math.ceil(n / across);
  const [w, h] = [width / across, Math.max(110, tall / rows)];
  const r = Math.min(h / 2 - 12, w / 2 - (width < NARROW ? 42 : 62));
  const places = Array.from({ length: n }, (_, k) => ({
    x: (k % across) * w + r + 8,
    y: (Math.floor(k / across) + 0.5) * h,
    r,
  }));
  return { places, w, h, height: rows * h };
}

/** How far apart the hands of a pair are at two positions, in radians. */
export function apartOn(table, pair, a, other) {
  const by = Math.abs(angleOf(table.row(a), pair) - angleOf(table.row(other), pair));
  return Math.min(by, 2 * Math.PI - by);
}

/** Which of several hands tells two positions apart that the chosen one shows alike, in a sentence. */
export function eightTell(table, pairs, a, other) {
  const by = pairs.map((pair) => apartOn(table, pair, a, other));
  const n = by.indexOf(Math.max(...by));
  const turn = perTurn(table.turns[pairs[n]]);
  return `The hand of dial ${n + 1} tells ${a} and ${other} apart best: it turns once in ${turn} positions.`;
}

/** The hand at another position, hollow; its outline is thick where both are far from each other. */
function otherHand({ x, y, r }, table, pair, a, other) {
  const shape = `M${x - 4} ${y}V${y - HAND * r}h8V${y}z`;
  const degrees = (180 / Math.PI) * angleOf(table.row(other), pair);
  const isFar = apartOn(table, pair, a, other) > FAR;
  return svg(isFar ? "path.other.far" : "path.other", { d: shape, transform: `rotate(${degrees} ${x} ${y})` });
}

/** A clock of a pair, its two numbers as cells, and how long its turn is; other: a position that one of the clocks
 * shows alike, or null. */
export function smallClock({ x, y, r }, table, { a, pair: chosen, other }, pair) {
  const row = table.row(a);
  const angle = angleOf(row, pair);
  const times = magnifier(table.turns[pair]);
  const words = x + r + 14;
  const cells = [row[2 * pair], row[2 * pair + 1] ?? 0].map((value, n) =>
    svg("rect.cell", { x: words + n * 25, y: y + 30, width: 24, height: 24, style: `fill:${tint(value)}` }),
  );
  return svg(
    pair === chosen ? "g.clock.chosen" : "g.clock",
    svg("circle.rim", { cx: x, cy: y, r }),
    other === null ? null : otherHand({ x, y, r }, table, pair, a, other),
    times > 1 ? segment("vernier", [x, y], onRim(x, y, angle * times, HAND * r)) : null,
    segment("hand", [x, y], onRim(x, y, angle, HAND * r)),
    text(words, y - 18, perTurn(table.turns[pair]), { class: "title" }),
    text(words, y + 1, "positions"),
    text(words, y + 17, "per turn"),
    ...cells,
  );
}
