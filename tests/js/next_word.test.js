// The draw of the next word in the browser; that it equals transformer/generation/sampling.py is tested in a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { distribution, draw, received, share, softmax } from "../../pages/generation/components/next_word/sampling.js";
import { apart, begins, expects, Luck, spread, warmed } from "../../pages/generation/components/next_word/luck.js";
import { landing, NextWord, partOf } from "../../pages/generation/components/next_word/next_word.js";
import {
  hasRoom,
  named,
  roughly,
  rowsOf,
  standing,
  temperatureFor,
  Wall,
  wholeOf,
  wordsSaid,
  wrapped,
} from "../../pages/generation/components/next_word/wall.js";

const PLAIN = { temperature: 1, top_k: 0, top_p: 1, penalty: 1 };
const near = (a, b, most = 1e-12) => a.forEach((x, i) => assert.ok(Math.abs(x - b[i]) < most, `${a} is not ${b}`));
const logs = (...shares) => shares.map(Math.log);

test("softmax of logarithms gives the shares, and large numbers do no harm", () => {
  near(softmax([0, Math.log(3)]), [0.25, 0.75]);
  near(softmax([1000, 1000]), [0.5, 0.5]);
});

test("temperature is a power of the shares: at a half they are squared", () => {
  near(distribution(logs(1, 2, 3), [], { ...PLAIN, temperature: 0.5 }).final, [1 / 14, 4 / 14, 9 / 14]);
  near(distribution(logs(1, 2, 3), [], PLAIN).probs, [1 / 6, 2 / 6, 3 / 6]);
});

test("at temperature 0 the first of the largest is all that is left", () => {
  const { final, removed, left } = distribution([1, 5, 5], [], { ...PLAIN, temperature: 0 });
  assert.deepEqual([final, left], [[0, 1, 0], [1]]);
  assert.deepEqual([...removed.values()], ["greedy", "greedy"]);
});

test("top-k leaves k, and says what took the others out", () => {
  const { final, removed } = distribution([3, 2, 1, 0], [], { ...PLAIN, top_k: 2 });
  assert.equal(final.filter((p) => p > 0).length, 2);
  assert.deepEqual(Object.fromEntries(removed), { 2: "top_k", 3: "top_k" });
});

test("top-p leaves the fewest that reach it, and at least one", () => {
  const left = (top_p, top_k = 0) => distribution(logs(5, 3, 1.5, 0.5), [], { ...PLAIN, top_p, top_k }).left;
  assert.deepEqual([left(0.05), left(0.6), left(0.85), left(1)], [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]]);
  assert.deepEqual(left(0.9, 2), [0, 1], "of what top-k has left: 5 of 8 are not enough");
});

test("the penalty lowers what was read, above zero by division and below by multiplication", () => {
  const { tempered } = distribution([2, 2, -2, -2], [0, 2], { ...PLAIN, penalty: 2 });
  near(tempered, softmax([1, 2, -4, -2]));
});

test("whatever the settings, what is left adds up to 1 and nothing that was taken out has a share", () => {
  const logits = Array.from({ length: 40 }, (_, n) => 3 * Math.sin(7 * n));
  for (const temperature of [0, 0.3, 1, 2])
    for (const top_k of [0, 1, 5])
      for (const top_p of [0.2, 0.9, 1]) {
        const { final, removed, left } = distribution(logits, [3, 4], { temperature, top_k, top_p, penalty: 1.3 });
        near([final.reduce((a, b) => a + b)], [1]);
        assert.equal(left.length + removed.size, 40);
        assert.ok([...removed.keys()].every((id) => final[id] === 0));
      }
});

test("a draw goes along the words that are left, in the order of their chance", () => {
  const given = distribution(logs(1, 3), [], PLAIN);
  assert.equal(draw(given, 0.74).id, 1);
  assert.equal(draw(given, 0.76).id, 0);
  assert.equal(draw(given, 0.9999999999).high, 1, "the last slice ends at 1, whatever rounding made of the sum");
});

test("shares are written as they are read aloud", () => {
  assert.deepEqual([0, 0.0004, 0.25, 0.9996, 1].map(share), ["0", "<0.001", "0.250", ">0.999", "1"]);
});

