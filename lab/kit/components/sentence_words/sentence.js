// A sentence as words, and what can be done with one of them: pure functions over lists of {word, gap}; the gap is what
// stands between a word and the next.

const LIKELY = "How likely the model finds each word here";
const CLINGS = /^[.,!?;:…)\]]+$/; // to the word before it

/** The words of a sentence, as choices are sent. */
export const sentenceOf = ({ words, gaps }) => words.map((word, n) => ({ word, gap: gaps[n] }));

/** The text of a sentence. */
export const textOf = (sentence) =>
  sentence
    .map(({ word, gap }) => word + gap)
    .join("")
    .trim();

/** What somebody typed, as words. */
export const typed = (text) => text.trim().split(/\s+/).filter(Boolean);

/** The sentence with these words in the place of its nth; without any, it goes. */
export function replaced(sentence, n, words) {
  if (!words.length) return removed(sentence, n);
  const { gap } = sentence[n];
  const last = words.length - 1;
  const fresh = words.map((word, at) => ({ word, gap: at < last ? " " : gap }));
  return sentence.toSpliced(n, 1, ...fresh);
}

/** The sentence without its nth word. */
export function removed(sentence, n) {
  const rest = sentence.toSpliced(n, 1);
  if (n && n < sentence.length && rest.length) {
    const before = rest[n - 1];
    const clings = n < rest.length && CLINGS.test(rest[n].word);
    rest[n - 1] = { ...before, gap: clings ? "" : before.gap || sentence[n].gap };
  }
  return rest;
}

/** The sentence with these words before its nth, or at its end. */
export function inserted(sentence, n, words) {
  if (!words.length) return sentence;
  const result = [...sentence];
  if (n && CLINGS.test(words[0])) result[n - 1] = { ...result[n - 1], gap: "" };
  else if (n) result[n - 1] = { ...result[n - 1], gap: result[n - 1].gap || " " };
  const gap = n < sentence.length ? (CLINGS.test(sentence[n].word) ? "" : " ") : "";
  const fresh = words.map((word, at) => ({ word, gap: at < words.length - 1 ? " " : gap }));
  result.splice(n, 0, ...fresh);
  return result;
}

/** The words that fit what is typed: those that begin with it first, then those that have it anywhere. */
export function fitting(words, text) {
  const asked = text.trim().toLowerCase();
  if (!asked) return words;
  const isFirst = ([word]) => word.toLowerCase().startsWith(asked);
  const within = words.filter((entry) => !isFirst(entry) && entry[0].toLowerCase().includes(asked));
  return [...words.filter(isFirst), ...within];
}

/** What is offered for the nth word: groups {name, words: [[word, share or null]]}, and `more`, all other words. */
export function offersFor(data, n) {
  const { kinds, kind, near, same } = data;
  const groups = [];
  if (near[n]?.length) groups.push({ name: "Nearest words that it knows", words: near[n].map((word) => [word, null]) });
  const own = kind[n] ?? null;
  if (same[n]?.length) groups.push({ name: LIKELY, words: same[n] });
  else if (near[n]?.length && data.next[n]?.length) groups.push({ name: LIKELY, words: data.next[n] });
  else if (own !== null) groups.push({ name: kinds[own][0], words: kinds[own][1].map((word) => [word, null]) });
  return { groups, more: restOf(data, groups, own) };
}

/** What is offered at a place between words, or at the end: likely words, and `more`, all others. */
export function offersAt(data, n) {
  const groups = data.next[n]?.length ? [{ name: LIKELY, words: data.next[n] }] : [];
  return { groups, more: restOf(data, groups, null) };
}

/** All words that the groups leave out, by kind: that of the number `first` comes first. */
function restOf({ kinds }, groups, first) {
  const there = new Set(groups.flatMap(({ words }) => words.map(([word]) => word)));
  const order = kinds.map((_, n) => n).sort((a, b) => (b === first) - (a === first) || a - b);
  return order
    .map((n) => ({
      name: kinds[n][0],
      words: kinds[n][1].filter((word) => !there.has(word)).map((word) => [word, null]),
    }))
    .filter(({ words }) => words.length);
}
