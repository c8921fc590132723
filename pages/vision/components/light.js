// Attention weight on a picture: what is looked at stays as bright as it is and has a violet frame between two light
// lines, seen on every paint; on the rest lies a light shade, through which every colour can be told.

import { rgb, strength, theme } from "../../../attention_view/lab.js";

const SHADE = [18, 16, 26];
const DARKEST = 0.1; // how much of it lies on a patch that nobody looks at
const FAINTEST = 0.12; // strength of a frame that is drawn
const FRAME = 0.1; // of a patch's side: the widest frame
const LINE = 0.025; // of it: each of the light lines around a frame

/** How much shade lies on a patch with so much of the largest attention weight. */
export const shadeOf = (share) => DARKEST * (1 - strength(share));

/** The colour of the frames, as [r, g, b]. */
export const frameOf = (root) => rgb(theme(root)("weight"));

/** Lays attention weights, as shares of the largest, on what a pen has drawn: so many patches across. */
export function lay(pen, size, shares, across, weight) {
  const patch = size / across;
  const at = (n) => [(n % across) * patch, Math.floor(n / across) * patch];
  shares.forEach((share, n) => {
    pen.fillStyle = `rgb(${SHADE.join(" ")} / ${shadeOf(share)})`;
    pen.fillRect(...at(n), patch, patch);
  });
  shares.forEach((share, n) => {
    const strong = strength(share);
    if (strong < FAINTEST) return;
    const [wide, line] = [Math.max(1, FRAME * patch * strong), Math.max(1, LINE * patch)];
    const around = (width, colour) => {
      const [x, y] = at(n).map((start) => start + wide / 2 + line);
      Object.assign(pen, { lineWidth: width, strokeStyle: `rgb(${colour.join(" ")} / ${strong})` });
      pen.strokeRect(x, y, patch - wide - 2 * line, patch - wide - 2 * line);
    };
    around(wide + 2 * line, [255, 255, 255]);
    around(wide, weight);
  });
}
