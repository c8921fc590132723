// What all components share, against known numbers; elements and the address bar against the smallest stand-ins.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import * as lab from "../../attention_view/lab.js";
import { packed } from "./payload.js";

const {
  asShare,
  brief,
  el,
  fixed,
  fromBase64,
  minus,
  mirror,
  mix,
  mount,
  ordinal,
  param,
  percent,
  rewrite,
  shareInProse,
  shorten,
} = lab;
const { COVERING, still, strength, svg, tint, trimmed, unpack, wholeParam, wholePercent, write } = lab;

/** Set a global for one test. */
function stand(t, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
}

test("a place is written as it is read aloud", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 22, 111, 1003].map(ordinal), [
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "12th",
    "13th",
    "22nd",
    "111th",
    "1,003rd",
  ]);
});

test("texts are shortened by letters, not by halves of them", () => {
  assert.equal(shorten("attention", 9), "attention");
  assert.equal(shorten("attentions", 9), "attentio…");
  assert.equal(shorten("👩🏽‍🚀".repeat(9), 5).includes("\ufffd"), false);
  assert.deepEqual(Array.from(shorten("𝒳".repeat(20), 4)), ["𝒳", "𝒳", "𝒳", "…"]);
  assert.equal(shorten(""), "");
});

test("numbers have the typographer's minus and the digits that were asked for", () => {
  assert.equal(minus("-1.5e-7"), "−1.5e-7");
  assert.deepEqual([fixed(-2.3), fixed(1, 3), fixed(-0.5, 0)], ["−2.30", "1.000", "−1"]);
  assert.deepEqual([fixed(-0.001), fixed(-0), fixed(-0.4, 0), fixed(-0.05, 1)], ["0.00", "0.00", "0", "−0.1"]);
  assert.deepEqual([trimmed(-2.3), trimmed(4), trimmed(0.126), trimmed(1.5, 0)], ["−2.3", "4", "0.13", "2"]);
});

test("a label says when a number is too small for it", () => {
  assert.deepEqual([0, 0.654, 1, -2.312, 12.34, 0.001, -0.001].map(brief), [
    "0",
    "0.65",
    "1.00",
    "−2.31",
    "12.3",
    "<0.01",
    ">−0.01",
  ]);
});

test("a share of one is never rounded to nothing, and to all only if it is that near", () => {
  assert.deepEqual(
    [1, 0.9994, 0.5, 0.0005, 0.0004].map((p) => percent(p)),
    ["100%", "99.9%", "50.0%", "0.1%", "<0.1%"],
  );
});

test("only none of it is 0% and only all of it is 100%, as Python says it, and what is more never reads as less", () => {
  const cases = JSON.parse(readFileSync(new URL("../lab/kit/shares.json", import.meta.url)));
  for (const [share, said] of cases) assert.equal(asShare(share), said, String(share));
  const prose = [0.9997, 0.0003, -0.0001, -0.3, -0.9997].map(shareInProse);
  assert.deepEqual(prose, ["over 99.9%", "under 0.1%", "just below 0%", "−30%", "nearly −100%"]);
  const read = (text) => Number(text.replace(/[<>%]/g, "")) + 0.01 * text.startsWith(">") - 0.01 * text.startsWith("<");
  for (const written of [asShare, percent, wholePercent]) {
    const shares = Array.from({ length: 20_001 }, (_, n) => read(written(n / 20_000)));
    assert.ok(shares.every((share, n) => !n || share >= shares[n - 1]));
    assert.ok([0.995, 0.9994, 0.9999].every((share) => written(share) !== "100%"));
  }
});

test("colours grow with the number: amber below zero, slate above, and no more than whole", () => {
  assert.equal(mix("weight", 26), "color-mix(in srgb, var(--weight) 26%, var(--panel))");
  assert.deepEqual([tint(0), tint(-0.5), tint(3, 2)], [mix("positive", 0), mix("negative", 50), mix("positive", 100)]);
  assert.deepEqual([-1, 0, 1, 7].map(strength), [0, 0, 1, 1]);
  assert.ok(Math.abs(strength(1 / 32) - 1 / 8) < 1e-12, "32^0.6 is 2^3");
});

test("a payload is read wherever its bytes begin, and its arrays have their shapes", () => {
  const arrays = {
    one: { shape: [3], values: [1, 0, 1], type: "u1" },
    two: { shape: [2, 2], values: [1.5, -2, 0.25, 8] },
  };
  for (const shift of [0, 1, 2, 3, 4, 7]) {
    const { header, arrays: found } = unpack(packed(arrays, { label: "ü – 𝒳" }, shift));
    assert.equal(header.label, "ü – 𝒳");
    assert.deepEqual([...found.one], [1, 0, 1]);
    assert.deepEqual(
      [[...found.two], found.two.shape],
      [
        [1.5, -2, 0.25, 8],
        [2, 2],
      ],
    );
  }
  const plain = new Uint8Array([2, 0, 0, 0, 123, 125, 7, 8]); // a header without arrays: {}
  assert.deepEqual([...unpack(plain).body], [7, 8]);
  assert.deepEqual([...fromBase64("AAECgP8=")], [0, 1, 2, 128, 255]);
});

