// A column of a matrix times a vector: products, the sum as it grows, and all that comes out.

import assert from "node:assert/strict";
import { test } from "node:test";

import { heard, sentence } from "../../pages/attention/components/column_sum/said.js";
import { isMany, largestOf, outOf, pushesOf, span, summed } from "../../pages/attention/components/column_sum/sums.js";
import { placesOf, stepsOf } from "../../pages/attention/components/column_sum/waterfall.js";

const numbers = { x: [1, 2, -1], w: [1, 0, 3, 5, -2, 4], b: [0, 10] };

test("each number of the vector meets the one of its row in the column", () => {
  assert.deepEqual(summed(numbers, 0), { column: [1, 3, -2], products: [1, 6, 2], sums: [1, 7, 9], total: 9 });
});

test("the sum begins with the learned constant", () => {
  assert.deepEqual(summed(numbers, 1), { column: [0, 5, 4], products: [0, 10, -4], sums: [10, 20, 16], total: 16 });
  assert.deepEqual(outOf(numbers), [9, 16]);
});

test("each product is a bar from the sum before it to the sum with it", () => {
  const one = summed(numbers, 1);
  assert.deepEqual(stepsOf(one, 10, 3), [
    [10, 10],
    [10, 20],
    [20, 16],
  ]);
  assert.deepEqual(stepsOf(one, 10, 1), [[10, 10]]);
  const at = placesOf(one, 10, 500);
  assert.ok(at(0) > 0 && at(0) < at(10) && at(20) < 500);
});

test("colours end where nearly all numbers do", () => {
  const many = Array.from({ length: 200 }, (_, n) => (n === 7 ? -50 : 1));
  assert.equal(span(many), 1);
  assert.ok(span([0, 0]) > 0);
});

test("what pushes a sum up and what pushes it down are counted apart, and make the sum", () => {
  const [up, down] = pushesOf([2, -0.5, 0, 1.25, -1]);
  assert.deepEqual(up, { count: 2, sum: 3.25 });
  assert.deepEqual(down, { count: 2, sum: 1.5 });
  assert.equal(up.sum - down.sum, 1.75);
});

test("the largest push is found by its size, and pushes are called small where none is half of the sum", () => {
  assert.equal(largestOf([1, -4, 3]), 1);
  assert.equal(isMany({ products: [1, 1, 1, -0.2], total: 2.8 }), true);
  assert.equal(isMany({ products: [3, -1], total: 2 }), false);
});

const said = (one, more) =>
  sentence(one, { bias: 0, what: "Number 25", held: null, ...more })
    .map((part) => (typeof part === "string" ? part : part[1]))
    .join("");

test("a learned constant is named among what makes the sum, unless it rounds to nothing", () => {
  const one = { products: [1, 1, 1, -0.2], total: 2.3 };
  const sum = "Number 25 is 2.30, the sum of 4 small pushes";
  assert.equal(said(one, { bias: -0.5 }), `${sum} and a learned constant of −0.50.`);
  assert.equal(said(one, { bias: 0.004 }), `${sum}.`);
  assert.equal(said({ products: [3, -1], total: 2 }), "Number 25 is 2.00, the sum of 2 products.");
  const ways = "add up to 2.30: 3 push the sum up by 3.00, 1 down by 0.20.";
  assert.equal(heard(one, -0.5), `4 products and a learned constant of −0.50 ${ways}`);
  assert.equal(heard(one, 0), `4 products ${ways}`);
});

test("the largest push is towards the sum or against it", () => {
  const push = (product, total) => said({ products: [0.1, product], total }, { held: 1 });
  assert.equal(push(0.65, 1.85), "The largest push is row 2: 0.65 towards the sum of 1.85.");
  assert.equal(push(-0.65, -1.85), "The largest push is row 2: −0.65 towards the sum of −1.85.");
  assert.equal(push(0.65, -1.85), "The largest push is row 2: 0.65, against the sum of −1.85.");
});
