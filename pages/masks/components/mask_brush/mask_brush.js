// Panels of cells that share their rows and columns; the first may be a mask to paint on, as may be the scores and the
// weights that follow it. There hatching says what is blocked, so that the mask has no map of its own, unless it is
// read the other way round. Painting is drawn at once and sent when the pointer is lifted. Where the scores are at
// hand, the weights under the painted mask are worked out here while the hand moves; the model's own numbers follow.

import { el, mount } from "../../../../attention_view/lab.js";
import { drag, drawnIn, inGrid } from "../../../../attention_view/controls.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { Answer } from "./answer.js";
import { layOut } from "./layout.js";
import { Lines } from "./lines.js";
import { between, pack, reach, softmax } from "./masks.js";
import { Panel } from "./panel.js";
import { Turner } from "./turner.js";

/** Whether scores are of another head: they differ, and no other mask explains that. */
export function isOtherHead(data, before) {
  if (!data.live || !before?.live || data.code !== before.code) return false;
  const scores = ({ live, panels }) => String(panels[live.scores].values);
  return scores(data) !== scores(before);
}

export class Brush {
  constructor(root) {
    this.root = root;
    this.past = [];
    this.resized = () => this.layout();
    this.presses = new Presses(() => (this.take(this.data.code), this.again()));
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const panels = data.panels.map((p) => [p.title, p.kind, p.queries, p.keys]);
    const shape = JSON.stringify([data.paint, data.marked, data.live?.inverted, data.answer?.turning, panels]);
    if (isOtherHead(data, this.data)) this.before = null;
    this.data = data;
    if (this.presses.isNews(data.code)) this.take(data.code);
    this.work();
    if (shape !== this.shape) {
      this.shape = shape;
      this.build();
    }
    this.panels.forEach((panel, p) => (panel.data = data.panels[p]));
    this.fill();
    this.layout();
    this.say();
    this.root.dataset.code = data.code ?? "";
    if (data.live && !("painted" in this.root.dataset)) drawnIn(this.root, "paint");
    this.root.dataset.painted = "";
  }

  /** The mask of the server. */
  take(code) {
    this.mask = this.data.paint ? this.data.panels[0].mask.slice() : null;
    Object.assign(this, { code, past: [], before: null });
    if (this.turner) this.turner.turned = null;
    this.lines?.forget();
  }

  /** The mask and the weights that painting gives at once. */
  work() {
    const { live, panels } = this.data;
    if (!live) return;
    this.open = live.inverted ? this.mask.map((open) => !open) : this.mask;
    const sent = panels[live.weights];
    const isSent = this.open.every((open, n) => open === sent.mask[n]);
    this.weights = isSent ? sent.values : softmax(panels[live.scores].values, this.open, sent.keys.length);
  }

  /** The mask of a panel as it is now; null where nothing is blocked. */
  maskOf(p) {
    const { live, paint, panels } = this.data;
    if (paint && p === 0) return this.mask;
    return live && (p === live.scores || p === live.weights) ? this.open : panels[p].mask;
  }

  /** The cells that are open: painted, or what is read from that. */
  get shown() {
    return this.data.live ? this.open : this.mask;
  }

  /** The row that is framed: that of the bars, or one that was selected; null for none. */
  get line() {
    return this.held ?? (this.named && this.chosen);
  }

  /** Whether one can paint on a panel: the mask, and the scores and weights that follow it at once. */
  canPaint(p) {
    const { live, paint } = this.data;
    return paint && (p === 0 || Boolean(live && (p === live.scores || p === live.weights)));
  }

