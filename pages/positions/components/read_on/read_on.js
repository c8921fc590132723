// Models read on past their training length. Each is a lane: a wall as high as its answers are right, a line at chance.
// One text lies above all lanes; the hand pulls its end, and the walls follow. It opens where training ended and asks
// for a bet, the press of a name: nothing further on is seen before it was read. At the end the lanes are ranked, and
// the one that is pressed says why it holds or falls.

import {
  el,
  mirror,
  mount,
  param,
  pointIn,
  put,
  still,
  svg,
  wholeParam,
  wholePercent,
  write,
} from "../../../../attention_view/lab.js";
import { drag, firstBeat, inRow, tween } from "../../../../attention_view/controls.js";
import { answers, asks, ranked, worst } from "./bet.js";

const BEAT = 3000; // milliseconds of reading as far as in training, once, and then on to the end
const SLIP = 5; // pixels that a press on a lane may move before it pulls the text
const GAP = 0.07; // of a block, before the next

/** The share at a point that may lie between two, or null past the last one. */
export function shareAt(shares, at) {
  if (at > shares.length - 1) return null;
  const n = Math.floor(at);
  return n === at ? shares[n] : shares[n] + (at - n) * (shares[n + 1] - shares[n]);
}

/** A wall of blocks, each one unit wide, and as high as its share. */
export function wallOf(shares) {
  return shares.map((high, n) => `M${n} 1v${(-high).toFixed(4)}h${1 - GAP}v${high.toFixed(4)}z`).join("");
}

