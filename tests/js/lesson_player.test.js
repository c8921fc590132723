// The player of a lesson in a learning platform, with a page of the smallest stand-ins.

import assert from "node:assert/strict";
import { test } from "node:test";

class Node {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {} });
  }
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  removeAttribute(name) {
    delete this[name];
  }
  focus() {}
  /** All that is seen within, as text, one after another. */
  get seen() {
    if (this.hidden) return [];
    return this.children.flatMap((child) => (typeof child === "string" ? [child] : child.seen)).filter(Boolean);
  }
  find(text) {
    if (this.children.includes(text)) return this;
    for (const child of this.children) {
      const found = child instanceof Node && child.find(text);
      if (found) return found;
    }
    return null;
  }
}

test("what one has to know for a guess stands above it, and makes way for what is said of the view", async () => {
  const main = new Node("main");
  const option = (text, right) => ({ text, right, reply: `${text}.` });
  const stop = {
    heading: "Which?",
    view: "https://lab.example/heads",
    opening: "Here it has read “mia found a”.",
    say: "The longest bar is the likeliest word.",
    board: [],
    do: "",
    predict: { text: "What comes next?", options: [option("hat", true), option("ball", false)] },
    question: null,
  };
  globalThis.LESSON = { title: "T", stops: [stop, { ...stop, predict: null }] };
  globalThis.document = { querySelector: () => main, createElement: (tag) => new Node(tag) };
  globalThis.window = { addEventListener: () => {} };
  main.querySelector = () => new Node("h1");
  await import("../../pages/lessons/player/player.js");
  const order = (...texts) => texts.map((text) => main.seen.indexOf(text));
  const [told, asks, says] = order(stop.opening, stop.predict.text, stop.say);
  assert.ok(told >= 0 && told < asks, `${told} ${asks}`);
  assert.equal(says, -1);
  main.find("ball").onclick();
  assert.equal(order(stop.opening)[0], -1);
  assert.ok(order(stop.say)[0] >= 0);
  main.find("Next").onclick();
  assert.deepEqual(
    order(stop.opening, stop.say).map((at) => at >= 0),
    [false, true],
    "where nothing is asked",
  );
});
