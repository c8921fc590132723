// What is said of a closing bracket of a piece of code.

import assert from "node:assert/strict";
import { test } from "node:test";
import { lanes, rounded, routes } from "../../pages/beyond/components/code_brackets/routes.js";
import {
  changed,
  CodeBrackets,
  counting,
  found,
  question,
  ruled,
  taken,
  told,
} from "../../pages/beyond/components/code_brackets/code_brackets.js";

const data = { pieces: [..."f(x)"].map((text) => ["", text]) };
const one = { at: 3, partner: 1, looks: 1, expected: ")", p: 0.98, row: [0.1, 0.7, 0.1], rest: 0.1 };

test("what is said of one bracket: where it looks, and what the model would write", () => {
  assert.equal(told(data, one), "This “)” looks most at “(” (70%), its partner. The model writes “)”, 98% sure.");
  assert.match(told(data, { ...one, looks: 2 }), /at “x” \(10%\)\. The/);
  assert.match(told(data, { ...one, looks: -1 }), /at the start of the text \(10%\)\./);
  const lost = told(data, { ...one, partner: null, expected: "]" });
  assert.match(lost, /The model would write “\]”, not “\)”\. It closes nothing\.$/);
  assert.match(told(data, { ...one, expected: "⟨end⟩" }), /would write nothing, not “\)”\.$/);
  assert.match(told(data, { ...one, p: 0.9996 }), /, over 99\.9% sure\.$/);
});

test("of all closing brackets, those that look at their partners are counted; those without one are named", () => {
  const of = (...closings) => found({ closings });
  const says = "The head finds the partner of 1 of 2 closing brackets.";
  assert.equal(of(one, { ...one, looks: 2 }), says);
  const lost = { ...one, partner: null, looks: -1 };
  assert.equal(of(one, { ...one, looks: 2 }, lost), `${says.replace("of 2", "of 3")} 1 of them has none.`);
  assert.equal(of(one, lost, lost), `${says.replace("of 2", "of 3")} 2 of them have none.`);
  assert.equal(of(one), "The head finds the partner of the only closing bracket.");
  assert.equal(of({ ...one, looks: 2 }), "The head does not find the partner of the only closing bracket.");
  assert.equal(of(one, one), "The head finds the partner of both closing brackets.");
  assert.equal(of(one, one, one), "The head finds the partner of all 3 closing brackets.");
  assert.equal(of({ ...one, partner: null }), "No bracket here closes another one.");
});

test("counting looks equally far back from every bracket, and finds partners only at that distance", () => {
  const far = { ...one, at: 9, partner: 1, looks: 1 };
  const looks = counting({ closings: [one, far], distance: 2 });
  assert.deepEqual(
    looks.map(({ at, looks }) => at - looks),
    [2, 2],
  );
  const says = "Counting 2 tokens back finds 1 of 2 partners and misses the rest. The head finds both.";
  assert.equal(ruled({ closings: [one, far], distance: 2 }), says);
  assert.equal(ruled({ closings: [one], distance: 2 }), "Counting 2 tokens back finds the only partner here, too.");
  const missed = [one, { ...far, at: 3, looks: 2 }];
  assert.match(ruled({ closings: missed, distance: 2 }), /finds both partners here; the head finds 1 of 2\.$/);
});

test("spans that overlap have lanes of their own, the shorter one the nearer", () => {
  assert.deepEqual(
    lanes([
      [0, 9],
      [2, 4],
      [5, 7],
      [10, 12],
    ]),
    { lane: [1, 0, 0, 0], count: 2 },
  );
});

// Four lines of words, 20 high, 30 apart; they begin at 40.
const place = {
  rows: [0, 1, 2, 3].map((n) => [30 + 50 * n, 50 + 50 * n]),
  room: 30,
  left: 40,
  margin: 40,
  step: 8,
};
const at = (row, x, isFirst = false) => ({ row, x, left: x - 5, isFirst });

