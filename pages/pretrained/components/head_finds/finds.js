// Where a head finds what it is asked for: out of its rows of numbers, the threads that are worth drawing.

const LEAST = 0.06; // of the largest number: below it no thread is drawn

/** The threads of a head. found: n x T numbers, a row for each of the n tokens that ask. Shares are the weights
 * themselves, and for signed numbers those of the largest. */
export function threadsOf(found, T, asked, isSigned) {
  const most = isSigned ? found.reduce((sum, x) => Math.max(sum, Math.abs(x)), 1e-9) : 1;
  return asked.flatMap(([query, right], n) =>
    Array.from({ length: T }, (_, key) => {
      const value = found[n * T + key];
      return { query, key, value, share: Math.abs(value) / most, isRight: right.includes(key) };
    }).filter(({ share }) => share >= LEAST),
  );
}

/** How many of the tokens that ask have their largest weight at a right place. */
export const hits = (found, T, asked) =>
  asked.filter(([, right], n) => {
    const row = found.subarray(n * T, (n + 1) * T);
    return right.includes(row.indexOf(Math.max(...row)));
  }).length;
