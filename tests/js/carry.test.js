// What is told of the head in view when a page is left, and by what it is left.

import assert from "node:assert/strict";
import { test } from "node:test";
import { headOf, leads } from "../../lab/frame/carry/carry.js";

const address = (search) => (name) => new URLSearchParams(search).get(name);

test("the head is the one that the address names, and the time makes it news", () => {
  assert.equal(headOf(address("?layer=1&head=2&text=a"), 7.4), "7:1-2");
  assert.equal(headOf(address("?head=3"), 8), "8:0-3");
  for (const none of ["", "?text=a", "?layer=x&head=1", "?layer=-1", "?head=12345"]) {
    assert.equal(headOf(address(none), 9), "9:", none);
  }
});

test("a link in this window leads on, and so does Enter in the search", () => {
  const node = (selector, more = {}) => ({ matches: (asked) => asked.includes(selector), ...more });
  const link = node("a[href]", { target: "" });
  const box = node('[role="combobox"]', { role: "combobox" });
  const text = { matches: undefined };
  const click = { type: "click", button: 0 };
  const enter = { type: "keydown", key: "Enter" };
  assert.ok(leads(click, [text, link]));
  assert.ok(leads(click, [node('[role="option"]')]));
  assert.ok(leads(enter, [box]));
  assert.ok(!leads(enter, [link]), "its click follows");
  assert.ok(!leads({ ...enter, key: "a" }, [box]));
  assert.ok(!leads(click, [box]));
  assert.ok(!leads(click, [text]));
  assert.ok(!leads({ ...click, ctrlKey: true }, [link]), "another window");
  assert.ok(!leads({ ...click, button: 1 }, [link]));
  assert.ok(!leads(click, [node("a[href]", { target: "_blank" })]));
});
