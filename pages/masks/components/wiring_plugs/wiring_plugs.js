// One attention with three ports, three cables to plug into the encoder or the decoder, the map that comes of it, and
// what the translator then writes. It opens with keys and values from the decoder's own text, and rests on what changes
// once they come from the encoder.

import { counted, el, mount, put, shorten, svg, windowHeight, write } from "../../../../attention_view/lab.js";
import { drag, firstBeat, smoothly, tween } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { curve, nearest, wayOut } from "./cables.js";
import { finding, isOf } from "./finding.js";
import { laid, lookMap, sentence } from "./look_map.js";

const PORTS = ["queries", "keys", "values"];
const STREAMS = ["encoder", "decoder"];
const LETTERS = { queries: "Q", keys: "K", values: "V" };
const HUES = { queries: "query", keys: "key", values: "value" };
const DOWN = [1, 0, 2]; // keys on top, queries in the middle, values below, as their words stand around the map
const CROSS = { queries: "decoder", keys: "encoder", values: "encoder" };
const SELF = { queries: "decoder", keys: "decoder", values: "decoder" };
const COMING = "Where does the English come in?";
const [BEAT, TRAVEL] = [3000, 500]; // milliseconds
const AROUND = 178; // pixels of a window around the picture and what is said above it
const ELBOW = 44; // pixels that the way out of the map takes beside what it leads to
const WRITTEN = 17; // pixels that a letter of what is written takes, where there is room
const WIDEST = 124; // pixels of a cell, where there is room
const inOrder = (sources) => PORTS.map((port) => sources[port]);
const other = (stream) => (stream === "encoder" ? "decoder" : "encoder");

const isWideFor = (width) => width >= 700;

/** Where everything stands, in pixels, as tall as its words ask for: streams left of the map, or above it where there
 * is little room; above all of it what comes of it, and of what is written from either stream two lines, one below the
 * other.
 *
 * words: of both streams; parts: what is said where the way ends, as [kind, text], and what goes before it, if anything
 * does */
export function plan(width, height, words, parts) {
  const isWide = isWideFor(width);
  const W = isWide ? width : Math.max(width, 300);
  const [letter, line] = isWide ? [9.8, 27] : [8.4, 23]; // pixels
  const box = { w: isWide ? Math.min(300, W * 0.2) : W / 2 - 10 };
  const told = Object.fromEntries(STREAMS.map((one) => [one, broken(words[one], Math.floor((box.w - 34) / letter))]));
  const most = Math.max(...STREAMS.map((one) => told[one].length));
  const heightOf = (lines) => Math.max(0, ...lines.map(({ y }) => y)) + 20;
  if (isWide) {
    const left = W * 0.3 + Math.max(88, W * 0.05); // beside the longest name of a port
    const x = left + ELBOW;
    const lines = saidIn(parts, W - x - 60, true).map((one) => ({
      x: one.kind.startsWith("label") ? left : x,
      ...one,
    }));
    const tall = heightOf(lines);
    const H = Math.max(420, Math.min(height, 0.62 * W), 2 * (52 + line * most) + 30 + tall);
    const high = H - tall; // of the streams and the map
    box.h = Math.max(Math.min(124, high * 0.32), 52 + line * most);
    const at = { encoder: { x: 2, y: tall + 4, ...box }, decoder: { x: 2, y: H - 4 - box.h, ...box } };
    const home = { x, y: 0, lines };
    const port = (n, map) => [W * 0.3, [map.y + map.h / 2, map.y - 14, map.y + map.h + 13][n]];
    const room = { x: left, y: tall + 0.15 * high, w: W - 44 - left, h: 0.7 * high };
    const outlet = (stream, n) => [at[stream].x + box.w, at[stream].y + box.h * (0.2 + 0.3 * DOWN[n])];
    return { isWide, W, H, at, told, line, outlet, port, room, home };
  }
  const lines = saidIn(parts, W - 4, false).map((one) => ({ x: 2, ...one }));
  const y = heightOf(lines);
  box.h = Math.max(128, 58 + line * most);
  const at = { encoder: { x: 2, y, ...box }, decoder: { x: W / 2 + 8, y, ...box } };
  const outlet = (stream, n) => [at[stream].x + box.w * (0.2 + 0.3 * n), at[stream].y + box.h];
  const port = (n) => [W * [0.08, 0.5, 0.92][n], y + box.h + 60];
  const room = { x: 2, y: y + box.h + 90, w: W - 8, h: 270 };
  return { isWide, W, H: room.y + room.h, at, told, line, outlet, port, room, home: { y: 0, lines } };
}

