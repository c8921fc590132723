// One attention as a block with three ports, and three cables to plug into the encoder or the decoder.

import { el, mount, svg, windowHeight } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";

const PORTS = ["queries", "keys", "values"];
const STREAMS = ["encoder", "decoder"];
const LETTERS = { queries: "Q", keys: "K", values: "V" };
const HUES = { queries: "query", keys: "key", values: "value" };
const other = (stream) => (stream === "encoder" ? "decoder" : "encoder");

/** Where everything stands, in pixels: streams left of the block, or above it where there is little room. */
export function plan(width) {
  if (width >= 700) {
    const W = Math.min(width, 1180);
    const box = { w: 190, h: 96 };
    const block = { x: W * 0.44, y: 22, w: Math.min(330, W * 0.3), h: 366 };
    const at = { encoder: { x: 4, y: 22, ...box }, decoder: { x: 4, y: 292, ...box } };
    const outlet = (stream, n) => [at[stream].x + box.w, at[stream].y + 18 + 30 * n];
    const port = (n) => [block.x, block.y + 60 + 123 * n];
    const home = { x: W - 196, w: 190, h: 96 };
    return { isWide: true, W, H: 412, at, block, outlet, port, home: (stream) => ({ ...home, y: at[stream].y }) };
  }
  const W = Math.max(width, 300);
  const box = { w: W / 2 - 10, h: 70 };
  const at = { encoder: { x: 2, y: 4, ...box }, decoder: { x: W / 2 + 8, y: 4, ...box } };
  const block = { x: 2, y: 168, w: W - 4, h: 170 };
  const outlet = (stream, n) => [at[stream].x + box.w * (0.2 + 0.3 * n), at[stream].y + box.h];
  const port = (n) => [block.x + block.w * (0.17 + 0.33 * n), block.y];
  const home = { w: box.w, h: 70, y: 396 };
  return { isWide: false, W, H: 474, at, block, outlet, port, home: (stream) => ({ ...home, x: at[stream].x }) };
}

class Plugs {
  constructor(root) {
    this.root = root;
    this.resized = () => !this.dragged && this.draw();
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    this.data = data;
    this.sources = { ...data.sources };
    this.draw();
    this.root.dataset.sources = JSON.stringify(this.sources);
    this.root.dataset.painted = "true";
  }

  plug(port, stream) {
    if (this.sources[port] === stream) return this.draw();
    this.sources[port] = stream;
    this.focused = port;
    this.draw();
    this.root.dataset.sources = JSON.stringify(this.sources);
    this.send("plug", [port, stream]);
  }

  draw() {
    const { data, sources } = this;
    const p = (this.plan = plan(this.root.clientWidth - 4));
    const known = JSON.stringify(sources) === JSON.stringify(data.sources);
    const out = known ? data.outputs : undefined; // undefined: the server has not answered yet
    const isNothing = out === null;
    const nodes = [...STREAMS.flatMap((stream) => this.stream(stream)), ...inside(p, isNothing), ...this.home(out)];
    this.picture = svg("svg", { viewBox: `0 0 ${p.W} ${p.H}`, role: "group", "aria-label": data.alt }, ...nodes);
    const room = windowHeight(this.root) - 308; // it is enlarged as far as all of it stays on the screen
    this.picture.style.maxWidth = `${p.W * (p.isWide ? Math.max(1, room / p.H) : 1)}px`;
    PORTS.forEach((port, n) => this.picture.append(...this.cable(port, n, isNothing)));
    const hint = "Drag a plug to the other box, or click it. With the keyboard: Tab, then Space.";
    this.root.replaceChildren(this.picture, el("p.hint", hint));
    if (this.focused) this.picture.querySelector(`[data-port=${this.focused}]`)?.focus({ preventScroll: true });
  }

