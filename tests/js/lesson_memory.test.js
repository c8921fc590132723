// What a browser remembers of lessons: for how long, what of it, and what it tells a server that has lost it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { LessonMemory } from "../../lab/frame/lessons/memory.js";

const HOUR = 3_600_000;
const stores = {};

/** A store of a browser, as it begins. */
function store() {
  const kept = new Map();
  return {
    kept,
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
    removeItem: (name) => kept.delete(name),
  };
}

beforeEach((t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
  for (const name of ["localStorage", "sessionStorage"]) stores[name] = store();
  for (const name of Object.keys(stores))
    Object.defineProperty(globalThis, name, { configurable: true, get: () => stores[name] });
});

const all = ({ kept }) => [...kept.values()].join("");
const said = (lesson, stop, told = "", written = "") => ({ lesson, stop, told, written });

test("a server that was started anew under a page that stays is told the answers, and nothing is lost", () => {
  const memory = new LessonMemory(null);
  assert.equal(memory.hear(said("heads", "1")), "");
  assert.equal(memory.hear(said("heads", "1", "1p=1-1")), "");
  assert.equal(memory.hear(said("heads", "2", "1p=1-1", "2p=mine")), "");
  for (let restart = 0; restart < 2; restart++) {
    assert.equal(memory.hear(said("heads", "2")), "1p=1-1&2p=mine", `${restart}`);
    assert.equal(memory.hear(said("heads", "2")), "", "once: a server that does not take them is not asked for ever");
    assert.equal(memory.hear(said("heads", "2", "1p=1-1", "2p=mine")), "");
  }
  assert.equal(new LessonMemory(null).hear(said("heads", "2")), "1p=1-1&2p=mine");
});

test("that holds at the first stop, too, on the way back to it, and there after a reload", () => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "1", "1p=1-1"));
  assert.equal(memory.hear(said("heads", "1")), "1p=1-1");
  memory.hear(said("heads", "2", "1p=1-1"));
  assert.equal(memory.hear(said("heads", "1")), "1p=1-1", "the first press since the restart is Back");
  assert.equal(new LessonMemory("heads").hear(said("heads", "1")), "1p=1-1");
});

test("who comes to the first stop begins anew, and who goes back to it does not", () => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "1", "1p=1-1"));
  memory.hear(said("heads", "2", "1p=1-1"));
  memory.hear(said("heads", "1", "1p=1-1"));
  assert.equal(new LessonMemory(null).hear(said("heads", "3")), "1p=1-1");
  memory.leave(null);
  memory.hear(said("heads", "1"));
  assert.equal(new LessonMemory(null).hear(said("heads", "3")), "");
});

test("who explores while the lesson waits comes back to it, and to no other", () => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "1", "1p=1-1"));
  memory.hear(said("heads", "2", "1p=1-1"));
  for (const stop of [1, 2]) memory.come("heads", stop);
  memory.hear(said("pictures", "1", "1p=2-2"));
  memory.leave("heads");
  memory.hear(said("heads", "1"));
  assert.equal(memory.answers("heads"), "1p=1-1");
  assert.deepEqual(memory.way("heads").seen, new Set([1, 2]));
  memory.leave("heads");
  memory.hear(said("pictures", "1"));
  assert.equal(memory.answers("pictures"), "", "it is begun anew");
});

test("at the end, too, the lesson can be begun anew", () => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "6", "1p=1-1"));
  memory.hear(said("heads", undefined, "1p=1-1"));
  assert.equal(memory.hear(said("heads", "1")), "");
  assert.equal(memory.answers("heads"), "");
});

test("after a day all of it is forgotten, unless the lesson goes on", (t) => {
  for (const lesson of ["heads", ".ABCDEFGH"]) {
    const memory = new LessonMemory(null);
    memory.hear(said(lesson, "1", "1p=1-1"));
    memory.come(lesson, 1);
    t.mock.timers.tick(23 * HOUR);
    memory.come(lesson, 2); // it goes on
    t.mock.timers.tick(23 * HOUR);
    assert.equal(memory.way(lesson).at, 2);
    assert.equal(new LessonMemory(null).answers(lesson), "1p=1-1");
    t.mock.timers.tick(2 * HOUR);
    assert.equal(memory.way(lesson).at, 0);
    assert.equal(memory.answers(lesson), "");
    new LessonMemory(null); // any page, whichever lesson it is about
    assert.equal(all(stores.localStorage), "");
  }
});

