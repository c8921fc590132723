// What phones and the projector work out by themselves.

import { counted } from "../../attention_view/lab.js";
import assert from "node:assert/strict";
import { test } from "node:test";

import { arcsFrom } from "../../lab/frame/rooms/asked_arcs.js";
import { bent, found } from "../../lab/frame/rooms/answers.js";
import { Door } from "../../lab/frame/rooms/door.js";
import { cellAt, edgeOf, isMasked } from "../../lab/frame/rooms/map.js";
import { hardest, outcomeSaid } from "../../lab/frame/rooms/outcome.js";
import { areVotesNext, CALM, DOUBLE, presses, shownBy, twice } from "../../lab/frame/rooms/presses.js";
import { curves, named, numbers, voteSaid } from "../../lab/frame/rooms/results.js";
import {
  acrossOf,
  amongPoints,
  amount,
  changeTold,
  inWords,
  lateTold,
  leading,
  nextTold,
  pathOf,
  truthOf,
  waitsForYou,
  wanted,
} from "../../lab/frame/rooms/said.js";
import { partOf } from "../../lab/frame/rooms/view.js";
import { codeIn, CODE, isOlder, pauseBefore } from "../../lab/frame/rooms/wire.js";
import { Room } from "../../pages/classroom/components/rehearsal/room.js";

test("a code is read however it is typed", () => {
  for (const typed of ["KRTM", "krtm", " k r-t.m "]) assert.equal(codeIn(typed), "KRTM");
  assert.equal(codeIn(null), "");
  assert.ok(CODE.test("KRTM"));
  for (const wrong of ["KRT", "KRTMM", "KRTA", "KR1M"]) assert.ok(!CODE.test(wrong));
});

test("a vote is said in a sentence, and what the model says only once it is shown", () => {
  const labels = ["red", "hat", "ball"];
  const held = voteSaid({ labels, truth: [] }, [
    [3, 0, 0],
    [1, 5, 2],
  ]);
  assert.equal(held, "5 of 8 pressed “hat”. Where does the model look?");
  const shown = voteSaid({ labels, truth: [0.1, 0.2, 0.7] }, [[1, 5, 2]]);
  assert.equal(shown, "The model looks most at “ball”: 0.70. 2 of 8 pressed it.");
  const alone = voteSaid({ labels, truth: [0.1, 0.2, 0.7] }, [[0, 0, 0]]);
  assert.equal(alone, "The model looks most at “ball”: 0.70.", "nobody has voted");
});

test("a vote that is a tie is called one, and of equal words it is said which", () => {
  const held = (labels, counts) => voteSaid({ labels, truth: [] }, [counts]).replace(" Where does the model look?", "");
  assert.equal(held(["red", "hat", "ball"], [1, 6, 6]), "A tie: 6 of 13 each for “hat” and “ball”.");
  assert.equal(held(["a", "b", "c", "d"], [2, 2, 0, 2]), "A tie: 2 of 6 each for “a”, “b” and “d”.");
  const twice = ["the", "cat", "saw", "the", "dog"];
  assert.equal(held(twice, [1, 0, 0, 5, 0]), "5 of 6 pressed the second “the”.");
  const shown = voteSaid({ labels: twice, truth: [0.9, 0, 0, 0.1, 0] }, [[1, 0, 0, 5, 0]]);
  assert.equal(shown, "The model looks most at the first “the”: 0.90. 1 of 6 pressed it.");
});

test("tries come ever later, up to eight seconds, and not all at the same moment", () => {
  const last = [0, 1, 2, 3, 9].map((n) => pauseBefore(n, 1));
  assert.deepEqual(last, [1000, 2000, 4000, 8000, 8000]);
  assert.equal(pauseBefore(9, 0), 4000);
});

test("news that was overtaken on its way is older than what was heard", () => {
  for (const [news, heard] of [
    ["3.5", "4.0"],
    ["4.1", "4.2"],
    [3, 4],
  ]) {
    assert.ok(isOlder(news, heard));
    assert.ok(!isOlder(heard, news));
  }
  assert.ok(!isOlder("10.0", "9.7"), "turns are numbers");
  assert.ok(!isOlder("0.0", ""), "who has heard nothing hears all");
});

test("a curve follows the finger, also a quick one", () => {
  const range = { low: 0, high: 10 };
  assert.deepEqual(bent([0, 0, 0, 0, 0], [0, 1], [1, 0], range), [0, 2.5, 5, 7.5, 10]);
  assert.deepEqual(bent([1, 1, 1, 1, 1], [0.5, 0.5], [0.5, 0], range), [1, 1, 10, 1, 1]);
  assert.deepEqual(bent([1, 1, 1], [1, 2], [0.5, -3], range), [1, 10, 0], "beyond the paper is its edge");
});