  build() {
    const { data } = this;
    const isOnWeights = data.live && !data.live.inverted; // one paints on them: the scores they come from stand below
    this.at = null; // [panel, query, key] that is pointed at
    this.cursor = [0, 0];
    this.held = data.live ? data.panels[0].queries.length - 1 : null; // the row of the bars: the last at first
    this.chosen = this.held; // the one that was pressed last, which is held again once nothing is pointed at
    this.column = null; // the one that was selected last
    this.named = null; // "query" or "key": the side of the word that was pressed last, while no cell has been
    this.before = null; // the weights before the last stroke
    const { marked } = data;
    this.panels = data.panels.map((panel, p) => new Panel(this, panel, p, { marked, isEditable: this.canPaint(p) }));
    this.panels[0].node.hidden = Boolean(isOnWeights);
    this.answer = data.answer ? new Answer(this) : null;
    this.turner = new Turner(this);
    this.readout = el("p.readout", { "aria-live": "polite" });
    this.undo = el("button.undo", { onclick: () => this.back() }, "Undo");
    this.undo.hidden = !data.paint;
    this.lines = new Lines(this);
    const group = { role: "group", "aria-label": data.alt, onpointerleave: () => this.point(null) };
    this.lower = isOnWeights ? [this.panels[data.live.scores]] : [];
    const lower = this.lower.map((panel) => panel.node);
    const upper = this.panels.map((panel) => panel.node).filter((node) => !lower.includes(node));
    this.root.replaceChildren(
      ...(data.live ? [(this.answer ?? this.turner).headline] : []),
      el("div.panels.from-left", group, ...upper, this.answer?.node),
      el("div.foot", this.readout, el("div.acts", ...Object.values(this.lines.buttons), this.undo)),
      ...(lower.length ? [el("div.below", { onpointerleave: () => this.point(null) }, ...lower)] : []),
    );
  }

  /** Colours and numbers of every cell. */
  fill() {
    const { data } = this;
    // Panels of scores share one range, so that a score has the same colour before and after it met the mask.
    const highest = reach(data.panels.flatMap((panel) => (panel.kind === "scores" ? panel.values : [])));
    this.panels.forEach((panel, p) => {
      panel.fill(data.live?.weights === p ? this.weights : data.panels[p].values, this.maskOf(p), highest);
      const isWaiting = this.code !== data.code && !panel.isEditable && !data.live;
      panel.grid.classList.toggle("waiting", isWaiting);
    });
    this.fillRow();
    this.undo.disabled = !this.past.length;
    this.lines.show();
  }

  /** The bars of the row that is held. */
  fillRow() {
    if (this.held === null) return;
    this.answer?.show();
    const [{ queries, keys }] = this.data.panels;
    const row = (values) => values && values.slice(this.held * keys.length, (this.held + 1) * keys.length);
    const now = row(this.weights);
    const isPreview = this.root.classList.toggle("preview", this.data.live.deep && this.code !== this.data.code);
    if (!isPreview) this.turner.say(queries[this.held], keys, row(this.open), now, row(this.before));
    this.turner.show(keys);
    if (!this.at) this.frame();
    this.root.dataset.row = JSON.stringify(now.map((w) => Number(w.toFixed(6))));
  }

  layout() {
    if (this.panels) layOut(this);
  }

  // ---- what is pointed at -------------------------------------------------------------------------------------

  /** The panels with the rows and columns of this one. */
  group(p) {
    const names = (panel) => JSON.stringify([panel.queries, panel.keys]);
    const own = names(this.data.panels[p]);
    return this.panels.filter((panel) => names(panel.data) === own);
  }

  point(at) {
    this.at = at;
    const row = at && !this.dragging ? at[1] : this.chosen;
    if (this.data.live && row !== this.held) {
      this.held = row;
      this.fillRow();
    }
    this.frame();
    this.lines.show();
    if (at) {
      const [p, i, j] = at;
      for (const panel of this.group(p)) panel.point([i, j]);
      this.panels[p].grid.setAttribute("aria-activedescendant", `cell-${p}-${i}-${j}`);
    }
    this.say();
  }

  /** Frames around the row and the column that are selected. */
  frame() {
    for (const panel of this.panels) panel.point(null);
    for (const panel of this.group(0)) panel.point([this.line, this.column]);
  }

  /** Selects the row or the column of a word, and changes nothing. */
  select(side, n) {
    this.root.classList.add("by-hand");
    this.named = side;
    this.column = side === "key" ? n : null;
    if (side === "query") this.chosen = n;
    else if (!this.data.live) this.chosen = null;
    this.cursor = [this.chosen ?? 0, this.column ?? this.cursor[1]];
    this.point(null);
  }

