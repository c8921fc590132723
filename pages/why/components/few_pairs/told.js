// Which pairs of words look at each other with a window or a hub, what that costs, and what to say of it.

export const USUAL = 4; // of the window: three words to either side
const SLIP = 6; // pixels that a hand may tremble

/** All pairs of n words. */
export const pairsOf = (n) =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n - i - 1 }, (_, k) => [i, i + k + 1])).flat();

/** Whether two words look at each other: where they are less than `size` apart, or one of them is the hub. */
export const isOpen = ({ size, hub }, i, j) => (hub === null ? j - i < size : i === hub || j === hub);

export const priceOf = (n, at) => pairsOf(n).filter((pair) => isOpen(at, ...pair)).length;

/** The narrowest window that reaches the word on which the verdict hangs. */
const flipOf = ({ to }) => to + 1;

/** Where words begin on a line as long as `whole`, by their letters, and where the last one ends; their size. */
export function wordsAlong(words, whole) {
  const ems = words.map((word) => 0.53 * Math.max(1, word.length) + 1.1);
  const sum = ems.reduce((a, b) => a + b, 0);
  const edges = [0];
  for (const em of ems) edges.push(edges.at(-1) + (em * whole) / sum);
  return { edges, letters: Math.min(29, whole / sum) };
}

const reach = (size) => `${size - 1} word${size === 2 ? "" : "s"} to either side`;

/** What the handle is at, as a screen reader says it. */
export const valueOf = ({ words }, { size, hub }) => (hub === null ? reach(size) : words[hub]);

/** How far beyond a word, which ends in a handle, a hand is that takes hold of it there. */
export const beyond = (edges, word, at) => at - Math.max(edges[word], Math.min(edges[word + 1] - SLIP, at));

/** What the model says. */
export const says = ({ windows, hubs }, { size, hub }) => (hub === null ? windows[size - 1].says : hubs[hub]);

/** What has just happened, in a sentence. */
export function told(data, at, isFresh) {
  const { words, to, n_right, n_reviews } = data;
  const { n_right: fewer } = data.windows[1];
  const { size, hub } = at;
  const [first, key] = [words[0], `“${words[to]}”`];
  const price = priceOf(words.length, at);
  const wide = { size: flipOf(data), hub: null };
  const beside = `With ${reach(size)}`;
  if (hub === 0)
    return `A hub on ${first} reads ${n_right} of ${n_reviews} reviews right. A window at this price: ${fewer}.`;
  if (hub === to) return `A hub on ${key}: ${price} pairs do what a window needs ${priceOf(words.length, wide)} for.`;
  if (hub !== null) return `A hub sees all and is seen by all. On “${words[hub]}” it is no help to ${first}.`;
  if (isFresh) return `Is this review praise? A model decides at ${first}, and ${key} is out of its reach.`;
  if (size === words.length) return `Every word sees every word: right, for all ${price} pairs.`;
  if (size === 1) return `Every word sees only itself: nothing to pay, and nothing is heard.`;
  if (size < flipOf(data)) return `${beside}, ${key} is still out of reach.`;
  const least = priceOf(words.length, wide);
  if (size > flipOf(data)) return `${reach(size)}: still right, for ${price} pairs instead of ${least}.`;
  return `${beside}, ${first} sees ${key} and gets it right, for ${price} pairs.`;
}

/** Where the button leads, and what it says. */
export function nextOf(data, { size, hub }) {
  if (hub === 0) return [{ size: USUAL, hub: null }, "Back to the window"];
  if (hub === data.to) return [{ hub: 0 }, `Move it to ${data.words[0]}`];
  if (hub !== null) return [{ hub: hub - 1 }, "Move the hub"];
  return size < flipOf(data) ? [{ size: size + 1 }, "Widen the window"] : [{ hub: data.to + 1 }, "Pay less: one hub"];
}