test("a path has room for its strokes on all sides, and its points stand where the words below it do", () => {
  const path = pathOf([0, 5, 10], { low: 0, high: 10 }, 100, 50);
  assert.equal(path, "M4.0 48.5L50.0 25.0L96.0 1.5");
  const xs = [...path.matchAll(/[ML]([\d.]+)/g)].map(([, x]) => Number(x));
  assert.deepEqual(
    xs,
    [0, 1, 2].map((n) => Number((100 * acrossOf(n, 3)).toFixed(1))),
  );
  for (const [place, among] of [
    [
      [0.04, 0.03],
      [0, 0],
    ],
    [
      [0.96, 0.97],
      [1, 1],
    ],
  ])
    amongPoints(place).forEach((part, n) => assert.ok(Math.abs(part - among[n]) < 1e-9));
});

test("words are found by how they begin, then by what they hold", () => {
  const words = ["that", "hat", "what", "hats", "she"];
  assert.deepEqual(
    found(words, "HA").map((n) => words[n]),
    ["hat", "hats", "that", "what"],
  );
  assert.deepEqual(found(words, "xyz"), []);
  assert.equal(found(words, "").length, words.length);
});

test("of many words the model's first choices and the most chosen are shown", () => {
  const truth = [0.1, 0.5, 0.2, 0.05, 0.15];
  assert.deepEqual(named(truth, [[[3, 9]]], 4), [1, 2, 4, 3]);
  assert.deepEqual(named(truth, [[]], 2), [1, 2]);
});

test("a word that nobody chose and the model does not expect is no row of the chart", () => {
  const truth = [0, 0.98, 0.004, 0.016, 0];
  assert.deepEqual(named(truth, [[[1, 4]]]), [1, 3]);
  assert.deepEqual(named(truth, [[[4, 2]], [[1, 2]]]), [1, 3, 4], "also what was chosen before talking");
  assert.deepEqual(named([], [[[4, 2]]]), [4], "while the model is held back");
});

test("of two votes on a word both favourites are shown, however many words were said", () => {
  const first = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => [n, n ? 1 : 11]);
  const last = [
    [9, 20],
    [0, 3],
  ];
  assert.deepEqual(named([], [first, last]), [9, 0, 1, 2, 3, 4, 5]);
  const truth = [0, 0.5, 0.3, 0.2, 0, 0, 0, 0, 0, 0];
  assert.deepEqual(named(truth, [first, last]), [1, 2, 3, 9, 0, 4, 5], "and beside the model's own");
  const many = [9, 8, 7, 6, 5, 4, 3, 2].map((n) => [n, n]);
  assert.ok(named([], [first, many]).includes(0), "what most said before talking");
  assert.equal(named([], [first, many])[0], 9);
});

test("answers in words", () => {
  const step = { kind: "options", labels: ["left", "right"], truth: [0, 1], unit: "" };
  assert.equal(inWords(step, 0), "left");
  assert.equal(truthOf(step), "right");
  assert.equal(truthOf({ ...step, kind: "cells", truth: [0.82, 0.18] }), "left 0.82");
  assert.equal(truthOf({ kind: "number", truth: [99.96], unit: "%" }), "99.96%");
  assert.equal(truthOf({ ...step, truth: [] }), "");
  assert.equal(amount(50, "%"), "50%");
});

test("a histogram in a sentence", () => {
  assert.equal(numbers({ low: 0, high: 100, unit: "%" }, [[0, 1, 3, 0]]), "4 numbers; most between 50% and 75%");
  assert.equal(numbers({ low: 0, high: 100, unit: "%" }, [[0, 0, 1, 0]]), "1 number, between 50% and 75%");
  assert.equal(numbers({ low: 0, high: 100, unit: "%" }, [[0, 0]]), "Nobody has answered");
  const few = { low: 0, high: 100, unit: "%" };
  assert.equal(numbers(few, [[0, 1, 1, 0]]), "2 numbers, between 25% and 75%", "two are no majority of one");
  assert.equal(numbers(few, [[0, 3, 0, 0]]), "3 numbers, between 25% and 50%", "all are more than most");
});

