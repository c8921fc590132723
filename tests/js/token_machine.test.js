// How a text is cut: which pair is the most frequent, and how a hand pushes it together.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cutBySpace,
  mergeOf,
  nextHere,
  placesOf,
  tokensAfter,
  weightsAt,
} from "../../pages/embeddings/components/token_machine/cutting.js";
import { Push } from "../../pages/embeddings/components/token_machine/push.js";
import { largestThat, TokenMachine } from "../../pages/embeddings/components/token_machine/token_machine.js";
import { listed } from "../../pages/embeddings/components/token_machine/plain.js";

// "ab abc": ab is 10, ␣ab is 11, ␣abc is 12
const data = {
  ids: [1, 2, 0, 1, 2, 3],
  words: [0, 2],
  joins: [
    [0, 1, 2, 10],
    [3, 4, 5, 10],
    [2, 3, 5, 11],
    [2, 5, 6, 12],
  ],
};

test("a word may be in pieces at the start and one token after a space, and is named only then", () => {
  const labels = { 0: "␣", 1: "a", 2: "b", 3: "c", 10: "ab", 11: "␣ab", 12: "␣abc" };
  const of = (ids, joins, n) => {
    const text = {
      ids,
      joins,
      words: [0, 2],
      merges: [
        [1, 2, 10],
        [0, 10, 11],
      ].slice(0, n),
    };
    return cutBySpace(text, tokensAfter(text, n), (id) => labels[id]);
  };
  const second = [2, 3, 5, 11];
  assert.deepEqual(of([1, 2, 0, 1, 2], [[3, 4, 5, 10], second], 2), [["a", "b"], "ab"]);
  assert.equal(of([1, 2, 0, 1, 2], [[0, 1, 2, 10], [3, 4, 5, 10], second], 2), null, "one token at the start, too");
  assert.equal(of([1, 2, 0, 1, 2], [[3, 4, 5, 10]], 1), null, "in pieces after the space, too");
  assert.equal(
    cutBySpace({ words: [] }, [[1, false, 0]], (id) => labels[id]),
    null,
  );
});

test("of a long table it is said how many rows it has, and which of them are here", () => {
  assert.equal(listed([0, 1, 2], 3), "The table has 3 rows. Shaded: those of your text.");
  assert.equal(listed([0, 1, 2], 1004), "The table has 1,004 rows; the first 3 are here. Shaded: those of your text.");
  assert.equal(
    listed([0, 1, 2, 700], 1004),
    "The table has 1,004 rows; the first 3 and those of your text are here. Shaded: those of your text.",
  );
});

test("a pair that is pushed is weighed against the most frequent, before the next merge that this text has", () => {
  const learned = {
    ...data,
    merges: [
      [7, 8, 9, 6],
      [1, 2, 10, 5],
      [0, 10, 11, 4],
      [11, 3, 12, 4],
    ],
    counts: [
      [
        [1, 2, 5],
        [2, 3, 5],
        [2, 0, 1],
      ],
      [],
      [
        [0, 10, 4],
        [10, 3, 4],
      ],
      [],
    ],
  };
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((at) => nextHere(learned, at)),
    [1, 1, 2, 3, null],
  );
  const { counts, most } = weightsAt(learned, 0);
  assert.deepEqual([most, counts.get("2 0"), counts.get("1 2"), counts.get("3 0")], [5, 1, 5, undefined]);
  assert.equal(weightsAt(learned, 2).counts.get("0 10"), 4, "counts change as merges are made");
  assert.equal(mergeOf(learned, 0, 2, 0), null);
  assert.equal(mergeOf(learned, 0, 1, 2), 2, "merge 1 joins nothing in this text");
  assert.equal(mergeOf(learned, 0, 2, 3), 2, "as frequent, but never merged itself");
  assert.equal(mergeOf(learned, 0, 3, 0), null);
  assert.equal(mergeOf(learned, 2, 11, 3), null, "two that stand nowhere yet");
});

