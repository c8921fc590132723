// Keys, players and ways from one picture to the next, as several components have them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { inGrid, inRow, Player, tween } from "../../attention_view/controls.js";

/** What a key does, and whether it was taken from the page. */
const pressed = (key, act) => {
  let isTaken = false;
  const to = act({ key, preventDefault: () => (isTaken = true) });
  assert.equal(isTaken, to !== null, `a key that leads nowhere stays the page's: ${key}`);
  return to;
};

test("arrow keys go from cell to cell and stay within the grid", () => {
  const from = (at) => (event) => inGrid(event, at, [3, 4]);
  assert.deepEqual(pressed("ArrowDown", from([0, 0])), [1, 0]);
  assert.deepEqual(pressed("ArrowRight", from([2, 2])), [2, 3]);
  assert.deepEqual(pressed("ArrowUp", from([0, 3])), [0, 3]);
  assert.deepEqual(pressed("ArrowLeft", from([1, 0])), [1, 0]);
  assert.deepEqual(pressed("ArrowDown", from([2, 3])), [2, 3]);
  assert.equal(pressed("Enter", from([1, 1])), null);
});

test("in a row both kinds of arrows go one on or back, and Home and End to its ends", () => {
  const keys = ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Home", "End"];
  const from = (n) => keys.map((key) => pressed(key, (event) => inRow(event, n, 5)));
  assert.deepEqual(from(2), [3, 3, 1, 1, 0, 4]);
  assert.deepEqual(from(0), [1, 1, 0, 0, 0, 4]);
  assert.deepEqual(from(4), [4, 4, 3, 3, 0, 4]);
  assert.equal(
    pressed("a", (event) => inRow(event, 0, 5)),
    null,
  );
});

test("a player takes a step at a time and says when it begins and ends", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const log = [];
  const player = new Player(
    () => log.push("step"),
    100,
    () => log.push(player.isOn),
  );
  player.toggle();
  t.mock.timers.tick(250);
  player.toggle();
  t.mock.timers.tick(500);
  assert.deepEqual(log, [true, "step", "step", false]);
});

test("a tween draws its beginning at once and its end last, and can be ended early", (t) => {
  const frames = [];
  globalThis.requestAnimationFrame = (frame) => frames.push(frame);
  globalThis.cancelAnimationFrame = (request) => delete frames[request - 1];
  t.after(() => ["requestAnimationFrame", "cancelAnimationFrame"].forEach((name) => delete globalThis[name]));
  t.mock.method(performance, "now", () => 1000);
  const drawn = [];
  const end = tween(200, (share) => drawn.push(share));
  frames[0](1050);
  frames[1](1300);
  assert.deepEqual(drawn, [0, 0.25, 1]);
  assert.equal(frames.length, 2);
  end();
  const early = tween(200, (share) => drawn.push(share));
  early();
  assert.equal(frames[2], undefined);
});