/** What is said, as [{kind, text, y}] per line, with its distance from above. What goes before a text stands beside its
 * first line, or above it where there is little room. */
function saidIn(parts, width, isWide) {
  const [step, letter] = isWide ? [40, WRITTEN] : [28, 12]; // pixels of a line, and of a letter
  let y = isWide ? 4 : 0;
  return parts.flatMap(([kind, text, before]) => {
    const isSmall = kind === "small";
    const lines = broken(text.split(" "), Math.floor(width / (isSmall ? 8.2 : letter)));
    if (before && !isWide) y += 32;
    const label = before
      ? [{ kind: kind === "big" ? "label.now" : "label", text: before, y: isWide ? y + step : y }]
      : [];
    return [...label, ...lines.map((words) => ({ kind, text: words, y: (y += isSmall ? 23 : step) }))];
  });
}

export class Plugs {
  constructor(root) {
    this.root = root;
    this.hint = el("p.hint");
    this.says = el("p.finding", { role: "status" });
    this.act = el("button.primary", { onclick: () => this.press() });
    this.stage = el("div");
    this.root.replaceChildren(el("div.headline", this.says, this.act), this.stage, this.hint);
    this.resized = () => !this.dragged && this.data && this.draw();
    this.presses = new Presses(() => ((this.sources = this.data.sources), this.resized()));
  }

  update(data, { setTriggerValue }) {
    const isFirst = !this.data;
    this.send = setTriggerValue;
    this.data = data;
    if (this.presses.isNews(inOrder(data.sources))) this.sources = data.sources;
    this.draw();
    this.root.dataset.painted = "true";
    if (isFirst && isOf(data.sources, CROSS) && data.written.encoder && this.root.clientWidth)
      this.endBeat = this.beat();
  }

  destroy() {
    this.stop?.();
  }

  /** Once, keys and values come from the decoder's own text; then their plugs go over into the encoder. */
  beat() {
    let timer;
    const begin = () => {
      this.root.dataset.beat = "plugs";
      this.sources = { ...SELF };
      this.draw();
      timer = setTimeout(() => this.travel(CROSS), BEAT - 2 * TRAVEL);
    };
    const end = () => {
      clearTimeout(timer);
      this.stop?.();
      delete this.root.dataset.beat;
      Object.assign(this, { sources: { ...CROSS }, slide: 1 });
      this.says.replaceChildren(); // what stands there already would not be heard
      this.draw();
    };
    return firstBeat("plugs", BEAT, begin, end);
  }

  /** The plugs of keys and values go over to other streams. */
  travel(sources) {
    this.sources = { ...sources };
    this.stop = tween(TRAVEL, (share) => {
      this.slide = smoothly(share);
      this.draw();
    });
  }

  /** The dark button: keys and values go from the encoder into the decoder, or all three to where cross-attention has
   * them. */
  press() {
    this.move(isOf(this.sources, CROSS) ? SELF : CROSS);
  }

  plug(port, stream) {
    if (this.sources[port] === stream) return this.draw();
    this.focused = port;
    this.move({ [port]: stream });
  }

  /** Plugs ports into other streams. The server hears of all three: of two messages at once only the later arrives. */
  move(moved) {
    this.sources = { ...this.sources, ...moved };
    this.presses.add(inOrder(this.sources));
    this.draw();
    this.send("plug", Object.entries(this.sources));
  }

  /** The map of the streams that now send queries and keys, with the words of those that send values. */
  get map() {
    const { maps, unheard } = this.data;
    const { queries, keys, values } = this.sources;
    if (this.isUnheard) return { ...unheard, values: unheard.columns };
    const map = maps.find((one) => one.queries === queries && one.keys === keys);
    return { ...map, values: maps.find((one) => one.keys === values).columns };
  }

