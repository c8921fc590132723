// The river of a layer: where its stations stand, in the whole and seen closely.
import assert from "node:assert/strict";
import { test } from "node:test";

import { laneAt, laneBeside, lanesOf, namesOf } from "../../pages/blocks/components/layer_river/lanes.js";
import { apart, fanOf, finding, fitted, saidAt, toldOf } from "../../pages/blocks/components/layer_river/fan.js";
import { strongest } from "../../pages/blocks/components/layer_river/vectors.js";
import { riverPlaces } from "../../pages/blocks/components/layer_river/layer_river.js";

const stations = ["in", "norm1", "attention", "add1"].map((step) => ({ step, main: step === "in" || step === "add1" }));
const whole = ({ from, x, width }) => x + width - from;

test("stations stand side by side and fill the width", () => {
  const places = riverPlaces(stations, 1000);
  assert.equal(places[0].from, 0);
  for (let n = 1; n < places.length; n++)
    assert.ok(Math.abs(places[n].from - (places[n - 1].x + places[n - 1].width)) < 1e-9);
  assert.ok(Math.abs(places.at(-1).x + places.at(-1).width - 1000) < 1e-9);
});

test("seen closely, one takes what the others give", () => {
  const [far, near] = [undefined, (n) => (n === 2 ? 4 : 0.3)].map((scale) => riverPlaces(stations, 1000, scale));
  assert.ok(whole(near[2]) > 1.7 * whole(far[2]));
  assert.ok([0, 1, 3].every((n) => whole(near[n]) < whole(far[n])));
  assert.ok(Math.abs(near.at(-1).x + near.at(-1).width - 1000) < 1e-9);
});

test("the lane that is followed has two thirds of the height, of many and of few", () => {
  for (const [n, large] of [
    [17, 4],
    [17, 16],
    [4, 1],
    [1, 0],
  ]) {
    const tops = lanesOf(n, 430, large);
    const heights = tops.slice(1).map((end, lane) => end - tops[lane]);
    assert.ok(heights[large] >= 0.65 * 430);
    assert.ok(heights.every((height, lane) => lane === large || height < 0.12 * heights[large]));
    assert.ok(Math.abs(tops.at(-1) - 430) < 1e-9, "they fill the height");
  }
  const tops = lanesOf(17, 430, 4);
  assert.deepEqual(
    [laneAt(tops, tops[4] + 1), laneAt(tops, tops[5] - 1), laneAt(tops, -1), laneAt(tops, 999)],
    [4, 4, -1, -1],
  );
  const fingers = lanesOf(17, 264, 4, 13);
  assert.ok(fingers[1] - fingers[0] === 13, "on a phone a finger finds each of them");
});

test("those that are looked at most are named, and their names keep apart", () => {
  const weights = Array(17).fill(0.01);
  Object.assign(weights, { 13: 0.2, 14: 0.3, 15: 0.25, 3: 0.1, 16: 0.4 });
  const tops = lanesOf(17, 430, 16);
  const names = namesOf(tops, weights, 16);
  assert.deepEqual(
    names.map(([lane]) => lane),
    [13, 14, 15],
    "the followed token itself is named anyway",
  );
  const at = names.map(([lane, by]) => (tops[lane] + tops[lane + 1]) / 2 + by);
  assert.ok(at[1] - at[0] >= 18 && at[2] - at[1] >= 18 && at[2] <= tops[16]);
  const [[above], [below]] = [namesOf(lanesOf(9, 430, 4), [0.3, 0, 0, 0, 0.4, 0, 0, 0, 0.3], 4)].flatMap((two) => [
    two.filter(([lane]) => lane < 4),
    two.filter(([lane]) => lane > 4),
  ]);
  assert.deepEqual([above[0], below[0]], [0, 8]);
});

test("of hidden units the strongest are drawn, in their own order", () => {
  assert.deepEqual(strongest([0, 3, 0, -5, 1, 0], 3), [3, -5, 1]);
  assert.deepEqual(strongest([1, 2], 9), [1, 2]);
});

