// A layer whose parts are swapped: where they lie, what the gauge says, where the walk goes, and what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import {
  apart,
  marksTo,
  missing,
  scaleOf,
  scoreOf,
  spoken,
  verdictOf,
  zoneOf,
} from "../../pages/blocks/components/two_blocks/gauge.js";
import { facesOf } from "../../pages/blocks/components/two_blocks/machine.js";
import { fromTop, layoutOf, rowsOf } from "../../pages/blocks/components/two_blocks/places.js";
import { nextOf } from "../../pages/blocks/components/two_blocks/two_blocks.js";

const NAMES = ["norm", "place", "experts", "feed_forward", "kv_heads", "positions"];
const of = (layer) => ({ names: NAMES, isBefore: false, isInside: false, ...layer });

// ---- where parts lie ------------------------------------------------------------------------------------------------

test("the norm lies on the stream behind each sublayer, or before it beside the stream", () => {
  const rows = (layer) => rowsOf(of(layer)).map(([name]) => name);
  assert.deepEqual(rows({}), ["norms", "feed-forward", "again", "attention", "positions"]);
  assert.deepEqual(rows({ isBefore: true }), ["feed-forward", "norms", "attention", "again", "positions"]);
  const [after, before] = [false, true].map((isBefore) => layoutOf(of({ isBefore }), { wide: 640, tall: 500 }));
  for (const name of ["norms", "again"]) {
    assert.ok(after.frames[name].x < after.at, "the stream goes through it");
    assert.ok(before.frames[name].x > before.at, "the stream runs free");
  }
  assert.ok(after.frames.norms.y < after.frames["feed-forward"].y);
  assert.ok(before.frames.norms.y > before.frames["feed-forward"].y);
});

test("positions are added below the layer, or come in within attention", () => {
  const isWithin = ({ boxes, frames }) =>
    boxes.positions.y + boxes.positions.h <= frames.attention.y + frames.attention.h;
  const [outside, inside] = [false, true].map((isInside) => layoutOf(of({ isInside }), { wide: 640, tall: 500 }));
  assert.ok(!isWithin(outside));
  assert.ok(isWithin(inside));
  assert.deepEqual([outside.wires.length, inside.wires.length], [3, 2]); // what is added has an addition of its own
  assert.equal(outside.boxes.norm.h, inside.boxes.norm.h);
});

test("parts follow each other from the layer's output down, wherever the norm is", () => {
  const names = [...NAMES, "output"];
  const order = (layer) => fromTop(layoutOf(of({ names, ...layer }), { wide: 640, tall: 500 }).boxes);
  const rest = ["kv_heads", "positions"];
  assert.deepEqual(order({}), ["output", "norm", "place", "experts", "feed_forward", ...rest]);
  assert.deepEqual(order({ isBefore: true }), ["output", "experts", "feed_forward", "norm", "place", ...rest]);
});

test("no part lies on another, and all fit", () => {
  const every = [...NAMES, "output", "embeddings"];
  for (const names of [NAMES, every])
    for (const isBefore of [false, true])
      for (const isInside of [false, true])
        for (const [wide, tall] of [
          [260, 470],
          [640, 500],
          [900, 700],
        ]) {
          const { boxes, tall: used } = layoutOf({ names, isBefore, isInside }, { wide, tall });
          const all = Object.values(boxes).sort((a, b) => a.y - b.y);
          assert.equal(all.length, names.length);
          for (const [n, box] of all.entries()) {
            assert.ok(box.x + box.w <= wide);
            if (n) assert.ok(all[n - 1].y + all[n - 1].h < box.y);
          }
          if (names === NAMES) assert.ok(used <= tall + 1e-9);
        }
});

// ---- what is in them -----------------------------------------------------------------------------------------------

const NORM = {
  name: "norm",
  ways: ["LayerNorm", "RMSNorm"],
  kinds: ["LayerNorm", "RMSNorm"],
  notes: ["mean", "size"],
  when: "today",
};

test("a part alone has its other way in, and of a whole block each part that differs", () => {
  const all = { parts: ["norm"], labels: [["LayerNorm"], ["no norm"]], kinds: [["LayerNorm"], ["no norm"]] };
  assert.deepEqual(
    ["chart", "norm", "place"].map((shown) => facesOf(NORM, shown, all).isNow),
    [false, true, false],
  );
  const own = facesOf(NORM, "all", { ...all, when: "yours" });
  assert.deepEqual([own.isNow, own.faces[1].way, own.faces[1].note], [true, "no norm", ""]); // its note is of another
  const same = { ...all, labels: [["LayerNorm"], ["LayerNorm"]], kinds: [["LayerNorm"], ["LayerNorm"]] };
  assert.equal(facesOf(NORM, "all", same).isNow, false);
  const embeddings = { ...NORM, name: "embeddings", ways: ["as they are", "normalised"] }; // none of today's six
  const { faces, isNow } = facesOf(embeddings, "all", all);
  assert.deepEqual([isNow, faces.map(({ way }) => way)], [false, embeddings.ways]);
});