  /** Whether the translator writes from its own text alone. */
  get isUnheard() {
    return Boolean(this.data.unheard) && isOf(this.sources, SELF);
  }

  /** The words of both streams: without the source, the decoder has another text. */
  get words() {
    const { words, unheard } = this.data;
    return this.isUnheard ? { ...words, decoder: unheard.rows } : words;
  }

  draw() {
    const { data, sources } = this;
    if (!this.root.dataset.beat && isOf(sources, SELF)) this.hasTold = true;
    const out = isOf(sources, data.sources) ? data.outputs : undefined; // undefined: the server has not answered yet
    this.root.classList.toggle("wide", isWideFor(this.root.clientWidth - 4));
    const headline = this.says.parentNode.offsetHeight;
    const size = [this.root.clientWidth - 4, windowHeight(this.root) - AROUND - headline];
    const p = (this.plan = plan(...size, this.words, this.parts(out)));
    const { map } = this;
    const fits = map.values.length === map.columns.length;
    const room = (p.map = laid(map, p.room, p.isWide ? WIDEST : undefined));
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
    put(this.root, { "data-sources": JSON.stringify(sources) });
    this.root.dataset.map = `${map.rows.length} × ${map.columns.length}`;
    this.say(null);
    this.stage.replaceChildren(this.picture);
    this.tell(out, fits);
    if (this.focused) this.picture.querySelector(`[data-port=${this.focused}]`)?.focus({ preventScroll: true });
  }

  /** Below the picture: what a cell says, and whose weights these are. */
  say(words) {
    this.hint.replaceChildren(
      ...(words === null ? [] : [el("b", words), ` The weights are those of ${this.map.who}.`]),
    );
  }

  /** The box of a stream, with its words. */
  stream(stream) {
    const { at, told, line } = this.plan;
    const b = at[stream];
    const x = b.x + 14;
    return [
      rect(b, "stream"),
      svg("text.name", { x, y: b.y + 28 }, this.nameOf(stream)),
      ...told[stream].map((words, n) => svg("text.word", { x, y: b.y + 34 + line * (n + 1) }, words)),
    ];
  }

  nameOf(stream) {
    if (this.data.written.encoder === undefined) return stream;
    return { encoder: "encoder: the English", decoder: "decoder: the French" }[stream];
  }

  /** The finding, and what the button does. Nobody hears what the first beat says on its way. */
  tell(out, fits) {
    const { data, sources } = this;
    put(this.says, { "aria-live": this.root.dataset.beat ? "off" : "polite" });
    const isAsked = this.root.dataset.beat && isOf(sources, SELF); // what is written so is the reader's to find out
    const said = isAsked ? COMING : finding({ ...data, sources, out }, this.map, fits, this.hasTold);
    write(this.says, said);
    const hasEnglish = data.written.encoder !== undefined;
    const [go, back] = hasEnglish
      ? ["Pull the English out", "Put it back"]
      : ["Plug K and V into the decoder", "Put the plugs back"];
    write(this.act, isOf(sources, CROSS) ? go : back);
  }

  /** What comes back and where to: what the translator then writes, beside what it would write otherwise. */
  parts(out) {
    const { data, sources } = this;
    const isHeard = sources.keys === sources.values && sources.queries === "decoder";
    return isHeard && data.written.encoder ? this.writes(sources.keys) : this.comes(out);
  }

  /** That, and the arrow that leads to it. */
  home(out, room) {
    const { home, isWide } = this.plan;
    if (this.root.dataset.beat && isOf(this.sources, SELF)) return [];
    const big = home.lines.findLast(({ kind }) => kind === "big");
    const from = [room.x + room.w + 6, room.y + room.h / 2];
    const arrow =
      out === null || !isWide ? [] : wayOut(from, [home.x + 10 + 15 * big.text.length, home.y + big.y - 11]);
    const line = ({ kind, text, x, y }) => svg(`text.${kind}`, { x, y: home.y + y }, text);
    // What it would write with other plugs, nobody has asked for before the first press.
    const told = home.lines.filter(({ kind }) => this.hasTold || !["other", "label"].includes(kind));
    return [...arrow, ...told.map(line)];
  }

