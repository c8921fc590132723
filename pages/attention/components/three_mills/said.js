// What is said of a word's three strips, and of one number of them, for the eye and for a voice.

import { fixed } from "../../../../attention_view/lab.js";
import { MADE } from "./places.js";

const NOTHING = 0.005; // of a score
const SAME = 0.99995; // a similarity that is 1, but for rounding
const SIMILAR = 0.5;
const [STAYS, CHANGES] = [0.9, 0.6]; // a strip hardly changes from the one on, and does below the other

/** What is said of the same number in the head's other state, which has just been seen. */
const MEANWHILE = { before: "before training it was", after: "after training it is" };

/** Whether the same head reads the same words, trained now and not before, or the other way round. */
export const isOtherState = (before, now) =>
  Boolean(before) &&
  before.trained !== now.trained &&
  ["of", "words"].every((name) => String(before[name]) === String(now[name]));

/** What is said at first. products: numbers of the vector; numbers: of a strip. */
export const atRest = (word, products, numbers) => [
  `Three matrices turn the ${products} numbers of “${word}” into three strips of ${numbers}.`,
];

/** What is asked before another word is swapped in. */
export const asked = (word, by) => [`Swap “${word}” for “${by}”: which strip will change least?`];

/** What is said of the strip that was guessed to change least; null where all three change equally, as they are
 * read. */
export function judged(guess, similar) {
  if (!changed(similar)) return null;
  const [most] = bySimilar(similar);
  return fixed(similar[most], 2) === fixed(similar[guess], 2) ? "Right: " : `Not the ${guess}: `;
}

/** What two sets of strips are compared as. word: now; from: the word before; by: how many words later it stands */
export const OCCASIONS = {
  swap: ({ word, from }) => `Swap “${from}” for “${word}”: `,
  twin: ({ word, by }) =>
    `“${word}” again, ${Math.abs(by)} ${Math.abs(by) === 1 ? "word" : "words"} ${by < 0 ? "earlier" : "later"}: `,
  stands: ({ word }) => `“${word}” where it stands: `,
  word: ({ word, from }) => `From “${from}” to “${word}”, `,
  before: ({ word }) => `“${word}” before training: `,
  after: ({ word }) => `“${word}” after training: `,
};

const bySimilar = (similar) => [...MADE].sort((a, b) => similar[b] - similar[a]);

/** The strip that changes most; null where none changes more than another. */
export function changed(similar) {
  const [most, , least] = bySimilar(similar);
  return fixed(similar[most], 2) === fixed(similar[least], 2) ? null : least;
}

const VERBS = { query: "looks for", key: "is found by", value: "passes on" };
const EQUAL = 0.95;

/** How a strip is, beside the one before, in a word. */
export function verdictOf(similar) {
  const printed = Number(similar.toFixed(2)); // a verdict goes with the number that is read beside it
  return printed >= EQUAL ? "same" : printed < CHANGES ? "other" : "alike";
}

const [MUCH, ELSE] = [0.7, 0.5]; // above the one it is much the same, below the other something else

/** What the same word does elsewhere in much the same way, and what not, as texts and [role, text]; null where the
 * similarities are closer together. by: how many words later it stands */
export function again(by, similar) {
  const [most, , least] = bySimilar(similar);
  if (similar[most] < MUCH || similar[least] >= ELSE) return null;
  const does = (made, what) => [[made, VERBS[made]], ` ${what} (`, [made, fixed(similar[made], 2)]];
  const when = by < 0 ? "earlier" : "later";
  return [
    `The same word ${when}: it `,
    ...does(most, "much the same"),
    ") but ",
    ...does(least, "something else"),
    ").",
  ];
}

/** Which strip stays and which changes most, as texts and [role, text]; similar: by what each is, to that before. */
export function compared(occasion, similar) {
  const [most, , least] = bySimilar(similar);
  const number = (made) => [made, fixed(similar[made], 2)];
  const name = (made) => [made, made];
  const all = `${occasion}all three strips keep `;
  if (similar[least] > SAME) return [`${all}their pattern.`];
  if (similar[most] >= STAYS && similar[least] < CHANGES) {
    const stays = [`${occasion}the `, name(most), " hardly changes (similarity ", number(most)];
    return [...stays, "), the ", name(least), " does (", number(least), ")."];
  }
  if (!changed(similar)) return [`${all}a similarity of ${fixed(similar[most], 2)}.`];
  const [one, two] =
    similar[most] >= SIMILAR
      ? [" keeps a similarity of ", [", the ", name(least), " only "]]
      : [" has the highest similarity, ", ["; the ", name(least), " the lowest, "]];
  return [`${occasion}the `, name(most), one, number(most), ...two, number(least), "."];
}

