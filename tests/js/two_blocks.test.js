// A layer whose parts are swapped: where they lie, what the lanes show, where the walk goes, and what drawings compute.

import assert from "node:assert/strict";
import test from "node:test";

import { layerNorm, rate, rmsNorm } from "../../pages/blocks/components/two_blocks/drawings.js";
import { axisOf, byChange, marksIn, mean, writtenMark } from "../../pages/blocks/components/two_blocks/lanes.js";
import { facesOf, Machine } from "../../pages/blocks/components/two_blocks/machine.js";
import { fromTop, layoutOf, rowsOf } from "../../pages/blocks/components/two_blocks/places.js";
import { nextOf, summaryOf, toldWithout, TwoBlocks } from "../../pages/blocks/components/two_blocks/two_blocks.js";

const NAMES = ["norm", "place", "experts", "feed_forward", "kv_heads", "positions"];
const of = (layer) => ({ names: NAMES, isBefore: false, isInside: false, ...layer });

// ---- where parts lie ------------------------------------------------------------------------------------------------

test("the norm lies on the stream behind each sublayer, or before it beside the stream", () => {
  const rows = (layer) => rowsOf(of(layer)).map(([name]) => name);
  assert.deepEqual(rows({}), ["norms", "feed-forward", "again", "attention", "positions", "all"]);
  assert.deepEqual(rows({ isBefore: true }), ["feed-forward", "norms", "attention", "again", "positions", "all"]);
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
  const rest = ["kv_heads", "positions", "all"];
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
          assert.equal(all.length, names.length + 1);
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
  assert.equal(facesOf({ ...NORM, name: "all" }, "all", all).isNow, true);
  const same = { ...all, labels: [["LayerNorm"], ["LayerNorm"]], kinds: [["LayerNorm"], ["LayerNorm"]] };
  assert.equal(facesOf(NORM, "all", same).isNow, false);
  assert.equal(facesOf(NORM, "all", same).faces[1].way, "RMSNorm", "what a press exchanges it for");
  const embeddings = { ...NORM, name: "embeddings", ways: ["as they are", "normalised"] }; // none of today's six
  const { faces, isNow } = facesOf(embeddings, "all", all);
  assert.deepEqual([isNow, faces.map(({ way }) => way)], [false, embeddings.ways]);
});

test("a part that is dragged far enough is pressed once, whether a click follows or not", async () => {
  const [pressed, heard] = [[], {}];
  globalThis.addEventListener = (name, act) => (heard[name] = act);
  globalThis.removeEventListener = () => {};
  const machine = Object.assign(Object.create(Machine.prototype), { press: (name) => pressed.push(name) });
  const drag = async (by, type, ends = false) => {
    pressed.length = 0;
    machine.pull({ button: 0, clientX: 100 }, { name: "norm", node: { style: { removeProperty() {} } } });
    heard.pointermove({ clientX: 100 + by });
    heard[type]({ type, clientX: 100 + by });
    if (ends) machine.touch("norm"); // the browser's click
    await new Promise((resolve) => setTimeout(resolve, 1));
    return pressed.length;
  };
  assert.deepEqual([await drag(40, "pointerup"), await drag(40, "pointerup", true)], [1, 1]);
  assert.deepEqual([await drag(20, "pointerup"), await drag(20, "pointerup", true)], [0, 1]);
  assert.equal(await drag(40, "pointercancel"), 0, "it scrolls");
});

test("below each part its lane has room, and all parts at once have theirs where the stream has ended", () => {
  const { boxes, ends, tall } = layoutOf(of({}), { wide: 360, tall: 0, below: 40 });
  const all = Object.values(boxes).sort((a, b) => a.y - b.y);
  for (const [n, box] of all.slice(1).entries()) assert.ok(all[n].y + all[n].h + 40 <= box.y);
  assert.ok(ends < boxes.all.y);
  assert.ok(boxes.all.y + boxes.all.h + 40 <= tall);
});