test("what stays on screen keeps its answers: they are as old as the last look at the lesson", (t) => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "1", "1p=1-1"));
  for (let n = 0; n < 30; n++) {
    t.mock.timers.tick(HOUR);
    memory.come("heads", 1);
  }
  assert.equal(memory.answers("heads"), "1p=1-1");
});

test("what was written stays with its tab, and what is chosen in a lesson of a link does", () => {
  const memory = new LessonMemory(null);
  memory.hear(said("heads", "1", "1p=1-1", "2p=my+secret"));
  memory.hear(said("~abc", "1", "1p=2-2"));
  memory.come("~abc", 1);
  assert.doesNotMatch(all(stores.localStorage), /secret|~abc/);
  stores.sessionStorage = store(); // another tab
  const other = new LessonMemory(null);
  assert.equal(other.hear(said("heads", "3")), "1p=1-1");
  assert.equal(other.hear(said("~abc", "3")), "");
});

test("one lesson does not displace another, and to forget one leaves the others", () => {
  const memory = new LessonMemory(null);
  for (const lesson of ["heads", "pictures"]) memory.hear(said(lesson, "2", "1p=1-1", "2p=x"));
  memory.forget("heads");
  assert.equal(memory.hear(said("heads", "2")), "");
  assert.equal(memory.hear(said("pictures", "2")), "1p=1-1&2p=x");
});

test("of stops those are remembered that were seen, in their order, and the end is no stop to go on at", () => {
  const memory = new LessonMemory(null);
  for (const stop of [4, 2]) memory.come("heads", stop);
  assert.deepEqual(memory.way("heads"), { at: 2, seen: new Set([2, 4]) });
  memory.come("heads", 0);
  assert.deepEqual(memory.way("heads"), { at: 0, seen: new Set([2, 4]) });
  memory.come("pictures", 0);
  assert.doesNotMatch(all(stores.localStorage), /pictures/, "who opens the end has been nowhere");
});

test("what has no date, or is no memory of ours, is none", () => {
  const date = Date.now();
  for (const kept of [4, null, "x", { at: 3, seen: [3] }, { at: 3, date: "x" }, { at: 3, date: date + 48 * HOUR }]) {
    stores.localStorage.setItem("attention-lab-lessons", JSON.stringify({ heads: kept }));
    assert.deepEqual(new LessonMemory(null).way("heads"), { at: 0, seen: new Set() }, JSON.stringify(kept));
    assert.equal(all(stores.localStorage), "");
  }
  const odd = { at: "x", seen: [3, 3, 5, 1e9, "2", null, -1], told: { a: 1 }, date };
  for (const kept of [JSON.stringify({ heads: odd }), "[[]]", "{"]) {
    stores.localStorage.setItem("attention-lab-lessons", kept);
    const { at, seen } = new LessonMemory(null).way("heads");
    assert.deepEqual([at, [...seen]], [0, kept.includes("1e9") || kept.includes("1000000000") ? [3, 5] : []]);
    assert.equal(new LessonMemory(null).answers("heads"), "");
  }
  stores.localStorage.setItem("attention-lab-told", JSON.stringify({ heads: "1p=1-1" }));
  new LessonMemory(null);
  assert.equal(stores.localStorage.kept.has("attention-lab-told"), false, "answers without a date are taken away");
});

test("where a browser keeps nothing, nothing breaks", () => {
  for (const name of Object.keys(stores))
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get: () => {
        throw new Error("refused");
      },
    });
  const memory = new LessonMemory(null);
  assert.equal(memory.hear(said("heads", "2", "1p=1-1")), "");
  memory.come("heads", 2);
  memory.forget("heads");
  assert.equal(memory.hear(said("heads", "2")), "");
  assert.deepEqual(memory.way("heads"), { at: 0, seen: new Set() });
});
