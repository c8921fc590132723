// Attention weight on a picture: what is looked at keeps its own colours and has a violet frame; the rest pales.

import { rgb, strength, theme } from "../../../attention_view/lab.js";

const PALE = 0.58; // of the colours of a patch that nobody looks at: the picture can still be read there
const FAINTEST = 0.12; // strength of a frame that is drawn
const FRAME = 0.085; // of a patch's side: the widest frame

/** How much of the page's ground lies on a patch with so much of the largest attention weight. */
export const paleness = (share) => PALE * (1 - strength(share));

/** The colours that are laid on a picture: {ground, weight}, each [r, g, b]. */
export function inksOf(root) {
  const colour = theme(root);
  return { ground: rgb(colour("ground")), weight: rgb(colour("weight")) };
}

/** Lays attention weights, as shares of the largest, on what a pen has drawn: so many patches across. */
export function lay(pen, size, shares, across, { ground, weight }) {
  const patch = size / across;
  const at = (n) => [(n % across) * patch, Math.floor(n / across) * patch];
  shares.forEach((share, n) => {
    pen.fillStyle = `rgb(${ground.join(" ")} / ${paleness(share)})`;
    pen.fillRect(...at(n), patch, patch);
  });
  shares.forEach((share, n) => {
    const strong = strength(share);
    if (strong < FAINTEST) return;
    const wide = Math.max(1, FRAME * patch * strong);
    const [x, y] = at(n).map((start) => start + wide / 2);
    pen.lineWidth = wide;
    pen.strokeStyle = `rgb(${weight.join(" ")} / ${strong})`;
    pen.strokeRect(x, y, patch - wide, patch - wide);
  });
}
