// Models that read on: what lies between two points, how high a wall is, and what is asked and answered.
import assert from "node:assert/strict";
import { test } from "node:test";

import { answers, asks, ranked, worst } from "../../pages/positions/components/read_on/bet.js";
import { shareAt, wallOf } from "../../pages/positions/components/read_on/read_on.js";

test("between two points a line is straight, and past its last it has no share", () => {
  assert.equal(shareAt([1, 0.5], 0.5), 0.75);
  assert.equal(shareAt([1, 0.5], 1), 0.5);
  assert.equal(shareAt([1, 0.5], 1.1), null);
});

test("a wall is as high as its answers are right", () => {
  const tall = [...wallOf([1, 0.75, 0]).matchAll(/1v(-?[0-9.]+)h/g)].map(([, by]) => Number(by));
  assert.deepEqual(tall, [-1, -0.75, 0]);
});

test("lanes are ranked by the end, those that stop before it last", () => {
  const lines = [{ shares: [1, 0.8] }, { shares: [1, 0.3] }, { shares: [1] }, { shares: [1, 0.9] }];
  assert.deepEqual(ranked(lines), [3, 0, 1, 2]);
  assert.equal(worst(lines), 1, "who stops has not failed there");
});

test("one bets where training ended, and the bet is held against who is right most often at the end", () => {
  const lines = [
    { name: "ALiBi", shares: [0.97, 0.98, 0.96] },
    { name: "rotary", shares: [0.98, 0.7, 0.59] },
    { name: "learned", shares: [0.97] },
  ];
  const figure = { lines, trained: 48, step: 48, last: 2, far: 0, bet: null };
  assert.match(asks(figure), /^Which still works at 144 tokens\?/);
  assert.match(asks({ ...figure, bet: 1 }), /You say rotary/);
  assert.match(asks({ ...figure, bet: 1, far: 1 }), /this long\. Pull on to 144/);
  const told = [0, 1, 2].map((bet) => answers({ ...figure, bet }));
  assert.match(told[0], /^Yes: at 144 tokens ALiBi is right 96%/);
  assert.match(told[1], /^No: .* ALiBi is right 96% of the time, rotary 59%\.$/);
  assert.match(told[2], /^No: .*, learned stops at 48\.$/);
});
