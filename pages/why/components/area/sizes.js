// What a text of so many words costs beside a page, in words, and to what scale it is drawn.

import { capital } from "../../../../attention_view/lab.js";

export const SIZE = 460; // that the longer side may have, in the drawing's own units
const DRAWN = 0.02; // so near, as a share, a stop draws a hand to it

/** "33.6 MB"; a kB is 1000 B. */
export function inBytes(x) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  while (x >= 1000 && units.length > 1) {
    x /= 1000;
    units.shift();
  }
  return `${x < 1000 ? Number(x.toPrecision(3)) : Math.round(x).toLocaleString("en")} ${units[0]}`;
}

/** The option that is nearest on a logarithmic scale. */
export const nearest = (value, options) =>
  options.reduce((a, b) => (Math.abs(Math.log(b / value)) < Math.abs(Math.log(a / value)) ? b : a));

/** The length that a hand drags a side to: a round number, and a stop that is near draws it there. */
export function hauled(value, lengths, stops) {
  const stop = nearest(value, stops);
  return Math.abs(Math.log(stop / value)) < DRAWN ? stop : nearest(value, lengths);
}

/** How much of the drawing a word takes: a page leaves room to double it; what is longer than that is drawn smaller. */
export const unitFor = (n, d, page) => SIZE / Math.max(2 * page, n, d);

export const whole = (x) => Math.round(x).toLocaleString("en");

/** A ratio as it is read: "40,000", "16.4", "2.05": it is squared, too. */
export const times = (ratio) => (ratio >= 100 ? whole(ratio) : String(Number(ratio.toPrecision(3))));

const IN_WORDS = { 2: "twice", 4: "four times", 0.5: "half", 0.25: "a quarter of" };

/** So many times the text: "twice", "16 times", "98% of", "1/25 of". */
const many = (ratio) =>
  IN_WORDS[ratio] ??
  (ratio < 0.1 ? `1/${whole(1 / ratio)} of` : ratio < 1 ? `${whole(100 * ratio)}% of` : `${times(ratio)} times`);

/** What attention's weights take: 4 bytes for each head and pair of words. */
export const weightsOf = (n, heads) => 4 * heads * n * n;

const NOTED = 1e9; // bytes of weights that the finding speaks of

export const ASKED = "Twice the text: how much more work?";

/** What n words come to beside a page; name: of a text that has about so many words. */
export function comparison(n, page, heads, name) {
  if (n === page) return ASKED;
  const [text, work] = [many(n / page), many((n / page) ** 2)];
  const long = name ? `A ${name}: ${text}` : capital(text);
  const bytes = weightsOf(n, heads);
  if (bytes >= NOTED) return `${long} the text, ${work} the work, ${inBytes(bytes)} of attention weights.`;
  const other = `For a recurrent layer, ${n > page ? "only " : ""}${text.replace(/ of$/, "")}.`;
  return `${long} the text, ${work} the work. ${other}`;
}

/** Where the button leads and what it says: double a page, double it again, a novel, and back. */
export function following(n, page, texts) {
  const { novel } = texts;
  const steps = [
    [page, "Read a page"],
    [2 * page, "Double the text"],
    [4 * page, "Double again"],
    [novel, "A novel"],
  ];
  return steps.find(([words]) => words > n) ?? [page, "Back to a page"];
}

/** A length at this share of the way from one to another. */
export const onTheWay = (from, to, share) => from * (to / from) ** share;
