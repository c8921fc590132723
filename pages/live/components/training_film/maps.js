// The chosen head, large: a map of queries and keys, or where it looks in a picture; of one training or of both.

import { el, EXPONENT, pointIn, shorten } from "../../../../attention_view/lab.js";
import { inGrid } from "../../../../attention_view/controls.js";
import { css, weightColour } from "../../../../attention_view/colours.js";
import { heatLayout, paintCross, paintHeat, surface } from "../../../../attention_view/paint.js";
import { placeOf } from "../../../../lab/kit/components/patches.js";
import { paintLetters } from "./letters.js";
import { onPatches, paintPicture } from "./picture_map.js";
import { asker, sideName, outlined } from "./sides.js";

const LINE = 13; // pixels that a row with a label takes
const SCALE = `A cell is as strong as its weight to the power ${EXPONENT}, on the same scale at every step`;

/** These rows of a matrix with S columns. */
function only(matrix, rows, S) {
  if (rows.length * S === matrix.length) return matrix;
  const part = new matrix.constructor(rows.length * S);
  rows.forEach((i, n) => part.set(matrix.subarray(i * S, (i + 1) * S), n * S));
  return part;
}

export class Maps {
  constructor(film) {
    this.film = film;
    this.ghosts = true; // whether the true alignment is outlined
    this.cell = null; // [run, row, column] that is pointed at
    this.box = el("div.maps");
    this.high = el("span", "1");
    this.legend = el("canvas", { "aria-hidden": "true" });
    const onclick = () => {
      this.ghosts = !this.ghosts;
      film.paint();
    };
    const mark = el("i", { "aria-hidden": "true" });
    this.ghost = el("button.ghost", { "aria-pressed": "true", onclick }, mark, "where the answer comes from");
    this.readout = el("span.readout", { "aria-live": "off" });
    this.names = el("span.quiet.axes");
    const scale = el("span.scale", el("span", "0"), this.legend, this.high);
    const footer = el("footer", scale, this.ghost, this.readout, this.names);
    this.node = el("section.map", { "aria-label": "The selected head" }, this.box, footer);
  }

  // ---- what there is to draw ----------------------------------------------------------------------------------

  /** The map of a head at a frame, T x S, of 255. */
  of(run, frame, l, h) {
    const { heads, queries, keys } = this.film.axes(run);
    const size = queries.length * keys.length;
    const at = (l * heads[1] + h) * size;
    return run.maps[this.film.key][frame].subarray(at, at + size);
  }

  /** The weight on each patch of the picture, of 255, in a head at a frame. */
  shares(run, frame, l, h) {
    return onPatches(this.of(run, frame, l, h), run.sight.rows, run.sight.across ** 2);
  }

  /** Makes the maps anew, in so much room. */
  build(room) {
    const { runs } = this.film;
    const width = runs.length > 1 ? Math.floor((room - 24) / 2) : room;
    this.views = runs.map((run, r) => {
      const shape = run.sight ? this.patchesOf(run, width) : this.cellsOf(run, width);
      return { run, width, ...shape, ...this.grid(shape.picture, r) };
    });
    const [{ run, rows, picture }] = this.views;
    const all = this.film.axes(run).queries.length;
    const some = rows.length < all ? ` (${rows.length} of ${all})` : "";
    const written = picture.queries?.some((name) => name.includes(" ▸ ")) ? " ▸ what it is to write" : "";
    this.names.textContent = run.sight
      ? `query: ${asker(run)}  keys: the patches`
      : written || some
        ? `query${written} ↓${some}  key →`
        : "";
    this.box.replaceChildren(...this.views.map((view) => view.node));
    const bar = surface(this.legend, 90, 10);
    for (let x = 0; x < 90; x++) {
      bar.fillStyle = css(weightColour(x / 89, 1, this.film.colours));
      bar.fillRect(x, 0, 1.5, 10);
    }
    this.legend.title = SCALE;
  }

