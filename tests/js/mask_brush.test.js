// What a mask does to a row, in a sentence.

import assert from "node:assert/strict";
import { test } from "node:test";

import { findingOf } from "../../pages/masks/components/mask_brush/row_bars.js";

const KEYS = ["mia", "took", "the", "red"];
const said = (open) =>
  findingOf("took", KEYS, open)
    .map(([text]) => text)
    .join("");

test("few blocked words are named, many are counted, and a row may be closed or open", () => {
  const end = "Its attention goes to the other";
  assert.equal(said([true, true, false, false]), `took may not see the and red. ${end} 2 tokens.`);
  assert.equal(said([true, true, true, false]), `took may not see red. ${end} 3 tokens.`);
  assert.equal(said([true, false, false, false]), `took may not see 3 tokens. ${end} one.`);
  assert.equal(said([false, false, false, false]), "took may see nothing: its row adds up to 0.");
  assert.equal(said([true, true, true, true]), "took may see all 4 tokens. They share its attention.");
});
