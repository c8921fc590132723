// Three mills: products and their sum, similar strips, where cells are, and what is turned to and said.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apart, cellAt, cellOf, MADE, placesOf } from "../../pages/attention/components/three_mills/places.js";
import {
  again,
  atRest,
  chain,
  changed,
  compared,
  heard,
  isOtherState,
  judged,
  legend,
  longestSentences,
  OCCASIONS,
  sentence,
  verdictOf,
} from "../../pages/attention/components/three_mills/said.js";
import {
  largest,
  outOf,
  ranked,
  reach,
  similarity,
  span,
  summed,
  walk,
} from "../../pages/attention/components/three_mills/sums.js";
import { Turn } from "../../pages/attention/components/three_mills/turn.js";

const numbers = { x: [1, 2, -1], w: [1, 0, 3, 5, -2, 4], b: [0, 10] };
const plain = (said) => said.map((part) => (typeof part === "string" ? part : part[1])).join("");

// ---- sums ----------------------------------------------------------------------------------------------------------

test("a figure that is hidden has places too, none of a negative size", () => {
  const { rows, vector, column, copy, walk } = placesOf({ width: 0, height: 354, numbers: 32 });
  const boxes = [vector, column, copy, ...rows.flatMap(({ mill, strip }) => [mill, strip, cellOf(strip, 31)])];
  for (const { width, height } of boxes) assert.ok(width > 0 && height > 0);
  assert.ok(walk.left < walk.right);
});

test("each number of the vector meets the one of its row in the column, and the learned constant comes last", () => {
  assert.deepEqual(summed(numbers, 0), { column: [1, 3, -2], products: [1, 6, 2], bias: 0, total: 9 });
  assert.deepEqual(summed(numbers, 1), { column: [0, 5, 4], products: [0, 10, -4], bias: 10, total: 16 });
  assert.deepEqual(outOf(numbers), [9, 16]);
});

test("each product is a bar from the sum before it to the sum with it, and the last ends at the number", () => {
  const steps = walk(summed(numbers, 1));
  assert.deepEqual(steps, [
    [0, 0],
    [0, 10],
    [10, 6],
    [6, 16],
  ]);
  assert.equal(steps.at(-1)[1], summed(numbers, 1).total);
});

test("one scale holds the walks of all numbers of a strip, so that a small one is drawn small", () => {
  assert.deepEqual(reach(numbers), [0, 16]);
  const { x, w } = numbers;
  assert.deepEqual(reach({ x, w: w.map((number) => -number), b: [0, -10] }), [-16, 0]);
});

test("the largest products are named by size, and stand in the order of their rows", () => {
  assert.deepEqual(largest({ products: [1, -5, 0.5, 3, -4] }, 3), [1, 3, 4]);
  assert.deepEqual(largest({ products: [1, 2] }, 4), [0, 1]);
  assert.deepEqual(ranked([0.2, -1, 3]), [2, 0, 1]);
});

test("strips are as similar as their cosine", () => {
  assert.equal(similarity([1, 2], [2, 4]), 1);
  assert.equal(similarity([1, 2], [-2, 1]), 0);
  assert.equal(similarity([3, 0], [-1, 0]), -1);
  assert.equal(similarity([0, 0], [1, 1]), 0);
});

test("scales end where nearly all numbers do", () => {
  const many = Array.from({ length: 200 }, (_, n) => (n === 7 ? -50 : 1));
  assert.equal(span(many), 1);
  assert.ok(span([0, 0]) > 0);
});

// ---- places --------------------------------------------------------------------------------------------------------

test("cells are wide enough for a hand, if need be in several lines, and every one is found where it stands", () => {
  for (const [width, numbers, lines] of [
    [1214, 32, 1],
    [1214, 64, 2],
    [1214, 5, 1],
    [358, 32, 2],
    [640, 32, 2],
  ]) {
    const { rows } = placesOf({ width, height: 480, numbers });
    assert.deepEqual(
      rows.map(({ made }) => made),
      MADE,
    );
    for (const { strip } of rows) {
      assert.equal(strip.lines, lines);
      assert.ok(strip.cell >= 14 && strip.x + strip.across * strip.cell <= width);
      for (let n = 0; n < numbers; n++) {
        const { x, y, width: wide, height } = cellOf(strip, n);
        assert.equal(cellAt(strip, [x - strip.x + wide / 2, y - strip.y + height / 2]), n);
      }
      assert.equal(cellAt(strip, [-50, -50]), 0);
      assert.equal(cellAt(strip, [9999, 9999]), numbers - 1);
    }
  }
});