test("one button leads: the votes, the answer, the view in which it is seen, and then the next question", () => {
  const news = { step: { kind: "options", view: "./heads" }, seats: 3, answered: [0], done: false };
  const at = (step, more = {}) => ({ ...news, answered: [3], ...more, step: { ...news.step, ...step } });
  assert.equal(leading(news, false), "");
  assert.equal(leading(at({}), false), "reveal");
  assert.equal(leading(at({ counted: true }), false), "reveal");
  assert.equal(leading(at({ counted: true, shown: true }), false), "look");
  assert.equal(leading(at({ counted: true, shown: true }), true), "next");
  assert.equal(leading(at({ kind: "cells", counted: true, shown: true }), false), "next");
  assert.equal(leading(at({ kind: "test", view: "" }), false), "next");
  assert.equal(leading(at({ kind: "test", view: "" }, { answered: [2] }), false), "", "one has not answered yet");
  assert.equal(leading(at({ shown: true }, { done: true }), false), "");
  const rehearsed = (mine) => leading(at({}, { invented: 24, mine }), false);
  assert.deepEqual([rehearsed(undefined), rehearsed(3)], ["", "reveal"], "first the vote of whoever rehearses");
  const waits = (step, more) => waitsForYou(at(step, more));
  assert.ok(waits({}, { invented: 24 }), "votes that are shown take no more answers");
  assert.ok(!waits({}, { invented: 24, mine: 0 }) && !waits({ counted: true }, { invented: 24 }));
  assert.ok(!waits({ kind: "talk" }, { invented: 24 }) && !waits({}), "a class of people shows its votes at any time");
});

test("a view is a part of the projector's page, laid out as one presents it", () => {
  assert.equal(partOf("./heads", true), "./heads?present=1&embed=true&embed_options=dark_theme");
  assert.equal(partOf("./heads?head=3", false), "./heads?head=3&present=1&embed=true&embed_options=light_theme");
});

test("the end of a class says what it has answered, and which questions were hardest", () => {
  const asked = [
    ["h", "easy?", 9, 10],
    ["h", "hard?", 1, 10],
    ["h", "so so?", 3, 5],
  ];
  assert.equal(outcomeSaid({ ideas: [], asked, given: 25 }, 10), "10 phones, 25 answers, 13 of them right.");
  const all = "10 phones, 45 answers. Right: 13 of the 25 that can be right.";
  assert.equal(outcomeSaid({ ideas: [], asked, given: 45 }, 10), all, "no curve is right");
  assert.equal(outcomeSaid({ ideas: [], asked: [], given: 20 }, 10), "10 phones, 20 answers.");
  assert.equal(outcomeSaid({ ideas: [], asked: [], given: 0 }, 1), "1 phone took part.");
  const rehearsed = "45 answers, 43 of them invented. Right: 13 of the 25 that can be right.";
  assert.equal(outcomeSaid({ ideas: [], asked, given: 45, invented: 43 }, 13), rehearsed, "no phone is there");
  assert.deepEqual(
    hardest(asked).map(([, ask]) => ask),
    ["hard?", "so so?", "easy?"],
  );
  const ideas = [
    ["mask", 4, 1, 3],
    ["heads", 3, 0, 3],
  ];
  const said = "Right answers to the test: 1 of 7 before the lesson, 6 of 7 after it.";
  assert.equal(outcomeSaid({ ideas, asked, given: 25 }, 4), said);
});

test("a phone asks for what there is to do, and says until when it can be changed", () => {
  assert.equal(wanted({ kind: "curve" }), "Draw a line");
  assert.equal(wanted({ kind: "options" }), "Choose an answer");
  assert.match(changeTold({ kind: "options" }), /votes are shown/);
  assert.match(changeTold({ kind: "options", part: "before" }), /class goes on/, "of a test nothing is ever shown");
});

test("once the votes are on the board, a phone says what it waits for", () => {
  assert.equal(nextTold({ kind: "cells" }), "Next comes what the model does.");
  assert.match(nextTold({ kind: "options" }), /the right answer/);
});

test("curves are counted as one counts them", () => {
  assert.equal(curves(12, true), "12 curves of the class, and the model’s");
  assert.equal(curves(1, true), "1 curve of the class, and the model’s");
  assert.equal(curves(0, true), "No curve of the class, only the model’s");
  assert.equal(curves(1, false), "1 curve of the class");
  assert.deepEqual(
    [0, 1, 2].map((n) => counted(n, "cell")),
    ["0 cells", "1 cell", "2 cells"],
  );
});