  say() {
    this.readout.replaceChildren(...this.lines.told(this.at ?? this.lines.cell));
  }

  under(event) {
    return this.root.getRootNode().elementFromPoint(event.clientX, event.clientY)?.at;
  }

  move(event) {
    const at = this.under(event);
    if (at && !this.dragging && String(at) !== String(this.at)) this.point(at);
  }

  // ---- painting -----------------------------------------------------------------------------------------------

  press(event) {
    const at = this.under(event);
    if (!at || !this.canPaint(at[0]) || event.button) return;
    const before = this.begin();
    const open = !this.mask[at[1] * this.panels[0].S + at[2]];
    this.lines.forget();
    this.cursor = at.slice(1);
    this.dragging = true;
    this.subject = this.chosen;
    this.struck = new Set();
    this.stroke(at, open);
    const follow = (e) => {
      const to = this.under(e);
      if (to && to[0] === at[0]) this.stroke(to, open);
    };
    this.endDrag = drag(follow, () => {
      this.dragging = false;
      this.commit(before);
    });
    this.root.classList.add("by-hand"); // no ring of the keyboard's while the mouse or a finger paints
    this.panels[at[0]].grid.focus({ preventScroll: true });
    event.preventDefault();
  }

  /** Paints from the cursor to a cell: a quick hand skips cells, so all on the way are painted. The row that was told
   * of goes on being told of where it is among them. */
  stroke([p, ...to], open) {
    for (const [i, j] of between(this.cursor, to)) {
      this.mask[i * this.panels[0].S + j] = open;
      this.struck.add(i);
    }
    this.cursor = to;
    this.chosen = this.struck.has(this.subject) ? this.subject : to[0];
    this.column = this.named = null;
    this.work();
    this.fill();
    this.point([p, ...to]);
  }

  /** Blocks cells, or unblocks them. */
  paint(cells, isOpening) {
    const before = this.begin();
    for (const at of cells) this.mask[at] = isOpening !== Boolean(this.data.live?.inverted);
    this.commit(before);
  }

  key(event, p) {
    this.root.classList.remove("by-hand");
    const { T, S } = this.panels[p];
    const at = this.cursor.map((n, k) => Math.min(n, (k ? S : T) - 1));
    if (this.data.paint && (event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      return this.back();
    }
    const [i, j] = at;
    const ends = { Home: [i, 0], End: [i, S - 1], PageUp: [0, j], PageDown: [T - 1, j] };
    const to = inGrid(event, at, [T, S]) ?? ends[event.key];
    if (to) {
      [this.chosen, this.column] = this.cursor = to;
      this.named = "key";
      this.point([p, ...to]);
    } else if ((event.key === " " || event.key === "Enter") && this.canPaint(p)) {
      const before = this.begin();
      this.lines.forget();
      this.mask[i * S + j] = !this.mask[i * S + j];
      this.chosen = i;
      this.commit(before);
      this.point([p, i, j]);
    } else return;
    event.preventDefault();
  }

  /** What was before a stroke: the mask, and what buttons have blocked in it. Its weights are then seen as outlines. */
  begin() {
    this.before = this.weights;
    this.turner.turned = null;
    return [this.mask.slice(), this.lines.closed];
  }

  commit(before) {
    if (before[0].every((open, n) => open === this.mask[n])) return;
    this.past.push(before);
    this.hand();
  }

  back() {
    const before = this.past.pop();
    if (!before) return;
    this.before = this.weights;
    [this.mask, this.lines.closed] = before;
    this.hand();
  }

  hand() {
    this.code = pack(this.mask, this.panels[0].T);
    this.presses.add(this.code);
    this.again();
    this.send("painted", this.code);
  }

  /** What follows from the mask. */
  again() {
    this.root.dataset.code = this.code;
    this.work();
    this.fill();
    this.say();
  }
}

export default mount(".mask-brush", Brush);