test("what the server has worked out is drawn as what the browser works out itself", () => {
  const logits = logs(6, 3, 1);
  const own = distribution(logits, [], { ...PLAIN, top_k: 2 });
  const draws = [0.1, 0.7];
  const falls = draws.map((u) => draw(own, u)).map(({ id, low, high }) => [id, low, high]);
  const rows = own.order.slice(0, 2).map((id) => [id, own.probs[id], own.final[id], own.removed.get(id) ?? ""]);
  const sent = received(
    { rows, rest: [1, own.probs[2], own.final[2]], removed: { greedy: 0, top_k: 1, top_p: 0 }, falls, own: 0 },
    draws,
  );
  assert.deepEqual(sent.order, [0, 1]);
  assert.deepEqual(sent.left, [0, 1]);
  near([sent.final[0], sent.final[1], sent.rest.probs, sent.rest.final], [2 / 3, 1 / 3, 0.1, 0]);
  for (const u of draws) assert.deepEqual(draw(sent, u), draw(own, u));
  assert.equal(sent.counts.top_k, 1);
});

const LINES = [
  [0.14, 0.08, ...Array(20).fill(0.035), 0.08],
  [0.97, 0.02, 0.01],
  [0.5, 0.3, 0.1, 0.05, 0.05],
  [0.02, 0.98],
  [0.6, 0.05, 0.04, 0.31],
  [1],
];

test("a word covers as much of the wall as it is likely: the first as a column, the others in rows beside it", () => {
  for (const shares of LINES)
    for (const n of [2, 5, 10]) {
      const [first, ...others] = wrapped(shares, n);
      near(
        [first, ...others].map(({ w, h }) => w * h),
        shares,
      );
      near(Object.values(first), [0, 0, shares[0], 1]);
      const before = [{ x: 1, y: 0, w: 0, h: 0 }, ...others];
      for (const [at, { x, y }] of others.entries()) {
        const left = before[at];
        const opens = Math.abs(left.x + left.w - 1) < 1e-9;
        near([x, y], opens ? [first.w, left.y + left.h] : [left.x + left.w, left.y]);
      }
    }
});

test("rows hold about as much, and what little is left has none of its own", () => {
  const masses = (shares, n) => {
    const tops = new Map();
    for (const { y, h } of wrapped(shares, n).slice(1)) tops.set(y, h);
    return [...tops.values()];
  };
  const even = masses(LINES[0], 5);
  assert.ok(even.length === 5 && even.every((h) => h > 0.17 && h < 0.23), `${even}`);
  near(masses([0.5, 0.25, 0.24, 0.01], 4), [0.5, 0.5]);
  assert.deepEqual([rowsOf(1180, 425), rowsOf(320, 460) > 8], [5, true]);
});

test("the edge is pulled to a share, and the temperature is the one that gives it", () => {
  const logits = Array.from({ length: 40 }, (_, n) => -0.3 * n);
  const shareAt = (settings) => (temperature) =>
    Math.max(...distribution(logits, [], { ...PLAIN, ...settings, temperature }).final);
  for (const wanted of [0.15, 0.3, 0.6, 0.9]) {
    const temperature = temperatureFor(wanted, shareAt());
    near([shareAt()(temperature)], [wanted], 1e-4);
  }
  near([temperatureFor(0, shareAt()), temperatureFor(1.2, shareAt())], [2, 0.05], 1e-4);
});

test("the edge is where the hand is, whatever else cuts or weighs down the words", (t) => {
  const logits = Array.from({ length: 40 }, (_, n) => 4 - 0.2 * n);
  let heard = null;
  globalThis.addEventListener = (kind, act) => (heard = kind === "pointermove" ? act : heard);
  t.after(() => delete globalThis.addEventListener);
  const node = { currentCSSZoom: 1, getBoundingClientRect: () => ({ left: 0, top: 0 }) };
  for (const more of [{ top_p: 0.8 }, { top_k: 5 }, { penalty: 2, top_p: 0.9 }]) {
    const settings = { ...PLAIN, ...more };
    const at = (temperature) => distribution(logits, [0], { ...settings, temperature });
    const story = { data: { logits }, text: [0], settings, dist: at(1), turn: (_, value) => (story.turned = value) };
    const press = { button: 0, preventDefault() {}, currentTarget: { focus() {} } };
    Wall.prototype.pull.call({ story, node, size: [1000, 400] }, press);
    heard({ clientX: 350, clientY: 0 });
    const [cooler, hotter] = [-0.001, 0.001].map((by) => Math.max(...at(story.turned + by).final));
    assert.ok(cooler >= 0.35 && 0.35 >= hotter, `${cooler} to ${hotter}`);
  }
});

