// What is said of all threads at once.
import assert from "node:assert/strict";
import { test } from "node:test";

import { ofAll } from "../../pages/translation/components/alignment_threads/sentences.js";

test("all threads are said with the share that lies on the right words, if the right words are known", () => {
  assert.equal(ofAll(0.914, 1, -1), "On average, the heads of layer 1 put 91% of their attention on the right words.");
  assert.equal(ofAll(0.5, 0, 2), "Head 2 of layer 0 puts 50% of its attention on the right words.");
  assert.doesNotMatch(ofAll(null, 1, -1), /%/);
});
