// Keys, players and ways from one picture to the next, as several components have them.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

import {
  drag,
  firstBeat,
  inGrid,
  inRow,
  LONGEST_BEAT,
  Player,
  takesHold,
  tween,
} from "../../attention_view/controls.js";
import { paceOf } from "../../pages/masks/components/leak_ripple/leak_ripple.js";

/** What a key does, and whether it was taken from the page. */
const pressed = (key, act) => {
  let isTaken = false;
  const to = act({ key, preventDefault: () => (isTaken = true) });
  assert.equal(isTaken, to !== null, `a key that leads nowhere stays the page's: ${key}`);
  return to;
};

test("a slider is held by the main button, and then has the focus", () => {
  const done = [];
  const currentTarget = { focus: () => done.push("focus") };
  const press = (button) => takesHold({ button, currentTarget, preventDefault: () => done.push("taken") });
  assert.equal(press(2), false);
  assert.deepEqual(done, []);
  assert.equal(press(0), true);
  assert.deepEqual(done, ["taken", "focus"]);
});

test("a drag is over when the pointer is lifted, or when the component goes: then nobody hears of it any more", (t) => {
  const hands = new EventTarget();
  const stand = ["addEventListener", "removeEventListener"];
  for (const name of stand) globalThis[name] = hands[name].bind(hands);
  t.after(() => stand.forEach((name) => delete globalThis[name]));
  const log = [];
  const begin = () =>
    drag(
      () => log.push("move"),
      (event) => log.push(event.type),
    );
  const happen = (...kinds) => kinds.forEach((kind) => hands.dispatchEvent(new Event(kind)));

  for (const end of ["pointerup", "pointercancel"]) {
    begin();
    happen("pointermove", end, "pointermove", "pointerup");
    assert.deepEqual(log.splice(0), ["move", end]);
  }
  const letGo = begin();
  happen("pointermove");
  letGo();
  happen("pointermove", "pointerup");
  assert.deepEqual(log.splice(0), ["move"]);
});

