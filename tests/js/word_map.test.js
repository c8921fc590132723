// What is said of the nearest of a word: of which kind they are, and where the map deceives.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cameOf, nextAsked } from "../../pages/embeddings/components/word_map/guess.js";
import { companions, makeRoom, markOf, partedNames } from "../../pages/embeddings/components/word_map/placing.js";
import { found, gathered, misplaced } from "../../pages/embeddings/components/word_map/word_map.js";
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

test("it is counted how many words are closest to one of their own kind, wherever that is", () => {
  const word = (kind, nearest) => ({ kind, nearest: nearest === null ? [] : [["w", 9, 0.5, nearest]] });
  const said = (n) => `${n} of 3 words are closest to one of their own kind. Nobody told the model of kinds.`;
  assert.equal(gathered([word(0, 0), word(0, 1), word(1, null)]), said(1));
  assert.equal(gathered([word(0, 0), word(0, 0), word(1, -1)]), said(2), "another neighbour, another count");
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

test("a guess is told its place among all words of the map, by their similarity to the one asked about", () => {
  const words = ["blue", "red", "hat", "green"].map((label) => ({ label }));
  const cosines = [[1, 0.5, 0.1, 0.8]];
  assert.equal(cameOf(0, 3, words, cosines), "Yes: “green” came closest of 3 words.");
  assert.equal(cameOf(0, 1, words, cosines), "“green” came closest; your “red” is 2nd of 3.");
  assert.equal(cameOf(0, 2, words, cosines), "“green” came closest; your “hat” is 3rd of 3.");
});

test("the next word that is asked about is of the next kind, and has most of its own kind near it", () => {
  const word = (kind, ...near) => ({ kind, nearest: near.map((one) => ["", 0, 0.5, one]) });
  const words = [word(0, 0), word(2, 0, 0), word(2, 2, 0), word(0, 0)];
  assert.equal(nextAsked(0, words, ["a", "b", "c"]), 2, "nobody is of the second kind");
  assert.equal(nextAsked(2, words, ["a", "b", "c"]), 0);
  assert.equal(nextAsked(1, [word(-1), word(-1)], []), 0, "where no word has a kind, the next one");
});

const within = (x, low, high) => low <= x && x <= high;
const cover = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/** One ring at (200, 100), with a label of 43 pixels; the pressed word stands at (20, 100). */
function roomFor({ names = [], points = [[20, 100]], labels = [null], near = [], rings = [[200, 100]] }) {
  const wide = rings.map(() => [43, 19]);
  const away = rings.map(() => [1, 0]);
  return makeRoom({ rings, wide, away, points, labels, at: 0, near, names }, [400, 200]);
}

test("the label of a word that is not on the map covers no name of a kind", () => {
  const [free] = roomFor({ names: [{ x: 300, y: 0, w: 90, h: 19 }] }).spots;
  const name = { x: free.x - 10, y: free.y, w: 90, h: 19 };
  const [moved] = roomFor({ names: [name] }).spots;
  assert.ok(cover({ ...free, w: 43, h: 19 }, name), "where it would stand");
  assert.ok(moved && !cover({ ...moved, w: 43, h: 19 }, name));
});

test("each label stands beside its own ring, and closer to it than to any other ring or word", () => {
  const rings = [
    [200, 100],
    [203, 92],
  ];
  const points = [
    [20, 100],
    [190, 108],
  ];
  const { spots } = roomFor({ rings, points, labels: [null, null] });
  const gap = ([x, y], s) => Math.hypot(Math.max(0, s.x - x, x - s.x - 43), Math.max(0, s.y - y, y - s.y - 19));
  for (const [n, spot] of spots.entries()) {
    const others = [...rings.toSpliced(n, 1), ...points];
    assert.ok(within(gap(rings[n], spot), 1, 24));
    for (const other of others) assert.ok(gap(rings[n], spot) < gap(other, spot));
  }
});

test("a label below a ring gives way to it, and that of the pressed word never", () => {
  const labels = [
    { x: 28, y: 92, w: 30, h: 19 },
    { x: 185, y: 92, w: 40, h: 19 },
  ];
  const points = [
    [20, 100],
    [177, 100],
  ];
  const { moved, spots } = roomFor({ points, labels });
  assert.deepEqual([...moved.keys()], [1]);
  const hole = { x: 193, y: 93, w: 14, h: 14 };
  const label = { ...moved.get(1), w: 40, h: 19 };
  assert.ok(!cover(label, hole) && !cover(label, { ...spots[0], w: 43, h: 19 }));
  const [first] = labels;
  const own = roomFor({ points, labels: [{ ...first, x: 185 }, null] });
  assert.equal(own.moved.size, 0);
});

test("two words of each kind keep their labels while words travel, and the pressed word is one", () => {
  const words = [0, 0, 0, 1, 1, 1, 2].map((kind) => ({ kind }));
  assert.deepEqual(companions(0, words), [0, 1, 3, 4, 6]);
  assert.deepEqual(companions(5, words), [5, 3, 0, 1, 6]);
  const room = (n) => n !== 1;
  assert.deepEqual(companions(0, words, room), [0, 2, 3, 4, 6], "of those that have room");
  assert.deepEqual(companions(0, [{ kind: -1 }, { kind: -1 }]), [0, 1]);
});

test("words wait to be parted only while it is known where they stood before", () => {
  const after = (before) => {
    const plane = Object.create(WordPlane.prototype);
    const drawn = [];
    const own = { stop: () => (plane.waits = false), placeKinds() {}, hideNames() {}, rest() {} };
    const view = { data: { places: "now", before }, timed() {} };
    Object.assign(plane, own, { waits: true, view, lay: (places) => places.slice(), draw: (lay) => drawn.push(lay) });
    plane.layOut(false);
    return [plane.waits, ...drawn];
  };
  assert.deepEqual(after("before"), [true, "before"]);
  assert.deepEqual(after(null), [false, "now"], "of an untrained table, say");
});

test("in another size words stay where a hand has led them, and a film that played is over", () => {
  const after = (begin) => {
    const [plane, drawn] = [Object.create(WordPlane.prototype), []];
    const stage = { classList: { add() {}, remove() {}, toggle() {} } };
    const nodes = { stage, names: { style: {}, children: [] } };
    const view = {
      data: { places: [[1, 1]], before: [[0, 0]], words: [{ kind: 0 }] },
      at: 0,
      buttons: [],
      nodes,
      root: { dataset: {} },
    };
    const own = { placeKinds() {}, hideNames() {}, lay: (points) => ({ points, labels: [], sizes: [] }) };
    Object.assign(plane, own, { view: { ...view, timed: (share) => drawn.push(share) }, draw() {} });
    plane.layOut(false);
    begin(plane);
    plane.layOut(false);
    return drawn.at(-1);
  };
  assert.equal(after((plane) => plane.lead(0.4)), 0.4); // prettier-ignore
  assert.equal(after((plane) => plane.go(0.4)), 1, "nothing would lead them on"); // prettier-ignore
});

test("a press that comes when words have just come to rest does nothing until a second after that is seen", (t) => {
  const frames = [];
  globalThis.matchMedia = () => ({ matches: false });
  globalThis.requestAnimationFrame = (act) => frames.push(act);
  t.after(() => ["matchMedia", "requestAnimationFrame"].forEach((name) => delete globalThis[name]));
  let [now, started] = [5000, 0];
  t.mock.method(performance, "now", () => now);
  const plane = Object.create(WordPlane.prototype);
  Object.assign(plane, { view: { root: { dataset: {} }, timed() {} }, stop() {}, part: () => started++ }); // none asked
  plane.settle(true);
  now += 5000; // a slow machine
  plane.again();
  assert.equal(started, 0, "the button still says that it skips what is left");
  while (frames.length) frames.shift()(now);
  now += 900;
  plane.again();
  assert.equal(started, 0, "it was to skip what was left of the film");
  now += 200;
  plane.again();
  assert.equal(started, 1);
  plane.settle(false); // where nothing should move
  plane.again();
  assert.equal(started, 2);
});

test("six kinds have six shapes", () => {
  assert.equal(new Set([0, 1, 2, 3, 4, 5].map(markOf)).size, 6);
  assert.equal(markOf(-1), markOf(0), "a word of no kind has the plainest");
});

test("a kind has a name once most of its words are nearest to its middle, and no name covers another", () => {
  const size = [40, 20];
  const around = (x, y) => [[x - 9, y], [x + 9, y], [x, y - 9], [x, y + 9]]; // prettier-ignore
  const names = (...kinds) => partedNames(kinds, kinds.map(() => size)).map((box) => box && [box.x, box.y]); // prettier-ignore
  assert.deepEqual(names(around(100, 100), around(300, 100)), [[80, 90], [280, 90]]); // prettier-ignore
  assert.deepEqual(names(around(100, 100), around(130, 100)), [[80, 90], null], "the second has no room");
  const mixed = [[0, 0], [200, 0], [2, 0], [198, 0]]; // prettier-ignore
  assert.deepEqual(names(mixed, [[1, 0], [199, 0], [3, 0], [202, 0]], []), [null, null, null]); // prettier-ignore
});