test("an edge that no temperature moves leaves the temperature as it is", (t) => {
  let turned = 0;
  globalThis.addEventListener = (kind, act) => kind === "pointermove" && act({ clientX: 350, clientY: 0 });
  t.after(() => delete globalThis.addEventListener);
  const node = { currentCSSZoom: 1, getBoundingClientRect: () => ({ left: 0, top: 0 }) };
  const press = { button: 0, preventDefault() {}, currentTarget: { focus() {} } };
  for (const top_k of [0, 1]) {
    const settings = { ...PLAIN, top_k };
    const [logits, dist] = [[2, 1, 0], distribution([2, 1, 0], [], settings)];
    const story = { data: { logits }, text: [], settings, dist, turn: () => turned++ };
    Wall.prototype.pull.call({ story, node, size: [1000, 400] }, press);
  }
  assert.equal(turned, 1, "one word alone has all of it");
});

test("of a large vocabulary the edge is pulled by what is known, and it goes where words are cut", () => {
  const few = [0.4, ...Array(6).fill(0.1)];
  const lumped = roughly({ probs: { 7: 0.4, 9: 0.1 }, rest: { n: 5, probs: 0.5 } });
  const all = roughly({ probs: few, rest: { n: 0, probs: 0 } });
  for (const temperature of [0.3, 1, 2]) {
    const sum = few.reduce((total, p) => total + p ** (1 / temperature), 0);
    near([lumped(temperature), all(temperature)], Array(2).fill(0.4 ** (1 / temperature) / sum));
  }
  const isShown = (data, settings) => {
    const story = { over: false, data, settings: { ...PLAIN, ...settings }, label: String, temperature: 1 };
    const edge = { style: { setProperty() {} }, getAttribute() {}, setAttribute() {} };
    Wall.prototype.tellEdge.call({ edge, story, size: [1000, 400] }, { left: [0], final: [1] });
    return !edge.hidden;
  };
  assert.deepEqual([isShown({ ladder: {} }), isShown({}, { top_p: 0.5 })], [true, true]);
  for (const cut of [{ top_k: 3 }, { top_p: 0.9 }, { penalty: 1.2 }]) assert.ok(!isShown({ ladder: {} }, cut));
});

test("at another temperature it is said how often the likeliest comes, and one not seen, if more often", () => {
  const cold = "At temperature 0.37, expect was in about 60 of 100 draws.";
  assert.equal(warmed(0.37, "was", 0.6, 0.07).join(""), cold);
  const hot = "At temperature 2.00, expect was in about 5 of 100 draws; in 37, a word not shown.";
  assert.equal(warmed(2, "was", 0.048, 0.367).join(""), hot);
});

test("a word that is too narrow to be read stands among the others, and some of these are named there", () => {
  const open = [...Array(12).fill(0.07), ...Array(40).fill(0.006)];
  assert.equal(standing([...open.keys()], open, 4500).length, 12);
  assert.equal(standing([0], [1], 4500).length, 1);
  assert.deepEqual(standing([0, 1], [0.0073, 0.0072], 4500), [], "where no word is likely, none stands");
  const labels = ["g", "cr", "radio", " candle", "…tor", ".", "gem"];
  assert.deepEqual(named(labels, 99), ["radio", "candle", "gem"], "words, and no beginnings of words");
  assert.deepEqual(named(labels, 15), ["radio", "candle"]);
  assert.deepEqual(named(labels, 3), []);
});

test("one word that is not on the wall is one word", () => {
  assert.deepEqual([wordsSaid(1, true), wordsSaid(2, true)], ["1 other word", "2 other words"]);
  assert.deepEqual([wordsSaid(1, false), wordsSaid(50_257, false)], ["1 word", "50,257 words"]);
});

