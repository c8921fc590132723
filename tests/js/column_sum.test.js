// A column of a matrix times a vector: products, the sum as it grows, and all that comes out.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  chain,
  heard,
  isOtherState,
  longestSentences,
  sentence,
} from "../../pages/attention/components/column_sum/said.js";
import { outOf, partsOf, ranked, reach, span, summed } from "../../pages/attention/components/column_sum/sums.js";
import { placesOf, sideOf, stepsOf } from "../../pages/attention/components/column_sum/waterfall.js";

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
  const at = placesOf(reach(numbers), 100, 500);
  assert.ok(at(0) > 100 && at(0) < at(10) && at(16) < 500);
});

test("one scale holds the sums of all numbers, so that a small one is drawn small", () => {
  assert.deepEqual(reach(numbers), [0, 16]);
  const { x, w } = numbers;
  assert.deepEqual(reach({ x, w: w.map((number) => -number), b: [0, -10] }), [-16, 0]);
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

test("any other number is said by how many products make it", () => {
  const many = { products: Array(20).fill(0.25), total: 5 };
  assert.equal(said(many, 0), "Number 25 is 5.00, the sum of 20 products.");
  const few = { products: [3, -1], total: 1.5 };
  assert.equal(said(few, -0.5), "Number 25 is 1.50, the sum of 2 products and a learned constant.");
  assert.equal(heard(few, partsOf(few, -0.5)), "row 1: 3.00; row 2: −1.00; a constant: −0.50; sum: 1.50");
});

test("from a number of a query to its part of the score, each step has its number", () => {
  const found = { word: "hat", met: 3, turned: true, scale: 2, earned: 3, score: 12, size: 4 };
  const shown = (more) => chain(2, { ...found, ...more }).map(({ sign, text, under }) => [sign, text, under]);
  assert.deepEqual(shown(), [
    ["sum", "2.00", "of the query"],
    ["×", "3.00", "of the key of “hat”, turned by their distance"],
    ["÷", "√4", ""],
    ["=", "3.00", "25% of the score 12.00"],
  ]);
  const plain = shown({ turned: false, scale: 1, earned: -6 });
  assert.deepEqual(plain.slice(1), [
    ["×", "3.00", "of the key of “hat”"],
    ["=", "−6.00", "−50% of the score 12.00"],
  ]);
  assert.equal(shown({ isSelf: true })[1][2], "of its own key", "at no distance nothing turns");
  assert.equal(shown({ earned: 18 }).at(-1)[2], "more than the score 12.00");
  assert.equal(shown({ earned: 0.01 }).at(-1)[2], "nearly nothing of the score 12.00");
});

test("the longest sentences are longer than any that is said", () => {
  const of = { numbers: 64, products: 128, constants: true };
  const [any, before, least, alone, alone_before, ...more] = longestSentences(["a", "hat"], "query", [1, null], of);
  assert.equal(least, "Number 64 of the query of “a” adds next to nothing to the score for “hat”.");
  assert.equal(any, "Number 64 of the query of “a” is −88.88, the sum of 128 products and a learned constant.");
  assert.match(alone, /of “hat” is /);
  assert.deepEqual(more, []);
  assert.equal(before, "Number 64 of the query of “a” is −88.88; before training it was −88.88.");
  assert.equal(alone_before, "Number 64 of the query of “hat” is −88.88; before training it was −88.88.");
  const one = { total: -88.88, products: { length: 64 } };
  for (const when of ["before", "after"]) {
    const was = { total: -88.88, when };
    const told = sentence(one, [], { what: "Number 64 of the query of “a”", found: null, was }).flat().join("");
    assert.ok(told.length <= before.length + "hue".length, "the other state is no longer than what is kept for it");
  }
  const finds = (share) => `${said({ products: [1], total: 1 }, 0, { word: "hat", share })}`;
  for (const share of [0.999, -1, 0.002])
    assert.ok(finds(share).length <= said({ products: [1], total: 1 }, 0, { word: "hat", share: 0 }).length);
});

test("the same number in the other state of the head stands beside it", () => {
  const [one, what] = [summed(numbers, 1), "Number 2 of the key of “a”"];
  const said = (when) => sentence(one, partsOf(one, 10), { what, found: null, was: { total: -1.5, when } });
  assert.deepEqual(said("before"), [`${what} is `, ["hue", "16.00"], "; before training it was −1.50."]);
  assert.deepEqual(said("after"), [`${what} is `, ["hue", "16.00"], "; after training it is −1.50."]);
});

test("only the other state of the same head, on the same words, is set beside it", () => {
  const now = { of: "0 1", made: "key", words: ["a", "b"], trained: true };
  assert.ok(isOtherState({ ...now, trained: false }, now));
  const others = [undefined, now, { of: "0 2" }, { made: "value" }, { words: ["a"] }];
  for (const other of others) assert.ok(!isOtherState(other && { ...now, trained: other === now, ...other }, now));
});

test("the number of a bar stands where the bar leads to, unless it would lie on the line at zero", () => {
  assert.equal(sideOf([100, 140], 1, 300), 1);
  assert.equal(sideOf([100, 140], -1, 300), -1);
  assert.equal(sideOf([270, 280], 1, 300), -1);
  assert.equal(sideOf([320, 330], -1, 300), 1);
  assert.equal(sideOf([300, 330], 1, 300), 1, "a bar that begins at zero");
  assert.equal(sideOf([290, 330], 1, 300), 1, "a bar across zero");
});
