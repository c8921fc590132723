// The link that is shared: marked with its version, and without what is for one screen alone.
import assert from "node:assert/strict";
import { test } from "node:test";

import { toShare } from "../../lab/frame/share_link/share_link.js";

const LAB = "https://lab.example/heads";

test("a page without settings has the plain link", () => {
  for (const end of ["", "?", "?present=1", "?embed=true"]) assert.equal(toShare(LAB + end), LAB);
});

test("settings stay as they are, and the mark stands once", () => {
  const link = new URL(toShare(`${LAB}?text=a+b%20c&v=1&layer=2&present=1&embed=true&embed_options=light_theme`));
  assert.deepEqual(
    [...link.searchParams],
    [
      ["text", "a b c"],
      ["layer", "2"],
      ["v", "2"],
    ],
  );
});