  /** The elements of one map. */
  grid({ T, S }, r) {
    const [title, heat] = [el("h2"), el("canvas", { "aria-hidden": "true" })];
    const cross = el("canvas.cross", { "aria-hidden": "true" });
    const spoken = el("div.unseen", { role: "gridcell" });
    const listeners = {
      onpointermove: (event) => this.point(r, event),
      onpointerleave: () => this.look(null),
      onkeydown: (event) => this.key(r, event),
    };
    const size = { "aria-rowcount": T, "aria-colcount": S };
    const row = el("div.unseen", { role: "row" }, spoken);
    const grid = el("div.grid", { role: "grid", tabindex: "0", ...size, ...listeners }, heat, cross, row);
    const letters = el("div.letters", { "aria-hidden": "true" }); // as "writes" says them
    const map = el("div.written", grid, letters);
    return { title, heat, cross, grid, letters, spoken, node: el("div.one", title, map) };
  }

  /** The cells of the large map of a text: its rows and columns, and where they are. */
  cellsOf(run, width) {
    const axes = this.film.axes(run);
    const rows = this.rowsOf(axes);
    const [T, S] = [rows.length, axes.keys.length];
    const aligned = new Set(axes.ghost.map(([i]) => i));
    // A row of a decoder alone says what it is to write; with an encoder it is called so already.
    const isAlone = this.film.kind === "decoder" && !run.probes[this.film.probe].cross;
    const writes = (i) => isAlone && aligned.has(i) && axes.keys[i + 1];
    const queries = rows.map((i) => axes.queries[i] + (writes(i) ? ` ▸ ${writes(i)}` : ""));
    const ghost = axes.ghost.map(([i, j]) => [rows.indexOf(i), j]).filter(([i]) => i >= 0);
    const picture = { T, S, queries, keys: axes.keys, arrays: {} };
    const open = (_, n) => (n % S <= Math.floor(n / S) ? 1 : 0);
    const mask = axes.masked ? Uint8Array.from({ length: axes.queries.length * S }, open) : null;
    if (mask) picture.arrays.mask = only(mask, rows, S);
    const layout = heatLayout(picture, width, Math.min(this.film.tall, T * 38), this.film.colours.font);
    return { picture, rows, ghost, mask, layout };
  }

  /** The cells of the large map of a picture: its patches. */
  patchesOf(run, width) {
    const { across } = run.sight;
    const size = Math.floor(Math.min(width, this.film.tall + 20));
    const layout = { left: 0, top: 0, cell: size / across, width: size, height: size };
    return { picture: { T: across, S: across, arrays: {} }, rows: [], ghost: [], mask: null, layout };
  }

