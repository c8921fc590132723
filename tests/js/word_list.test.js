// The page of words: which word stays while one types, and which words Back comes to again.
import assert from "node:assert/strict";
import { test } from "node:test";

import { WordList, nearest } from "../../pages/words/components/word_list/word_list.js";

const WORDS = ["attention weight", "head", "query", "key"].map((name) => ({ name, forms: [], also: [], sentence: [] }));
const named = (name) => WORDS.find((word) => word.name === name);

/** The page without what it draws: it tells which word is shown, and which were left as entries of the history. */
function page() {
  const names = new Map(WORDS.map(({ name }) => [name, { textContent: name, hidden: false, focus() {} }]));
  const view = Object.assign(Object.create(WordList.prototype), {
    words: WORDS,
    names,
    field: { value: "" },
    said: {},
    offer: (words) => (view.offered = words.map(({ name }) => name)),
    link: { later() {}, now() {} },
    left: [],
    show: (word) => (view.word = word),
    leave: () => view.left.push(view.word.name),
    groups: [],
    index: { classList: { toggle() {} } },
    unfold() {},
    enterable() {},
    card: { focus() {} },
    reveal() {},
  });
  const type = (value) => {
    view.field.value = value;
    view.typed();
    return view.word.name;
  };
  const key = (name, pressed) => view.step({ target: names.get(name), key: pressed, preventDefault() {} });
  view.open(null);
  return { view, type, key };
}

test("what nothing fits changes nothing: the word from before the search, or the one chosen in it, is shown", () => {
  const { view, type } = page();
  assert.equal(type("head"), "head");
  assert.equal(type("head zzz"), "attention weight", "before the search");
  type("head");
  view.open("query"); // a link in the card
  assert.equal(type("zzz"), "query");
  const again = page();
  again.type("e");
  again.view.press(named("key"));
  assert.equal(again.type("ezzz"), "key");
});

test("where no word fits, the nearest are offered, and nothing where none is near", () => {
  assert.deepEqual(
    nearest(WORDS, "atenshun waits").map(({ name }) => name),
    ["attention weight"],
  );
  assert.deepEqual(nearest(WORDS, "zzz"), []);
  assert.deepEqual(nearest(WORDS, "?"), []);
  const other = { name: "other", forms: [], also: ["hidden_size"], sentence: [] };
  assert.deepEqual(nearest([...WORDS, other], "hiden sise"), [other], "by its other names");
  const { view, type } = page();
  type("qerry");
  assert.deepEqual(view.offered, ["query"]);
  type("key");
  assert.deepEqual(view.offered, []);
});

test("a press on the name that is shown leaves no second entry in the history", () => {
  const { view } = page();
  view.press(named("head"));
  view.press(named("head"));
  view.press(named("key"));
  assert.deepEqual(view.left, ["attention weight", "head"]);
});

test("of a run of arrows Back comes to the word that it left, and to the one where it ended", () => {
  const { view, key } = page();
  key("attention weight", "ArrowDown");
  key("head", "ArrowDown");
  key("query", "Enter");
  assert.equal(view.word.name, "query");
  assert.deepEqual(view.left, ["attention weight"]);
  key("query", "ArrowDown");
  assert.deepEqual(view.left, ["attention weight", "query"]);
  key("head", "Enter"); // the focus was brought there
  assert.deepEqual(view.left, ["attention weight", "query", "key"]);
});
