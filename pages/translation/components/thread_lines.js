// Words in rows, or in columns where there is little room, and threads between them as thick as attention weights.

import { svg } from "../../../attention_view/lab.js";

export const LEAST = 0.03; // thinner threads only blur the picture
const LARGER = 1.6; // times the usual letters, at most
const WIDEST = 128; // pixels from word to word; on a large screen a ninth of the room

/** How far words of a row stand apart. */
const stepOf = (words, room) => Math.min(room / words.length, Math.max(WIDEST, room / 7.6));

/** Whether words fit side by side with so much air; wide(word): in pixels. */
export function fits(words, room, wide, air) {
  const step = stepOf(words, room);
  return words.every((word, n) => !n || (wide(words[n - 1]) + wide(word)) / 2 + air <= step);
}

/** How much larger the letters of a row may be, so that its words still fit with some air. */
export function growth(words, room, wide) {
  const step = stepOf(words, room) - 10;
  const most = words.map((word, n) => step / ((wide(words[Math.max(0, n - 1)]) + wide(word)) / 2));
  return Math.max(1, Math.min(LARGER, ...most));
}

/** Places of words in a row at this height, in the middle of the room behind `left`. */
export function row(words, y, room) {
  const step = stepOf(words, room);
  const start = (room - step * words.length) / 2;
  return words.map((_, n) => ({ x: start + (n + 0.5) * step, y }));
}

/** Places of words in a column, `most` being the number of the longest. */
export const column = (words, x, top, step, most) =>
  words.map((_, n) => ({ x, y: top + (n + 0.5 + (most - words.length) / 2) * step }));

/** The way from one word to another, which begins and ends so far from their middles. */
export function way(from, to, upright, [across, down]) {
  if (upright) {
    const [x1, x2] = [from.x + across, to.x - across];
    const middle = (x1 + x2) / 2;
    return `M${x1} ${from.y} C${middle} ${from.y} ${middle} ${to.y} ${x2} ${to.y}`;
  }
  const [y1, y2] = [from.y + down, to.y - down];
  const bend = (y2 - y1) * 0.45;
  return `M${from.x} ${y1} C${from.x} ${y1 + bend} ${to.x} ${y2 - bend} ${to.x} ${y2}`;
}

/** A thread as thick as a weight, and so faint. */
export const thread = (d, weight, classes, faint = 1, props = {}) =>
  svg("path", {
    class: classes,
    d,
    "stroke-width": (0.8 + 13 * weight).toFixed(2),
    opacity: ((0.12 + 0.68 * weight) * faint).toFixed(2),
    ...props,
  });
