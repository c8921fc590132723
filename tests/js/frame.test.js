// What the frame of every page does about the keyboard, with a page of the smallest stand-ins.

import assert from "node:assert/strict";
import { test } from "node:test";

test("the keyboard goes back to what opened a popover, and the page stays where it is scrolled to", async () => {
  const body = {};
  const heard = new Map();
  const opener = { isConnected: true, focus: (how) => focused.push(how) };
  const focused = [];
  let isOpen = true;
  const done = ["History", "Boxes", "Figures", "Open", "Print"].map((name) => [`attentionLab${name}`, true]);
  const watchers = new Map();
  globalThis.window = { ...Object.fromEntries(done), attentionLabWatchers: watchers };
  globalThis.document = {
    body,
    activeElement: body,
    addEventListener: (name, act) => heard.set(name, act),
    querySelector: (selector) => {
      if (selector === ".skip-to-figure") return {}; // it is there
      return selector.includes("aria-expanded") ? opener : isOpen ? {} : null;
    },
  };
  await import("../../lab/frame/frame.js");
  heard.get("focusin")({ target: { closest: () => ({}) } });
  const [look] = watchers.keys();
  look();
  assert.deepEqual(focused, [], "it is open");
  isOpen = false;
  look();
  look();
  assert.deepEqual(focused, [{ preventScroll: true }], "once");
});
