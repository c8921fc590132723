// What a map says along a diagonal, and where that diagonal is.

/** The key so many positions back, beside the token itself: the least and the most of their ratio of weights over the
 * rows of a map (T, T). What a row shares among its keys cancels out: where only the distance counts, both are one. */
export function besideItself(map, T, distance) {
  const ratios = Array.from({ length: T - distance }, (_, n) => {
    const query = n + distance;
    return map[query * T + n] / map[query * T + query];
  });
  return { least: Math.min(...ratios), most: Math.max(...ratios) };
}

/** Two lines along a diagonal of a map (T, T) that is `side` wide, so that its cells lie between them uncovered. */
export function rails(T, distance, side) {
  const cell = side / T;
  const line = (at) => {
    const [x, y] = at < 0 ? [-at, 0] : [0, at];
    return `M${x * cell} ${y * cell}L${Math.min(T, T - at) * cell} ${Math.min(T, T + at) * cell}`;
  };
  return [distance - 1, distance + 1]
    .filter((at) => at < T)
    .map(line)
    .join("");
}
