// What one layer makes of a token: the whole of it, and the numbers and sentences of its stations.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bandsOf,
  finding,
  fitting,
  outlines,
  saidAt,
  stopsOf,
  toldOf,
} from "../../pages/blocks/components/layer_river/whole.js";
import {
  flipsOf,
  halfway,
  longestOf,
  openedAt,
  openOf,
  spanOf,
} from "../../pages/blocks/components/layer_river/pipes.js";
import {
  firstGuesses,
  guessesAround,
  normLengths,
  noteAt,
  stopAt,
  toldAt,
  triangle,
} from "../../pages/blocks/components/layer_river/told.js";

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
  assert.equal(told(["red", 1], ["hat", 0.99997], ["hat", 0.9992]), `${first}lowers its chance to 99.9%.`);
  assert.equal(told(["red", 1], ["hat", 0.9992], ["hat", 0.9997]), `${first}raises its chance to more than 99.9%.`);
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

// ---- the walk ----------------------------------------------------------------------------------------------------

/** The lengths of both tokens after each step, and where they lead. */
const walked = {
  words,
  said: saidOf(["red", 0.998], ["hat", 0.96], ["hat", 0.9997]),
  width: 128,
  left_out: 0,
  n_heads: 2,
  weights: [
    [1, 0],
    [0.4, 0.6],
  ],
  seen: [null, { source: 0, word: "the", share: 0.4, head: 0, given: 0.75 }],
  heads: [
    [
      [1, 0],
      [0.75, 0.25],
    ],
    [
      [1, 0],
      [0.05, 0.95],
    ],
  ],
  units: { n: 512, drawn: 512, awake: [9, 213], half: [2, 15] },
  stations: [
    ["in", [12, 3]],
    ["norm1", [2, 2.2]],
    ["attention", [1, 4]],
    ["add1", [12, 5]],
    ["norm2", [2, 2]],
    ["feed_forward", [1, 12]],
    ["add2", [12, 13]],
  ].map(([step, lengths]) => ({
    step,
    lengths,
    main: step === "in" || step.startsWith("add"),
    label: step === "feed_forward" ? "Feed-forward" : "Attention",
    help: `What ${step} does.`,
  })),
};
const toldOfStation = (n, more = {}, lane = 1) => toldAt({ ...walked, ...more }, n, lane);

test("where the layer begins it is told how many tokens would only repeat themselves", () => {
  assert.deepEqual(
    firstGuesses(walked).map(({ says, isSame }) => [says, isSame]),
    [
      ["a", false],
      ["red", true],
    ],
  );
  const stopped = "If the model stopped here, ";
  assert.equal(toldOfStation(0), `${stopped}1 of 2 tokens would only repeat itself: “red” says “red”.`);
  assert.equal(
    toldOfStation(0, {}, 0),
    `${stopped}1 of 2 tokens would only repeat itself, but “the” already says “a”.`,
  );
  const others = saidOf(["hat", 1], ["hat", 1], ["hat", 1]);
  assert.equal(
    toldOfStation(0, { said: others }),
    `${stopped}no token would only repeat itself: “red” already says “hat”.`,
  );
  assert.equal(
    firstGuesses({ ...walked, speaks_at: 1 }),
    null,
    "one that answers at one token says a word there alone",
  );
  assert.match(toldOfStation(0, { speaks_at: 1 }), /^“red” comes in as 128 numbers\. If .+ it would say “red”\.$/);
  assert.equal(
    toldOfStation(0, { said: null }),
    "“red” comes in as 128 numbers, a vector of length 3.00; the longest, that of “the”, has 12.0.",
  );
  const alone = (word) => ({ words: ["red"], said: [{ words: [word], chances: [1] }] });
  assert.equal(toldOfStation(0, alone("red"), 0), `${stopped}“red” would only repeat itself.`);
  assert.equal(toldOfStation(0, alone("hat"), 0), `${stopped}“red” would say “hat”.`);
});

test("a norm is told by how far it evens the lengths out, of the stream that it reads", () => {
  assert.equal(
    toldOfStation(1),
    "The longest vector is 4.0 times as long as the shortest; after the norm, only 1.1 times.",
  );
  assert.match(toldOfStation(4), /^The longest vector is 2\.4 times .+; after the norm, all are equally long\.$/);
  assert.deepEqual(
    normLengths({ ...walked, parallel: true }, 4).before,
    [12, 3],
    "side by side, both read what came in",
  );
  const alone = walked.stations.map((station) => ({ ...station, lengths: station.lengths.slice(1) }));
  assert.match(toldOfStation(1, { stations: alone, words: ["red"] }, 0), /“red” from length 3\.00 to 2\.20\.$/);
});

