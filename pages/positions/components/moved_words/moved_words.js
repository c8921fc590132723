// Equal words on a rail of positions, one of which looks at all. Three ways to tell it where they are lie below: the
// marks of each on the words, and what attention weights come of them. All words can be moved on: who notices?

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
import { choice, drag, firstBeat, inRow, smoothly, tween } from "../../../../attention_view/controls.js";
import { Lane, makeCard } from "./lanes.js";
import { changeOf, finding, isNoticed, LANES, NAMES, rowOf, USUAL, weightsAt, wordUnder } from "./moved.js";

const MOVING = 1500; // milliseconds that the words take to another position
const BEAT = 2600; // milliseconds in which the ring goes from word to word, once
const WAYS = { added: ["sinusoidal", "learned"], turned: ["rotary"], priced: ["ALiBi", "T5 relative"] };
const SHORT = { "T5 relative": "T5" };
const LINKS = ["pos_start", "pos_looks", "pos_added_by", "pos_priced_by"];

class MovedWords {
  constructor(root) {
    this.root = root;
    this.over = null;
    this.link = mirror((write) => {
      write("pos_start", this.start, 0);
      write("pos_looks", this.looking, this.middle);
      for (const lane of ["added", "priced"]) write(`pos_${lane}_by`, this.ways[lane], USUAL[lane]);
    }, 200);
    this.guess = null; // the lane that the reader expects to notice
    this.say = el("p.finding", { role: "status" });
    this.play = el("button.primary", { onclick: () => this.next() });
    this.resized = () => this.n && this.draw();
    this.sizes = new ResizeObserver(this.resized); // lanes grow once it is known who notices
  }

  destroy() {
    this.halt?.();
    this.sizes.disconnect();
  }

  update(bytes, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    const isFirst = !this.header;
    if (this.bytes !== bytes) {
      this.bytes = bytes;
      const { header, arrays } = unpack(bytes);
      Object.assign(this, { header, arrays, n: arrays.weights.shape[2], starts: arrays.weights.shape[1] });
      this.middle = Math.floor(this.n / 2);
      if (isFirst) this.begin();
    }
    this.draw();
    const isUsual = LINKS.every((name) => param(name) === null);
    if (isFirst && isUsual) this.beat();
  }

  /** As the link has it. */
  begin() {
    const known = (lane) => WAYS[lane].find((way) => way === param(`pos_${lane}_by`)) ?? USUAL[lane];
    this.ways = Object.fromEntries(LANES.map((lane) => [lane, known(lane)]));
    this.place = this.start = Math.min(wholeParam("pos_start") ?? 0, this.starts - 1);
    this.looking = Math.min(wholeParam("pos_looks") ?? this.middle, this.n - 1);
    this.build();
  }

