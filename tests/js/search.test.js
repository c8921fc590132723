// What a search finds first, which words prose uses, and where links of the app begin.
import assert from "node:assert/strict";
import { test } from "node:test";

import { appPlace } from "../../attention_view/lab.js";
import { wordAddress } from "../../lab/kit/components/card.js";
import { matches, vocabulary } from "../../lab/frame/search/prose.js";
import { fit, isNear, ranked } from "../../lab/kit/components/ranking.js";
import { entries } from "../../lab/frame/search/search.js";

const ENTRIES = [
  { kind: "page", name: "Heads", text: "Where does each word look?" },
  { kind: "page", name: "Masks", text: "Who may look at whom?" },
  { kind: "view", name: "Layer norm", text: "Blocks" },
  { kind: "word", name: "head", also: ["heads", "num_heads", "nhead"], text: "One set of queries, keys and values" },
  { kind: "word", name: "d_model", also: ["hidden_size", "embed_dim"], text: "How many numbers" },
  { kind: "word", name: "induction head", also: [], text: "A head that finds" },
  { kind: "word", name: "causal mask", also: ["look-ahead mask"], text: "" },
];
const names = (asked) => ranked(ENTRIES, asked).map(({ name }) => name);

test("a word is found by any of its names, however it is spelt", () => {
  for (const asked of ["nhead", "NHead", "n_head", "num heads", "num_heads"])
    assert.equal(names(asked)[0], "head", asked);
  for (const asked of ["hidden_size", "hiddensize", "embed-dim"]) assert.equal(names(asked)[0], "d_model", asked);
});

test("its own name comes before another, a beginning before the middle, and a page before a word", () => {
  assert.deepEqual(names("head").slice(0, 3), ["head", "Heads", "induction head"]);
  assert.deepEqual(names("heads").slice(0, 2), ["Heads", "head"]);
  assert.deepEqual(names("mask"), ["Masks", "causal mask"]);
});

test("what it is about, and one slip of a finger, still find it; nonsense finds nothing", () => {
  assert.deepEqual(names("each word"), ["Heads"]);
  assert.deepEqual(names("maks"), ["Masks", "causal mask"]);
  for (const asked of ["", "  ", "zzz", "<b>"]) assert.deepEqual(names(asked), [], asked);
  assert.ok(isNear("head", "haed"));
  assert.ok(!isNear("head", "hand!"));
});

test("ranking keeps the order of equals and no more than asked for", () => {
  const same = Array.from({ length: 20 }, (_, n) => ({ kind: "view", name: "Step by step", n }));
  assert.deepEqual(
    ranked(same, "step", 5).map(({ n }) => n),
    [0, 1, 2, 3, 4],
  );
  assert.ok(fit(ENTRIES[3], "head") > fit(ENTRIES[0], "head"));
});

test("lessons are found by their title, their stops by theirs, after the pages of the same name", () => {
  const stop = (name, n) => ({ name, text: `Say ${n}`, href: `heads?lesson=a&stop=${n}` });
  const all = entries({
    pages: [{ url: "masks", name: "Masks", question: "Who?", text: "Who? Help." }],
    views: [],
    lessons: [{ name: "Attention in ten minutes", text: "From a word", stops: [stop("Guess", 1), stop("Masks", 2)] }],
    groups: [],
  });
  const found = (asked) => ranked(all, asked).map(({ kind, href, hint }) => [kind, href, hint]);
  assert.deepEqual(found("ten minutes")[0], ["lesson", "heads?lesson=a&stop=1", "lesson"]);
  assert.deepEqual(found("guess"), [["stop", "heads?lesson=a&stop=1", "Attention in ten minutes, stop 1"]]);
  assert.deepEqual(
    found("masks").map(([kind]) => kind),
    ["page", "stop"],
  );
  assert.equal(found("lesson").length, 3, "all of them, by what they are");
});

const WORDS = [
  { name: "attention", forms: ["attention", "attentions"], pages: [] },
  { name: "attention weight", forms: ["attention weight", "attention weights"], pages: [] },
  { name: "key", forms: ["key", "keys"], pages: ["heads"] },
  { name: "d_model", forms: ["d_model"], pages: [] },
];
const found = (text, page = "heads") =>
  matches(vocabulary(WORDS, page), text).map(({ name, start, end }) => [name, text.slice(start, end)]);

test("the longest form counts, whole words only, and capitals do not", () => {
  assert.deepEqual(found("Attention weights and attention: monkeys have keys."), [
    ["attention weight", "Attention weights"],
    ["attention", "attention"],
    ["key", "keys"],
  ]);
  assert.deepEqual(found("self-attention, d_model2, attention-like"), []);
  assert.deepEqual(found("d_model's"), [["d_model", "d_model"]]);
});

test("a word that means something else on a page is none there", () => {
  assert.deepEqual(found("the key", "pretrained"), []);
});

test("links begin at the root of the app, wherever it is hosted", () => {
  const urls = ["heads", "words"];
  assert.deepEqual(appPlace(urls, "/heads"), ["/", "heads"]);
  assert.deepEqual(appPlace(urls, "/"), ["/", ""]);
  assert.deepEqual(appPlace(urls, "/~/+/heads/"), ["/~/+/", "heads"]);
  assert.deepEqual(appPlace(urls, "/class/"), ["/class/", ""]);
  assert.equal(wordAddress("top-k & <p>"), "words?word=top-k+%26+%3Cp%3E");
});

test("a question in plain words finds the word that it is about, and its sentence is shown", () => {
  const word = (name, sentence, asked) => ({ name, also: [], forms: [name], sentence: [sentence], asked });
  const words = [
    word("sampling", "Drawing the next token.", "why does it answer differently every time"),
    word("cache", "Keys that are kept.", ""),
  ];
  const all = entries({ pages: [], views: [], lessons: [], groups: [{ words }] });
  for (const asked of ["Why does it answer differently?", "answer differently", "why is it differently"])
    assert.deepEqual(
      ranked(all, asked).map(({ name, said }) => [name, said]),
      [["sampling", "Drawing the next token."]],
      asked,
    );
  assert.deepEqual(ranked(all, "what is it"), []);
});

test("what a question is about counts like a name, with or without the brackets around it", () => {
  const word = (name, also) => ({ name, also, forms: [name], sentence: ["Untrained from the start."], asked: "" });
  const words = [word("untrained", []), word("special token", ["⟨start⟩"])];
  const all = entries({ pages: [], views: [], lessons: [], groups: [{ words }] });
  for (const asked of ["start", "⟨start⟩", "what is (start)", "What does ⟨start⟩ mean?"])
    assert.equal(ranked(all, asked)[0].name, "special token", asked);
  assert.equal(ranked(ENTRIES, "what is a head")[0].name, "head");
});
