// What has come of a plug that is pulled out, in a sentence.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pulled } from "../../pages/masks/components/wiring_plugs/wiring_plugs.js";

const ALL = ["mia", "a", "trouvé"];

test("it asks before the first pull, counts the words that are lost, and says when no English is left", () => {
  assert.match(pulled(1, ALL, ALL), /what will it write\?$/);
  assert.equal(pulled(0.5, ALL, ALL), "50% arrives: still the translation.");
  assert.equal(pulled(0.3, ["elle", "a", "trouvé"], ALL), "30% arrives: one word is not in the translation.");
  assert.equal(pulled(0.05, ["elle", "a", "vu"], ALL), "5% arrives: 2 words are not in the translation.");
  assert.match(pulled(0, ["elle", "a", "vu"], ALL), /^No English arrives/);
});

test("what is left out of the translation is not called the same", () => {
  assert.equal(pulled(0.3, ["mia", "a"], ALL), "30% arrives: one word of the translation is missing.");
  assert.equal(pulled(0.3, ["mia"], ALL), "30% arrives: 2 words of the translation are missing.");
  assert.equal(pulled(0.3, ["mia", "mia", "a"], ALL), "30% arrives: one word of the translation is missing.");
  assert.match(pulled(0.3, ["a", "mia", "trouvé"], ALL), /no word is missing, yet it is not the translation\.$/);
});
