// Presses that are numbered, and where words stand on a line.

/** Presses, each of which is sent with its number. An answer bears the number of the last press that it has heard of:
 * an answer to an older press is known, and none is waited for that never comes. */
export class Presses {
  next() {
    return ++this.sent;
  }

  /** Whether an answer has heard of the last press. */
  isAnswered(heard) {
    const isForgotten = heard < this.heard; // a server that was started anew counts from 0
    if (this.sent === undefined || isForgotten) this.sent = heard;
    this.heard = heard;
    return heard >= this.sent;
  }
}

/** Where words stand on a line as long as `whole`, by their letters: where each begins and the last one ends; and how
 * large letters are. */
export function inLine(words, whole) {
  const ems = words.map((word) => 0.53 * Math.max(1, word.length) + 1.1);
  const sum = ems.reduce((a, b) => a + b, 0);
  const edges = [0];
  for (const em of ems) edges.push(edges.at(-1) + (em * whole) / sum);
  return { edges, letters: Math.min(23, whole / sum) };
}
