// What is said of the nearest of a word: of which kind they are, and where the map deceives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { found, misplaced } from "../../pages/embeddings/components/word_map/word_map.js";
import { WordPlane } from "../../pages/embeddings/components/word_map/word_plane.js";

test("a word looks farther than it is where a less similar one lies closer on the map", () => {
  // 1 is the most similar of word 0, and the farthest; 2 is less similar than 3, and closer.
  const cosines = [[1, 0.9, 0.2, 0.8]];
  const places = [
    [0, 0],
    [3, 0],
    [0, 1],
    [2, 0],
  ];
  assert.equal(misplaced(0, [3, 1], cosines, places), 1, "it looks farthest");
  assert.equal(misplaced(0, [3], cosines, places), 3);
  assert.equal(misplaced(0, [2], cosines, places), null);
  assert.equal(misplaced(0, [], cosines, places), null);
  const honest = places.with(1, [0.1, 0]).with(3, [0.2, 0]);
  assert.equal(misplaced(0, [1, 3], cosines, honest), null, "the map has them in the order of their cosines");
});

test("what the nearest come to counts those of the word's own kind, and names the nearest where there are no kinds", () => {
  const near = (...kinds) => kinds.map((kind, n) => [`w${n}`, n, 0.7 - 0.1 * n, kind]);
  const of = (nearest, name) => found({ label: "blue", kind: 3, nearest }, name);
  assert.equal(of(near(3, 3), "colours"), "The two words nearest to “blue” are all colours.");
  assert.equal(of(near(3, 1, 3), "colours"), "Of the three words nearest to “blue”, two are colours.");
  assert.equal(of(near(3, 1, 1), "colours"), "Of the three words nearest to “blue”, one is among the colours.");
  assert.equal(of(near(1, 1), "colours"), "None of the two words nearest to “blue” is one of the colours.");
  const none = "None of the two words nearest to “blue” is one of the words of praise.";
  assert.equal(of(near(1, 1), "words of praise"), none);
  assert.equal(of(near(3), "colours"), "The word nearest to “blue” is one of the colours.");
  assert.equal(of(near(1), "colours"), "The word nearest to “blue” is not one of the colours.");
  assert.equal(of(near(1, 1), undefined), "Closest to “blue” is “w0”: cosine 0.70.");
  assert.equal(of([], "colours"), "No other row in this table.");
});

test("the label of a word that is not on the map covers no name of a kind", () => {
  const view = { width: 400, height: 200, data: { words: [{ nearest: [["guest", 9]] }] } };
  const at = ([x, y]) => ({ points: [[20, 100]], labels: [null], sizes: [[0, 19]], names: [{ x, y, w: 90, h: 19 }] });
  const spot = (names) => WordPlane.prototype.spotsOf.call({ view, shown: at(names) }, 0, [[0, 200, 100]])[0];
  const covers = (label, [x, y]) => label.x < x + 90 && x < label.x + 43 && label.y < y + 19 && y < label.y + 19;
  const free = spot([300, 0]);
  const name = [free.x - 10, free.y];
  assert.ok(covers(free, name), "where it would stand");
  const moved = spot(name);
  assert.ok(!moved || !covers(moved, name));
});
