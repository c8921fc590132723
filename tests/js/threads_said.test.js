// What is said of all threads at once.
import assert from "node:assert/strict";
import { test } from "node:test";

import {
  afterFault,
  crossed,
  ofAll,
  ofMove,
  scored,
  wrongly,
} from "../../pages/translation/components/alignment_threads/sentences.js";
import { lineOf } from "../../pages/translation/components/alignment_threads/stage.js";
import { once } from "../../pages/translation/components/alignment_threads/threads.js";
import { Weights } from "../../pages/translation/components/alignment_threads/weights.js";

test("all threads are said with the share on the right words, if these are known, and with whose share it is", () => {
  const ghost = [
    [0, 0],
    [1, 1],
  ];
  const weights = [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5]; // of two heads, two words each
  const data = { source: ["a", "b"], target: ["c", "d"], heads: 2, ghost, weights };
  const said = (head, more = {}) => ofAll(new Weights({ ...data, ...more }, 0, head));
  assert.equal(said(0), "In head 0, 85% of the attention goes to the right words.");
  assert.equal(said(1), "In head 1, 50% of the attention goes to the right words.");
  assert.equal(said(-1), "68% of the attention goes to the right words.");
  assert.equal(said(-1, { heads: 1 }), "85% of the attention goes to the right words.");
  assert.doesNotMatch(said(-1, { ghost: [] }), /%/);
});

test("of a wrong translation, too, it is said what the chosen head does, where nothing else follows", () => {
  const data = { source: ["a", "b"], target: ["c", "d"], heads: 2, weights: [0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5] };
  const head = (n, ghost) => new Weights({ ...data, ghost }, 0, n);
  const right = [[0, 0], [1, 1]]; // prettier-ignore
  assert.match(afterFault(["It goes wrong.", ""], head(0, right)), /^In head 0, 85%/);
  assert.match(afterFault(["It goes wrong.", ""], head(1, right)), /^In head 1, 50%/);
  assert.equal(afterFault(["It goes wrong.", "It stops."], head(0, right)), "It stops.");
  assert.equal(afterFault(["Nobody can check this.", ""], head(0, [])), "");
});

test("two words that change places are said, and none where all keep theirs", () => {
  const words = { source: ["a", "red", "hat"], target: ["un", "chapeau", "rouge", "⟨end⟩"], heads: 1, ghost: [] };
  const looking = (...at) =>
    new Weights({ ...words, weights: at.flatMap((j) => [0, 1, 2].map((k) => +(k === j))) }, 0, 0);
  assert.equal(crossed(looking(0, 2, 1, 1), words), "“red hat” becomes “chapeau rouge”: the threads cross.");
  assert.equal(crossed(looking(0, 1, 2, 2), words), "");
  assert.equal(crossed(looking(0, 2, 0, 2), words), "", "no neighbours");
});

test("of another order it is said whether the same is written, and whether threads cross then", () => {
  const before = { target: ["un", "chapeau", "⟨end⟩"] };
  const said = (turn, target) => ofMove({ turn }, { target }, before).join("");
  assert.equal(said(0, before.target), "Another order, and the same translation, word for word. Now no threads cross.");
  assert.match(said(1, [...before.target]), /word for word\. The threads went with their words, and cross\.$/);
  assert.equal(said(1, ["chapeau"]), "In this order, it writes something else. Before: “un chapeau”.");
});

test("a step says what is wrong with its word, and nothing that was not written yet", () => {
  const told = { target: ["le", "chien", "dort", "⟨end⟩"], unread: [false, false], fault: ["It goes wrong.", ""] };
  const [mistake, none] = [[1, "chien", "chat"], null];
  assert.equal(wrongly({ ...told, mistake }, 0), "");
  assert.equal(wrongly({ ...told, mistake }, 1), "“chien” is wrong: it should be “chat”.");
  assert.equal(wrongly({ ...told, mistake }, 2), "The text has gone wrong before.");
  assert.equal(wrongly({ ...told, mistake: [3, "", "bien"] }, 3), "“⟨end⟩” is wrong: it should be “bien”.");
  const unknown = { ...told, unread: [false, true], fault: ["It does not know “x”.", "It stops after “y”."] };
  assert.equal(wrongly({ ...unknown, mistake: none }, 0), "It does not know “x”.");
  assert.equal(wrongly({ ...unknown, mistake: none }, 3), "It stops after “y”.");
});

test("eighteen words below each other end above the bar of a lesson", () => {
  assert.ok(185 + 19 * lineOf(18, 587) <= 587);
  assert.equal(lineOf(7, 720), 36);
  assert.equal(lineOf(40, 500), 20, "legible, though some lie below");
});

test("what was found of a quiz is said in a few words, so that they keep to one line beside the button", () => {
  const words = { source: ["a", "b"], target: ["c", "d"], heads: 1, ghost: [], weights: [0.9, 0.1, 0.2, 0.8] };
  const weights = new Weights(words, 0, 0);
  assert.equal(scored(weights, { order: [0, 1], at: 0, picks: [0] }), "So far 1 of 1.");
  assert.equal(scored(weights, { order: [0, 1], at: 1, picks: [0, 0] }), "You found 1 of 2.");
});

test("a key that is held presses once, and arrows that are held go on", () => {
  const isPrevented = (key, repeat) => {
    let prevented = false;
    once({ key, repeat, preventDefault: () => (prevented = true) });
    return prevented;
  };
  assert.deepEqual(
    [isPrevented("Enter", true), isPrevented("Enter", false), isPrevented("ArrowRight", true)],
    [true, false, false],
  );
});
