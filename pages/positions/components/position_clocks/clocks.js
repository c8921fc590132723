// A hand a pair. Nothing here knows the formula: every hand is read from a table that the model's code made, the
// matrix is made of one row of that table, and what it gives is compared with the row it should give.

import { el, fixed, mirror, mount, svg, tint, unpack, wholeParam } from "../../../../attention_view/lab.js";

class Clocks {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("pos_at", this.a, 4);
      put("pos_offset", this.k, 3);
    }, 200);
    const slider = (name, max) => {
      const input = el("input", {
        type: "range",
        min: 0,
        max,
        value: 0,
        oninput: () => this.set({ [name]: Number(input.value) }),
      });
      return input;
    };
    this.at = slider("a", 100);
    this.offset = slider("k", 32);
    this.atText = el("output");
    this.offsetText = el("output");
    this.play = el("button", { type: "button", onclick: () => this.toggle() }, "Play");
    this.atLabel = el("span");
    this.offsetLabel = el("span");
    this.faces = el("div", { class: "faces" });
    this.left = el("div");
    this.right = el("div");
    this.spoken = el("p", { class: "say quiet", "aria-live": "off" });
    root.replaceChildren(
      el(
        "div",
        { class: "bar" },
        el("label", {}, this.atLabel, this.at, this.atText),
        el("label", {}, this.offsetLabel, this.offset, this.offsetText),
        this.play,
      ),
      this.faces,
      el("div", { class: "below" }, this.left, this.right),
      this.spoken,
    );
  }

  update(bytes) {
    if (this.bytes === bytes) return;
    this.bytes = bytes;
    const { header, body } = unpack(bytes);
    this.head = header;
    const { places, pairs, most, kind } = this.head;
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
    this.root.classList.toggle("rotary", kind === "rotary");
    this.words(kind);
    this.build();
    this.draw();
  }

  words(kind) {
    const rotary = kind === "rotary";
    this.atLabel.replaceChildren(...(rotary ? [el("b", { class: "key" }, "Key"), " at position"] : ["Position"]));
    this.offsetLabel.replaceChildren(
      ...(rotary ? [el("b", { class: "query" }, "Query"), " so much later"] : ["Offset k"]),
    );
    this.at.setAttribute("aria-label", rotary ? "Position of the key" : "Position");
    this.offset.setAttribute("aria-label", rotary ? "How far the query stands behind the key" : "Offset k");
  }

  row(table, place) {
    const width = 2 * this.head.pairs;
    return table.subarray(place * width, (place + 1) * width);
  }

  // Every clock once; draw() only turns its hands.
  build() {
    const { pairs, turns, kind } = this.head;
    this.root.style.setProperty("--across", pairs <= 8 ? Math.max(4, pairs) : pairs === 12 ? 6 : pairs <= 16 ? 8 : 11);
    let longest = 0;
    for (let n = 0; n < this.first.length; n += 2) {
      longest = Math.max(
        longest,
        Math.hypot(this.first[n], this.first[n + 1]),
        Math.hypot(this.second[n], this.second[n + 1]),
      );
    }
    this.reach = 43 / (longest || 1);
    this.hands = [];
    const clocks = [];
    for (let i = 0; i < pairs; i++) {
      const turn = svg("path", { class: "turn" });
      const later = svg("line", { class: "hand then", x1: 0, y1: 0 });
      const now = svg("line", { class: "hand", x1: 0, y1: 0 });
      const ticks = [0, 90, 180, 270].map((degrees) =>
        svg("line", { class: "tick", x1: 0, y1: -50, x2: 0, y2: -45, transform: `rotate(${degrees})` }),
      );
      const drawing = svg(
        "svg",
        { viewBox: "-52 -52 104 104", role: "img" },
        svg("circle", { class: "rim", r: 50 }),
        turn,
        ...ticks,
        later,
        now,
      );
      this.hands.push({ turn, later, now, drawing });
      const period = turns[i] < 100 ? turns[i].toFixed(1) : Math.round(turns[i]).toLocaleString("en");
      clocks.push(
        el("figure", {}, drawing, el("figcaption", {}, el("b", {}, `pair ${i}`), el("br"), `${period} to turn`)),
      );
    }
    this.faces.replaceChildren(...clocks);
    this.left.replaceChildren(...(kind === "code" ? this.product() : []));
    this.left.hidden = kind !== "code";
    this.right.replaceChildren(...this.curve());
  }

  // M_k PE(pos) = PE(pos + k), as cells.
  product() {
    const d = 2 * this.head.pairs,
      cell = d <= 16 ? 10 : d <= 32 ? 5 : 2.5;
    const cells = (rows, cols) => {
      const made = Array.from({ length: rows * cols }, (_, n) =>
        svg("rect", { x: (n % cols) * cell, y: Math.floor(n / cols) * cell, width: cell, height: cell }),
      );
      const drawing = svg(
        "svg",
        {
          width: cols * cell + 2,
          height: rows * cell + 2,
          viewBox: `-1 -1 ${cols * cell + 2} ${rows * cell + 2}`,
          "aria-hidden": "true",
        },
        ...made,
        svg("rect", { class: "cellframe", width: cols * cell, height: rows * cell }),
      );
      return [drawing, made];
    };
    const thick = (rows) => {
      const made = Array.from({ length: rows }, (_, n) => svg("rect", { x: 0, y: n * cell, width: 18, height: cell }));
      return [
        svg(
          "svg",
          { width: 20, height: rows * cell + 2, viewBox: `-1 -1 20 ${rows * cell + 2}`, "aria-hidden": "true" },
          ...made,
          svg("rect", { class: "cellframe", width: 18, height: rows * cell }),
        ),
        made,
      ];
    };
    const [matrix, m] = cells(d, d),
      [x, xs] = thick(d),
      [y, ys] = thick(d);
    this.cells = { m, xs, ys };
    this.names = [el("small"), el("small"), el("small")];
    return [
      el("h3", {}, "One matrix moves every code by k"),
      el(
        "div",
        { class: "product" },
        el("div", {}, matrix, this.names[0]),
        el("i", {}, "×"),
        el("div", {}, x, this.names[1]),
        el("i", {}, "="),
        el("div", {}, y, this.names[2]),
      ),
    ];
  }

  // first[a + k] . second[a] for every k: what a dot product makes of the hands.
  curve() {
    const W = 420,
      H = 150;
    this.line = svg("path");
    this.dot = svg("circle", { r: 6 });
    this.zero = svg("line", { class: "axis", x1: 0, x2: W });
    this.top = svg("text", { x: 0, y: -6 });
    this.bottom = svg("text", { x: 0, y: H - 4 });
    this.low = svg("text", { x: 0, y: H + 16 });
    const most = svg("text", { x: W, y: H + 16, "text-anchor": "end" });
    most.textContent = `${this.head.kind === "rotary" ? "distance" : "offset"} ${this.head.most} →`;
    this.low.textContent = "0";
    this.curveTitle = el("h3");
    this.svg = svg(
      "svg",
      { class: "curve", viewBox: `-4 -20 ${W + 12} ${H + 42}`, role: "img" },
      this.zero,
      this.top,
      this.bottom,
      this.low,
      most,
      this.line,
      this.dot,
    );
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
    const { kind, pairs, most } = this.head,
      { a, k } = this;
    const now = this.row(this.second, a),
      then = this.row(this.first, a + k);
    this.at.value = a;
    this.offset.value = k;
    this.atText.textContent = a;
    this.offsetText.textContent = k;
    const arrow = (x, y) => [x, -y]; // sin to the right and cos up; x to the right and y up
    const pair = (row, i) => `${row[2 * i].toFixed(2)}, ${row[2 * i + 1].toFixed(2)}`;
    this.hands.forEach((hand, i) => {
      const p = arrow(now[2 * i], now[2 * i + 1]),
        q = arrow(then[2 * i], then[2 * i + 1]);
      for (const [line, end] of [
        [hand.now, p],
        [hand.later, q],
      ]) {
        line.setAttribute("x2", end[0] * this.reach);
        line.setAttribute("y2", end[1] * this.reach);
      }
      hand.turn.setAttribute("d", kind === "code" && k ? wedge(p, q, 30) : "");
      hand.drawing.setAttribute("aria-label", `pair ${i}: ${pair(now, i)}; then ${pair(then, i)}`);
    });
    const products = this.products();
    this.drawCurve(products);
    if (kind === "code") {
      this.drawProduct(now);
      this.spoken.textContent =
        `Solid hand: PE(${a}). Dotted hand: PE(${a + k}). Over all ${this.last + 1} positions, ` +
        `M${sub(k)} PE(pos) and PE(pos + ${k}) differ by at most ${this.worst().toFixed(8)}, ` +
        "which is rounding: one matrix for all of them.";
    } else {
      this.spoken.replaceChildren(
        el("b", { class: "query" }, "Query"),
        ` at ${a + k}, `,
        el("b", { class: "key" }, "key"),
        ` at ${a}: score ${fixed(products[k])}. ` +
          "Move the key: both arrows turn, the angle between them stays, and so does the score.",
      );
    }
    Object.assign(this.root.dataset, {
      a,
      k,
      product: products[k],
      worst: kind === "code" ? this.worst() : "",
      pairs,
      most,
    });
  }

  drawCurve(products) {
    const { kind } = this.head;
    const W = 420,
      H = 150,
      zero = kind === "code" ? [0] : [],
      bottom = Math.min(...zero, ...products),
      top = Math.max(...zero, ...products);
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
    this.bottom.textContent = kind === "code" ? "" : fixed(bottom);
    const name = this.head.kind === "rotary" ? "Score q · k" : "Likeness PE(pos) · PE(pos + k)";
    this.curveTitle.textContent = `${name} = ${fixed(products[this.k])}`;
    this.svg.setAttribute(
      "aria-label",
      `${name} from offset 0 to ${this.head.most}; at ${this.k} it is ${fixed(products[this.k])}`,
    );
  }

  /** M_k times a code, with M_k made of PE(k) alone: a block [[cos, sin], [-sin, cos]] for each pair. */
  turned(code) {
    const block = this.row(this.first, this.k),
      out = new Float64Array(code.length);
    for (let n = 0; n < code.length; n += 2) {
      const sin = block[n],
        cos = block[n + 1];
      out[n] = cos * code[n] + sin * code[n + 1];
      out[n + 1] = -sin * code[n] + cos * code[n + 1];
    }
    return out;
  }

  worst() {
    let worst = 0;
    for (let place = 0; place <= this.last; place++) {
      const made = this.turned(this.row(this.second, place)),
        wanted = this.row(this.first, place + this.k);
      for (let n = 0; n < made.length; n++) worst = Math.max(worst, Math.abs(made[n] - wanted[n]));
    }
    return worst;
  }

  drawProduct(code) {
    const { m, xs, ys } = this.cells,
      d = code.length,
      block = this.row(this.first, this.k);
    const made = this.turned(code);
    for (let n = 0; n < d * d; n++) {
      const r = Math.floor(n / d),
        c = n % d;
      const same = r >> 1 === c >> 1,
        sin = block[2 * (r >> 1)],
        cos = block[2 * (r >> 1) + 1];
      m[n].style.fill = tint(same ? (r === c ? cos : r < c ? sin : -sin) : 0);
    }
    for (let n = 0; n < d; n++) {
      xs[n].style.fill = tint(code[n]);
      ys[n].style.fill = tint(made[n]);
    }
    [`M${sub(this.k)}`, `PE(${this.a})`, `PE(${this.a + this.k})`].forEach(
      (text, n) => (this.names[n].textContent = text),
    );
  }

  toggle() {
    if (this.timer) return this.stop();
    this.play.textContent = "Pause";
    this.timer = setInterval(() => this.set({ a: this.a >= this.last ? 0 : this.a + 1 }), 220);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.play.textContent = "Play";
  }

  readUrl() {
    this.a = wholeParam("pos_at", this.last + 1) ?? 4;
    this.k = wholeParam("pos_offset", this.head.most + 1) ?? 3;
  }

  destroy() {
    this.stop();
    this.link.cancel();
  }
}

const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** The part of the face between two hands, going with the clock from p to q. */
export function wedge(p, q, radius) {
  const angle = ([x, y]) => Math.atan2(x, -y);
  const from = angle(p),
    by = (angle(q) - from + 4 * Math.PI) % (2 * Math.PI);
  const at = (a) => `${(Math.sin(a) * radius).toFixed(2)} ${(-Math.cos(a) * radius).toFixed(2)}`;
  return `M0 0 L${at(from)} A${radius} ${radius} 0 ${by > Math.PI ? 1 : 0} 1 ${at(from + by)} Z`;
}

export default mount(".clocks", Clocks);
