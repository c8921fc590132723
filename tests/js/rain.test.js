// What a tile says while the dots of a hundred draws lie in it.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Luck } from "../../pages/generation/components/next_word/luck.js";
import { lettersAbove } from "../../pages/generation/components/next_word/wall.js";

test("what is written leaves the lower part of a tile to the dots; a word that is too long is cut", () => {
  for (const tall of [38, 60, 74, 88, 343])
    for (const wide of [34, 46, 120, 600])
      for (const label of ["ate", "remembered", "internationalisation"]) {
        const { px, foot, hasRoom } = lettersAbove(label, Math.min(40, wide / (0.54 * label.length)), wide, tall);
        assert.ok(px >= 12.5, `${label} in ${wide} × ${tall}`);
        assert.ok(foot <= tall - 13, `${foot} of ${tall}`);
        assert.ok(!hasRoom || tall >= 60, "a count has no room in a low tile");
      }
  assert.equal(lettersAbove("remembered", 8.5, 46, 69).kind, " cut");
  assert.equal(lettersAbove("remembered", 8.5, 46, 343).kind, " upright");
});

test("dots lie in their own tile, below what it says", (t) => {
  const styles = [];
  const setAttribute = (name, value) => name === "style" && styles.push(value);
  const createElement = () => ({ setAttribute, append() {}, style: {}, classList: { add() {} } });
  globalThis.document = { createElement };
  t.after(() => delete globalThis.document);
  const place = { x: 0.2, y: 0.5, w: 0.1, h: 0.25, foot: 60 };
  const rain = { classList: { toggle() {} }, replaceChildren() {} };
  const wall = { size: [1000, 400], rain, placeOf: (u) => [place, u] };
  const fallen = Array.from({ length: 100 }, (_, n) => n / 99);
  Luck.prototype.lay.call({ story: { wall }, shown: null, fallen }, false);
  assert.equal(styles.length, 100);
  for (const style of styles) {
    const [left, top] = style.match(/[\d.]+(?=%|px)/g).map(Number);
    assert.ok(left > 20.7 && left < 29.3, style);
    assert.ok(top >= 260 && top + 7 <= 300, style);
  }
});
