// Cross-attention of one layer and head, or of the mean of a layer's heads, and what it is asked in a quiz.

/** Whether no word of a row is looked at more than this one. */
export const isMost = (row, j) => row[j] === Math.max(...row);

/** The weights of a translation: data has weights (layer, head, target, source), heads, source, target and ghost. */
export class Weights {
  constructor(data, layer, head) {
    Object.assign(this, { data, layer, head }); // head -1: the mean
  }

  /** The weight with which target token i looks at source token j. */
  at(i, j) {
    const { weights, heads, source, target } = this.data;
    const of = (h) => weights[((this.layer * heads + h) * target.length + i) * source.length + j];
    if (this.head >= 0) return of(this.head);
    let sum = 0;
    for (let h = 0; h < heads; h++) sum += of(h);
    return sum / heads;
  }

  row(i) {
    return this.data.source.map((_, j) => this.at(i, j));
  }

  column(j) {
    return this.data.target.map((_, i) => this.at(i, j));
  }

  /** The source token that target token i looks at most. */
  top(i) {
    const row = this.row(i);
    return row.indexOf(Math.max(...row));
  }

  /** The first word for which the model goes back, to a word before the one it looked at last: there the two languages
   * have another order. 0 where it never does. */
  get turn() {
    const tops = this.data.target.map((word, i) => (word === "⟨end⟩" ? Infinity : this.top(i)));
    return Math.max(
      0,
      tops.findIndex((top, i) => i && top < tops[i - 1]),
    );
  }

  /** The source tokens that target token i comes from, where that is known. */
  right(i) {
    return this.data.ghost.filter((pair) => pair[0] === i).map((pair) => pair[1]);
  }

  /** The share of the weight that is on the right words; null where none is known. */
  get mass() {
    const { ghost } = this.data;
    const rows = new Set(ghost.map(([i]) => i)).size;
    return rows ? ghost.reduce((sum, [i, j]) => sum + this.at(i, j), 0) / rows : null;
  }

  /** How far word i stands from the one it comes from: those are the words worth a question. */
  crossing(i) {
    const [right = this.top(i)] = this.right(i);
    return Math.abs(right - i);
  }

  /** Five words to guess at: {order, at: the question, picks}. */
  quiz() {
    const { target } = this.data;
    const words = target.map((_, i) => i).filter((i) => target[i] !== "⟨end⟩");
    const order = words.sort((a, b) => this.crossing(b) - this.crossing(a) || a - b).slice(0, 5);
    return { order, at: 0, picks: [] };
  }
}
