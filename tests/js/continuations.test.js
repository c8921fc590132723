// The race of trainings: what is said of a runner, and what it has lost.
import assert from "node:assert/strict";
import { test } from "node:test";

import { endOf, fits, kindOf, lossOf, told } from "../../pages/finetuning/components/continuations/continuations.js";

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

test("a runner that forgets is held against training all weights, as the numbers have it", () => {
  const said = (...numbers) => told(...numbers).join("");
  assert.equal(
    said("LoRA", 160, 0.9947, 0.606, 0.96, 0.647),
    "LoRA gets 99% right in dialogues but forgets more: old stories fall to 61% (all weights: 65%).",
  );
  assert.match(said("output only", 160, 0.22, 0.83, 0.96, 0.65), /^The output gets 22% .* but forgets less: .* 83% /);
  assert.match(said("last layer", 160, 0.98, 0.83, 0.96, 0.65), / and forgets less: /);
  assert.match(said("LoRA", 160, 0.98, 0.648, 0.96, 0.652), /forgets as much as all weights: .* fall to 65%\.$/);
  assert.match(said("from scratch", 160, 0.03, 0, 0, 0.65), /old stories stay at 0%\.$/, "it had nothing to forget");
  assert.match(said("LoRA", 1, 0.01, 0.97, 0.96, 0.95), /rise from 96% to 97%\.$/);
});

test("a text is typical only where its share is near that of all", () => {
  assert.deepEqual([fits(3, 5, 0.61), fits(11, 11, 0.94), fits(0, 5, 0)], Array(3).fill("A typical one."));
  assert.equal(fits(4, 5, 0.606), "None is typical; this is one of the closest.");
});

test("a beginning of one's own opens on what is written after it, if a link does not ask for another text", () => {
  assert.equal(kindOf(null, true), "talks");
  assert.equal(kindOf(null, false), "own");
  assert.deepEqual(
    [kindOf("stories", false), kindOf("own", true), kindOf("talks", false)],
    ["stories", "own", "talks"],
  );
  assert.equal(kindOf("anything", true), "talks", "a link may say what it likes");
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
