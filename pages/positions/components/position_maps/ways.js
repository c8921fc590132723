// What a map says along a diagonal.

/** The least, the most and the mean of the weights of a map (T, T) at the key so many positions back. */
export function alongDiagonal(map, T, distance) {
  let least = Infinity,
    most = 0,
    sum = 0;
  for (let query = distance; query < T; query++) {
    const weight = map[query * T + query - distance];
    least = Math.min(least, weight);
    most = Math.max(most, weight);
    sum += weight;
  }
  return { least, most, mean: sum / (T - distance) };
}
