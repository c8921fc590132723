// What a wiring comes to, in a sentence.
import assert from "node:assert/strict";
import { test } from "node:test";

import { finding, isOf, telling } from "../../pages/masks/components/wiring_plugs/finding.js";

const map = {
  rows: ["mia", "trouvé", "chapeau", "⟨end⟩"],
  columns: ["mia", "found", "hat"],
  weights: [
    [1, 0, 0],
    [0, 0.997, 0.003],
    [0, 0.001, 0.999],
    [0, 0, 1],
  ],
};
const lengths = { encoder: 3, decoder: 4 };
const data = { lengths, written: { encoder: "mia chapeau", decoder: "les chiens" } };
const of = (queries, keys, values) => ({ queries, keys, values });

test("the look that is told is the strongest of a word at another, of the longest word among equals", () => {
  assert.deepEqual(telling(map), { row: "chapeau", column: "hat", weight: 0.999 });
  const other = { ...map, weights: [map.weights[0], [0, 0.9, 0.1], [0, 0.6, 0.4], [0, 0, 1]] };
  assert.equal(telling(other).row, "trouvé");
  const none = { rows: ["a"], columns: ["a"], weights: [[1]] };
  assert.equal(telling(none), null);
  const blocked = {
    rows: ["un", "chat"],
    columns: ["un", "chat"],
    weights: [
      [1, null],
      [0.7, 0.3],
    ],
  };
  assert.deepEqual(telling(blocked), { row: "chat", column: "un", weight: 0.7 });
});

test("plugged into the encoder, the finding tells who looks at whom and what would be written otherwise", () => {
  const cross = { ...data, sources: of("decoder", "encoder", "encoder"), out: 4, home: "decoder", name: "cross" };
  const said = "“chapeau” finds “hat” with weight 1.00";
  assert.equal(finding(cross, map, true), `${said}. Without the English, the decoder writes “les chiens”.`);
  assert.equal(finding({ ...cross, written: {} }, map, true), `${said}.`);
});

test("each other wiring says what comes of it", () => {
  const own = { ...data, sources: of("decoder", "decoder", "decoder"), out: 4, home: "decoder", name: "self" };
  assert.match(finding(own, map, true), /^Without the English, .* it writes “les chiens”, whatever/);
  assert.match(finding({ ...own, written: {} }, map, true), /^The decoder reads itself: “chapeau” finds “hat”/);
  const broken = { ...data, sources: of("decoder", "encoder", "decoder"), out: null, home: "decoder", name: "" };
  assert.match(finding(broken, map, false), /each row has 3 weights, but there are 4 values to mix\.$/);
  const small = { ...data, sources: of("encoder", "decoder", "decoder"), out: 3, home: "decoder", name: "" };
  assert.match(finding(small, map, true), /^3 vectors come out, but the decoder has 4 words/);
  const equal = { ...small, lengths: { encoder: 3, decoder: 3 } };
  assert.match(finding(equal, map, true), /^It runs, and it is wrong/);
});

test("two choices of streams are the same where every port has the same", () => {
  assert.ok(isOf(of("decoder", "encoder", "encoder"), { keys: "encoder", values: "encoder" }));
  assert.ok(!isOf(of("decoder", "decoder", "encoder"), { keys: "encoder", values: "encoder" }));
});
