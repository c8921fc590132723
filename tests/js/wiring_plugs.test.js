// What has come of a plug that is pulled out, in a sentence.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pulled } from "../../pages/masks/components/wiring_plugs/wiring_plugs.js";

const ALL = ["mia", "a", "trouvé"];

const said = (share, words, likely = words.map(() => 1)) => pulled(share, words, likely, ALL);

test("it asks before the first pull, counts the words that are lost, and says when no English is left", () => {
  assert.match(said(1, ALL), /when does a word change\?$/);
  assert.equal(said(0.5, ALL), "Still the translation.");
  assert.equal(said(0.46, ALL, [0.6, 1, 0.9]), "Still the translation, but “mia” wavers.");
  assert.equal(said(0.3, ["elle", "a", "trouvé"]), "“mia” turns into “elle”.");
  assert.equal(said(0.2, ["elle", "a", "trouvé", "mia"]), "One word is not in the translation.");
  assert.equal(said(0.06, ["elle", "a", "vu"]), "2 words are not in the translation.");
  assert.match(said(0, ["elle", "a", "vu"], [0.997, 1, 1]), /^No English arrives, yet it is 99\.7% sure of “elle”/);
});

test("what is left out of the translation is not called the same", () => {
  assert.equal(said(0.3, ["mia", "a"]), "One word of the translation is missing.");
  assert.equal(said(0.3, ["mia"]), "2 words of the translation are missing.");
  assert.equal(said(0.3, ["mia", "mia", "a"]), "One word of the translation is missing.");
  assert.match(said(0.3, ["a", "mia", "trouvé"]), /^No word is missing, yet it is not the translation\.$/);
});
