// One attention with three ports, three cables to plug into the encoder or the decoder, and the map that comes of it.

import { el, mount, shorten, svg, windowHeight } from "../../../../attention_view/lab.js";
import { drag } from "../../../../attention_view/controls.js";
import { laid, lookMap, sentence } from "./look_map.js";

const PORTS = ["queries", "keys", "values"];
const STREAMS = ["encoder", "decoder"];
const LETTERS = { queries: "Q", keys: "K", values: "V" };
const HUES = { queries: "query", keys: "key", values: "value" };
const DOWN = [1, 0, 2]; // keys on top, queries in the middle, values below, as their words stand around the map
const HINT = "Drag a plug to the other box, or press it. Hover over a cell to read it.";
const other = (stream) => (stream === "encoder" ? "decoder" : "encoder");

/** Where everything stands, in pixels: streams left of the map, or above it where there is little room. */
export function plan(width, height) {
  if (width >= 700) {
    const [W, H] = [width, Math.max(430, Math.min(height, 0.62 * width))];
    const box = { w: Math.min(300, W * 0.21), h: Math.min(190, H * 0.31) };
    const at = { encoder: { x: 2, y: 4, ...box }, decoder: { x: 2, y: H - 4 - box.h, ...box } };
    const home = { x: W - 232, y: H / 2 - 58, w: 230, h: 116 };
    const port = (n, map) => [W * 0.35, [map.y + map.h / 2, map.y - 14, map.y + map.h + 13][n]];
    const room = { x: W * 0.4, y: 0, w: home.x - 90 - W * 0.4, h: H };
    const outlet = (stream, n) => [at[stream].x + box.w, at[stream].y + box.h * (0.24 + 0.26 * DOWN[n])];
    return { isWide: true, W, H, at, outlet, port, room, home };
  }
  const W = Math.max(width, 300);
  const box = { w: W / 2 - 10, h: 128 };
  const at = { encoder: { x: 2, y: 4, ...box }, decoder: { x: W / 2 + 8, y: 4, ...box } };
  const outlet = (stream, n) => [at[stream].x + box.w * (0.2 + 0.3 * n), at[stream].y + box.h];
  const port = (n) => [W * [0.08, 0.5, 0.92][n], 192];
  const room = { x: 2, y: 222, w: W - 56, h: 270 };
  return { isWide: false, W, H: 592, at, outlet, port, room, home: { x: 2, y: 504, w: W - 4, h: 84 } };
}

