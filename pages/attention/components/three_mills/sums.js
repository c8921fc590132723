// One column of a matrix times a vector: its products, and their sum as it grows; and how similar two strips are.

/** {column, products, bias, total} of column j of w (D x d, row by row) with x; b[j] is added in the end. */
export function summed({ x, w, b }, j) {
  const d = b.length;
  const column = Array.from(x, (_, i) => w[i * d + j]);
  const products = column.map((number, i) => number * x[i]);
  return { column, products, bias: b[j], total: products.reduce((sum, product) => sum + product, 0) + b[j] };
}

/** All d numbers that come out. */
export const outOf = (numbers) => Array.from(numbers.b, (_, j) => summed(numbers, j).total);

/** The largest number by size; scales end where 99 of 100 numbers do, so that a few large ones leave none pale. */
export function span(numbers) {
  const sizes = Float64Array.from(numbers, Math.abs).sort();
  return sizes[Math.floor(0.99 * (sizes.length - 1))] || 1e-12;
}

/** Each product as a bar, [from, to] in sums, in the order of the rows; the last is the learned constant. */
export function walk({ products, bias }) {
  let sum = 0;
  return [...products, bias].map((value) => [sum, (sum += value)]);
}

/** How far down and up the sums of all numbers of a strip go on their way: one scale for them all. */
export function reach(numbers) {
  const ends = Array.from(numbers.b, (_, j) => walk(summed(numbers, j)).map(([, to]) => to)).flat();
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** The rows of the few largest products by size, from the top to the bottom. */
export const largest = ({ products }, few) =>
  ranked(products.map(Math.abs))
    .slice(0, few)
    .sort((a, b) => a - b);

/** All numbers, ordered by what they are worth, the most first. */
export const ranked = (worth) => Array.from(worth, (_, n) => n).sort((a, b) => worth[b] - worth[a]);

const dot = (a, b) => a.reduce((sum, number, n) => sum + number * b[n], 0);

/** The cosine of two strips: 1 where one is a multiple of the other, 0 where they have nothing in common. */
export const similarity = (a, b) => dot(a, b) / (Math.sqrt(dot(a, a) * dot(b, b)) || 1);
