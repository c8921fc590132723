// A word of the text spins the table to the row with its id, and the row comes out. All text goes to textContent.

import { el, mirror, mount, roomOf, still, svg, write } from "../../../../attention_view/lab.js";
import { firstBeat, tween } from "../../../../attention_view/controls.js";
import { alike, Bars } from "./bars.js";
import { Roll } from "./roll.js";
import { Pulling } from "./pulling.js";
import { Rows } from "./rows.js";
import { Words } from "./words.js";
import { drawWires } from "./wires.js";
import { aboutTable, litUpTo, nextAct, picks, slowing, spinTime, strange } from "./rolling.js";

const BEAT = 2000; // milliseconds of the first beat
const FIRST_SPIN = 1500; // in it
const FALL = 600;

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
    const n = (this.nodes = {});
    n.found = el("p.finding", { "aria-live": "polite" });
    n.act = el("button.primary", { onclick: () => this.act() });
    n.wires = svg("svg.wires", { "aria-hidden": "true" });
    n.row = this.bars.node;
    n.about = el("p.quiet.below");
    const parts = el("div.parts", this.words.node, el("div.table", this.roll.canvas), el("div.out", n.row));
    root.replaceChildren(n.wires, el("div.headline", n.found, n.act), parts, n.about);
    this.resized = () => {
      if (!this.data || this.room === roomOf(root)) return;
      this.room = roomOf(root);
      this.roll.draw();
      this.drawWires();
    };
  }

  update(data) {
    const isFirst = !this.data;
    const isSame = !isFirst && signature(this.data) === signature(data);
    this.data = data;
    if (!isSame) {
      this.endBeat?.();
      this.stop?.();
      Object.assign(this, { token: data.token, before: null });
      this.rows = new Rows(data);
      write(this.nodes.about, aboutTable(data, matchMedia("(pointer: coarse)").matches));
    }
    this.roll.take(data, this.rows.lines); // colours of another theme, too
    this.room = roomOf(this.root);
    if (isSame) {
      this.roll.draw();
      this.drawWires();
      return;
    }
    this.words.name(data);
    this.root.dataset.ids = data.ids.join(" ");
    this.pick(this.token, false);
    if (isFirst) this.begin();
  }

  // ---- the first beat -----------------------------------------------------------------------------------------

  /** The roll spins from its beginning to the row of the first word. */
  begin() {
    const place = this.data.ids[this.token];
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

  take(at) {
    this.hold();
    this.compare();
    this.pick(at, true);
    this.link.later();
  }

  /** The row that is out is laid on the next one. */
  compare() {
    const id = this.data.ids[this.token];
    if (this.strange === null) this.before = { label: this.data.labels[id], values: this.rows.of(id), id };
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
      id,
      row: JSON.stringify(Array.from(this.rows.of(id))),
    });
    this.drawBars(this.rows.of(id), true);
    this.say();
    if (isMoving && id === this.roll.at && this.pulling.share === 1) this.fall();
    else this.spin(id, isMoving ? spinTime(id - this.roll.at) : 0);
  }

  drawBars(values, isExact) {
    this.bars.draw(values, this.data.d, isExact, isExact ? this.before : null);
  }

  mark() {
    this.words.mark(this.token, this.lit, this.strange === null);
  }

  /** The finding, what the row is called, and what the button does next. */
  say() {
    const { data, nodes: n, token, before } = this;
    const { ids, labels } = data;
    const [id, isStrange] = [ids[token], this.strange !== null];
    const label = labels[isStrange ? this.strange : id];
    const same = isStrange || !before || before.id === id ? null : alike(before.values, this.rows.of(id));
    const asks = this.words.asks(token);
    const usual = picks(label, id, { n: this.lit.length, all: data.V, d: data.d, asks, same, before: before?.label });
    write(n.found, isStrange ? strange(this.strange, label) : usual);
    this.bars.say(label ?? String(this.strange), isStrange);
    [this.next, n.act.textContent] = nextAct({ ids, labels, at: token, isStrange, asks });
    n.act.hidden = this.next === null;
    n.row.hidden = isStrange && !this.bars.values;
  }

  /** The dark button. */
  act() {
    this.endBeat?.();
    this.take(this.next);
  }

  // ---- the table ----------------------------------------------------------------------------------------------

  /** The roll turns to a place within so many milliseconds, and the row there comes out. */
  spin(place, time, from = this.roll.at) {
    this.halt();
    this.roll.goal = place;
    this.root.dataset.turning = "";
    if (!time || still()) {
      this.roll.turn(place);
      this.pulling.set(1);
      this.settle();
      return;
    }
    this.pulling.set(0);
    this.stop = tween(time, (share) => {
      this.roll.turn(from + (place - from) * slowing(share));
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
  }

  /** The row that is out already is taken once more, and falls onto its own outline. */
  fall() {
    this.drawWires();
    this.halt();
    if (!still()) this.stop = tween(FALL, (share) => this.bars.lift(1 - share ** 2));
  }

  /** What moves stops where it is. */
  halt() {
    this.stop?.();
    this.bars.lift(0);
  }

  hold() {
    this.endBeat?.();
    this.halt();
  }

  /** A hand has left the roll at this place. */
  turned(place) {
    this.hold();
    const at = this.data.ids.indexOf(place);
    if (at >= 0) return this.take(at);
    this.compare();
    this.strange = place;
    this.lit = [];
    const line = this.roll.lineOf ? this.roll.lineOf.get(place) : place;
    this.bars.values = null;
    if (line !== undefined) this.drawBars(this.rows.drawn(line), false);
    this.mark();
    this.say();
    this.spin(place, spinTime(place - this.roll.at));
  }

  // ---- lines between the three parts --------------------------------------------------------------------------

  drawWires() {
    const { nodes: n, words, roll, root, lit, token } = this;
    drawWires(n.wires, { root, words, roll, row: n.row.hidden ? null : n.row, lit, token });
  }

  destroy() {
    this.stop?.();
    this.roll.endDrag?.();
  }
}

export default mount(".row-roll", RowRoll);
