// What a row of a map says, and how its curve is drawn.

/** What a row of a map (T, T) gives each key, beside what it gives itself. What the row shares among its keys cancels
 * out: where only the distance counts, all rows say the same at the same distance. */
export function besideItself(map, T, row) {
  const own = map[row * T + row];
  return Array.from({ length: T }, (_, key) => map[row * T + key] / own);
}

/** The row at a share of the height of a map of T rows; outside of it the first or the last. */
export const rowUnder = (share, T) => Math.max(0, Math.min(T - 1, Math.floor(share * T)));

/** How far apart words are that at least half of the positions have at such a distance: a map is told by those. */
export const halfOf = (T) => Math.max(1, Math.floor(T / 2));

/** The keys of a row from first to last that are so near, and those that are farther: [[first, last], ...]; a part of
 * the curve begins where the one before ends. */
export function nearAndFar(row, T) {
  const half = halfOf(T);
  const [low, high] = [Math.max(0, row - half), Math.min(T - 1, row + half)];
  return { near: [low, high], far: [...(low > 0 ? [[0, low]] : []), ...(high < T - 1 ? [[high, T - 1]] : [])] };
}

/** The curve of a row from one key to another. */
export function curveOf({ rows, x, y }, row, [first, last]) {
  const at = (ratio, n) => `${x(first + n - row).toFixed(1)} ${y(ratio).toFixed(1)}`;
  const points = rows[row].slice(first, last + 1).map(at);
  return `M${points.join("L")}`;
}

/** What some rows take up together, as the outline of an area: at each distance from their least to their most; none
 * of no rows. */
export function bandOf(all, rows, x, y) {
  const by = new Map();
  for (const row of rows)
    all[row].forEach((ratio, key) => {
      const [low, high] = by.get(key - row) ?? [ratio, ratio];
      by.set(key - row, [Math.min(low, ratio), Math.max(high, ratio)]);
    });
  const far = [...by.keys()].sort((a, b) => a - b);
  const along = (end) => far.map((distance) => `${x(distance).toFixed(1)} ${y(by.get(distance)[end]).toFixed(1)}`);
  return far.length ? [`M${[...along(1), ...along(0).reverse()].join("L")}Z`] : [];
}

/** Distances with a name below the curve, so many positions ahead; those that are back are below zero. */
export function ticksOf(T) {
  const step = T <= 8 ? 4 : T <= 16 ? 5 : T <= 32 ? 10 : 20;
  const ahead = Array.from({ length: Math.floor((T - 1) / step) }, (_, n) => (n + 1) * step);
  return [...ahead.map((distance) => -distance).reverse(), 0, ...ahead];
}

/** "3 back", "itself", "3 ahead". */
export const named = (distance) => (distance ? `${Math.abs(distance)} ${distance < 0 ? "back" : "ahead"}` : "itself");

/** The same in full: "3 words back". */
export function inWords(distance) {
  if (!distance) return "itself";
  const far = Math.abs(distance);
  return `${far} word${far === 1 ? "" : "s"} ${distance < 0 ? "back" : "ahead"}`;
}

/** Whether all rows say the same at the same distance: where only the distance counts. */
export function coincide(rows) {
  const by = new Map();
  rows.forEach((row, at) =>
    row.forEach((ratio, key) => {
      const [low, high] = by.get(key - at) ?? [ratio, ratio];
      by.set(key - at, [Math.min(low, ratio), Math.max(high, ratio)]);
    }),
  );
  return [...by.values()].every(([low, high]) => high - low < 0.005 * high);
}
