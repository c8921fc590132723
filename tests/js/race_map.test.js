// The race of trainings: where names stand, and which point of a track is nearest to a hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { lastSentences, told } from "../../pages/finetuning/components/continuations/continuations.js";
import { along, leader, nearest, placed } from "../../pages/finetuning/components/continuations/race_map.js";

const ROOM = [0, 0, 400, 300];
const boxes = (labels, corners) => corners.map(([l, t], n) => [l, t, l + labels[n].size[0], t + labels[n].size[1]]);
const meet = ([l, t, r, b], [l2, t2, r2, b2]) => l < r2 && l2 < r && t < b2 && t2 < b;

test("names of runners that stand on one place do not overlap, and stay in the room", () => {
  const discs = [
    [100, 100],
    [100, 100],
    [101, 101],
    [104, 99],
  ];
  const labels = discs.map((at) => ({ at, size: [90, 20] }));
  const all = boxes(labels, placed(labels, discs, [], ROOM));
  for (const [n, box] of all.entries()) {
    for (const other of all.slice(n + 1)) assert.ok(!meet(box, other));
    for (const [x, y] of discs) assert.ok(!meet(box, [x - 9, y - 9, x + 9, y + 9]));
    assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 400 && box[3] <= 300);
  }
});

test("a name stands at the right of its runner, unless the edge or a track is there", () => {
  const label = (at) => [{ at, size: [90, 20] }];
  assert.equal(placed(label([100, 100]), [[100, 100]], [], ROOM)[0][1], 90);
  assert.ok(placed(label([100, 100]), [[100, 100]], [], ROOM)[0][0] > 100);
  assert.ok(placed(label([390, 100]), [[390, 100]], [], ROOM)[0][0] < 300);
  const track = along([
    [100, 100],
    [300, 100],
  ]);
  const [x, y] = placed(label([100, 100]), [[100, 100]], track, ROOM)[0];
  assert.ok(x + 90 < 100 || y + 20 < 100 || y > 100);
});

test("a leader strikes no other name", () => {
  const discs = [
    [200, 150],
    [206, 156],
    [194, 158],
    [202, 144],
    [210, 150],
  ];
  const labels = discs.map((at) => ({ at, size: [80, 20] }));
  const corners = placed(labels, discs, [], ROOM);
  const all = boxes(labels, corners);
  corners.forEach((corner, n) => {
    const line = leader(discs[n], corner, labels[n].size);
    const points = line ? along(line, 4) : [];
    const others = all.filter((_, k) => k !== n);
    assert.ok(points.every(([x, y]) => others.every((box) => !meet(box, [x, y, x, y]))));
  });
});

test("points along a path leave no gap", () => {
  const points = along(
    [
      [0, 0],
      [30, 40],
      [30, 40],
    ],
    10,
  );
  assert.equal(points.length, 6);
  assert.deepEqual(points[1], [6, 8]);
});

test("a hand takes the nearest point of all tracks", () => {
  const tracks = [
    [
      [0, 0],
      [10, 0],
    ],
    [
      [0, 20],
      [10, 30],
    ],
  ];
  assert.deepEqual(nearest(tracks, [9, 27]), { track: 1, at: 1, distance: Math.hypot(1, 3) });
  assert.equal(nearest(tracks, [1, 1]).track, 0);
});

test("of a beginning its last two sentences are repeated", () => {
  assert.equal(lastSentences("mia: i found a hat. mia: where was your ball? tom:"), "mia: where was your ball? tom:");
  assert.equal(lastSentences("tom:"), "tom:");
});

test("a runner is told in one sentence, with what is its own set off", () => {
  const pieces = told("LoRA", 40, 0.94, 0.681);
  assert.equal(pieces.join(""), "After 40 steps, LoRA gets 94% right in new dialogues and 68% in old stories.");
  assert.deepEqual(
    pieces.filter((_, n) => n % 2),
    ["LoRA", "94%", "68%"],
  );
  assert.match(told("last layer", 40, 1, 1).join(""), /training the last layer gets 100%/);
  assert.match(told("LoRA", 0, 0, 1).join(""), /^Before step 1, LoRA gets 0% right/);
  assert.match(told("LoRA", 1, 0, 1).join(""), /^After 1 step, /);
});