class Plugs {
  constructor(root) {
    this.root = root;
    this.hint = el("p.hint");
    this.resized = () => !this.dragged && this.data && this.draw();
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

  /** The map of the streams that now send queries and keys, with the words of those that send values. */
  get map() {
    const { maps } = this.data;
    const { queries, keys, values } = this.sources;
    const map = maps.find((one) => one.queries === queries && one.keys === keys);
    return { ...map, values: maps.find((one) => one.keys === values).columns };
  }

  draw() {
    const { data, sources } = this;
    const p = (this.plan = plan(this.root.clientWidth - 4, windowHeight(this.root) - 184));
    const known = JSON.stringify(sources) === JSON.stringify(data.sources);
    const out = known ? data.outputs : undefined; // undefined: the server has not answered yet
    const { map } = this;
    const fits = map.values.length === map.columns.length;
    const room = (p.map = laid(map, p.room));
    const say = (i, j) => this.say(i === undefined ? null : sentence(map, i, j));
    const drawn = lookMap(map, room, { fits, state: fits ? "whole" : "broken", say });
    this.picture = svg(
      "svg",
      { viewBox: `0 0 ${p.W} ${p.H}`, role: "group", "aria-label": data.alt },
      ...STREAMS.flatMap((stream) => this.stream(stream)),
      ...this.home(out, room),
    );
    PORTS.forEach((port, n) => this.picture.append(...this.cable(port, n, !fits && port !== "queries")));
    this.picture.append(...drawn);
    this.root.classList.toggle("wide", p.isWide);
    this.root.dataset.map = `${map.rows.length} × ${map.columns.length}`;
    this.say(null);
    this.root.replaceChildren(this.picture, this.hint);
    if (this.focused) this.picture.querySelector(`[data-port=${this.focused}]`)?.focus({ preventScroll: true });
  }

  /** Below the picture: what a cell says, or whose weights these are. */
  say(words) {
    const who = el("span.who", "Attention weights of ", this.map.who, ".");
    this.hint.replaceChildren(words === null ? HINT : el("b", words), " ", who);
  }

  /** The box of a stream, with its words. */
  stream(stream) {
    const p = this.plan;
    const b = p.at[stream];
    const words = this.data.words[stream];
    const [letter, line] = p.isWide ? [9.8, 27] : [8.4, 23]; // pixels
    const fit = Math.floor((b.w - 34) / letter); // letters in a line
    const room = Math.floor((b.h - 44) / line); // lines in the box
    const lines = broken(words, fit);
    if (lines.length > room) lines.splice(room - 1, lines.length, `${lines[room - 1].slice(0, fit - 2)} …`);
    const x = b.x + 14;
    return [
      rect(b, "stream"),
      svg("text.name", { x, y: b.y + 28 }, stream),
      ...lines.map((words, n) => svg("text.word", { x, y: b.y + 34 + line * (n + 1) }, words)),
    ];
  }

  /** What this wiring is, or why it is none, and the stream that its vectors are added to where they fit. */
  home(out, room) {
    const { data, plan: p } = this;
    const { home } = p;
    const fits = out === data.lengths[data.home];
    const state = out === undefined ? "waiting" : fits && data.name ? "" : "wrong";
    const [title, ...lines] = out === undefined ? ["…"] : this.verdict(out, fits);
    const from = p.isWide ? [room.x + room.w + 54, room.y + room.h / 2] : [home.x + home.w - 30, room.y + room.h + 8];
    const to = p.isWide ? [home.x, home.y + home.h / 2] : [home.x + home.w - 30, home.y];
    const [top, step] = p.isWide ? [36, 24] : [28, 21];
    return [
      ...(out === null || !p.isWide ? [] : cable(from, to, `out ${state}`)),
      rect(home, `home ${state}`),
      svg("text.title", { x: home.x + 18, y: home.y + top }, title),
      ...lines.map((line, n) => svg("text", { x: home.x + 18, y: home.y + top + 6 + step * (n + 1) }, line)),
    ];
  }

  /** A title and a line or two. */
  verdict(out, fits) {
    const { data, sources } = this;
    const { lengths, home, name } = data;
    if (out === null)
      return [
        "nothing comes out",
        `${lengths[sources.keys]} weights in each row,`,
        `but ${lengths[sources.values]} values to mix`,
      ];
    if (!fits) return ["it does not fit", `${out} vectors come out, but`, `the ${home} has ${lengths[home]} words`];
    if (!name) return ["it runs, and is wrong", "No Transformer has", "such an attention."];
    return [name, `${out} queries ask, ${out} vectors`, `come back to the ${home}`];
  }

  /** A port, its cable, and the plug at the far end. */
  cable(port, n, isWrong) {
    const p = this.plan;
    const to = p.port(n, p.map);
    const stream = this.sources[port];
    const from = p.outlet(stream, n);
    const line = svg("path", { d: curve(from, to, p.isWide), class: `cable ${HUES[port]} ${isWrong ? "wrong" : ""}` });
    const name = svg("g", { class: HUES[port] });
    const [x, y] = to;
    const anchor = p.isWide ? "" : [".start", ".middle", ".end"][n];
    const at = p.isWide ? { x: x + 16, y: y + 5 } : { x: [2, x, p.W - 2][n], y: y + 24 };
    name.append(svg("circle.socket", { cx: x, cy: y, r: 7 }), svg(`text.port${anchor}`, at, port));
    // where the words of these keys or values begin
    if (p.isWide && n) name.append(svg("line.feed", { x1: x + 26 + 9.6 * port.length, x2: p.map.x - 6, y1: y, y2: y }));
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
      svg("circle.head", { cx: from[0], cy: from[1], r: 14 }),
      svg("text.letter", { x: from[0], y: from[1] + 5.5 }, LETTERS[port]),
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
      line.setAttribute("d", curve(at, p.port(n, p.map), p.isWide));
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

/** Words in lines of at most so many letters. */
export function broken(words, most) {
  return words.reduce((lines, word) => {
    const last = lines.at(-1);
    const short = shorten(word);
    if (last !== undefined && last.length + 1 + short.length <= most) lines[lines.length - 1] = `${last} ${short}`;
    else lines.push(short);
    return lines;
  }, []);
}

/** A cable that hangs from one point to another. */
function curve([x1, y1], [x2, y2], isWide) {
  const [dx, dy] = isWide ? [Math.max(30, (x2 - x1) * 0.45), 0] : [0, Math.max(24, (y2 - y1) * 0.5)];
  return `M${x1} ${y1} C${x1 + dx} ${y1 + dy} ${x2 - dx} ${y2 - dy} ${x2} ${y2}`;
}

/** The way out of the map, with a tip. */
function cable(from, [x, y], classes) {
  return [
    svg("path", { d: curve(from, [x - 9, y], true), class: `cable ${classes}` }),
    svg("path", { d: `M${x - 11} ${y - 7}L${x} ${y}L${x - 11} ${y + 7}Z`, class: `tip ${classes}` }),
  ];
}

export default mount(".wiring-plugs", Plugs);
