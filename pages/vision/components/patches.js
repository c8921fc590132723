// What the components of this page share: where a patch is, and where an arrow key leads.

/** Row and column of a patch, counted from 1. */
export const placeOf = (patch, across) => `row ${Math.floor(patch / across) + 1}, column ${(patch % across) + 1}`;

/** The token that a key leads to, from token `at`; `first` tokens stand before the patches. */
export function stepped(at, key, first, across) {
  const last = first + across * across - 1;
  if (key === "Home") return 0;
  if (key === "End") return last;
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[key];
  if (!by) return at;
  if (at < first) return by > 0 ? Math.min(first, at + 1) : Math.max(0, at - 1);
  if (at + by < first) return Math.max(0, first - 1); // up from the first row
  return Math.min(last, at + by);
}
