// The heads of a model as cells in the room that there is, a row per layer, and its outline in one scale with others.

const STACKS = 1.2; // cells between an encoder, cross-attention and the decoder
const TALLER = 0.8; // a layer than a head is wide, at least where there is the room
const MOST = 96; // pixels from head to head
export const LOT = [6, 6]; // layers and heads of an empty one

/** The stacks of a model, or of what stands on an empty lot: [layers, heads, whether they only look back] each. */
export const stacksOf = ({ stacks }) => (stacks.length ? stacks : [[...LOT, false]]);

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export const headsOf = ({ stacks }) => sum(stacks.map(([layers, heads]) => layers * heads));

/** {pitch, rise, width, height, stacks: [{x, layers, heads, back}]}: a model as large as the room lets it be. */
export function plan(model, width, height) {
  const stacks = stacksOf(model);
  const wide = sum(stacks.map(([, heads]) => heads)) + STACKS * (stacks.length - 1);
  const layers = Math.max(...stacks.map(([count]) => count));
  const pitch = Math.min(MOST, width / wide, height / layers / TALLER);
  const rise = Math.min(height / layers, pitch);
  let x = 0;
  const placed = stacks.map(([count, heads, back]) => {
    const stack = { x, layers: count, heads, back };
    x += pitch * (heads + STACKS);
    return stack;
  });
  return { pitch, rise, width: pitch * wide, height: rise * layers, stacks: placed };
}

/** The boxes around the stacks of a model, so many pixels to a head and to a layer: [{x, width, height}]. */
export function outline(model, wide, tall) {
  let x = 0;
  return stacksOf(model).map(([layers, heads]) => {
    const box = { x, width: wide * heads, height: tall * layers };
    x += box.width + 2;
    return box;
  });
}

/** The cells of a stack as an SVG path, from number `first` on, counted from the lowest layer: a square for a head that
 * sees the whole text, half of one for a head that only looks back. */
export function cells({ x, layers, heads, back }, ground, pitch, rise, first = 0, end = layers * heads) {
  const [wide, tall] = [pitch - Math.max(1, pitch / 9), rise - Math.max(1, rise / 9)];
  let path = "";
  for (let n = first; n < end; n++) {
    const left = x + pitch * (n % heads);
    const top = ground - rise * (Math.floor(n / heads) + 1) + rise - tall;
    path += `M${left} ${top}${back ? "" : `h${wide}`}L${left + wide} ${top + tall}H${left}Z`;
  }
  return path;
}
