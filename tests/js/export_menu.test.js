// The lines of Python in the menu of a view.
import assert from "node:assert/strict";
import { test } from "node:test";

import { arraysOf, pythonOf } from "../../attention_view/export_menu.js";
import { Picture } from "../../attention_view/picture.js";

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

test("a file has the mask of each layer where they differ, and one where they do not", () => {
  const picture = (arrays, header) =>
    new Picture(null, {
      header: { layers: 2, heads: 1, queries: ["a", "b"], keys: ["a", "b"], tier: "exact", scale: 1, ...header },
      arrays: { weights: Object.assign(new Float32Array(8), { shape: [2, 1, 2, 2] }), ...arrays },
    });
  const of = (one) => arraysOf({ pictures: new Map([["", one]]) }, {}).mask;
  const [open, causal] = [
    [1, 1, 1, 1],
    [1, 0, 1, 1],
  ];
  const both = Uint8Array.from([...open, ...causal]);
  const mask = of(picture({ mask: both }, { masks: [1, 0] }));
  assert.deepEqual(
    [Array.from(mask), mask.shape],
    [
      [...causal, ...open],
      [2, 2, 2],
    ],
  );
  const one = Object.assign(Uint8Array.from(causal), { shape: [2, 2] });
  assert.equal(of(picture({ mask: one }, {})), one);
  assert.equal(of(picture({}, {})), undefined);
});