test("every component keeps what ends its drag, so that none outlives it", () => {
  const lines = globSync("pages/**/*.js").flatMap((name) => readFileSync(name, "utf8").split("\n"));
  const drags = lines.filter((line) => /(?<![.\w])drag\(/.test(line) && !/^ {2}drag\(/.test(line));
  assert.ok(drags.length > 20);
  assert.deepEqual(
    drags.filter((line) => !/\bendDrag = drag\(/.test(line)),
    [],
  );
});

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
  const up = ["ArrowUp", "ArrowDown", "PageUp", "PageDown"];
  assert.deepEqual(up.map((key) => pressed(key, (event) => inRow(event, 5, 20, 1, 4))), [6, 4, 9, 1]); // prettier-ignore
  assert.equal(
    pressed("PageUp", (event) => inRow(event, 2, 5)),
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

/** What a first beat needs of a browser, until the test is over: {hands, kept, calm()}. */
function browser(t) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [kept, hands] = [new Map(), new EventTarget()];
  let isStill = false;
  const stand = {
    matchMedia: () => ({ matches: isStill }),
    localStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
    addEventListener: hands.addEventListener.bind(hands),
  };
  Object.assign(globalThis, stand);
  t.after(() => Object.keys(stand).forEach((name) => delete globalThis[name]));
  return { hands, calm: () => (isStill = true) };
}

test("a first beat plays once, ends by itself or at a key, and not at all for who asked for less motion", (t) => {
  const { hands, calm } = browser(t);
  const log = [];
  const beat = (name) =>
    firstBeat(
      name,
      1000,
      () => log.push(`${name} begins`),
      () => log.push(`${name} ends`),
    );
  const taken = () => log.splice(0);

  beat("race");
  t.mock.timers.tick(900);
  assert.deepEqual(taken(), ["race begins"]);
  t.mock.timers.tick(200);
  assert.deepEqual(taken(), ["race ends"]);
  assert.equal(beat("race"), null);
  assert.deepEqual(taken(), [], "it was seen");

  beat("threads");
  hands.dispatchEvent(new Event("keydown"));
  hands.dispatchEvent(new Event("pointerdown"));
  t.mock.timers.tick(2000);
  assert.deepEqual(taken(), ["threads begins", "threads ends"], "it ends once");

  beat("merges")();
  assert.deepEqual(taken(), ["merges begins", "merges ends"]);
  calm();
  assert.equal(beat("river"), null);
  assert.deepEqual(taken(), []);
});

/** The milliseconds of each first beat of a script: a number that has a name there, or in a script beside it. */
function beatsOf(path, text) {
  const beside = globSync(`${dirname(path)}/*.js`).map((other) => readFileSync(other, "utf8"));
  const named = (name) =>
    [text, ...beside].flatMap((one) => {
      const alone = one.match(new RegExp(`\\b${name} = (\\d+)\\b`));
      const group = [...one.matchAll(/const \[([^\]]+)\] = \[([^\]]+)\]/g)].find(([, names]) =>
        names.split(", ").includes(name),
      );
      const of = group && group[2].split(", ")[group[1].split(", ").indexOf(name)];
      return alone ? [Number(alone[1])] : of ? [Number(of)] : [];
    })[0];
  return [...text.matchAll(/(?<!function )firstBeat\(\s*"?[\w-]+"?,\s*([^,]+),/g)].map(([, said]) => [
    said,
    named(said),
  ]);
}

test("no first beat is longer than three seconds", () => {
  assert.equal(LONGEST_BEAT, 3000);
  const paths = globSync("{attention_view,lab,pages}/**/*.js").filter((path) =>
    readFileSync(path, "utf8").includes(" firstBeat("),
  );
  const beats = paths.flatMap((path) => beatsOf(path, readFileSync(path, "utf8")).map((beat) => [path, ...beat]));
  assert.ok(beats.length > 10);
  for (const [path, said, milliseconds] of beats)
    assert.ok(milliseconds <= LONGEST_BEAT, `${path}: ${said} is ${milliseconds}`);
});

test("a ripple takes three seconds at most, however many layers it goes through", () => {
  for (const layers of [1, 3, 5, 6, 12, 48]) assert.ok(layers * paceOf(layers) <= LONGEST_BEAT + 1e-6);
  assert.equal(paceOf(3), 700, "a few layers take no longer than they need");
});

test("a press that ends a first beat does no more than that where its button says something else in the end", (t) => {
  const { hands } = browser(t);
  const on = (button, kind, more = {}) =>
    hands.dispatchEvent(Object.assign(new Event(kind), { composedPath: () => [{ closest: () => button }], ...more }));
  /** Whether the click of a press is heard. */
  const isHeard = (button) => {
    let clicks = 0;
    hands.addEventListener("click", () => clicks++, { once: true });
    on(button, "click");
    return clicks === 1;
  };
  /** Whether the click is heard of the press that ends a beat, in which the button becomes another, and of the next. */
  const heard = (before, after, press = "pointerdown") => {
    const button = { textContent: "", ...before, getAttribute: () => button.pressed ?? null };
    firstBeat(
      Math.random().toString(),
      1000,
      () => {},
      () => Object.assign(button, after),
    );
    return [1, 2].map(() => {
      on(button, press);
      return isHeard(button);
    });
  };
  assert.deepEqual(heard({ textContent: "Stop" }, { textContent: "Put it back" }), [false, true]);
  assert.deepEqual(heard({ textContent: "Stop" }, { textContent: "Put it back" }, "keydown"), [false, true]);
  assert.deepEqual(heard({ textContent: "Next" }, {}), [true, true]);
  assert.deepEqual(heard({ pressed: "false" }, { pressed: "true" }), [false, true], "it is done already");
  assert.deepEqual(heard({ pressed: "true" }, { pressed: "false" }), [true, true], "it is still to be done");
  assert.deepEqual(heard({ pressed: "false", textContent: "" }, { textContent: "34%" }), [true, true]);

  const key = { textContent: "Stop", getAttribute: () => null };
  firstBeat(
    "held key",
    1000,
    () => {},
    () => (key.textContent = "Go on"),
  );
  on(key, "keydown", { key: " " });
  on(key, "keydown", { key: " ", repeat: true });
  assert.ok(!isHeard(key), "a space bar that is held down clicks when it is let go");
});
