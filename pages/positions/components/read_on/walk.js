// The order in which the lines are gone through, one by one.

/** From the line that ends first and lowest to the one that ends highest: their numbers in `lines`. */
export function inOrder(lines) {
  const end = ({ shares }) => [shares.length, shares.at(-1)];
  const both = lines.map((line, n) => [...end(line), n]);
  return both.sort(([a, low], [b, high]) => a - b || low - high).map(([, , n]) => n);
}

/** The line after this one in the order, null for all of them together: after the last, and before the first. */
export const nextOf = (order, chosen) => (chosen === null ? order[0] : (order[order.indexOf(chosen) + 1] ?? null));
