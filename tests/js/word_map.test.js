// Which of the nearest words a line leads to, in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { joined } from "../../pages/embeddings/components/word_map/word_map.js";

test("what is listed and not on the map is named, and nothing is said where all are on it", () => {
  const nearest = ["yellow", "white", "beige", "pink"].map((label, id) => [label, id, 0.5, 0]);
  assert.equal(
    joined(nearest, () => true),
    "",
  );
  const said = joined(nearest, (id) => id < 2);
  assert.equal(said, "Lines lead to the 2 on the map. Not on the map: beige and pink.");
  assert.equal(
    joined(nearest.slice(1, 3), (id) => id < 2),
    "A line leads to the one on the map. Not on the map: beige.",
  );
  assert.equal(
    joined(nearest.slice(2), (id) => id < 2),
    "Not on the map: beige and pink.",
  );
});
