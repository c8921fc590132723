// Equal words on a ruler of positions, one of which looks at all. One of three ways to tell it where they are is shown
// large: the marks on the words, and what attention weights come of them. The hand pushes the ruler: do bars change?

import {
  boxOf,
  brief,
  el,
  mirror,
  mount,
  param,
  pointIn,
  put,
  still,
  unpack,
  wholeParam,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, smoothly, tween } from "../../../../attention_view/controls.js";
import { Lane, makeTab } from "./lanes.js";
import { changeOf, finding, isNoticed, LANES, nameOf, rowOf, WAYS, weightsAt, wordUnder } from "./moved.js";

const MOVING = 1500; // milliseconds that the ruler takes to another position
const BEAT = 2600; // milliseconds in which the ring goes from word to word, once
const FAR = "too far"; // what is opened when all three were pushed

class MovedWords {
  constructor(root) {
    this.root = root;
    this.over = null;
    this.link = mirror((write) => {
      write("pos_start", this.start, 0);
      write("pos_looks", this.looking, this.middle);
      write("pos_lane", this.lane, LANES[0]);
      for (const gone of ["pos_added_by", "pos_priced_by"]) write(gone, null);
    }, 200);
    this.known = {}; // by how much the bars of each lane changed that was pushed
    this.say = el("p.finding", { role: "status" });
    this.play = el("button.primary", { onclick: () => this.next() });
    this.resized = () => this.n && this.draw();
  }

  destroy() {
    this.halt?.();
  }

