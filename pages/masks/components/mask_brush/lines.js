// Whole rows and columns: the line below the cells says what one of them may see, and buttons block or unblock it.

import { el, shorten } from "../../../../attention_view/lab.js";

const READ = "Press a cell to read its numbers.";
const HINT = "Press a word to select its row or column. By keyboard: arrows, then Space.";

/** Where the cells of a row ("query") or a column ("key") are in a mask of T rows and S columns. */
export const cellsOf = (side, n, [T, S]) =>
  Array.from({ length: side === "query" ? S : T }, (_, k) => (side === "query" ? n * S + k : k * S + n));

/** Of a row or column, the cells that its button changes, and whether it unblocks them: it blocks what is open, and
 * gives back what it had blocked. closed: the cells that it had blocked, if it has */
export function turnOf(cells, open, closed) {
  const isOpening = !cells.some((at) => open[at]);
  return { isOpening, cells: isOpening ? (closed ?? cells) : cells.filter((at) => open[at]) };
}

/** What a button does to a row or column. */
export const actSaid = (side, token, isOpening) =>
  `${isOpening ? "Unblock" : "Block"} ${side === "query" ? "row" : "column"} “${token}”`;

/** How much of a row or column is open, as [text, the colour it wears or ""]. */
export function openSaid(side, token, cells, open) {
  const count = `${cells.filter((at) => open[at]).length} of ${cells.length} tokens`;
  const rest = side === "query" ? ` may look at ${count}.` : ` may be seen by ${count}.`;
  return [
    [token, side],
    [rest, ""],
  ];
}

export class Lines {
  /** brush: has the mask, the row and the column that are selected, and what sends a stroke */
  constructor(brush) {
    this.brush = brush;
    this.forget();
    const button = (side) => el("button.line-act", { onclick: () => this.turn(side) });
    this.buttons = { query: button("query"), key: button("key") };
  }

  /** Cells were painted one by one: what buttons had blocked before is no longer theirs. */
  forget() {
    this.closed = {}; // by side and number, what its button has blocked; never changed in place: Undo keeps the last
  }

  /** The row or column that is selected; null where none is. */
  at(side) {
    return side === "query" ? this.brush.line : this.brush.column;
  }

  cells(side) {
    const [{ T, S }] = this.brush.panels;
    return cellsOf(side, this.at(side), [T, S]);
  }

  next(side) {
    return turnOf(this.cells(side), this.brush.shown, this.closed[side + this.at(side)]);
  }

  token(side) {
    const [{ queries, keys }] = this.brush.data.panels;
    return shorten((side === "query" ? queries : keys)[this.at(side)]);
  }

  show() {
    for (const [side, button] of Object.entries(this.buttons)) {
      const isAsked = this.brush.named || !this.brush.data.answer;
      button.hidden = !this.brush.data.paint || this.at(side) === null || !isAsked;
      if (!button.hidden) button.textContent = actSaid(side, this.token(side), this.next(side).isOpening);
    }
  }

  /** The cell of a word that was pressed above, in the row that is held; null where none was, or no row is. */
  get cell() {
    const { data, named, held, column } = this.brush;
    return data.live && named === "key" ? [data.live.weights, held, column] : null;
  }

  /** What the line below says: of a cell [panel, i, j], of a row or column, or what can be done. */
  told(cell) {
    const { data, named } = this.brush;
    if (cell) return this.toldOf(cell);
    if (!named) return [data.paint ? HINT : READ];
    const parts = openSaid(named, this.token(named), this.cells(named), this.brush.shown);
    return parts.map(([text, kind]) => (kind ? el(`b.${kind}`, text) : text));
  }

  toldOf([p, i, j]) {
    const { brush } = this;
    const { queries, keys } = brush.data.panels[p];
    const parts = brush
      .group(p)
      .flatMap((panel, at) => [
        at ? "  →  " : ": ",
        `${panel.data.title.toLowerCase()} `,
        el("b", { class: panel.data.kind }, panel.word(i * keys.length + j)),
      ]);
    return [el("b.query", queries[i]), " → ", el("b.key", keys[j]), ...parts];
  }

  /** Blocks what is open of a row or column, or gives back all that its button has blocked since it last did. */
  turn(side) {
    const name = side + this.at(side);
    const { isOpening, cells } = this.next(side);
    const { [name]: own = [], ...others } = this.closed;
    const blocked = [...own.filter((at) => !this.brush.shown[at]), ...cells];
    this.brush.paint(cells, isOpening);
    this.closed = isOpening ? others : { ...others, [name]: blocked };
  }
}
