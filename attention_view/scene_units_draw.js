// How a scene draws units: all of a token; inside of one its value at every token, and what it writes into the stream.

import { signedCss } from "./colours.js";
import { brief, fixed, shorten, strength } from "./lab.js";
import { project, ramp } from "./scene_camera.js";
import { CellPen, short } from "./scene_cell.js";
import { SMALL } from "./scene_pen.js";
import { featureBox, isForward, unitBox, unitStage } from "./scene_units.js";

const FIRST_SEEN = [110, 260]; // pixels of a token's box between which its units take the place of its bands
const TALL = 0.62; // of its height counts as its width, where it is upright
const UNIT_OPENS = [0.25, 0.5]; // of the screen's width: a unit between these opens
const FEATURE_OPENS = [170, 300]; // and of a feature
const NUMBERED = 34; // pixels of a cell from which on it has its number

export class UnitsPen extends CellPen {
  /** The units whose numbers are here, where they are large enough to be seen. */
  drawUnits() {
    for (const units of this.numbers.units.values()) this.drawLayer(units);
  }

  drawLayer(units) {
    const { geometry, place } = this;
    const l = units.layer;
    this.units = units;
    for (let t = 0; t < units.T; t++) {
      const on = this.seen(geometry.forward(l, t));
      const open = on ? ramp(Math.max(on.w, TALL * on.h), ...FIRST_SEEN) : 0;
      if (open) this.drawToken(l, t, on, open);
      else if (on && isForward(place) && place[0] === l) this.box(on, { line: this.colours.ink, thick: 2, round: 3 });
    }
    const [, , t, n] = place;
    if (place[0] === l && n !== undefined) this.drawUnit(l, t, n);
  }

  drawToken(l, t, on, open) {
    const { numbers, geometry, pen, colours, place, units } = this;
    pen.globalAlpha = open;
    this.box(on, { fill: colours.panel, line: colours.line, round: 8 });
    const values = units.of(t);
    const largest = this.largest(values);
    values.forEach((x, n) => {
      const cell = this.seen(unitBox(geometry, l, t, n));
      if (!cell) return;
      const gap = Math.min(2, 0.06 * cell.w);
      const box = { x: cell.x + gap, y: cell.y + gap, w: cell.w - 2 * gap, h: cell.h - 2 * gap };
      const isHere = place[2] === t && place[3] === n;
      const line = isHere ? { line: colours.ink, thick: 2 } : cell.w > 8 ? { line: colours.line } : {};
      this.box(box, { fill: signedCss(x, largest, colours), ...line, round: Math.min(4, 0.15 * cell.w) });
      if (cell.w < NUMBERED || cell.w > UNIT_OPENS[1] * geometry.width) return;
      const isDeep = strength(Math.abs(x) / (largest || 1)) > 0.55;
      const style = { colour: isDeep ? "panel" : "ink", align: "center", size: SMALL };
      this.write(brief(x), box.x + box.w / 2, box.y + box.h / 2, style);
    });
    const size = Math.min(20, 0.05 * on.h);
    if (size >= SMALL && on.w < 4 * geometry.width && (t === place[2] || on.w > 320)) {
      const token = `“${shorten(numbers.part(l).tokens[t])}”`;
      const text = `${token}: ${units.nFiring(t)} of ${numbers.F} units are not 0`;
      const style = { weight: 650, size };
      this.write(text, this.kept(text, Math.max(on.x + 0.015 * on.w, 12), style), on.y + 0.07 * on.h, style);
    }
    pen.globalAlpha = 1;
  }

  drawUnit(l, t, n) {
    const { numbers, geometry, pen, colours, place } = this;
    const cell = this.seen(unitBox(geometry, l, t, n));
    const open = cell ? ramp(cell.w / geometry.width, ...UNIT_OPENS) : 0;
    if (!open) return;
    const on = project(unitStage(geometry, l, t, n), this.camera, geometry);
    pen.globalAlpha = open;
    this.box(cell, { fill: colours.panel, line: colours.weight, thick: 2, round: 10 });
    const at = { x: (share) => on.x + share * on.w, y: (share) => on.y + share * on.h };
    const { units } = this;
    const { tokens } = numbers.part(l);
    const size = Math.max(15, Math.min(24, 0.02 * on.w));
    const title = `Unit ${n} is ${fixed(units.value(t, n))} at “${tokens[t]}”`;
    if (place[4] === undefined) this.write(title, Math.max(at.x(0.02), 14), at.y(0.06), { weight: 650, size });
    this.drawOverTokens(t, n, at);
    this.drawWritten(l, t, n, at);
    pen.globalAlpha = 1;
  }