test("on a phone the sum stands below the mills, elsewhere between the vector and them", () => {
  const [wide, phone] = [
    placesOf({ width: 1214, height: 480, numbers: 32 }),
    placesOf({ width: 358, height: 480, numbers: 32 }),
  ];
  assert.equal(wide.copy, null);
  assert.ok(wide.labels < wide.rows[0].mill.x && wide.walk.right < wide.labels && wide.column.x > wide.vector.width);
  assert.equal(wide.height, wide.rest);
  const lowest = phone.rows[2].strip;
  assert.ok(phone.copy.y > lowest.y + lowest.height && phone.height > phone.rest);
});

test("labels keep apart, as near as can be to where they would stand", () => {
  assert.deepEqual(apart([10, 100], 30, [0, 200]), [10, 100]);
  assert.deepEqual(apart([50, 55, 60], 30, [0, 200]), [50, 80, 110]);
  assert.deepEqual(apart([180, 190, 199], 30, [0, 200]), [140, 170, 200]);
});

// ---- words ---------------------------------------------------------------------------------------------------------

test("what is compared names the strip that stays and the one that changes most, whichever they are", () => {
  const said = (similar) => plain(compared(OCCASIONS.swap({ word: "blue", from: "red" }), similar));
  const swapped = said({ query: 0.9, key: 0.987, value: 0.372 });
  const changed = "the key hardly changes (similarity 0.99), the value does (0.37).";
  assert.equal(swapped, `Swap “red” for “blue”: ${changed}`);
  const between = said({ query: 0.85, key: 0.9, value: 0.7 });
  assert.equal(between, "Swap “red” for “blue”: the key keeps a similarity of 0.90, the value only 0.70.");
  const kept = said({ query: 0.5, key: 0.8, value: 0.3 });
  assert.equal(kept, "Swap “red” for “blue”: the key keeps a similarity of 0.80, the value only 0.30.");
  const other = said({ query: -0.1, key: 0.2, value: 0.3 });
  assert.equal(
    other,
    "Swap “red” for “blue”: the value has the highest similarity, 0.30; the query the lowest, −0.10.",
  );
  const same = said({ query: 1, key: 1, value: 0.999999 });
  assert.equal(same, "Swap “red” for “blue”: all three strips keep their pattern.", "not: the same numbers");
  const level = said({ query: 0.991, key: 0.994, value: 0.986 });
  assert.equal(level, "Swap “red” for “blue”: all three strips keep a similarity of 0.99.");
  const low = said({ query: 0.3, key: 0.2, value: -0.001 });
  assert.match(low, /; the value the lowest, 0\.00\.$/);
  assert.equal(OCCASIONS.stands({ word: "blue" }), "“blue” where it stands: ");
  assert.match(legend({ occasion: "stands", name: "blue" }), /^Outline: the other place; pale/);
  assert.equal(OCCASIONS.twin({ word: "red", by: 12 }), "“red” again, 12 words later: ");
  assert.equal(OCCASIONS.twin({ word: "red", by: -1 }), "“red” again, 1 word earlier: ");
  assert.equal(
    legend({ occasion: "swap", name: "red" }),
    "Outline: “red”; pale: hardly changed. Similarity: 1 is the same pattern, 0 nothing in common.",
  );
  assert.match(legend({ occasion: "after", name: "red" }), /^Outline: before training;/);
});

test("a verdict goes with the number that is read beside it", () => {
  assert.deepEqual([0.946, 0.944, 0.596, 0.594, -0.2].map(verdictOf), ["same", "alike", "alike", "other", "other"]);
});

