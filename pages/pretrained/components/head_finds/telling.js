// What is said of a head that adds something to an answer, or finds what it is asked for: a finding, what it is to be
// compared with, and what all other heads do.

import { asShare, minus, shareInProse } from "../../../../attention_view/lab.js";
import { bySize, headFirst, headOf } from "../head_stage/picture.js";

export const signed = (x) => (x > 0 ? "+" : "") + minus(x.toFixed(2));

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

/** The most that any head but `own` has. */
const mostOfOthers = (values, own) => values.reduce((most, x, at) => (at === own ? most : Math.max(most, x)), 0);

// what a head adds to the lead of one word over another; facts: {to}, the networks' sums are `networks`
const ADDS = {
  signs: () => "Below each head: what it adds. Framed: more than a quarter of the largest.",
  label: (text) => `adds ${text}`,
  title: () => "what it adds, by the word it reads",
  sizes: (values) => values.map(Math.abs),
  finding: (place, value, { to }) =>
    value < 0
      ? `${headFirst(place)} takes ${Math.abs(value).toFixed(2)} from ${to}.`
      : `${headFirst(place)} adds ${signed(value)} to ${to}.`,
  bars: () => [],
  others({ values, own, networks }) {
    const rest = signed(sum(values) - values[own]);
    const begin = `The other ${values.length - 1} heads together add ${rest}`;
    return networks.length ? `${begin}, the feed-forward layers ${signed(sum(networks))}.` : `${begin}.`;
  },
  where: () => "",
  act: ({ isLast }) => (isLast ? "Back to the largest head" : "Show the next largest head"),
};

// what of its attention a head puts on the token that came next the first time; facts: {chance, clear}
const REPEATS = {
  signs: ({ clear }) => `Below each head: how much of its attention goes there. Framed: over ${asShare(clear)}.`,
  label: (text) => `${text} of its attention is on the token that came next`,
  title: () => "attention on the token that came next the first time",
  sizes: (values) => values,
  finding: (place, value) =>
    `${headFirst(place)} puts ${shareInProse(value)} of its attention on what came next the first time.`,
  bars: ({ value, values, own, facts }) => [
    ["this head", value],
    ["best other head", mostOfOthers(values, own)],
    ["spread evenly", facts.chance],
  ],
  others({ values, H, facts }) {
    const clear = [...values.keys()].filter((at) => values[at] > facts.clear);
    const [n, all, share] = [clear.length, values.length, asShare(facts.clear)];
    if (!n) return `None of the ${all} heads puts more than ${share} there.`;
    const layers = new Set(clear.map((at) => headOf(at, H)[0]));
    const where = layers.size > 1 ? "" : `, ${n > 1 ? "all " : ""}in layer ${[...layers][0]}`;
    const begin = `${n} of the ${all} heads put${n > 1 ? "" : "s"} more than ${share} there${where}`;
    const least = Math.max(0, ...values.filter((_, at) => !clear.includes(at)));
    return n === all ? `${begin}.` : `${begin}; each of the others at most ${shareInProse(least)}.`;
  },
  where: ({ n, all }) => `In this text, it looks most at that token in ${n} of ${all} places.`,
  act: ({ isLast }) => (isLast ? "Back to the best head" : "Show the next head"),
};

// how often a head finds the word that grammar connects; facts: {does, n, offset, baseline, chance, next}
const AGREES = {
  signs: () => "Below each head: how often it finds the word. Framed: beats any fixed distance.",
  label: (text) => `finds the right word in ${text}`,
  title: () => "how often the right word is found",
  sizes: (values) => values,
  finding: (place, value, { does, n }) => `${headFirst(place)} ${does} in ${shareInProse(value)} of ${n} cases.`,
  bars: ({ value, values, own, facts }) => [
    ["this head", value],
    ["best other head", mostOfOthers(values, own)],
    [`always ${facts.offset}`, facts.baseline],
    ["a word at random", facts.chance],
  ],
  others({ values, own, H, facts }) {
    const [best] = bySize(values);
    if (best !== own) return `${headFirst(headOf(best, H))} does it best, in ${shareInProse(values[best])}.`;
    const most = `Each of the other heads does so in at most ${shareInProse(mostOfOthers(values, own))}`;
    return values[own] > facts.baseline ? `${most}.` : `${most}; a fixed distance does better than all of them.`;
  },
  where: ({ n, all }) =>
    all
      ? `In this sentence, it looks most at the right word in ${n} of ${all} places.`
      : "There is no such pair in this sentence.",
  act: ({ isLast, facts }) =>
    facts.next ? `Next: ${facts.next}` : isLast ? "Back to the best head" : "Show the next head",
};

export const TELLING = { adds: ADDS, repeats: REPEATS, agrees: AGREES };
