// The race of networks: what its button offers, and what is read out while it plays.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Race } from "../../pages/why/components/race/race.js";

/** A race of so many words, of which both ends are held. */
function raceOf({ words, ends = [0, words - 1], isRacing = false, tick = 0, isOn = false }) {
  const own = { words: Array(words).fill("word"), ends, isRacing, tick, player: { isOn, stop() {} }, play: {} };
  own.root = { classList: { add() {}, remove() {} } };
  return Object.assign(Object.create(Race.prototype), own);
}

test("the button parts both words, and once they are as far apart as can be, it is a race", () => {
  const offer = (given) => {
    const race = raceOf(given);
    race.label();
    return race.play.textContent;
  };
  assert.equal(offer({ words: 3, ends: [1, 2] }), "Move them apart");
  assert.equal(offer({ words: 3 }), "▶ Race");
  assert.equal(offer({ words: 2 }), "▶ Race");
  assert.equal(offer({ words: 3, isRacing: true }), "▶ Go on");
  assert.equal(offer({ words: 3, isRacing: true, isOn: true }), "❚❚ Pause");
});

test("they part one word at a time, to the left and then to the right, and then they race", () => {
  const more = { layOut() {}, link: { later() {} }, show: (tick) => (race.isRacing = (race.tick = tick) < 2) };
  const race = Object.assign(raceOf({ words: 4, ends: [1, 2] }), more);
  assert.deepEqual([race.advance(), race.ends, race.isRacing], [false, [0, 2], false]);
  assert.deepEqual([race.advance(), race.ends, race.isRacing], [false, [0, 3], true]);
  assert.deepEqual([race.advance(), race.advance()], [false, true]);
});

test("grips are put on their words anew when these are as wide as a font that came late makes them", () => {
  const words = [80, 90, 70].map((offsetWidth) => ({ offsetLeft: 0, offsetTop: 4, offsetWidth, offsetHeight: 40 }));
  const grips = [0, 1].map(() => ({ style: {}, getAttribute: () => null, setAttribute() {} }));
  const race = Object.assign(raceOf({ words: 3, ends: [1, 2] }), { texts: words, grips });
  race.hold();
  Object.assign(words[2], { offsetLeft: 182, offsetWidth: 75 });
  race.hold();
  assert.deepEqual(grips[1].style, { translate: "182px 4px", width: "75px", height: "40px" });
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
  const race = Object.assign(raceOf({ words: 3 }), { finding });
  const turn = (isOn) => {
    race.player.isOn = isOn;
    race.turned();
    return finding.live;
  };
  assert.deepEqual([turn(true), turn(true), said.length], ["off", "off", 0]);
  assert.deepEqual([turn(false), turn(false)], ["polite", "polite"]);
  assert.deepEqual(said, [["polite", "arrived"]]);
});
