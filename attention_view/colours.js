// From a number to its colour: pure functions, and tables for images of many cells.

import { rgb, strength, theme } from "./lab.js";

const NAMES = "ground panel ink quiet line query key value weight positive negative".split(" ");

/** The palette, read from the CSS of the view so that light, dark and custom themes all hold. `last` is given back if
 * nothing has changed: its tables cost more than the reading. */
export function palette(root, last) {
  const of = theme(root);
  const colours = { font: getComputedStyle(root).fontFamily };
  for (const name of NAMES) colours[name] = of(name);
  colours.name = Object.values(colours).join();
  if (last?.name === colours.name) return last;
  colours.weightSteps = steps(colours.panel, colours.weight);
  colours.positiveSteps = steps(colours.panel, colours.positive);
  colours.negativeSteps = steps(colours.panel, colours.negative);
  colours.blocked = pixel(rgb(colours.line));
  colours.weightPixels = Uint32Array.from(colours.weightSteps, pixel);
  colours.positivePixels = Uint32Array.from(colours.positiveSteps, pixel);
  colours.negativePixels = Uint32Array.from(colours.negativeSteps, pixel);
  colours.heads = shades(rgb(colours.weight), rgb(colours.ink), rgb(colours.panel)).map(css);
  return colours;
}

/** Eight colours for the weights of several heads: all of them near violet, since violet is what weights are, and told
 * apart by hue first (violet, magenta, indigo), then by how near they are to the ink or to the panel. */
export function shades(weight, ink, panel) {
  const hues = [0, 62, -26].map((degrees) => turned(weight, degrees));
  const mixed = (colour, other, share) => colour.map((v, c) => Math.round(v + (other[c] - v) * share));
  const pale = hues.map((hue) => mixed(hue, panel, 0.45));
  return [...hues, ...pale, ...hues.slice(0, 2).map((hue) => mixed(hue, ink, 0.5))];
}

/** A colour with its hue turned, lightness and saturation kept (HSL). */
function turned(colour, degrees) {
  const [r, g, b] = [...colour].map((v) => v / 255);
  const [low, high] = [Math.min(r, g, b), Math.max(r, g, b)];
  const range = high - low || 1;
  const sixth = high === r ? (g - b) / range : high === g ? 2 + (b - r) / range : 4 + (r - g) / range;
  const hue = sixth * 60 + degrees;
  const of = (offset) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12;
    const share = Math.max(-1, Math.min(k - 3, 9 - k, 1)); // from the lightest to the darkest part
    return Math.round(255 * ((low + high) / 2 - (share * (high - low)) / 2));
  };
  return [of(0), of(8), of(4)];
}

/** 256 colours from one to another. */
function steps(from, to) {
  const a = rgb(from),
    b = rgb(to);
  return Array.from({ length: 256 }, (_, n) => a.map((v, c) => v + ((b[c] - v) * n) / 255));
}

/** A colour as four bytes of an image. */
export function pixel([r, g, b]) {
  pixel.bytes ??= new Uint8Array(4);
  pixel.bytes.set([r, g, b, 255]);
  return new Uint32Array(pixel.bytes.buffer)[0];
}

/** How strong the colour of a cell is: `strength` of its share of the largest, as one of 256 steps. */
export function tone(share) {
  return Math.round(255 * strength(share));
}

// The same by table, for images of many cells: share of the largest in 4096 steps.
const TONES = Uint8Array.from({ length: 4096 }, (_, n) => tone(n / 4095));

export function css([r, g, b]) {
  return `rgb(${r},${g},${b})`;
}

/** The colour of an attention weight, from the panel to violet. */
export function weightColour(value, largest, colours) {
  return colours.weightSteps[largest > 0 ? tone(value / largest) : 0];
}

/** The colour of a number with a sign, such as a score: slate above zero, amber below. */
export function signedColour(value, largest, colours) {
  if (!(largest > 0)) return colours.positiveSteps[0];
  return value < 0 ? colours.negativeSteps[tone(-value / largest)] : colours.positiveSteps[tone(value / largest)];
}

/** The colour of an attention weight as CSS, written once for each of its steps. */
export function weightCss(weight, colours) {
  const written = (colours.writtenWeights ??= new Map());
  const colour = weightColour(weight, 1, colours);
  if (!written.has(colour)) written.set(colour, css(colour));
  return written.get(colour);
}

/** The same as CSS, from a list: to write numbers and have them read again takes longer than to fill a cell. */
export function signedCss(value, largest, colours) {
  const written = (colours.written ??= new Map());
  const colour = signedColour(value, largest, colours);
  if (!written.has(colour)) written.set(colour, css(colour));
  return written.get(colour);
}

/** The colours of n cells, four bytes each. */
export function pixelsOf(data, n, largest, colours, allowed = null, signed = false) {
  const pixels = new Uint32Array(n);
  const { negativePixels, blocked } = colours;
  const above = signed ? colours.positivePixels : colours.weightPixels;
  const unit = largest > 0 ? 4095 / largest : 0;
  for (let at = 0; at < n; at++) {
    const share = data[at] * unit;
    if (allowed && !allowed[at]) pixels[at] = blocked;
    else if (share >= 0) pixels[at] = above[TONES[share < 4095 ? (share + 0.5) | 0 : 4095]];
    else pixels[at] = negativePixels[TONES[share > -4095 ? (0.5 - share) | 0 : 4095]];
  }
  return new Uint8ClampedArray(pixels.buffer);
}

/** The colours on the way from one image to another: `passed` is 0 at the first and 1 at the second. */
export function mixed(from, to, passed) {
  return to.map((byte, n) => from[n] + (byte - from[n]) * passed);
}