test("lengths that are the same as written are not told as different ones", () => {
  const norm = (before, after) => {
    const lengths = [before, after];
    const stations = walked.stations.map((station, at) => (at < 2 ? { ...station, lengths: lengths[at] } : station));
    return toldOfStation(1, { stations });
  };
  const twice = "he longest vector is 2.0 times as long as the shortest";
  assert.equal(norm([4.04, 2], [4, 2]), `T${twice}, before the norm and after it.`);
  assert.equal(norm([4, 2], [2.04, 2]), `T${twice}; after the norm, all are about equally long.`);
  assert.equal(norm([2.02, 2], [4, 2]), `The vectors come in about equally long; t${twice} after the norm.`);
  assert.equal(norm([2.02, 2], [2, 2]), "The vectors come in about equally long, and the norm leaves them so.");
});

test("of attention it is told which other token gets most, and through which head", () => {
  assert.equal(toldOfStation(2), "“red” gives “the” 40% of its attention; head 0 gives it 75%.");
  assert.equal(toldOfStation(2, {}, 0), "In this layer, “the” gives its attention only to itself.");
  const own = (weight) => toldOfStation(2, { weights: [[weight, 0], walked.weights[1]] }, 0);
  assert.equal(own(0.993), "In this layer, “the” gives its attention nearly only to itself.");
  assert.equal(own(0), "In this layer, “the” may look at nothing, so it gathers nothing.");
  assert.equal(toldOfStation(2, { heads: [walked.heads[0]] }), "“red” gives “the” 40% of its attention.");
  const beyond = { seen: [null, { source: 30, word: "[SEP]", share: 0.6, head: 0, given: 0.75 }] };
  assert.match(toldOfStation(2, beyond), /^“red” gives “\[SEP\]”, which is not drawn, 60% of its attention;/);
  assert.doesNotMatch(noteAt(walked, 2, 1), /not drawn/);
  const cut = {
    ...walked,
    weights: [
      [1, 0],
      [0.1, 0.3],
    ],
  };
  assert.match(noteAt(cut, 2, 1), / 60% goes to tokens that are not drawn\.$/);
});

test("an addition is the triangle of its three lengths, and turns the stream by its angle", () => {
  const { angle, met, push, sum } = triangle(walked, 3, 1);
  assert.deepEqual([met, push, sum], [3, 4, 5]);
  assert.ok(Math.abs(angle - (Math.atan2(4, 3) * 180) / Math.PI) < 1e-9, "a right angle lies between both");
  const turns = "What attention gathered turns the stream by 53°";
  assert.equal(toldOfStation(3), `${turns}, and the guess from “red” to “hat”.`);
  assert.equal(toldOfStation(3, { said: null }), `${turns}: its length was 3.00 and is now 5.00.`);
  assert.match(toldOfStation(6), /^What feed-forward worked out .+; “hat” rises from 96% to >99\.9%\.$/);
  const kept = saidOf(["hat", 0.96], ["hat", 0.96], ["hat", 0.5]);
  assert.match(toldOfStation(3, { said: kept }), /; the guess stays “hat”, at 96%\.$/);
  assert.match(toldOfStation(6, { said: kept }), /; “hat” falls from 96% to 50%\.$/);
  const nothing = walked.stations.map((station) => ({ ...station, lengths: [0, 0] }));
  assert.equal(toldOfStation(3, { stations: nothing }), "What add1 does.");
});

test("of the hidden units it is told how many are awake and how few do half of the work", () => {
  const count = "Of 512 hidden units, 213 are awake for “red”";
  assert.equal(toldOfStation(5), `${count}, but just 15 do half of the work.`);
  const units = (half) => ({ units: { ...walked.units, half: [1, half] } });
  assert.equal(toldOfStation(5, units(1)), `${count}, but a single one does half of the work.`);
  assert.equal(toldOfStation(5, units(null)), `${count}.`);
});