  /** The value of a unit at every token, a bar each. */
  drawOverTokens(t, n, at) {
    const { numbers, colours, units } = this;
    const { tokens, T } = numbers.part(units.layer);
    const tall = (at.y(0.97) - at.y(0.17)) / T;
    const most = Math.max(...Array.from({ length: T }, (_, one) => Math.abs(units.value(one, n))), 1e-9);
    const [left, right] = [at.x(0.13), at.x(0.36)];
    this.write("its value at each token", Math.max(at.x(0.02), 14), at.y(0.125), { colour: "quiet", size: 14 });
    for (let one = 0; one < T; one++) {
      const y = at.y(0.17) + (one + 0.5) * tall;
      const value = units.value(one, n);
      const wide = (Math.abs(value) / most) * (right - left);
      const fill = value < 0 ? colours.negative : colours.positive;
      const line = one === t ? { line: colours.ink, thick: 2 } : {};
      this.box({ x: left, y: y - 0.36 * tall, w: Math.max(1, wide), h: 0.72 * tall }, { fill, ...line, round: 2 });
      if (tall < 11 && one !== t) continue;
      const style = { size: Math.max(SMALL, Math.min(16, 0.6 * tall)), weight: one === t ? 700 : 400 };
      this.write(shorten(tokens[one], 10), left - 8, y, { ...style, align: "right" });
      this.write(brief(value), left + wide + 6, y, { ...style, colour: "quiet" });
    }
  }

  /** What it adds to each feature of the stream. */
  drawWritten(l, t, n, at) {
    const { numbers, geometry, colours, place } = this;
    const written = this.units.written(t, n);
    const largest = this.largest(written);
    const said = `what it adds to ${geometry.isNarrow ? "" : `the ${numbers.D} features of `}the stream`;
    this.write(said, at.x(0.46), at.y(0.125), { colour: "quiet", size: 14 });
    written.forEach((x, c) => {
      const box = this.seen(featureBox(geometry, l, t, n, c));
      if (!box) return;
      const isHere = place[4] === c;
      const mark = isHere ? { line: colours.ink, thick: 2 } : { line: colours.line };
      const open = isHere ? ramp(box.w, ...FEATURE_OPENS) : 0;
      const fill = open > 0.5 ? colours.panel : signedCss(x, largest, colours);
      this.box({ x: box.x + 1, y: box.y + 1, w: box.w - 2, h: box.h - 2 }, { fill, ...mark, round: 4 });
      const isDeep = strength(Math.abs(x) / (largest || 1)) > 0.55;
      const style = { colour: isDeep ? "panel" : "ink", align: "center", size: Math.min(17, 0.3 * box.w) };
      if (open > 0.5) this.drawFeature(t, n, c, box);
      else if (box.w > NUMBERED) this.write(short(x, box.w > 48 ? 2 : 1), box.x + box.w / 2, box.y + box.h / 2, style);
    });
  }

  /** One product: the unit times its weight, what all units add, and the feature before and after. */
  drawFeature(t, n, c, { x, y, w, h }) {
    const { units } = this;
    const { F, D } = this.numbers;
    const { tokens } = this.numbers.part(units.layer);
    const [value, weight] = [units.value(t, n), units.out[n * D + c]];
    const [before, added] = [units.before(t, c), units.added(t, c)];
    const size = Math.max(SMALL, Math.min(26, 0.045 * w));
    const lines = [
      [`${fixed(value)} × ${fixed(weight)} = ${fixed(value * weight)}`, { weight: 700, size: 1.5 * size }],
      [`unit ${n} × its weight for feature ${c}`, { colour: "quiet", size }],
      [`all ${F} units and the bias: ${fixed(added)}`, { size }],
      [`feature ${c} of “${shorten(tokens[t])}”: ${fixed(before)} → ${fixed(before + added)}`, { size }],
    ];
    lines.forEach(([text, style], at) =>
      this.write(text, x + w / 2, y + h * (0.26 + 0.17 * at), { ...style, align: "center" }),
    );
  }
}
