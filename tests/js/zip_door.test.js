// A file is handed over slice by slice, as the server asks, also over a connection that breaks off now and then.
import assert from "node:assert/strict";
import { test } from "node:test";

import { handOver, progress } from "../../pages/pretrained/components/zip_door/zip_door.js";

const WHOLE = Uint8Array.from({ length: 1000 }, (_, n) => (n * 7) % 256);
const file = Object.assign(new Blob([WHOLE]), { name: "mine.zip" });
const atOnce = () => Promise.resolve();

/** A server that asks for these ranges in turn; fails(n) says whether the n-th request is lost, or only its answer. */
function server(ranges, fails = () => "") {
  const taken = [];
  let n = 0;
  const answer = () => (taken.length < ranges.length ? { ask: ranges[taken.length], total: 0 } : { done: true });
  const call = async (method, at, body) => {
    const fault = fails(n++);
    if (fault === "lost") throw new TypeError("network");
    if (method === "POST") assert.deepEqual(JSON.parse(body), { name: "mine.zip", size: 1000 });
    else if (taken.length < ranges.length && at === ranges[taken.length][0])
      taken.push(new Uint8Array(await body.arrayBuffer()));
    if (fault === "answer lost") throw new TypeError("network");
    return answer();
  };
  return { call, taken };
}

test("the server gets what it asks for, in the order in which it asks", async () => {
  const ranges = [[900, 1000], [0, 4], [4, 500]]; // prettier-ignore
  const { call, taken } = server(ranges);
  const told = [];
  assert.deepEqual(await handOver(file, call, (answer) => told.push(answer.ask), atOnce), { done: true });
  assert.deepEqual(told, ranges);
  ranges.forEach(([start, stop], n) => assert.deepEqual(taken[n], WHOLE.slice(start, stop)));
});

test("a slice that was lost is sent again, one that has arrived is not", async () => {
  const ranges = [[0, 10], [10, 20], [20, 30]]; // prettier-ignore
  for (const fault of ["lost", "answer lost"]) {
    const { call, taken } = server(ranges, (n) => (n === 2 || n === 4 ? fault : ""));
    assert.deepEqual(await handOver(file, call, undefined, atOnce), { done: true });
    assert.deepEqual(
      taken.map((part) => part[0]),
      [WHOLE[0], WHOLE[10], WHOLE[20]],
    );
  }
});

test("it gives up in the end, and at once where it was stopped", async () => {
  let n = 0;
  const broken = server([[0, 10]], () => (n++ ? "lost" : ""));
  await assert.rejects(handOver(file, broken.call, undefined, atOnce), /connection broke off/);
  assert.equal(n, 6);
  const stopped = async (method) => {
    if (method === "PUT") throw new DOMException("", "AbortError");
    return { ask: [0, 10] };
  };
  await assert.rejects(handOver(file, stopped, undefined, atOnce), { name: "AbortError" });
});

test("what the server refuses is its last word", async () => {
  const answer = { refused: "This is no zip archive." };
  assert.equal(await handOver(file, async () => answer, undefined, atOnce), answer);
});

test("how far it is, in words", () => {
  assert.equal(progress({ here: 40_700_000, total: 84_200_000 }), "41 of 84 MB");
  assert.equal(progress({ here: 1000, total: 30_000 }), "0 of 1 MB");
  assert.equal(progress({ here: 1000, total: 0 }), "Looking at what is in it");
});