/** The sentence of a number, as texts and [role, text].
 *
 * one: as summed() gives it, with its learned constant, the bias; what: which number it is, made: of which strip;
 * found: {word, share}, the word that the query finds and the share of that score which the number earns, or null;
 * was: {total, when}, the same number in the head's other state, where that has just been seen, and which it is */
export function sentence(one, { what, made, found, was = null }) {
  if (found) {
    const by = Math.abs(found.share);
    const score = `the score for “${found.word}”.`;
    if (by < NOTHING) return [`${what} adds next to nothing to ${score}`];
    const share = ["push", `${Math.round(100 * by)}%`];
    return found.share > 0
      ? [`${what} contributes `, share, ` of ${score}`]
      : [`${what} takes `, share, ` off ${score}`];
  }
  const more = Math.abs(one.bias) < NOTHING ? "" : " and a learned constant";
  if (was) return [`${what} is `, [made, fixed(one.total, 2)], `; ${MEANWHILE[was.when]} ${fixed(was.total, 2)}.`];
  return [`${what} is `, [made, fixed(one.total, 2)], `, the sum of ${one.products.length} products${more}.`];
}

/** What the outlines are, and what a similarity means. */
export function legend({ occasion, name }) {
  const other = "the other place";
  const state = { before: "after training", after: "before training", twin: other, stands: other }[occasion];
  const marks = `Outline: ${state ?? `“${name}”`}; pale: hardly changed.`;
  return `${marks} Similarity: 1 is the same pattern, 0 nothing in common.`;
}

const plain = (said) => said.map((part) => (typeof part === "string" ? part : part[1])).join("");

/** The longest sentences that may be said, as plain text. keys: which word each finds, or null; swap: the word that may
 * stand in the place of another, or null; of: {numbers, products, constants} */
export function longestSentences(words, keys, swap, { numbers, products, constants }) {
  const long = words.reduce((longest, word) => (word.length > longest.length ? word : longest), swap ?? "");
  const similar = { query: 0.88, key: 0.88, value: -0.88 };
  const occasions = Object.values(OCCASIONS).map((say) => say({ word: long, from: long, by: -words.length }));
  const told = occasions.flatMap((say) => [
    compared(say, similar),
    compared(say, { ...similar, query: 0.4, key: 0.4 }),
    compared(say, { ...similar, key: 0.98 }),
  ]);
  told.push(again(-1, { query: -0.88, key: 0.88, value: 0 }));
  const one = { total: -88.88, products: { length: products }, bias: constants ? 1 : 0 };
  const more = { what: `Number ${numbers} of the query of “${long}”`, made: "query", found: null };
  const some = [more, { ...more, was: { total: one.total, when: "before" } }];
  if (keys?.some((key) => key !== null)) some.push({ ...more, found: { word: long, share: 0 } });
  const single = some.map((each) => sentence(one, each));
  return [...told, ...single, atRest(long, products, numbers)].map(plain);
}

/** From a number of the query to its part of the score, step by step: [{sign, text, role, title}, ...].
 *
 * word: the one that is found; isSelf: whether it is the word that asks, at no distance; met: the number of its key,
 * turned or not; scale: what the product is divided by;
 * earned: what comes out, of score; size: how many numbers there are */
export function chain(total, { word, isSelf, met, turned, scale, earned, score, size }) {
  const whose = isSelf ? "of its own key" : `of the key of “${word}”${turned ? ", turned by their distance" : ""}`;
  return [
    { sign: "", text: fixed(total, 2), role: "query" },
    { sign: "×", text: fixed(met, 2), role: "key", title: whose },
    ...(scale === 1 ? [] : [{ sign: "÷", text: `√${size}` }]),
    { sign: "=", text: fixed(earned, 2) },
    { sign: "of the score", text: fixed(score, 2) },
  ];
}

/** What a voice hears of the sum: the largest products, and what comes out. */
export function heard({ products, bias, total }, rows) {
  const named = rows.map((row) => `row ${row + 1}: ${fixed(products[row], 2)}`);
  const constant = Math.abs(bias) < NOTHING ? [] : [`a learned constant: ${fixed(bias, 2)}`];
  const others = products.length - rows.length;
  return [...named, ...(others ? [`${others} more`] : []), ...constant, `sum: ${fixed(total, 2)}`].join("; ");
}