test("arcs lead from the word that asks to what has weight, the strongest on top and within the room", () => {
  const step = { asks: 3, truth: [0.7, 0.02, 0.2, 0.08] };
  const arcs = arcsFrom(step, [10, 60, 110, 160], 100);
  assert.deepEqual(
    arcs.map(({ weight }) => weight),
    [0.08, 0.2, 0.7],
  );
  assert.match(arcs.at(-1).d, /^M160 0C160 (\d+\.?\d*) 10 \1 10 0$/);
  for (const { d } of arcs) assert.ok(0.75 * Number(d.match(/C\S+ (\S+)/)[1]) < 100);
});

test("a finger is on a cell of the map, or beside it", () => {
  const step = { labels: ["a", "b", "c"], masked: true };
  const edge = edgeOf(step);
  const size = edge + 3 * 20 + 2;
  const middle = (n) => (edge + 20 * n + 10) / size;
  assert.deepEqual(cellAt(step, [middle(0), middle(2)]), [2, 0]);
  assert.equal(cellAt(step, [0.5 * (edge / size), middle(2)]), null);
  assert.ok(edgeOf({ labels: ["a", "found"] }) < edgeOf({ labels: ["a", "foundation"] }), "short words take less room");
  assert.equal(cellAt(step, [middle(1), 1]), null);
  assert.ok(isMasked(step, [0, 2]));
  assert.ok(!isMasked(step, [2, 2]));
});

test("of a map the strongest cell is said by its words", () => {
  const step = { kind: "map", labels: ["she", "ran"], truth: [0.9, -1, 0.05, 0.95], unit: "" };
  assert.equal(truthOf(step), "ran → ran 0.95");
  assert.equal(inWords(step, [1, 0]), "ran → she");
});

test("who gave no answer is told why there is nothing to press: that is not the same for newcomers", () => {
  const news = { at: 3, of: 9, free: false, step: { round: 0, shown: true } };
  const second = { ...news, step: { round: 1, shown: true } };
  const held = { ...news, step: { round: 0, shown: false } };
  assert.equal(lateTold(held, true), "The votes were shown before you sent yours.");
  assert.equal(lateTold(news, true), "The answer was shown before you sent yours.");
  assert.equal(lateTold(second, true), "You sent no answer in the second vote.");
  const answered = "The class has answered this one already.";
  for (const late of [news, second]) assert.equal(lateTold(late, false), `${answered} You come in with the next.`);
  assert.equal(lateTold({ ...news, at: 8 }, false), answered, "there is no next");
  assert.equal(lateTold({ ...news, free: true }, false), answered, "who roams may go back");
});

test("in a rehearsal an answer and a turn are acts, and nothing else", () => {
  const room = new Room({ title: "", steps: [{ kind: "options", labels: ["a", "b"] }] });
  assert.equal(room.hear("./rooms//seat", {}), false);
  assert.equal(room.hear("./rooms//answer", { at: 0, round: 0, value: 1 }), true);
  assert.equal(room.hear("./rooms//turn", { shown: true }), true);
});

test("the votes of an invented class are seen once the teacher has voted, or when they are asked for", () => {
  const steps = [{ kind: "options", labels: ["a", "b"], truth: [0, 1], replies: [] }];
  const [voted, asked] = [0, 1].map(() => new Room({ title: "", steps, invented: [[[0, 1, 1], [1]]] }));
  assert.equal(voted.projected().votes, undefined);
  voted.answer({ at: 0, round: 0, value: 0 });
  assert.deepEqual(voted.projected().votes, [[2, 2]]);
  voted.turn({ again: true });
  assert.equal(voted.projected().votes, undefined, "the second vote has its own");
  asked.turn({ counted: true });
  assert.deepEqual(asked.projected().votes, [[1, 2]]);
});

test("a vote that comes into a rehearsal while the model is shown is counted when it is hidden", () => {
  const room = new Room({ title: "", steps: [{ kind: "options", labels: ["a", "b"], truth: [0, 1] }] });
  room.turn({ shown: false });
  room.answer({ at: 0, round: 0, value: 0 });
  room.turn({ shown: false });
  assert.ok(!room.projected().step.counted, "nothing was seen");
  room.answers.clear();
  room.turn({ shown: true });
  room.answer({ at: 0, round: 0, value: 1 });
  room.turn({ shown: false });
  assert.deepEqual(room.projected().votes, [[0, 1]]);
  assert.ok(room.projected().step.counted);
});

