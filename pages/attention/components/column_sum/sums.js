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

/** What pushes a sum up and what pushes it down: [{count, sum}, {count, sum}], both sums above zero. */
export const pushesOf = (products) =>
  [1, -1].map((sign) => {
    const such = products.filter((product) => sign * product > 0);
    return { count: such.length, sum: sign * such.reduce((sum, product) => sum + product, 0) };
  });

/** Which product is the largest by size. */
export const largestOf = (products) =>
  products.reduce((best, product, i) => (Math.abs(product) > Math.abs(products[best]) ? i : best), 0);

/** Whether a sum is made of many small products: none of them is half of it. */
export const isMany = ({ products, total }) => Math.abs(products[largestOf(products)]) < Math.abs(total) / 2;
