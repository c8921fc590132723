// What is chosen, as a link and back; and what a link names that is not there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { readAddress, writeAddress } from "../../attention_view/address.js";
import { Picture } from "../../attention_view/picture.js";
import { reading } from "../../attention_view/tokens.js";
import { packed } from "./payload.js";

const TOKENS = ["[CLS]", "a", "b", "[SEP]", "c"];
const MARKS = { special: [true, false, false, true, false], words: [null, 0, 0, null, 1], segments: [0, 0, 0, 0, 1] };
const arrays = {
  weights: { shape: [2, 2, 5, 5], values: Array(100).fill(0.2) },
  largest: { shape: [2, 2], values: [1, 1, 1, 1] },
  "score:copy": { shape: [2, 2], values: [0, 0.25, 0.5, 1] },
};
const header = { layers: 2, heads: 2, queries: TOKENS, keys: TOKENS, scale: 1, tier: "exact", chance: {}, url: "x_" };

/** A view as far as its address goes, after it has read this one. */
function view(search, change = {}) {
  globalThis.location = { search };
  const whole = new Picture(packed(arrays, { ...header, marks: { query: MARKS, key: MARKS }, ...change }));
  const state = {
    whole,
    pictures: new Map([
      ["encoder", whole],
      ["cross", whole],
    ]),
    kind: "encoder",
    opens: [0, 0],
    get chosen() {
      return [[this.layer, this.head], ...this.more];
    },
  };
  readAddress(state);
  state.picture = reading(whole, { hidden: state.hidden, whole: state.joined, pair: state.pair });
  return state;
}

/** The address that a view writes. */
function written(state) {
  const params = new URLSearchParams();
  writeAddress(state, (name, value, usual) => value == null || value === usual || params.set(name, String(value)));
  return params.toString();
}

test("all that is chosen comes back", () => {
  const search =
    "x_kind=cross&x_layer=1&x_head=0&x_query=2&x_key=4&x_stage=weights&x_sort=-copy&x_only=0.25&x_threshold=0.1" +
    "&x_with=0-1%2C1-1&x_solo=1-1&x_draw=ribbons&x_words=whole&x_pair=a-b&x_special=hidden";
  const state = view(search);
  assert.deepEqual(state.complaints, []);
  const { kind, layer, head, more, solo, sort, only, threshold, drawing, hidden, joined, pair, pinned } = state;
  assert.deepEqual(
    [kind, layer, head, more, solo],
    [
      "cross",
      1,
      0,
      [
        [0, 1],
        [1, 1],
      ],
      [1, 1],
    ],
  );
  assert.deepEqual(
    [sort, only, threshold, drawing, hidden, joined, pair],
    ["-copy", 0.25, 0.1, "ribbons", true, true, "a-b"],
  );
  assert.deepEqual(pinned, [2, 4]);
  state.pinned = [0, 0]; // of what is seen: the word of tokens 1 and 2, and the only one of the other text
  const again = new URLSearchParams(written(state));
  const before = new URLSearchParams(search);
  before.delete("x_stage"); // is usual
  before.set("x_query", "1");
  assert.deepEqual(Object.fromEntries(again), Object.fromEntries(before));
});

test("what is usual is not in the address, and what keeps out of it reads nothing", () => {
  assert.equal(written(view("")), "");
  const silent = view("?layer=1&x_layer=1", { url: null });
  assert.deepEqual([silent.layer, silent.complaints], [0, []]);
});

test("what does not exist is named, and the usual is shown", () => {
  const state = view(
    "?x_kind=both&x_layer=9&x_sort=self&x_only=3&x_draw=oil&x_pair=c-d&x_words=half&x_solo=0-1&x_with=7-7",
  );
  for (const part of [
    "kind both",
    "layer 9 (0 to 1 exist)",
    "sort self",
    "draw oil",
    "pair c-d",
    "words half",
    "head 7-7",
  ])
    assert.ok(state.complaints.includes(part), part);
  assert.equal(written(state), "");
  assert.deepEqual(view("?x_sort=copy&x_only=3").complaints, ["only 3 (0 to 1)"]);
});

test("filters that a picture does not offer are complained of", () => {
  const state = view("?x_special=hidden&x_words=whole&x_pair=a-b", { marks: null });
  assert.deepEqual([state.hidden, state.joined, state.pair, state.complaints.length], [false, false, "", 3]);
});
