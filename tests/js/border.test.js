// What is said of labels and the border that they draw, and where it runs.
import assert from "node:assert/strict";
import { test } from "node:test";

import { apart, found, nearest, patches, rightOf } from "../../pages/finetuning/components/border/border.js";

test("right is who is on the side of the truth; in the middle nobody is", () => {
  const reviews = [["a", true], ["b", false], ["c", true], ["d", false]]; // prettier-ignore
  assert.equal(rightOf([0.9, 0.1, 0.4, 0.6], reviews), 2);
  assert.equal(rightOf([0.5, 0.5, 0.5, 0.5], reviews), 0);
});

test("a pull ends at the stop that is nearest, and 0 is one", () => {
  const stops = [2, 8, 128];
  assert.deepEqual([0, 1.2, 6, 70, 400].map((n) => nearest(stops, n)), [0, 2, 8, 128, 128]); // prettier-ignore
});

test("who needs fewer labels is said as soon as it is so, and not before", () => {
  const say = (n, right) => found([2, 8, 32, 128], n, right, 39, 60);
  const right = [34, 41, 48, 56];
  assert.match(say(0, right), /From 128 labelled reviews, word counts get 39 of 60 right. How few/);
  assert.equal(say(2, right), "With 2 labels MiniLM gets 34 of 60 right, word counts with 128 still more: 39.");
  assert.equal(say(2, [39, 41, 48, 56]), "With 2 labels MiniLM gets 39 of 60 right, word counts with 128 as many.");
  assert.equal(say(8, right), "8 labels beat 128: MiniLM gets 41 of 60 right, word counts 39.");
  assert.equal(say(32, right), "With 32 labels MiniLM gets 48 of 60 right. It beat word counts at 8.");
  assert.equal(say(128, right), "With the same 128 labels MiniLM gets 56 of 60 right. It beat word counts at 8.");
  assert.match(say(32, [10, 10, 10, 10]), /still more: 39/);
  assert.match(found([2, 8], 8, [28, 25], 39, 60, true), /^8 labels, and of 60 .* gets 25 right. A coin gets 30.$/);
});

test("dots lie in the frame and clear of each other", () => {
  const size = [580, 150];
  const heap = Array.from({ length: 25 }, (_, n) => [290 + 4 * (n % 5), 75 + 4 * Math.floor(n / 5)]);
  const placed = apart(heap, 20, size);
  for (const [n, [x, y]] of placed.entries()) {
    assert.ok(x >= 10 && x <= 570 && y >= 10 && y <= 140);
    for (const [a, b] of placed.slice(0, n)) assert.ok(Math.hypot(a - x, b - y) >= 17);
  }
  assert.deepEqual(apart([[50, 50], [90, 50]], 20, size), [[50, 50], [90, 50]]); // prettier-ignore
});

test("a patch holds what is nearer to its dot than to any other, and knows who is beyond each side", () => {
  const size = [100, 60];
  const dots = [[20, 30], [60, 30], [80, 10]]; // prettier-ignore
  const all = patches(dots, size);
  const area = (corners) =>
    corners.reduce((sum, [x, y], n) => {
      const [a, b] = corners[(n + 1) % corners.length];
      return sum + (x * b - a * y) / 2;
    }, 0);
  assert.ok(Math.abs(all.reduce((sum, one) => sum + area(one), 0) - 6000) < 1e-6, "they fill the frame");
  for (const [n, corners] of all.entries())
    for (const [c, [x, y, beyond]] of corners.entries()) {
      const [a, b] = corners[(c + 1) % corners.length];
      const far = ([p, q]) => Math.hypot((x + a) / 2 - p, (y + b) / 2 - q);
      const least = Math.min(...dots.map(far));
      assert.ok(far(dots[n]) - least < 1e-9);
      if (beyond !== undefined) assert.ok(Math.abs(far(dots[beyond]) - least) < 1e-9);
    }
  assert.deepEqual(new Set(all[0].map(([, , beyond]) => beyond)), new Set([undefined, 1]));
});
