// Which of the nearest words a line leads to, in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { found, joined } from "../../pages/embeddings/components/word_map/word_map.js";

test("what is listed and not on the map is named, and nothing is said where all are on it", () => {
  const nearest = ["yellow", "white", "beige", "pink"].map((label, id) => [label, id, 0.5, 0]);
  assert.equal(
    joined(nearest, () => true),
    "",
  );
  const said = joined(nearest, (id) => id < 2);
  assert.equal(said, "2 are on the map, joined by lines; beige and pink are not.");
  assert.equal(
    joined(nearest.slice(1, 3), (id) => id < 2),
    "One is on the map, joined by a line; beige is not.",
  );
  assert.equal(
    joined(nearest.slice(2), (id) => id < 2),
    "beige and pink are not on the map.",
  );
});

test("what the nearest come to counts those of the word's own kind, and names the nearest where there are no kinds", () => {
  const near = (...kinds) => kinds.map((kind, n) => [`w${n}`, n, 0.7 - 0.1 * n, kind]);
  const of = (nearest, name) => found({ label: "blue", kind: 3, nearest }, name);
  assert.equal(of(near(3, 3), "colours"), "The 2 nearest to “blue” are all of its own kind: colours.");
  assert.equal(of(near(3, 1, 3), "colours"), "Of the 3 nearest to “blue”, 2 are of its own kind: colours.");
  assert.equal(of(near(3, 1, 1), "colours"), "Of the 3 nearest to “blue”, 1 is of its own kind: colours.");
  assert.equal(of(near(1, 1), "colours"), "Of the 2 nearest to “blue”, none is of its own kind: colours.");
  assert.equal(of(near(3), "colours"), "The one nearest to “blue” is of its own kind: colours.");
  assert.equal(of(near(1, 1), undefined), "Closest to “blue” is “w0”: cosine 0.70.");
  assert.equal(of([], "colours"), "No other row in this table.");
});
