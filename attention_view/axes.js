// Which axis is which, in words: on screen, and in every file that is taken away.

/** What the rows and the columns of a picture are called. */
export const rolesOf = ({ flow }) => (flow ? { query: "token", key: "source" } : { query: "query", key: "key" });

/** The sentence below a map or ribbons, in parts [text, the colour it wears or ""].
 *
 * shown  { drawing, across, matrix, rows, columns, exact, flow }, as of View.shown() */
export function axesOf({ drawing, across, matrix, rows, columns, exact, flow }) {
  const { query, key } = rolesOf({ flow });
  const [first, second] = drawing === "ribbons" ? ["left", "right"] : ["row", "column"];
  const asks = flow ? " after this layer" : " that asks";
  const column =
    across === "feature"
      ? [
          ["feature", "value"],
          [" of what it is given", ""],
        ]
      : [
          [key, "key"],
          [flow ? " that it came from" : " that it looks at", ""],
        ];
  const sums = across === "feature" || !exact ? "" : rowSums(matrix, rows, columns);
  const parts = [[`${first} = `, ""], [query, "query"], [asks, ""], [` · ${second} = `, ""], ...column];
  return sums ? [...parts, [` · ${sums}`, ""]] : parts;
}

/** What the rows add up to, in words; "" where it is neither 1 nor, in rows where all is blocked, 0. */
export function rowSums(matrix, rows, columns) {
  let blocked = 0;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let n = i * columns; n < (i + 1) * columns; n++) {
      if (matrix[n] < 0) return "";
      sum += matrix[n];
    }
    if (sum === 0) blocked++;
    else if (Math.abs(sum - 1) > 2e-3) return "";
  }
  if (blocked === rows) return "";
  return blocked ? "each row sums to 1, one where all is blocked to 0" : "each row sums to 1";
}
