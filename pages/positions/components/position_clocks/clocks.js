// A hand a pair. Nothing here knows the formula: every hand is read from a table that the model's code made, the
// matrix is made of one row of that table, and what it gives is compared with the row it should give.

const SVG = "http://www.w3.org/2000/svg";

function node(tag, props = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(props))
    name.startsWith("on") ? (made[name] = value) : made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function shape(tag, props = {}, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const sign = (text) => text.replace("-", "−");
const number = (value) => sign(value.toFixed(2));

/** The colour of a value between -1 and 1: amber below zero, violet above, the panel at zero. */
function colour(value) {
  const share = Math.round(100 * Math.min(1, Math.abs(value)));
  return `color-mix(in srgb, var(--${value < 0 ? "negative" : "weight"}) ${share}%, var(--panel))`;
}

class Clocks {
  constructor(root) {
    this.root = root;
    const slider = (name, max) => {
      const input = node("input", {
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
    this.atText = node("output");
    this.offsetText = node("output");
    this.play = node("button", { type: "button", onclick: () => this.toggle() }, "Play");
    this.atLabel = node("span");
    this.offsetLabel = node("span");
    this.faces = node("div", { class: "faces" });
    this.left = node("div");
    this.right = node("div");
    this.spoken = node("p", { class: "say quiet", "aria-live": "off" });
    root.replaceChildren(
      node(
        "div",
        { class: "bar" },
        node("label", {}, this.atLabel, this.at, this.atText),
        node("label", {}, this.offsetLabel, this.offset, this.offsetText),
        this.play,
      ),
      this.faces,
      node("div", { class: "below" }, this.left, this.right),
      this.spoken,
    );
  }

  update(bytes) {
    if (this.bytes === bytes) return;
    this.bytes = bytes;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const length = view.getUint32(0, true);
    this.head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    const { places, pairs, most, kind } = this.head;
    const size = places * pairs * 2;
    const floats = new Float32Array(bytes.slice(4 + length).buffer);
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
    this.atLabel.replaceChildren(...(rotary ? [node("b", { class: "key" }, "Key"), " at position"] : ["Position"]));
    this.offsetLabel.replaceChildren(
      ...(rotary ? [node("b", { class: "query" }, "Query"), " so much later"] : ["Offset k"]),
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
      const turn = shape("path", { class: "turn" });
      const then = shape("line", { class: "hand then", x1: 0, y1: 0 });
      const now = shape("line", { class: "hand", x1: 0, y1: 0 });
      const ticks = [0, 90, 180, 270].map((degrees) =>
        shape("line", { class: "tick", x1: 0, y1: -50, x2: 0, y2: -45, transform: `rotate(${degrees})` }),
      );
      const svg = shape(
        "svg",
        { viewBox: "-52 -52 104 104", role: "img" },
        shape("circle", { class: "rim", r: 50 }),
        turn,
        ...ticks,
        then,
        now,
      );
      this.hands.push({ turn, then, now, svg });
      const period = turns[i] < 100 ? turns[i].toFixed(1) : Math.round(turns[i]).toLocaleString("en");
      clocks.push(
        node("figure", {}, svg, node("figcaption", {}, node("b", {}, `pair ${i}`), node("br"), `${period} to turn`)),
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
        shape("rect", { x: (n % cols) * cell, y: Math.floor(n / cols) * cell, width: cell, height: cell }),
      );
      const svg = shape(
        "svg",
        {
          width: cols * cell + 2,
          height: rows * cell + 2,
          viewBox: `-1 -1 ${cols * cell + 2} ${rows * cell + 2}`,
          "aria-hidden": "true",
        },
        ...made,
        shape("rect", { class: "cellframe", width: cols * cell, height: rows * cell }),
      );
      return [svg, made];
    };
    const thick = (rows) => {
      const made = Array.from({ length: rows }, (_, n) =>
        shape("rect", { x: 0, y: n * cell, width: 18, height: cell }),
      );
      return [
        shape(
          "svg",
          { width: 20, height: rows * cell + 2, viewBox: `-1 -1 20 ${rows * cell + 2}`, "aria-hidden": "true" },
          ...made,
          shape("rect", { class: "cellframe", width: 18, height: rows * cell }),
        ),
        made,
      ];
    };
    const [matrix, m] = cells(d, d),
      [x, xs] = thick(d),
      [y, ys] = thick(d);
    this.cells = { m, xs, ys };
    this.names = [node("small"), node("small"), node("small")];
    return [
      node("h3", {}, "One matrix moves every code by k"),
      node(
        "div",
        { class: "product" },
        node("div", {}, matrix, this.names[0]),
        node("i", {}, "×"),
        node("div", {}, x, this.names[1]),
        node("i", {}, "="),
        node("div", {}, y, this.names[2]),
      ),
    ];
  }

  // first[a + k] . second[a] for every k: what a dot product makes of the hands.
  curve() {
    const W = 420,
      H = 150;
    this.line = shape("path");
    this.dot = shape("circle", { r: 6 });
    this.zero = shape("line", { class: "axis", x1: 0, x2: W });
    this.top = shape("text", { x: 0, y: -6 });
    this.bottom = shape("text", { x: 0, y: H - 4 });
    this.low = shape("text", { x: 0, y: H + 16 });
    const most = shape("text", { x: W, y: H + 16, "text-anchor": "end" });
    most.textContent = `${this.head.kind === "rotary" ? "distance" : "offset"} ${this.head.most} →`;
    this.low.textContent = "0";
    this.curveTitle = node("h3");
    this.svg = shape(
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
    this.writeUrl();
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
    this.hands.forEach((hand, i) => {
      const p = arrow(now[2 * i], now[2 * i + 1]),
        q = arrow(then[2 * i], then[2 * i + 1]);
      for (const [line, end] of [
        [hand.now, p],
        [hand.then, q],
      ]) {
        line.setAttribute("x2", end[0] * this.reach);
        line.setAttribute("y2", end[1] * this.reach);
      }
      hand.turn.setAttribute("d", kind === "code" && k ? wedge(p, q, 30) : "");
      hand.svg.setAttribute(
        "aria-label",
        `pair ${i}: ${now[2 * i].toFixed(2)}, ${now[2 * i + 1].toFixed(2)}; then ${then[2 * i].toFixed(2)}, ${then[2 * i + 1].toFixed(2)}`,
      );
    });
    const products = this.products();
    this.drawCurve(products);
    if (kind === "code") {
      this.drawProduct(now);
      this.spoken.textContent = `Solid hand: PE(${a}). Dotted hand: PE(${a + k}). Over all ${this.last + 1} positions, M${sub(k)} PE(pos) and PE(pos + ${k}) differ by at most ${this.worst().toFixed(8)}, which is rounding: one matrix for all of them.`;
    } else {
      this.spoken.replaceChildren(
        node("b", { class: "query" }, "Query"),
        ` at ${a + k}, `,
        node("b", { class: "key" }, "key"),
        ` at ${a}: score ${number(products[k])}. Move the key: both arrows turn, the angle between them stays, and so does the score.`,
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
    this.top.textContent = number(top);
    this.bottom.textContent = kind === "code" ? "" : number(bottom);
    const name = this.head.kind === "rotary" ? "Score q · k" : "Likeness PE(pos) · PE(pos + k)";
    this.curveTitle.textContent = `${name} = ${number(products[this.k])}`;
    this.svg.setAttribute(
      "aria-label",
      `${name} from offset 0 to ${this.head.most}; at ${this.k} it is ${number(products[this.k])}`,
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
      m[n].style.fill = colour(same ? (r === c ? cos : r < c ? sin : -sin) : 0);
    }
    for (let n = 0; n < d; n++) {
      xs[n].style.fill = colour(code[n]);
      ys[n].style.fill = colour(made[n]);
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
    const params = new URLSearchParams(location.search);
    const whole = (name, most, usual) => {
      const text = params.get(name) ?? "";
      return /^\d{1,4}$/.test(text) && Number(text) <= most ? Number(text) : usual;
    };
    this.a = whole("pos_at", this.last, 4);
    this.k = whole("pos_offset", this.head.most, 3);
  }

  writeUrl() {
    clearTimeout(this.writing);
    this.writing = setTimeout(
      () =>
        mirror((params) => {
          const put = (name, value, usual) => (value === usual ? params.delete(name) : params.set(name, value));
          put("pos_at", this.a, 4);
          put("pos_offset", this.k, 3);
        }),
      200,
    );
  }

  destroy() {
    this.stop();
    clearTimeout(this.writing);
  }
}

const sub = (n) => String(n).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** The part of the face between two hands, going with the clock from p to q. */
function wedge(p, q, radius) {
  const angle = ([x, y]) => Math.atan2(x, -y);
  const from = angle(p),
    by = (angle(q) - from + 4 * Math.PI) % (2 * Math.PI);
  const at = (a) => `${(Math.sin(a) * radius).toFixed(2)} ${(-Math.cos(a) * radius).toFixed(2)}`;
  return `M0 0 L${at(from)} A${radius} ${radius} 0 ${by > Math.PI ? 1 : 0} 1 ${at(from + by)} Z`;
}

const CLOCKS = new WeakMap();

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".clocks");
  let made = CLOCKS.get(root);
  if (!made) CLOCKS.set(root, (made = new Clocks(root)));
  made.update(data);
  return () => {
    made.destroy();
    CLOCKS.delete(root);
  };
}
