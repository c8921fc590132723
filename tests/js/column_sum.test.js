// A column of a matrix times a vector: products, the sum as it grows, and all that comes out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, sentence } from "../../pages/attention/components/column_sum/said.js";
import { outOf, partsOf, ranked, span, summed } from "../../pages/attention/components/column_sum/sums.js";
import { placesOf, stepsOf } from "../../pages/attention/components/column_sum/waterfall.js";

const numbers = { x: [1, 2, -1], w: [1, 0, 3, 5, -2, 4], b: [0, 10] };

test("each number of the vector meets the one of its row in the column", () => {
  assert.deepEqual(summed(numbers, 0), { column: [1, 3, -2], products: [1, 6, 2], sums: [1, 7, 9], total: 9 });
});

test("the sum begins with the learned constant", () => {
  assert.deepEqual(summed(numbers, 1), { column: [0, 5, 4], products: [0, 10, -4], sums: [10, 20, 16], total: 16 });
  assert.deepEqual(outOf(numbers), [9, 16]);
});

test("each part of a sum is a bar from the sum before it to the sum with it", () => {
  const parts = partsOf(summed(numbers, 1), 10);
  assert.deepEqual(stepsOf(parts), [
    [0, 10],
    [10, 6],
    [6, 6],
    [6, 16],
  ]);
  const at = placesOf(parts, 100, 500);
  assert.ok(at(0) > 100 && at(0) < at(10) && at(16) < 500);
});

test("the eight largest products stand alone, all others together, and the constant with them makes the sum", () => {
  const products = Array.from({ length: 20 }, (_, n) => (n % 2 ? -1 : 1) * (n + 1));
  const parts = partsOf({ products }, 0.5);
  assert.deepEqual(
    parts.slice(0, 8).map(({ row }) => row),
    [19, 18, 17, 16, 15, 14, 13, 12],
  );
  assert.deepEqual(parts.slice(8), [{ others: 12, value: -6 }, { value: 0.5 }]);
  assert.equal(
    parts.reduce((sum, { value }) => sum + value, 0),
    products.reduce((sum, x) => sum + x, 0.5),
  );
  assert.equal(partsOf({ products: [1, 2, 3] }, 0.004).length, 3, "few stand alone, and so small a constant is none");
});

test("what is worth most comes first", () => {
  assert.deepEqual(ranked([0.2, -1, 3]), [2, 0, 1]);
});

test("colours end where nearly all numbers do", () => {
  const many = Array.from({ length: 200 }, (_, n) => (n === 7 ? -50 : 1));
  assert.equal(span(many), 1);
  assert.ok(span([0, 0]) > 0);
});

const said = (one, bias, found = null) =>
  sentence(one, partsOf(one, bias), { what: "Number 25", found })
    .map((part) => (typeof part === "string" ? part : part[1]))
    .join("");

test("a number of a query is said by the share of the score that it contributes", () => {
  const one = { products: [1, 1], total: 2 };
  const of = "the score for “hat”.";
  const finds = (share) => said(one, 0, { word: "hat", share });
  assert.equal(finds(0.274), `Number 25 contributes 27% of ${of}`);
  assert.equal(finds(-0.03), `Number 25 takes 3% off ${of}`);
  assert.equal(finds(-0.001), `Number 25 adds next to nothing to ${of}`);
  assert.equal(finds(1.3), "Number 25 is 2.00, the sum of 2 products.", "more than all of a score is no share");
});

test("any other number is said by what makes it", () => {
  const one = { products: Array(20).fill(0.25), total: 4.5 };
  const pushes = "its 8 largest pushes make 2.00, the other 12 make 3.00";
  assert.equal(said({ ...one, total: 5 }, 0), `Number 25 is 5.00: ${pushes}.`);
  assert.equal(said(one, -0.5), `Number 25 is 4.50: ${pushes}, and a learned constant makes −0.50.`);
  assert.equal(said({ products: [3, -1], total: 2 }, 0), "Number 25 is 2.00, the sum of 2 products.");
  const few = { products: [3, -1], total: 1.5 };
  assert.equal(said(few, -0.5), "Number 25 is 1.50, the sum of 2 products and a learned constant, −0.50.");
  assert.equal(heard(few, partsOf(few, -0.5)), "row 1: 3.00; row 2: −1.00; a constant: −0.50; sum: 1.50");
});