test("an element takes text as text, listeners as listeners, and leaves null and false out", (t) => {
  const node = (tag, space) => ({
    tag,
    space,
    set: {},
    inside: [],
    setAttribute(name, value) {
      this.set[name] = value;
    },
    append(...children) {
      this.inside.push(...children);
    },
  });
  stand(t, "document", { createElement: (tag) => node(tag), createElementNS: (space, tag) => node(tag, space) });
  const heard = [];
  const onclick = (event) => !heard.push(event); // false, which a property would take for "do nothing by yourself"
  const props = { onclick, hidden: true, disabled: false, title: null, "data-n": 0 };
  const button = el("button", props, "<b>", null, "x");
  assert.equal(button.onclick("pressed"), undefined);
  assert.deepEqual(heard, ["pressed"]);
  assert.deepEqual(button.set, { type: "button", hidden: "", "data-n": 0 });
  assert.deepEqual(button.inside, ["<b>", "x"]);
  const note = el("p.quiet.small", "<i>", null, "x");
  assert.deepEqual([note.tag, note.set, note.inside], ["p", { class: "quiet small" }, ["<i>", "x"]]);
  const line = svg("line", { x1: 0, opacity: 0 });
  assert.equal(line.space, "http://www.w3.org/2000/svg");
  assert.deepEqual(line.set, { x1: 0, opacity: 0 });
});

test("a text that changes keeps its node, and a node that can stay is given what it should have", () => {
  const text = (data) => ({ nodeName: "#text", data });
  const plain = ({ nodeName, data, set, childNodes }) =>
    nodeName === "#text" ? data : [nodeName, set, childNodes.map(plain)];
  const node = (nodeName, set = {}, ...childNodes) => ({
    nodeName,
    set,
    childNodes,
    getAttributeNames: () => Object.keys(set),
    hasAttribute: (name) => name in set,
    getAttribute: (name) => set[name] ?? null,
    setAttribute: (name, value) => (set[name] = String(value)),
    removeAttribute: (name) => delete set[name],
    isEqualNode(other) {
      return JSON.stringify(plain(this)) === JSON.stringify(plain(other));
    },
    replaceChildren(...children) {
      this.childNodes = children.map((child) => (typeof child === "string" ? text(child) : child));
    },
  });
  const line = node("P");
  rewrite(line, "from ", node("B", { class: "query" }, text("cat")));
  const [words, cat] = line.childNodes;
  rewrite(line, "to ", node("B", { title: "it" }, text("mat")));
  assert.deepEqual(line.childNodes, [words, cat], "both nodes stay");
  assert.deepEqual(plain(line), ["P", {}, ["to ", ["B", { title: "it" }, ["mat"]]]]);
  rewrite(line, node("I"), "other");
  assert.deepEqual(plain(line), ["P", {}, [["I", {}, []], "other"]], "what is of another kind is new");
  write(line, "<b>");
  assert.deepEqual(plain(line), ["P", {}, ["<b>"]]);
  write(line, "");
  assert.deepEqual(line.childNodes, [], "an empty text is none, as :empty asks");
});

test("there is one view per root, and it is told when it ends", () => {
  const log = [];
  class View {
    constructor(root) {
      log.push(`made on ${root}`);
    }
    update(data, { setTriggerValue }) {
      log.push(`${data} ${setTriggerValue}`);
    }
    destroy() {
      log.push("ended");
    }
  }
  const root = new (class {
    dataset = {};
    toString() {
      return "root";
    }
  })();
  const component = mount(".it", View);
  const call = (data) =>
    component({ data, parentElement: { querySelector: (of) => of === ".it" && root }, setTriggerValue: "send" });
  call(1);
  const end = call(2);
  end();
  call(3);
  assert.deepEqual(log, ["made on root", "1 send", "2 send", "ended", "made on root", "3 send"]);
  assert.equal(root.dataset.figure, "it");
});

test("a component hears of another size while it is there, its link has the last word, and presses are forgotten", (t) => {
  const log = [];
  let resize;
  class Observer {
    constructor(heard) {
      resize = heard;
    }
    observe = (node) => log.push(`watches ${node.name}`);
    disconnect = () => log.push("watches no more");
  }
  stand(t, "ResizeObserver", Observer);
  const page = new EventTarget();
  for (const name of ["addEventListener", "removeEventListener"]) stand(t, name, page[name].bind(page));
  const coverMore = () => page.dispatchEvent(new Event(COVERING));
  class View {
    link = { end: () => log.push("linked") };
    presses = { forget: () => log.push("forgotten") };
    update = () => log.push("updated");
    resized = () => log.push("resized");
    endDrag = () => log.push("let go");
    endBeat = () => log.push("at its end");
    destroy = () => log.push("ended");
  }
  const root = { name: "root", dataset: {} };
  const end = mount(".it", View)({ data: 1, parentElement: { querySelector: () => root } });
  resize();
  coverMore(); // the bar of a lesson
  end();
  coverMore();
  const ends = ["watches no more", "let go", "at its end", "ended", "linked", "forgotten"];
  assert.deepEqual(log, ["watches root", "updated", "resized", "resized", ...ends]);
});

