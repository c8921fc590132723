// The ways on which news of an edit travels. moved: [height][token]; masks: [layer][query][key], true = may attend.

/** The lines by which tokens hear of it for the first time: [layer, from, to] each, for all tokens. */
export function arrivals(moved, masks) {
  const out = [];
  masks.forEach((mask, h) =>
    mask.forEach((row, query) => {
      if (!moved[h + 1][query]) return;
      if (moved[h][query]) out.push([h, query, query]); // what it has heard, it keeps
      else row.forEach((open, key) => open && moved[h][key] && out.push([h, key, query]));
    }),
  );
  return out;
}

/** Those of them that lead to one output: the shortest ways from the edit to it, and on from there. */
export function waysTo(output, lines, n_layers) {
  const out = [];
  let at = new Set([output]);
  for (let h = n_layers - 1; h >= 0; h--) {
    const last = lines.filter(([layer, , to]) => layer === h && at.has(to));
    out.unshift(...last);
    at = new Set(last.map(([, from]) => from));
  }
  return out;
}

/** After how many layers a token has moved; -1 for never. */
export const heardAfter = (moved, token) => moved.findIndex((row) => row[token]);

/** The output that has moved farthest from the edit; the edited one where no other has. */
export function farthest(moved, edited) {
  const far = (token) => Math.abs(token - edited);
  return moved.at(-1).reduce((best, is, token) => (is && far(token) >= far(best) ? token : best), edited);
}