test("of the same word elsewhere it is said what stays and what does not, in every order of the three", () => {
  const does = { query: "looks for", key: "is found by", value: "passes on" };
  for (const most of MADE)
    for (const least of MADE.filter((made) => made !== most)) {
      const [middle] = MADE.filter((made) => ![most, least].includes(made));
      const said = plain(again(12, { [most]: 0.82, [middle]: 0.6, [least]: 0.31 }));
      const stays = `The same word later: it ${does[most]} much the same (0.82)`;
      assert.equal(said, `${stays} but ${does[least]} something else (0.31).`);
      assert.equal(again(12, { [most]: 0.69, [middle]: 0.6, [least]: 0.31 }), null, "nothing is much the same");
      assert.equal(again(12, { [most]: 0.82, [middle]: 0.6, [least]: 0.5 }), null, "nothing is something else");
    }
  assert.match(plain(again(-3, { query: 0.2, key: 0.8, value: 0.75 })), /^The same word earlier: it is found by /);
});

test("the strips have more of the width than what runs into the mills", () => {
  const { vector, rows } = placesOf({ width: 1214, height: 480, numbers: 32 });
  const [{ mill, strip }] = rows;
  assert.ok(strip.width > 2 * (mill.x - vector.width));
});

test("the strip that a swap changes most blinks, none where all keep as much", () => {
  assert.equal(changed({ query: 0.9, key: 0.987, value: 0.372 }), "value");
  assert.equal(changed({ query: 0.991, key: 0.994, value: 0.986 }), null);
});

const ofNumber = (one, found = null, was = null) =>
  plain(sentence({ bias: 0, ...one }, { what: "Number 25", made: "key", found, was }));

test("a number of a query is said by the share of the score that it contributes", () => {
  const one = { products: [1, 1], total: 2 };
  const finds = (share) => ofNumber(one, { word: "hat", share });
  assert.equal(finds(0.274), "Number 25 contributes 27% of the score for “hat”.");
  assert.equal(finds(-0.03), "Number 25 takes 3% off the score for “hat”.");
  assert.equal(finds(-0.001), "Number 25 adds next to nothing to the score for “hat”.");
});

test("any other number is said by how many products make it, and what it is in the head's other state", () => {
  const few = { products: [3, -1, 0], total: 1.5, bias: -0.5 };
  assert.equal(ofNumber(few), "Number 25 is 1.50, the sum of 3 products and a learned constant.");
  const was = { total: -1.5, when: "before" };
  assert.equal(ofNumber(few, null, was), "Number 25 is 1.50; before training it was −1.50.");
  assert.equal(ofNumber(few, null, { ...was, when: "after" }), "Number 25 is 1.50; after training it is −1.50.");
  assert.equal(heard(few, [0, 1]), "row 1: 3.00; row 2: −1.00; 1 more; a learned constant: −0.50; sum: 1.50");
});

test("from a number of the query to its part of the score, each step has its number", () => {
  const found = { word: "hat", met: 3, turned: true, scale: 2, earned: 3, score: 12, size: 4 };
  const shown = (more) => chain(2, { ...found, ...more });
  const written = (more) => shown(more).map(({ sign, text }) => `${sign} ${text}`).join(" ").trim(); // prettier-ignore
  assert.equal(written(), "2.00 × 3.00 ÷ √4 = 3.00 of the score 12.00");
  assert.equal(written({ scale: 1, earned: -6 }), "2.00 × 3.00 = −6.00 of the score 12.00");
  assert.equal(shown()[1].title, "of the key of “hat”, turned by their distance");
  assert.equal(shown({ turned: false })[1].title, "of the key of “hat”");
  assert.equal(shown({ isSelf: true })[1].title, "of its own key", "at no distance nothing turns");
});