  /** What the translator writes with keys and values from either stream, in lines of one size; `stream` holds now. */
  writes(stream) {
    const from = {
      encoder: "With K and V from the English, it writes",
      decoder: "With K and V from its own text, it writes",
    };
    return STREAMS.map((one) => [one === stream ? "big" : "other", this.data.written[one], from[one]]);
  }

  /** What comes out of other wirings. */
  comes(out) {
    const { lengths, home } = this.data;
    if (out === undefined) return [["big", "…"]];
    if (out === null) return [["big", "nothing comes out"]];
    const fits = out === lengths[home];
    return [
      ["big", `${counted(out, "vector")} ${out === 1 ? "comes" : "come"} out`],
      ["small", fits ? `as many as the ${home} has words` : `but the ${home} has ${counted(lengths[home], "word")}`],
    ];
  }

  /** A port, its cable, and the plug at the far end. */
  cable(port, n, isWrong) {
    const p = this.plan;
    const to = p.port(n, p.map);
    const stream = this.sources[port];
    const from = this.between(p.outlet(other(stream), n), p.outlet(stream, n), port);
    const line = svg("path", { d: curve(from, to, p.isWide), class: `cable ${HUES[port]} ${isWrong ? "wrong" : ""}` });
    const [x, y] = to;
    const hold = (e) => this.drag(e, port, n, line, plug, true);
    const name = svg("g", { class: `grip ${HUES[port]}`, onpointerdown: hold });
    const anchor = p.isWide ? "" : [".start", ".middle", ".end"][n];
    const at = p.isWide ? { x: x + 16, y: y + 5 } : { x: [2, x, p.W - 2][n], y: y + 24 };
    const reach = svg("circle.reach", { cx: x, cy: y, r: 22 });
    name.append(reach, svg("circle.socket", { cx: x, cy: y, r: 7 }), svg(`text.port${anchor}`, at, port));
    if (p.isWide && !n && this.map.writes) name.append(svg("text.as", { x: x + 16, y: y + 24 }, "to write…"));
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
        onpointerdown: (e) => this.drag(e, port, n, line, plug, false),
      },
      svg("circle.reach", { cx: from[0], cy: from[1], r: 22 }),
      svg("circle.head", { cx: from[0], cy: from[1], r: 14 }),
      svg("text.letter", { x: from[0], y: from[1] + 5.5 }, LETTERS[port]),
    );
    return [line, name, plug];
  }

  /** Where a plug is on its way, of which `slide` is the share. */
  between(left, there, port) {
    const share = port === "queries" ? 1 : (this.slide ?? 1);
    return there.map((end, n) => left[n] + share * (end - left[n]));
  }

  /** A cable follows the hand, whichever end is held: what is dragged is its plug, for its socket stays at the map. */
  drag(event, port, n, line, plug, atSocket) {
    if (event.button || !plug.isConnected) return; // a press that ended the first beat is no more than that
    event.preventDefault();
    plug.focus({ preventScroll: true });
    const p = this.plan;
    const home = p.outlet(this.sources[port], n);
    const [encoder, decoder] = STREAMS.map((stream) => p.outlet(stream, n));
    const socket = p.port(n, p.map);
    const held = atSocket ? socket : home;
    const scale = p.W / this.picture.getBoundingClientRect().width;
    const start = [event.clientX, event.clientY];
    let at = held,
      moved = false;
    this.dragged = true;
    const move = (e) => {
      const [dx, dy] = [(e.clientX - start[0]) * scale, (e.clientY - start[1]) * scale];
      moved ||= Math.hypot(dx, dy) > 5;
      if (!moved) return;
      at = [held[0] + dx, held[1] + dy];
      plug.setAttribute("transform", `translate(${at[0] - home[0]} ${at[1] - home[1]})`);
      line.setAttribute("d", curve(at, socket, p.isWide));
    };
    this.endDrag = drag(move, (e) => {
      this.dragged = false;
      if (e.type === "pointercancel") return this.draw();
      if (!moved) return this.plug(port, other(this.sources[port]));
      // It snaps to the nearer one; what was taken at its socket and put back there has not moved.
      const end = nearest(at, { encoder, decoder, ...(atSocket ? { socket } : {}) });
      this.plug(port, end === "socket" ? this.sources[port] : end);
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

export default mount(".wiring-plugs", Plugs);
