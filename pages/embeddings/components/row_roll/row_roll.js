// A word of the text spins the table to the row with its id, and the row comes out. All text goes to textContent.

import { boxOf, el, fixed, mirror, mount, roomOf, still, svg, write } from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";
import { Bars, SHOWN } from "./bars.js";
import { Roll } from "./roll.js";
import { Pulling } from "./pulling.js";
import { Rows } from "./rows.js";
import { Words } from "./words.js";
import { drawWires } from "./wires.js";
import {
  aboutTable,
  chasing,
  litUpTo,
  many,
  nextAct,
  picks,
  renamed,
  slowing,
  spinTime,
  strange,
  undone,
} from "./rolling.js";

const FLIGHT = 700; // and in which all rows change their places
const NARROW = 760; // pixels, as the style sheet has it
const BEAT = 2000; // of the first beat
const FIRST_SPIN = 1500; // in it

const signature = ({ ids, labels, picture, own }) =>
  JSON.stringify([ids, own, picture.length, picture.slice(0, 400), labels]);

class RowRoll {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.data.token_url && put(this.data.token_url, this.token, 0));
    this.roll = new Roll(root, {
      held: () => this.hold(),
      turned: (place) => this.turned(place),
      pulled: (x) => this.pulling.by(x),
    });
    this.bars = new Bars();
    this.words = new Words({ choose: (at) => this.take(at), scrolled: () => this.drawWires() });
    this.pulling = new Pulling(this);
    this.counted = null; // the token whose number turns with the roll
    const n = (this.nodes = {});
    n.found = el("p.finding", { "aria-live": "polite" });
    n.act = el("button.primary", { onclick: () => this.act() });
    n.wires = svg("svg.wires", { "aria-hidden": "true" });
    n.row = this.bars.node;
    n.about = el("p.quiet");
    n.legend = el("span.legend");
    const parts = el("div.parts", this.words.node, el("div.table", this.roll.canvas), el("div.out", n.row));
    root.replaceChildren(n.wires, el("div.headline", n.found, n.act), parts, el("div.below", n.about, n.legend));
    this.resized = () => {
      if (!this.data || this.room === roomOf(root)) return;
      this.room = roomOf(root);
      const { values, isExact } = this.bars;
      if (values) this.drawBars(values, isExact);
      this.roll.draw();
      this.drawWires();
    };
  }

  update(data, { setTriggerValue }) {
    this.tell = setTriggerValue;
    const before = this.data;
    const isSame = before && signature(before) === signature(data);
    this.data = data;
    if (!isSame) {
      this.endBeat?.();
      this.stop?.();
      this.roll.flight = this.asked = null;
      Object.assign(this, { token: data.token, isShuffled: data.shuffled });
      this.takeNumbers();
    }
    this.roll.take(data, this.rows.lines); // colours of another theme, too
    this.room = roomOf(this.root);
    if (this.asked === data.shuffled) {
      this.asked = null;
      this.link.later(); // the server has written its own settings to the address, and no others
    }
    if (!isSame) {
      this.nameAll();
      this.pick(this.token, false);
      if (!before) this.begin();
    } else if (this.asked === null && data.shuffled !== this.isShuffled) this.shuffle(data.shuffled);
    else {
      this.roll.draw();
      this.drawWires();
    }
  }

  takeNumbers() {
    const { data, nodes: n } = this;
    this.rows = new Rows(data, SHOWN);
    this.order = data.new && undone(data.new);
    write(n.about, aboutTable(data, matchMedia("(pointer: coarse)").matches));
    n.legend.replaceChildren(`${fixed(-data.largest, 2)} or less`, el("i"), `${fixed(data.largest, 2)} or more`);
  }

  /** Where the row of a token is now: the id it has now. */
  placeOf(id) {
    return this.isShuffled ? this.data.new[id] : id;
  }

  /** Whose row is there. */
  idAt = (place) => (this.isShuffled ? this.order[place] : place);

  // ---- the first beat -----------------------------------------------------------------------------------------

  /** The roll spins from its beginning to the row of the first word. */
  begin() {
    const place = this.placeOf(this.data.ids[this.token]);
    const begin = () => {
      this.root.dataset.beat = "look-up";
      this.spin(place, FIRST_SPIN, 0);
    };
    const end = () => {
      delete this.root.dataset.beat;
      this.pick(this.token, false);
    };
    this.endBeat = firstBeat("look-up", BEAT, begin, end);
  }

  // ---- the words ----------------------------------------------------------------------------------------------

  nameAll() {
    this.words.name(this.data, (id) => this.placeOf(id), this.isShuffled);
    this.root.dataset.ids = this.data.ids.map((id) => this.placeOf(id)).join(" ");
  }

  take(at) {
    this.hold(); // rows that fly land first: they would stay where they are, as the spin ends the flight
    this.pick(at, true);
    this.link.later();
  }

  pick(at, isMoving) {
    const { ids } = this.data;
    this.token = at;
    this.strange = null;
    const id = ids[at];
    this.lit = litUpTo(ids, at);
    this.mark();
    Object.assign(this.root.dataset, {
      token: at,
      id: this.placeOf(id),
      row: JSON.stringify(Array.from(this.rows.of(id))),
    });
    this.drawBars(this.rows.of(id), true);
    this.say();
    const place = this.placeOf(id);
    if (isMoving && place === this.roll.at && this.pulling.share === 1) this.flash();
    else this.spin(place, isMoving ? spinTime(place - this.roll.at) : 0);
  }

  /** Below the roll there is less room for them than beside it. */
  drawBars(values, isExact) {
    const isFlat = boxOf(this.root).width <= NARROW;
    this.bars.draw(values, this.rows.scales, this.data.d, isExact, isFlat);
  }

  mark() {
    this.words.mark(this.token, this.lit, this.strange === null);
  }

  /** The finding, what the row is called, and what the button does next. */
  say() {
    const { data, nodes: n, token } = this;
    const id = data.ids[token];
    const [label, place] = [data.labels[id], this.placeOf(id)];
    const isStrange = this.strange !== null;
    const other = isStrange ? data.labels[this.idAt(this.strange)] : label;
    const usual = this.isShuffled
      ? renamed(label, place, id)
      : picks(label, place, this.lit.length, many(data.V), many(data.d), this.words.asks(token));
    write(n.found, isStrange ? strange(this.strange, other) : usual);
    const kept = this.isShuffled && !isStrange ? data.kept[data.own.indexOf(id)] : null;
    this.bars.say(other ?? String(this.strange), isStrange, kept);
    const state = { ids: data.ids, at: token, label, isStrange, isShuffled: this.isShuffled, canShuffle: !!data.new };
    [this.next, n.act.textContent] = nextAct(state);
    n.act.hidden = !this.next;
    n.row.hidden = isStrange && !this.bars.values;
  }

  /** The dark button. */
  act() {
    const { ids } = this.data;
    this.endBeat?.();
    const { next, token } = this;
    if (next === "shuffle" || next === "restore") {
      this.asked = next === "shuffle";
      this.tell("shuffle", this.asked);
      this.shuffle(this.asked);
    } else if (next === "twin") this.take(ids.indexOf(ids[token], token + 1));
    else this.take(next === "next" ? (token + 1) % ids.length : token);
  }

  // ---- the table ----------------------------------------------------------------------------------------------

  /** The roll turns to a place within so many milliseconds, and the row there comes out. */
  spin(place, time, from = this.roll.at) {
    this.halt();
    this.roll.goal = place;
    this.root.dataset.turning = "";
    if (!time || still()) {
      this.roll.turn(place, this.idAt);
      this.pulling.set(1);
      this.settle();
      return;
    }
    this.pulling.set(0);
    this.stop = tween(time, (share) => {
      this.roll.turn(from + (place - from) * slowing(share), this.idAt);
      this.count();
      if (share === 1) this.comeOut();
    });
  }

  comeOut() {
    this.settle();
    this.pulling.finish();
  }

  settle() {
    delete this.root.dataset.turning;
    this.root.dataset.at = this.roll.at;
    this.count(true);
  }

  /** While the roll turns to a new id, so does the id of the word; in the end it has it, wherever the roll is. */
  count(isOver = false) {
    if (isOver) this.counted = null;
    const id = this.data.ids[this.token];
    this.words.number(this.token, this.counted === id ? Math.round(this.roll.at) : this.placeOf(id));
  }

  /** The row that is out already is taken once more. */
  flash() {
    this.count(true);
    this.drawWires();
    if (still()) return;
    this.halt();
    this.stop = tween(420, (share) => {
      this.glow(share < 1 ? Math.sin(Math.PI * share) : 0);
      this.roll.draw();
    });
  }

  glow(share) {
    this.roll.glow = share;
    this.root.style.setProperty("--glow", share.toFixed(3));
  }

  /** What moves stops where it is. */
  halt() {
    this.stop?.();
    this.glow(0);
  }

  hold() {
    this.endBeat?.();
    this.halt();
    if (this.roll.flight) this.land();
    else this.count(true);
  }

  /** A hand has left the roll at this place. */
  turned(place) {
    this.hold();
    const id = this.idAt(place);
    const at = this.data.ids.indexOf(id);
    if (at >= 0) {
      this.pick(at, true);
      this.link.later();
      return;
    }
    this.strange = place;
    this.lit = [];
    const line = this.roll.lineOf ? this.roll.lineOf.get(id) : id;
    this.bars.values = null;
    if (line !== undefined) this.drawBars(this.rows.drawn(line), false);
    this.mark();
    this.say();
    this.spin(place, spinTime(place - this.roll.at));
  }

  /** All ids are shuffled, or as they were: every row flies to its new place, that of the word in its frame, and the
   * roll turns after it. */
  shuffle(isShuffled) {
    const { data } = this;
    this.halt();
    if (this.roll.flight) this.land();
    const [same, id, start] = [data.new.map((_, id) => id), data.ids[this.token], this.roll.at];
    this.pulling.set(0);
    this.counted = id;
    this.isShuffled = isShuffled;
    if (still()) return this.land(false);
    this.say(); // the button leads back at once
    write(this.nodes.found, `All ${many(data.V)} rows change their places.`);
    const [from, to] = isShuffled ? [(id) => id, data.new] : [(id) => data.new[id], same];
    this.stop = tween(FLIGHT, (share) => {
      this.roll.flight = { from, to, share, id };
      this.roll.turn(start + (to[id] - start) * chasing(share), this.idAt);
      this.count();
      if (share === 1) this.land(true);
    });
  }

  land(isMoving = false) {
    this.roll.flight = null;
    this.nameAll();
    this.pick(this.token, isMoving);
  }

  // ---- lines between the three parts --------------------------------------------------------------------------

  drawWires() {
    const { nodes: n, words, roll, root, lit, token, pulling } = this;
    const pulled = n.row.hidden ? 0 : pulling.share;
    drawWires(n.wires, { root, words, roll, row: n.row, lit, token, pulled });
  }

  destroy() {
    this.stop?.();
    this.roll.endDrag?.();
  }
}

export default mount(".row-roll", RowRoll);
