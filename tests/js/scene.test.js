// The scene without a screen: the numbers that it works out, where its places are, and how the camera gets there.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bestColumns,
  eased,
  fit,
  flight,
  home,
  project,
  unproject,
  zoomed,
} from "../../attention_view/scene_camera.js";
import { walked } from "../../attention_view/scene_hands.js";
import { Painter } from "../../attention_view/scene_draw.js";
import { HeadPen } from "../../attention_view/scene_heads.js";
import { linesOf } from "../../attention_view/scene_film.js";
import { stopsOf, Tour } from "../../attention_view/scene_tour.js";
import { Numbers, softmax } from "../../attention_view/scene_numbers.js";
import {
  beside,
  Geometry,
  inward,
  levelOf,
  named,
  placeTold,
  readPlace,
  valueOf,
  wayTo,
  writtenPlace,
} from "../../attention_view/scene_places.js";
import { returned } from "../../attention_view/scene_return.js";
import { stationsBox, stationsSent } from "../../attention_view/scene_stations.js";
import { geometryOf } from "../../attention_view/scene_towers.js";
import { askForUnits, featureBox, unitBox, Units } from "../../attention_view/scene_units.js";

const near = (a, b, by = 1e-9) => assert.ok(Math.abs(a - b) <= by * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const shaped = (values, ...shape) => Object.assign(Float32Array.from(values), { shape });

// One layer of two heads that read three tokens, with two features each.
const HEADER = { tokens: ["⟨start⟩", "mia", "ran"], layers: 1, heads: 2, scale: Math.SQRT2, causal: true };
const Q = shaped([1, 0, 0, 1, 2, 1, 1, 1, -1, 0, 3, 0.5], 1, 2, 3, 2);
const K = shaped([1, 2, 0, 1, 1, 1, 0, 0, 1, -1, 2, 2], 1, 2, 3, 2);
const V = shaped([1, 0, 0, 1, 2, 2, 1, 1, 0, 0, 4, 8], 1, 2, 3, 2);
const made = () => new Numbers(HEADER, { q: Q, k: K, v: V });
const SIZE = { width: 1200, height: 500 };
const geometry = () => new Geometry({ ...SIZE, top: 130, foot: 100, L: 3, H: 4, T: 17 });

test("scores are the sums of products, scaled, masked, and weights by softmax", () => {
  const numbers = made();
  assert.deepEqual([...numbers.products(0, 0, 2, 1)], [0, 1]);
  assert.deepEqual([...numbers.row(0, 0, 2, "scores")], [4, 1, 3]);
  near(numbers.row(0, 0, 2, "scaled")[0], 4 / Math.SQRT2);
  assert.deepEqual([...numbers.row(0, 1, 1, "masked")], [0, -1 / Math.SQRT2, -Infinity]);
  const row = numbers.row(0, 0, 2);
  near(row[0] / row[1], Math.exp(3 / Math.SQRT2));
  near(
    row.reduce((a, b) => a + b, 0),
    1,
  );
  assert.deepEqual([...numbers.row(0, 0, 0)], [1, 0, 0]);
  near(numbers.output(0, 0, 2)[1], row[1] + 2 * row[2]);
  near(numbers.mean(0)[3], (numbers.weight(0, 0, 1, 0) + numbers.weight(0, 1, 1, 0)) / 2);
  assert.deepEqual([...softmax([-Infinity, -Infinity])], [0, 0]);
});

test("another query changes its own row and no other", () => {
  const [before, after] = [made(), new Numbers(HEADER, { q: shaped(Q, ...Q.shape), k: K, v: V })];
  after.q[4] = 9;
  assert.notDeepEqual([...after.row(0, 0, 2)], [...before.row(0, 0, 2)]);
  assert.deepEqual([...after.row(0, 0, 1)], [...before.row(0, 0, 1)]);
  assert.deepEqual([...after.row(0, 1, 2)], [...before.row(0, 1, 2)]);
});

test("heads that share keys read the same ones, and weights that were sent are taken as they are", () => {
  const shared = new Numbers(HEADER, { q: Q, k: shaped(K.slice(0, 6), 1, 1, 3, 2), v: V });
  assert.deepEqual([...shared.vector("k", 0, 1, 0)], [1, 2]);
  const weights = Object.assign(Uint8Array.from([...Array(9).fill(255), 0, 51, ...Array(7).fill(0)]), { shape: [] });
  const sent = new Numbers(HEADER, { weights });
  assert.equal(sent.weight(0, 0, 2, 1), 1);
  near(sent.weight(0, 1, 0, 1), 0.2);
});

test("a box that is fitted fills the screen, and a point under the pointer stays there while one zooms", () => {
  const box = { x: 900, y: 200, w: 80, h: 60 };
  const camera = fit(box, SIZE, { room: 1 });
  const on = project(box, camera, SIZE);
  near(on.h, SIZE.height);
  near(on.x + on.w / 2, SIZE.width / 2);
  const before = unproject([700, 300], camera, SIZE);
  const after = unproject([700, 300], zoomed(camera, 1.7, [700, 300], SIZE), SIZE);
  before.forEach((x, n) => near(after[n], x));
  assert.deepEqual(zoomed(home(SIZE), 0.5, [3, 3], SIZE), home(SIZE), "there is nothing outside of the model");
  const edge = zoomed(home(SIZE), 2, [0, 0], SIZE);
  assert.deepEqual(unproject([0, 0], edge, SIZE), [0, 0]);
});

test("a flight begins and ends where it should, and is never cut", () => {
  const to = fit({ x: 1100, y: 210, w: 2, h: 2 }, SIZE);
  for (const [from, end] of [
    [home(SIZE), to],
    [to, home(SIZE)],
    [to, { ...to, k: 2 * to.k }],
  ]) {
    const { at, long } = flight(from, end, SIZE);
    assert.ok(long > 0);
    for (const name of ["x", "y", "k"]) {
      near(at(0)[name], from[name], 1e-6);
      near(at(1 - 1e-9)[name], end[name], 1e-4);
    }
    let last = at(0);
    for (let n = 1; n <= 200; n++) {
      const now = at(eased(n / 200));
      assert.ok(Math.abs(Math.log(now.k / last.k)) < 0.2, "a frame is like the one before it");
      assert.ok((Math.hypot(now.x - last.x, now.y - last.y) * Math.min(now.k, last.k)) / SIZE.width < 0.3);
      last = now;
    }
  }
});

test("every place is where its camera looks, from the model to a product", () => {
  const world = geometry();
  const full = [2, "attention", 3, 16, 5, 7];
  const middle = ({ x, y, w, h }) => [x + w / 2, y + h / 2];
  const boxes = [
    null,
    null,
    null,
    world.head(2, 3),
    world.cell(2, 3, 16, 5),
    world.cell(2, 3, 16, 5),
    world.product(2, 3, 16, 5, 7, 32),
  ];
  for (const place of wayTo(full)) {
    const camera = world.camera(place, 32);
    const outer = world.camera(place.slice(0, -1), 32);
    assert.ok(camera.k > outer.k || !place.length);
    const box = boxes[place.length];
    if (!box) continue;
    const on = project(box, camera, SIZE);
    assert.ok(on.x + on.w > 0 && on.x < SIZE.width && on.y + on.h > 0 && on.y < SIZE.height, "it is in sight");
    assert.deepEqual(world.placeAt(middle(box), camera.k, 32), place);
    assert.ok(world.placeAt(middle(box), outer.k, 32).length < place.length);
  }
  const box = world.cell(2, 3, 16, 5, Infinity);
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  assert.deepEqual(world.within([x, y], 1e4).at(-1), full.slice(0, 5));
});

test("heads stand beside the columns, inside of the world, and do not overlap", () => {
  for (const [L, H] of [
    [1, 1],
    [3, 4],
    [6, 12],
    [12, 12],
  ]) {
    const world = new Geometry({ ...SIZE, top: 130, foot: 100, L, H, T: 40 });
    const boxes = [];
    for (let l = 0; l < L; l++) for (let h = 0; h < H; h++) boxes.push(world.head(l, h));
    for (const box of boxes) {
      assert.ok(box.x > world.right && box.x + box.w <= SIZE.width + 1e-6);
      assert.ok(box.y >= 125 && box.y + box.h <= SIZE.height);
    }
    for (const [n, a] of boxes.entries())
      for (const b of boxes.slice(n + 1))
        assert.ok(
          a.x + a.w <= b.x + 1e-6 || b.x + b.w <= a.x + 1e-6 || a.y + a.h <= b.y + 1e-6 || b.y + b.h <= a.y + 1e-6,
        );
  }
  assert.equal(bestColumns(4, 400, 100), 4);
  assert.equal(bestColumns(4, 100, 400), 1);
  assert.equal(bestColumns(4, 100, 400, 4), 4);
  assert.equal(bestColumns(3, 100, 400, 4), 3);
});

test("a press on the name of a layer enters it, as one on its band does", () => {
  const world = geometry();
  for (let l = 0; l < world.L; l++) {
    const [keys, queries] = world.threads(l);
    assert.deepEqual(world.within([60, (keys + queries) / 2 - 9], 1), [[], [l]]);
  }
});

test("the name of a head stands where there is room: above its map, or below the last row of its layer", () => {
  const world = new Geometry({ ...SIZE, top: 20, foot: 20, L: 2, H: 4, T: 17 });
  Object.assign(world, { across: 2, side: 60 });
  const pen = (k) =>
    Object.assign(Object.create(HeadPen.prototype), {
      geometry: world,
      numbers: { L: 2, H: 4 },
      camera: { x: world.head(0, 0).x, y: world.head(0, 0).y, k },
    });
  const rooms = (k, h) => {
    const map = project(world.map(0, h, k), pen(k).camera, world);
    return [pen(k).hasRoomAbove(0, h, map), pen(k).hasRoomBelow(0, h, map)];
  };
  assert.deepEqual(rooms(1, 2), [false, true], "head 2 would lie on the map of head 0");
  assert.deepEqual(rooms(1, 0), [true, false]);
  assert.deepEqual(rooms(4, 2), [true, true], "nearer, there is room");
});

test("every layer is named beside its maps, where its heads have no room for their names, too", () => {
  const world = new Geometry({ ...SIZE, top: 20, foot: 20, L: 3, H: 4, T: 17 });
  const named = (hasRoom) => {
    const written = [];
    const pen = Object.assign(Object.create(HeadPen.prototype), {
      geometry: world,
      numbers: { L: 3, H: 4, layerName: (l) => `layer ${l}` },
      camera: { x: 0, y: 0, k: 1 },
      opens: [0, 0],
      covered: null,
      hasRoomAbove: () => hasRoom,
      hasRoomBelow: () => false,
      write: (text) => written.push(text),
    });
    pen.nameHead(1, 0, { x: 900, y: 300, w: 60, h: 60 }, "head 0");
    return written;
  };
  assert.deepEqual(named(true), ["head 0", "layer 1"]);
  assert.deepEqual(named(false), ["layer 1"]);
});

test("from afar a pale model steps back behind the threads that decide, and near by all of it is there", () => {
  const strokes = [];
  const pen = {
    globalAlpha: 1,
    beginPath() {},
    moveTo() {},
    bezierCurveTo() {},
    stroke: () => strokes.push(pen.globalAlpha),
  };
  const drawn = (pale, k, i) => {
    const column = () => 0;
    const part = { decisive: 2, keys: ["mia", "ran"] };
    const painter = Object.assign(Object.create(Painter.prototype), {
      pen,
      pale,
      camera: { k },
      wave: 1,
      covered: null,
    });
    Object.assign(painter, { side: { column, gap: 40 }, colours: {}, point: (x, y) => [x, y] });
    pen.globalAlpha = 1;
    painter.drawThread(0.8, { i, j: 1, from: { column }, keys: 0, queries: 9, isOpen: true, part });
    return strokes.pop();
  };
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is ${b}`);
  near(drawn(0.5, 1, 0), 0.5 * drawn(1, 1, 0));
  near(drawn(0.5, 1, 2), drawn(1, 1, 2));
  near(drawn(0.35, 4, 0), drawn(1, 4, 0));
  near(drawn(undefined, 1, 0), drawn(1, 1, 0));
});

test("a path is read as it is written, and anything else leads to the model", () => {
  for (const place of [[], [2], [2, "attention"], [2, "attention", 3, 16, 5, 7]])
    assert.deepEqual(readPlace(writtenPlace(place)), place);
  for (const text of [null, "", "x", "2.3", "2.a.", "2.a.3.1.1.1.1", "-1", "2.a.1e9"])
    assert.deepEqual(readPlace(text), []);
});

test("keys walk: in to where most happens, beside, and out", () => {
  const numbers = made();
  let place = [];
  const way = [];
  for (let n = 0; n < 7; n++) way.push((place = inward(place, numbers, [0, 1])));
  assert.deepEqual(way.at(-1), [0, "attention", 1, 2, 2, 0]);
  assert.equal(numbers.topKey(0, 1, 2), 2);
  assert.deepEqual(way.at(-2), way.at(-1), "there is nothing inside of a product");
  assert.deepEqual(way.map(levelOf), [1, 2, 3, 4, 4, 5, 5]);
  assert.deepEqual(walked([0, "attention", 1], [0, -1], numbers), [0, "attention", 0]);
  assert.deepEqual(
    walked([0, "attention", 1, 2, 2], [-1, 0], numbers),
    [0, "attention", 1, 1, 1],
    "the row ends earlier",
  );
  assert.deepEqual(walked([0, "attention", 1, 1, 1], [0, 1], numbers), [0, "attention", 1, 1, 1]);
  assert.deepEqual(beside([0], 5, numbers), [0]);
});

test("each level says what can be read there, and the number of a cell or product", () => {
  const numbers = made();
  const cell = [0, "attention", 0, 2, 1];
  assert.equal(valueOf(cell, numbers), numbers.weight(0, 0, 2, 1));
  assert.equal(valueOf([...cell, 1], numbers), 1);
  assert.equal(valueOf([0], numbers), null);
  assert.match(placeTold(cell, numbers), /“ran” looks at “mia”.*q · k is 1\.00.*2 products.*1\.41 it is 0\.71/);
  assert.match(placeTold([0, "attention", 0, 1, 2], numbers), /may not look/);
  assert.match(
    placeTold([...cell, 1], numbers),
    /1\.00 of the query of “ran” times 1\.00 of the key of “mia” is 1\.00/,
  );
  assert.equal(named(cell, numbers), "cell “mia”");
});

test("the tour has ten stops, from the model to a product, each in another place or at another stage", () => {
  const stops = stopsOf(made(), [0, 1]);
  assert.equal(stops.length, 10);
  assert.deepEqual(stops[0].place, []);
  assert.match(stops[0].text, /Follow one column up\.$/);
  assert.match(stopsOf(made(), [0, 1], 2)[0].text, /the thick one, of “ran”, up to the next word\.$/);
  assert.deepEqual(stops.at(-1).place, [0, "attention", 1, 2, 2, 0]);
  assert.equal(new Set(stops.map(({ place, stage }) => `${place} ${stage}`)).size, 10);
  assert.deepEqual(
    stops.filter(({ place }) => [3, 4].includes(place.length)).map(({ place, stage }) => [place.length, stage]),
    [
      [3, "scores"],
      [4, "scaled"],
      [3, "masked"],
      [3, "weights"],
      [4, "weights"],
    ],
    "the numbers that are scaled are seen in a row",
  );
  assert.match(stops[4].text, /divided by 1\.41, the square root of 2: that of “ran” and “ran”, 7\.00, becomes 4\.95/);
});

test("a press on the figure leads from stop to stop, and from the last one out of the model", () => {
  const stops = stopsOf(made(), [0, 1]);
  const went = [];
  const pressed = (at) =>
    Tour.prototype.press.call({ at, stops, turn: (by) => went.push(by), scene: { go: (place) => went.push(place) } });
  pressed(8);
  pressed(9);
  assert.deepEqual(went, [1, []]);
  assert.match(stops[9].text, /Press the figure to leave, change a word/);
});

test("of two stacks the heads of a layer leave room for its name, below those of the layer above", () => {
  const [L, H, T] = [2, 4, 6];
  const side = { L, T, first: 0 };
  const numbers = {
    sides: [side, { ...side, first: L }],
    parts: [0, 0, 1, 1].map((tower) => ({ tower })),
    part: () => ({ S: T }),
    H,
    F: 0,
    D: 0,
  };
  const world = geometryOf(numbers, { width: 1200, height: 460, top: 16, foot: 84 });
  for (const l of [0, 2]) {
    const ends = Array.from({ length: H }, (_, h) => world.map(l + 1, h, 1)).map(({ y, h }) => y + h);
    const begins = Array.from({ length: H }, (_, h) => world.map(l, h, 1)).map(({ y }) => y);
    assert.ok(Math.min(...begins) - Math.max(...ends) >= 34, "two lines: the layer, and the heads");
  }
});

test("before the guess nothing leads to the row that decides, and nothing is said of it", () => {
  const numbers = made();
  const stops = stopsOf(numbers, [0, 1], 2);
  assert.equal(stops.length, 10);
  for (const { place } of stops) assert.notEqual(place[3], 2);
  assert.equal(stops.at(-1).place[3], 1);
  assert.match(stops[7].text, /where “mia” looks/);
  for (const place of [
    [0, "attention"],
    [0, "attention", 1],
  ]) {
    assert.match(placeTold(place, numbers), /“ran”.*\d\.\d\d/);
    const told = placeTold(place, numbers, 2);
    assert.match(told, /“ran” is covered/);
    assert.doesNotMatch(told, /\d\.\d\d/);
  }
});

test("the stations of a layer are the vectors that were sent, each with its length", () => {
  const names = [
    [
      ["in", 2],
      ["sum", 3.5],
    ],
    [["in", 3.5]],
  ];
  const vectors = Object.assign(Uint8Array.from([128, 255, 1, 128, 7, 8]), { shape: [3, 2] });
  const stations = stationsSent({ through: names }, { through: vectors });
  assert.deepEqual(
    stations.of(0).map(({ name, length, bands }) => [name, length, [...bands]]),
    [
      ["in", 2, [128, 255]],
      ["sum", 3.5, [1, 128]],
    ],
  );
  assert.deepEqual([...stations.of(1)[0].bands], [7, 8]);
  assert.equal(stationsSent({}, {}), null);
  const numbers = Object.assign(made(), { stations });
  assert.match(
    placeTold([0], numbers),
    /The vector of “ran” in the stream has length 2\.00 before this layer and 3\.50 after it\./,
  );
  assert.doesNotMatch(placeTold([0], made()), /vector/);
  const side = geometry();
  const box = stationsBox(side, 1);
  assert.ok(box.w > 50 && box.x > side.right && box.x + box.w < side.head(1, 0).x);
});

test("a row that is entered has cells that can be read, and the key that it looks at most is in sight", () => {
  const world = new Geometry({ ...SIZE, L: 3, H: 4, T: 40 });
  const camera = world.camera([1, "attention", 2, 39], 8, 5);
  const cell = project(world.cell(1, 2, 39, 5), camera, SIZE);
  assert.ok(cell.w >= 41, "it has its number");
  assert.ok(cell.x > 110 && cell.x + cell.w < SIZE.width);
  const first = project(world.row(1, 2, 0), world.camera([1, "attention", 2, 0], 8, 0), SIZE);
  assert.ok(first.y < 0.3 * SIZE.height, "there is nothing above the first row");
});

test("a page that is left leads back to the cell that its address names", () => {
  const heads = {
    page: "heads",
    names: { layer: 0, head: 2, query: 3 },
    back: { layer: 0, head: 2, query: 3, key: 4 },
  };
  const into = { att_at: 0, att_head: 2, att_from: 3, att_to: 4 };
  const steps = { page: "attention", names: into };
  const product = { page: "attention", names: { ...into, att_part: 5 } };
  const doors = [null, null, null, { page: "heads", names: { layer: 0, head: 2 } }, heads, steps, product];
  const linked = [1, "attention", 3];
  const back = (left, place = linked) => returned(place, left, doors).join(".");
  assert.equal(back("http://a/attention?att_from=5&att_to=4"), "1.attention.3.5.4");
  assert.equal(back("http://a/deep/attention?att_from=5&att_to=4&att_part=7"), "1.attention.3.5.4.7");
  assert.equal(back("http://a/attention?att_at=0&att_head=1&att_from=5&att_to=4"), "0.attention.1.5.4");
  assert.equal(back("http://a/heads?layer=2&head=0&query=6&key=1", []), "2.attention.0.6.1");
  assert.equal(back("http://a/heads?layer=2&head=0", []), "2.attention.0");
  assert.equal(back("http://a/heads?query=6", []), "", "of which head is not known");
  for (const none of [null, "http://a/attention?att_from=x&att_to=4", "http://a/masks?layer=0&head=0"])
    assert.equal(back(none), "1.attention.3");
});

test("the sentence of a film is broken between words, and a word that is too long stands alone", () => {
  const widthOf = (text) => text.length;
  assert.deepEqual(linesOf("one two three four", 9, widthOf), ["one two", "three", "four"]);
  assert.deepEqual(linesOf("unbreakable is it", 5, widthOf), ["unbreakable", "is it"]);
  assert.deepEqual(linesOf("", 5, widthOf), [""]);
});

// ---- the feed-forward side ----

// Two units and three features at three tokens.
const made_units = () =>
  new Units(0, {
    units: shaped([0, 2, 1, 0, 0.5, 4], 3, 2),
    out: shaped([1, -1, 0, 0.5, 3, -2], 2, 3),
    bias: Float64Array.from([0.1, 0.2, 0.3]),
    mid: shaped([9, 9, 9, 9, 9, 9, 1, 2, 3], 3, 3),
  });
const withUnits = () => new Numbers({ ...HEADER, units: [2, 3] }, { q: Q, k: K, v: V, units: made_units() });

test("a unit writes its value times its weights, and all of them and the bias add to a feature", () => {
  const units = made_units();
  assert.deepEqual([...units.written(2, 1)], [2, 12, -8]);
  near(units.added(2, 1), 0.5 * -1 + 4 * 3 + 0.2);
  assert.equal(units.nFiring(0), 1);
  assert.equal(units.strongest(2), 1);
  assert.equal(units.target(2, 1), 1);
  const other = made_units();
  other.units[5] = 0; // the unit says nothing: what it adds is gone, and nothing else
  near(units.added(2, 1) - other.added(2, 1), 12);
  near(units.added(0, 1), other.added(0, 1));
});

test("one goes from a layer into its units, and what is read there are the numbers", () => {
  const numbers = withUnits();
  let place = [0, "feed-forward"];
  for (const step of [2, 1, 1]) {
    const next = inward(place, numbers, [0, 0]);
    assert.deepEqual(next, [...place, step]);
    place = next;
  }
  assert.deepEqual(inward(place, numbers, [0, 0]), place);
  assert.deepEqual(wayTo(place).map(levelOf), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(readPlace(writtenPlace(place)), place);
  assert.equal(writtenPlace(place), "0.f.2.1.1");
  assert.equal(valueOf(place, numbers), 12);
  assert.equal(valueOf(place.slice(0, 4), numbers), 4);
  assert.equal(named(place, numbers), "feature 1");
  assert.match(
    placeTold(place, numbers),
    /^Unit 1, 4.00, times its weight 3.00 is 12.00.*add 11.70.*was 2.00 and is 13.70/,
  );
  assert.deepEqual(beside([0, "attention"], -1, numbers), [0, "feed-forward"]);
  assert.deepEqual(beside([0, "feed-forward"], 1, numbers), [0, "attention"]);
  assert.deepEqual(beside([0, "attention"], -1, made()), [0, "attention"], "without units there is no such side");
  assert.deepEqual(walked([0, "feed-forward", 2, 0], [0, 1], numbers), [0, "feed-forward", 2, 1]);
  assert.deepEqual(walked([0, "feed-forward", 2, 1], [-1, 0], numbers), [0, "feed-forward", 1, 1]);
});

test("units are asked for on their side at once, and after a rest those beside them, one layer at a time", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [asked, here] = [[], new Set([2])];
  const numbers = { F: 4, L: 5, hasForward: (l) => l !== 3, unitsOf: (l) => (here.has(l) ? {} : null) };
  const at = (...place) => askForUnits({ place, numbers }, (l) => asked.push(l));
  at(1, "feed-forward", 0);
  assert.deepEqual(asked, [1]);
  at(0);
  at(1)();
  at(3);
  at(2, "attention");
  at();
  assert.deepEqual(asked, [1]);
  t.mock.timers.tick(5000);
  assert.deepEqual(asked, [1, 0, 4], "its own; without a network of its own the one above it");
  here.add(0).add(1);
  at(1, "feed-forward", 0);
  t.mock.timers.tick(5000);
  assert.deepEqual(asked, [1, 0, 4], "all that are beside it are here");
});

test("units and features are where their camera looks, and the last lies within the ones before", () => {
  const world = new Geometry({ ...SIZE, top: 130, foot: 100, L: 3, H: 4, T: 17, F: 512, D: 128 });
  const full = [2, "feed-forward", 16, 330, 109];
  const boxes = { 3: world.forward(2, 16), 4: unitBox(world, 2, 16, 330), 5: featureBox(world, 2, 16, 330, 109) };
  for (const [n, { x, y, w, h }] of Object.entries(boxes)) {
    const place = full.slice(0, n);
    const [camera, outer] = [place, place.slice(0, -1)].map((one) => world.camera(one));
    assert.ok(camera.k > outer.k);
    const on = project({ x, y, w, h }, camera, SIZE);
    assert.ok(on.x + on.w > 0 && on.x < SIZE.width && on.y + on.h > 0 && on.y < SIZE.height, "it is in sight");
    const inside = world.within([x + w / 2, y + h / 2], camera.k);
    assert.ok(
      inside.some((one) => String(one) === String(place)),
      `${place} is there`,
    );
  }
  const chain = world.within([boxes[5].x + boxes[5].w / 2, boxes[5].y + boxes[5].h / 2], 1e4);
  assert.deepEqual(chain.at(-1), full);
  const closed = new Geometry({ ...SIZE, top: 130, foot: 100, L: 3, H: 4, T: 17 });
  assert.equal(
    closed.within([boxes[3].x + 1, boxes[3].y + 1], 20).length,
    2,
    "a model without units is not entered there",
  );
});

test("words say where columns stand, and heads keep off them", () => {
  const feet = [150, 200, 260, 300];
  const world = new Geometry({ ...SIZE, top: 130, foot: 100, L: 3, H: 4, T: 4, feet, beside: 900 });
  feet.forEach((x, t) => assert.equal(world.column(t), x));
  assert.ok(world.head(0, 0).x >= 900);
  assert.ok(world.thick < 40, "what stands on a column keeps off the next one");
  const [t] = world.within([260, world.forward(1, 2).y + 2], 1).slice(-1);
  assert.equal(t[0], 1);
  const others = new Geometry({ ...SIZE, top: 130, foot: 100, L: 3, H: 4, T: 5, feet, beside: 900 });
  assert.equal(others.feet, null, "words that are not those of the columns say nothing");
});

test("on a narrow screen a product is as wide as its number, and the camera stays within those of its cell", () => {
  const world = new Geometry({ width: 360, height: 420, top: 10, foot: 30, L: 3, H: 4, T: 17 });
  for (const c of [0, 16, 31]) {
    const { x, k } = world.camera([2, "attention", 3, 16, 5, c], 32);
    const [stage, product] = [world.stage(2, 3, 16, 5), world.product(2, 3, 16, 5, c, 32)];
    assert.ok(k * product.w >= 43.9);
    assert.ok(x - 180 / k >= stage.x - 1e-9 && x + 180 / k <= stage.x + stage.w + 1e-9);
    assert.ok(Math.abs(product.x + product.w / 2 - x) * k <= 180, "it is in sight");
  }
});
