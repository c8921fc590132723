// What stands above the film: a question, what is being set up, or what has come of it; and what the button offers.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Film } from "../../pages/live/components/training_film/film.js";
import { foundBy, Headline, setUp, sourceOf } from "../../pages/live/components/training_film/headline.js";
import { rightOf } from "../../pages/live/components/training_film/run.js";
import { spread, Trace } from "../../pages/live/components/training_film/trace.js";

test("what attention and answers have come to is told together, and where one is ahead of the other", () => {
  const of = (step, mass, ...more) =>
    foundBy(step, mass, [0, mass.length - 1], [1, mass.length], 0.13, "the letter", ...more);
  assert.equal(of(0, [0.1, 0.2]), "Before training, head 1 gives 0.20 of its attention to the letter.");
  const says = (weight, share) => of(7, [weight], share, ["answers", "flawless"]).split("the letter")[1];
  assert.equal(says(0.72, 0.07), ", yet only 7% of its answers are flawless.");
  assert.equal(says(0.3, 0.07), ", and 7% of its answers are flawless.");
  assert.equal(says(0.94, 0.6), ", and 60% of its answers are flawless.");
  const deep = foundBy(20, [0.2, 0.3, 0.9, 0.1], [1, 0], [2, 2], 0.13, "it");
  assert.equal(deep, "Step 20: layer 1, head 0 gives 0.90 of its attention to it.");
  assert.equal(
    foundBy(20, [0.2], [0, 0], [1, 1], null, "it", 0.4, ["next tokens", "right"]),
    "Step 20: 40% of its next tokens are right.",
  );
  assert.equal(foundBy(20, [NaN], [0, 0], [1, 1], 0.13, "it"), "");
});

test("whole answers count where they are measured, else tokens", () => {
  assert.deepEqual(rightOf({ tiles: { accuracy: "Tokens right", exact: "Reviews right" } }), [
    "exact",
    "reviews",
    "right",
  ]);
  assert.deepEqual(rightOf({ tiles: { exact: "Answers right" } }), ["exact", "answers", "flawless"]);
  assert.deepEqual(rightOf({ tiles: { accuracy: "Next tokens right" } }), ["accuracy", "next tokens", "right"]);
  assert.equal(rightOf({ tiles: { colour: "Colour right" } }), null);
});

test("names beside two points that lie together stand apart, inside the drawing", () => {
  assert.deepEqual(spread([66, 66]), [38, 58]);
  assert.deepEqual(spread([2, 40]), [10, 40]);
  assert.deepEqual(spread([40, 2]), [40, 10]);
});

test("the trace is what the film holds: the head in view, and what comes of it; of two trainings, what comes of each", () => {
  const run = { steps: [0, 9], curves: { exact: [0, 0.9] }, tiles: { exact: "Answers right" }, probes: [{}], name: "" };
  const mass = [Float32Array.of(0.1, 0.2), Float32Array.of(0.3, 0.5)];
  const axes = { heads: [1, 2], keys: ["a"], queries: ["a"], ghost: [[0, 0]] };
  const film = { kind: "cross", probe: 0, runs: [run], axes: () => axes, chosen: () => [0, 1], mass: () => mass };
  const told = (more) => Trace.prototype.told.call({ film: { ...film, ...more } });
  assert.deepEqual(
    told().map(({ kind, name, values }) => [kind, name, values]),
    [
      ["cause", "attention on the right letter", [0.2, 0.5].map(Math.fround)],
      ["effect", "flawless answers", [0, 0.9]],
    ],
  );
  assert.deepEqual(told({ chosen: () => [0, 0] })[0].values, [0.1, 0.3].map(Math.fround));
  const two = told({ runs: ["A", "B"].map((name) => ({ ...run, name })) });
  assert.deepEqual(
    two.map(({ kind, name }) => [kind, name]),
    [
      ["effect", "A: flawless answers"],
      ["effect.b", "B: flawless answers"],
    ],
  );
  assert.deepEqual(
    told({ mass: () => [[NaN, NaN]] }).map(({ kind }) => kind),
    ["effect"],
    "no place is the right one",
  );
});

test("the right letter is spoken of only where the letter that is looked at is the one that is written", () => {
  const axes = {
    keys: ["a", "b", "c"],
    queries: ["c", "b", "⟨end⟩"],
    ghost: [
      [0, 2],
      [1, 1],
    ],
  };
  assert.equal(sourceOf("cross", axes, {}, {}), "the right letter");
  const aside = {
    ...axes,
    ghost: [
      [0, 1],
      [1, 1],
    ],
  };
  assert.equal(sourceOf("cross", aside, {}, {}), "where the answer comes from");
  const words = { keys: ["the", "cat"], queries: ["the", "cat"], ghost: [[1, 1]] };
  assert.equal(sourceOf("cross", words, {}, {}), "where the answer comes from");
  assert.equal(sourceOf("encoder", axes, {}, {}), "where the answer comes from", "nothing is written there");
});