test("the walk goes through what was not tried, then to all at once, and back to 2017", () => {
  const tried = new Set();
  const path = ["chart"];
  while (path.length < 9) {
    path.push(nextOf(NAMES, tried, path.at(-1)));
    tried.add(path.at(-1));
  }
  assert.deepEqual(path, ["chart", ...NAMES, "all", "chart"]);
  assert.equal(nextOf(NAMES, new Set(["positions"]), "positions"), "norm"); // from the last on with the first
  assert.equal(nextOf(NAMES, new Set(["norm", "experts"]), "norm"), "place");
});

// ---- the gauge ------------------------------------------------------------------------------------------------------

test("all losses stand on one scale from 0, and the largest has room", () => {
  const at = scaleOf(2);
  assert.equal(at(0), 0);
  assert.ok(at(2) > 0.95 && at(2) < 1);
  assert.ok(Math.abs(at(2) - 2 * at(1)) < 1e-12);
  assert.equal(at(9), 1);
});

test("labels stand beside their levels, and none lies on that of the zone or on another", () => {
  const zone = { middle: 60, tall: 80 };
  const far = [{ middle: 300, tall: 20 }];
  assert.deepEqual(apart(zone, far, 500), { zone: 20, others: [290] }, "all at their own heights");
  const near = [
    { middle: 70, tall: 20 },
    { middle: 65, tall: 20 },
    { middle: 30, tall: 40 },
  ];
  const tops = apart(zone, near, 500);
  const spans = [[tops.zone, 80], ...near.map(({ tall }, n) => [tops.others[n], tall])].sort((a, b) => a[0] - b[0]);
  assert.ok(spans[0][0] >= 0);
  for (const [n, [top, tall]] of spans.slice(0, -1).entries()) assert.ok(top + tall <= spans[n + 1][0]);
  assert.ok(tops.others[2] < tops.zone, "what is above the zone stays above");
  assert.ok(tops.others[1] < tops.others[0]);
  assert.equal(apart({ middle: 490, tall: 80 }, [], 500).zone, 420, "within the room");
});

test("the glass is marked at round numbers from 0", () => {
  assert.deepEqual(marksTo(0.83), [0, 0.2, 0.4, 0.6, 0.8]);
  assert.deepEqual(marksTo(0.1), [0, 0.02, 0.04, 0.06, 0.08, 0.1]);
  assert.ok(marksTo(40).every((mark) => mark >= 0 && mark <= 40));
});

test("a level is read out with its losses, or why there is none", () => {
  const row = { title: "Norm", ways: ["LayerNorm", "RMSNorm"], losses: [0.6, 0.7], change: "−13%" };
  assert.equal(spoken(row, [0.7, 0.8]), "mean loss 0.650 instead of 0.750, −13%; runs 0.600, 0.700");
  assert.equal(spoken({ losses: [0.7, 0.8] }, [0.7, 0.8]), "mean loss 0.750; runs 0.700, 0.800");
  assert.equal(spoken({ ...row, losses: [] }, [0.7]), "diverged");
  assert.equal(spoken({ ...row, losses: null }, [0.7]), "not trained");
  assert.equal(missing([0.1]), "");
});

test("a mean in the hatched zone is one that the verdict calls too close, though it be beyond the last of 2017's runs", () => {
  const [low, high] = zoneOf([0.7, 0.8, 0.9], 0.1);
  assert.ok(Math.abs(low - 0.7) < 1e-12 && Math.abs(high - 0.9) < 1e-12);
  const [wide] = zoneOf([0.7, 0.8, 0.9], 0.3);
  assert.ok(wide < 0.51, "a block whose runs lie far apart is not told from 2017's so soon");
});

test("the score counts parts that were tried alone, by what they did; an untrained block has none", () => {
  const one = (change, clear, losses = [1], name = "part") => ({ name, change, clear, losses });
  const [falls, rises, close] = [one("−20%", true), one("+9%", true), one("+2%", false)];
  assert.deepEqual([falls, rises, close].map(verdictOf), ["lowers", "raises", "close"]);
  assert.equal(verdictOf(one("", false, [])), "diverged");
  assert.equal(verdictOf(one("", false, null)), "not trained");
  assert.equal(scoreOf([], 6), "0 of 6 tried");
  assert.equal(scoreOf([close, falls, close], 6), "3 of 6 tried: 1 lowers the loss, 2 too close to tell");
  assert.equal(scoreOf([falls, falls, rises], 6), "3 of 6 tried: 2 lower the loss, 1 raises the loss");
  assert.equal(scoreOf([one("−27%", true, [1], "all")], 6), "0 of 6 tried; all at once: −27%");
  assert.equal(scoreOf([one("", false, null, "all")], 6), "0 of 6 tried");
});

// ---- the drawings ---------------------------------------------------------------------------------------------------

test("a pair of numbers turns by the paper's rate", () => {
  assert.equal(rate(0, 48), 1);
  assert.ok(Math.abs(rate(24, 48) - 1 / 10_000) < 1e-12);
});

test("the norms are drawn by their formulas", () => {
  const close = (a, b) => a.forEach((x, n) => assert.ok(Math.abs(x - b[n]) < 1e-12));
  close(layerNorm([1, 3]), [-1, 1]);
  close(layerNorm([11, 13]), [-1, 1]); // the mean does not matter
  close(rmsNorm([3, 3]), [1, 1]); // here it does
  close(rmsNorm([30, -30]), [1, -1]);
});
