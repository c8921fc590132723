// Panels of cells that share their rows and columns; the first may be a mask to paint on. Painting is drawn at once
// and sent when the pointer is lifted. Where the scores are at hand, the weights under the painted mask are worked out
// here while the hand moves, and one row is drawn as bars; the model's own numbers follow.

import { brief, el, minus, mix, mount, shorten, strength, tint } from "../../../../attention_view/lab.js";

/** "0.65", "0", "−2.31" */
const label = (value) => minus(Number.isInteger(value) ? String(value) : brief(value));

const inPercent = (share) => Math.round(100 * strength(share));

/** The short string of a mask; code.py has its format. */
export function pack(mask, T) {
  let raw = "";
  for (let at = 0; at < mask.length; at += 8) {
    let byte = 0;
    for (let bit = 0; bit < 8; bit++) byte = 2 * byte + (mask[at + bit] ? 1 : 0);
    raw += String.fromCharCode(byte);
  }
  return `${T}.${btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Softmax of each row of scores (T x S) over its open cells; a row without one is 0. */
export function softmax(scores, open, S) {
  const out = scores.map(() => 0);
  for (let from = 0; from < scores.length; from += S) {
    let top = -Infinity,
      sum = 0;
    for (let n = from; n < from + S; n++) if (open[n]) top = Math.max(top, scores[n]);
    for (let n = from; n < from + S; n++) if (open[n]) sum += out[n] = Math.exp(scores[n] - top);
    if (sum) for (let n = from; n < from + S; n++) out[n] /= sum;
  }
  return out;
}

const ROW_ROOM = 282; // pixels for the bars of a row, beside the panels

class Brush {
  constructor(root) {
    this.root = root;
    this.observer = new ResizeObserver(() => this.layout());
    this.observer.observe(root);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const shape = JSON.stringify([
      data.paint,
      data.marked,
      data.panels.map((p) => [p.title, p.kind, p.queries, p.keys]),
    ]);
    this.data = data;
    if (data.code !== this.code) {
      // Another mask came from the server: unless it is only late, and something newer is on its way there.
      if (!this.sent || data.code === this.sent || Date.now() - this.sentAt > 3000) {
        this.code = data.code;
        this.mask = data.paint ? data.panels[0].mask.slice() : null;
        if (data.code !== this.sent) this.past = [];
        this.sent = null;
      }
    } else this.sent = null;
    this.past ??= [];
    this.work();
    if (shape !== this.shape) {
      this.shape = shape;
      this.build();
    }
    this.fill();
    this.layout();
    this.say();
    this.root.dataset.code = data.code ?? "";
    this.root.dataset.painted = "";
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

  valuesOf(p) {
    return this.data.live?.weights === p ? this.weights : this.data.panels[p].values;
  }

  build() {
    const { data } = this;
    this.at = null; // [panel, query, key] that is pointed at
    this.cursor = [0, 0];
    const last = data.panels[0].queries.length - 1;
    this.held = data.live ? (data.live.row ?? last) : null; // the row that is drawn as bars
    this.before = null; // the weights before the last stroke
    this.panels = data.panels.map((panel, p) => this.panel(panel, p));
    this.readout = el("p.readout", { "aria-live": "polite" });
    this.usual = data.paint
      ? "Click or drag to block or unblock cells; click a word for its whole row or column. " +
        "By keyboard: arrows, then Space."
      : "Hover over a cell to read its numbers.";
    this.undo = el("button.undo", { onclick: () => this.back() }, "Undo");
    this.undo.hidden = !data.paint;
    this.root.replaceChildren(
      el(
        "div.panels",
        { role: "group", "aria-label": data.alt, onpointerleave: () => this.point(null) },
        ...this.panels.map((p) => p.node),
        ...(data.live ? [this.rowPanel()] : []),
      ),
      el("div.foot", this.readout, this.undo),
    );
  }

  /** One row of weights as bars, which always share 1. */
  rowPanel() {
    const { keys } = this.data.panels[0];
    this.bars = keys.map((token) => {
      const [bar, ghost, amount] = [el("i"), el("u"), el("span.amount")];
      const name = el("span.name", { title: token }, shorten(token));
      return { bar, ghost, amount, node: el("div.share", name, el("span.track", ghost, bar), amount) };
    });
    this.whole = keys.map(() => el("i"));
    this.total = el("p.total", { role: "status" });
    this.rowName = el("b.query");
    return el(
      "section.panel.held",
      el("h2", "Where ", this.rowName, " looks"),
      el("div.shares", ...this.bars.map((bar) => bar.node)),
      el("div.whole", { "aria-hidden": "true" }, ...this.whole),
      this.total,
    );
  }

  /** The bars of the row that is held, with the weights before the last stroke as outlines. */
  fillRow() {
    if (this.held === null) return;
    const S = this.bars.length;
    const row = (values) => values.slice(this.held * S, this.held * S + S);
    const now = row(this.weights);
    const before = this.before && row(this.before);
    const open = row(this.open);
    const isMoved = before && before.some((w, j) => Math.abs(w - now[j]) > 0.005);
    this.rowName.textContent = shorten(this.data.panels[0].queries[this.held]);
    this.bars.forEach(({ bar, ghost, amount, node }, j) => {
      node.classList.toggle("blocked", !open[j]);
      bar.style.width = `${100 * now[j]}%`;
      ghost.hidden = !isMoved || before[j] < 0.005;
      if (isMoved) ghost.style.width = `${100 * before[j]}%`;
      amount.textContent = open[j] ? brief(now[j]) : "blocked";
      this.whole[j].style.flexGrow = now[j];
    });
    const sum = now.reduce((a, b) => a + b, 0);
    this.total.textContent = sum ? `adds up to ${brief(sum)}` : "No key is open: the row adds up to 0.";
    this.root.dataset.row = JSON.stringify(now.map((w) => Number(w.toFixed(6))));
  }

  panel(panel, p) {
    const editable = this.data.paint && p === 0;
    const T = panel.queries.length,
      S = panel.keys.length;
    const cells = [],
      rows = [],
      columns = [];
    const line = (side, n) => (editable ? () => this.line(side, n) : null);
    const heads = panel.keys.map((token, j) => {
      const marked = this.data.marked === j;
      const name = el("b", { class: marked ? "marked" : "", title: token, onclick: line("key", j) }, shorten(token));
      columns.push(name);
      return el("span.column", { role: "columnheader", style: `grid-column:${j + 2};grid-row:1` }, name);
    });
    const lines = panel.queries.map((token, i) => {
      const name = el(
        "span.row",
        { role: "rowheader", title: token, style: `grid-row:${i + 2}`, onclick: line("query", i) },
        shorten(token),
      );
      rows.push(name);
      const own = panel.keys.map((_, j) => {
        const cell = el("i", {
          role: "gridcell",
          id: `cell-${p}-${i}-${j}`,
          style: `grid-column:${j + 2};grid-row:${i + 2}`,
        });
        cell.at = [p, i, j];
        cells.push(cell);
        return cell;
      });
      return el("div.line", { role: "row" }, name, ...own);
    });
    const frames = {
      query: el("u.frame.query", { "aria-hidden": "true" }),
      key: el("u.frame.key", { "aria-hidden": "true" }),
    };
    const grid = el(
      "div",
      {
        class: `grid ${panel.kind} ${editable ? "editable" : ""}`,
        role: "grid",
        tabindex: "0",
        "aria-label": `${panel.title}. ${panel.note}`,
        "aria-readonly": String(!editable),
        "aria-rowcount": T,
        "aria-colcount": S,
        onkeydown: (e) => this.key(e, p),
        onfocus: () => !this.dragging && this.point([p, ...this.cursor]),
        onblur: () => this.point(null),
        onpointermove: (e) => this.move(e),
        onpointerdown: (e) => editable && this.press(e),
      },
      el("div.line", { role: "row" }, ...heads),
      ...lines,
      frames.query,
      frames.key,
    );
    const legend = el("div.legend");
    const node = el(
      "section.panel",
      el("h2", panel.title, editable ? el("span.quiet", " · paint here") : null),
      grid,
      legend,
    );
    return { node, grid, cells, rows, columns, frames, legend, T, S };
  }

  /** Colours and numbers of every cell. */
  fill() {
    // Panels of scores share one range, so that a score has the same colour before and after it met the mask.
    const reach = (values) => values.reduce((most, v) => Math.max(most, Math.abs(v ?? 0)), 0);
    const highest = reach(this.data.panels.flatMap((panel) => (panel.kind === "scores" ? panel.values : [])));
    this.data.panels.forEach((panel, p) => {
      const { cells, legend, S, grid } = this.panels[p];
      const editable = this.data.paint && p === 0;
      const mask = this.maskOf(p);
      const values = this.valuesOf(p);
      const isLive = this.data.live && !editable;
      const largest = panel.kind === "scores" ? highest : reach((values ?? []).filter((_, n) => !mask || mask[n]));
      const step = Math.max(1, reach(panel.kind === "steps" ? values : []));
      cells.forEach((cell, n) => {
        const open = !mask || mask[n];
        cell.className = open ? "" : "blocked";
        cell.textContent = "";
        const value = values?.[n];
        if (!open) cell.style.background = "";
        else if (panel.kind === "mask") cell.style.background = mix("ink", 16);
        else if (panel.kind === "steps") {
          cell.style.background = value === 0 ? mix("line", 60) : mix("positive", 44 - (36 * (value - 1)) / step);
          cell.textContent = value;
        } else if (value == null) cell.style.background = "";
        else if (panel.kind === "scores") cell.style.background = tint(value, largest || 1);
        else cell.style.background = mix("weight", largest ? inPercent(value / largest) : 0);
        cell.setAttribute(
          "aria-label",
          `${panel.queries[Math.floor(n / S)]}, ${panel.keys[n % S]}: ${this.word(p, n)}`,
        );
      });
      const bar = (from, to) => {
        const stops = Array.from({ length: 13 }, (_, n) => from + ((to - from) * n) / 12);
        const colours = stops.map((v) => (from < 0 ? tint(v) : mix("weight", inPercent(v))));
        return el("s", { style: `background:linear-gradient(90deg,${colours.join()})`, "aria-hidden": "true" });
      };
      const key = (name, text) => el("span.key", el("i", { class: name, "aria-hidden": "true" }), text);
      const hatched = mask && mask.some((open) => !open);
      const parts =
        panel.kind === "mask"
          ? [key("open", "may look"), key("blocked", "may not")]
          : panel.kind === "weights"
            ? ["0", bar(0, 1), label(largest)]
            : panel.kind === "scores"
              ? [label(-largest), bar(-1, 1), label(largest)]
              : [];
      if (hatched && panel.kind !== "mask") parts.push(key("blocked", panel.blocked));
      legend.replaceChildren(...parts, ...(panel.note ? [el("span.note", panel.note)] : []));
      grid.classList.toggle("waiting", Boolean(this.sent) && !editable && !isLive);
    });
    this.fillRow();
    this.undo.disabled = !this.past.length;
  }

  word(p, n) {
    const panel = this.data.panels[p];
    const mask = this.maskOf(p);
    if (panel.kind === "mask") return mask[n] ? "may look" : "may not look";
    if (mask && !mask[n]) return panel.blocked;
    const value = this.valuesOf(p)[n];
    return value == null ? "NaN" : label(value);
  }

  /** As many panels side by side as leave every cell large enough. */
  layout() {
    if (!this.panels) return;
    const whole = this.root.clientWidth - 10;
    if (whole <= 0) return;
    const isWide = whole > 760;
    const width = this.data.live && isWide ? whole - ROW_ROOM : whole;
    const panels = this.data.panels;
    const ruler = (Brush.ruler ??= document.createElement("canvas").getContext("2d"));
    ruler.font = `13px ${getComputedStyle(this.root).fontFamily}`;
    const longest = (tokens) =>
      Math.min(
        96,
        tokens.reduce((most, t) => Math.max(most, ruler.measureText(shorten(t)).width), 0),
      );
    const room = Math.max(...panels.map((p) => longest(p.queries))) + 12;
    const top = Math.max(...panels.map((p) => longest(p.keys))) * 0.87 + 12;
    const over = Math.max(...panels.map((p) => longest(p.keys.slice(-1)))) * 0.5 + 4;
    const gap = 26;
    const same = (p) => p > 0 && panels[p].queries.join("\n") === panels[p - 1].queries.join("\n");
    const fit = (across) => {
      // The widest row of panels decides; row names are left out where the panel to the left has the same.
      let cell = 34;
      for (let from = 0; from < panels.length; from += across) {
        const row = panels.slice(from, from + across);
        const names = row.filter((_, k) => k === 0 || !same(from + k)).length;
        const cells = row.reduce((sum, p) => sum + p.keys.length, 0);
        cell = Math.min(cell, (width - names * room - (row.length - 1) * gap - over) / cells);
      }
      return cell;
    };
    let across = panels.length;
    while (across > 1 && fit(across) < 15) across = Math.ceil(across / 2);
    // All in one row is to be seen on one screen; where they stand below each other there is no such end.
    const tallest = Math.max(...panels.map((p) => p.queries.length));
    const most = across === panels.length && across > 1 ? Math.max(15, 310 / tallest) : 34;
    const cell = Math.max(8, Math.floor(Math.min(fit(across), most) * 2) / 2);
    this.root.style.setProperty("--cell", `${cell}px`);
    this.root.style.setProperty("--top", `${top}px`);
    this.root.style.setProperty("--over", `${over}px`);
    this.root.classList.toggle("tiny", cell < 13);
    this.panels.forEach((panel, p) => {
      const named = p % across === 0 || !same(p);
      panel.node.style.setProperty("--room", named ? `${room}px` : "0px");
      panel.node.classList.toggle("nameless", !named);
      panel.grid.style.gridTemplateColumns = `var(--room) repeat(${panel.S}, var(--cell))`;
      panel.grid.style.gridTemplateRows = `var(--top) repeat(${panel.T}, var(--cell))`;
    });
    const beside = this.data.live && isWide ? " minmax(0, 1fr)" : "";
    this.root.querySelector(".panels").style.gridTemplateColumns = `repeat(${across}, max-content)${beside}`;
    this.root.classList.toggle("narrow", !isWide);
  }

  group(p) {
    const names = (panel) => JSON.stringify([panel.queries, panel.keys]);
    const own = names(this.data.panels[p]);
    return this.data.panels.flatMap((panel, n) => (names(panel) === own ? [n] : []));
  }

  point(at) {
    this.at = at;
    if (at && this.data.live && at[1] !== this.held) {
      this.held = at[1];
      this.fillRow();
    }
    this.panels.forEach((panel) => {
      for (const frame of Object.values(panel.frames)) frame.style.display = "none";
      for (const name of [...panel.rows, ...panel.columns]) name.classList.remove("on");
    });
    if (at) {
      const [p, i, j] = at;
      for (const n of this.group(p)) {
        const { frames, rows, columns, T, S } = this.panels[n];
        frames.query.style = `display:block;grid-row:${i + 2};grid-column:2 / span ${S}`;
        frames.key.style = `display:block;grid-column:${j + 2};grid-row:2 / span ${T}`;
        rows[i].classList.add("on");
        columns[j].classList.add("on");
      }
      this.panels[p].grid.setAttribute("aria-activedescendant", `cell-${p}-${i}-${j}`);
    }
    this.say();
  }

  say() {
    if (!this.at) return this.readout.replaceChildren(this.usual);
    const [p, i, j] = this.at;
    const panel = this.data.panels[p];
    const n = i * panel.keys.length + j;
    const parts = this.group(p).flatMap((k, at) => [
      at ? "  →  " : ": ",
      `${this.data.panels[k].title.toLowerCase()} `,
      el("b", { class: this.data.panels[k].kind }, this.word(k, n)),
    ]);
    this.readout.replaceChildren(el("b.query", panel.queries[i]), " → ", el("b.key", panel.keys[j]), ...parts);
  }

  under(event) {
    return this.root.getRootNode().elementFromPoint(event.clientX, event.clientY)?.at;
  }

  move(event) {
    const at = this.under(event);
    if (!at || this.dragging) return;
    if (!this.at || at.some((n, k) => n !== this.at[k])) this.point(at);
  }

  press(event) {
    const at = this.under(event);
    if (!at || at[0] !== 0 || event.button) return;
    const { S, grid } = this.panels[0];
    const before = this.mask.slice();
    this.before = this.weights;
    const open = !this.mask[at[1] * S + at[2]];
    let [, i, j] = at;
    this.dragging = true;
    const paint = (to) => {
      // A quick hand skips cells: go over all on the way.
      const n = Math.max(Math.abs(to[1] - i), Math.abs(to[2] - j), 1);
      for (let step = 0; step <= n; step++) {
        const y = Math.round(i + ((to[1] - i) * step) / n),
          x = Math.round(j + ((to[2] - j) * step) / n);
        this.mask[y * S + x] = open;
      }
      [, i, j] = to;
      this.cursor = [i, j];
      this.work();
      this.fill();
      this.point(to);
    };
    paint(at);
    const drag = (e) => {
      const to = this.under(e);
      if (to && to[0] === 0) paint(to);
    };
    const end = () => {
      this.dragging = false;
      removeEventListener("pointermove", drag);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.commit(before);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    this.root.classList.add("by-hand"); // no ring of the keyboard's while the mouse or a finger paints
    grid.focus({ preventScroll: true });
    event.preventDefault();
  }

  line(side, n) {
    const { T, S } = this.panels[0];
    const before = this.mask.slice();
    this.before = this.weights;
    if (this.data.live && side === "query") this.held = n;
    const cells = Array.from({ length: side === "query" ? S : T }, (_, k) =>
      side === "query" ? n * S + k : k * S + n,
    );
    const open = !cells.some((at) => this.mask[at]);
    for (const at of cells) this.mask[at] = open;
    this.commit(before);
  }

  key(event, p) {
    this.root.classList.remove("by-hand");
    const { T, S } = this.panels[p];
    let [i, j] = this.cursor.map((n, k) => Math.min(n, (k ? S : T) - 1));
    if (this.data.paint && (event.ctrlKey || event.metaKey) && event.key === "z") {
      event.preventDefault();
      return this.back();
    }
    const moves = {
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      Home: [0, -S],
      End: [0, S],
      PageUp: [-T, 0],
      PageDown: [T, 0],
    };
    if (moves[event.key]) {
      const [down, right] = moves[event.key];
      i = Math.min(T - 1, Math.max(0, i + down));
      j = Math.min(S - 1, Math.max(0, j + right));
      this.cursor = [i, j];
      this.point([p, i, j]);
    } else if ((event.key === " " || event.key === "Enter") && this.data.paint && p === 0) {
      const before = this.mask.slice();
      this.before = this.weights;
      this.mask[i * S + j] = !this.mask[i * S + j];
      this.commit(before);
      this.point([p, i, j]);
    } else return;
    event.preventDefault();
  }

  commit(before) {
    if (before.every((open, n) => open === this.mask[n])) return;
    this.past.push(before);
    this.hand();
  }

  back() {
    const before = this.past.pop();
    if (!before) return;
    this.before = this.weights;
    this.mask = before;
    this.hand();
  }

  hand() {
    this.code = this.sent = pack(this.mask, this.panels[0].T);
    this.sentAt = Date.now();
    this.root.dataset.code = this.code;
    this.work();
    this.fill();
    this.say();
    this.send("painted", this.code);
  }

  destroy() {
    this.observer.disconnect();
  }
}

export default mount(".mask-brush", Brush);
