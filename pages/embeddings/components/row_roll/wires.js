// The lines between the three parts: from each word that takes the row to the row, and from it to what comes out.

import { boxOf, svg } from "../../../../attention_view/lab.js";

/** row: that came out, null if none did; lit: the words that have it, `token` the one that is chosen */
export function drawWires(wires, { root, words, roll, row, lit, token }) {
  wires.replaceChildren();
  if (!roll.height) return;
  const at = boxOf(root);
  const box = (node) => {
    const { left, right, top, bottom } = boxOf(node);
    return { left: left - at.left, right: right - at.left, top: top - at.top, bottom: bottom - at.top };
  };
  wires.setAttribute("width", at.width);
  wires.setAttribute("height", at.height);
  const [chips, canvas] = [words.node, roll.canvas].map(box);
  if (canvas.top > chips.bottom - 4) return; // one below the other, on a phone
  if (row && box(row).left > canvas.right) wires.append(beam(canvas, roll.notch, box(row)));
  const y = canvas.top + roll.half;
  for (const n of lit) {
    const chip = box(words.chips[n]);
    const isSeen = chip.bottom > chips.top && chip.top < chips.bottom;
    if (isSeen)
      wires.append(svg("path", { class: n === token ? "wire" : "wire before", d: wire(chip, chips, canvas, y) }));
  }
}

/** From the row in the roll to all of the height of what came out. */
function beam(canvas, notch, { left, top, bottom }) {
  const [high, low] = [canvas.top + notch.top, canvas.top + notch.bottom];
  const d = `M${canvas.right},${high}L${left},${top + 12}V${bottom - 12}L${canvas.right},${low}Z`;
  return svg("path", { class: "beam", d });
}

/** From below a word to the right of all words, and to the row at the height y. */
function wire(chip, chips, canvas, y) {
  const lane = chips.right + 12;
  const x = (chip.left + chip.right) / 2;
  const below = Math.min(chip.bottom + 7, chips.bottom);
  const turn = y > below ? 7 : -7;
  const corner = `Q${lane},${below} ${lane},${below + turn}V${y - turn}Q${lane},${y} ${lane + 7},${y}`;
  const to = Math.abs(y - below) < 15 ? `L${lane + 8},${y}` : corner;
  const start = `M${x},${Math.min(chip.bottom + 1, below)}V${below - 4}Q${x},${below} ${x + 5},${below}`;
  return `${start}H${lane - 7}${to}H${canvas.left}m-6,-5l6,5l-6,5`;
}
