// How far a hand has opened what attention and feed-forward add to the stream, in tenths, and what the model then says.

import { capital, el, pointIn, put, shareInProse, still } from "../../../../attention_view/lab.js";
import { drag, inRow, tween } from "../../../../attention_view/controls.js";

export const FULL = 10; // tenths
const NAMES = ["attention", "feed-forward"],
  LEAST = 60, // pixels of a drag from shut to open
  [LOW, LOWER] = [48, 22], // pixels of a grip above the lower edge, and on a phone
  OPENS = 900; // milliseconds

/** How far a hand goes that opens a band as thick as this. */
export const spanOf = (thick) => Math.max(LEAST, thick);

/** The words and chances after each addition, [[word, chance], ...], where both are opened so far. */
export const openedAt = ({ words, said, chances }, lane, [a, b]) =>
  [
    [0, a],
    [a + 1, b],
  ].map(([row, n]) => [words[said[row][n][lane]], chances[row][n][lane]]);

/** How far both are open, as a link has it: "30-100"; both shut where it says nothing that can be. */
export function openOf(text) {
  const [, ...parts] = /^(\d{1,2}0|0)-(\d{1,2}0|0)$/.exec(text ?? "") ?? [];
  const open = parts.map((part) => Number(part) / FULL);
  return open.length && Math.max(...open) <= FULL ? open : [0, 0];
}

const amount = (n, name) => `${name} ${{ 0: "shut", 5: "half open", [FULL]: "fully open" }[n] ?? `${10 * n}% open`}`;

/** What the model says, in a sentence, where not all is open; moved: which of both a hand had last. */
export function halfway(data, lane, open, moved) {
  const at = (n) => openedAt(data.opened, lane, moved ? [open[0], n] : [n, open[1]])[1];
  const [word, chance] = at(open[moved]);
  if (open.every((n) => !n)) return `What comes in says “${word}”. How far must attention open to change that?`;
  const parts = open.map((n, k) => amount(n, NAMES[k]));
  const now = `${capital(parts.join(", "))}: “${word}”, ${shareInProse(chance)} sure.`;
  let n = open[moved];
  while (n > 0 && at(n)[0] === word) n -= 1;
  const before = at(n)[0];
  if (before === word) return now;
  const shut = n ? `Close ${NAMES[moved]} to ${10 * n}%` : `Shut ${NAMES[moved]}`;
  return `${now} ${shut} and it is “${before}” again.`;
}

/** About the longest of these sentences. */
export const longestOf = ({ words }) =>
  words.map((word) =>
    [
      `Attention 40% open, feed-forward fully open: “${word}”, over 99.9% sure.`,
      `Close feed-forward to 20% and it is “${word}” again.`,
    ].join(" "),
  );

export class Pipes {
  /** river: whose pipes a hand opens */
  constructor(river) {
    this.river = river;
    this.node = el("div.grips");
    this.grips = NAMES.map((name, n) =>
      el("button.grip", {
        role: "slider",
        "aria-label": `How far ${name} is open`,
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        onkeydown: (event) => this.step(event, n),
        onpointerdown: (event) => this.hold(event, n),
      }),
    );
    this.node.replaceChildren(...this.grips);
  }

  /** bands: of what is added; each has its grip at the edge that a hand pulls */
  draw(bands, height) {
    const { open, canOpen, isNarrow } = this.river;
    this.bands = bands;
    this.node.hidden = !canOpen;
    for (const [n, { x, thick }] of bands.entries())
      put(this.grips[n], {
        style: `left:${x + (spanOf(thick) * open[n]) / FULL}px;top:${height - (isNarrow ? LOWER : LOW)}px`,
        "aria-valuenow": 10 * open[n],
        "aria-valuetext": `${10 * open[n]}%`,
      });
  }

  hold(event, n) {
    if (!this.river.canOpen || event.button) return;
    if (event.currentTarget !== this.grips[n]) event.preventDefault(); // a drag marks no text
    this.stop?.();
    const span = spanOf(this.bands[n].thick);
    const from = pointIn(event, this.node)[0] - (span * this.river.open[n]) / FULL;
    const move = (at) => {
      const share = (pointIn(at, this.node)[0] - from) / span;
      this.set(n, Math.round(FULL * Math.max(0, Math.min(1, share))));
    };
    this.river.endDrag = drag(move, () => {});
  }

  step(event, n) {
    const to = inRow(event, this.river.open[n], FULL + 1);
    if (to !== null) this.set(n, to);
  }

  set(n, to) {
    if (to !== this.river.open[n]) this.river.openTo(n, to);
  }

  /** The one that is not open yet, the first of them; -1 where all are. */
  get next() {
    return this.river.open.findIndex((n) => n < FULL);
  }

  get offer() {
    return `Open ${NAMES[this.next]}`;
  }

  /** Opens it all the way. */
  play() {
    const { next: n } = this;
    const from = this.river.open[n];
    this.stop?.();
    if (still()) this.set(n, FULL);
    else this.stop = tween(OPENS, (share) => this.set(n, Math.round(from + (FULL - from) * share)));
  }
}