  /** The box of a stream, with its vectors. */
  stream(stream) {
    const p = this.plan;
    const b = p.at[stream];
    const n = this.data.lengths[stream];
    const up = p.isWide ? 0 : -10;
    const step = Math.min(11, (b.w - 46) / n);
    const sizes = { y: b.y + 66 + 1.4 * up, width: step - 3, height: p.isWide ? 16 : 9, rx: 2 };
    return [
      rect(b, "stream"),
      svg("text.name", { x: b.x + 16, y: b.y + 34 + up }, stream),
      svg("text.quiet", { x: b.x + 16, y: b.y + 56 + up }, `${n} vectors`),
      ...Array.from({ length: n }, (_, i) => svg("rect.vector", { x: b.x + 16 + step * i, ...sizes })),
    ];
  }

  /** What comes out, mixed values in green, and the stream that they are added to: where they fit. */
  home(out) {
    const { data, sources, plan: p } = this;
    const { lengths } = data;
    const { block } = p;
    const home = p.home(data.home);
    const fits = out === lengths[data.home];
    const state = out === undefined ? "waiting" : fits ? "" : "wrong";
    const from = p.isWide ? [block.x + block.w - 14, p.port(2)[1]] : [block.x + block.w * 0.65, block.y + 162];
    const to = p.isWide ? [home.x, home.y + home.h / 2] : [home.x + home.w / 2, home.y];
    const counts = {
      null: `${lengths[sources.keys]} weights, ${lengths[sources.values]} values`,
      undefined: "…",
    };
    const added = fits ? `${out} vectors are added` : `${out} do not fit ${lengths[data.home]}`;
    const name = out === null ? "nothing comes out" : `+ ${data.home}`;
    return [
      ...(out === null ? [] : cable(from, to, `out ${state}`, p.isWide)),
      rect(home, `home ${state}`),
      svg("text.name", { x: home.x + 16, y: home.y + (p.isWide ? 34 : 28) }, name),
      svg("text.quiet", { x: home.x + 16, y: home.y + (p.isWide ? 58 : 50) }, counts[out] ?? added),
    ];
  }

