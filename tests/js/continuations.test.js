// The race of trainings: what is said of a runner and of a bet, where names find room, and how a dot is pulled.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Continuations,
  answer,
  asked,
  told,
  verdict,
} from "../../pages/finetuning/components/continuations/continuations.js";
import { endOf } from "../../pages/finetuning/components/continuations/passage.js";
import {
  between,
  fanned,
  freeOf,
  lossOf,
  nearest,
  seen,
} from "../../pages/finetuning/components/continuations/plane.js";

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
    "Before training, from scratch gets 0% right in new dialogues and 0% in old stories.",
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

test("who bets is told before the training on which, and afterwards whether it holds, by the numbers alone", () => {
  assert.equal(asked(undefined)[1], "Which one will remember most old stories?");
  assert.equal(asked("LoRA")[1], "LoRA");
  assert.doesNotMatch(asked(undefined, true).join(""), /Press|Which one/, "while one dot stands there");
  assert.match(asked("from scratch").join(""), /has never read a story: .* Bet on another\.$/);
  const ends = [
    { way: "LoRA", learned: 0.99, kept: 0.61 },
    { way: "output only", learned: 0.22, kept: 0.83 },
  ];
  assert.equal(
    verdict("LoRA", ends).join(""),
    "You bet on LoRA: it gets 61% right in old stories. " +
      "The winner, output only, gets 83%, but only 22% in new dialogues.",
  );
  const held = verdict("output only", ends);
  assert.equal(
    held.join(""),
    "Your bet holds: output only gets 83% right in old stories, the most of all, but only 22% in new dialogues.",
  );
  assert.deepEqual(
    held.filter((_, n) => n % 2),
    ["output only", "83%", "22%"],
    "set off",
  );
  ends[1].kept = 0.5;
  assert.match(verdict("LoRA", ends).join(""), /^Your bet holds: LoRA .* 61% .*, and 99% in new dialogues\.$/);
  ends[1].kept = 0.61;
  assert.ok(
    ["LoRA", "output only"].every((way) => verdict(way, ends)[0] === "Your bet holds: "),
    "as many are as good",
  );
  assert.match(
    verdict("LoRA", ends).join(""),
    / 61% right in old stories, as much as any, and 99% in new dialogues\.$/,
  );
});

test("a race that nobody bet on ends with the answer to its question", () => {
  const ends = [
    { way: "LoRA", learned: 0.99, kept: 0.61 },
    { way: "output only", learned: 0.22, kept: 0.83 },
  ];
  assert.equal(answer(ends).join(""), "“output only” remembers most (83%) but learned 22%.");
  ends[1].learned = 0.9;
  assert.equal(answer(ends).join(""), "“output only” remembers most (83%) and learned 90%.");
  ends[0].kept = 0.83;
  assert.equal(answer(ends).join(""), "“LoRA” and “output only” remember most (83%).");
});

test("names of dots on one spot, and of dots side by side, cover neither each other nor a dot", () => {
  const em = 16;
  const sizes = [110, 100, 120, 70, 120];
  const room = { right: 780, top: 20, bottom: 420 };
  for (const dots of [
    [
      [110, 30],
      [110, 30],
      [110, 30],
      [110, 30],
      [50, 420],
    ], // all are one
    [
      [240, 55],
      [252, 65],
      [140, 58],
      [185, 54],
      [50, 420],
    ], // side by side
    [
      [630, 165],
      [620, 172],
      [180, 90],
      [628, 182],
      [70, 420],
    ], // at the right end
  ]) {
    const places = fanned(dots, sizes, em, room);
    for (const [n, [x, y]] of places.entries()) {
      assert.ok(x + sizes[n] <= room.right && y >= room.top && y <= room.bottom);
      for (const [m, [a, b]] of places.entries())
        assert.ok(n === m || Math.abs(y - b) > 1.75 * em || x > a + sizes[m] || a > x + sizes[n], `${n} covers ${m}`);
      for (const [a, b] of dots)
        assert.ok(Math.abs(y - b) > 1.4 * em || a + 0.8 * em < x || a - 0.8 * em > x + sizes[n], `${n} covers a dot`);
    }
  }
});

test("where it is narrow a name without room on the right stands left of its dot", () => {
  const [em, dots, sizes] = [13, [[60, 30], [330, 130]], [90, 90]]; // prettier-ignore
  const at = (isNarrow) => fanned(dots, sizes, em, { right: 350, top: 20, bottom: 300, isNarrow })[1][0];
  assert.ok(at(true) + sizes[1] < dots[1][0] - em);
  assert.equal(at(false), 350 - sizes[1]);
  const [one, two] = fanned([[300, 60], [300, 70]], sizes, em, { right: 350, top: 20, bottom: 300, isNarrow: true }); // prettier-ignore
  assert.ok(two[1] - one[1] > 2.6 * em, "a finger tells two names apart");
});

test("what was lost stands where no name does, and nowhere else", () => {
  const free = (...heights) => freeOf(heights, [200, 240], [[100, 60], [210, 200]], [110, 90], 13); // prettier-ignore
  assert.equal(free(65, 120, 205), 120);
  assert.equal(free(65, 205), undefined);
  assert.equal(freeOf([65], [215, 240], [[100, 60]], [110], 13), 65, "beside it");
});

test("in the first beat the one name has gone before the five are seen, where they stay", () => {
  assert.deepEqual([seen(0), seen(1)], [[1, 0], [0, 1]]); // prettier-ignore
  for (let n = 0; n <= 20; n++) assert.ok(Math.min(...seen(n / 20)) === 0, "never both");
});

test("the map is alone until the training has come to rest, and a hand that pulls is not hurried", () => {
  const names = new Set();
  const toggle = (name, isOn) => {
    names[isOn ? "add" : "delete"](name);
    return isOn;
  };
  const race = Object.assign(Object.create(Continuations.prototype), {
    root: { classList: { toggle } },
    plane: { room: {}, isAlone: true },
    hasRun: false,
    far: 0,
  });
  const isAlone = (state) => {
    Object.assign(race, state).lay();
    return names.has("alone");
  };
  assert.equal(isAlone({}), true);
  assert.equal(isAlone({ far: 3, halt: () => {} }), true, "while it trains");
  assert.equal(isAlone({ halt: null, isHeld: true }), true, "while a dot is pulled");
  assert.ok(race.plane.room);
  assert.equal(isAlone({ isHeld: false }), false);
  assert.equal(race.plane.room, null, "everything is measured anew");
  assert.equal(isAlone({ halt: () => {} }), false, "and it stays");
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
