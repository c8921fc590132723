// Models that read on: where their names stand, and what lies between two points.
import assert from "node:assert/strict";
import { test } from "node:test";

import { apart } from "../../pages/positions/components/read_on/apart.js";
import { answers, asks } from "../../pages/positions/components/read_on/bet.js";
import { inOrder, nextOf } from "../../pages/positions/components/read_on/walk.js";
import { ReadOn, shareAt } from "../../pages/positions/components/read_on/read_on.js";

test("names that have room stand where they belong", () => {
  assert.deepEqual(apart([50, 10, 90], 20, 0, 100), [50, 10, 90]);
});

test("names that would cover one another move apart, in their order and around their middle", () => {
  assert.deepEqual(apart([50, 52], 20, 0, 100), [41, 61]);
  const places = apart([30, 31, 32, 90, 29], 20, 0, 100);
  const order = [4, 0, 1, 2].map((n) => places[n]);
  for (let n = 1; n < order.length; n++) assert.ok(order[n] - order[n - 1] >= 20 - 1e-9);
});

test("no name leaves the figure", () => {
  assert.deepEqual(apart([1, 2], 20, 0, 100), [0, 20]);
  assert.deepEqual(apart([99, 98], 20, 0, 100), [100, 80]);
});

test("between two points a line is straight, and past its last it has no share", () => {
  assert.equal(shareAt([1, 0.5], 0.5), 0.75);
  assert.equal(shareAt([1, 0.5], 1), 0.5);
  assert.equal(shareAt([1, 0.5], 1.1), null);
});

test("one goes from the line that stops first, then from the lowest end to the highest, and on to all", () => {
  const order = inOrder([{ shares: [1, 0.8] }, { shares: [1, 0.3] }, { shares: [1] }, { shares: [1, 0.9] }]);
  assert.deepEqual(order, [2, 1, 0, 3]);
  const walked = [null];
  while (walked.length < 2 || walked.at(-1) !== null) walked.push(nextOf(order, walked.at(-1)));
  assert.deepEqual(walked, [null, 2, 1, 0, 3, null]);
});

test("one bets where training ended, and the bet is held against who is right most often at the end", () => {
  const curves = [
    { name: "ALiBi", shares: [0.97, 0.98, 0.96] },
    { name: "rotary", shares: [0.98, 0.7, 0.59] },
    { name: "learned", shares: [0.97] },
  ];
  const figure = { curves, trained: 48, step: 48, last: 2, far: 0, bet: null };
  assert.match(asks(figure), /texts of 48 tokens\. Which works best at 144\?/);
  assert.match(asks({ ...figure, bet: 1 }), /You say rotary/);
  assert.match(asks({ ...figure, bet: 1, far: 1 }), /longer than 48\. Read on to 144/);
  const told = [0, 1, 2].map((bet) => answers({ ...figure, bet }));
  assert.match(told[0], /^Yes: ALiBi is right 96%/);
  assert.match(told[1], /^No: ALiBi is right 96% .*, rotary only 59%\.$/);
  assert.match(told[2], /^No: ALiBi .*, learned nothing: it stops at 48\.$/);
});

test("the door leads into the line that is chosen, and stays as it is while a hand crosses others on its way", () => {
  const node = () => ({
    childNodes: [],
    classList: { toggle() {} },
    replaceChildren(...children) {
      this.text = children.join("");
    },
  });
  const curves = ["ALiBi", "rotary", "none"].map((name) => ({
    name,
    opens: name !== "none",
    finding: `${name} holds`,
  }));
  const figure = Object.assign(Object.create(ReadOn.prototype), {
    ...Object.fromEntries(["say", "why", "play", "inside", "lines", "held"].map((name) => [name, node()])),
    root: { dataset: {}, classList: { toggle() {} } },
    curves,
    order: [0, 1, 2],
    heads: curves.map(() => ({ node: node() })),
    finding: "all",
    because: "",
    bet: null,
    chosen: null,
    over: null,
    show: ReadOn.prototype.tell,
    link: { later() {} },
  });
  const door = () => (figure.inside.disabled ? null : figure.inside.text);
  figure.point(1);
  assert.deepEqual([figure.say.text, door()], ["rotary holds", null], "it would be gone before a hand is there");
  figure.choose(0);
  assert.equal(door(), "Inside ALiBi →");
  figure.point(1);
  assert.deepEqual([figure.say.text, door()], ["rotary holds", "Inside ALiBi →"]);
  figure.choose(2);
  assert.equal(door(), null);
});
