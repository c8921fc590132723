// What is said of two piles of reviews, and where the dots of the tests lie.
import assert from "node:assert/strict";
import { test } from "node:test";

import { found, nearest, pieces, rightOf, swarm, without } from "../../pages/finetuning/components/piles/piles.js";

test("a text is cut into its words, and nothing of it is lost", () => {
  const text = "A film: it isn't <b>boring</b>, Film!";
  const cut = pieces(text);
  assert.equal(cut.map(([piece]) => piece).join(""), text);
  const words = (all) => all.filter(([, isOne]) => isOne).map(([piece]) => piece);
  assert.deepEqual(words(cut), ["A", "film", "it", "isn't", "b", "boring", "b", "Film"]);
  assert.deepEqual(pieces(""), []);
  const quoted = ["boring", "and", "dull", "a", "s", "film"];
  assert.deepEqual(words(pieces("'boring' and ‘dull’, a 90s film")), quoted);
});

test("right is who is on the side of the truth; in the middle nobody is", () => {
  const reviews = [["a", true], ["b", false], ["c", true], ["d", false]]; // prettier-ignore
  assert.equal(rightOf([0.9, 0.1, 0.4, 0.6], reviews), 2);
  assert.equal(rightOf([0.5, 0.5, 0.5, 0.5], reviews), 0);
});

test("a pull ends at the stop that is nearest, and 0 is one", () => {
  const stops = [2, 8, 128];
  assert.deepEqual([0, 1.2, 6, 70, 400].map((n) => nearest(stops, n)), [0, 2, 8, 128, 128]); // prettier-ignore
});

test("who needs fewer reviews is said as soon as it is so, and not before", () => {
  const say = (n, right) => found([2, 8, 32, 128], n, right, 39, 60);
  const right = [34, 41, 48, 56];
  assert.match(say(0, right), /Word counts learned from 128 reviews: 39 of 60 right. How few/);
  assert.equal(say(2, right), "From 2 reviews MiniLM gets 34 of 60 right, word counts with 128 still more: 39.");
  assert.equal(say(2, [39, 41, 48, 56]), "From 2 reviews MiniLM gets 39 of 60 right, word counts with 128 as many.");
  assert.equal(say(8, right), "8 reviews beat 128: MiniLM gets 41 of 60 right, word counts 39.");
  assert.equal(say(32, right), "From 32 reviews MiniLM gets 48 of 60 right. It passed word counts at 8.");
  assert.equal(say(128, right), "From the same 128 reviews MiniLM gets 56 of 60 right, word counts 39.");
  assert.match(say(32, [10, 10, 10, 10]), /still more: 39/);
});

test("what striking words out did is said of both, also where a model turns or stays", () => {
  const say = (before, after, areUnmet) => without(["fantastic"], before, after, areUnmet);
  assert.equal(
    say([0.51, 0.77], [0.51, 0.68], true),
    "Without “fantastic” MiniLM moves 9 points towards criticism; word counts never met it.",
  );
  assert.equal(
    say([0.51, 0.77], [0.55, 0.4], false),
    "Without “fantastic” MiniLM turns to criticism; word counts move 4 points towards praise.",
  );
  assert.equal(
    say([0.51, 0.77], [0.51, 0.771], false),
    "Without “fantastic” MiniLM does not move; word counts do not move.",
  );
  assert.equal(
    without(["a", "b", "c"], [0.5, 0.6], [0.5, 0.61], true),
    "Without “a”, “b” and “c” MiniLM moves 1 point towards praise; word counts never met them.",
  );
});

test("each dot lies in the frame, on its own side, clear of the others and as near to its place as that allows", () => {
  const [width, height, radius] = [580, 150, 9];
  const heap = swarm(Array(60).fill(0.5), width, height, radius);
  const shares = [...Array(60).keys()].map((n) => 0.4 + (0.2 * n) / 59);
  for (const [dots, ps] of [
    [heap, null],
    [swarm(shares, width, height, radius), shares],
  ]) {
    // prettier-ignore
    for (const [n, [x, y]] of dots.entries()) {
      assert.ok(x >= radius && x <= width - radius && y >= radius - 1 && y <= height - radius + 1);
      if (ps) assert.equal(x > width / 2, ps[n] > 0.5);
      for (const [a, b] of dots.slice(0, n)) assert.ok(Math.hypot(a - x, b - y) >= 2 * radius);
    }
  }
  assert.deepEqual(swarm([0.9], width, height, radius), [[0.9 * width, height / 2]]);
});
