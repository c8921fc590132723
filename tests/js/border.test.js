// What is said of labels and the border that they draw, and where it runs.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  apart,
  Border,
  found,
  labelOf,
  patches,
  passedAt,
  rightOf,
  stopAt,
} from "../../pages/finetuning/components/border/border.js";

test("right is who is on the side of the truth", () => {
  const reviews = [["a", true], ["b", false], ["c", true], ["d", false]]; // prettier-ignore
  assert.equal(rightOf([0.9, 0.1, 0.4, 0.6], reviews), 2);
  assert.equal(rightOf([0.5001, 0.4999, 0.4999, 0.5001], reviews), 2);
});

test("a pull ends at the stop that is nearest, and 0 is one", () => {
  const stops = [2, 8, 128];
  assert.deepEqual([0, 1.2, 6, 70, 400].map((n) => stopAt(stops, n)), [0, 2, 8, 128, 128]); // prettier-ignore
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
  assert.deepEqual([passedAt([2, 8], [39, 40], 39), passedAt([2, 8], [10, 10], 39)], [8, undefined]);
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

const TESTS = [
  { reviews: [["A dazzling debut.", true], ["A dull story.", false]], shares: [] }, // prettier-ignore
  { reviews: [["It was hardly boring.", true]], shares: [] },
];

/** A border whose hands are seen by what it asks for and writes. */
function border(own, more) {
  const log = [];
  const texts = [...TESTS[0].reviews, ...(own ? [[own, null]] : [])];
  const at = Object.assign(Object.create(Border.prototype), {
    data: { tests: TESTS, stops: [2, 4, 6, 8, 10, 12, 14], own: own ? { text: own } : { text: texts[1][0] } },
    texts,
    taken: own ? 2 : 1,
    kind: 0,
    n: 2,
    strip: { setAttribute() {}, getAttribute() {} },
    slips: { replaceChildren() {} },
    place() {},
    show() {},
    send: (_, text) => log.push(text),
    link: { later: () => log.push("link") },
    ...more,
  });
  return [at, log];
}

test("the other tests take one of their own in place of a test, and never of a visitor's review", () => {
  const [usual, log] = border();
  usual.turn(1, 8);
  assert.deepEqual([usual.kind, usual.n, log], [1, 8, ["It was hardly boring.", "link"]]);
  const [own, kept] = border("My cat liked it.");
  own.turn(1, 8);
  assert.deepEqual([own.kind, own.n, kept], [1, 8, ["link"]]);
});

test("the address keeps what the hand did when the server has answered, and nothing is written at first", (t) => {
  globalThis.document = { createElement: () => ({ setAttribute() {}, append() {} }) };
  globalThis.location = { search: "?fine_pile=8&fine_negated=1" };
  t.after(() => (delete globalThis.document, delete globalThis.location));
  const [at, log] = border(null, { data: null });
  at.update({ tests: TESTS, stops: [2, 8] });
  assert.deepEqual([at.n, at.kind, log], [8, 1, []]);
  at.update({ tests: TESTS, stops: [2, 8], own: { text: "A dull story." } });
  assert.deepEqual([at.n, at.kind, log], [8, 1, ["link"]]);
});

test("on the slider of labels up is more", () => {
  const [at] = border();
  const after = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].map((key) => {
    at.key({ key, preventDefault() {} });
    return at.n;
  });
  assert.deepEqual(after, [4, 2, 12, 2, 0, 14]);
});

test("by keys one goes from dot to dot and takes one, and hears what it is and for what it is taken", () => {
  const log = [];
  const [at] = border(null, { dots: [0, 1].map((n) => ({ focus: () => log.push(n) })) });
  at.send = (_, text) => log.push(text);
  const press = (key, n) => at.walk({ key, preventDefault() {}, target: { dataset: { n: String(n) } } });
  for (const [key, n] of [["ArrowRight", 0], ["ArrowUp", 1], ["Enter", 0], ["a", 0]]) press(key, n); // prettier-ignore
  assert.deepEqual(log, [1, 0, "A dazzling debut."]);
  assert.equal(labelOf(["A dull story.", false], "praise"), "“A dull story.”, criticism, taken for praise");
  assert.equal(labelOf(["A dull story.", false], null), "“A dull story.”", "as grey as its dot");
  assert.equal(labelOf(["Mine", null], "praise"), "“Mine”, the review above, taken for praise");
});
