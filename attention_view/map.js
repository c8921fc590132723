// One head, or several, drawn large: as a heatmap at any stage of the computation, or as ribbons from token to token.

import { axesOf, rolesOf } from "./axes.js";
import { paintChosen } from "./chosen_heads.js";
import { brief, el, fixed, offer, pointIn, put, rewrite, shorten, svg, UNREAD, write } from "./lab.js";
import { Legend } from "./legend.js";
import { Heat } from "./heat.js";
import { MoreMenu } from "./more_menu.js";
import { heatLayout, paintCross, surface } from "./paint.js";
import { paintAllRibbons, paintSpot, ribbonsLayout, ribbonsOf, ribbonsSpot } from "./ribbons.js";

export const STAGES = [
  ["scores", "q·k, before anything else"],
  ["scaled", "divided by the scale"],
  ["biased", "with the bias for the distance"],
  ["masked", "with the mask: hatched cells may not be seen"],
  ["weights", "softmax of each row: what attention uses"],
  ["output", "weights × values: what the head passes on"],
];
const KEYS_OF_MAP = "Arrow keys move, Page Up and Page Down change the head.";
const KEYS_OF_RIBBONS = "Up and Down choose a token, Left and Right the side it is on, Escape shows all ribbons.";

export class HeadMap {
  constructor(view) {
    this.view = view;
    this.legend = new Legend(this);
    this.more = new MoreMenu(view);
  }

  build(n) {
    this.nodes = n;
    n.title = el("h2");
    n.does = el("span", { class: "quiet does" });
    const line = (y) => svg("path", { d: `M1 ${y}C7 ${y} 8 ${14 - y} 14 ${14 - y}`, fill: "none" });
    const icon = svg("svg", { viewBox: "0 0 15 14", width: 15, height: 14, "aria-hidden": "true" });
    icon.append(line(2), line(7), line(12));
    n.drawing = el(
      "button",
      {
        type: "button",
        class: "toggle drawing",
        "aria-label": "ribbons",
        onclick: () => this.view.set({ drawing: this.view.drawing === "map" ? "ribbons" : "map" }),
      },
      icon,
      el("span", {}, "ribbons"),
    );
    n.chosen = el("div", { class: "chosen" });
    n.stages = el("div", { class: "stages", role: "radiogroup", "aria-label": "Stage of the computation" });
    n.heat = el("canvas", { "aria-hidden": "true" });
    this.heat = new Heat(n.heat);
    n.cross = el("canvas", { class: "cross", "aria-hidden": "true" }); // what follows the pointer, on top
    n.cell = el("div", { role: "gridcell", id: "cell", class: "unseen" });
    const grid = {
      class: "grid",
      role: "grid",
      tabindex: "0",
      "aria-activedescendant": "cell",
      onkeydown: (e) => this.key(e),
      ...this.view.pointed((e) => this.cellAt(e)),
    };
    n.grid = el("div", grid, n.heat, n.cross, el("div", { role: "row", class: "unseen" }, n.cell));
    n.readout = el("span", { class: "readout" });
    n.axes = el("p", { class: "axes quiet small" });
    return el(
      "section",
      { class: "map", "aria-label": "One head" },
      el("header", {}, n.title, n.does),
      n.chosen,
      n.grid,
      this.more.node,
      (n.ways = el("div", { class: "ways" }, n.drawing, n.stages)),
      el("footer", {}, ...this.legend.build(), n.readout, n.axes),
    );
  }

  /** What depends on the picture alone. */
  furnish() {
    const { flow, beside, staged } = this.view.whole.header;
    this.more.furnish(this.nodes, Boolean(beside || staged), Boolean(staged));
    // Where one head is the subject and nothing studies it, what the pointer is on is said in large letters beside it.
    if (beside && beside !== "study") this.nodes.title.parentElement.after(this.nodes.readout);
    const [from, to] = flow ? ["token", "source"] : ["query", "key"];
    this.nodes.drawing.title = `Draw ribbons from every ${from} to every ${to}`;
  }

  get isRibbons() {
    return this.view.drawing === "ribbons";
  }

  // ---- keyboard and pointer ---------------------------------------------------------------------------------

