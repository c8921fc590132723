// A query and a key, pair by pair, as arrows that their positions turn. Nothing here knows the formula: every arrow is
// read from a table that the model's code made.

import { el, fixed, mirror, mount, svg, unpack, wholeParam } from "../../../../attention_view/lab.js";
import { Player, slider } from "../../../../attention_view/controls.js";
import { perTurn } from "../position_code/reading.js";

const PACE = 220; // milliseconds from position to position, while it plays
const ROOM = { left: 4, right: 8, top: 20, bottom: 22 }; // around the curve

class Clocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, 4);
      put("pos_offset", this.k, 3);
    }, 200);
    const place = (name, label, max) => slider(label, { max, value: 0 }, (value) => this.set({ [name]: value }));
    this.at = place("a", "Position of the key", 100);
    this.offset = place("k", "How far the query comes after the key", 32);
    this.atText = el("output");
    this.offsetText = el("output");
    this.play = el("button", { onclick: () => this.player.toggle() }, "Play");
    this.player = new Player(
      () => this.set({ a: this.a >= this.last ? 0 : this.a + 1 }),
      PACE,
      () => (this.play.textContent = this.player.isOn ? "Pause" : "Play"),
    );
    const key = el("span", el("b.key", "Key"), " at position");
    const query = el("span", el("b.query", "Query"), " so much later");
    this.faces = el("div.faces");
    this.below = el("div.below");
    this.spoken = el("p.say.quiet", { "aria-live": "off" });
    const from = el("label", key, this.at, this.atText);
    const back = el("label", query, this.offset, this.offsetText);
    const both = el("div.both", this.faces, this.below);
    root.replaceChildren(el("div.bar", from, back, this.play), both, this.spoken);
    this.resized = () => this.head && this.draw();
  }

  update(bytes) {
    if (this.bytes === bytes) return;
    this.bytes = bytes;
    const { header, body } = unpack(bytes);
    this.head = header;
    const { places, pairs, most } = this.head;
    const size = places * pairs * 2;
    const floats = new Float32Array(body.buffer, body.byteOffset, 2 * size);
    this.first = floats.subarray(0, size);
    this.second = floats.subarray(size, 2 * size);
    this.last = places - 1 - most;
    this.at.max = this.last;
    this.offset.max = most;
    if (this.a === undefined) this.readUrl();
    this.a = Math.min(this.a, this.last);
    this.k = Math.min(this.k, most);
    this.build();
    this.draw();
  }

  row(table, place) {
    const width = 2 * this.head.pairs;
    return table.subarray(place * width, (place + 1) * width);
  }

  // Every clock once; draw() only turns its arrows.
  build() {
    const { pairs, turns } = this.head;
    const across = pairs <= 4 ? 2 : pairs === 6 ? 3 : pairs <= 16 ? 4 : 8;
    this.root.style.setProperty("--across", across);
    this.root.style.setProperty("--down", Math.ceil(pairs / across));
    const length = (table, n) => Math.hypot(table[n], table[n + 1]);
    let longest = 0;
    for (let n = 0; n < this.first.length; n += 2)
      longest = Math.max(longest, length(this.first, n), length(this.second, n));
    this.reach = 43 / (longest || 1);
    this.hands = [];
    const clocks = [];
    for (let i = 0; i < pairs; i++) {
      const query = svg("line.hand.query", { x1: 0, y1: 0 });
      const key = svg("line.hand", { x1: 0, y1: 0 });
      const ticks = [0, 90, 180, 270].map((degrees) =>
        svg("line.tick", { x1: 0, y1: -50, x2: 0, y2: -45, transform: `rotate(${degrees})` }),
      );
      const rim = svg("circle.rim", { r: 50 });
      const drawing = svg("svg", { viewBox: "-52 -52 104 104", role: "img" }, rim, ...ticks, query, key);
      this.hands.push({ query, key, drawing });
      clocks.push(el("figure", drawing, el("figcaption", el("b", `pair ${i}`), el("br"), perTurn(turns[i]))));
    }
    this.faces.replaceChildren(...clocks);
    this.below.replaceChildren(...this.curve());
  }

  // first[a + k] . second[a] for every k: what a dot product makes of the arrows.
  curve() {
    this.line = svg("path");
    this.dot = svg("circle", { r: 6 });
    this.zero = svg("line.axis", { x1: 0 });
    this.top = svg("text", { x: 0, y: -6 });
    this.bottom = svg("text", { x: 0 });
    this.low = svg("text", { x: 0 }, "distance 0");
    this.most = svg("text", { "text-anchor": "end" }, `${this.head.most} →`);
    this.curveTitle = el("h3");
    const texts = [this.top, this.bottom, this.low, this.most];
    this.svg = svg("svg.curve", { role: "img" }, this.zero, ...texts, this.line, this.dot);
    return [this.curveTitle, this.svg];
  }

  products() {
    const key = this.row(this.second, this.a);
    return Array.from({ length: this.head.most + 1 }, (_, k) =>
      this.row(this.first, this.a + k).reduce((sum, value, n) => sum + value * key[n], 0),
    );
  }

  set(values) {
    Object.assign(this, values);
    this.draw();
    this.link.later();
  }

  draw() {
    const { pairs, most } = this.head,
      { a, k } = this;
    const key = this.row(this.second, a),
      query = this.row(this.first, a + k);
    this.at.value = a;
    this.offset.value = k;
    this.atText.textContent = a;
    this.offsetText.textContent = k;
    const pair = (row, i) => `${row[2 * i].toFixed(2)}, ${row[2 * i + 1].toFixed(2)}`;
    this.hands.forEach((hand, i) => {
      for (const [line, row] of [
        [hand.key, key],
        [hand.query, query],
      ]) {
        line.setAttribute("x2", row[2 * i] * this.reach);
        line.setAttribute("y2", -row[2 * i + 1] * this.reach); // y points up
      }
      hand.drawing.setAttribute("aria-label", `pair ${i}: key ${pair(key, i)}; query ${pair(query, i)}`);
    });
    const products = this.products();
    this.drawCurve(products);
    this.spoken.replaceChildren(
      el("b.query", "Query"),
      ` at ${a + k}, `,
      el("b.key", "key"),
      ` at ${a}: score ${fixed(products[k])}. ` +
        "Move the key: both arrows turn, the angle between them stays, and so does the score. " +
        "Below each pair: positions per turn.",
    );
    Object.assign(this.root.dataset, { a, k, product: products[k], pairs, most });
  }

  drawCurve(products) {
    const { clientWidth, clientHeight } = this.svg;
    if (!clientWidth) return;
    const [W, H] = [clientWidth - ROOM.left - ROOM.right, clientHeight - ROOM.top - ROOM.bottom];
    this.svg.setAttribute("viewBox", `${-ROOM.left} ${-ROOM.top} ${clientWidth} ${clientHeight}`);
    this.zero.setAttribute("x2", W);
    this.bottom.setAttribute("y", H - 4);
    for (const text of [this.low, this.most]) text.setAttribute("y", H + 16);
    this.most.setAttribute("x", W);
    const [bottom, top] = [Math.min(...products), Math.max(...products)];
    const x = (k) => (this.head.most ? (k / this.head.most) * W : 0),
      y = (v) => H - ((v - bottom) / (top - bottom || 1)) * H;
    this.line.setAttribute(
      "d",
      products.map((v, k) => `${k ? "L" : "M"}${x(k).toFixed(1)} ${y(v).toFixed(1)}`).join(" "),
    );
    this.dot.setAttribute("cx", x(this.k));
    this.dot.setAttribute("cy", y(products[this.k]));
    this.zero.style.display = bottom <= 0 && top >= 0 ? "" : "none"; // where scores are all of one sign, 0 is far off
    for (const end of ["y1", "y2"]) this.zero.setAttribute(end, y(0));
    this.top.textContent = fixed(top);
    this.bottom.textContent = fixed(bottom);
    this.curveTitle.textContent = `Score q · k = ${fixed(products[this.k])}`;
    this.svg.setAttribute(
      "aria-label",
      `Score from distance 0 to ${this.head.most}; at ${this.k} it is ${fixed(products[this.k])}`,
    );
  }

  readUrl() {
    this.a = wholeParam("pos_at", this.last + 1) ?? 4;
    this.k = wholeParam("pos_offset", this.head.most + 1) ?? 3;
  }

  destroy() {
    this.player.stop();
  }
}

export default mount(".clocks", Clocks);
