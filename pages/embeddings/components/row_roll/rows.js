// The numbers of a table as they come from the server: of the lines that are drawn in steps, of the text's rows whole.

import { fromBase64 } from "../../../../attention_view/lab.js";

export class Rows {
  constructor({ picture, rows, own, d, across, step }) {
    Object.assign(this, { own, d, across, step });
    this.lines = new Int8Array(fromBase64(picture).buffer);
    this.whole = new Float32Array(fromBase64(rows).buffer);
  }

  /** The row of a token of the text. */
  of(id) {
    const n = this.own.indexOf(id);
    return this.whole.subarray(n * this.d, (n + 1) * this.d);
  }

  /** As much as is known of the row that is drawn as this line. */
  drawn(line) {
    const { across, step } = this;
    return Float32Array.from(this.lines.subarray(line * across, (line + 1) * across), (x) => x * step);
  }
}