  key(event) {
    const { view } = this;
    const { T, S } = view.table;
    const [i, key] = view.cell;
    const j = view.column;
    const at = (row, column) => (view.stage === "output" ? [row, key, column] : [row, column]);
    const moves = {
      ArrowUp: at(Math.max(0, i - 1), j),
      ArrowDown: at(Math.min(T - 1, i + 1), j),
      ArrowLeft: at(i, Math.max(0, j - 1)),
      ArrowRight: at(i, Math.min(S - 1, j + 1)),
      Home: at(i, 0),
      End: at(i, S - 1),
    };
    const to = this.isRibbons ? this.ribbonsMove(event.key) : moves[event.key];
    if (to && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      view.pin(to);
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      event.preventDefault();
      const { L, H } = view.picture;
      const at = (view.picture.index(view.layer, view.head) + (event.key === "PageDown" ? 1 : L * H - 1)) % (L * H);
      view.select(Math.floor(at / H), at % H);
      view.speak(`${view.picture.name(view.layer, view.head)}. `);
    } else if (event.key === "Escape") {
      view.release();
    }
  }

  /** The cell that a key leads to along the tokens of one side, or to the other side. */
  ribbonsMove(key) {
    const { view } = this;
    const { T, S } = view.picture;
    const [i, j] = view.cell;
    const side = { ArrowLeft: "query", ArrowRight: "key" }[key];
    if (side) return view.cellAt({ side, n: side === "query" ? i : j });
    const step = { ArrowUp: -1, ArrowDown: 1 }[key];
    if (!step) return null;
    const at = view.side === "key" ? j : i;
    const first = !view.pinned; // the first key shows the token that is in view
    const n = first ? at : Math.max(0, Math.min((view.side === "key" ? S : T) - 1, at + step));
    return view.cellAt({ side: view.side, n });
  }

  cellAt(event) {
    const { view } = this;
    const [x, y] = pointIn(event, this.nodes.heat);
    if (this.isRibbons) {
      const at = ribbonsSpot(view.picture, this.ribbons, x, y);
      return at && view.cellAt(at);
    }
    const { left, top, cell } = this.layout;
    const { T, S } = view.table;
    const j = Math.floor((x - left) / cell);
    const i = Math.floor((y - top) / cell);
    const [i0, j0] = view.pinned ?? view.cell;
    const isOutput = view.stage === "output";
    if (!isOutput && i < 0 && j >= 0 && j < S && y >= 0) return [i0, j]; // its name
    if (j < 0 && i >= 0 && i < T && x >= 0) return [i, view.topKey(i)]; // on a row's name: what that word looks at most
    if (i < 0 || i >= T || j < 0 || j >= S) return null;
    return isOutput ? [i, j0, j] : [i, j];
  }

  // ---- drawing ----------------------------------------------------------------------------------------------

  /** What is on canvases; it is drawn before anything is written. */
  draw() {
    this.mapped = this.view.mapped();
    if (this.isRibbons) this.paintRibbons();
    else this.paintMap();
  }

  /** What is written around them. */
  tell() {
    const { view, nodes: n, isRibbons } = this;
    const several = view.heads().length > 1;
    const title = view.title;
    write(n.title, isRibbons && several ? `${view.heads().length} heads` : title);
    const tag = several ? null : view.picture.tag(...view.shownHeads[0]);
    write(n.does, tag ? tag.name : "");
    put(n.does, { title: tag ? `${tag.name}: ${tag.score.toFixed(2)}` : "" });
    paintChosen(view, n.chosen);
    this.paintStages();
    n.grid.classList.toggle("bipartite", isRibbons);
    const { picture: p, stage } = view;
    this.tellAxes();
    const { query, key } = rolesOf(p.header);
    const rows = p.header.flow ? "tokens" : "queries";
    const looked = p.header.flow ? "the sources of what they hold" : `the ${key}s they look at`;
    const columns = stage === "output" ? "the features of what they are given" : looked;
    const what = isRibbons
      ? `${title}, ribbons from each ${query} on the left to ${looked} on the right. ${KEYS_OF_RIBBONS}`
      : `${several ? title : `${title}, ${stage}`}: rows are ${rows}, columns are ${columns}. ${KEYS_OF_MAP}`;
    put(n.drawing, { "aria-pressed": isRibbons });
    put(n.grid, { "aria-label": what, "aria-rowcount": p.T, "aria-colcount": view.table.S });
    if (isRibbons) this.legend.tell(this.listed.weights.at(-1) ?? 0);
    else this.legend.tell(this.mapped.largest, several ? " in the mean" : "");
  }

  /** Which axis is which, below the map. */
  tellAxes() {
    const { view, nodes: n } = this;
    const { picture: p, table, drawing } = view;
    const exact = view.shownHeads.every((head) => p.isExact(...head));
    const { across = "key", T: rows, S: columns } = table;
    const parts = axesOf({ drawing, across, rows, columns, exact, flow: p.header.flow, matrix: this.mapped.matrix });
    rewrite(n.axes, ...parts.map(([words, side]) => (side ? el("b", { class: side }, words) : words)));
  }

