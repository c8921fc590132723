// The race of trainings: what is asked and said of a model, where names find room, and how a dot is pulled.
import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, told, verdict } from "../../pages/finetuning/components/continuations/continuations.js";
import { around, endOf, firstOf, lostFact } from "../../pages/finetuning/components/continuations/passage.js";
import {
  between,
  lossOf,
  lowest,
  nearest,
  Plane,
  spread,
  trailOf,
} from "../../pages/finetuning/components/continuations/plane.js";

test("a runner is told in one sentence, with what is its own set off, and what it has lost", () => {
  const all = told(300, "all weights", 0.944, 0.68, 0.96);
  assert.equal(
    all.join(""),
    "Step 300: training all weights gets 94% in new dialogues, but old stories fall from 96% to 68%.",
  );
  assert.deepEqual(
    all.filter((_, n) => n % 2),
    ["training all weights", "94%", "96%", "68%"],
  );
  assert.match(
    told(300, "LoRA", 0, 0.2, 0.1).join(""),
    /^Step 300: LoRA gets 0% .*, and old stories rise from 10% to 20%\.$/,
  );
  assert.match(told(300, "LoRA", 0, 0.1, 0.1).join(""), /, and old stories stay at 10%\.$/);
});

test("a runner that forgets is held against training all weights, as the numbers have it", () => {
  const said = (...numbers) => told(300, ...numbers).join("");
  assert.equal(
    said("LoRA", 0.9947, 0.606, 0.96, 0.647),
    "Step 300: LoRA gets 99% in dialogues but forgets more: stories fall to 61% (all weights: 65%).",
  );
  assert.match(said("output only", 0.22, 0.83, 0.96, 0.65), /the output gets 22% .* but forgets less: .* 83% /);
  assert.match(said("last layer", 0.98, 0.83, 0.96, 0.65), / and forgets less: /);
  assert.match(
    said("last layer", 0.91, 0.6468, 0.96, 0.6422),
    / and forgets about as much: .* 65% \(all weights: 64%\)/,
  );
  assert.match(said("output only", 0.11, 0.954, 0.959, 0.954), / and forgets about as much: .* fall to 95% /);
  assert.match(said("LoRA", 0.01, 0.97, 0.96, 0.95), /rise from 96% to 97%\.$/);
});

test("before a training the hand is asked to pull, and of later ones what the question is", () => {
  assert.match(asked("all weights", 1, 0).join(""), /^Pull the storyteller into the best corner: /);
  assert.equal(asked("LoRA", 0.025, 1).join(""), "LoRA: 3% of the parameters. Does it lose less? Pull it.");
  assert.match(asked("output only", 0.23, 1).join(""), /^The output alone: 23% /);
  assert.equal(asked("all weights", 1, 0.025).join(""), "All weights: 100% of the parameters. Pull it.");
});

test("once all have ended, the one nearest to the corner is named, with what even that has lost", () => {
  const ends = [
    ["LoRA", 0.99, 0.96, 0.606],
    ["all weights", 0.997, 0.96, 0.647],
    ["output only", 0.22, 0.96, 0.826],
  ];
  const [way, pieces] = verdict(ends);
  assert.equal(way, "all weights");
  assert.equal(
    pieces.join(""),
    "All weights came nearest to the corner, but even that forgot 31 points of its stories.",
  );
  assert.match(verdict([["LoRA", 1, 0.9, 0.95]])[1].join(""), /^LoRA came .* and forgot 0 points of/);
});

test("names stand as far apart as letters are high, in the order of their dots", () => {
  assert.deepEqual(spread([50, 10, 52, 48], 20), [68, 10, 88, 48]);
  assert.deepEqual(spread([], 20), []);
});

test("a trail is straight from one measured dot to the next, and the plane leaves room below all that was kept", () => {
  const [marks, line] = trailOf([[0, 0], [10, 0]], [10, 4]); // prettier-ignore
  assert.deepEqual([marks, line], ["M0.0 0.0h0M10.0 0.0h0", "M0.0 0.0L10.0 0.0L10.0 4.0"]);
  assert.equal(lowest([0.96, 0.6], 0.25), 0.4);
  assert.equal(lowest([0.96, 0.05], 0.25), 0);
});

test("a dot that is pulled goes to the place on its own way that is nearest to the hand", () => {
  const way = [
    [0, 0],
    [10, 0],
    [10, 10],
  ];
  assert.deepEqual(between(way, 1.5), [10, 5]);
  assert.equal(Math.round(10 * nearest(way, [4, -3], 0)), 4);
  assert.equal(nearest(way, [99, 99], 0), 2, "not beyond its end");
  assert.equal(
    nearest(
      [
        [5, 5],
        [5, 5],
      ],
      [9, 9],
      1,
    ),
    1,
    "one that stood still stays where it was",
  );
});

test("what ends a drag is known to whom a figure that goes asks", (t) => {
  const signals = [];
  globalThis.addEventListener = (kind, act, { signal }) => signals.push(signal);
  t.after(() => delete globalThis.addEventListener);
  const hands = { pull() {}, drop() {} };
  const node = { getBoundingClientRect: () => ({ left: 0, top: 0 }) };
  const runners = [{ way: "LoRA", points: [[0, 0]] }]; // prettier-ignore
  const plane = { hands, node, runners, places: [0], state: { at: {} }, room: {} };
  Plane.prototype.grab.call(plane, { button: 0, clientX: 0, clientY: 0 }, "LoRA");
  hands.endDrag();
  assert.ok(signals.length && signals.every(({ aborted }) => aborted));
});

test("what was lost is the difference of what is written", () => {
  assert.equal(lossOf(0.96, 0.68), "28 lost");
  assert.equal(lossOf(0.955, 0.684), "28 lost"); // 96 to 68, as both are written
  assert.deepEqual([lossOf(0.5, 0.5), lossOf(0.2, 0.4)], ["", ""]);
});

test("of a long beginning its end stands there, from a whole word on, so that what is written has room", () => {
  assert.equal(endOf("mia found a hat."), "mia found a hat.");
  const long = "mia found a hat. ".repeat(30);
  assert.match(endOf(long, 40), /^… (found|a|hat\.|mia) /);
  assert.ok(endOf(long, 40).length <= 42 && long.endsWith(endOf(long, 40).slice(2)));
});

test("of a story the question stands there that most ways lose, and of what is written the first sentence", () => {
  const pieces = (words) => words.split(" ").map((word) => [" ", word.replace("*", ""), word.endsWith("*")]);
  const text = pieces("it was a barn* . where was mia ? in the park* .");
  const ways = { all: [[null, null], ["b…", "sea"]], one: [[null, null], ["b…", null]], two: [[null, "sea"], [null, "sea"]] }; // prettier-ignore
  assert.equal(lostFact(ways), 1, "a piece of a word tells nothing, and who never knew it has lost nothing");
  const [some, at] = around(text, 1);
  assert.deepEqual([some.map(([, word]) => word).join(" "), some[at][1]], ["where was mia ? in the park .", "park"]);
  assert.equal(around(text, 0)[0].length, 5);
  assert.equal(firstOf(text).length, 5);
  assert.equal(firstOf(pieces("hat ".repeat(30))).at(-1)[1], "…");
});
