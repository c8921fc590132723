// Kinds of head that are looked for among all.
import assert from "node:assert/strict";
import { test } from "node:test";

import { asked, Hunt, kindOf, staying } from "../../attention_view/hunt.js";

const tag = (name, layer, head, score) => ({ name, layer, head, score, query: 1 });
const TAGS = [tag("previous word", 0, 2, 0.9), tag("“it” looks at “animal”", 3, 1, 0.6)];
const found = (tags) => ({ tag: (l, h) => tags.find(({ layer, head }) => l === layer && h === head) ?? null });

/** A hunt in a text in which heads have earned these names; it opens on layer 3, head 1. */
function hunt(tags = TAGS) {
  const view = { isHunt: true, isResting: true, opens: [3, 1], layer: 3, head: 1 };
  const at = new Hunt(view);
  const opened = (id, staged, now) => {
    view.picture = view.whole = { header: { id, staged }, leading: () => [...now], ...found(now) };
    at.furnish();
    at.note();
  };
  const press = (layer, head) => (Object.assign(view, { layer, head }), at.note());
  opened(1, "MiniLM", tags);
  return { at, opened, press, view };
}

test("a kind is asked for in a sentence, whether its name is one or not", () => {
  assert.equal(asked("previous word"), "Find a head in which words look at the previous one.");
  assert.equal(asked("“it” looks at “animal”"), "Find a head in which “it” looks at “animal”.");
  assert.equal(asked("same word, earlier"), "Find a head of this kind: same word, earlier.");
});

test("the head on which it opens is found and comes first; what the others do is hidden until one is pressed", () => {
  const { at, press } = hunt();
  assert.deepEqual(
    at.kinds.map(({ name }) => name),
    ["“it” looks at “animal”", "previous word"],
  );
  assert.deepEqual([at.goal.name, at.hides("previous word"), at.hides(TAGS[1].name)], ["previous word", true, false]);
  press(1, 1);
  assert.match(at.task, /^Not this one: find a head in which/);
  press(0, 2);
  assert.deepEqual([at.goal, at.hides("previous word")], [null, false]);
  assert.match(at.task, /^All 2 kinds found\./);
});

test("another text is told how many heads do the same there, of the same model and once all are found", () => {
  const after = (now, model = "MiniLM", presses = [[0, 2]]) => {
    const { at, opened, press } = hunt();
    for (const place of presses) press(...place);
    opened(2, model, now);
    return at.task;
  };
  const [same, moved] = [tag("“it” looks at “trophy”", 3, 1, 0.5), tag("previous word", 0, 3, 0.9)];
  assert.match(after([TAGS[0], same]), /2 of these 2 heads do the same/);
  assert.match(after([moved, same]), /1 of these 2 heads does the same/);
  assert.match(after([TAGS[0], same], "another"), /^Find a head/);
  assert.match(after([TAGS[0], same], "MiniLM", []), /^Find a head/);
  assert.deepEqual([kindOf(same.name), staying([["next word", [0, 0]]], found([]))], [kindOf(TAGS[1].name), 0]);
});

test("where a press takes the map here, it is said whether that was the head, and every name is told", () => {
  const { at, view } = hunt();
  Object.assign(view, { isHunt: false });
  view.picture.name = (layer, head) => `Layer ${layer}, head ${head}`;
  at.answer(1, 1);
  assert.equal(at.told, "Not this one: look at layer 0, head 2");
  at.answer(0, 2);
  assert.equal(at.told, "Found: previous word");
  view.isResting = false;
  assert.equal(at.hides("previous word"), false);
});
