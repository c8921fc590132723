// The first step of the figure: one clock, whose hand draws two waves; then a clock for each hand that is added, and
// what so many hands tell apart.

import { capital, fixed, numeral, svg, tint } from "../../../../attention_view/lab.js";
import { perTurn, ticksTo } from "./reading.js";
import { NARROW, text } from "./scales.js";

const HAND = 0.86; // of the radius
const LEGEND = 34; // pixels above several clocks: which hand is which
const STRIP = 132; // and below them: how alike each position looks
const ABOVE = 100; // pixels that a phone has more of words above the figure
const ROOMY = 90; // pixels of a radius that leave room for names on the rim
const FINE = 8; // points of a wave from one position to the next: between them it is drawn, at them it is in the table
const DENSE = 130; // positions from which on they are too close for a mark each
const FAR = 0.35; // radians between two hands that one sees apart
const SLOW = 10; // times all positions: a hand that takes so many for a turn hardly moves
const SAME = 1e-3; // radians that are rounding
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

/** The pairs of so many clocks in the order in which hands are added: first the one that is read first, then slower
 * ones, and those that are faster last. */
export function inOrder(clocks, first) {
  const at = clocks.indexOf(first);
  return [...clocks.slice(at), ...clocks.slice(0, at).reverse()];
}

/** How far apart two positions are for the hands of these pairs, in radians: for the one that tells them apart best. */
export const apart = (table, pairs, a, b) => Math.max(...pairs.map((pair) => apartOn(table, pair, a, b)));

/** The positions that these hands show nearly as `home`, the most alike first: nearer to it than its own neighbour, and
 * than theirs. */
export function alikes(table, pairs, home) {
  const next = apart(table, pairs, home, home + 1 < table.length ? home + 1 : home - 1) - SAME;
  const far = Array.from({ length: table.length }, (_, p) => (p === home ? Infinity : apart(table, pairs, home, p)));
  const isNear = (p) => far[p] < Math.min(next, far[p - 1] ?? Infinity, far[p + 1] ?? Infinity);
  return [...far.keys()].filter(isNear).sort((p, q) => far[p] - far[q]);
}

const howMany = (n) => `${capital(numeral(n))} hand${n === 1 ? "" : "s"}`;

/** How alike each position looks to `home` by the hand that tells them apart best: 1 is the same, 0 is opposite. */
export const likeness = (table, pairs, home) =>
  Array.from({ length: table.length }, (_, p) => 1 - apart(table, pairs, home, p) / Math.PI);

/** What so many hands tell of `home`, where they stand at `a`: [what is found or asked, more of it in quiet]. */
export function told(table, pairs, a, home) {
  const n = pairs.length;
  const same = alikes(table, pairs, home);
  const turn = perTurn(Math.max(...pairs.map((pair) => table.turns[pair])));
  if (n > 1) {
    const gone = alikes(table, pairs.slice(0, -1), home).filter((p) => !same.includes(p));
    const fall = gone.length ? `${inWords(gone)} no longer ${looks(gone)} like ${home}` : "";
    const still = `${inWords(same)} still ${fall ? `do${one(same)}` : `${looks(same)} like ${home}`}.`;
    if (same.includes(a)) return [`${howMany(n)} show ${a} almost as they show ${home}.`, ""];
    if (same.length) return [`${howMany(n)}: ${fall && `${fall}. `}${still}`, `Turn a hand to ${same[0]}.`];
    const beside = [home - 1, home + 1].filter((p) => p >= 0 && p < table.length);
    const own = `own neighbour${beside.length > 1 ? "s" : ""}, ${inWords(beside)}`;
    if (fall) return [`${howMany(n)}: the positions most like ${home} are now its ${own}.`, ""];
  }
  if (!same.length) return [`${howMany(n)}: no time comes twice in ${turn} positions.`, ""];
  if (same.includes(a))
    return [`Position ${a} shows almost the same time as ${home}.`, `One turn takes ${turn} positions.`];
  const hint = a === home ? "Drag the hand round." : `Position ${a} does not.`;
  return [`Which other position shows the same time as ${home}?`, hint];
}

const inWords = (names) => [names.slice(0, -1).join(", "), names.at(-1)].filter((part) => part !== "").join(" and ");
const one = (names) => (names.length > 1 ? "" : "es");
const looks = (names) => `look${names.length > 1 ? "" : "s"}`;

/** Where the hand is to be turned: an arrow along the rim, from its tip on. */
function arrow({ x, y, r }, angle) {
  const [from, to] = [angle + 0.16, angle + 0.95];
  const [start, end] = [onRim(x, y, from, HAND * r), onRim(x, y, to, HAND * r)];
  const wings = [-9, 9].map((by) =>
    onRim(x, y, to - 0.09, HAND * r + by)
      .map((n) => n.toFixed(1))
      .join(" "),
  );
  const arc = `M${start.join(" ")}A${HAND * r} ${HAND * r} 0 0 1 ${end.join(" ")}`;
  return svg("path.round", { d: `${arc}M${wings[0]}L${end.join(" ")}L${wings[1]}` });
}

