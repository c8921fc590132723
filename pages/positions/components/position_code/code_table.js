// The table of codes, and what is read from it. Nothing here knows the formula.

import { unpack } from "../../../../attention_view/lab.js";

export class CodeTable {
  /** bytes: a payload of the table (length + the longest step, d) with the turn of every pair */
  constructor(bytes) {
    const { header, arrays } = unpack(bytes);
    Object.assign(this, header); // d, length, most: the longest step, at: the usual position, turns
    this.numbers = arrays.table;
    this.groups = header.turns.length;
  }

  row(position) {
    return this.numbers.subarray(position * this.d, (position + 1) * this.d);
  }

  /** Whether a pair has a cosine, too: a last sine may be alone. */
  isWhole(pair) {
    return 2 * pair + 1 < this.d;
  }

  /** The code of `a` times every code: how alike they are, as a dot product has it. */
  likeness(a) {
    return Float64Array.from({ length: this.length }, (_, p) => this.product(a, p));
  }

  product(a, b) {
    const other = this.row(b);
    return this.row(a).reduce((sum, value, n) => sum + value * other[n], 0);
  }
}