test("the longest sentences are longer than any that is said", () => {
  const of = { numbers: 64, products: 128, constants: true };
  const most = Math.max(...longestSentences(["a", "hat"], [1, null], "mia", of).map((text) => text.length));
  const words = { word: "mia", from: "hat", by: -1 };
  const similar = { query: 0.87, key: 0.89, value: -0.5 };
  const what = "Number 64 of the value of “hat”";
  const one = { products: Array(128).fill(1), total: -12.5, bias: 1 };
  const all = [
    ...Object.values(OCCASIONS).map((say) => compared(say(words), similar)),
    ...Object.values(OCCASIONS).map((say) => compared(say(words), { ...similar, key: 0.95 })),
    sentence(one, { what, made: "value", found: null }),
    sentence(one, { what, made: "value", found: null, was: { total: -10.11, when: "before" } }),
    sentence(one, { what, made: "query", found: { word: "hat", share: 0.001 } }),
    atRest("hat", 128, 64),
  ];
  for (const said of all) assert.ok(plain(said).length <= most, plain(said));
});

test("only the other state of the same head, on the same words, is set beside it", () => {
  const now = { of: "0 1", words: ["a", "b"], trained: true };
  assert.ok(isOtherState({ ...now, trained: false }, now));
  const others = [undefined, now, { of: "0 2" }, { words: ["a"] }];
  for (const other of others) assert.ok(!isOtherState(other && { ...now, trained: other === now, ...other }, now));
});

// ---- turns ---------------------------------------------------------------------------------------------------------

const packed = (floats) => Buffer.from(new Float32Array(floats).buffer).toString("base64");
const MILL = { w: packed([1, 0, 0, 1]), b: packed([0, 0]) };
const VALUES = { w: packed([1, 0, 0, -2]), b: packed([0, 0]) };
/** Three words of two numbers each; the first stands twice. */
const data = (more = {}) => ({
  words: ["red", "hat", "red"],
  x: packed([3, 4, 1, 0, 4, 3]),
  mills: { query: MILL, key: MILL, value: VALUES },
  at: 0,
  held: null,
  swap: { word: "blue", x: packed([3, -4]) },
  finds: null,
  of: "0 1",
  trained: true,
  ...more,
});
const opened = (more, send = () => {}) => {
  const turn = new Turn(send);
  turn.follow(data(more), false);
  return turn;
};

test("one press after the other: another word in its place, the same word elsewhere, then its largest number", () => {
  const turn = opened();
  assert.equal(plain(turn.said()), "Swap “red” for “blue”: which strip will change least?");
  assert.equal(turn.coming, "swap");
  turn.next();
  assert.deepEqual([turn.name, turn.was.name, [...turn.vector]], ["blue", "red", [3, -4]]);
  assert.ok(Math.abs(turn.similar.query - -7 / 25) < 1e-6, "of the word there now with the word before");
  assert.equal(turn.coming, "twin");
  turn.next();
  assert.deepEqual([turn.at, turn.name, turn.was.name], [2, "red", "red"]);
  assert.ok(Math.abs(turn.similar.query - 24 / 25) < 1e-6, "the word itself is compared, not the one in its place");
  assert.equal(turn.coming, "open");
  turn.next();
  assert.deepEqual(turn.held, { made: "query", n: 0 });
  assert.equal(turn.similar, null);
  turn.next();
  assert.deepEqual(turn.held, { made: "query", n: 1 });
});

test("a guess which strip changes least is told right or wrong as long as that swap is shown", () => {
  const turn = opened();
  const first = (guess) => {
    turn.exchange(guess);
    return plain(turn.said());
  };
  const { similar } = (turn.exchange(), turn);
  const least = Object.keys(similar).sort((a, b) => similar[b] - similar[a]);
  turn.exchange();
  assert.match(first(least[2]), new RegExp(`^Not the ${least[2]}: `));
  turn.exchange();
  assert.match(first(least[0]), /^Right: /);
  assert.match(first(null), /^Swap “blue” for “red”: /);
});

test("a word goes back into its place, and a press on it lets go of the number in hand", () => {
  const turn = opened();
  turn.exchange();
  turn.exchange();
  assert.deepEqual([turn.name, turn.was.name], ["red", "blue"]);
  turn.hold("value", 1);
  assert.equal(turn.one.total, -8);
  turn.say(0);
  assert.deepEqual([turn.held, turn.was, turn.isSwapped], [null, null, false]);
});