/** The positions on the rim of a clock, of the turn in which its hand is. */
const ticksOf = ({ x, y, r }, table, pair, a) =>
  rim(table.turns[pair], a, table.length).flatMap(([p, turned]) => {
    const [tx, ty] = onRim(x, y, turned, r + 17);
    const name = text(tx, ty + 5, p, { "text-anchor": "middle", class: p === a ? "tick now" : "tick" });
    return [segment("rule", onRim(x, y, turned, r - 7), onRim(x, y, turned, r)), name];
  });

function face({ x, y, r }, table, { a, home, pairs: [pair] }) {
  const angle = angleOf(table.row(a), pair);
  const tip = onRim(x, y, angle, HAND * r);
  const corner = [x, tip[1]]; // sine across, cosine up
  const first = angleOf(table.row(home), pair);
  const [hx, hy] = onRim(x, y, first + (a > home ? -0.17 : 0.17), 0.7 * r);
  return {
    tip,
    part: svg(
      "g.clock.chosen.large",
      svg("circle.rim", { cx: x, cy: y, r }),
      ...ticksOf({ x, y, r }, table, pair, a),
      segment("cosine", [x, y], corner),
      segment("sine", corner, tip),
      otherHand({ x, y, r }, table, pair, a, home),
      a === home ? arrow({ x, y, r }, angle) : text(hx, hy + 5, home, { "text-anchor": "middle", class: "tick" }),
      segment("hand", [x, y], tip),
      ...grip(tip, 11),
    ),
  };
}

/** Whether a hand moves enough over all positions that one can turn it. */
export const isHeld = ({ turns, length }, pair) => turns[pair] < SLOW * length;

/** What a finger or a pointer takes hold of, larger than it looks. */
const grip = ([cx, cy], r) => [svg("circle.grip", { cx, cy, r }), svg("circle.hold", { cx, cy, r: 26 })];

