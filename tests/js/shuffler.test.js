// The permutation machine: what takes up a word, and what its button offers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isHeld, Shuffler } from "../../pages/positions/components/word_shuffler/shuffler.js";

/** An element that keeps its text. */
function node() {
  const own = { childNodes: [], classList: { toggle() {} }, replaceChildren: (...texts) => (own.childNodes = texts) };
  return own;
}

test("of a single word there is no other order, and nothing to press", () => {
  const offered = (words, order = words.map((_, n) => n)) => {
    const data = { words, order, before: [[0]], moved: [], same: 0, says: "", told: "none", n_changed: 0 };
    const parts = { kept: node(), says: node(), heading: node(), main: node(), again: {}, root: node(), by: {} };
    const view = Object.assign(Object.create(Shuffler.prototype), { data, rows: [], join() {} }, parts);
    view.mark();
    return [view.main.hidden ? null : view.main.childNodes[0], view.heading.childNodes[0] ?? ""];
  };
  assert.deepEqual(offered(["cat"]), [null, ""]);
  assert.deepEqual(offered(["a", "cat"]), ["Swap two words", "⇅ Drag a word onto another"]);
  assert.deepEqual(offered(["a", "cat"], [1, 0]), ["Add positions", ""]);
});

test("a mouse takes up a word by all of its row, a finger by the word alone: beside it, it may scroll", () => {
  const word = { contains: (target) => target === "word" };
  const by = (pointerType, target, button = 0) => isHeld({ button, pointerType, target }, word);
  assert.deepEqual([by("mouse", "word"), by("mouse", "strip"), by("mouse", "word", 2)], [true, true, false]);
  assert.deepEqual([by("touch", "word"), by("touch", "strip")], [true, false]);
});
