// The lines of Python in the menu of a view.
import assert from "node:assert/strict";
import { test } from "node:test";

import { pythonOf } from "../../attention_view/export_menu.js";

const shown = { kind: "", layer: 2, head: 1 };

test("a page's own lines show the head in view, whatever the text in them", () => {
  const code = 'tokens = "a) $1 show(".split()\nshow(attention, tokens)\n';
  const view = { picture: { header: { code } } };
  assert.equal(pythonOf(view, shown), 'tokens = "a) $1 show(".split()\nshow(attention, tokens, layer=2, head=1)\n');
});

test("without lines of a page they open the numbers of the same menu", () => {
  const picture = { header: { tier: "exact" }, L: 3, H: 2, T: 4, S: 4 };
  const lines = pythonOf({ picture, pictures: new Map([["", picture]]) }, shown);
  assert.match(lines, /np\.load\("attention\.npz"\)/);
  assert.match(lines, /show\(weights, layer=2, head=1\)/);
});