/** One clock, and what its hand has drawn over the positions up to `reach`: how far right it points, and how far up. */
export function oneHand(plan, table, chosen) {
  const { clock, wave, isNarrow } = plan;
  const { a, home, reach, pairs } = chosen;
  const [pair] = pairs;
  const { tip, part } = face(clock, table, chosen);
  const across = (p) => wave.x + ((p + 0.5) / table.length) * wave.w;
  const up = (value) => wave.y + ((1 - value) / 2) * wave.h;
  const two = [2 * pair, 2 * pair + 1].map((column) => (p) => table.row(p)[column] ?? 0);
  const between = [Math.sin, Math.cos].map((wave) => (p) => wave((2 * Math.PI * p) / table.turns[pair]));
  const curve = (value) => {
    const fine = Array.from({ length: FINE * reach + 1 }, (_, n) => n / FINE);
    return `M${fine.map((p) => `${across(p).toFixed(1)} ${up(value(p)).toFixed(1)}`).join("L")}`;
  };
  const [sine, cosine] = [between[0], table.isWhole(pair) ? between[1] : () => 0];
  const every = table.length > DENSE ? [] : [...Array(reach + 1).keys()];
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
  const own = two.flatMap((value) => {
    const cy = up(value(home));
    return [
      segment("guide", [across(home), cy], [wave.x + wave.w, cy]),
      svg("circle.twin", { cx: across(home), cy, r: 7 }),
    ];
  });
  return [
    ...levels,
    ...ticks,
    text(wave.x + wave.w, wave.y + wave.h + (isNarrow ? 33 : 38), "position", { "text-anchor": "end" }),
    isNarrow ? null : segment("guide", tip, [across(a), up(cos)]),
    segment("row", [across(a), wave.y - 6], [across(a), wave.y + wave.h + 6]),
    svg("path.cosine", { d: curve(cosine) }),
    svg("path.sine", { d: curve(sine) }),
    ...marks,
    ...own,
    ...dots,
    part,
    ...readout(wave, a, [sin, cos], isNarrow),
  ];
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

/** Where each of so many clocks stands: in one row or two over the whole width, with room for words beside it; and
 * below them the strip of all positions. */
export function planHands(width, tall, n) {
  const isNarrow = width < NARROW;
  const across = isNarrow ? (n > 3 ? 2 : 1) : Math.min(4, n);
  const rows = Math.ceil(n / across);
  const [w, h] = [width / across, Math.max(110, (tall - LEGEND - STRIP - (isNarrow ? ABOVE : 0)) / rows)];
  const most = Math.min(h / 2 - 8, w / 2 - (isNarrow ? 42 : 62));
  const isNamed = most > ROOMY;
  const r = isNamed ? most - 22 : most;
  const places = Array.from({ length: n }, (_, k) => ({
    x: (k % across) * w + (w - 2 * r - 80) / 2 + r,
    y: LEGEND + (Math.floor(k / across) + 0.5) * h,
    r,
    isNamed,
  }));
  const foot = LEGEND + rows * h;
  const wave = { x: 0, y: foot + 26, w: width, h: STRIP - 50 };
  return { places, wave, isNarrow, width, height: foot + STRIP };
}

/** All positions in a row, each as tall as it looks like `home`. The bar of `a` is solid as its hands are, that of
 * `home` hollow; those that are taken for it are dark, and those that fewer hands took for it keep their names. */
export function strip({ wave, isNarrow }, table, { a, home, pairs, alike }) {
  const each = wave.w / table.length;
  const foot = wave.y + wave.h;
  const same = alikes(table, pairs, home);
  const once = alikes(table, pairs.slice(0, -1), home);
  const bar = (share, p) => {
    const height = Math.max(1, share * wave.h);
    const kind = p === a ? "now" : p === home ? "home" : same.includes(p) ? "same" : "";
    const props = { x: p * each + 0.12 * each, y: foot - height, width: 0.76 * each, height };
    return svg("rect", { class: `alike ${kind}`, ...props });
  };
  const name = (p, kind) =>
    text((p + 0.5) * each, foot - alike[p] * wave.h - 7, p, { "text-anchor": "middle", class: kind });
  const isLate = a > table.length / 2; // the pointer is where the words would end
  const under = isNarrow ? `how alike to ${home}` : `how alike each position looks to ${home}`;
  return [
    ...alike.map(bar),
    segment("rule", [wave.x, foot], [wave.x + wave.w, foot]),
    ...[...new Set([home, ...same])].map((p) => name(p, "now")),
    ...once.filter((p) => !same.includes(p)).map((p) => name(p, "gone")),
    svg("path.pointer", { d: `M${((a + 0.5) * each).toFixed(1)} ${foot + 3}l-7 12h14z` }),
    text(isLate ? wave.x : wave.x + wave.w, foot + 19, under, { "text-anchor": isLate ? "start" : "end", class: "of" }),
  ];
}

/** Which hand is which: the thick one, and the hollow one. */
export function legend(a, home) {
  const name = (x, words) => text(x, 18, words, { class: "now" });
  const hollow = svg("rect.other.far", { x: 168, y: 9, width: 34, height: 8 });
  return [segment("hand", [10, 13], [44, 13]), name(54, `position ${a}`), hollow, name(212, `position ${home}`)];
}

/** How far apart the hands of a pair are at two positions, in radians. */
export function apartOn(table, pair, a, other) {
  const by = Math.abs(angleOf(table.row(a), pair) - angleOf(table.row(other), pair));
  return Math.min(by, 2 * Math.PI - by);
}

/** The hand at another position, hollow; its outline is thick where both are far from each other. */
function otherHand({ x, y, r }, table, pair, a, other) {
  const shape = `M${x - 4} ${y}V${y - HAND * r}h8V${y}z`;
  const degrees = (180 / Math.PI) * angleOf(table.row(other), pair);
  const isFar = apartOn(table, pair, a, other) > FAR;
  return svg(isFar ? "path.other.far" : "path.other", { d: shape, transform: `rotate(${degrees} ${x} ${y})` });
}

/** A clock of a pair, its two numbers as cells, and how long its turn is; beside its hand that of `home`, hollow. */
export function smallClock({ x, y, r, isNamed }, table, { a, home, pairs }, pair) {
  const row = table.row(a);
  const words = x + r + (isNamed ? 38 : 14);
  const cells = [row[2 * pair], row[2 * pair + 1] ?? 0].map((value, n) =>
    svg("rect.cell", { x: words + n * 25, y: y + 30, width: 24, height: 24, style: `fill:${tint(value)}` }),
  );
  const tip = onRim(x, y, angleOf(row, pair), HAND * r);
  return svg(
    pair === pairs.at(-1) ? "g.clock.chosen" : "g.clock",
    svg("circle.rim", { cx: x, cy: y, r }),
    ...(isNamed && isHeld(table, pair) ? ticksOf({ x, y, r }, table, pair, a) : []),
    otherHand({ x, y, r }, table, pair, a, home),
    segment("hand", [x, y], tip),
    ...(isHeld(table, pair) ? grip(tip, r < 100 ? 5 : 9) : []),
    text(words, y - 18, perTurn(table.turns[pair]), { class: "title" }),
    text(words, y + 1, "positions"),
    text(words, y + 17, "per turn"),
    ...cells,
  );
}