test("a random number and the end of a field are written with as many digits as tell them apart", () => {
  assert.deepEqual(apart(0.25, 0.3), ["0.250", "0.300"]);
  assert.deepEqual(apart(0.24121, 0.24118), ["0.24121", "0.24118"]);
  assert.deepEqual(apart(0.5, 0.5)[0], "0.500000000");
  const story = { label: (id) => "ab"[id] };
  const dist = { order: [0, 1], left: [0, 1], final: [0.24118, 0.2] };
  const name = (id) => story.label(id);
  const fell = (u, drawn) => Luck.prototype.fell.call({ story }, dist, drawn, u, name);
  globalThis.document = { createElement: () => ({ append(text) { this.text = text; } }) }; // prettier-ignore
  const said = (...given) => fell(...given).map((part) => part.text ?? part).join(""); // prettier-ignore
  assert.equal(said(0.24121, { id: 1 }), "The random number 0.24121 falls on b. The likeliest, a, ends at 0.24118.");
  assert.match(said(0.24111, { id: 0, high: 0.24118 }), /0\.2411 falls .* to 0\.2412\.$/);
  delete globalThis.document;
});

test("where no word is likelier than 1 in 100, that is said, and no piece of a word is named", () => {
  const none = "After “violet”, no favourite: every word has less than 1 chance in 100.";
  assert.equal(expects(0.0073, "violet", "g").join(""), none);
  assert.equal(expects(0.0073, "", "g").join("").slice(0, 14), "No favourite: ");
  assert.doesNotMatch(expects(0.01, "", "g").join(""), /favourite/, "1 in 100 is not less than that");
  const some = "After “a”, red is most likely, but expect it in only about 7 of 100 draws.";
  assert.equal(expects(0.07, "a", "red").join(""), some);
});

test("the beginning of a word is called a beginning, and is not named among words", () => {
  const labels = ["k", "scarl", "hat", ".", "mas", "…et", "gem", "cup"];
  const [ids, whole] = [[...labels.keys()], [2, 6, 7]];
  const shown = (list) => named(wholeOf(ids, list).map((id) => labels[id]), 99); // prettier-ignore
  assert.deepEqual(shown(whole), ["hat", "gem", "cup"]);
  assert.deepEqual(shown(null), ["scarl", "hat", "mas", "gem", "cup"], "where nobody knows");
  const beginnings = ids.filter((id) => begins(labels[id], id, whole));
  assert.deepEqual(
    beginnings.map((id) => labels[id]),
    ["k", "scarl", "mas"],
  );
  assert.ok(!begins("k", 0, null));
  const said = "After “the”, the beginning k… is most likely, but expect it in only about 12 of 100 draws.";
  assert.equal(expects(0.12, "the", "k…", true).join(""), said);
  assert.equal(expects(0.12, "the", "k…", true)[1], "k…", "which is bold");
  assert.match(expects(0.6, "", "k…", true).join(""), /^The beginning k… is most likely: /);
});

test("how many others there are is said on the wall only where a line has room", () => {
  assert.deepEqual([hasRoom(400, 90), hasRoom(400, 12), hasRoom(100, 90)], [true, false, false]);
});

test("the dark button of a lesson draws a hundred times from the same beginning; elsewhere it writes on", () => {
  const [one, many] = ["primary", "second"].map((className) => ({
    className,
    matches(name) {
      return name === `.${this.className}`;
    },
  }));
  const first = [];
  const luck = { one, many, node: { prepend: (it) => first.push(it) } };
  for (const isLed of [true, true, false]) Luck.prototype.lead.call(luck, isLed);
  assert.deepEqual(first, [many, one]);
  assert.deepEqual([many.className, one.className], ["second", "primary"]);
});

test("of a hundred draws it is said which fell on a word that has no room of its own", (t) => {
  t.mock.method(Luck.prototype, "reason", () => []);
  globalThis.document = { createElement: () => ({ append(text) { this.text = text; } }) }; // prettier-ignore
  t.after(() => delete globalThis.document);
  const story = { label: (id) => ["was", "liked", "victor"][id], wall: { shown: [0, 1] } };
  const counts = new Map([4, 14, 7].map((count, n) => [[2, 0, 1][n], count]));
  const told = Luck.prototype.told.call({ story, fallen: Array(100) }, {}, counts);
  const said = told.map((part) => part.text ?? part).join("");
  assert.equal(said, "Of 100 random numbers, 14 fell on was, 7 on liked, 4 on victor (among the other words).");
});

test("what a draw landed on is said, and what the reader's text has there", () => {
  assert.equal(
    landing("showed", 12, true, "took"),
    "The draw landed on “showed”, the 12th most likely. (In your text: “took”.)",
  );
  assert.equal(landing("red", 1, true, null), "The draw landed on “red”, the most likely.");
  assert.equal(landing("a", 2, false, null), "“a” was the 2nd most likely.");
});

