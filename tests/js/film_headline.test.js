// What stands above the film: a question, what is being set up, or what has come of it; and what the button offers.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  Headline,
  offered,
  setUp,
  SKIP,
  sourceOf,
  TRAIN,
  WATCH,
} from "../../pages/live/components/training_film/headline.js";

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
  const playback = { isMoving: false, play: () => (playback.played = true), scrub: (step) => (film.step = step) };
  const run = { id: "r", state: "recorded", steps: [0, 10, 20], probes: [{}] };
  const film = {
    axes: () => ({ chance: 0.1, heads: [1, 1], keys: ["a"], queries: ["a"], ghost: [[0, 0]] }),
    runs: [run],
    sides: [run],
    timeline: run.steps,
    kind: "cross",
    probe: 0,
    playback,
    mass: () => [[0.1], [0.5], [0.9]],
    threads: { isShown: true },
    chosen: () => [0, 0],
    ...more,
  };
  const node = () => ({ hidden: false, childNodes: [], textContent: "", replaceChildren });
  const it = Object.assign(Object.create(Headline.prototype), { film, finding: node(), act: node(), node: node() });
  const at = (n) => {
    Object.assign(film, { step: run.steps[n], frames: [n] });
    it.paint();
    return [it.finding.textContent, it.act.textContent];
  };
  return { it, film, run, playback, at };
}

test("a recorded film opens with a question; once it has been watched, one may train", () => {
  const { it, playback, at } = headline();
  const [question, act] = at(0);
  assert.ok(question.endsWith("?"));
  assert.equal(act, WATCH);
  it.press();
  assert.ok(playback.played);
  playback.isMoving = true;
  assert.deepEqual(at(1), ["After 10 steps, head 0 gives 0.50 of its attention to the right letter.", SKIP]);
  playback.isMoving = false;
  assert.equal(at(1)[1], WATCH, "it was not seen to its end");
  assert.equal(at(2)[1], TRAIN);
  assert.equal(at(0)[0].slice(0, 15), "Before training", "the answer is known by now");
  assert.equal(offered(false, true), TRAIN);
});

test("the button is that of a recording alone, and a lesson has no headline", () => {
  const { it, run, at } = headline();
  run.state = "done";
  assert.match(at(2)[0], /^After 20 steps/);
  assert.ok(it.act.hidden && !it.node.hidden);
  const lesson = headline({ isLesson: true });
  lesson.at(0);
  assert.ok(lesson.it.node.hidden);
});
