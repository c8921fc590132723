// What is said of one number of a query, key or value, for the eye and for a voice.

import { asShare, fixed } from "../../../../attention_view/lab.js";

const NOTHING = 0.005; // of a score

/** What is said of the same number in the head's other state, which has just been seen. */
export const MEANWHILE = { before: "before training it was", after: "after training it is" };

/** Whether the same head makes the same of the same words, trained now and not before, or the other way round. */
export const isOtherState = (before, now) =>
  Boolean(before) &&
  before.trained !== now.trained &&
  ["of", "made", "words"].every((name) => String(before[name]) === String(now[name]));

/** The sentence of a number, as texts and [role, text].
 *
 * parts: as partsOf() gives them; what: which number it is; found: {word, share}, the word that the query finds and the
 * share of that score which the number earns, or null; was: {total, when}, the same number in the head's other state,
 * where that has just been seen, and which it is, of MEANWHILE */
export function sentence(one, parts, { what, found, was = null }) {
  if (found && found.share <= 1) {
    const by = Math.abs(found.share);
    const score = `the score for “${found.word}”.`;
    if (by < NOTHING) return [`${what} adds next to nothing to ${score}`];
    const share = ["push", `${Math.round(100 * by)}%`];
    return found.share > 0
      ? [`${what} contributes `, share, ` of ${score}`]
      : [`${what} takes `, share, ` off ${score}`];
  }
  const constant = parts.find(({ row, others }) => row === undefined && !others);
  const more = constant ? " and a learned constant" : "";
  if (was) return [`${what} is `, ["hue", fixed(one.total, 2)], `; ${MEANWHILE[was.when]} ${fixed(was.total, 2)}.`];
  return [`${what} is `, ["hue", fixed(one.total, 2)], `, the sum of ${one.products.length} products${more}.`];
}

/** The longest sentences of a matrix, as plain text: for each word, that on a number worth next to nothing of the score
 * of what its query finds, that on any number, and that on any number beside what it was before training.
 *
 * made: "query", "key" or "value"; keys: which word each finds, or null; of: how many numbers are made, of how many
 * products each, and whether constants are among them */
export function longestSentences(words, made, keys, { numbers, products, constants }) {
  const one = { total: -88.88, products: { length: products } };
  const parts = constants ? [{ value: 1 }] : [];
  const plain = (said) => said.map((part) => (typeof part === "string" ? part : part[1])).join("");
  return words.flatMap((word, at) => {
    const what = `Number ${numbers} of the ${made} of “${word}”`;
    const key = keys?.[at] ?? null;
    const was = { total: one.total, when: "before" };
    const least = { found: { word: words[key], share: 0 } };
    const all = [{ found: null }, { found: null, was }, ...(key === null ? [] : [least])];
    return all.map((more) => plain(sentence(one, parts, { what, ...more })));
  });
}

/** From a number of the query to its part of the score, step by step: [{sign, text, under, role}, ...].
 *
 * word: the one that is found; isSelf: whether it is the word that asks, at no distance; met: the number of its key,
 * turned or not; scale: what the product is divided by;
 * earned: what comes out, of score; size: how many numbers there are */
export function chain(total, { word, isSelf, met, turned, scale, earned, score, size }) {
  const share = earned / score;
  const part = share > 1 ? "more than" : Math.abs(share) < NOTHING ? "nearly nothing of" : `${asShare(share)} of`;
  const whose = isSelf ? "of its own key" : `of the key of “${word}”${turned ? ", turned by their distance" : ""}`;
  return [
    { sign: "sum", text: fixed(total, 2), role: "hue", under: "of the query" },
    { sign: "×", text: fixed(met, 2), role: "key", under: whose },
    ...(scale === 1 ? [] : [{ sign: "÷", text: `√${size}`, under: "" }]),
    { sign: "=", text: fixed(earned, 2), role: "", under: `${part} the score ${fixed(score, 2)}` },
  ];
}

/** What a voice hears of the picture: what adds up. */
export function heard(one, parts) {
  const name = ({ row, others }) =>
    row !== undefined ? `row ${row + 1}` : others ? `the other ${others}` : "a constant";
  return `${parts.map((part) => `${name(part)}: ${fixed(part.value, 2)}`).join("; ")}; sum: ${fixed(one.total, 2)}`;
}