test("tiles are the largest that fit, and no smaller than a finger can tell apart", () => {
  for (const most of [26, 57, 110])
    assert.equal(
      largestThat((tile) => tile <= most, 26, 110),
      most,
    );
  assert.equal(
    largestThat(() => false, 26, 110),
    26,
  );
});

test("a pair is found wherever it stands in the text, but not over the end of a word", () => {
  const text = { ids: [1, 2, 1, 2, 1, 2], words: [0, 5] };
  const tokens = text.ids.map((id, start) => [id, false, start]);
  assert.deepEqual(placesOf(text, tokens, 1, 2), [0, 2]);
  assert.deepEqual(placesOf(text, tokens, 2, 2), []);
});

/** A machine with the pair 1 + 2 in its text, and what it does as it is pushed, in still or moving times. */
function pushed(isStill) {
  Object.assign(globalThis, { matchMedia: () => ({ matches: isStill }) });
  const done = [];
  const merges = { player: { stop() {} }, draw: () => done.push("told") };
  const hand = { close: (_, share) => done.push(share) };
  const text = { ids: [1, 2, 5], words: [0], merges: [[1, 2, 10, 4]], joins: [[0, 1, 2, 10]], counts: [[[1, 2, 4], [2, 5, 1]]] }; // prettier-ignore
  const tokens = text.ids.map((id, start) => [id, false, start]);
  const machine = Object.assign(Object.create(TokenMachine.prototype), { data: text, tokens, merges, hand, at: 0 });
  machine.go = (at) => {
    machine.closing = null;
    done.push(`merge ${at}`);
  };
  return [machine, done];
}

test("the most frequent pair closes and is one token then, at once where nothing moves or at the next press", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [moving, done] = pushed(false);
  moving.push(1, 2);
  assert.deepEqual(done, [1]);
  t.mock.timers.tick(200);
  assert.deepEqual(done.splice(0), [1, "merge 1"]);
  moving.push(1, 2);
  moving.push(1, 2); // the next press waits for nothing
  t.mock.timers.tick(200);
  assert.deepEqual(done, [1, "merge 1"]);
  const [quiet, seen] = pushed(true);
  quiet.push(1, 2);
  assert.deepEqual(seen, ["merge 1"]);
});

test("a pair that is not the most frequent springs back, and that is told", () => {
  const [machine, done] = pushed(false);
  machine.push(2, 5);
  assert.deepEqual(done, [0, "told"]);
  assert.deepEqual(machine.merges.miss, [2, 5]);
});

test("a hand leads all pairs like the one that it pushes, and what stands behind them in a word comes along", () => {
  const node = () => ({ style: { setProperty() {} }, classList: { toggle() {} } });
  const [a, one, b, other, c] = Array.from({ length: 5 }, node);
  const joints = [
    { node: one, left: 1, right: 2 },
    { node: other, left: 2, right: 5 },
  ];
  const chips = { classList: { toggle() {} }, children: [{ children: [a, one, b, other, c] }] };
  const hand = new Push({ joints, gap: 20, nodes: { chips } });
  const moved = () => [a, one, b, other, c].map(({ style }) => parseFloat(style.transform.slice(11)));
  hand.close(joints[0], 0.5, true);
  assert.deepEqual(moved(), [0, -5, -10, -10, -10]);
  hand.close(joints[0], 0);
  assert.ok(moved().every((x) => x === 0));
});

test("a hand that was let go beyond the tiles pushes nothing when it comes back", () => {
  const chips = { currentCSSZoom: 2, getBoundingClientRect: () => ({ left: 100, top: 0 }) };
  const hand = new Push({ joints: [{}], nodes: { chips } });
  assert.equal(hand.across({ clientX: 300 }), 100, "in pixels of the tiles, which the page has enlarged");
  hand.take({ button: 0, clientX: 0, target: {} });
  hand.move({ buttons: 0, clientX: 40 });
  assert.equal(hand.held, null);
});