  /** A port, its cable, and the plug at the far end. */
  cable(port, n, isNothing) {
    const p = this.plan;
    const to = p.port(n);
    const stream = this.sources[port];
    const from = p.outlet(stream, n);
    const wrong = isNothing && port !== "queries" ? "wrong" : "";
    const line = svg("path", { d: curve(from, to, p.isWide), class: `cable ${HUES[port]} ${wrong}` });
    const name = svg("g", { class: HUES[port] });
    const [x, y] = to;
    name.append(
      svg("circle.socket", { cx: x, cy: y, r: 8 }),
      p.isWide
        ? svg("text.port", { x: x + 18, y: y + 5 }, port)
        : svg("text.port.middle", { x, y: y + 28 }, LETTERS[port] + " " + port),
    );
    const next = other(stream);
    const plug = svg(
      "g",
      {
        class: `plug ${HUES[port]}`,
        tabindex: 0,
        role: "button",
        "data-port": port,
        "aria-label": `${LETTERS[port]}: ${port} come from the ${stream}. Plug into the ${next}`,
        onkeydown: (e) => {
          if (![" ", "Enter", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"].includes(e.key)) return;
          e.preventDefault();
          this.plug(port, next);
        },
        onfocus: () => (this.focused = port),
        onblur: () => (this.focused = null),
        onpointerdown: (e) => this.drag(e, port, n, line, plug),
      },
      svg("circle.reach", { cx: from[0], cy: from[1], r: 22 }),
      svg("circle.head", { cx: from[0], cy: from[1], r: 11.5 }),
      svg("text.letter", { x: from[0], y: from[1] + 5 }, LETTERS[port]),
    );
    return [line, name, plug];
  }

  drag(event, port, n, line, plug) {
    if (event.button) return;
    event.preventDefault();
    plug.focus({ preventScroll: true });
    const p = this.plan;
    const home = p.outlet(this.sources[port], n);
    const scale = p.W / this.picture.getBoundingClientRect().width;
    const start = [event.clientX, event.clientY];
    let at = home,
      moved = false;
    this.dragged = true;
    const move = (e) => {
      const [dx, dy] = [(e.clientX - start[0]) * scale, (e.clientY - start[1]) * scale];
      moved ||= Math.hypot(dx, dy) > 5;
      at = [home[0] + dx, home[1] + dy];
      plug.setAttribute("transform", `translate(${dx} ${dy})`);
      line.setAttribute("d", curve(at, p.port(n), p.isWide));
    };
    drag(move, (e) => {
      this.dragged = false;
      if (e.type === "pointercancel") return this.draw();
      if (!moved) return this.plug(port, other(this.sources[port]));
      const near = (stream) => Math.hypot(p.outlet(stream, n)[0] - at[0], p.outlet(stream, n)[1] - at[1]);
      this.plug(port, near("encoder") < near("decoder") ? "encoder" : "decoder"); // it snaps to the nearer one
    });
  }
}

const rect = ({ x, y, w, h }, classes, rx = 12) => svg("rect", { x, y, width: w, height: h, rx, class: classes });

/** The block: queries and keys make attention weights, which mix the values. */
function inside(p, isNothing) {
  const { block } = p;
  const [q, k, v] = PORTS.map((_, n) => p.port(n));
  const mix = `mix ${isNothing ? "wrong" : ""}`;
  const small = (x, y, words) => svg("text.middle.small", { x, y }, words);
  if (p.isWide) {
    const x = block.x + block.w - 96;
    return [
      rect(block, "block"),
      svg("text.quiet.middle", { x: block.x + block.w / 2, y: block.y - 7 }, "attention"),
      arrow([q[0] + 84, q[1]], [x, q[1] + 34]),
      arrow([k[0] + 84, k[1]], [x, q[1] + 58]),
      rect({ x, y: q[1] + 22, w: 82, h: 48 }, "weights", 9),
      small(x + 41, q[1] + 42, "attention"),
      small(x + 41, q[1] + 58, "weights"),
      arrow([x + 41, q[1] + 72], [x + 41, v[1] - 20]),
      arrow([v[0] + 84, v[1]], [x - 2, v[1]]),
      rect({ x, y: v[1] - 18, w: 82, h: 36 }, mix, 9),
      small(x + 41, v[1] + 5, "mix"),
    ];
  }
  const y = block.y + 74;
  const across = (share) => block.x + block.w * share;
  return [
    rect(block, "block"),
    arrow([q[0], q[1] + 44], [q[0] + 10, y]),
    arrow([k[0], k[1] + 44], [k[0] - 30, y]),
    rect({ x: block.x + 14, y, w: block.w * 0.56, h: 34 }, "weights", 9),
    small(across(0.28) + 14, y + 22, "attention weights"),
    arrow([across(0.3), y + 36], [across(0.5), y + 58]),
    arrow([v[0], v[1] + 44], [v[0] - 14, y + 58]),
    rect({ x: across(0.4), y: y + 58, w: block.w * 0.5, h: 30 }, mix, 9),
    small(across(0.65), y + 78, "mix"),
  ];
}

/** A cable that hangs from one point to another. */
function curve([x1, y1], [x2, y2], isWide) {
  const [dx, dy] = isWide ? [Math.max(30, (x2 - x1) * 0.45), 0] : [0, Math.max(24, (y2 - y1) * 0.5)];
  return `M${x1} ${y1} C${x1 + dx} ${y1 + dy} ${x2 - dx} ${y2 - dy} ${x2} ${y2}`;
}

function cable(from, to, classes, isWide) {
  const tip = isWide ? [to[0] - 9, to[1]] : [to[0], to[1] - 9];
  return [svg("path", { d: curve(from, tip, isWide), class: `cable ${classes}` }), head(from, to, isWide, classes)];
}

function head(_from, [x, y], isWide, classes) {
  const d = isWide
    ? `M${x - 11} ${y - 7}L${x} ${y}L${x - 11} ${y + 7}Z`
    : `M${x - 7} ${y - 11}L${x} ${y}L${x + 7} ${y - 11}Z`;
  return svg("path", { d, class: `tip ${classes}` });
}

/** A thin line with an arrowhead. */
function arrow([x1, y1], [x2, y2]) {
  const a = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn) => `${x2 - 8 * Math.cos(a + turn)} ${y2 - 8 * Math.sin(a + turn)}`;
  return svg("path.inner", { d: `M${x1} ${y1}L${x2} ${y2}M${side(0.45)}L${x2} ${y2}L${side(-0.45)}` });
}

export default mount(".wiring-plugs", Plugs);
