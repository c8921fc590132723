// Where the parts of the figure stand, and what stays while a visitor points about: frames, axes, names, and the length
// of every pair's turn.

import { fixed, svg } from "../../../../attention_view/lab.js";
import { perTurn, ticksTo } from "./reading.js";

const CLOCKS = 8; // that fit above the table; each stands for a group of neighbouring pairs
export const NARROW = 560; // pixels below which waves and likeness stand under the table
const LEFT = 46; // pixels for the names of positions

/** A text of a figure. */
export const text = (x, y, words, props = {}) => svg("text", { x, y, ...props }, String(words));
const line = (x1, y1, x2, y2) => svg("line.rule", { x1, y1, x2, y2 });

/** Where everything stands, for the room that there is (without likeness the wave
 * has its room), and where a position or a column of the table is. */
export function planOf(width, tall, { d, length, groups }, isWhole = true) {
  const isNarrow = width < NARROW;
  const across = isNarrow ? width - LEFT - 4 : Math.round(0.52 * width) - LEFT;
  const clocks = Math.min(CLOCKS, groups);
  const radius = Math.min(isNarrow ? 27 : Math.max(27, 0.066 * tall), across / clocks / 2 - 3);
  const y = 2 * radius + 60;
  const map = { x: LEFT, y, w: across, h: isNarrow ? 230 : Math.max(200, tall - y - 84) };
  const strip = { x: LEFT, y: map.y + map.h + 8, w: across, h: 52 };
  const space = isNarrow ? width - LEFT : width - map.x - map.w;
  const foot = strip.y + strip.h + 24; // of the table and what stands below it
  const wave = {
    x: isNarrow ? LEFT : map.x + map.w + 44,
    y: isNarrow ? foot + 104 : map.y,
    w: isWhole ? Math.round(0.36 * (space - 70)) : space - (isNarrow ? 4 : 52),
    h: isNarrow ? 190 : map.h,
  };
  const near = { ...wave, x: wave.x + wave.w + 34 };
  near.w = width - near.x - 8;
  const x = (column) => map.x + (column / d) * map.w;
  const height = isNarrow ? near.y + near.h + 42 : foot;
  const boxes = { map, strip, wave, near };
  const sizes = { width, height, foot, isNarrow, clocks, radius };
  return {
    ...boxes,
    ...sizes,
    x,
    y: (p, box = map) => box.y + ((p + 0.5) / length) * box.h,
    middle: (pair) => x(Math.min(2 * pair + 1, (2 * pair + d) / 2)), // of its columns
    across: (value) => wave.x + ((value + 1.1) / 2.2) * wave.w,
  };
}

/** All that stays, and a dot for every pair: {parts, dots}. */
export function scalesOf(plan, table, beat) {
  const { map, isNarrow } = plan;
  const isWhole = beat >= 3;
  const title = isNarrow
    ? "a clock per pair; positions per turn"
    : "Every pair is a clock; below it, positions per turn";
  const turns = turnsOf(plan, table);
  const named = text(map.x, 13, title, { class: "name" });
  const frames = framesOf(plan, table, [true, true, isWhole]);
  const parts = [named, ...frames, ...turns.parts, ...axesOf(plan, isWhole)];
  return { parts, dots: turns.dots };
}

/** The frames of the table, the wave and likeness, as far as they are shown. */
function framesOf({ map, wave, near, isNarrow, y }, { length }, shown) {
  return [map, wave, near].flatMap((box, n) => {
    if (!shown[n]) return [];
    const frame = svg("rect.frame", { x: box.x, y: box.y, width: box.w, height: box.h });
    if (box === near || (box === wave && !isNarrow)) return [frame];
    const ticks = ticksTo(length).map((p) => text(box.x - 8, y(p, box) + 4, p, { "text-anchor": "end" }));
    const at = [12, box.y + box.h / 2];
    const turned = { "text-anchor": "middle", transform: `rotate(-90 ${at.join(" ")})` };
    return [frame, ...ticks, text(...at, "position", turned)];
  });
}

/** How many positions a turn takes, from the shortest to the longest, on a logarithmic scale. */
function turnsOf({ strip, middle, isNarrow }, { turns }) {
  const [shortest, longest] = [turns[0], turns.at(-1)].map(Math.log10);
  const share = (value) => (Math.log10(value) - shortest) / (longest - shortest || 1);
  const up = (value) => strip.y + strip.h - 5 - share(value) * (strip.h - 10);
  const dots = turns.map((turn, pair) => svg("circle.dot", { cx: middle(pair), cy: up(turn), r: 2.3 }));
  const parts = [];
  for (let power = Math.ceil(shortest); power <= longest; power++) {
    const y = up(10 ** power);
    parts.push(line(strip.x, y, strip.x + strip.w, y));
    const isShown = longest - shortest < 3 || power % 2 === 1;
    if (isShown) parts.push(text(strip.x - 8, y + 4, perTurn(10 ** power), { "text-anchor": "end" }));
  }
  const under = strip.y + strip.h + 16;
  const name = isNarrow ? "positions per turn" : "positions per turn of every pair";
  parts.push(
    ...dots,
    text(strip.x, under, "pair 0"),
    text(strip.x + strip.w, under, `pair ${turns.length - 1}`, { "text-anchor": "end" }),
    text(strip.x + strip.w / 2, under, name, { "text-anchor": "middle" }),
  );
  return { parts, dots };
}

/** The axes of the wave and of likeness, and what their lines are. */
function axesOf({ wave, near, isNarrow, across }, isWhole) {
  const below = wave.y + wave.h + 34;
  const values = [-1, 0, 1].flatMap((value) => [
    line(across(value), wave.y, across(value), wave.y + wave.h),
    text(across(value), wave.y + wave.h + 16, fixed(value, 0), { "text-anchor": "middle" }),
  ]);
  const sample = (kind, x, wide) => svg("path", { class: kind, d: `M${x} ${below - 4}h${wide}` });
  return [
    ...values,
    sample("sine", wave.x, 22),
    text(wave.x + 27, below, "sin"),
    sample("cosine", wave.x + 56, 22),
    text(wave.x + 83, below, "cos"),
    ...(isWhole
      ? [
          sample("rise", near.x, 18),
          text(near.x + 24, below, isNarrow ? "farther, yet closer" : "farther, yet more similar"),
        ]
      : []),
  ];
}
