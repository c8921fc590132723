// The race of trainings: what is said of a runner, and what it has lost.
import assert from "node:assert/strict";
import { test } from "node:test";

import { along, endOf, lossOf, told } from "../../pages/finetuning/components/continuations/continuations.js";

test("a runner is told in one sentence, with what is its own set off, and what it has lost", () => {
  const all = told("all weights", 40, 0.944, 0.68, 0.96);
  assert.equal(
    all.join(""),
    "Training all weights gets 94% right in new dialogues, but old stories fall from 96% to 68%.",
  );
  assert.deepEqual(
    all.filter((_, n) => n % 2),
    ["Training all weights", "94%", "96%", "68%"],
  );
  assert.match(told("LoRA", 1, 0, 0.2, 0.1).join(""), /^LoRA gets 0% .*, and old stories rise from 10% to 20%\.$/);
  assert.match(told("LoRA", 1, 0, 0.1, 0.1).join(""), /, and old stories stay at 10%\.$/);
  assert.equal(
    told("from scratch", 0, 0, 0, 0).join(""),
    "Before step 1, 0% is right in new dialogues, and 0% in old stories.",
  );
});

test("a path is followed from point to point, and ends at its ends", () => {
  const path = [
    [0, 4],
    [2, 0],
    [2, 8],
  ];
  assert.deepEqual(along(path, 0), [0, 4]);
  assert.deepEqual(along(path, 0.5), [1, 2]);
  assert.deepEqual(along(path, 1.25), [2, 2]);
  assert.deepEqual(along(path, 2), [2, 8]);
});

test("what was lost is the difference of what is written", () => {
  assert.equal(lossOf(0.96, 0.68), "−28");
  assert.equal(lossOf(0.955, 0.684), "−28"); // 96 to 68, as both are written
  assert.deepEqual([lossOf(0.5, 0.5), lossOf(0.2, 0.4)], ["", ""]);
});

test("of a long beginning its end stands there, from a whole word on, so that what is written has room", () => {
  assert.equal(endOf("mia found a hat."), "mia found a hat.");
  const long = "mia found a hat. ".repeat(30);
  assert.match(endOf(long, 40), /^… (found|a|hat\.|mia) /);
  assert.ok(endOf(long, 40).length <= 42 && long.endsWith(endOf(long, 40).slice(2)));
});
