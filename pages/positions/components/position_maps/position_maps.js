// Six ways to tell a model the positions, of a text in which every word is the same. All six are small at the top; one
// of them is on the stage below: its map, and a row of it as a curve over the distance, over those of all other rows:
// where only the distance counts they coincide.

import {
  boxOf,
  brief,
  el,
  mirror,
  mount,
  paintPixels,
  param,
  pointIn,
  put,
  rgb,
  strength,
  svg,
  theme,
  unpack,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, inRow, takesHold } from "../../../../attention_view/controls.js";
import { bandOf, besideItself, coincide, curveOf, inWords, named, nearAndFar, rowUnder, ticksOf } from "./ways.js";

const FIRST = "rotary"; // on the stage
const ROOM = { left: 36, right: 12, top: 26, bottom: 26 }; // pixels around the curves
const LABEL = 190; // pixels for the words at the mark

class PositionMaps {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      write("pos_way", this.name, FIRST);
      write("pos_row", this.row, Math.floor(this.T / 2));
    }, 200);
    this.strip = el("div.strip", { role: "radiogroup", "aria-label": "Ways to tell a model the order" });
    this.cells = el("canvas", { "aria-hidden": "true" });
    this.band = el("i.band", el("i.grip", { "aria-hidden": "true" }, "↕"));
    this.cell = el("i.cell");
    this.cellSays = el("span.cell-says", { "aria-hidden": "true" });
    this.diagonal = svg("svg.diagonal", { "aria-hidden": "true", preserveAspectRatio: "none" }, svg("path"));
    this.map = el(
      "div.map",
      {
        role: "slider",
        tabindex: "0",
        "aria-label": "Position of the word that looks",
        "aria-orientation": "vertical",
        onpointerdown: (event) => this.hold(event),
        onkeydown: (event) => {
          const to = inRow(event, this.row, this.T);
          if (to !== null) this.go(to);
        },
      },
      this.cells,
      this.diagonal,
      this.cell,
      this.band,
      this.cellSays,
    );
    this.most = el("span");
    this.rowSays = el("span.row-says", { "aria-hidden": "true" });
    const scale = el("span.scale", "attention weight 0", el("i", { "aria-hidden": "true" }), this.most);
    const from = el("div.from", el("b.query", "looking from ↓"), this.rowSays);
    this.looks = el("div.looks", el("b.key.to", "looking at →"), from, this.map, scale);
    this.say = el("p.says", { role: "status" });
    root.replaceChildren(
      el("h2", "From every position: the whole map of each way"),
      this.say,
      this.strip,
      el("div.stage", this.looks, this.makeCurves()),
    );
    this.resized = () => this.T && this.layOut();
  }

  /** What is at the right of the map: the curve, and the doors to the ways. */
  makeCurves() {
    this.title = el("b.title");
    this.far = el("button.door", { onclick: () => this.open("too far") }, "How far does each reach? →");
    this.back = svg("g.back");
    this.afar = svg("path.afar");
    this.traces = svg("g.traces");
    this.curve = svg("path.curve");
    this.mark = svg("g.mark");
    this.plot = svg(
      "svg.plot",
      { role: "img", onpointermove: (event) => this.point(event), onpointerleave: () => this.show(null) },
      this.back,
      this.afar,
      this.traces,
      this.curve,
      this.mark,
    );
    this.inside = el("button.door", { onclick: () => this.open(this.name) });
    this.legend = el("span");
    const about = el("p.about", this.title, this.legend);
    return el("div.curves", about, this.plot, el("div.doors", this.far, this.inside));
  }

  named(name) {
    return this.ways.findIndex((way) => way.name === name);
  }

  get name() {
    return this.ways[this.chosen].name;
  }

  update(bytes, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    const isFirst = !this.ways;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      this.ways = header.ways;
      this.maps = arrays.maps;
      this.T = arrays.maps.shape[1];
      this.largest = this.maps.reduce((most, weight) => Math.max(most, weight), 0);
      if (isFirst) this.begin();
      this.row = Math.min(this.row, this.T - 1);
      this.map.ariaValueMin = 0;
      this.map.ariaValueMax = this.T - 1;
      this.build();
    }
    this.paint();
    this.layOut();
  }

  /** As the link has it. */
  begin() {
    this.chosen = [param("pos_way"), FIRST].map((name) => this.named(name)).find((way) => way >= 0);
    const back = wholeParam("pos_distance");
    this.row = wholeParam("pos_row") ?? Math.floor(this.T / 2);
    this.at = back === null ? null : -back;
  }

  weights(way) {
    return this.maps.subarray(way * this.T ** 2, (way + 1) * this.T ** 2);
  }

  build() {
    this.small = this.ways.map(({ name, says }, at) => {
      const cells = el("canvas", { "aria-hidden": "true" });
      const node = el(
        "button.way",
        {
          role: "radio",
          onclick: () => this.take(at),
          onkeydown: (event) => {
            const next = inRow(event, at, this.ways.length);
            if (next === null) return;
            this.take(next);
            this.small[next].node.focus();
          },
        },
        cells,
        el("span.name", name, el("span.does", says)),
      );
      return { node, cells };
    });
    this.strip.replaceChildren(...this.small.map(({ node }) => node));
  }

  paint() {
    const [panel, weight] = ["panel", "weight"].map(theme(this.root)).map(rgb);
    const draw = (cells, way, most) =>
      paintPixels(cells, this.weights(way), this.T, [panel, panel, weight], (value) => strength(value / most));
    this.small.forEach(({ cells }, way) => draw(cells, way, this.largest));
    // The large map has a scale of its own; where all weights are equal, none is the strongest.
    const most = Math.max(2 / this.T, ...this.weights(this.chosen));
    draw(this.cells, this.chosen, most);
    write(this.most, brief(most));
  }

  // ---- what hands do ----------------------------------------------------------------------------------------------

  /** Another way comes on the stage, and what is found there is said at once. */
  take(way) {
    this.chosen = way;
    this.row = Math.floor(this.T / 2);
    this.paint();
    this.layOut();
    this.link.later();
  }

  hold(event) {
    if (!takesHold(event)) return;
    const to = (at) => this.go(rowUnder(pointIn(at, this.map)[1] / this.map.clientHeight, this.T));
    to(event);
    this.endDrag = drag(to, to);
  }

  /** The word stands in this row. */
  go(row) {
    this.row = row;
    this.draw();
    this.link.later();
  }

  point(event) {
    const x = pointIn(event, this.plot)[0];
    const distance = Math.round((x - this.x(0)) / (this.x(1) - this.x(0)));
    this.show(Math.max(-this.row, Math.min(this.T - 1 - this.row, distance)));
  }

  show(distance) {
    this.at = distance;
    this.draw();
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  x = (distance) => {
    const { left, right } = ROOM;
    return left + ((distance + this.T - 1) / (2 * this.T - 2)) * (this.width - left - right);
  };

  y = (ratio) => this.height - ROOM.bottom - (ratio / this.top) * (this.height - ROOM.top - ROOM.bottom);

  layOut() {
    const { width, height } = boxOf(this.plot);
    if (!width) return;
    Object.assign(this, { width, height });
    const map = this.weights(this.chosen);
    this.rows = Array.from({ length: this.T }, (_, row) => besideItself(map, this.T, row));
    const most = Math.max(...this.rows.flat());
    put(this.diagonal, { viewBox: `0 0 ${this.T} ${this.T}` });
    this.isOne = coincide(this.rows);
    this.top = 1.06 * Math.max(1.6, most);
    put(this.plot, { viewBox: `0 0 ${width} ${height}` });
    this.back.replaceChildren(...backdrop(this, most));
    this.draw();
  }

  draw() {
    if (!this.rows) return;
    const { T, row, ways, chosen } = this,
      { name, opens, verdict, finding } = ways[chosen];
    this.small.forEach(({ node }, way) => {
      node.setAttribute("aria-checked", String(way === chosen));
      node.tabIndex = way === chosen ? 0 : -1;
    });
    this.looks.style.setProperty("--row", row / T);
    this.looks.style.setProperty("--n", T);
    this.map.ariaValueNow = row;
    this.map.ariaValueText = `position ${row}, ${name}`;
    drawCurves(this);
    write(this.say, finding);
    const curves = this.isOne ? `the same curve at all ${T} positions` : `${T} positions, ${T} curves`;
    write(this.title, `${verdict}: ${curves}`);
    write(this.rowSays, `position ${row}`);
    this.inside.disabled = !opens;
    write(this.inside, `Inside ${name} →`);
    this.pointed();
    put(this.plot, { "aria-label": `${name}: ${curves}` });
    Object.assign(this.root.dataset, { way: name, row, ratios: this.rows[row].join(",") });
  }

  /** The key that is pointed at, on the curve and in the map; where none is, the one that the finding is about. */
  pointed() {
    const { row, T } = this,
      has = (ahead) => ahead !== null && this.rows[row][row + ahead] !== undefined,
      at = [this.at, this.ways[this.chosen].ahead].find(has) ?? 0,
      ratio = this.rows[row][row + at];
    this.map.style.setProperty("--column", (row + at) / T);
    this.mark.replaceChildren(...markAt([this.x(at), this.y(ratio)], this.width, at, ratio));
    write(this.cellSays, inWords(at));
    this.cellSays.classList.toggle("before", row + at > 0.6 * T);
    put(this.diagonal.firstChild, { d: at ? diagonalAt(at, T) : "" });
  }
}