test("numbers become pixels: zero in the middle, and as far to the colour of their sign as they are large", () => {
  const made = {};
  const pen = {
    createImageData: (width, height) => ({ data: new Uint8ClampedArray(4 * width * height) }),
    putImageData: (image) => Object.assign(made, image),
  };
  const canvas = { getContext: () => pen };
  const colours = [
    [200, 0, 0],
    [100, 100, 100],
    [0, 0, 200],
  ];
  lab.paintPixels(canvas, Float32Array.of(0, -1, 0.5, 9), 2, colours);
  assert.deepEqual([canvas.width, canvas.height], [2, 2]);
  assert.deepEqual([...made.data], [100, 100, 100, 255, 200, 0, 0, 255, 50, 50, 150, 255, 0, 0, 200, 255]);
});

test("what is not a whole number in range is no number", (t) => {
  stand(t, "location", { search: "?a=7&b=-1&c=1e3&d=1234567&e=&f=%3Cb%3E" });
  assert.deepEqual(
    ["a", "b", "c", "d", "e", "f", "g"].map((name) => wholeParam(name)),
    [7, ...Array(6).fill(null)],
  );
  assert.deepEqual([wholeParam("a", 8), wholeParam("a", 7)], [7, null]);
  assert.deepEqual([param("f"), param("g")], ["<b>", null]);
});

test("the address keeps what is not usual, and what others put there; writing often writes once", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const place = { search: "?theirs=1&head=2&stage=scores", pathname: "/heads", hash: "#x", origin: "http://lab" };
  const written = [];
  const posted = [];
  stand(t, "location", place);
  stand(t, "window", { parent: { postMessage: (message, origin) => posted.push([message.queryParams, origin]) } });
  stand(t, "history", {
    state: 5,
    replaceState: (state, _, address) => {
      written.push([state, address]);
      place.search = address.slice("/heads".length, -"#x".length);
    },
  });
  let head = 3;
  const write = (put) => {
    put("head", head, 0);
    put("stage", "weights", "weights");
    put("pinned", null);
  };
  const link = mirror(write, 100);
  link.later();
  t.mock.timers.tick(99);
  link.later();
  t.mock.timers.tick(99);
  assert.deepEqual(written, []);
  t.mock.timers.tick(1);
  assert.deepEqual(written, [[5, "/heads?theirs=1&head=3#x"]]);
  assert.deepEqual(posted, [["?theirs=1&head=3", "http://lab"]]);
  link.now();
  assert.equal(written.length, 1, "the same again is not written again");
  head = 0;
  link.later();
  link.cancel();
  t.mock.timers.tick(1000);
  assert.equal(written.length, 1);
  link.now();
  assert.deepEqual(written[1], [5, "/heads?theirs=1#x"]);
  head = 4;
  link.later();
  link.end();
  assert.deepEqual(written[2], [5, "/heads?theirs=1&head=4#x"], "what waits is not lost with what is taken away");
  head = 5;
  for (const ended of [link.later, link.now]) ended();
  t.mock.timers.tick(1000);
  assert.equal(written.length, 3, "a drag or a timer may go on after that, and the page there is another one");
  const later = mirror(write, 100);
  later.later();
  place.pathname = "/masks";
  later.end();
  t.mock.timers.tick(1000);
  assert.equal(written.length, 3, "another page's address is its own");
});

test("less motion is asked of the system", (t) => {
  stand(t, "matchMedia", (query) => ({ matches: query === "(prefers-reduced-motion: reduce)" }));
  assert.equal(still(), true);
});

test("a text begins with a capital, if with a letter", () => {
  const said = ["word counts", "MiniLM", "“hat” falls", ""].map(lab.capital);
  assert.deepEqual(said, ["Word counts", "MiniLM", "“hat” falls", ""]);
});

test("of words of which one continues a word it is said what the sign means", () => {
  assert.equal(lab.piecesSaid(["hat", "…iza"]), "“…” continues a word");
  assert.equal(lab.piecesSaid(["hat", "…", "red"]), "", "three dots alone are a token of their own");
});

test("of one there is no plural, and few are counted in words", () => {
  const { counted, howOften, numeral } = lab;
  assert.deepEqual(
    [0, 1, 2, 2048].map((n) => counted(n, "token")),
    ["0 tokens", "1 token", "2 tokens", "2,048 tokens"],
  );
  assert.deepEqual([0, 1, 2, 5, 1200].map(howOften), ["never", "once", "twice", "5 times", "1,200 times"]);
  assert.deepEqual([0, 1, 10, 11].map(numeral), ["none", "one", "ten", "11"]);
});
