// Painting on a few cells: a drawing and its code, and strokes without gaps.

/** The code of a drawing, two cells to a letter; tasks/drawings.py has its format. */
export function encode(cells, letters, n) {
  let code = "";
  for (let at = 0; at < cells.length; at += 2) code += letters[cells[at] * n + cells[at + 1]];
  return code;
}

/** The cells of a code. */
export const decode = (code, letters, n) =>
  Array.from(code).flatMap((letter) => [Math.floor(letters.indexOf(letter) / n), letters.indexOf(letter) % n]);

/** The cells on the way from one to another, both included, so that a quick hand leaves no gaps. */
export function line([x0, y0], [x1, y1]) {
  const n = Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0), 1);
  return Array.from({ length: n + 1 }, (_, k) => [
    Math.round(x0 + ((x1 - x0) * k) / n),
    Math.round(y0 + ((y1 - y0) * k) / n),
  ]);
}