  paintMap() {
    const { view, nodes: n } = this;
    const several = view.heads().length > 1;
    const { matrix, largest } = this.mapped;
    const { table } = view;
    this.layout = this.layoutOf(table);
    const of = `${view.picture.header.id} ${view.layer} ${view.head} ${several}`;
    const mask = view.picture.maskOfAll(view.shownHeads);
    this.heat.show({ matrix, largest, stage: view.stage, mask, of }, table, this.layout, view.colours);
    surface(n.cross, this.layout.width, this.layout.height);
    this.legend.paint(view.colours);
  }

  /** Where everything goes. Stages have few layouts, and what is drawn from one is kept with it. */
  layoutOf(table) {
    const { picture, mapWidth, mapHeight, colours } = this.view;
    if (this.layouts?.picture !== picture || this.layouts.width !== mapWidth)
      this.layouts = { picture, width: mapWidth, by: new Map() };
    const { by } = this.layouts;
    const name = `${table.across} ${table.S}`;
    if (!by.has(name)) by.set(name, heatLayout(table, mapWidth, mapHeight, colours.font));
    return by.get(name);
  }

  paintRibbons() {
    const { view, nodes: n } = this;
    const { picture } = view;
    this.heat.end();
    const heads = view.heads();
    this.ribbons = ribbonsLayout(picture, view.mapWidth, view.mapHeight);
    this.listed = ribbonsOf(picture, heads, view.threshold);
    paintAllRibbons(n.heat, this.listed, view.colouredAs(heads), this.ribbons);
    this.legend.paint(view.colours);
  }

  /** What follows the pointer or the keys. */
  paintCell(i, column) {
    const { view, nodes: n } = this;
    const { colours } = view;
    if (this.isRibbons) {
      const { picture, spot } = view;
      const heads = view.heads();
      const listed = spot ? ribbonsOf(picture, heads, view.threshold, spot) : this.listed;
      n.heat.classList.toggle("faint", Boolean(spot));
      paintSpot(n.cross, picture, spot, listed, view.colouredAs(heads), this.ribbons, colours);
      view.drawn = listed.weights.length;
      view.found = listed.total;
      return;
    }
    n.heat.classList.remove("faint");
    const context = n.cross.getContext("2d");
    context.clearRect(0, 0, this.layout.width, this.layout.height);
    const shades = view.stage === "output" ? { ...colours, key: colours.value } : colours;
    paintCross(context, view.table, this.layout, shades, i, column);
  }

  /** The cell in words: beside the legend, and for who hears the page. */
  say(i, j, column, value, blocked) {
    const { view, nodes: n } = this;
    const { picture: p, stage } = view;
    const isOutput = stage === "output";
    const approx = view.shownHeads.every((head) => p.isExact(...head)) ? "" : "≈ ";
    const roles = rolesOf(p.header);
    const word = (token, side, n) => [
      el("span", { class: `role ${side}` }, `${roles[side]} `),
      p.isUnknown(side, n)
        ? el("b", { class: `${side} unread`, title: UNREAD }, shorten(token, 18))
        : el("b", { class: side }, shorten(token, 18)),
    ];
    const { spot } = view;
    n.readout.hidden = view.isTold && stage === "weights" && !this.isRibbons; // the sentence says it
    const drawn = `${view.drawn} ${view.drawn < view.found ? `strongest of ${view.found} ` : ""}ribbons`;
    if (this.isRibbons && !spot) write(n.readout, drawn);
    else if (!n.readout.hidden)
      rewrite(
        n.readout,
        ...word(p.queries[i], "query", i),
        isOutput ? ", " : " → ",
        ...(isOutput ? [el("b", { class: "value" }, `feature ${column}`)] : word(p.keys[j], "key", j)),
        " ",
        el(
          "b",
          { class: blocked ? "quiet" : stage === "weights" ? "weight" : "" },
          blocked ? "blocked" : approx + brief(value),
        ),
      );
    put(n.cell, { "aria-rowindex": i + 1, "aria-colindex": column + 1 });
    const looks = `${p.queries[i]} ${p.header.flow ? "holds of" : "looks at"} ${p.keys[j]}: `;
    write(
      n.cell,
      isOutput
        ? `${p.queries[i]} is given ${fixed(value, 3)} in feature ${column}`
        : looks + (blocked ? "blocked by the mask" : fixed(value, 3)),
    );
  }

  paintStages() {
    const { view, nodes: n } = this;
    const stages = view.stages();
    n.stages.hidden = stages.length < 2 || this.isRibbons;
    const offered = STAGES.filter(([name]) => stages.includes(name));
    offer(n.stages, "stage", offered, view.stage, (name) => view.setStage(name));
  }

  get isOfWeights() {
    return this.isRibbons || this.view.stage === "weights";
  }

  destroy() {
    this.heat.end();
  }
}