/** The curves of all rows, and over them that of the word; quiet are distances that few positions have. Where each
 * row has a curve of its own, all others are one band. */
function drawCurves(maps) {
  const { T, row, traces, isOne, x, y } = maps;
  const parts = (one) => (isOne ? nearAndFar(one, T) : { near: [0, T - 1], far: [] });
  const left = maps.rows.map((_, one) => one).filter((one) => one !== row);
  const ways = isOne ? left.map((one) => curveOf(maps, one, parts(one).near)) : bandOf(maps.rows, left, x, y);
  while (traces.children.length > ways.length) traces.lastChild.remove();
  while (traces.children.length < ways.length) traces.append(svg("path"));
  ways.forEach((d, n) => put(traces.children[n], { d }));
  traces.classList.toggle("spread", !isOne);
  put(maps.curve, { d: curveOf(maps, row, parts(row).near) });
  const far = [row, ...left].flatMap((one) => parts(one).far.map((keys) => curveOf(maps, one, keys)));
  put(maps.afar, { d: far.join("") });
  const grey = isOne ? "distances that fewer than half of the positions have" : "all other positions";
  write(maps.legend, `1 × is the attention weight of the word on itself. Grey: ${grey}.`);
}

/** A point of the curve with what it is, on the side where there is room; of a word back rather on the left. */
function markAt([x, y], width, at, ratio) {
  const side = at < 0 ? (x > LABEL ? "end" : "start") : x < width - LABEL ? "start" : "end";
  return [
    svg("circle", { cx: x, cy: y, r: 7 }),
    svg(`text.${side}`, { x: x + (side === "end" ? -9 : 9), y: y - 12 }, `${inWords(at)}: ${brief(ratio)} ×`),
  ];
}

/** The outlines of all cells of a map that are so far from the main diagonal. */
function diagonalAt(ahead, T) {
  const rows = Array.from({ length: T }, (_, row) => row).filter((row) => row + ahead >= 0 && row + ahead < T);
  return rows.map((row) => `M${row + ahead} ${row}h1v1h-1z`).join("");
}

/** What is behind the curves: lines at whole ratios, the word itself, and what the axes are. */
function backdrop({ x, y, width, height, T }, most) {
  const { left, right, bottom } = ROOM;
  const line = (ratio) => {
    const at = y(ratio);
    return [
      svg(ratio === 1 ? "path.own" : "path", { d: `M${left} ${at}H${width - right}` }),
      svg("text.end", { x: left - 7, y: at + 4 }, ratio ? `${ratio} ×` : "0"),
    ];
  };
  const foot = (distance) => svg("text.middle", { x: x(distance), y: height - bottom + 21 }, named(distance));
  return [
    ...[0, 1, ...(most >= 2 ? [Math.floor(most)] : [])].flatMap(line),
    svg("path", { d: `M${x(0)} ${y(0)}V${ROOM.top - 8}` }),
    ...ticksOf(T).map(foot),
  ];
}

export default mount(".position-maps", PositionMaps);
