// Names one below the other, beside what they name.

/** Where names stand so that none covers another: as near as can be to where they belong, in their order.
 *
 * wanted: heights; -> heights that are at least `gap` apart, all from `top` to `bottom` */
export function apart(wanted, gap, top, bottom) {
  const order = wanted.map((_, n) => n).sort((a, b) => wanted[a] - wanted[b] || a - b);
  // Names that touch become a block, which stands in the middle of where its names belong.
  const blocks = [];
  for (const n of order) {
    let block = { members: [n], sum: wanted[n] };
    for (;;) {
      const before = blocks.at(-1);
      if (!before || start(before, gap, top, bottom) + before.members.length * gap <= start(block, gap, top, bottom))
        break;
      blocks.pop();
      block = { members: [...before.members, ...block.members], sum: before.sum + block.sum };
    }
    blocks.push(block);
  }
  const places = [];
  for (const block of blocks) block.members.forEach((n, k) => (places[n] = start(block, gap, top, bottom) + k * gap));
  return places;
}

function start({ members, sum }, gap, top, bottom) {
  const tall = (members.length - 1) * gap;
  return Math.max(top, Math.min(bottom - tall, sum / members.length - tall / 2));
}
