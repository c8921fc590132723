// Which word somebody thinks training brings closest to the one that is asked about, and what came of it.

import { ordinal } from "../../../../attention_view/lab.js";

/** The words of the map by how similar they are to one of them, the most similar first. */
const bySimilarity = (at, cosines) =>
  [...cosines[at].keys()].filter((n) => n !== at).sort((a, b) => cosines[at][b] - cosines[at][a]);

/** What is asked about a word. */
export const askedOf = (word) => `Which word will training bring closest to “${word}”? Press it.`;

/** What came of a guess, in a sentence. guess: the number of the word that was pressed */
export function cameOf(at, guess, words, cosines) {
  const others = bySimilarity(at, cosines);
  const [best] = others;
  const name = (n) => `“${words[n].label}”`;
  if (guess === best) return `Yes: ${name(best)} came closest of ${others.length} words.`;
  const place = ordinal(others.indexOf(guess) + 1);
  return `${name(best)} came closest; your ${name(guess)} is ${place} of ${others.length}.`;
}

/** The word to ask about after this one: of the next kind, the one with most of its own kind near it; where no word has
 * a kind, the next one. */
export function nextAsked(at, words, kinds) {
  if (words[at].kind < 0) return (at + 1) % words.length;
  const next = [...kinds.keys()].map((n) => (words[at].kind + 1 + n) % kinds.length);
  const kind = next.find((one) => words.some((word) => word.kind === one));
  const own = (n) => words[n].nearest.filter((near) => near[3] === kind).length;
  const ofKind = [...words.keys()].filter((n) => words[n].kind === kind);
  return ofKind.reduce((best, n) => (own(n) > own(best) ? n : best));
}
