// The pure functions of the components, against properties and numbers that were worked out by hand.
import assert from "node:assert/strict";
import { test } from "node:test";

import { hand, reachOf } from "../../pages/attention/components/attention_steps/held_row.js";
import { Tuner } from "../../pages/attention/components/attention_steps/tuner.js";
import { readable, share, short, softmax } from "../../pages/attention/components/attention_steps/stages.js";
import { changed, outcome, taskOf, winners, worked } from "../../pages/attention/components/share_bars/answer.js";
import {
  moved,
  onward,
  printedPlace,
  beside,
  sharesAt as sharesOfMix,
  weightsAt,
} from "../../pages/attention/components/share_bars/mixing.js";
import { wholePercent } from "../../attention_view/lab.js";
import { hull } from "../../lab/kit/components/hull.js";
import { tokensAfter } from "../../pages/embeddings/components/token_machine/cutting.js";
import { arc, summary } from "../../pages/overview/components/word_row.js";
import { ladder } from "../../pages/overview/components/guess/bars.js";
import { forkOf } from "../../pages/overview/components/guess/fork.js";
import {
  called,
  favourite,
  flip,
  lookedSaid,
  restsOn,
  rival,
  verdict,
} from "../../pages/overview/components/guess/said.js";
import { around, placeLabels } from "../../pages/embeddings/components/word_map/placing.js";
import { pack } from "../../pages/masks/components/mask_brush/masks.js";
import { wedge } from "../../pages/positions/components/position_code/reading.js";
import { placeOf, score } from "../../pages/translation/components/beam_tree/beam_tree.js";
import {
  ASKED,
  comparison,
  following,
  inBytes,
  hauled,
  nearest,
  onTheWay,
  SIZE,
  times,
  unitFor,
} from "../../pages/why/components/area/sizes.js";
import { beadOf, heard, told, wayTo } from "../../pages/why/components/race/race.js";

const near = (a, b, within = 1e-12) => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);
/** Numbers from 0 to 1 that are the same in every run. */
const random = (seed) => () => (seed = (seed * 16807) % 2147483647) / 2147483647;

test("what softmax makes of matches, who wins, and what is asked of the hand", () => {
  const { shares, powers } = worked([4, 2, 6], 2);
  assert.deepEqual(powers, [2, 1, 3].map(Math.exp));
  near(
    shares.reduce((sum, share) => sum + share),
    1,
  );
  near(shares[2] / shares[1], Math.exp(2), 1e-9);
  assert.equal(outcome([4, 2, 6], shares), "Key 3 matches 3 times as well as key 2, but gets 7.4 times the attention.");
  const none = worked([0, 8, 4], 2).shares;
  assert.equal(outcome([0, 8, 4], none), "Key 2 gets 0.87; key 1 matches nothing, and still gets some.");
  assert.deepEqual([[4, 2, 6], [6, 2, 6]].map(winners), [[2], [0, 2]]); // prettier-ignore
  assert.equal(taskOf([4, 2, 6], [4, 2, 6]), " Drag key 2 up until it wins.");
  assert.equal(taskOf([4, 2, 6], [4, 6, 6]), " Drag key 2 up until it wins.", "a draw is no win");
  assert.equal(taskOf([4, 2, 6], [4, 7, 6]), "");
  const now = { match: 8, share: 0.665 };
  assert.equal(changed(1, { match: 2, share: 0.09 }, now), "Match 8 instead of 2: key 2 gets 0.67 instead of 0.09.");
  const asBefore = { match: 2, share: 0.05 };
  const told = "Match 2, as before: key 2 gets 0.05 instead of 0.09.";
  assert.equal(changed(1, { match: 2, share: 0.09 }, asBefore), told, "another match was moved");
});

test("shares always add up to 1, and the others keep their proportions", () => {
  const next = random(7);
  for (let n = 2; n < 9; n++) {
    const raw = Array.from({ length: n }, next);
    const shares = raw.map((x) => x / raw.reduce((a, b) => a + b));
    const after = moved(shares, 1, 0.3);
    near(
      after.reduce((a, b) => a + b),
      1,
    );
    assert.equal(after[1], 0.3);
    if (n > 2) near(after[0] / after[2], shares[0] / shares[2], 1e-9);
  }
  assert.deepEqual(moved([1, 0, 0], 0, 0.5), [0.5, 0.25, 0.25], "who had nothing shares alike");
});