test("arrow keys lead to the lane above and below, and not beyond", () => {
  assert.deepEqual([laneBeside("ArrowUp", 3, 5), laneBeside("ArrowDown", 3, 5), laneBeside("Home", 3, 5)], [2, 4, 0]);
  assert.deepEqual(
    [laneBeside("ArrowUp", 0, 5), laneBeside("ArrowDown", 4, 5), laneBeside("x", 2, 5)],
    [null, null, null],
  );
});

const turns = [
  { step: "attention", met: [9, 3], push: [9, 4], whole: [9, 5], turn: [9, (Math.acos(3 / 5) * 180) / Math.PI] },
  { step: "feed_forward", met: [9, 5], push: [9, 12], whole: [9, 13], turn: [9, (Math.acos(5 / 13) * 180) / Math.PI] },
];
const length = ({ from, to }) => Math.hypot(to[0] - from[0], to[1] - from[1]);

test("each addition is a triangle of true lengths and angles, and the next one stands on it", () => {
  const arrows = fanOf(turns, 1);
  assert.deepEqual(
    arrows.map(({ kind, step }) => `${kind} ${step}`),
    ["in in", "push attention", "sum add1", "push feed_forward", "out add2"],
  );
  for (const arrow of arrows) assert.ok(Math.abs(length(arrow) - arrow.length) < 1e-9, "drawn as long as it is");
  assert.deepEqual(arrows[1].from, arrows[0].to, "what is added begins where what it is added to ends");
  assert.deepEqual(arrows[2].to, arrows[1].to);
  const degrees = ({ to: [x, y] }) => (Math.atan2(y, x) * 180) / Math.PI;
  assert.ok(Math.abs(degrees(arrows[0]) - degrees(arrows[2]) - turns[0].turn[1]) < 1e-9);
  assert.ok(Math.abs(degrees(arrows[2]) - degrees(arrows[4]) - turns[1].turn[1]) < 1e-9);
});

test("where a norm stands between two additions, its arrow is another", () => {
  const normed = [turns[0], { ...turns[1], met: [9, 2] }];
  const arrows = fanOf(normed, 1);
  assert.equal(arrows[3].kind, "scaled");
  assert.ok(Math.abs(length(arrows[3]) - 2) < 1e-9);
});

test("arrows are as large as they fit", () => {
  const pads = { left: 10, right: 20, top: 30, bottom: 40 };
  const points = [
    [0, 0],
    [-2, 6],
    [8, 3],
  ];
  const { place } = fitted(points, 530, 370, pads);
  const placed = points.map(place);
  for (const [x, y] of placed) assert.ok(x >= 10 && x <= 510 && y >= 30 && y <= 330);
  assert.deepEqual([placed[2][0] - placed[1][0], placed[0][1] - placed[1][1]], [500, 300], "as true as they were");
});

const saidOf = (...tips) => tips.map(([word, chance]) => ({ words: ["a", word], chances: [1, chance] }));
const told = (...tips) => finding({ turns, words: ["the", "red"], said: saidOf(...tips) }, 1);

test("the finding tells which sublayer changes the word, and how sure the model is in the end", () => {
  assert.equal(
    told(["red", 1], ["hat", 0.96], ["hat", 0.9999]),
    "Attention turns “red” into “hat”; feed-forward makes it 100% sure.",
  );
  assert.match(told(["red", 1], ["hat", 0.96], ["hat", 0.5]), /feed-forward leaves it 50% sure\.$/);
  assert.equal(
    told(["red", 1], ["red", 0.9], ["hat", 0.5]),
    "Attention keeps “red”; feed-forward turns “red” into “hat” (50%).",
  );
  assert.equal(
    told(["red", 1], ["cap", 0.9], ["hat", 0.5]),
    "Attention turns “red” into “cap”; feed-forward turns that into “hat” (50%).",
  );
  assert.equal(
    told(["red", 1], ["red", 0.9], ["red", 0.5]),
    "In this layer the word stays “red”: 100% sure before it, 50% after it.",
  );
});