test("with a norm behind each addition the guess is read behind the norm", () => {
  const post = ["in", "attention", "add1", "norm1"].map((step) => ({ step, main: step !== "attention" }));
  assert.deepEqual(
    post.map((_, n) => stopAt(post, n)),
    [0, 0, 0, 1],
  );
  assert.equal(guessesAround({ stations: post, said: walked.said }, 2, 1), null);
  assert.deepEqual(guessesAround(walked, 3, 1), [
    ["red", 0.998],
    ["hat", 0.96],
  ]);
});

test("the line below a picture tells what is cut, and that only direction decides where a word is read", () => {
  assert.match(noteAt(walked, 3, 1), /^Drawn to scale.+ Only direction decides the guess/);
  assert.match(noteAt({ ...walked, said: null }, 3, 1), /^Drawn to scale[^.]+\.$/);
  assert.match(noteAt({ ...walked, n_heads: 12 }, 2, 1), /the first 2 of 12 heads\.$/);
  assert.match(noteAt({ ...walked, units: { n: 2048, drawn: 1024 } }, 5, 1), /the first 1,024 units\.$/);
});

// ---- the pipes -----------------------------------------------------------------------------------------------------

/** What is said of one token as attention opens; with feed-forward open, too, it is said from a tenth earlier. */
const TENTHS = Array.from({ length: 11 }, (_, n) => n);
const SAID = {
  words: ["red", "hat"],
  said: [
    TENTHS.map((a) => [Number(a >= 5)]),
    ...TENTHS.map((a) => TENTHS.map((b) => [Number(a >= (b === 10 ? 4 : 5))])),
  ],
  chances: [TENTHS.map(() => [0.9]), ...TENTHS.map(() => TENTHS.map(() => [0.7]))],
};

test("what is open so far says its word after each addition, and the whole is the layer's own", () => {
  assert.deepEqual(openedAt(SAID, 0, [4, 10]), [
    ["red", 0.9],
    ["hat", 0.7],
  ]);
  const said = [
    { words: ["red"], chances: [1] },
    { words: ["hat"], chances: [0.96] },
    { words: ["hat"], chances: [0.99] },
  ];
  assert.deepEqual(
    saidAt({ said, opened: SAID }, 0, [4, 0]).map(([word]) => word),
    ["red", "red", "red"],
  );
  assert.deepEqual(saidAt({ said, opened: SAID }, 0, [10, 10])[2], ["hat", 0.99]);
});

test("a sentence asks while both are shut, and tells how far they are open; the word flips at a tenth", () => {
  const told = (...open) => halfway({ opened: SAID }, 0, open);
  assert.equal(told(0, 0), "What comes in says “red”. How far must attention open to change that?");
  assert.equal(told(4, 0), "Attention 40% open, feed-forward shut: “red”, 70% sure.");
  assert.equal(told(5, 0), "Attention half open, feed-forward shut: “hat”, 70% sure.");
  assert.ok(longestOf(SAID).some((text) => text.length >= told(10, 3).length));
  assert.deepEqual(flipsOf(SAID, 0, [0, 0], 0), [[5, "hat"]]);
  assert.deepEqual(flipsOf(SAID, 0, [9, 10], 0), [[4, "hat"]], "with feed-forward, less of attention will do");
  assert.deepEqual(flipsOf(SAID, 0, [4, 0], 1), [[10, "hat"]]);
  assert.deepEqual(flipsOf(SAID, 0, [7, 0], 1), []);
});

test("a link says how far both are open, and a thin band has room for a hand", () => {
  assert.deepEqual(openOf("30-100"), [3, 10]);
  for (const text of [null, "", "30", "35-0", "110-0", "-10-0", "30-100-0"]) assert.deepEqual(openOf(text), [0, 0]);
  assert.deepEqual([spanOf(3), spanOf(90)], [60, 90]);
});

test("a band that is open in part keeps its place in the whole one", () => {
  const bands = bandsOf([0.05, 0.42, 0.53], 2, 1000, room);
  const [whole, part] = [
    [1, 1],
    [0.5, 1],
  ].map((open) => outlines(bands, 1000, 400, open));
  assert.deepEqual([part[0], part[2]], [whole[0], whole[2]]);
  assert.notEqual(part[1], whole[1]);
  assert.equal(part[1].slice(0, 20), whole[1].slice(0, 20), "its outer edge");
});
