// What is said of a head that adds something to an answer, or finds what it is asked for: a finding, what it is to be
// compared with, and what all other heads do.

import { asShare, minus, shareInProse } from "../../../../attention_view/lab.js";
import { bySize, headFirst, headName, headOf } from "../head_stage/picture.js";

/** "+1.20", "−0.35"; what is nearly nothing has no sign. */
export const signed = (x) => (isSlight(x) ? "0.00" : (x > 0 ? "+" : "") + minus(x.toFixed(2)));

const isSlight = (x) => Number(x.toFixed(2)) === 0;

const SAME = 1e-6; // shares of the same cases that differ by less are the same count

const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);

/** The most that any head but `own` has. */
const mostOfOthers = (values, own) => values.reduce((most, x, at) => (at === own ? most : Math.max(most, x)), 0);

/** What one (s: "s") or several (s: "") add to what is named, or take from it; to "" where that goes without saying. */
function gives(x, s, to) {
  const what = isSlight(x) ? "next to nothing" : x < 0 ? Math.abs(x).toFixed(2) : signed(x);
  const [verb, way] = x < 0 && !isSlight(x) ? ["take", "from"] : ["add", "to"];
  return `${verb}${s} ${what}${to && ` ${way} ${to}`}`;
}

/** The same of what has been named: "add +2.50", "take 0.50 from it". */
const takes = (x, s) => gives(x, s, x < 0 && !isSlight(x) ? "it" : "");

// what a head adds to the lead of one word over another; facts: {to}, the networks' sums are `networks`
const ADDS = {
  signs: () => "Below each head: what it adds. Framed: more than a quarter of the largest.",
  label: (_, value) => gives(value, "s", ""),
  title: () => "what it adds, by the word it reads",
  sizes: (values) => values.map(Math.abs),
  finding: (place, value, { to }) => `${headFirst(place)} ${gives(value, "s", to)}.`,
  bars: () => [],
  others({ values, own, networks }) {
    const [n, rest] = [values.length - 1, sum(values) - values[own]];
    const begin = n === 1 ? `The other head ${takes(rest, "s")}` : `The other ${n} heads together ${takes(rest, "")}`;
    return networks.length ? `${begin}; the feed-forward layers ${takes(sum(networks), "")}.` : `${begin}.`;
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
    if (values[best] > values[own])
      return `${headFirst(headOf(best, H))} does it best, in ${shareInProse(values[best])}.`;
    const most = `Each of the other heads does so in at most ${shareInProse(mostOfOthers(values, own))}`;
    const gain = values[own] - facts.baseline;
    if (gain > SAME) return `${most}.`;
    return gain < -SAME
      ? `${most}; a fixed distance does better than any head.`
      : `${most}; a fixed distance does so as often as ${headName(headOf(own, H))}.`;
  },
  where: ({ n, all }) =>
    all
      ? `In this sentence, it looks most at the right word in ${n} of ${all} places.`
      : "There is no such pair in this sentence.",
  act: ({ isLast, facts }) =>
    facts.next ? `Next: ${facts.next}` : isLast ? "Back to the best head" : "Show the next head",
};

export const TELLING = { adds: ADDS, repeats: REPEATS, agrees: AGREES };
