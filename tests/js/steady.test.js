// A headline as tall as its tallest sentence, measured on the smallest stand-in: a line for every 10 letters.

import assert from "node:assert/strict";
import { test } from "node:test";

import { longest, steady } from "../../lab/kit/components/steady.js";

test("a headline is as tall as its longest sentence makes it, and says what it said", () => {
  const now = { textContent: "short" };
  const tried = [];
  const copy = {
    style: {},
    children: [{}, {}],
    get offsetHeight() {
      tried.push(this.children[1].textContent);
      return 20 * Math.ceil(this.children[0].textContent.length / 10);
    },
    remove: () => (copy.isGone = true),
  };
  const headline = { style: {}, children: [now, {}], clientWidth: 300, cloneNode: () => copy, after: () => {} };
  steady(headline, ["a", "b".repeat(34), "c".repeat(11)], ["Go", "Go on"]);
  assert.equal(headline.style.minHeight, "80px");
  assert.deepEqual([now.textContent, copy.isGone, tried[0]], ["short", true, "Go on"]);
});

test("only the longest are tried, and each once", () => {
  assert.deepEqual(longest(["a", "bbb", "bbb", "cc"], 2), ["bbb", "cc"]);
});