class ReadOn {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      write("pos_read_to", this.isUnread ? null : this.length(this.at)); // a link gives away no end that nobody read
      write("pos_reader", this.lines[this.chosen]?.name ?? "", "");
    }, 200);
    this.chosen = this.bet = null;
    this.say = el("p.finding", { role: "status" });
    this.play = el("button.primary", { onclick: () => this.next() });
    this.why = el("p.why.quiet");
    this.knob = el("b.knob");
    this.text = el(
      "div.text",
      {
        role: "slider",
        tabindex: "0",
        "aria-label": "Tokens up to which the models read",
        onpointerdown: (event) => this.pull(event, 0),
        onkeydown: (event) => {
          const to = inRow(event, Math.round(this.at), this.last + 1, 1);
          if (to !== null) this.go(to);
        },
      },
      this.knob,
      el("span.pull", { "aria-hidden": "true" }, "pull it longer →"),
    );
    this.lanes = el("div.lanes");
    const known = el("span", el("i", "as in "), "training");
    const beyond = el("span", "longer", el("i", " than any text it learned from"));
    const head = el("div.head", el("b", "The text"), this.text);
    this.board = el("div.board", head, this.lanes, el("p.foot", known, beyond, el("b", "right", el("i", " answers"))));
    root.replaceChildren(el("div.headline", this.say, this.play), this.why, this.board);
  }

  destroy() {
    this.stop?.();
  }

  /** Whether the end was never seen. */
  get isUnread() {
    return this.far < this.last;
  }

  /** The last point of a text as long as in training. */
  get home() {
    return this.trained / this.step - 1;
  }

  length = (at) => Math.round(at + 1) * this.step;

  update(data, { setTriggerValue }) {
    this.open = (name) => setTriggerValue("open", name);
    const id = JSON.stringify(data);
    if (id === this.id) return;
    Object.assign(this, data, { id });
    const reader = this.lines.findIndex(({ name }) => name === param("pos_reader"));
    this.chosen = reader < 0 ? null : reader;
    this.last = Math.max(...this.lines.map(({ shares }) => shares.length)) - 1;
    const asked = wholeParam("pos_read_to", (this.last + 1) * this.step + 1);
    const isFresh = asked === null && this.chosen === null;
    this.far = isFresh ? 0 : this.last;
    this.build();
    this.show(isFresh ? this.home : asked === null ? this.last : Math.max(0, Math.ceil(asked / this.step) - 1));
    if (!isFresh) return;
    const begin = () => this.read(0, this.home);
    this.endBeat = firstBeat("read-on", BEAT, begin, () => this.go(this.home));
  }

  build() {
    this.parts = this.lines.map((line, n) => this.makeLane(line, n));
    const edge = el("i.edge", { "aria-hidden": "true" });
    const end = el("i.end", { "aria-hidden": "true" });
    const guess = el("span.guess", `guessing: ${wholePercent(this.chance)}`);
    this.lanes.replaceChildren(...this.parts.map(({ node }) => node), el("div.over", edge, end, guess));
    this.board.style.setProperty("--chance", this.chance);
    this.board.style.setProperty("--trained", (this.home + 1) / (this.last + 1));
    this.board.style.setProperty("--n", this.lines.length);
  }

  /** A model: its name, its wall, as far as it was read and in pale beyond, and how often it is right. */
  makeLane({ name, shares }, n) {
    const wall = (kind) => {
      const props = { viewBox: `0 0 ${this.last + 1} 1`, preserveAspectRatio: "none", "aria-hidden": "true" };
      return svg(`svg.${kind}`, props, svg("path", { d: wallOf(shares) }));
    };
    const [number, mark, stops] = [el("b.number"), el("small"), el("span.stops")];
    const track = el("span.track", wall("ahead"), wall("wall"), stops);
    const hands = { onpointerdown: (event) => this.pull(event, SLIP), onclick: (event) => this.pressed(event, n) };
    return { node: el("button.lane", hands, el("span.name", name, mark), track, number), number, mark, stops };
  }

  // ---- what hands do ----------------------------------------------------------------------------------------------

  /** The dark button: on to the end, then why one falls, and into it. */
  next() {
    const { opens, name } = this.lines[this.chosen] ?? {};
    if (this.isUnread && still()) this.go(this.last);
    else if (this.isUnread) this.read(Math.max(this.at, this.home), this.last);
    else if (opens) this.open(name);
    else this.choose(this.chosen ?? worst(this.lines));
  }

  read(from, to) {
    this.stop?.();
    this.stop = tween(BEAT, (share) => (share < 1 ? this.show(from + share * (to - from)) : this.go(to)));
  }

  go(at) {
    this.stop?.();
    this.show(Math.max(0, Math.min(this.last, at)));
    this.link.later();
  }

  /** A press on a lane; the click at the end of a pull is none, but a key is, whatever was pulled before. */
  pressed({ detail }, n) {
    if (!detail || !this.isPulled) this.choose(n);
  }

  /** A bet before the end was read; then the lane that the words are about, until it is pressed once more. */
  choose(n) {
    const kind = this.isUnread ? "bet" : "chosen";
    this[kind] = this[kind] === n ? null : n;
    this.show(this.at);
    this.link.later();
  }

  /** The text is pulled as far as the hand goes; on a lane, once it has moved so far that it means no press. */
  pull(event, slip) {
    if (event.button) return;
    const from = event.clientX;
    this.isPulled = false;
    const to = (moved) => {
      this.isPulled ||= Math.abs(moved.clientX - from) >= slip;
      if (this.isPulled) this.go((pointIn(moved, this.text)[0] / this.text.clientWidth) * (this.last + 1) - 1);
    };
    to(event);
    this.endDrag = drag(to, () => this.isPulled && this.go(Math.round(this.at)));
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  show(at) {
    this.at = at;
    this.far = Math.max(this.far, at);
    const { lines, last, isUnread, bet, chosen } = this;
    this.board.style.setProperty("--read", (at + 1) / (last + 1));
    this.board.style.setProperty("--far", (this.far + 1) / (last + 1));
    const order = isUnread ? [...lines.keys()] : ranked(lines);
    this.parts.forEach(({ node, number, mark, stops }, n) => {
      const share = shareAt(lines[n].shares, at);
      write(number, share === null ? "✕" : wholePercent(share));
      write(stops, share === null ? "stops: its table ends here" : "");
      write(mark, n === bet ? "your bet" : "");
      put(node, { "aria-pressed": String(n === (isUnread ? bet : chosen)), style: `--place: ${order.indexOf(n)}` });
    });
    write(this.knob, String(this.length(at)));
    this.tell();
    this.describe(order);
  }

  /** The question, what came of the bet, or the lane that was pressed; and what the button does next. */
  tell() {
    const { isUnread, lines, bet, chosen } = this;
    const line = isUnread ? undefined : lines[chosen];
    const told = () => (bet === null ? this.finding : answers(this));
    write(this.say, line?.finding ?? (isUnread ? asks(this) : told()));
    write(this.why, line?.why ?? ((!isUnread && this.aside) || this.task));
    this.why.classList.toggle("quiet", isUnread || Boolean(line));
    const onward = line ? `Inside ${line.name} →` : `Why does ${lines[worst(lines)].name} fail?`;
    write(this.play, isUnread ? `Pull it to ${this.length(this.last)}` : onward);
    this.play.disabled = Boolean(line && !line.opens);
    this.root.dataset.way = line?.name ?? "";
    this.board.classList.toggle("asks", isUnread);
  }

  /** What a screen reader, and the page, hear of the lanes. */
  describe(order) {
    const read = this.length(this.at);
    const said = order.map((n) => `${this.lines[n].name} ${this.parts[n].number.textContent.replace("✕", "stops")}`);
    const text = `${read} tokens: ${said.join(", ")}`;
    put(this.text, {
      "aria-valuemin": this.step,
      "aria-valuemax": this.length(this.last),
      "aria-valuenow": read,
      "aria-valuetext": text,
    });
    Object.assign(this.root.dataset, { at: read, said: text });
  }
}

export default mount(".read-on", ReadOn);
