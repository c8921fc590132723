// How far a hand has opened what attention and feed-forward add to the stream, in tenths, and what the model then says.

import { capital, el, pointIn, put, shareInProse, still } from "../../../../attention_view/lab.js";
import { drag, inRow, tween } from "../../../../attention_view/controls.js";

export const FULL = 10; // tenths
const NAMES = ["attention", "feed-forward"],
  LEAST = 60, // pixels of a drag from shut to open
  [LOW, LOWER] = [48, 22], // pixels of a grip above the lower edge, and on a phone
  BEFORE = 26, // and beside it, to what is written there
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

/** The tenths at which the word that is said in the end changes as the nth of both is opened, [[tenth, word], ...]. */
export function flipsOf(opened, lane, open, n) {
  const says = (k) => openedAt(opened, lane, open.with(n, k))[1][0];
  const tenths = Array.from({ length: FULL }, (_, k) => k + 1);
  return tenths.filter((k) => says(k) !== says(k - 1)).map((k) => [k, says(k)]);
}

/** What the model says, in a sentence, where not all is open. */
export function halfway(data, lane, open) {
  const [, [word, chance]] = openedAt(data.opened, lane, open);
  if (open.every((n) => !n)) return `What comes in says “${word}”. How far must attention open to change that?`;
  const parts = open.map((n, k) => amount(n, NAMES[k]));
  return `${capital(parts.join(", "))}: “${word}”, ${shareInProse(chance)} sure.`;
}

/** About the longest of these sentences. */
export const longestOf = ({ words }) =>
  words.map((word) => `Attention 40% open, feed-forward fully open: “${word}”, over 99.9% sure.`);

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
    this.flips = el("div", { "aria-hidden": "true" });
    this.node.replaceChildren(this.flips, ...this.grips);
  }

  /** bands: of what is added; each has its grip at the edge that a hand pulls */
  draw(bands, height) {
    const { open, canOpen, isNarrow } = this.river;
    this.bands = bands;
    this.node.hidden = !canOpen;
    const top = height - (isNarrow ? LOWER : LOW);
    for (const [n, { x, thick }] of bands.entries())
      put(this.grips[n], {
        style: `left:${x + (spanOf(thick) * open[n]) / FULL}px;top:${top}px`,
        "aria-valuenow": 10 * open[n],
        "aria-valuetext": `${10 * open[n]}%`,
      });
    this.flips.replaceChildren(...(canOpen ? bands.flatMap((band, n) => this.ticks(band, n, top)) : []));
  }

  /** Ticks where the word flips, as far as the hand has come; beside the last one that it has passed, the word. */
  ticks({ x, thick }, n, top) {
    const { data, followed: lane, open } = this.river;
    const of = `${lane} ${data.words}`;
    if (this.of !== of) Object.assign(this, { of, reach: [0, 0] });
    this.reach[n] = Math.max(this.reach[n], open[n]);
    const flips = flipsOf(data.opened, lane, open, n).filter(([tenth]) => tenth <= this.reach[n]);
    const last = flips.findLast(([tenth]) => tenth <= open[n]);
    return flips.map((flip) => {
      const across = (spanOf(thick) * flip[0]) / FULL;
      const label = el("span", { style: `right:${across + BEFORE}px` }, el("b", flip[1]), ` from ${10 * flip[0]}%`);
      return el("i.flip", { style: `left:${x + across}px;top:${top}px` }, ...(flip === last ? [label] : []));
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
