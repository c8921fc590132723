// What stands between the lab and the page that others draw.

import assert from "node:assert/strict";
import { test } from "node:test";
import { watch } from "../../lab/hooks/watch.js";

test("one observer tells each what it asks for, and a fault of one is no fault of the others", () => {
  const observers = [];
  const faults = [];
  globalThis.window = {};
  globalThis.document = { body: "body" };
  globalThis.reportError = (error) => faults.push(error.message);
  globalThis.MutationObserver = class {
    constructor(notice) {
      observers.push(notice);
    }
    observe(node, { subtree, childList, characterData, attributeFilter }) {
      assert.deepEqual(
        [node, subtree, childList, characterData, attributeFilter],
        ["body", true, true, true, ["data-state"]],
      );
    }
  };
  const seen = [];
  const end = watch(() => seen.push("elements"));
  watch(() => assert.fail("mine"));
  watch(() => seen.push("texts"), "characterData");
  assert.equal(observers.length, 1);
  const [notice] = observers;
  notice([{ type: "childList" }, { type: "childList" }]);
  assert.deepEqual([seen.splice(0), faults.splice(0)], [["elements", "texts"], ["mine"]]);
  notice([{ type: "characterData" }]);
  assert.deepEqual([seen.splice(0), faults], [["texts"], []]);
  end();
  notice([{ type: "childList" }]);
  assert.deepEqual(seen, ["texts"]);
});