  /** The rows of the large map: all, or where they would be too thin to be named, those of the answer and the last. */
  rowsOf({ queries, ghost }) {
    const all = queries.map((_, i) => i);
    const room = Math.max(4, Math.floor(this.film.tall / LINE));
    if (all.length <= room) return all;
    const aligned = [...new Set(ghost.map(([i]) => i))].slice(-room);
    const others = all.filter((i) => !aligned.includes(i));
    return [...aligned, ...others.slice(others.length - (room - aligned.length))].sort((a, b) => a - b);
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  paint() {
    const { film } = this;
    const [run] = film.runs;
    this.high.textContent = run.sight ? (run.largest[film.probe] / 255).toFixed(2) : "1";
    this.views.forEach((view, r) => this.paintOne(view, r));
    this.ghost.hidden = !this.views.some((view) => film.axes(view.run).ghost.length);
    this.ghost.setAttribute("aria-pressed", String(this.ghosts));
    this.paintCell();
  }

  paintOne(view, r) {
    const { film } = this;
    const { run, picture, layout, heat } = view;
    const [l, h] = film.chosen(run);
    if (run.sight) {
      view.matrix = this.shares(run, film.frames[r], l, h);
      this.paintPatches(heat, layout.width, run, r, l, h);
    } else {
      view.matrix = only(this.of(run, film.frames[r], l, h), view.rows, picture.S);
      paintHeat(heat, picture, { matrix: view.matrix, largest: 255, stage: "weights" }, layout, film.colours);
      if (this.ghosts) this.outline(view);
      const writes = film.kind === "cross" ? run.says(film.probe, film.frames[r]) : null;
      const look = (i, j) => this.look(i === null ? null : [r, i, j]);
      paintLetters(view.letters, view, writes, view.width, look);
    }
    const mass = film.mass(run)[film.frames[r]][l * film.axes(run).heads[1] + h];
    const on = film.runs.length > 1 ? " " : ` on the outlined ${outlined(run)} `;
    view.title.replaceChildren(
      ...(run.name ? [sideName(run.name, r), " "] : []),
      `Layer ${l}, head ${h}`,
      ...(Number.isNaN(mass) ? [] : [el("span.quiet", on), el("b.weight", mass.toFixed(2))]),
    );
    const shown = run.sight
      ? `the patches that ${asker(run)} looks at`
      : "rows are queries, columns the keys they look at";
    const name = `${view.title.textContent}, at step ${film.step}: ${shown}. Arrow keys move.`;
    view.grid.setAttribute("aria-label", name);
  }

  /** The true alignment. */
  outline({ heat, layout, ghost }) {
    const { left, top, cell } = layout;
    const context = heat.getContext("2d");
    context.strokeStyle = this.film.colours.ink;
    context.globalAlpha = 0.55;
    context.lineWidth = cell > 14 ? 1.5 : 1;
    context.beginPath();
    for (const [i, j] of ghost)
      context.roundRect(left + j * cell + 1, top + i * cell + 1, cell - 2, cell - 2, Math.min(4, cell / 5));
    context.stroke();
    context.globalAlpha = 1;
  }

  /** The picture under the weights of a head. */
  paintPatches(canvas, size, run, r, l, h) {
    const { probe, frames, colours } = this.film;
    const shares = this.shares(run, frames[r], l, h).map((w) => w / (run.largest[probe] || 1));
    const things = new Set(this.ghosts ? this.film.axes(run).ghost.map(([, j]) => j - 1) : []);
    paintPicture(canvas, size, run.picture(probe), shares, things, colours);
  }

  // ---- the cell under the pointer -----------------------------------------------------------------------------

  point(r, event) {
    const { layout, picture, heat } = this.views[r];
    const [x, y] = pointIn(event, heat);
    const j = Math.floor((x - layout.left) / layout.cell);
    const i = Math.floor((y - layout.top) / layout.cell);
    const cell = i >= 0 && j >= 0 && i < picture.T && j < picture.S ? [r, i, j] : null;
    if (String(cell) !== String(this.cell)) this.look(cell);
  }

  key(r, event) {
    const { T, S } = this.views[r].picture;
    const [, i, j] = this.cell?.[0] === r ? this.cell : [r, 0, 0];
    const to = inGrid(event, [i, j], [T, S]);
    if (to) this.look([r, ...to]);
  }

  look(cell) {
    this.cell = cell;
    this.paintCell();
  }

  /** What follows the pointer: the same cell in both films. */
  paintCell() {
    const { root } = this.film;
    this.views.forEach((view, r) => this.paintPlace(view, r));
    if (!this.cell) {
      this.readout.textContent = "";
      delete root.dataset.value;
      return;
    }
    const [r, i, j] = this.cell;
    const { run, picture, matrix, spoken } = this.views[r];
    const n = i * picture.S + j;
    const blocked = picture.arrays.mask && !picture.arrays.mask[n];
    const weight = matrix[n] / 255;
    const value = blocked ? "blocked" : weight.toFixed(2);
    const patch = run.sight && placeOf(i * run.sight.across + j, run.sight.across);
    const [query, key] = run.sight ? [asker(run), patch] : [picture.queries[i], picture.keys[j]];
    this.readout.replaceChildren(
      el("b.query", run.sight ? query : shorten(query)),
      " → ",
      el("b.key", run.sight ? key : shorten(key)),
      " ",
      el("b", { class: blocked ? "quiet" : "weight" }, value),
    );
    spoken.textContent = `${query} looks at ${key}: ${blocked ? "blocked by the mask" : value}`;
    root.dataset.value = weight;
  }

  paintPlace({ run, layout, picture, cross }, r) {
    const context = surface(cross, layout.width, layout.height);
    if (!this.cell) return;
    const [held, i, j] = this.cell;
    const isThere = i < picture.T && j < picture.S && (r === held || picture.T === this.views[0].picture.T);
    if (!isThere) return;
    if (!run.sight) return paintCross(context, picture, layout, this.film.colours, i, j);
    const { cell } = layout;
    context.strokeStyle = this.film.colours.key;
    context.lineWidth = 2;
    context.strokeRect(j * cell + 1, i * cell + 1, cell - 2, cell - 2);
  }
}