test("while a training is set up, that is said, and no result", () => {
  const said = "setting up: drawing 8,000 examples";
  assert.equal(setUp([{ said }]), "Setting up: drawing 8,000 examples. The first steps come in some seconds.");
  assert.equal(setUp([{ said: "You are next in line: about 5 s" }]), "You are next in line: about 5 s.");
  assert.equal(setUp([{ said: "learning" }, { said: "recorded; it took 3 s" }]), "");
});

function replaceChildren(...texts) {
  this.textContent = texts.join("");
}

/** The headline of a recorded film of the steps 0, 10 and 20, at one of them. */
function headline(more = {}) {
  const run = { id: "r", state: "recorded", steps: [0, 10, 20], probes: [{}], tiles: {} };
  const film = {
    axes: () => ({ chance: 0.1, heads: [1, 1], keys: ["a"], queries: ["a"], ghost: [[0, 0]] }),
    runs: [run],
    sides: [run],
    trains: true,
    timeline: run.steps,
    kind: "cross",
    probe: 0,
    playback: { reached: 0 },
    mass: () => [[0.1], [0.5], [0.9]],
    threads: { isShown: true },
    chosen: () => [0, 0],
    ...more,
  };
  const node = () => ({ hidden: false, childNodes: [], textContent: "", replaceChildren });
  const it = Object.assign(Object.create(Headline.prototype), { film, finding: node(), act: node(), node: node() });
  const at = (n, isAsked = false) => {
    Object.assign(film, { step: run.steps[n], frames: [n] });
    film.playback.isAsked = isAsked;
    film.playback.reached = Math.max(film.playback.reached, film.step);
    it.paint();
    return [it.finding.textContent, it.act.hidden];
  };
  return { it, run, at };
}

test("a recorded film opens with a question; once it has been seen to its end, one may train", () => {
  const { at } = headline();
  const [question, isHidden] = at(0, true);
  assert.ok(question.endsWith("?") && isHidden);
  assert.deepEqual(at(1), ["Step 10: head 0 gives 0.50 of its attention to the right letter.", true]);
  assert.equal(at(2)[1], false);
  assert.equal(at(0)[0].slice(0, 15), "Before training", "the answer is known by now");
});

test("the button is that of a recording alone whose task would be trained, and a lesson has no headline", () => {
  const other = headline({ trains: false });
  assert.equal(other.at(2)[1], true);
  const { it, run, at } = headline();
  run.state = "done";
  assert.match(at(2)[0], /^Step 20/);
  assert.ok(it.act.hidden && !it.node.hidden);
  const lesson = headline({ isLesson: true });
  lesson.at(0);
  assert.ok(lesson.it.node.hidden);
});

/** A film without its parts, in an address: what it asks of the page, and how often its link is to be written. */
function bare(t, search = "") {
  const page = { documentElement: { dataset: {} } };
  Object.assign(globalThis, { document: page, location: { search, pathname: "/live" } });
  t.after(() => (delete globalThis.document, delete globalThis.location));
  const [classList, nothing] = [{ toggle() {} }, () => {}];
  const film = Object.assign(Object.create(Film.prototype), { runs: [{}], timeline: [0, 9], sides: [], written: 0 });
  film.root = { dataset: {}, classList };
  film.state = { replaceChildren: nothing };
  film.headline = { paint: nothing };
  film.mark = nothing;
  film.link = { later: () => film.written++ };
  film.playback = { isAsked: true, paint: nothing, open: () => (film.opened = film.written) };
  film.readUrl();
  return {
    film,
    tools: (isAsked) => ((film.playback.isAsked = isAsked), film.status(), page.documentElement.dataset.film),
  };
}

test("the tools of the page wait with the first film alone: whoever moved one keeps them", (t) => {
  const { tools } = bare(t);
  assert.deepEqual([true, false, true].map(tools), ["asked", "moved", "moved"]);
});

test("who comes by the address of a task or of a film has the tools at once", (t) => {
  assert.equal(bare(t, "?live_task=Sort").tools(true), "moved");
  assert.equal(bare(t, "?live_film=Repeat,+recorded").tools(true), "moved");
  assert.equal(bare(t, "?live_film_curve=accuracy").tools(true), "asked");
});

test("the address is written anew once another film is open, not with the step of the one before", (t) => {
  const { film } = bare(t);
  Object.assign(film, { furnish() {}, curves: { guess: { opened() {} } } });
  const run = { id: "b", state: "recorded", steps: [0, 5] };
  film.show([run], new Map([["a", {}]]), false);
  assert.deepEqual([film.opened, film.written], [0, 1]);
  film.show([run], new Map([["b", run]]), false);
  assert.equal(film.written, 1, "a packet more of the same film changes nothing");
});