test("the shares of three values follow from where their mix lies", () => {
  const points = [
    [4, 0],
    [0, 4],
    [1, 1],
  ];
  for (const shares of [
    [0.5, 0.25, 0.25],
    [0.125, 0.125, 0.75],
  ]) {
    const mix = [0, 1].map((d) => points.reduce((sum, p, j) => sum + shares[j] * p[d], 0));
    sharesOfMix(points, mix).forEach((share, j) => assert.ok(Math.abs(share - shares[j]) < 1e-9));
  }
  assert.deepEqual(sharesOfMix(points, [9, -5]), [1, 0, 0], "outside it stays in the triangle");
  assert.equal(
    sharesOfMix(
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      [1, 1],
    ),
    null,
    "on one line many mixes lie at one place",
  );
  assert.equal(sharesOfMix([...points, [2, 2]], [1, 1]), null);
});

test("a place beside the triangle of three values asks for a weight below 0, and its mix lies on the rim", () => {
  const triangles = [
    [
      [4, 0],
      [0, 4],
      [1, 1],
    ],
    [
      [0, 4],
      [1, 1],
      [4, 0],
    ],
    [
      [-3, 0.5],
      [2, 2],
      [0.1, -1],
    ],
  ];
  for (const points of triangles) {
    const weights = weightsAt(points, beside(points));
    near(
      weights.reduce((a, b) => a + b),
      1,
      1e-9,
    );
    assert.equal(weights.filter((weight) => weight < -0.05).length, 1);
    assert.equal(sharesOfMix(points, beside(points)).filter((share) => share === 0).length, 1);
  }
  assert.equal(weightsAt(triangles[0], beside(triangles[0]))[2] < 0, true, "beyond the longest side");
  assert.equal(
    beside([
      [0, 0],
      [1, 1],
      [2, 2],
    ]),
    null,
  );
});

test("the hull of a square is its corners, in order, whatever lies inside", () => {
  const corners = [
    [0, 0],
    [4, 0],
    [4, 4],
    [0, 4],
  ];
  const inside = [
    [1, 1],
    [2, 2],
    [3, 1],
    [2, 0],
  ]; // the last on an edge
  assert.deepEqual(hull([[1, 2]]), [[1, 2]]);
  assert.deepEqual(hull([...inside, ...corners]), corners);
});

test("no point lies outside the hull, and every turn goes the same way", () => {
  const next = random(3);
  const points = Array.from({ length: 60 }, () => [next(), next()]);
  const around = hull(points);
  around.forEach((a, n) => {
    const b = around[(n + 1) % around.length];
    for (const p of points) assert.ok((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) >= -1e-12);
  });
  assert.deepEqual(
    hull([
      [0, 0],
      [1, 1],
    ]).length,
    2,
  );
});

test("merges are applied one after another, and the newest token is marked", () => {
  // h u g h u g: first "hu" becomes 10, then "hug" becomes 11.
  const strip = {
    ids: [1, 2, 3, 1, 2, 3],
    merges: [
      [1, 2, 10, 2],
      [10, 3, 11, 2],
    ],
    joins: [
      [0, 1, 2, 10],
      [3, 4, 5, 10],
      [0, 2, 3, 11],
      [3, 5, 6, 11],
    ],
  };
  const ids = (n) => tokensAfter(strip, n).map(([id]) => id);
  assert.deepEqual(
    [ids(0), ids(1), ids(2)],
    [
      [1, 2, 3, 1, 2, 3],
      [10, 3, 10, 3],
      [11, 11],
    ],
  );
  assert.deepEqual(
    tokensAfter(strip, 1).map(([, fresh]) => fresh),
    [true, false, true, false],
  );
});

