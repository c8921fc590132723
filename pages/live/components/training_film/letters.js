// What is written, beside the large map: each letter at the end of its row, tied to the cell that it looks at most.

import { el } from "../../../../attention_view/lab.js";
import { END } from "./run.js";

const [SMALLEST, LARGEST] = [13, 28]; // pixels of a letter
const BESIDE = 10; // pixels between the map and the letters
const WIDE = 0.62; // of a letter, for one as tall as 1

/** The place of the largest weight in each row of a matrix with S columns. */
export function strongest(matrix, S) {
  return Array.from({ length: matrix.length / S }, (_, i) => {
    const row = matrix.subarray(i * S, (i + 1) * S);
    return row.reduce((best, weight, j) => (weight > row[best] ? j : best), 0);
  });
}

/** Puts the tokens that a model writes beside the rows in which it writes them.
 *
 * The map shows where each row looks when it is given the right tokens before. After a wrong one the model reads its
 * own, so what follows is not tied.
 *
 * view  a large map: {layout, rows, matrix, picture}; room: pixels that it may take
 * look(i, j) hears which cell belongs to the letter under the pointer, look(null) that there is none */
export function paintLetters(box, { layout, rows, matrix, picture }, tokens, room, look) {
  const { left, top, cell } = layout;
  const end = left + picture.S * cell;
  const longest = Math.max(1, ...(tokens ?? []).map(({ id, word }) => (id === END ? 1 : [...word].length)));
  const size = Math.min(LARGEST, cell * 0.92, (room - end - BESIDE) / (WIDE * longest));
  box.hidden = !tokens || size < SMALLEST;
  if (box.hidden) return box.replaceChildren();
  const wrong = tokens.findIndex(({ right }) => right === false);
  const from = strongest(matrix, picture.S);
  const letters = rows.flatMap((n, i) => {
    const token = tokens[n];
    if (!token) return [];
    const j = from[i];
    const [x, y] = [left + (j + 1) * cell, top + (i + 0.5) * cell];
    const isTied = wrong < 0 || n <= wrong;
    const weight = matrix[i * picture.S + j] / 255;
    const tie = el("i", { style: `left: ${x}px; top: ${y}px; width: ${end + 6 - x}px; opacity: ${weight}` });
    const letter = el(
      token.right === false ? "s" : "b",
      {
        style: `left: ${end + BESIDE}px; top: ${y}px; font-size: ${size}px`,
        onpointerenter: () => look(i, j),
        onpointerleave: () => look(null),
      },
      token.id === END ? "■" : token.word,
    );
    return isTied ? [tie, letter] : [letter];
  });
  box.replaceChildren(...letters);
}
