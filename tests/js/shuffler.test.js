// The permutation machine: what its button offers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Shuffler } from "../../pages/positions/components/word_shuffler/shuffler.js";

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
  assert.deepEqual(offered(["a", "cat"], [1, 0]), ["Add positions", "Another order"]);
});
