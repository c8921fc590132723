// Six ways to tell a model the positions: six maps of attention weights, in one scale, of a text in which every word is
// the same. One touches a cell, and every map outlines all that are as far back, and says how much weight they get
// beside the token itself.

import {
  brief,
  el,
  mirror,
  mount,
  paintPixels,
  pointIn,
  rgb,
  strength,
  svg,
  theme,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";
import { besideItself, rails } from "./ways.js";

const SAME = 1e-3; // a share by which rounding may set two weights apart
const SIDE = 100; // of a map, in units of its drawing

class PositionMaps {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pos_distance", this.distance, 3), 200);
    this.slider = slider("Distance: how many positions back", {}, (distance) => this.set(distance));
    this.output = el("output");
    this.most = el("span");
    this.cards = el("div.cards");
    root.replaceChildren(
      el(
        "div.bar",
        el("span", "One word, again and again: only positions differ. Touch a map."),
        el("label", el("span", "positions back"), this.slider, this.output),
        el("span.scale", "attention weight 0", el("i", { "aria-hidden": "true" }), this.most),
      ),
      this.cards,
    );
  }

  update(bytes, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.ways = header.ways;
      this.maps = arrays.maps;
      this.T = arrays.maps.shape[1];
      this.largest = this.maps.reduce((most, weight) => Math.max(most, weight), 0);
      this.distance = Math.min(this.distance ?? wholeParam("pos_distance") ?? 3, this.T - 1);
      this.slider.max = this.T - 1;
      this.most.textContent = brief(this.largest);
      this.build();
    }
    this.paint();
    this.draw();
  }

  map(n) {
    return this.maps.subarray(n * this.T * this.T, (n + 1) * this.T * this.T);
  }

  build() {
    const T = this.T;
    this.all = this.ways.map((way, n) => {
      const map = this.map(n),
        by = Array.from({ length: T }, (_, distance) => besideItself(map, T, distance));
      const cells = el("canvas", { "aria-hidden": "true" });
      const diagonal = svg("path.diagonal");
      const frame = svg(
        "svg.over",
        { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", preserveAspectRatio: "none" },
        diagonal,
      );
      const touch = (event) => this.touch(event);
      const weights = el("p.weights");
      const card = el(
        "section.card",
        el("div.map", { onpointermove: touch, onpointerdown: touch }, cells, frame),
        el(
          "div.says",
          el("h2", way.opens ? this.door(way) : way.name),
          el("small", way.says),
          el("p.verdict", way.verdict),
          weights,
        ),
        n ? null : el("div.axis", el("span.query", "query ↓"), el("span.key", "key →")),
      );
      return { way, map, by, cells, diagonal, frame, weights, card };
    });
    this.cards.replaceChildren(...this.all.map(({ card }) => card));
  }

  /** The name of a way, which leads into it. */
  door({ name, opens }) {
    const title = `${opens}: ${name}`;
    return el("button", { onclick: () => this.open(name), title }, name, el("i", { "aria-hidden": "true" }, " →"));
  }

  paint() {
    const [panel, weight] = ["panel", "weight"].map(theme(this.root)).map(rgb);
    for (const { map, cells } of this.all)
      paintPixels(cells, map, this.T, [panel, panel, weight], (value) => strength(value / this.largest));
  }

  /** The cell under the pointer says how far back: where the key comes after the query, as far ahead. */
  touch(event) {
    const map = event.currentTarget;
    const [x, y] = pointIn(event, map);
    const [column, row] = [x / map.clientWidth, y / map.clientHeight].map((at) =>
      Math.min(this.T - 1, Math.max(0, Math.floor(at * this.T))),
    );
    if (Math.abs(row - column) !== this.distance) this.set(Math.abs(row - column));
  }

  set(distance) {
    this.distance = distance;
    this.draw();
    this.link.later();
  }

  draw() {
    const { T, distance } = this;
    this.slider.value = this.output.value = distance;
    const lines = rails(T, distance, SIDE);
    for (const [n, { way, by, diagonal, frame, weights }] of this.all.entries()) {
      diagonal.setAttribute("d", lines);
      const { least, most } = by[distance];
      const isOne = most - least <= SAME * most;
      const range = isOne ? brief(most) : `${brief(least)} to ${brief(most)}`;
      const rows = isOne ? " in every row" : "";
      // The first says what the number is, as it alone has the names of the axes.
      const [before, after] = n ? ["", ""] : [`a token gives ${distance} back`, "what it gives itself, "];
      weights.replaceChildren(
        before && el("small", before),
        el("b", `${range} ×`),
        el("small", after + (isOne ? "in every row" : "from row to row")),
      );
      const says = `${way.name}: a token ${distance} back gets ${range} times what the token itself gets${rows}.`;
      frame.setAttribute("aria-label", `${says} ${way.verdict}.`);
    }
    Object.assign(this.root.dataset, {
      distance,
      ranges: this.all.map(({ by }) => `${by[distance].least}:${by[distance].most}`).join(","),
    });
  }
}

export default mount(".position-maps", PositionMaps);