  /** The first beat: the ring goes from word to word, and all bars with it. */
  beat() {
    const begin = () => {
      this.root.dataset.beat = "moves";
      const way = [
        ...Array(this.n).keys(),
        ...Array.from({ length: this.n - 1 - this.middle }, (_, n) => this.n - 2 - n),
      ];
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
    const hint = (says) => el("span.hint", says);
    this.lanes = LANES.map((name) => this.makeLane(name));
    this.board = el(
      "div.board",
      { onpointerleave: () => this.point(null) },
      el("div.head", el("b.query", "This word looks"), hint("drag the ring")),
      this.makeRail(),
      el("div.head", el("b", "Position"), hint("↔ drag the numbers")),
      this.makeTape(),
      el("i.column", { "aria-hidden": "true" }),
      ...this.lanes.flatMap(({ about, picture }) => [about, picture.node]),
    );
    this.board.style.setProperty("--n", n);
    this.lanes.forEach(({ about, picture }, k) =>
      [about, picture.node].forEach((part) => part.style.setProperty("--row", k + 3)),
    );
    const mark = (kind, says) => el("span", el(`i.${kind}`, { "aria-hidden": "true" }), says);
    const legend = el(
      "p.legend",
      mark("bar", "attention weight of the ringed word on each word"),
      mark("ghost", "before the move"),
    );
    this.root.replaceChildren(el("div.headline", this.say, this.play), this.board, legend);
    for (const { picture } of this.lanes) this.sizes.observe(picture.node);
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

  /** A mechanism: its card, the ways that have it, the door to the chosen one, and its picture. */
  makeLane(name) {
    const picture = new Lane(name, this.n);
    picture.node.onpointermove = (event) =>
      this.point(wordUnder(pointIn(event, picture.node)[0] / picture.node.clientWidth, this.n));
    const card = makeCard(name, () => this.expect(name));
    const ways = choice("div.ways", `Which way: ${name}`, (way) => this.take(name, way));
    ways.offer(WAYS[name].map((way) => [way, SHORT[way] ?? way]));
    const inside = el("button.door", { onclick: () => this.open(this.ways[name]) }, "inside →");
    return { name, picture, card, ways, inside, about: el("div.about", card.node, ways.node, inside) };
  }

  // ---- what hands do ----------------------------------------------------------------------------------------------

  walk(event, at, size, act) {
    const next = inRow(event, at, size);
    if (next !== null) act(next);
  }

  /** The dark button: there, or back to where all is still to be guessed. */
  next() {
    const isBack = this.start > 0;
    if (isBack) this.guess = null;
    this.moveTo(isBack ? 0 : this.header.step, MOVING);
  }

  /** The reader says which lane will notice; what is known is no guess. */
  expect(name) {
    if (this.start) return;
    this.guess = name;
    this.draw();
  }

  take(lane, way) {
    this.ways = { ...this.ways, [lane]: way };
    this.draw();
    this.link.later();
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

  /** The weights of a way from every start, and their largest: bars of a lane keep their scale as the words move. */
  weightsOf(way) {
    const { starts, n } = this,
      at = this.header.ways.indexOf(way) * starts * n * n;
    return this.arrays.weights.subarray(at, at + starts * n * n);
  }

  /** What a lane draws, with its words at this place. */
  seen(lane, place) {
    const { n, looking, over, header, arrays } = this,
      way = this.ways[lane],
      table = this.weightsOf(way),
      now = weightsAt(table, n, place, looking),
      before = weightsAt(table, n, 0, looking);
    const isMoving = place !== this.start;
    const seen = { now, before, over, looking, isMoving, largest: Math.max(...table), change: changeOf(before, now) };
    if (lane === "turned") return { ...seen, turn: header.turn, start: place };
    if (lane === "priced")
      return { ...seen, prices: Array.from(rowOf(arrays.prices, 2 * n - 1, header.prices.indexOf(way))) };
    const [, places, numbers] = arrays.codes.shape,
      from = header.codes.indexOf(way) * places * numbers,
      codes = arrays.codes.subarray(from, from + places * numbers);
    const of = Array.from({ length: n }, (_, word) => rowOf(codes, numbers, place + word));
    return { ...seen, codes: of, largestCode: codes.reduce((most, x) => Math.max(most, Math.abs(x)), 0) };
  }

  /** Who notices has most of the height, as soon as it is known. */
  grow(noticed) {
    const isTold = noticed.includes(true) && noticed.includes(false);
    this.lanes.forEach(({ picture, about }, k) => {
      const isLarge = isTold && noticed[k];
      this.board.style.setProperty(`--tall-${k}`, isLarge ? "2fr" : "1fr");
      picture.node.classList.toggle("large", isLarge);
      about.classList.toggle("settled", isTold && !isLarge);
    });
  }

  draw() {
    const { place, start, looking, n, header, guess } = this,
      isMoving = place !== start,
      isOpen = !start || isMoving,
      all = this.lanes.map(({ name }) => this.seen(name, place));
    this.grow(all.map(({ change }) => !isOpen && isNoticed(change)));
    const lanes = this.lanes.map(({ name, picture, card, ways, inside }, k) => {
      const [seen, way] = [all[k], this.ways[name]];
      const { width, height } = boxOf(picture.node);
      if (width) picture.draw(seen, width, height);
      const isYes = !isOpen && isNoticed(seen.change);
      picture.node.classList.toggle("calm", !isOpen && !isYes);
      write(card.says, NAMES[way][0]);
      put(card.node, { "aria-pressed": String(name === guess), "aria-disabled": String(start > 0) });
      put(card.verdict, { class: isYes ? "verdict yes" : "verdict" });
      write(card.verdict, isOpen ? "" : isYes ? "notices" : "does not notice");
      write(card.guess, name === guess ? "your guess" : "");
      ways.show(way);
      put(inside, { "aria-label": `inside ${way}` });
      const weights = seen.now.map((weight) => brief(weight)).join(", ");
      const label = `${way}: attention weights of word ${looking + 1} on words 1 to ${n}: ${weights}`;
      put(picture.node, { "aria-label": label });
      return { name, way, change: seen.change };
    });
    this.board.style.setProperty("--looking", looking);
    this.board.style.setProperty("--place", place);
    this.board.classList.toggle("moved", place > 0);
    if (place || guess || LANES.some((lane) => this.ways[lane] !== USUAL[lane])) this.board.classList.add("begun");
    put(this.rail, { "aria-valuenow": looking + 1, "aria-valuetext": `word ${looking + 1} of ${n}` });
    put(this.tape, { "aria-valuenow": start, "aria-valuetext": `words at positions ${start} to ${start + n - 1}` });
    write(this.say, finding({ start: isMoving ? 0 : start, step: header.step, guess, lanes }));
    write(this.play, start ? "Back to the start" : `Push it ${header.step} places`);
    const changed = lanes.map(({ change }) => change.by).join(",");
    Object.assign(this.root.dataset, { start, looking, ways: Object.values(this.ways).join(","), changed });
  }
}

export default mount(".moved-words", MovedWords);