test("the button that shows does what it said when it was pressed, also where the server is slow", () => {
  const news = (step, n = 3, at = 0) => ({
    at,
    step: { ask: "Which?", counted: false, shown: false, ...step },
    answered: [n],
  });
  const [open, counted, shown] = [news({}), news({ counted: true }), news({ counted: true, shown: true })];
  assert.deepEqual([open, counted, shown, news({}, 0)].map(areVotesNext), [true, false, false, false]);
  assert.deepEqual(shownBy(open), { counted: true });
  assert.deepEqual(shownBy(counted), { shown: true });
  assert.deepEqual(shownBy(shown), { shown: false });
  assert.deepEqual(shownBy(news({}, 0)), { shown: true }, "there are no votes");
  assert.deepEqual(shownBy(open, counted), { counted: true }, "it said “Show the votes”, and they are shown by now");
  assert.deepEqual(shownBy(shown, news({}, 3, 1)), { counted: true }, "a key before this one has gone on");
});

test("a press that comes before the server has answered is none, nor one just after it", async () => {
  let now = 0;
  const once = presses(() => now);
  const done = [];
  const answers = [];
  const slow = once(() => {
    done.push("next");
    return new Promise((answer) => answers.push(answer));
  });
  const quick = once(() => done.push("view"));
  const button = { setAttribute: (name) => (button[name] = true), removeAttribute: (name) => delete button[name] };
  const first = slow({ currentTarget: button });
  assert.ok(button["aria-busy"]);
  for (now of [0, DOUBLE + 50, 20 * DOUBLE]) slow();
  assert.deepEqual(done, ["next"], "the button says still what it said");
  answers.pop()();
  await first;
  assert.ok(!("aria-busy" in button));
  slow();
  now += DOUBLE - 1;
  slow();
  assert.deepEqual(done, ["next"], "nobody has read by now what it says");
  now += 1;
  const second = slow();
  assert.deepEqual(done, ["next", "next"]);
  await quick();
  await quick();
  assert.deepEqual(done, ["next", "next", "view"], "another act is done at once");
  answers.pop()();
  await second;
  const offered = once(() => done.push("end"), now);
  await offered();
  now += DOUBLE;
  await offered();
  assert.deepEqual(done.slice(3), ["end"], "a button that has just come is not pressed by the press before");
});

test("a first press that was a slip is forgotten after a while, or at Escape", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const once = presses(() => now);
  const [button, done] = [{}, []];
  const says = { sure: undefined };
  twice(
    button,
    (isSure) => (says.sure = isSure),
    () => once(() => done.push("end"), now),
  );
  assert.equal(says.sure, false);
  const first = () => {
    button.onclick();
    assert.equal(says.sure, true);
  };
  first();
  await button.onclick();
  assert.deepEqual(done, [], "nobody has read by now what a second press does");
  mock.timers.tick(CALM - 1);
  assert.equal(says.sure, true);
  mock.timers.tick(1);
  assert.equal(says.sure, false);
  first();
  assert.notEqual(button.onkeydown({ key: "Enter" }), false, "the key does what it does elsewhere");
  assert.equal(says.sure, true);
  button.onkeydown({ key: "Escape" });
  assert.equal(says.sure, false);
  mock.timers.tick(CALM - 1);
  first();
  mock.timers.tick(CALM - 1);
  assert.equal(says.sure, true, "its own time, and not that of the press before");
  now = DOUBLE;
  await button.onclick();
  assert.deepEqual(done, ["end"]);
});

test("the code that a teacher calls up for those who come late stays while they sit down", () => {
  const [picture, chip] = [{ hidden: true }, { setAttribute: (_, isOpen) => (chip.isOpen = isOpen) }];
  const door = Object.assign(Object.create(Door.prototype), { picture, chip, isDrawn: true });
  const news = (step, more) => door.hear({ at: 0, open: true, done: false, step: { ...step }, ...more });
  news({});
  assert.ok(!picture.hidden, "the class comes in");
  for (const place of [
    [{ counted: true }],
    [{ counted: true, shown: true }],
    [{}, { at: 3 }],
    [{}, { at: 8, done: true }],
  ]) {
    news(...place);
    assert.ok(picture.hidden, "it makes room");
    door.turn();
    news(...place); // somebody has come, or voted
    assert.ok(!picture.hidden && chip.isOpen);
    door.turn();
    news(...place);
    assert.ok(picture.hidden && !chip.isOpen);
  }
});

test("the second press of a double one does not fall on the button that has come under the pointer", async () => {
  const done = [];
  const once = presses(() => 0);
  await once(() => done.push("model"))({ detail: 1 });
  const next = once(() => done.push("next"));
  await next({ detail: 2 });
  assert.deepEqual(done, ["model"]);
  await next({ detail: 1 });
  await once(() => done.push("back"))(undefined);
  assert.deepEqual(done, ["model", "next", "back"], "a press of its own, and a key");
});