test("labels of a map never cover each other, and one without room is left out", () => {
  const next = random(5);
  const points = Array.from({ length: 40 }, () => [60 + 280 * next(), 40 + 120 * next()]);
  const sizes = points.map(() => [20 + 50 * next(), 17]);
  const out = points.map(([x, y]) => [x - 200, y - 100]);
  const order = points.map((_, n) => n);
  const places = placeLabels(points, sizes, out, order, [400, 200]);
  const boxes = places.flatMap((place, n) => (place ? [[place.x, place.y, place.x + sizes[n][0], place.y + 17]] : []));
  assert.ok(boxes.length > 10 && boxes.length < 40);
  for (const [n, a] of boxes.entries()) {
    assert.ok(a[0] >= 0 && a[1] >= 0 && a[2] <= 400 && a[3] <= 200);
    for (const b of boxes.slice(n + 1)) assert.ok(a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1]);
  }
  const taken = [{ x: 0, y: 0, w: 400, h: 130 }];
  for (const place of placeLabels(points, sizes, out, order, [400, 200], taken)) assert.ok(!place || place.y > 130);
  const alone = placeLabels([[200, 100]], [[30, 17]], [[1, 0]], [0], [400, 200])[0];
  assert.ok(alone.x > 200 && alone.far < 16, "beside its dot, on the side that it would rather have");
});

test("a packed mask gives its cells back, bit by bit", () => {
  const next = random(11);
  for (let T = 1; T < 20; T++) {
    const mask = Array.from({ length: T * T }, () => next() > 0.5);
    const [size, text] = pack(mask, T).split(".");
    assert.equal(Number(size), T);
    assert.match(text, /^[A-Za-z0-9_-]*$/, "nothing that a link would change");
    const bytes = Buffer.from(text, "base64url");
    mask.forEach((open, n) => assert.equal(Boolean(bytes[n >> 3] & (128 >> (n & 7))), open));
  }
  assert.equal(pack([true, false, true, true], 2), "2.sA"); // 1011 0000 is B0
});

test("a wedge goes with the clock, and knows when it is more than half the face", () => {
  const twelve = [0, -1];
  const three = [1, 0];
  assert.equal(wedge(twelve, three, 30), "M0 0 L0.00 -30.00 A30 30 0 0 1 30.00 0.00 Z".replace("0.00 Z", "-0.00 Z"));
  assert.match(wedge(three, twelve, 30), / A30 30 0 1 1 /);
});

