// Where models stand: on one ground and in one scale, in as many rows as the room is narrow.

const AXIS = 34; // pixels on the left, for the numbers of layers
const APART = 16; // between models at least, and
const STACKS = 12; // between an encoder, cross-attention and the decoder
const LETTER = 7.4; // of a title
const LEAST = 6;
const MOST = 16; // pixels from head to head
const TALLER = 1.25; // a layer than a head is wide
const LEAST_RISE = 12; // pixels from layer to layer, where the sky over the low models tells of one
const ROOF = 26; // above a model, for its number of heads
const GROUND = 52; // below it, for its name
export const LOT = [6, 6]; // layers and heads of an empty one

/** The stacks of a model, or of what stands on an empty lot: [layers, heads, whether they only look back] each. */
export const stacksOf = ({ stacks }) => (stacks.length ? stacks : [[...LOT, false]]);

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

export const headsOf = ({ stacks }) => sum(stacks.map(([layers, heads]) => layers * heads));
const layersOf = (model) => Math.max(...stacksOf(model).map(([layers]) => layers));

function widthOf(model, pitch) {
  const stacks = stacksOf(model);
  return pitch * sum(stacks.map(([, heads]) => heads)) + STACKS * (stacks.length - 1);
}

const lotOf = (model, pitch) => Math.max(widthOf(model, pitch), LETTER * model.title.length);

/** {pitch, rise, height, rows: [{ground, lots: [{n, x, width, middle, stacks: [{x, layers, heads, back}]}]}]} for a
 * room so wide; rise is from layer to layer. */
export function plan(models, width) {
  const fits = (pitch) => AXIS + sum(models.map((one) => lotOf(one, pitch) + APART)) - APART <= width;
  let pitch = MOST;
  while (pitch > LEAST && !fits(pitch)) pitch -= 0.5;
  const rows = broken(models, pitch, width);
  const rise = rows.length > 1 ? pitch : Math.max(LEAST_RISE, Math.round(2 * TALLER * pitch) / 2);
  let ground = 0;
  const placed = rows.map((row) => {
    ground += ROOF + rise * Math.max(...row.map((n) => layersOf(models[n])));
    const at = { ground, lots: along(models, row, pitch, width, rows.length > 1 ? 3 * APART : Infinity) };
    ground += GROUND;
    return at;
  });
  return { pitch, rise, height: ground, left: AXIS, rows: placed };
}

function broken(models, pitch, width) {
  const rows = [[]];
  let x = AXIS;
  for (const [n, model] of models.entries()) {
    const lot = lotOf(model, pitch);
    if (x + lot > width && rows.at(-1).length) {
      rows.push([]);
      x = AXIS;
    }
    rows.at(-1).push(n);
    x += lot + APART;
  }
  return rows;
}

function along(models, row, pitch, width, widest) {
  const lots = row.map((n) => lotOf(models[n], pitch));
  const free = width - AXIS - sum(lots);
  const gap = Math.min(free / Math.max(1, row.length - 1), widest);
  let left = AXIS;
  return row.map((n, at) => {
    const middle = left + lots[at] / 2;
    left += lots[at] + gap;
    const wide = widthOf(models[n], pitch);
    let x = middle - wide / 2;
    const stacks = stacksOf(models[n]).map(([layers, heads, back]) => {
      const stack = { x, layers, heads, back };
      x += pitch * heads + STACKS;
      return stack;
    });
    return { n, x: middle - wide / 2, width: wide, middle, lot: lots[at], stacks };
  });
}

/** The cells of a stack as an SVG path, from number `first` on, counted from the lowest layer: a square for a head that
 * sees the whole text, half of one for a head that only looks back. */
export function cells({ x, layers, heads, back }, ground, pitch, rise, first = 0, end = layers * heads) {
  const [wide, tall] = [pitch - Math.max(1, pitch / 7), rise - Math.max(1, pitch / 7)];
  let path = "";
  for (let n = first; n < end; n++) {
    const left = x + pitch * (n % heads);
    const top = ground - rise * (Math.floor(n / heads) + 1) + rise - tall;
    path += `M${left} ${top}${back ? "" : `h${wide}`}L${left + wide} ${top + tall}H${left}Z`;
  }
  return path;
}