test("a number falls before its field is struck, and its word is taken once it has lain there", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [events, settings] = [[], { seed: 3 }];
  globalThis.matchMedia = () => ({ matches: false });
  t.after(() => delete globalThis.matchMedia);
  const dist = { final: [0.5, 0.5], left: [0, 1] };
  const story = { data: { draws: [0, 0, 0, 0.7, 0] }, settings, dist, path: [4, 5] };
  const luck = Object.assign(Object.create(Luck.prototype), { story, lay: (moves) => events.push(moves) });
  story.draw = () => events.push(luck.falls ? "falls" : "lies");
  story.pick = (...word) => events.push(word);
  luck.drawOne();
  assert.deepEqual(events, ["falls", true]);
  t.mock.timers.tick(600);
  assert.deepEqual(events.slice(2), ["lies"]);
  t.mock.timers.tick(900);
  assert.deepEqual(events.slice(3), [[1]]);
  assert.deepEqual([luck.took, settings.seed], [true, 4]);
});

test("a number whose text, knobs or page have gone takes no word", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.matchMedia = () => ({ matches: false });
  t.after(() => delete globalThis.matchMedia);
  const taken = [];
  const fallen = (end) => {
    const dist = { final: [0.5, 0.5], left: [0, 1] };
    const story = { data: { draws: [0.7] }, settings: { seed: 0 }, dist, path: [], link: { later() {} }, draw() {} };
    const luck = Object.assign(Object.create(Luck.prototype), { story, lay() {} });
    Object.assign(story, { luck, pick: (...word) => taken.push(word) });
    luck.drawOne();
    end(luck, story);
    const { waiting } = story;
    for (const milliseconds of [600, 900]) t.mock.timers.tick(milliseconds);
    return waiting;
  };
  assert.equal(
    fallen((luck) => luck.drawMany()),
    true,
    "a hundred wait for the one",
  );
  assert.deepEqual(taken.splice(0), [[1]]);
  const ends = [
    (luck) => luck.forget(),
    (luck) => luck.clear(),
    (luck) => (t.mock.timers.tick(700), luck.clear()),
    (_, story) => NextWord.prototype.destroy.call(story),
  ];
  for (const end of ends) assert.equal(fallen(end), false, String(end));
  assert.deepEqual(taken, []);
});

test("what waited for an earlier answer does not end the waiting for a later one", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const quiet = Object.fromEntries(
    ["keep", "reach", "grow", "later", "now", "paint", "drop"].map((name) => [name, () => {}]),
  );
  const parts = Object.fromEntries(["looks", "knobs", "branches", "luck", "link"].map((name) => [name, quiet]));
  const own = Object.fromEntries(["read", "stand", "tell", "draw", "send"].map((name) => [name, () => {}]));
  const data = { draws: [], labels: [], nodes: [] };
  const story = Object.assign(Object.create(NextWord.prototype), { settings: {}, data }, parts, own);
  story.act("go", 1);
  t.mock.timers.tick(2000);
  story.update(data, { setTriggerValue() {} });
  assert.equal(story.waiting, false);
  story.act("go", 2);
  t.mock.timers.tick(2900);
  assert.equal(story.waiting, true);
  t.mock.timers.tick(200);
  assert.equal(story.waiting, false);
});

test("many dots are spread over the height of their words, wherever on the line they lie", () => {
  const numbers = Array.from({ length: 100 }, (_, n) => (n * 0.381966) % 1);
  const heights = spread(numbers);
  for (const [low, high] of [
    [0, 0.5],
    [0.5, 1],
    [0.2, 0.3],
  ]) {
    const within = heights.filter((_, n) => low <= numbers[n] && numbers[n] < high);
    const upper = within.filter((height) => height >= 0.5).length;
    assert.ok(Math.abs(2 * upper - within.length) <= 2, `${upper} of ${within.length} from ${low} to ${high}`);
  }
  assert.deepEqual(spread([0.7]), [0], "one alone lies at the foot");
});

test("pieces of a word stand as one word", () => {
  assert.deepEqual(partOf("…id", " "), ["id", true]);
  for (const whole of ["the", "…"]) assert.deepEqual(partOf(whole, " "), [whole, false]);
  assert.deepEqual(partOf("…a", ""), ["…a", false], "letters and code are written without spaces anyhow");
});
