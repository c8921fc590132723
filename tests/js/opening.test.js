// The document that a browser loads first, in a browser that is the smallest of stand-ins.

import assert from "node:assert/strict";
import { test } from "node:test";

test("an old browser uncovers the page as well, and what waits for that does not wait for ever", async () => {
  let look;
  const [later, heard] = [[], new Set()];
  const box = { top: 0, height: 600 };
  const figure = { getBoundingClientRect: () => box };
  const page = {
    querySelector: () => ({}), // its question
    querySelectorAll: () => [figure],
  };
  const found = (answer) => (selector) => {
    if (selector.includes(":has(")) throw new SyntaxError(selector);
    return answer;
  };
  const root = { dataset: {}, style: {} };
  Object.assign(globalThis, {
    window: {},
    location: { search: "" },
    innerHeight: 720,
    document: { documentElement: root, querySelector: found(null), querySelectorAll: found([page]) },
    matchMedia: () => ({ matches: false }),
    addEventListener: (kind) => heard.add(kind),
  });
  const [plainLater, plainEvery] = [setTimeout, setInterval];
  globalThis.setTimeout = (act, ms) => later.push([act, ms]);
  globalThis.setInterval = (act) => (look = act);
  try {
    await import("../../lab/frame/opening.js");
    const [[goOn, ms]] = later;
    assert.equal(ms, 15_000, "from the start, before anything is found");
    look(0);
    assert.equal(root.dataset.opened, undefined, "something waits");
    look(8000);
    assert.equal(root.dataset.opened, "");
    assert.ok(heard.has("keydown"));
    goOn();
    assert.equal(await globalThis.window.attentionLabLater, true);
  } finally {
    Object.assign(globalThis, { setTimeout: plainLater, setInterval: plainEvery });
  }
});
