// Heads that are pulled out: where the beam is on the way, and what is said.
import assert from "node:assert/strict";
import { test } from "node:test";

import { onTheWay, read, told, turns } from "../../pages/challenges/components/pull_tabs/pull_tabs.js";

const [IN, OUT] = [
  [1, 0],
  [0.4, 0.6],
];
const texts = [
  {
    name: "tim",
    shares: [
      [IN, IN, OUT],
      [IN, IN, [0.9, 0]],
      [IN, IN, [0.99, 0]],
    ],
  },
  {
    name: "lily",
    shares: [
      [
        [0, 1],
        [0, 1],
        [0.5, 0.5],
      ],
      [
        [0, 1],
        [0, 1],
        [0, 0.8],
      ],
      [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ],
  },
];
const data = { words: ["he", "she"], texts };

test("between two places at which the model was asked, the beam goes straight", () => {
  assert.deepEqual(onTheWay(texts[0].shares[0], 0), IN);
  assert.deepEqual(onTheWay(texts[0].shares[0], 0.5), IN);
  assert.deepEqual(onTheWay(texts[0].shares[0], 0.75), [0.7, 0.3]);
  assert.deepEqual(onTheWay(texts[0].shares[0], 1), OUT);
});

test("a near miss is cheered, and the right head asks for the other name", () => {
  assert.deepEqual(
    [null, 0, 1, 2].map((head) => turns(texts[0], head)),
    [false, true, false, false],
  );
  assert.equal(told(data, 0, null), "All 3 heads are in: it says “he”. Pull one out.");
  assert.equal(told(data, 0, 0), "✓ Without this one head, “he” is “she”. And after “lily”?");
  assert.equal(told(data, 0, 1), "Warm! “he” falls to 90%. Another head holds more of it.");
  assert.equal(told(data, 0, 2), "Not this one: it still says “he”.");
  assert.match(told(data, 1, 0), /^Without this head, the name hardly matters: “she” has 60% after “tim”, 50% after/);
  assert.match(told(data, 1, 1), /^Without this head, “she” has /);
  assert.match(told(data, 1, null), /^With every head in, “she” has /);
});

test("a link names a text and a head, or nothing", () => {
  assert.deepEqual(read("lily:2", texts), [1, 2]);
  for (const code of ["lily:3", "tom:1", "tim:x", "", null]) assert.deepEqual(read(code, texts), [0, null], code);
});