test("no thread crosses words, and no two lie on each other", () => {
  const threads = [
    { from: at(0, 200), to: at(0, 100) },
    { from: at(0, 220), to: at(0, 60) },
    { from: at(3, 45, true), to: at(0, 260) },
    { from: at(2, 300), to: at(1, 150) },
    { from: at(3, 200), to: at(1, 120) },
  ];
  const ways = routes(threads, place);
  const level = [];
  for (const [n, way] of ways.entries()) {
    for (const [k, [x, y]] of way.entries()) {
      if (k === 0) continue;
      const [a, b] = way[k - 1];
      const [isLevel, isUpright] = [y === b, x === a];
      assert.ok(isLevel || isUpright, "all turns are square");
      const isWithin = place.rows.some(([top, bottom]) => isLevel && y > top && y < bottom);
      assert.ok(!isWithin || Math.max(a, x) <= threads[n].from.left, "level parts run between lines, or before them");
      const passes = place.rows.some(([top, bottom]) => isUpright && Math.min(b, y) <= top && Math.max(b, y) >= bottom);
      assert.ok(!passes || x < place.left, "upright parts pass lines in the margin");
      if (isLevel) level.push([y, Math.min(a, x), Math.max(a, x)]);
    }
    assert.deepEqual(way.at(-1)[0], threads[n].to.x);
  }
  for (const [n, [y, start, end]] of level.entries())
    for (const [b, from, to] of level.slice(n + 1)) assert.ok(y !== b || end < from || to < start);
});

test("a thread is a line with round corners", () => {
  const way = [
    [0, 20],
    [0, 0],
    [40, 0],
    [40, 20],
  ];
  assert.equal(rounded(way, 5), "M0 20L0.0 5.0Q0 0 5.0 0.0L35.0 0.0Q40 0 40.0 5.0L40 20");
});

test("without a bracket, it is said which threads let go and what the model would write instead", () => {
  const pieces = [..."{(x)}"].map((text) => ["", text]);
  const whole = [
    { at: 3, partner: 1, looks: 1, expected: ")" },
    { at: 4, partner: 0, looks: 0, expected: "}" },
  ];
  const of = (inner, outer) => ({
    pieces,
    closings: whole,
    without: {
      1: [
        { ...whole[0], ...inner },
        { ...whole[1], ...outer },
      ],
    },
  });
  const says = (...more) => taken(of(...more), 1).replace("Without this “(”, ", "");
  assert.deepEqual(changed(of({ looks: 0, expected: "}" }), 1), { moved: [3], other: [3] });
  assert.equal(says({ looks: 0, expected: "}" }), "1 of 2 threads lets go; for “)” the model would write “}”.");
  assert.equal(says({ partner: null }), "no thread lets go; the model still writes the same.");
  assert.equal(says({ expected: "⟨end⟩" }), "no thread lets go; for “)” the model would write nothing.");
  const both = says({ looks: 0, expected: "}" }, { looks: -1, expected: "⟨end⟩" });
  assert.equal(both, "2 of 2 threads let go; the model would write 2 brackets differently.");
  const resting = of();
  resting.closings = [{ ...whole[0], looks: -1 }, whole[1]];
  assert.deepEqual(changed(resting, 1), { moved: [], other: [] }, "what leads to the start has no thread that lets go");
  assert.match(taken(resting, 1), /no thread lets go; the model still/);
  resting.without[1][1].looks = 1;
  assert.match(taken(resting, 1), / 1 of 1 thread lets go; /);
  resting.closings = [{ ...whole[0], looks: -1 }];
  assert.equal(question(resting), "", "there is no thread");
  assert.equal(question(of()), "Touch a “(”, and it is gone. Which threads let go?");
  assert.equal(question({ pieces, without: {} }), "", "there is nothing to take out");
});

test("a closing bracket that is held ends what is out; one that comes back leaves the counting on", () => {
  const node = () => ({ childNodes: [], replaceChildren() {}, classList: { toggle() {} } });
  const without = { 1: [one] };
  const it = Object.assign(Object.create(CodeBrackets.prototype), { paintThreads() {} });
  it.data = { ...data, closings: [one], distance: 2, without };
  Object.assign(it, { held: null, out: null, isCounting: false, finding: node(), act: node() });
  it.takeOut(1);
  it.hold(one);
  assert.deepEqual([it.out, it.held], [null, one]);
  it.hold(null);
  it.count(true);
  it.takeOut(1);
  assert.deepEqual([it.out, it.isCounting], [1, true]);
  it.takeOut(null);
  assert.deepEqual([it.out, it.isCounting], [null, true]);
});
