// One column of a matrix times a vector: its products, and their sum as it grows.

/** {column, products, sums, total} of column j of w (D x d, row by row) with x; the sum begins with b[j]. */
export function summed({ x, w, b }, j) {
  const d = b.length;
  const column = Array.from(x, (_, i) => w[i * d + j]);
  const products = column.map((number, i) => number * x[i]);
  let sum = b[j];
  const sums = products.map((product) => (sum += product));
  return { column, products, sums, total: sum };
}

/** All d numbers that come out. */
export const outOf = (numbers) => Array.from(numbers.b, (_, j) => summed(numbers, j).total);

/** The largest number by size; colours end where 99 of 100 numbers do, so that a few large ones leave none pale. */
export function span(numbers) {
  const sizes = Float64Array.from(numbers, Math.abs).sort();
  return sizes[Math.floor(0.99 * (sizes.length - 1))] || 1e-12;
}

const SHOWN = 8; // products that stand alone
const LEAST = 0.005; // a constant that rounds to 0.01

/** What a sum is made of: its largest products, the largest first, each with its row; all others together; and the
 * constant that the sum begins with, unless that rounds to nothing: [{row, value}, ..., {others, value}, {value}] */
export function partsOf({ products }, bias) {
  const rows = products.map((_, row) => row).sort((a, b) => Math.abs(products[b]) - Math.abs(products[a]));
  const few = rows.length > SHOWN + 1 ? SHOWN : rows.length;
  const largest = rows.slice(0, few).map((row) => ({ row, value: products[row] }));
  const others = rows.slice(few);
  const value = others.reduce((sum, row) => sum + products[row], 0);
  return [
    ...largest,
    ...(others.length ? [{ others: others.length, value }] : []),
    ...(Math.abs(bias) < LEAST ? [] : [{ value: bias }]),
  ];
}

/** How far down and up the sums of all numbers go on their way: one scale for them all. */
export function reach(numbers) {
  const ends = Array.from(numbers.b, (constant, j) => {
    let sum = 0;
    return partsOf(summed(numbers, j), constant).map(({ value }) => (sum += value));
  }).flat();
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** All numbers, ordered by what they are worth, the most first. */
export const ranked = (worth) => Array.from(worth, (_, n) => n).sort((a, b) => worth[b] - worth[a]);
