// The river of a layer: where its stations stand, in the whole and seen closely.
import assert from "node:assert/strict";
import { test } from "node:test";

import { laneAt, laneBeside, lanesOf, namesOf } from "../../pages/blocks/components/layer_river/lanes.js";
import {
  bandsOf,
  finding,
  fitting,
  lengthsTold,
  outlines,
  saidAt,
  stopsOf,
  toldOf,
} from "../../pages/blocks/components/layer_river/whole.js";
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

const layer = ["in", "norm1", "attention", "add1", "norm2", "feed_forward", "add2"].map((step, n) => ({
  step,
  main: step === "in" || step.startsWith("add"),
  lengths: [9, [3, 1, 4, 5, 1, 12, 13][n]],
}));
const room = { top: 100, deep: 200 };

test("each band is as thick as its share of what leaves, and they lie on one another", () => {
  const bands = bandsOf([0.05, 0.42, 0.53], 2, 1000, room);
  assert.deepEqual(
    bands.map(({ thick }) => Math.round(thick)),
    [10, 84, 106],
  );
  assert.equal(bands[0].y, 100);
  for (const n of [1, 2]) assert.ok(Math.abs(bands[n].y - bands[n - 1].y - bands[n - 1].thick) < 1e-9);
  assert.ok(bands[0].x === 0 && bands[1].x > 0 && bands[2].x > bands[1].x + 200, "one rises after the other");
  const [came, ...taken] = bandsOf([10.4, -5.2, -4.2], 2, 1000, room);
  assert.ok(came.thick > taken[0].thick && taken[0].thick > taken[1].thick);
  assert.ok(Math.abs(came.thick + taken[0].thick + taken[1].thick - 200) < 1e-9, "what takes away has its room too");
  assert.ok(bandsOf([1, 0, 0], 2, 1000, room)[1].thick >= 3, "what adds next to nothing is still seen");
  const plain = bandsOf(null, 2, 1000, room).map(({ thick }) => thick);
  assert.ok(plain[0] === plain[1] && plain[1] === plain[2], "where nobody can tell, none is thicker");
});

test("all bands end in one arrowhead, and those that are added come from below", () => {
  const bands = bandsOf([0.05, 0.42, 0.53], 2, 1000, room);
  const paths = outlines(bands, 1000, 400);
  assert.deepEqual(
    paths.map((d) => d.includes("L1000 200")),
    [false, false, true],
    "one of them has the tip",
  );
  assert.ok(paths[0].startsWith("M0 100") && paths.slice(1).every((d) => d.includes(" 400V")));
});

test("the guess is read where the stream stands still: after an addition, or after the norm behind it", () => {
  const steps = (stations) => stopsOf(stations).map(({ step }) => step);
  assert.deepEqual(steps(layer), ["in", "add1", "add2"]);
  const post = ["in", "attention", "add1", "norm1", "feed_forward", "add2", "norm2"];
  const isMain = (step) => !["attention", "feed_forward"].includes(step);
  assert.deepEqual(steps(post.map((step) => ({ step, main: isMain(step) }))), ["in", "norm1", "norm2"]);
});

const saidOf = (...stops) => stops.map(([word, chance]) => ({ words: ["a", word], chances: [1, chance] }));
const words = ["the", "red"];
const told = (...stops) => finding({ stations: layer, words, said: saidOf(...stops) }, 1);

test("the finding tells which sublayer changes the guess, and how sure the model is in the end", () => {
  const first = "Attention changes the guess from “red” to “hat”; feed-forward ";
  assert.equal(told(["red", 1], ["hat", 0.96], ["hat", 1]), `${first}makes it all but certain.`);
  assert.equal(told(["red", 1], ["hat", 0.96], ["hat", 0.99997]), `${first}makes it all but certain.`);
  assert.equal(told(["red", 1], ["hat", 0.96], ["hat", 0.98]), `${first}raises its chance to 98%.`);
  assert.equal(told(["red", 1], ["hat", 0.96], ["hat", 0.5]), `${first}lowers its chance to 50%.`);
  assert.equal(told(["red", 1], ["hat", 0.96], ["hat", 0.961]), `${first}leaves it at 96%.`);
  assert.equal(told(["red", 1], ["hat", 1], ["hat", 0.999999]), `${first}leaves it at 100%.`);
  assert.equal(
    told(["red", 1], ["red", 0.9], ["hat", 0.5]),
    "Attention keeps “red”; feed-forward changes the guess from “red” to “hat” (50%).",
  );
  assert.equal(
    told(["red", 1], ["cap", 0.9], ["hat", 0.5]),
    "Attention changes the guess from “red” to “cap”; feed-forward changes it to “hat” (50%).",
  );
  assert.equal(
    told(["red", 1], ["cap", 0.9], ["red", 0.5]),
    "Attention changes the guess from “red” to “cap”; feed-forward changes it back to “red” (50%).",
  );
  assert.equal(told(["red", 1], ["red", 0.9], ["red", 0.5]), "In this layer the guess stays “red”: from 100% to 50%.");
  assert.equal(told(["red", 1], ["red", 0.9], ["red", 1]), "In this layer the guess stays “red”, at 100%.");
});

