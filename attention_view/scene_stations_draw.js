// How a scene draws the stations of a layer: each with its name, the length of its vector, and its numbers as bands.

import { pixelsOf } from "./colours.js";
import { brief, shorten } from "./lab.js";
import { ramp } from "./scene_camera.js";
import { stationsBox, stationsDrawn } from "./scene_stations.js";
import { UnitsPen } from "./scene_units_draw.js";

const STATION_STEPS = [18, 21]; // pixels of a station between which it comes into sight
const BESIDE_IT = 0.4; // how much there is of those of another layer than the one that is entered
const STATION_LINE = 13; // pixels of the name of a station

export class StationsPen extends UnitsPen {
  /** The stations of a layer, where each has room for its name; returns how much of them is there. */
  drawPassed(side, here, own) {
    const l = here.first + own;
    const { numbers, colours, pen } = this;
    const stations = stationsDrawn(numbers.stations?.of(l) ?? [], side, own);
    const on = stations.length ? this.seen(stationsBox(side, own)) : null;
    const step = on ? on.h / stations.length : 0;
    const there = side.isNarrow || !on || on.w < 90 ? 0 : ramp(step, ...STATION_STEPS);
    if (!there) return 0;
    const { tokens, decisive } = numbers.part(l);
    const isHere = this.place[0] === l;
    pen.globalAlpha = isHere ? there : BESIDE_IT * there;
    this.box(on, { fill: colours.panel, line: isHere ? colours.ink : colours.line, round: 6 });
    stations.forEach(({ name, length, bands }, n) => {
      const y = on.y + on.h - (n + 1) * step;
      const text = n ? name : `“${shorten(tokens[decisive], 8)}” ${name}`;
      const [left, right] = [on.x + 7, on.x + on.w - 7];
      this.write(text, left, y + STATION_LINE / 2 + 2, { weight: name === "sum" || !n ? 650 : 400 });
      if (on.w > 130) this.write(brief(length), right, y + STATION_LINE / 2 + 2, { colour: "quiet", align: "right" });
      const image = this.image(`station ${l} ${n}`, bands.length, 1, () => {
        const signed = Float32Array.from(bands, (x) => x - 128);
        return pixelsOf(signed, bands.length, 127, colours, null, true);
      });
      const tall = Math.min(12, step - STATION_LINE - 3);
      this.picture(image, [0, 0, bands.length, 1], { x: left, y: y + STATION_LINE + 2, w: right - left, h: tall });
    });
    pen.globalAlpha = 1;
    return there;
  }
}
