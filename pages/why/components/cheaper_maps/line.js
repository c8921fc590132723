// Where words stand on a line.

/** Where words stand on a line as long as `whole`, by their letters: where each begins and the last one ends; and how
 * large letters are. */
export function inLine(words, whole) {
  const ems = words.map((word) => 0.53 * Math.max(1, word.length) + 1.1);
  const sum = ems.reduce((a, b) => a + b, 0);
  const edges = [0];
  for (const em of ems) edges.push(edges.at(-1) + (em * whole) / sum);
  return { edges, letters: Math.min(23, whole / sum) };
}
