// What comes after a word: the words of attention tell a story, and each of its steps answers a question; any other
// word leads to the next in the list.

const TOUR = {
  "attention weight": "Back to the beginning",
  query: "Next: who asks?",
  key: "Next: who is asked?",
  score: "Next: how well do they fit?",
  softmax: "Next: who gets how much?",
  value: "Next: what is handed over?",
  head: "Next: who does all this?",
  "causal mask": "Next: may it look ahead?",
  logit: "Next: what may it write?",
  sampling: "Next: which word does it write?",
  loss: "Next: how wrong was it?",
};
export const STORY = Object.keys(TOUR);

/** [the name of the word that comes after this one, what leads there]. names: of all words, in their order */
export function after(name, names) {
  const all = name in TOUR ? STORY : names;
  const next = all[(all.indexOf(name) + 1) % all.length];
  return [next, all === STORY ? TOUR[next] : `Next: ${next}`];
}
