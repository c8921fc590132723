// Six ways to tell a model the positions: six maps of attention weights, of a text in which every word is the same. One
// slider chooses a distance, and every map shows the diagonal of that distance; below it, what the weights are there.

import {
  brief,
  el,
  mirror,
  mount,
  paintPixels,
  rgb,
  strength,
  svg,
  theme,
  unpack,
  wholeParam,
} from "../../../../attention_view/lab.js";
import { slider } from "../../../../attention_view/controls.js";
import { alongDiagonal, mechanism } from "./ways.js";

const SIDE = 100; // of a map, in units of its drawing
const TALL = 40; // of the curve below it

class PositionMaps {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => put("pos_distance", this.distance, 3), 200);
    this.slider = slider("Distance: how many positions back", {}, (distance) => this.set(distance));
    this.output = el("output");
    this.cards = el("div.cards");
    root.replaceChildren(
      el(
        "div.bar",
        el("label", el("span", "Distance: how many positions back"), this.slider, this.output),
        el("span.quiet", "All words are the same, so all you see comes from the positions."),
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
      this.distance = Math.min(this.distance ?? wholeParam("pos_distance") ?? 3, this.T - 1);
      this.slider.max = this.T - 1;
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
        by = Array.from({ length: T }, (_, distance) => alongDiagonal(map, T, distance)),
        // A map in which all weights are the same is not all full violet.
        largest = map.reduce((most, weight) => Math.max(most, weight), 2 / T),
        end = Math.max(...by.map(({ most }) => most), 1e-12);
      const cells = el("canvas", { "aria-hidden": "true" });
      const diagonal = svg("path.diagonal");
      const frame = svg(
        "svg.over",
        { viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img", preserveAspectRatio: "none" },
        diagonal,
      );
      const x = (distance) => (T > 1 ? (distance / (T - 1)) * SIDE : 0),
        y = (weight) => TALL - 2 - (weight / end) * (TALL - 4);
      const points = (of) => by.map((one, distance) => `${x(distance).toFixed(2)} ${y(of(one)).toFixed(2)}`);
      const band = [...points((one) => one.most), ...points((one) => one.least).reverse()];
      const rule = svg("line.at", { y1: 0, y2: TALL });
      const curve = svg(
        "svg.curve",
        { viewBox: `0 0 ${SIDE} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("path.band", { d: `M${band.join("L")}Z` }),
        svg("path.mean", { d: `M${points((one) => one.mean).join("L")}` }),
        rule,
      );
      const says = el("p.weights");
      const card = el(
        "section.card",
        el(
          "div.how",
          svg("svg", { viewBox: "0 0 72 30", "aria-hidden": "true" }, ...mechanism(way.mechanism)),
          el("div", el("b", way.name), el("small", way.says)),
        ),
        el("div.map", cells, frame),
        el(
          "div.axis",
          el("span.query", "query ↓"),
          el("small", `full violet: ${brief(largest)}`),
          el("span.key", "key →"),
        ),
        curve,
        says,
        way.opens ? el("button", { onclick: () => this.open(way.name) }, way.opens) : null,
      );
      return { way, map, by, largest, cells, diagonal, frame, rule, x, says, card };
    });
    this.cards.replaceChildren(...this.all.map(({ card }) => card));
  }

  paint() {
    const [panel, weight] = ["panel", "weight"].map(theme(this.root)).map(rgb);
    for (const { map, largest, cells } of this.all)
      paintPixels(cells, map, this.T, [panel, panel, weight], (value) => strength(value / largest));
  }

  set(distance) {
    this.distance = distance;
    this.draw();
    this.link.later();
  }

  draw() {
    const { T, distance } = this,
      cell = SIDE / T;
    this.slider.value = this.output.value = distance;
    // Along the corners of the cells of this diagonal: down their right side, and back up their left.
    const steps = Array.from({ length: T - distance }, (_, n) => n);
    const right = steps.map((n) => `H${(n + 1) * cell}V${(n + 1 + distance) * cell}`).join(""),
      left = steps
        .reverse()
        .map((n) => `H${n * cell}V${(n + distance) * cell}`)
        .join("");
    const outline = `M0 ${distance * cell}${right}${left}Z`;
    for (const { way, by, diagonal, frame, rule, x, says } of this.all) {
      diagonal.setAttribute("d", outline);
      for (const end of ["x1", "x2"]) rule.setAttribute(end, x(distance));
      const { least, most } = by[distance];
      const range = brief(least) === brief(most) ? brief(most) : `${brief(least)} to ${brief(most)}`;
      says.replaceChildren(el("b", range), el("small", ` at ${distance} back`));
      frame.setAttribute("aria-label", `${way.name}: attention weights ${range} at distance ${distance}`);
    }
    Object.assign(this.root.dataset, {
      distance,
      ranges: this.all.map(({ by }) => `${by[distance].least}:${by[distance].most}`).join(","),
    });
  }
}

export default mount(".position-maps", PositionMaps);
