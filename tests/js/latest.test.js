// A press against older answers of the server.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Presses } from "../../lab/kit/components/latest.js";

const BUSY = 12_000;

// ---- presses -------------------------------------------------------------------------------------------------------

function pressed(t, ...values) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const presses = new Presses(() => presses.n++);
  presses.n = 0;
  assert.ok(presses.isNews("start"));
  for (const value of values) presses.add(value);
  return presses;
}

const newsOf = (presses, ...answers) => answers.filter((answer) => presses.isNews(answer));

test("no answer to a press is news, in whatever order the same was pressed", (t) => {
  const presses = pressed(t, "A", "B", "A");
  assert.deepEqual(newsOf(presses, "start", "A", "A", "B", "A", "A"), []);
  assert.deepEqual(newsOf(presses, "B"), ["B"], "all are answered: this is of another hand");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0);
});

test("answers may be left out", (t) => {
  assert.deepEqual(newsOf(pressed(t, "A", "B", "C"), "C", "B"), ["B"]);
  t.mock.timers.reset();
  const presses = pressed(t, "A", "B", "A");
  assert.deepEqual(newsOf(presses, "A"), [], "that to the last press, the only one that came");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0, "nothing was lost");
});

test("what is changed elsewhere is news, while a press waits and after that", (t) => {
  const presses = pressed(t, "A");
  assert.deepEqual(newsOf(presses, "X", "X", "A"), ["X", "A"]);
  presses.add("B");
  presses.forget(); // another text
  assert.deepEqual(newsOf(presses, "A"), ["A"]);
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 0);
});

test("twelve seconds after the last press without an answer, what was said last holds; a late answer is news", (t) => {
  const presses = pressed(t, "A");
  t.mock.timers.tick(BUSY - 1);
  presses.add("B");
  t.mock.timers.tick(BUSY - 1);
  assert.equal(presses.n, 0);
  t.mock.timers.tick(1);
  assert.equal(presses.n, 1);
  assert.deepEqual(newsOf(presses, "start", "B"), ["B"]);
  presses.add("B");
  t.mock.timers.tick(BUSY);
  assert.equal(presses.n, 1, "the server said so already: no answer need come");
});