test("the word that was swapped in is compared with itself where it stands", () => {
  const turn = opened({ swap: { word: "hat", x: packed([3, -4]) } });
  turn.exchange();
  turn.say(1);
  assert.match(plain(turn.said()), /^“hat” where it stands: the query /);
});

test("what a link says is in hand, and what a hand turned to holds until the server has heard of it", () => {
  const turn = opened({ held: "value" });
  assert.deepEqual(turn.held, { made: "value", n: 1 }, "its largest number");
  turn.say(1);
  turn.tell();
  turn.follow(data({ held: "value" }), false); // an answer to something else
  assert.equal(turn.at, 1);
  assert.equal(turn.swap, null, "what the server has sent is of another word");
  turn.follow(data({ at: 1, held: null }), false);
  assert.deepEqual([turn.at, turn.latest.waits], [1, false]);
  turn.follow(data({ at: 2, held: "key" }), false);
  assert.deepEqual([turn.at, turn.held.made], [2, "key"], "a link turns to another");
});

test("a hand that goes there and back is not thrown by the answers, whichever come", () => {
  const asked = [];
  const turn = opened({}, (to) => asked.push(to));
  for (const n of [1, 0, 1]) {
    turn.say(n);
    turn.tell();
  }
  turn.say(2);
  turn.tell();
  for (const at of [0, 1]) {
    turn.follow(data({ at }), false); // an answer to something else, and one to the first press
    assert.equal(turn.at, 2);
  }
  assert.deepEqual(asked, [[1, null], [2, null]], "of what was pressed meanwhile the last"); // prettier-ignore
  turn.follow(data({ at: 2 }), false);
  assert.deepEqual([turn.at, turn.latest.waits], [2, false]);
  turn.tell();
  assert.equal(asked.length, 2, "what the server knows is not sent");
});

test("another head waits for no answer to what was turned to in the one before", () => {
  const turn = opened();
  turn.say(1);
  turn.tell();
  turn.follow(data({ of: "0 2" }), false);
  assert.deepEqual([turn.at, turn.latest.waits], [0, false]);
});

test("the number in hand stays while training is undone, and is said beside what it was; another head lets go", () => {
  const turn = opened();
  turn.hold("query", 1);
  turn.tell();
  turn.follow(data({ held: "query", trained: false, x: packed([3, 2, 1, 0, 4, 3]) }), false);
  assert.deepEqual(turn.held, { made: "query", n: 1 });
  assert.equal(plain(turn.said()), "Number 2 of the query of “red” is 2.00; after training it is 4.00.");
  turn.follow(data({ of: "0 2", mills: { query: VALUES, key: MILL, value: MILL } }), false);
  assert.deepEqual([turn.held, turn.was], [null, null]);
});

test("what numbers of a query earn is said where it finds a word, and not in a lesson or of a word swapped in", () => {
  const finds = {
    keys: [1, null, null],
    scores: [10, 0, 0],
    earned: packed([1, 2, 0, 0, 0, 0]),
    met: packed(Array(6).fill(1)),
  };
  const turn = opened({ finds, held: "query" });
  assert.deepEqual(turn.held, { made: "query", n: 1 }, "the one that earns most");
  assert.equal(plain(turn.said()), "Number 2 of the query of “red” contributes 20% of the score for “hat”.");
  assert.equal(turn.coming, "part");
  for (const score of [0.1, -0.1]) {
    turn.finds.scores[0] = score;
    assert.equal(turn.coming, "number", "twenty times the score is no part of it");
    assert.match(plain(turn.said()), /^Number 2 of the query of “red” is 4\.00/);
  }
  turn.exchange();
  assert.equal(turn.earned, null);
  const led = new Turn();
  led.follow(data({ finds, held: "query" }), true);
  assert.equal(led.earned, null);
});

test("a guess is right or not by the numbers that are read, and where all are equal nothing is said of it", () => {
  const similar = { query: 0.4, key: 0.981, value: 0.979 };
  assert.equal(judged("key", similar), "Right: ");
  assert.equal(judged("value", similar), "Right: ");
  assert.equal(judged("query", similar), "Not the query: ");
  assert.equal(judged("query", { query: 0.501, key: 0.502, value: 0.499 }), null);
});
