// Where the parts of a layer lie: from its output at the top down to its input, beside the stream or on it.

const [NARROW, ARROW, PAD, INNER, GAP, AGAIN] = [420, 12, 4, 4, 9, 22]; // pixels
const [LOWEST, TALLEST, NAMED] = [46, 96, 56]; // of a part's height; beside its lane, or above it
const SUBLAYERS = { feed_forward: "norm", attention: "again" }; // and the norm that belongs to each

const ON = ["norms", "again", "output", "embeddings"]; // frames that may lie on the stream itself

/** The layer in rows, from the top down: [name, the parts in it, or null where the row is itself a part].
 *
 * isBefore: whether norms lie before sublayers;  isInside: whether positions come in within attention, and not below */
export function rowsOf({ names, isBefore, isInside }) {
  const feedForward = ["feed-forward", ["experts", "feed_forward"]];
  const attention = ["attention", isInside ? ["kv_heads", "positions"] : ["kv_heads"]];
  const [norm, again] = [
    ["norms", ["norm", "place"]],
    ["again", []],
  ];
  const block = isBefore ? [feedForward, norm, attention, again] : [norm, feedForward, again, attention];
  const outside = isInside ? [] : [["positions", null]];
  const around = (name) => (names.includes(name) ? [[name, [name]]] : []);
  return [...around("output"), ...block, ...outside, ...around("embeddings"), ["all", null]];
}

const fixedOf = ([name, parts]) =>
  parts === null ? 0 : name === "again" ? AGAIN : 2 * PAD + (parts.length - 1) * INNER;
const partsIn = (rows) => rows.reduce((sum, [, parts]) => sum + (parts === null ? 1 : parts.length), 0);

/** Boxes of all parts and of what is around them, by name, and the wires between them and the stream. Last, where the
 * stream has ended, is the box of all parts at once. below: pixels under each part, for its lane */
export function layoutOf(layer, { wide, tall, below = 0 }) {
  const [gutter, strip] = wide < NARROW ? [28, 20] : [56, 28];
  const tallest = rowsOf({ ...layer, isInside: false }); // parts keep their size when one moves
  const fixed = 2 * ARROW + GAP * (tallest.length - 1) + tallest.reduce((sum, row) => sum + fixedOf(row), 0);
  const h = below ? NAMED : Math.max(LOWEST, Math.min(TALLEST, (tall - fixed) / partsIn(tallest)));
  const slot = h + below;
  const [boxes, frames, rows] = [{}, {}, rowsOf(layer)];
  const x = gutter + strip;
  let y = ARROW;
  for (const [name, parts] of rows) {
    if (name === "all") y += ARROW;
    if (parts === null) boxes[name] = { x, y, w: wide - x - PAD, h };
    else {
      const isNorm = ["norms", "again"].includes(name);
      const left = ON.includes(name) && !(isNorm && layer.isBefore) ? 0 : gutter;
      frames[name] = { x: left, y, w: wide - left, h: fixedOf([name, parts]) + parts.length * slot };
      for (const [n, part] of parts.entries())
        boxes[part] = { x, y: y + PAD + n * (slot + INNER), w: wide - x - PAD, h };
    }
    y += (parts === null ? slot : fixedOf([name, parts]) + parts.length * slot) + GAP;
  }
  const ends = boxes.all.y - GAP;
  return { boxes, frames, wires: wiresOf(layer, frames, boxes, gutter), tall: y - GAP, ends, at: gutter / 2 };
}

/** The names of parts from the top down. */
export const fromTop = (boxes) => Object.keys(boxes).sort((a, b) => boxes[a].y - boxes[b].y);

/** Per sublayer: from where it branches off the stream, and where its result is added; and where positions are. */
function wiresOf({ isBefore, isInside }, frames, boxes, gutter) {
  const on = gutter / 2;
  const wires = Object.entries(SUBLAYERS).map(([name, norm]) => {
    const [frame, before] = [frames[name.replace("_", "-")], frames[norm === "norm" ? "norms" : norm]];
    const [plus, bottom, middle] = [frame.y + 16, frame.y + frame.h, frame.x + frame.w / 2];
    const enters = isBefore ? before.y + before.h / 2 : bottom - 14;
    const up = isBefore ? before.y : bottom;
    const leaves = `M${gutter} ${plus}H${on + 9}`;
    const tip = `M${gutter - 9} ${enters - 5}L${gutter - 1} ${enters}L${gutter - 9} ${enters + 5}`;
    return { plus: [on, plus], path: `M${on} ${enters}H${gutter}M${middle} ${up}V${bottom}${leaves}${tip}` };
  });
  const at = boxes.positions;
  const middle = at.y + at.h / 2;
  const added = { plus: [on, middle], path: `M${at.x} ${middle}H${on + 9}M${at.x} ${middle}V${middle}` };
  return isInside ? wires : [...wires, added];
}
