// The race of networks: what its button offers, and what is read out while it plays.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Race } from "../../pages/why/components/race/race.js";

/** A race of so many words, of which both ends are held. */
function raceOf({ words, ends = [0, words - 1], hasRaced, tick = 0, isOn = false }) {
  const own = { words: Array(words).fill("word"), ends, hasRaced, tick, player: { isOn }, play: {} };
  return Object.assign(Object.create(Race.prototype), own);
}

test("of two words neither can move, so that after the race there is nothing to press", () => {
  const offer = (given) => {
    const race = raceOf(given);
    race.label();
    return race.play.hidden ? null : race.play.textContent;
  };
  assert.equal(offer({ words: 2, hasRaced: false }), "▶ Race");
  assert.equal(offer({ words: 2, hasRaced: true }), null);
  assert.equal(offer({ words: 3, hasRaced: true }), "Move them together");
  assert.equal(offer({ words: 3, ends: [1, 2], hasRaced: true }), "Move them apart");
});

test("a sentence that changes at each tick is read out once, at the end", () => {
  const said = [];
  const finding = {
    textContent: "arrived",
    live: null,
    getAttribute: () => finding.live,
    setAttribute: (_, value) => (finding.live = value),
    replaceChildren: (text) => said.push([finding.live, text]),
  };
  const race = Object.assign(raceOf({ words: 3, hasRaced: true }), { finding });
  const turn = (isOn) => {
    race.player.isOn = isOn;
    race.turned();
    return finding.live;
  };
  assert.deepEqual([turn(true), turn(true), said.length], ["off", "off", 0]);
  assert.deepEqual([turn(false), turn(false)], ["polite", "polite"]);
  assert.deepEqual(said, [["polite", "arrived"]]);
});
