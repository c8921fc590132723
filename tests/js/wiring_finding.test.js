// What a wiring comes to, in a sentence.
import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest } from "../../pages/masks/components/wiring_plugs/cables.js";
import { finding, isOf, telling } from "../../pages/masks/components/wiring_plugs/finding.js";
import { plan } from "../../pages/masks/components/wiring_plugs/wiring_plugs.js";

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
const alike = { rows: ["a", "⟨end⟩"], columns: ["a"], weights: [[1], [1]] };
const of = (queries, keys, values) => ({ queries, keys, values });

test("the look that is told is the strongest of a word at another, of the longest word among equals", () => {
  assert.deepEqual(telling(map), { row: "chapeau", column: "hat", weight: 0.999 });
  const other = { ...map, weights: [map.weights[0], [0, 0.9, 0.1], [0, 0.6, 0.4], [0, 0, 1]] };
  assert.equal(telling(other).row, "trouvé");
  assert.equal(telling(alike), null);
  const start = {
    rows: ["a", "b"],
    columns: ["⟨start⟩", "a"],
    weights: [
      [0.9, 0.1],
      [0.4, 0.6],
    ],
  };
  assert.deepEqual(telling(start), { row: "b", column: "a", weight: 0.6 }, "a mark is not found either");
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

test("plugged into the encoder, the finding tells who looks at whom", () => {
  const cross = { ...data, sources: of("decoder", "encoder", "encoder"), out: 4, home: "decoder", name: "cross" };
  const said = "“chapeau” finds “hat” with weight 1.00.";
  const written = { ...map, writes: true };
  const looks = "To write “chapeau”, the decoder looks at “hat”.";
  assert.equal(finding(cross, written, true), `${looks} Pull the English out: what will it write?`);
  assert.equal(finding(cross, written, true, true), looks, "nobody is asked for what stands below");
  assert.equal(finding({ ...cross, written: {} }, written, true), looks, "nor where no English can be pulled out");
  assert.equal(finding({ ...cross, written: {} }, map, true), `The decoder asks, the encoder answers: ${said}`);
});

test("each other wiring says what comes of it", () => {
  const own = { ...data, sources: of("decoder", "decoder", "decoder"), out: 4, home: "decoder", name: "self" };
  assert.match(
    finding(own, map, true),
    /^Without the English, the decoder reads only its own text and writes something else\.$/,
  );
  const same = { ...own, written: { encoder: "mia", decoder: "mia" } };
  assert.match(finding(same, map, true), /and still writes the same\.$/);
  assert.match(finding({ ...own, written: {} }, map, true), /^The decoder reads itself: “chapeau” finds “hat”/);
  const broken = { ...data, sources: of("decoder", "encoder", "decoder"), out: null, home: "decoder", name: "" };
  const unmatched = "Each key needs its own value: 3 keys, 4 values.";
  assert.equal(finding(broken, map, false), unmatched);
  const small = { ...data, sources: of("encoder", "decoder", "decoder"), out: 3, home: "decoder", name: "" };
  assert.match(finding(small, map, true), /^3 vectors come out, but the decoder has 4 words/);
  const equal = { ...small, lengths: { encoder: 3, decoder: 3 } };
  assert.match(finding(equal, map, true), /^It runs, and it is wrong/);
});

test("as long as the server has not answered, nothing is said of streams that are mixed", () => {
  const mixed = { ...data, out: undefined, home: "decoder", name: "" };
  assert.equal(finding({ ...mixed, sources: of("encoder", "decoder", "decoder") }, map, true), "…");
  assert.equal(finding({ ...mixed, sources: of("decoder", "decoder", "encoder") }, map, true), "…");
  assert.match(
    finding({ ...mixed, sources: of("encoder", "encoder", "encoder") }, map, true),
    /^The encoder reads itself/,
  );
});

test("where no word looks at a different one, the finding says so", () => {
  const none = "no word looks most at a different word.";
  const cross = { ...data, sources: of("decoder", "encoder", "encoder"), out: 2, home: "decoder", name: "cross" };
  const lengths = { encoder: 2, decoder: 2 };
  assert.equal(finding({ ...cross, lengths }, alike, true), `The decoder reads the encoder: ${none}`);
  const self = { ...cross, lengths, sources: of("decoder", "decoder", "decoder"), written: {} };
  assert.equal(finding(self, alike, true), `The decoder reads itself: ${none}`);
});

test("of one there is no plural", () => {
  const one = { ...data, lengths: { encoder: 1, decoder: 3 }, home: "decoder", name: "" };
  const mixed = (...streams) => finding({ ...one, written: {}, sources: of("decoder", ...streams) }, alike, false);
  const few = mixed("encoder", "decoder");
  assert.equal(few, "Each key needs its own value: 1 key, 3 values.");
  const many = mixed("decoder", "encoder");
  assert.equal(many, "Each key needs its own value: 3 keys, 1 value.");
  assert.equal(
    finding({ ...one, sources: of("encoder", "decoder", "decoder"), out: 1 }, alike, true),
    "1 vector comes out, but the decoder has 3 words: it cannot be added to its stream.",
  );
});

test("two choices of streams are the same where every port has the same", () => {
  assert.ok(isOf(of("decoder", "encoder", "encoder"), { keys: "encoder", values: "encoder" }));
  assert.ok(!isOf(of("decoder", "decoder", "encoder"), { keys: "encoder", values: "encoder" }));
});

test("a cable that is let go ends where it is nearest", () => {
  const ends = { encoder: [0, 0], decoder: [0, 100], socket: [100, 50] };
  assert.equal(nearest([10, 20], ends), "encoder");
  assert.equal(nearest([10, 80], ends), "decoder");
  assert.equal(nearest([90, 45], ends), "socket");
});

test("what is written stands above the streams and the map, whatever the width", () => {
  const words = { encoder: ["mia", "found"], decoder: ["⟨start⟩", "mia", "trouvé"] };
  const parts = [
    ["big", "mia a trouvé un chapeau rouge", "With K and V from the English, it writes"],
    ["other", "les chiens courent", "With K and V from its own text, it writes"],
  ];
  for (const width of [1220, 346]) {
    const { home, at, room, H } = plan(width, 450, words, parts);
    const lowest = home.y + Math.max(...home.lines.map(({ y }) => y));
    assert.ok(lowest < Math.min(at.encoder.y, at.decoder.y, room.y), String(width));
    assert.ok(H >= room.y + room.h && H >= at.decoder.y + at.decoder.h);
  }
});
