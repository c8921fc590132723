// The link that is shared: marked with its version, and without what is for one screen alone.
import assert from "node:assert/strict";
import { test } from "node:test";

import { isLocal } from "../../lab/frame/local.js";
import { toShare } from "../../lab/frame/share_link/share_link.js";
import { stopOf } from "../../lab/frame/share_link/stop.js";

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
      ["v", "3"],
    ],
  );
});

test("a stop of a lesson has the view's link and its controls, and is a stop to write on", () => {
  const controls = Array.from({ length: 14 }, (_, n) => [`c${n}`, "a label"]);
  const text = stopOf(`${LAB}?layer=2&v=3`, { controls, pictures: [["p", ""]] }, "Where?");
  assert.match(text, /^## Where\?\n\n\[The view\]\(\/heads\?layer=2&v=3\)\n\nSay: .+\nDo: .+\nControls: c0, .*c11\n$/);
  assert.doesNotMatch(stopOf(LAB, { controls: [], pictures: [] }, "x"), /Controls/);
});

test("a computer's own address is one that no phone can open", () => {
  for (const host of ["localhost:8501", "localhost", "127.0.0.1:80", "0.0.0.0:8501", "[::1]:8501"]) {
    assert.ok(isLocal(host), host);
  }
  for (const host of [
    "lab.example",
    "192.168.1.7:8501",
    "10.127.0.1",
    "[fe80::1]:8501",
    "localhosting.school.example",
    "127.lab.example",
  ]) {
    assert.ok(!isLocal(host), host);
  }
});
