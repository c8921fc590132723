// What is chosen, as a link and back; and what a link names that is not there.
import assert from "node:assert/strict";
import { test } from "node:test";

import { readAddress, writeAddress } from "../../attention_view/address.js";
import { Picture } from "../../attention_view/picture.js";
import { reading } from "../../attention_view/tokens.js";
import { View } from "../../attention_view/view.js";
import { Walk } from "../../attention_view/walk.js";
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
  const one = { weights: { shape: [1, 1, 1, 1], values: [1] }, largest: { shape: [1, 1], values: [1] } };
  const small = new Picture(packed(one, { ...header, layers: 1, heads: 1, queries: ["a"], keys: ["a"], ...change }));
  const state = {
    whole: small,
    pictures: new Map([
      ["encoder", small],
      ["cross", whole],
    ]),
    kind: "encoder",
    get opens() {
      return this.whole.header.open ?? [0, 0];
    },
    get chosen() {
      return [[this.layer, this.head], ...this.more];
    },
  };
  readAddress(state);
  state.picture = reading(state.whole, { hidden: state.hidden, whole: state.joined, pair: state.pair });
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
  const silent = view("?layer=0&x_layer=0&kind=cross", { url: null });
  assert.deepEqual([silent.layer, silent.kind, silent.complaints], [0, "encoder", []]);
});

test("what does not exist is named, and the usual is shown", () => {
  const state = view(
    "?x_kind=cross&x_stage=both&x_layer=9&x_sort=self&x_only=3&x_draw=oil&x_pair=c-d&x_words=half&x_solo=0-1&x_with=7-7",
  );
  for (const part of [
    "stage both",
    "layer 9 (0 to 1 exist)",
    "sort self",
    "draw oil",
    "pair c-d",
    "words half",
    "head 7-7",
  ])
    assert.ok(state.complaints.includes(part), part);
  assert.equal(written(state), "x_kind=cross");
  assert.deepEqual(view("?x_kind=both").complaints, ["kind both"]);
  assert.deepEqual(view("?x_kind=cross&x_sort=copy&x_only=3").complaints, ["only 3 (0 to 1)"]);
});

test("filters that a picture does not offer are complained of", () => {
  const state = view("?x_special=hidden&x_words=whole&x_pair=a-b", { marks: null });
  assert.deepEqual([state.hidden, state.joined, state.pair, state.complaints.length], [false, false, "", 3]);
});

test("a link that names nothing lets the map rest, and one that names anything of it does not", () => {
  const rests = (search) => view(`?x_kind=cross&${search}`, { staged: "a model" }).rests;
  for (const search of ["", "x_special=hidden", "x_grid=large", "x_layer=9"]) assert.equal(rests(search), true, search);
  for (const search of ["x_layer=0", "x_head=0", "x_query=1", "x_sort=copy", "x_draw=ribbons"])
    assert.equal(rests(search), false, search);
  assert.equal(rests("x_with=0-1"), false, "two heads are compared");
  assert.equal(rests("x_solo=0-0"), false, "one is looked at alone");
});

test("on a stage the first head is named once its map is there, so that the link brings the map again", () => {
  const state = view("?x_kind=cross", { staged: "a model" });
  assert.equal(written(state), "x_kind=cross", "it rests");
  state.rests = false;
  assert.equal(written(state), "x_kind=cross&x_layer=0&x_head=0");
  assert.equal(view(`?${written(state)}`, { staged: "a model" }).rests, false);
  const other = view("?x_kind=cross");
  other.rests = false;
  assert.equal(written(other), "x_kind=cross", "nothing rests elsewhere, so its address stays short");
});

test("a head that is told of while its map is away comes again so, and on no stage there is no such map", () => {
  const told = "x_kind=cross&x_layer=1&x_head=0&x_query=1&x_key=2&x_map=away";
  const state = view(`?${told}`, { staged: "a model" });
  assert.deepEqual([state.rests, state.layer, state.pinned], [true, 1, [1, 2]]);
  assert.equal(written(state), told);
  state.rests = false;
  assert.equal(written(state), told.replace("&x_map=away", ""), "once it is there, it is there again");
  const elsewhere = view(`?${told}`);
  assert.deepEqual([elsewhere.rests, elsewhere.complaints], [false, ["map away"]]);
});

test("below a text that is the subject a link brings the map, or has it away, as whoever sends it sees it", () => {
  const below = { beside: "tabs" };
  const state = view("?x_kind=cross", below);
  assert.deepEqual([state.rests, written(state)], [true, "x_kind=cross"]);
  Object.assign(state, { selected: true, rests: false }); // the head that opens is pressed
  assert.equal(written(state), "x_kind=cross&x_layer=0&x_head=0");
  assert.equal(view(`?${written(state)}`, below).rests, false);
  Object.assign(state, { selected: false, sort: "copy" });
  assert.equal(written(state), "x_kind=cross&x_sort=copy", "an order brings the map as well");
  const word = "x_kind=cross&x_query=1&x_key=2&x_map=away"; // of which arcs tell
  const told = (isResting) => Object.assign(view(`?${word}`, below), { isResting });
  assert.deepEqual([told(true).rests, written(told(true))], [true, word]);
  assert.equal(written(told(false)), word.replace("&x_map=away", ""), "on a narrow screen the map is there");
  const untrained = view("?x_kind=cross", { ...below, untrained: true });
  Object.assign(untrained, { selected: true, rests: false });
  assert.equal(written(untrained), "x_kind=cross", "its map never rests");
});

test("the walk from head to head leaves no stage in view that the next head has not", () => {
  const state = Object.assign(Object.setPrototypeOf(view("", { staged: "a model" }), View.prototype), {
    stage: "scores",
    stages: () => (state.layer ? ["weights"] : ["scores", "weights"]),
    paint() {},
    writeUrl() {},
    ask() {},
  });
  const walk = { view: state, looks: Walk.prototype.looks };
  state.picture = state.whole = state.pictures.get("cross");
  Walk.prototype.light.call(walk, 0, 1, 2);
  assert.deepEqual([state.stage, state.pinned, state.rests], ["scores", [2, 0], true]);
  Walk.prototype.light.call(walk, 1, 0, 2);
  assert.deepEqual([state.stage, state.rests], ["weights", true]);
});

test("what one head cannot say wakes the map: another beside it, an order, another kind; not another head", () => {
  const state = (change = {}) =>
    Object.assign(Object.setPrototypeOf(view("", { staged: "a model" }), View.prototype), {
      root: { classList: { remove() {} } },
      places: new Map(),
      stages: () => ["weights"],
      look() {},
      paint() {},
      carried: () => null,
      writeUrl() {},
      ask() {},
      ...change,
    });
  const wakes = (act) => {
    const one = Object.defineProperty(state(), "isResting", { get: () => one.rests });
    assert.equal(one.rests, true);
    act(one);
    return !one.rests;
  };
  assert.ok(!wakes((one) => one.select(0, 0)) && !wakes((one) => one.select(1, 1)));
  assert.ok(
    wakes((one) => one.select(0, 0, true)),
    "the same by the space bar",
  );
  assert.ok(wakes((one) => one.set({ sort: "copy", only: null })));
  assert.ok(wakes((one) => one.switchTo("cross")));
  assert.ok(!wakes((one) => one.filter({ hidden: true })), "how the text is read is no head");
  const written = [];
  state({ writeUrl: () => written.push("") }).select(0, 0, true);
  assert.equal(written.length, 1, "and the link is told");
});