test("a chance that is neither none nor certain is not said to be", () => {
  assert.match(told(["red", 1], ["hat", 0.96], ["hat", 0.997]), /makes it 99\.7% sure\.$/);
  assert.match(told(["red", 1], ["hat", 0.96], ["hat", 0.001]), /leaves it 0\.1% sure\.$/);
});

test("a model that answers at one token says a word there, and elsewhere its vector is told of", () => {
  const said = saidOf(["red", 1], ["hat", 0.96], ["hat", 0.5]);
  const data = { turns, words: ["the", "red"], shares: null, said, speaks_at: 1 };
  assert.match(finding(data, 1), /^Attention turns “red” into “hat”/);
  assert.match(finding(data, 0), /^To “the” attention adds/);
  assert.deepEqual(saidAt({ said }, 0), [
    ["a", 1],
    ["a", 1],
    ["a", 1],
  ]);
});

test("of a model without words the finding tells what is added, and how much of what leaves is the layer's own", () => {
  const data = { turns, words: ["the", "red"], shares: [[], [0.23, 0.24, 0.53]] };
  const adds = "attention adds 4.00, feed-forward adds 12.0";
  assert.equal(finding(data, 1), `77% of what leaves this layer as “red” was made in it: ${adds}.`);
  const kept = { ...data, shares: [[], [0.65, 0.36, -0.01]] };
  assert.equal(finding(kept, 1), `65% of “red” passes this layer as it came: ${adds}.`);
  assert.equal(finding({ ...data, shares: null }, 1), `To “red” ${adds}.`);
  assert.equal(finding({ ...data, turns: [] }, 1, "One vector comes in."), "One vector comes in.");
  const shorter = turns.map((turn) => ({ ...turn, whole: [9, 0.288] }));
  const less = { turns: shorter, words: ["the", "red"], shares: [[], [10.4, -5.2, -4.2]] };
  assert.equal(finding(less, 1), `This layer shortens “red” from 3.00 to 0.29: ${adds}.`);
});

test("words at the tips stand on their own sides, and none over another", () => {
  const size = [80, 60];
  const [free] = apart([{ at: [300, 300], degrees: 0, size }], 900);
  assert.ok(free[0] > 340 && Math.abs(free[1] - 300) < 1e-9, "to the right of its point");
  const boxes = [0, 4, 8].map((by) => ({ at: [300 + by, 300], degrees: 80, size }));
  const places = apart(boxes, 900);
  for (const [n, [x, y]] of places.entries())
    for (const [x2, y2] of places.slice(n + 1)) assert.ok(Math.abs(x - x2) >= 80 || Math.abs(y - y2) >= 60);
  assert.ok(apart([{ at: [890, 300], degrees: 0, size }], 900)[0][0] <= 860, "within the drawing");
});

test("who cannot see the arrows hears what each of them is", () => {
  const arrows = fanOf(turns, 1);
  const long = "comes in with length 3.00, attention adds 4.00, which makes 5.00, feed-forward adds 12.0";
  const begins = "The vector of “red”, drawn as arrows: ";
  assert.equal(toldOf("red", arrows, true), `${begins}${long}, it leaves with length 13.0.`);
  assert.equal(toldOf("red", arrows, false), `${begins}${long}, which makes 13.0.`);
  const words = toldOf("red", arrows, true, [
    ["red", 1],
    ["hat", 0.96],
  ]);
  assert.match(words, /If it stopped at their tips, the model would say “red” \(100%\), then “hat” \(96%\)\.$/);
  const normed = fanOf([turns[0], { ...turns[1], met: [9, 2] }], 1);
  assert.match(toldOf("red", normed, false), /which makes 5\.00, a norm makes its length 2\.00, feed-forward adds/);
});