test("a chance that is neither none nor certain is not said to be", () => {
  assert.match(told(["red", 1], ["hat", 0.96], ["hat", 0.997]), /raises its chance to 99\.7%\.$/);
  assert.match(told(["red", 1], ["hat", 0.96], ["hat", 0.001]), /lowers its chance to 0\.1%\.$/);
});

test("a model that answers at one token says a word there, and elsewhere its vector is told of", () => {
  const said = saidOf(["red", 1], ["hat", 0.96], ["hat", 0.5]);
  const data = { stations: layer, words, shares: null, said, speaks_at: 1 };
  assert.match(finding(data, 1), /^Attention changes the guess/);
  assert.match(finding(data, 0), /^Attention adds a vector of length/);
  assert.deepEqual(saidAt({ said }, 0), [
    ["a", 1],
    ["a", 1],
    ["a", 1],
  ]);
});

test("of a model without words the finding tells where what goes out comes from", () => {
  const data = { stations: layer, words, shares: [[], [0.23, 0.24, 0.53]] };
  assert.equal(finding(data, 1), "Most of what goes out is new: attention adds 24%, feed-forward adds 53%.");
  const kept = { ...data, shares: [[], [0.65, 0.37, -0.02]] };
  const less = "Attention adds 37%, feed-forward takes away 2%.";
  assert.equal(finding(kept, 1), `Most of what goes out came in like that: 65%. ${less}`);
  const adds = "Attention adds a vector of length 4.00, feed-forward one of length 12.0.";
  assert.equal(finding({ ...data, shares: null }, 1), adds);
  assert.equal(finding({ ...data, stations: layer.slice(0, 1) }, 1, "One vector comes in."), "One vector comes in.");
  const shorter = layer.map((station) => (station.step === "add2" ? { ...station, lengths: [9, 0.288] } : station));
  const shrunk = { stations: shorter, words, shares: [[], [10.4, -5.2, -4.2]] };
  assert.equal(finding(shrunk, 1), "This layer shortens the vector of “red” from 3.00 to 0.29.");
});

test("at an addition it is said why its lengths are no shares", () => {
  const data = { stations: layer, words, shares: [[], [0.05, 0.42, 0.53]] };
  const told = layer.map((_, n) => lengthsTold(data, 1, n));
  assert.deepEqual(
    told.map(Boolean),
    layer.map(({ step }) => step.startsWith("add")),
  );
  assert.match(told.at(-1), /Lengths do not add up: .+, what came in makes up 5%\.$/);
  assert.equal(lengthsTold({ ...data, shares: null }, 1, layer.length - 1), "");
});

test("who cannot see the bands hears what they add up to", () => {
  const data = { stations: layer, words, shares: [[], [0.05, 0.42, 0.53]] };
  const sum = "What goes out as “red” is a sum: 5% what came in + 42% attention + 53% feed-forward.";
  assert.equal(toldOf(data, 1, null), sum);
  const said = toldOf(data, 1, [
    ["red", 1],
    ["hat", 0.96],
  ]);
  assert.equal(said, `${sum} If it stopped on the way, the model would say “red” (100%), then “hat” (96%).`);
  assert.match(toldOf({ ...data, shares: null }, 1, null), /a sum: what came in \+ attention \+ feed-forward\.$/);
});

test("guesses shrink together until none touches the next, and no further than can be read", () => {
  const places = [
    [0, 0],
    [140, 0.5],
    [366, 1],
  ];
  assert.equal(fitting([40, 50, 60], places), 1, "there is room");
  const widths = [115, 115, 150];
  const share = fitting(widths, places);
  const edges = places.flatMap(([x, left], n) => [x - left * share * widths[n], x + (1 - left) * share * widths[n]]);
  assert.ok(share < 1 && share > 0.6);
  assert.ok(edges[2] - edges[1] > 15 && edges[4] - edges[3] > 15);
  assert.equal(fitting([400, 400, 400], places), 0.5);
  assert.equal(fitting([0, 0, 0], places), 1, "what is not laid out yet");
});
