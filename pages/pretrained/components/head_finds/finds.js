// Where a head finds what it is asked for: out of its rows of numbers, the threads that are worth drawing.

const LEAST = 0.06; // of the largest number: below it no thread is drawn

/** The threads of a head. found: n x T numbers, a row for each of the n tokens that ask. Shares are the weights
 * themselves, and for signed numbers those of the largest. */
export function threadsOf(found, T, { asked, says }) {
  const most = says.signed ? found.reduce((sum, x) => Math.max(sum, Math.abs(x)), 1e-9) : 1;
  return asked.flatMap(([query, right], n) =>
    Array.from({ length: T }, (_, key) => {
      const value = found[n * T + key];
      return { query, key, value, share: Math.abs(value) / most, isRight: right.includes(key) };
    }).filter(({ share }) => share >= LEAST),
  );
}

/** Whether a token's largest number is at a right place. */
export function isHit(threads, query, right) {
  const own = threads.filter((one) => one.query === query);
  const best = own.reduce((most, one) => (one.share > most.share ? one : most), { share: 0 });
  return right.includes(best.key);
}