  update(bytes, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    const isFirst = !this.header;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      Object.assign(this, { header, arrays, n: arrays.weights.shape[2], starts: arrays.weights.shape[1], known: {} });
      this.middle = Math.floor(this.n / 2);
      if (isFirst) this.begin();
    }
    this.draw();
    if (isFirst && ["pos_start", "pos_looks", "pos_lane"].every((name) => param(name) === null)) this.beat();
  }

  /** As the link has it. */
  begin() {
    this.lane = LANES.find((lane) => lane === param("pos_lane")) ?? LANES[0];
    this.place = this.start = Math.min(wholeParam("pos_start") ?? 0, this.starts - 1);
    this.looking = Math.min(wholeParam("pos_looks") ?? this.middle, this.n - 1);
    this.build();
  }

  /** The first beat: the ring goes from word to word, and all bars with it. */
  beat() {
    const begin = () => {
      this.root.dataset.beat = "moves";
      const back = Array.from({ length: this.n - 1 - this.middle }, (_, n) => this.n - 2 - n);
      const way = [...Array(this.n).keys(), ...back];
      this.halt = tween(BEAT, (share) => this.look(way[Math.round(share * (way.length - 1))]));
    };
    const end = () => {
      delete this.root.dataset.beat;
      this.halt?.();
      this.look(this.middle);
    };
    this.endBeat = firstBeat("moves", BEAT, begin, end);
  }

  // ---- parts ------------------------------------------------------------------------------------------------------

  build() {
    const { n } = this;
    this.tabs = LANES.map((lane) => makeTab(lane, WAYS[lane], () => this.take(lane)));
    this.pictures = Object.fromEntries(LANES.map((lane) => [lane, this.makePicture(lane)]));
    const column = el("i.column", { "aria-hidden": "true" });
    const shown = Object.values(this.pictures).map(({ node }) => node);
    this.board = el("div.board", { onpointerleave: () => this.point(null) }, this.makeRail(), this.makeTape(), column);
    this.board.append(...shown);
    this.board.style.setProperty("--n", n);
    const mark = (kind, says) => el("span", el(`i.${kind}`, { "aria-hidden": "true" }), says);
    this.inside = el("button.door", { onclick: () => this.open(WAYS[this.lane]) });
    const legend = el(
      "p.legend",
      mark("looks", "this word looks"),
      mark("bar", "its attention weight on each word"),
      mark("ghost", "before the push"),
      this.inside,
    );
    const tabs = el("div.tabs", { role: "group", "aria-label": "Ways to tell a word its position" });
    tabs.append(...this.tabs.map(({ node }) => node));
    this.root.replaceChildren(el("div.headline", this.say, this.play), tabs, this.board, legend);
  }

  makePicture(lane) {
    const picture = new Lane(lane, this.n);
    picture.node.onpointermove = (event) =>
      this.point(wordUnder(pointIn(event, picture.node)[0] / picture.node.clientWidth, this.n));
    return picture;
  }

  /** The words, and the ring around the one that looks. */
  makeRail() {
    const { n, header } = this;
    this.rail = el(
      "div.rail",
      {
        role: "slider",
        tabindex: "0",
        "aria-label": "Word that looks",
        "aria-valuemin": 1,
        "aria-valuemax": n,
        onpointerdown: (event) => this.holdRing(event),
        onkeydown: (event) => this.walk(event, this.looking, n, (to) => this.look(to)),
      },
      el("i.line"),
      ...Array.from({ length: n }, () => el("span", header.word)),
      el("i.ring", { "aria-hidden": "true" }),
    );
    return this.rail;
  }

  /** The scale of positions, which slides below the words. */
  makeTape() {
    const ticks = Array.from({ length: this.starts - 1 + this.n }, (_, place) => {
      const tick = el("span", String(place));
      tick.style.setProperty("--at", place);
      return tick;
    });
    this.tape = el(
      "div.tape",
      {
        role: "slider",
        tabindex: "0",
        "aria-label": "Position of the first word",
        "aria-valuemin": 0,
        "aria-valuemax": this.starts - 1,
        onpointerdown: (event) => this.holdTape(event),
        onkeydown: (event) => this.walk(event, this.start, this.starts, (to) => this.moveTo(to)),
      },
      el("div.ticks", ...ticks),
    );
    return this.tape;
  }

  // ---- what hands do ----------------------------------------------------------------------------------------------

  walk(event, at, size, act) {
    const next = inRow(event, at, size);
    if (next !== null) act(next);
  }

  /** What the dark button does, as [what it says, what happens]: the push, then the next way, and at last how far all
   * of them reach. */
  nextStep() {
    if (!this.start) return [`Push it ${this.header.step} places`, () => this.moveTo(this.header.step, MOVING)];
    const next = LANES.find((lane) => lane !== this.lane && !(lane in this.known));
    if (next) return [`Next: ${nameOf(next)}`, () => this.take(next)];
    return ["Which reads longer texts? →", () => this.open(FAR)];
  }

  next() {
    this.nextStep()[1]();
  }

  /** This way is shown, before a push. */
  take(lane) {
    this.lane = lane;
    this.moveTo(0);
  }

  look(word) {
    this.looking = word;
    this.draw();
    this.link.later();
  }

  point(word) {
    if (word === this.over) return;
    this.over = word;
    this.draw();
  }

  /** All words begin at another position: at once, or within so many milliseconds. */
  moveTo(start, milliseconds = 0) {
    this.halt?.();
    const from = this.place;
    this.start = start;
    const arrive = (share) => {
      this.place = share === 1 ? start : from + smoothly(share) * (start - from);
      this.draw();
    };
    if (milliseconds && from !== start && !still()) this.halt = tween(milliseconds, arrive);
    else arrive(1);
    this.link.later();
  }

  // A mouse takes hold of a slider by itself; a focus that is set here would draw a ring as a key does.

  holdRing(event) {
    if (event.button) return;
    const to = (at) => this.look(wordUnder(pointIn(at, this.rail)[0] / this.rail.clientWidth, this.n));
    to(event);
    this.endDrag = drag(to, to);
  }

  holdTape(event) {
    if (event.button) return;
    const [from, start] = [pointIn(event, this.tape)[0], this.start];
    const to = (at) => {
      const by = ((from - pointIn(at, this.tape)[0]) / this.tape.clientWidth) * this.n;
      this.moveTo(Math.max(0, Math.min(this.starts - 1, Math.round(start + by))));
    };
    this.endDrag = drag(to, to);
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  /** The weights of a way from every start. */
  weightsOf(way) {
    const { starts, n } = this,
      at = this.header.ways.indexOf(way) * starts * n * n;
    return this.arrays.weights.subarray(at, at + starts * n * n);
  }

  /** The largest weight that this word gives anywhere: bars keep their scale as the ruler moves. */
  largestOf(table) {
    const rows = Array.from({ length: this.starts }, (_, start) => weightsAt(table, this.n, start, this.looking));
    return Math.max(...rows.flat());
  }

  /** What the lane draws, with its words at this place. */
  seen() {
    const { n, looking, over, header, arrays, lane, place } = this,
      way = WAYS[lane],
      table = this.weightsOf(way),
      now = weightsAt(table, n, place, looking),
      before = weightsAt(table, n, 0, looking);
    const isMoving = place !== this.start;
    const seen = {
      now,
      before,
      over,
      looking,
      isMoving,
      largest: this.largestOf(table),
      change: changeOf(before, now),
    };
    if (lane === "turned") return { ...seen, turn: header.turn, start: place };
    if (lane === "priced") return { ...seen, prices: Array.from(arrays.prices) };
    const [, numbers] = arrays.codes.shape;
    const codes = Array.from({ length: n }, (_, word) => rowOf(arrays.codes, numbers, place + word));
    return { ...seen, codes, largestCode: arrays.codes.reduce((most, x) => Math.max(most, Math.abs(x)), 0) };
  }

  draw() {
    const { place, start, looking, n, lane, known } = this,
      isOpen = !start || place !== start,
      seen = this.seen(),
      { node } = this.pictures[lane];
    if (!isOpen) known[lane] = seen.change.by;
    for (const one of LANES) this.pictures[one].node.toggleAttribute("hidden", one !== lane);
    const { width, height } = boxOf(node);
    if (width) this.pictures[lane].draw(seen, width, height);
    const weights = seen.now.map((weight) => brief(weight)).join(", ");
    put(node, {
      "aria-label": `${WAYS[lane]}: attention weights of word ${looking + 1} on words 1 to ${n}: ${weights}`,
    });
    this.tabs.forEach(({ node: tab, verdict }, k) => {
      const by = known[LANES[k]];
      put(tab, { "aria-pressed": String(LANES[k] === lane) });
      put(verdict, { class: isNoticed({ by: by ?? 0 }) ? "verdict yes" : "verdict" });
      write(verdict, by === undefined ? "" : isNoticed({ by }) ? "bars change" : "no bar moves");
    });
    this.board.style.setProperty("--looking", looking);
    this.board.style.setProperty("--place", place);
    this.root.classList.toggle("moved", place > 0);
    put(this.rail, { "aria-valuenow": looking + 1, "aria-valuetext": `word ${looking + 1} of ${n}` });
    put(this.tape, { "aria-valuenow": start, "aria-valuetext": `words at positions ${start} to ${start + n - 1}` });
    write(this.say, finding({ start: isOpen ? 0 : start, lane, change: seen.change, known }));
    write(this.play, this.nextStep()[0]);
    write(this.inside, `Inside ${WAYS[lane]} →`);
    Object.assign(this.root.dataset, { start, looking, lane, changed: seen.change.by });
  }
}

export default mount(".moved-words", MovedWords);
