// What is said of a guess: whether it is the model's own, where the model looked, and what another word has changed.

import { brief, el, shareInProse } from "../../../../attention_view/lab.js";

const SURE = 0.9; // of the probability: a model that gives a word as much has decided
const SPLIT = 0.5; // of the largest attention weight: another as large as that is a rival
const STILL = 0.3; // of the probability: what a word keeps without a head, other heads have given it
const END_WORDS = 6; // of the sentence, beside the question
const STOPS = { ".": "the full stop", "!": "the exclamation mark", "?": "the question mark", ",": "the comma" };

/** What a token is called in a sentence: “park”, or: the full stop. */
export const called = (token) => STOPS[token] ?? `“${token}”`;

/** How a text ends, as far as it is set large: its last sentence, or the last words of that. */
export function endOf(tokens) {
  const last = tokens.slice(0, -1).findLastIndex((token) => token in STOPS && token !== ",");
  const end = tokens.slice(last + 1).slice(-END_WORDS);
  return (end.length < tokens.length ? "… " : "") + end.join(" ");
}

/** That, and what comes next in a frame; `turns`, the words to press, stand apart from it. */
export function endingOf(tokens, next, turns = null) {
  const parts = [el("span", endOf(tokens)), el("i", next), turns].filter(Boolean);
  const letters = parts.reduce((sum, { textContent: text }) => sum + text.length, 4);
  return el("div.ending", { style: `--letters: ${letters}` }, ...parts);
}

/** What to say of a guess: whether it is the model's own, and what the model gives it. */
export function verdict(guess, words, shares) {
  const best = shares.indexOf(Math.max(...shares));
  const likely = `The model gives “${words[best]}” ${shareInProse(shares[best])}`;
  if (guess === words[best]) return `You and the model agree. ${likely}.`;
  const n = words.indexOf(guess);
  return n < 0 ? `${likely}.` : `${likely}, and your “${guess}” ${shareInProse(shares[n])}.`;
}

// What takes turns in the sentence: how it is called, and the name of the choice.
export const SWAPS = {
  name: { called: "the name", group: "Whose story it is" },
  last: { called: "the last word", group: "The last word of the sentence" },
};

/** What another word has done to the answer; `called`: which word it is. */
export function flip(words, before, after, called) {
  const [first, now] = [before, after].map((shares) => words[shares.indexOf(Math.max(...shares))]);
  return first === now
    ? `Only ${called} is different, and the answer is still “${now}”.`
    : `“${first}” has become “${now}”: the answer depends on ${called}.`;
}

/** The words to swap, of which one is in view. */
export function turnsOf(readings, { group }, inView, swap) {
  return el(
    "div.options",
    { role: "group", "aria-label": group },
    ...readings.map(({ name }) =>
      el("button", { "aria-label": name, "aria-pressed": String(name === inView), onclick: () => swap(name) }, name),
    ),
  );
}

/** The word that a head looks at nearly as much as at the one it looks at most, where it is as undecided as that and
 * the answer is not; else -1. The token itself is where a head rests. `sure`: the share of the likeliest next word. */
export function rival(weights, key, sure) {
  const others = weights.map((weight, i) => (i === key || i === weights.length - 1 ? 0 : weight));
  const most = Math.max(...others);
  return sure >= SURE && most >= SPLIT * weights[key] ? others.indexOf(most) : -1;
}

/** Where a head rests: "start" or "itself", which gets more than any word before the one that looks and than the
 * other of the two; "" where it looks at a word before. */
export function restsOn({ weights, start, looks_at: key }) {
  const own = weights.length > 1 ? weights.at(-1) : 0;
  if (Math.max(start, own) <= weights[key]) return "";
  return start > own ? "start" : "itself";
}

/** The token that gets most of all, counted with the start of the text in front. */
export function favourite(reading) {
  const { weights, looks_at: key } = reading;
  return { start: 0, itself: weights.length, "": key + 1 }[restsOn(reading)];
}

/** The middle of that sentence for a head that rests: where, and the word before that it looks at most. */
function restSaid(reading) {
  const { tokens, weights, start, looks_at: key } = reading;
  const target = [called(tokens[key]), "key"];
  if (restsOn(reading) === "itself")
    return [
      [" keeps most for itself (", ""],
      [brief(weights.at(-1)), "weight"],
      ["); of the earlier words, it looks most at ", ""],
      target,
    ];
  return [
    [" looks most at ", ""],
    ["⟨start⟩", "key"],
    [" (", ""],
    [brief(start), "weight"],
    ["), the mark in front of every text; of the earlier words, most at ", ""],
    target,
  ];
}

/** Where the last token looked, as [text, the colour it wears or ""]; and where that leaves open why the model is sure,
 * how sure it would be without this head.
 *
 * best  {word, share, without, head}: the likeliest next word, its share, that without the head, and the head's name */
export function lookedSaid(reading, best) {
  const { tokens, weights, looks_at: key } = reading;
  if (tokens.length === 1) return [["There is one word so far: it has nothing to look back at.", ""]];
  const looker = [called(tokens.at(-1)), "query"];
  const other = rival(weights, key, best.share);
  const [target, weight] = [
    [called(tokens[key]), "key"],
    [brief(weights[key]), "weight"],
  ];
  const from = [`Where did it look? In ${best.head}, `, ""];
  if (restsOn(reading)) return [from, looker, ...restSaid(reading), [" (", ""], weight, [").", ""]];
  if (other < 0)
    return [from, looker, [" looks back at ", ""], target, [", with ", ""], weight, [" of its attention.", ""]];
  const kept = shareInProse(best.without);
  const still = `Without this head, “${best.word}” would still get ${kept}: other heads decide, too.`;
  return [
    from,
    looker,
    [" looks back at ", ""],
    target,
    [" (", ""],
    weight,
    [") and ", ""],
    [called(tokens[other]), "key"],
    [" (", ""],
    [brief(weights[other]), "weight"],
    [`). ${best.without >= STILL ? still : ""}`, ""],
  ];
}

/** The same as a paragraph. */
export const whereItLooked = (reading, best) =>
  el("p", ...lookedSaid(reading, best).map(([text, kind]) => (kind ? el(`b.${kind}`, text) : text)));