test("the walk tries two parts, then all others each alone, then all at once, and goes back to 2017", () => {
  const tried = new Set();
  const path = ["chart"];
  while (path.length < 6) {
    path.push(nextOf(NAMES, tried, path.at(-1)));
    for (const name of path.at(-1) === "rest" ? NAMES : [path.at(-1)]) tried.add(name);
  }
  assert.deepEqual(path, ["chart", "norm", "place", "rest", "all", "chart"]);
  assert.equal(nextOf(NAMES, new Set(NAMES.slice(1)), "chart"), "norm", "a single one is shown by itself");
  assert.equal(nextOf(NAMES, new Set(["experts"]), "chart"), "norm");
});

test("the summary counts the parts that alone go further than runs differ", () => {
  const parts = (...clear) => NAMES.map((name) => ({ ways: ["", name], clear: clear.includes(name) }));
  const told = "the loss by more than runs differ";
  assert.equal(summaryOf(parts("norm")), `Swapped one at a time, one of the six moves ${told}: norm.`);
  assert.equal(summaryOf(parts("norm", "place")), `Swapped one at a time, two of the six move ${told}: norm, place.`);
  assert.equal(summaryOf(parts()), `Swapped one at a time, none of the six moves ${told}.`);
});

test("of all parts but some there is no loss: what is said is what the last one put back did alone", () => {
  const told = toldWithout({ ways: ["sinusoidal", "rotary"], verdict: "0.76 → 0.61" }, 5);
  assert.equal(told, "The other five were never trained together: no loss. Rotary alone: 0.76 → 0.61.");
});

test("single parts are put back from the block of today alone; of a visitor's own the server exchanges them", () => {
  const pressed = (when) => {
    const parts = ["norm", "place", "positions"];
    const all = { name: "all", when, parts, labels: [parts, ["another", "another", "another"]], finding: "found" };
    const stops = [...parts.map((name) => ({ name, kinds: ["", ""], ways: ["", name], verdict: "told" })), all];
    const view = Object.create(TwoBlocks.prototype);
    const sent = [];
    const own = { data: { stops }, shown: "all", back: new Set(), show() {}, send: (...what) => sent.push(what) };
    Object.assign(view, own);
    view.swap("norm");
    return [view.told, [...view.back], sent];
  };
  const told = "The other two were never trained together: no loss. Norm alone: told.";
  assert.deepEqual(pressed("today"), [told, ["norm"], []]);
  assert.deepEqual(pressed("yours"), ["found", [], [["exchange", "norm"]]]);
});

// ---- the lanes ------------------------------------------------------------------------------------------------------

test("all losses lie on one axis which is cut to them, and less is further right", () => {
  const at = axisOf([0.5, 0.8, 0.7]);
  assert.ok(at(0.8) > 0 && at(0.8) < 0.1);
  assert.ok(at(0.5) > 0.9 && at(0.5) < 1);
  assert.ok(Math.abs(at(0.65) - 0.5) < 1e-12);
  assert.ok(Math.abs(axisOf([0.7])(0.7) - 0.5) < 1e-12, "a single loss has room on either side");
});

test("the axis is marked at round numbers among the losses", () => {
  assert.deepEqual(marksIn([0.83, 0.52]), [0.6, 0.7, 0.8]);
  assert.deepEqual(marksIn([0.5, 1.2]), [0.6, 0.8, 1, 1.2]);
  assert.ok(marksIn([0.5, 40]).length <= 7);
  const written = (...losses) => marksIn(losses).map((mark, _, marks) => writtenMark(mark, marks));
  assert.deepEqual(written(0.83, 0.52), ["0.6", "0.7", "0.8"]);
  assert.deepEqual(written(0.8, 0.7), ["0.70", "0.72", "0.74", "0.76", "0.78", "0.80"], "no two alike");
});

test("the walk begins with what changes the loss most, in either direction", () => {
  const stops = Object.entries({ norm: [0.76], positions: [0.5], place: null, experts: [1.2], kv: [] });
  const names = byChange(
    stops.map(([name, losses]) => ({ name, losses })),
    [0.7, 0.8],
  );
  assert.deepEqual(names, ["experts", "positions", "norm", "place", "kv"]);
  assert.equal(mean([0.7, 0.8]), 0.75);
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