test("the ink of a cell is the one that can be read", () => {
  const [ink, ground, violet, panel] = [
    [29, 27, 34],
    [251, 250, 248],
    [107, 63, 160],
    [255, 255, 255],
  ];
  assert.equal(readable(violet, panel, 0, ink, ground), "var(--ink)");
  assert.equal(readable(violet, panel, 1, ink, ground), "var(--ground)");
  assert.equal(readable(violet, panel, 0.4, ink, ground), "var(--ink)");
  assert.match(readable(violet, panel, 0.78, ink, ground), /^#/, "halfway, neither has enough");
  const [light, dark] = [
    [239, 236, 244],
    [19, 17, 24],
  ];
  assert.equal(
    readable([183, 147, 236], [27, 24, 34], 1, light, dark),
    "var(--ground)",
    "on bright violet, the dark ground",
  );
});

test("scores of the tree are short", () => {
  assert.deepEqual([-1.5, -0.0001, 0].map(score), ["−1.500", "0.000", "0.000"]);
  assert.deepEqual(
    [placeOf(-1, 0), placeOf(1, 2)],
    [
      { x: 8, y: 50 },
      { x: 202, y: 130 },
    ],
  );
});

test("a number is as short as it may be, and never looks like 0 unless it is", () => {
  assert.deepEqual(
    [null, -3, 0.5, 1.256, -0.0004, 0].map((x) => short(x)),
    ["", "−3", "0.5", "1.26", ">−0.01", "0"],
  );
  assert.deepEqual(
    [0, 0.0004, 0.25, 1].map((x) => share(x)),
    ["0", "<0.01", "0.25", "1.00"],
  );
  assert.deepEqual([share(0.0004, 3), share(0.0006, 3)], ["<0.001", "0.001"]);
});

test("news reaches each node as many steps after word 1 as its shortest path is long", () => {
  const edges = [
    [0, 0, 1, 0],
    [0, 1, 1, 1],
    [1, 0, 1, 1],
    [1, 1, 1, 2],
    [0, 2, 1, 2],
  ];
  assert.deepEqual(
    [...heard(edges, "0,0")],
    [
      ["0,0", 0],
      ["1,0", 1],
      ["1,1", 2],
      ["1,2", 3],
    ],
  );
  assert.deepEqual(wayTo(edges, 0, 2), ["0,0", "1,0", "1,1", "1,2"]);
  assert.deepEqual(wayTo(edges, 1, 2), ["0,1", "1,1", "1,2"], "from another word");
  assert.deepEqual(wayTo(edges, 0, 1), ["0,0", "1,0", "1,1"], "to another word");
  const stack = [
    [0, 0, 1, 1],
    [0, 1, 1, 2],
    [1, 1, 2, 1],
    [1, 1, 2, 2],
  ];
  assert.deepEqual(wayTo(stack, 0, 1), ["0,0", "1,1"], "no higher than it has to");
});

test("a race says who has arrived, and in the end what it comes to", () => {
  const lanes = ["Recurrent", "Dilated", "Attention"].map((name, n) => ({ name, steps: [4, 2, 1][n] }));
  const at = (tick, ...more) => told(tick, lanes, ["Anna", "lost"], ...more);
  assert.equal(at(0), "After 0 steps, “Anna” is on its way.");
  assert.equal(at(1), "After 1 step, “Anna” has arrived with attention.");
  assert.equal(at(3), "After 3 steps, “Anna” has arrived with attention and a dilated convolution.");
  assert.equal(at(4), "From “Anna” to “lost”: 4 steps word by word, 1 with attention.");
  assert.match(at(4, " in a window"), /, 1 with attention in a window\.$/);
});

test("beads on a way do not touch, and are no larger than their numbers need", () => {
  assert.equal(
    beadOf([
      [0, 300],
      [0, 0],
      [24, 0],
      [48, 0],
    ]) *
      2 <
      24,
    true,
  );
  assert.equal(
    beadOf([
      [0, 300],
      [0, 0],
    ]),
    11,
  );
});

test("a text is compared with a page: what attention does grows with the square, a recurrent layer with the text", () => {
  const said = (n, name, heads = 8) => comparison(n, 500, heads, name);
  assert.equal(said(500), ASKED);
  assert.equal(said(1000), "Twice the text, four times the work. For a recurrent layer, only twice.");
  assert.equal(said(2000), "Four times the text, 16 times the work. For a recurrent layer, only four times.");
  assert.equal(said(1024), "2.05 times the text, 4.19 times the work. For a recurrent layer, only 2.05 times.");
  const novel = "A novel: 200 times the text, 40,000 times the work, 320 GB of attention weights.";
  assert.equal(said(100_000, "novel"), novel, "its 200 times are in the drawing");
  assert.match(said(100_000, "novel", 16), /640 GB/, "each head has its own weights");
  assert.equal(said(250), "Half the text, a quarter of the work. For a recurrent layer, half.");
  assert.match(said(8192), /^16\.4 times the text, 268 times the work, /, "268 is the square of 16.4, and not of 16");
  assert.equal(said(490), "98% of the text, 96% of the work. For a recurrent layer, 98%.");
  assert.equal(said(510), "1.02 times the text, 1.04 times the work. For a recurrent layer, only 1.02 times.");
  assert.equal(said(20), "1/25 of the text, 1/625 of the work. For a recurrent layer, 1/25.");
});

test("the button doubles a page, doubles it again, and goes to a novel and back", () => {
  assert.deepEqual(
    [20, 500, 700, 1000, 2000, 4096, 100_000].map((n) => following(n, 500, { novel: 100_000 })),
    [
      [500, "Read a page"],
      [1000, "Double the text"],
      [1000, "Double the text"],
      [2000, "Double again"],
      [100_000, "A novel"],
      [100_000, "A novel"],
      [500, "Back to a page"],
    ],
  );
  assert.equal(onTheWay(10, 1000, 0), 10);
  assert.ok(Math.abs(onTheWay(10, 1000, 0.5) - 100) < 1e-9);
});

test("the scale holds from a page to its double, and beyond that what is longer fills the room", () => {
  const unit = unitFor(500, 512, 500);
  assert.deepEqual(
    [2, 700, 1000].map((n) => unitFor(n, 512, 500)),
    [unit, unit, unit],
  );
  assert.equal(unitFor(2000, 512, 500), unit / 2);
  for (const [n, d] of [
    [9000, 512],
    [500, 1024],
  ])
    near(unitFor(n, d, 500) * Math.max(n, d), SIZE);
});

test("costs are written as a person writes them", () => {
  assert.equal(inBytes(33_554_432), "33.6 MB");
  assert.equal(inBytes(2.5e15), "2,500 TB");
  assert.deepEqual([1, 2, 2.048, 16.384, 195.3, 40_000].map(times), ["1", "2", "2.05", "16.4", "195", "40,000"]);
});

test("a side that is let go takes the nearest size, by ratio", () => {
  assert.equal(nearest(270, [128, 256, 512]), 256);
  assert.equal(nearest(370, [128, 256, 512]), 512, "362 is as far from both");
});

test("a side that is dragged is a round number, and as long as a stop where one is near", () => {
  const [lengths, stops] = [
    [490, 500, 840, 850, 980, 1000, 2000],
    [500, 1000, 2000],
  ];
  assert.equal(hauled(843, lengths, stops), 840, "it stays where it is let go");
  assert.equal(hauled(985, lengths, stops), 1000);
  assert.equal(hauled(1012, lengths, stops), 1000);
  assert.equal(hauled(975, lengths, stops), 980);
  assert.equal(hauled(1e9, lengths, stops), 2000, "there is no more");
});

test("a ribbon ends where its words are, and rises higher the further it goes, up to a limit", () => {
  const numbers = (path) => path.match(/-?[\d.]+/g).map(Number);
  const [x0, y0, , rise, , , x1, y1] = numbers(arc(400, 100, 62, 62));
  assert.deepEqual([x0, y0, x1, y1], [400, 62, 100, 62]);
  assert.ok(rise < numbers(arc(400, 380, 62, 62))[3], "y grows downwards");
  assert.equal(numbers(arc(5000, 0, 62, 62))[3], 62 - 62 * 1.3);
});

test("a row is summed up by its strongest weights, and ties keep their order", () => {
  assert.equal(summary(["a", "b", "c", "d"], [0.1, 0.6, 0.1, 0.2]), "b 0.60, d 0.20, a 0.10");
  assert.equal(summary(["a", "b"], [0.999, 0.001], 2), "a 1.00, b <0.01");
});

test("of a guess it is said what the model gives it, and nothing that the model does not say", () => {
  const words = ["she", "he", "then"];
  assert.match(verdict("she", words, [0.556, 0.001, 0.1]), /agree.*“she” 56%/);
  assert.match(verdict("he", words, [0.556, 0.001, 0.1]), /“she” 56%, and your “he” 0.1%/);
  assert.match(verdict("she", words, [0.99997, 0, 0]), /“she” over 99.9%\.$/, "not all of it");
  assert.equal(verdict("pizza", words, [0.2, 0.5, 0.1]), "The model gives “he” 50%.");
  assert.equal(
    flip(words, [0.6, 0.1, 0.1], [0.1, 0.6, 0.1], "the name"),
    "“she” has become “he”: the answer depends on the name.",
  );
  assert.match(flip(words, [0.6, 0.1, 0.1], [0.5, 0.4, 0.1], "the last word"), /Only the last word .* still “she”/);
});

test("a second word that a head looks at is spoken of where the answer is not as divided as the head", () => {
  assert.equal(rival([0, 0.52, 0.48, 0], 1, 0.99), 2);
  assert.equal(rival([0, 0.75, 0.25, 0], 1, 0.99), -1, "it is not divided");
  assert.equal(rival([0, 0.52, 0.48, 0], 1, 0.6), -1, "neither is sure");
  assert.equal(rival([0, 0.4, 0.1, 0.5], 1, 0.99), -1, "on the last token a head rests");
});

test("the last stream forks to every word that may come, and to no other place", () => {
  const cards = [40, 140, 240].map((x) => ({ x, y: 80 }));
  const [stem, branches] = forkOf(190, cards, { low: 112, rail: 100 });
  assert.equal(stem, "M190 112V100", "it rises where the stream ends");
  assert.deepEqual(branches.split("M").slice(1), ["190 100H40V80", "190 100H140V80", "190 100H240V80"]);
});

test("the shares of a ladder add up to 1, with all other words as its last step", () => {
  const steps = ladder(["she", "he"], [0.5, 0.2]);
  assert.deepEqual(
    steps.map(({ word }) => word),
    ["she", "he", null],
  );
  near(
    steps.reduce((sum, { share }) => sum + share, 0),
    1,
  );
  assert.equal(ladder(["a"], [1.0001])[1].share, 0, "rounding makes nothing negative");
  assert.deepEqual([0, 0.004, 0.005, 0.556, 1].map(wholePercent), ["<1%", "<1%", "1%", "56%", "100%"]);
  assert.deepEqual([".", "park"].map(called), ["the full stop", "“park”"]);
});

test("softmax shares 1 along the row, sharper as it is divided by less; the wrong axis shares along the column", () => {
  const close = (a, b) => a.flat().forEach((x, n) => assert.ok(Math.abs(x - b.flat()[n]) < 1e-12, `${x}`));
  const logs = [[0, Math.log(2), Math.log(5)]];
  close(softmax(logs).weights, [[1 / 8, 2 / 8, 5 / 8]]);
  close(softmax(logs, 0.5).weights, [[1 / 30, 4 / 30, 25 / 30]]);
  close(softmax([logs[0].map((x) => x + 50)]).weights, softmax(logs).weights);
  const masked = [
    [0, null],
    [Math.log(3), 7],
  ];
  close(softmax(masked, 1, "queries").weights, [
    [1 / 4, 0],
    [3 / 4, 1],
  ]);
  assert.deepEqual(softmax(masked).fed[0], [0, null]);
  assert.deepEqual(softmax([[null, null]]).weights, [[0, 0]]);
});

test("the printed sum of a mix adds up by the digits that are printed", () => {
  const points = [
    [4, 0],
    [0, 4],
    [1, 1],
  ];
  const mixOf = (parts) => [0, 1].map((d) => points.reduce((sum, p, j) => sum + parts[j] * p[d], 0));
  const opening = [2, 0.5, 1.5].map(Math.exp).map((x, _, all) => x / all.reduce((a, b) => a + b));
  const shown = [opening, [1 / 3, 1 / 3, 1 / 3], [0.5, 0.25, 0.25], [0.5477, 0.1226, 0.3297]];
  shown.push([0.6269758, 0.327327, 0.0456972]); // what they come to is nearer to 1.36, what is printed to 1.35
  for (const shares of shown) {
    const printed = mixOf(shares.map((x) => Math.round(1e4 * x))); // in ten thousandths
    assert.equal(printedPlace(shares, points), printed.map((x) => Math.round(x / 100) / 100).join(", "));
  }
});

test("a closer look frames the places of a kind, with room around them and never less than an eighth of the whole", () => {
  const whole = [-4, -4, 12, 4];
  const frame = around(
    [
      [0, 0],
      [10, 1],
    ],
    whole,
  );
  frame.forEach((x, n) => near(x, [-1, -0.1, 11, 1.1][n]));
  around([[2, 3]], whole).forEach((x, n) => near(x, [1, 2.5, 3, 3.5][n]));
});

test("a score that a hand moves changes the shares of its row, and of no other; the others keep their proportions", () => {
  const scaled = [
    [0, Math.log(2), null],
    [1, 2, 3],
  ];
  const given = { scores: scaled, scaled, masked: scaled, weights: softmax(scaled).weights };
  const v = [[1], [10], [100]];
  const tuner = Object.assign(Object.create(Tuner.prototype), {
    set: { tau: 1, divided: true, along: "keys" },
    moved: new Map(),
  });
  assert.equal(tuner.turn(given, v).stages.weights, given.weights, "the model's own");
  tuner.moveTo(0, 0, Math.log(2), tuner.base(given, 0, 0));
  const { weights, output } = tuner.turn(given, v).stages;
  weights[0].forEach((w, j) => near(w, [0.5, 0.5, 0][j]));
  assert.deepEqual(weights[1], given.weights[1]);
  near(output[0][0], 5.5);
  tuner.moveTo(1, 2, 7, tuner.base(given, 1, 2));
  const row = tuner.turn(given, v).stages.weights[1];
  near(row[0] / row[1], given.weights[1][0] / given.weights[1][1]);
  assert.ok(row[2] > given.weights[1][2]);
  assert.equal(tuner.base(given, 0, 2), null, "what the mask blocks has no score to move");
  tuner.moveTo(0, 0, 0, 0);
  tuner.moveTo(1, 2, 3, 3);
  assert.ok(!tuner.isTuned);
  assert.deepEqual(reachOf([-3, null, 6]), [-6, 9]);
});

test("where a head rests on the start of the text, that is said first, and then the word it looks at most", () => {
  const told = (reading) => lookedSaid(reading, { word: "y", share: 0.5, without: 0.4, head: "layer 1, head 3" });
  const text = (reading) =>
    told(reading)
      .map(([part]) => part)
      .join("");
  const resting = { tokens: ["w", "ar", "um"], weights: [0.1, 0.05, 0.3], start: 0.55, looks_at: 0 };
  assert.deepEqual([restsOn(resting), favourite(resting)], ["start", 0]);
  assert.match(
    text(resting),
    /“um” looks most at ⟨start⟩ \(0.55\), the mark in front of every text; of the earlier words, most at “w” \(0.10\)\.$/,
  );
  const looking = { ...resting, weights: [0.6, 0.05, 0.3], start: 0.05 };
  assert.deepEqual([restsOn(looking), favourite(looking)], ["", 1]);
  assert.match(text(looking), /In layer 1, head 3, “um” looks back at “w”, with 0.60 of its attention\.$/);
});

test("where a head keeps most for the word that looks, that is said, and not that it looks at what gets less", () => {
  const text = (reading) =>
    lookedSaid(reading, { word: "y", share: 0.5, without: 0.4, head: "layer 1, head 3" })
      .map(([part]) => part)
      .join("");
  const own = { tokens: ["blue", "hat"], weights: [0.004, 0.816], start: 0.18, looks_at: 0 };
  assert.match(
    text(own),
    /In layer 1, head 3, “hat” keeps most for itself \(0\.82\); of the earlier words, it looks most at “blue” \(<0\.01\)\.$/,
  );
  assert.deepEqual([restsOn(own), favourite(own)], ["itself", 2]);
  const start = { ...own, weights: [0.004, 0.18], start: 0.816 };
  assert.match(text(start), /“hat” looks most at ⟨start⟩ \(0\.82\)/);
  assert.deepEqual([restsOn(start), favourite(start)], ["start", 0]);
  const back = { ...own, weights: [0.6, 0.22] };
  assert.deepEqual([restsOn(back), favourite(back)], ["", 1]);
  const alone = { tokens: ["hat"], weights: [0.4], start: 0.6, looks_at: 0 };
  assert.match(text(alone), /^There is one word so far/);
});

test("the button goes from the weights to an even mix, to all on the last word, and back", () => {
  const words = ["mia", "likes", "tom"];
  const says = (shares, start = [0.5, 0.3, 0.2]) => onward(shares, start, words);
  const even = Array(3).fill(1 / 3);
  assert.deepEqual(says([0.5, 0.3, 0.2]), ["Equal weights", even]);
  assert.deepEqual(says(even), ["All on tom", [0, 0, 1]]);
  assert.deepEqual(says([0, 0, 1]), ["Back to the weights", [0.5, 0.3, 0.2]]);
  assert.deepEqual(says([0.1, 0.9, 0]), ["Back to the weights", [0.5, 0.3, 0.2]], "from where a hand has been");
  assert.deepEqual(says(even, [0, 0, 1])[0], "Back to the weights", "it is all on tom already");
});

test("the right button takes hold of no score", (t) => {
  const props = {};
  const node = { setAttribute: (name, value) => (props[name] = value), append() {} };
  globalThis.document = { createElement: () => node };
  t.after(() => delete globalThis.document);
  const steps = { names: () => ({ columns: ["cat"] }), stages: { weights: [[1]] }, state: { row: 0 } };
  steps.set = () => assert.fail("it has been taken");
  hand(steps, 0, { score: 1, own: 1, low: 0, high: 2 });
  node.onpointerdown({
    button: 2,
    clientX: 0,
    preventDefault() {},
    currentTarget: { getBoundingClientRect: () => ({}) },
  });
});
