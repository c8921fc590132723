// What is chosen of the pictures, and what is shown of it: nothing here draws or listens.

import { STAGES } from "./map.js";
import { isMany } from "./thumb_sizes.js";
import { hidesBlocked } from "./paint.js";
import { remarks } from "./tokens.js";

const SHARE_BESIDE = 0.57; // of the width, for all heads beside a large one, as in beside.css
const CAPTIONED = 130; // pixels for a small map and its name
const PER_LETTER = 9; // pixels of the line that a letter of a large text takes, at least: see .lined .chip
const FOLDED = 160; // letters of a text on several lines, at most

export class Chosen {
  constructor() {
    this.picture = null; // what is seen: `whole`, the picture of one kind of attention, through the filters of tokens
    this.hover = null;
    this.peek = null; // the head under the pointer, while the map is away
    this.rests = false; // nothing is chosen yet: of a stage, the map waits for that
    this.side = "query"; // of a token that is chosen among the ribbons
  }

  /** How the tokens are read; see tokens.js. */
  get filters() {
    return { hidden: this.hidden, whole: this.joined, pair: this.pair };
  }

  get filtered() {
    return this.picture === this.whole ? "" : JSON.stringify(this.filters);
  }

  /** The head that is shown until one is chosen. */
  get opens() {
    return (this.whole.header.open ?? [0, 0]).slice(0, 2);
  }

  /** The heads that are chosen, and of these the ones that are shown: all, or one alone, also under the pointer. */
  get chosen() {
    return [[this.layer, this.head], ...this.more];
  }

  get shownHeads() {
    if (this.peek) return [this.peek];
    return this.solo ? [this.solo] : this.chosen;
  }

  /** The stages that can be shown: all when q and k are here, but none that would repeat another. */
  stages() {
    const { picture } = this;
    const [head, ...others] = this.shownHeads;
    const vectors = picture.vectors(...head);
    if (others.length || picture.words || !vectors) return ["weights"];
    return STAGES.map(([name]) => name).filter(
      (name) =>
        (name !== "biased" || picture.arrays.bias) &&
        (name !== "masked" || picture.arrays.mask) &&
        (name !== "scaled" || picture.header.scale !== 1) &&
        (name !== "output" || vectors.v),
    );
  }

  /** The cell everything points at: under the pointer, else pinned, else the strongest of this head. */
  get cell() {
    const cell = this.hover ?? this.pinned ?? this.first;
    return this.peek ? [cell[0], this.picture.topKey(cell[0], ...this.peek)] : cell;
  }

  /** The token whose ribbons alone are drawn, {side, n}, or null: all are. */
  get spot() {
    const cell = this.hover ?? this.pinned;
    return cell && { side: this.side, n: cell[this.side === "query" ? 0 : 1] };
  }

  /** What the map shows, as far as its drawing needs: the picture, or the output with its features as columns. */
  get table() {
    const { picture } = this;
    if (this.stage !== "output") return picture;
    const { d } = picture.vectors(...this.shownHeads[0]);
    const keys = Array.from({ length: d }, (_, c) => String(c));
    return { T: picture.T, S: d, queries: picture.queries, keys, arrays: {}, across: "feature" };
  }

  /** The column of the map under the cell: its key, or of the output the feature under the pointer. */
  get column() {
    const [, key, feature = 0] = this.cell;
    return this.stage === "output" ? Math.min(feature, this.table.S - 1) : key;
  }

  /** The cell that is shown until one is chosen. Its row stays the same from head to head, so that they compare. */
  get first() {
    const query = this.whole.header.open?.[2] ?? this.whole.tag(...this.opens)?.query ?? -1;
    const row = query < 0 ? -1 : this.picture.rowOf(query);
    const i = row < 0 ? this.picture.strongest(...this.opens)[0] : row;
    return [i, this.topKey(i)];
  }

  /** The pinned cell as another head takes it over: where a sentence tells of the strongest key of a row, its own. */
  carried(layer, head) {
    const [i, j] = this.pinned ?? [];
    const follows = this.pinned && this.isTold && j === this.topKey(i);
    return follows ? [i, this.picture.topKey(i, layer, head)] : this.pinned;
  }

  /** The key that query i looks at most, and the cell of a token of either side. */
  topKey(i) {
    return this.picture.topKey(i, this.layer, this.head);
  }

  cellAt({ side, n }) {
    this.side = side;
    return side === "query" ? [n, this.topKey(n)] : [this.picture.topQuery(n, this.layer, this.head), n];
  }

  /** Whether all heads have half of the width. */
  get isLarge() {
    return Boolean(this.large && isMany(this.whole) && !this.whole.header.beside && !this.isStaged);
  }

  /** Whether all heads are a stage, layer over layer, and the text stands below it: where the page asks for it, and has
   * the width. */
  get isStaged() {
    return Boolean(this.whole.header.staged) && this.width > 960;
  }

  /** Whether the text stands large above all, with arcs from the token that asks: where tokens look at one another,
   * all fit on one line, and nothing studies a head. */
  get isLined() {
    const { beside } = this.whole.header;
    const { T, S, words } = this.picture;
    const fits = this.letters < this.width / PER_LETTER;
    return this.isStaged || (beside === "tabs" && this.width > 960 && fits && T === S && !words);
  }

  /** Whether the same text stands on several lines, where there is no width for one; a long one has no room. */
  get isFolded() {
    const { beside, staged } = this.whole.header;
    return Boolean(staged || beside === "tabs") && this.width <= 960 && this.letters < FOLDED;
  }

  /** Whether arcs lead from token to token of the large text. */
  get hasArcs() {
    const { T, S, words } = this.picture;
    return (this.isLined || this.isFolded) && T === S && !words;
  }

  /** Whether a sentence above the text says what is shown: of one head, and not of a rollout. */
  get isTold() {
    return this.hasArcs && this.shownHeads.length === 1 && !this.picture.header.flow;
  }

  /** Whether what heads do stands below their small maps: where each has the room for a name, and one has earned it. */
  get isCaptioned() {
    const { header, H } = this.whole;
    const isWide = header.beside === "tabs" && (this.width * SHARE_BESIDE) / H >= CAPTIONED;
    return this.isLined && isWide && !this.sort && this.whole.leading(1).length > 0;
  }

  /** Whether the map is away: of a stage, while kinds of head are looked for; below a text that is the subject, until a
   * head is pressed. */
  get isResting() {
    const { staged } = this.whole.header;
    if (!this.rests || !this.whole.leading(1).length) return false;
    return staged ? this.isStaged || this.isFolded : this.isCaptioned && !this.whole.header.untrained;
  }

  /** Whether kinds of head are looked for. */
  get isHunt() {
    return this.isResting && Boolean(this.whole.header.staged);
  }

  /** Whether what the pointer is on shows at once where it looks: one head, by its attention weights. */
  get isLively() {
    return this.isTold && this.chosen.length < 2 && this.stage === "weights" && this.drawing === "map";
  }

  /** Once anything of it is chosen, the map is there, and stays. */
  wake() {
    if (this.isResting) this.measured = false; // all heads make room for it
    this.rests = false;
  }

  /** What is shown now, as files and tests need it; all of it plain values, and no longer than the next change.
   *
   * kind      of attention: "encoder", "decoder", "cross", or "" where there is only one; label says it in words
   * heads     [[layer, head], ...], of which the matrix is the mean; layer and head are the first of them
   * title     the head in words; stage: of the computation, "weights" unless chosen otherwise
   * drawing   "map" or "ribbons"; threshold: ribbons below it are not drawn; spot: {side, n}, the token whose ribbons
   *           alone are drawn, or null
   * queries, keys  the labels of the rows and columns, after all filters; across: what a column is, "key" or "feature"
   * matrix    rows x columns, row by row; largest: the value with the strongest colour
   * each      the matrix of each head by itself, in the order of heads
   * mask      the same shape, 1 where a query may look; null where it always may, or before the mask
   * exact     whether these are the model's own numbers to float32, or steps of 1/255
   * filters   what was done to the tokens, a sentence each
   * cell      [row, column] that is pointed at or pinned */
  shown() {
    const { matrix, largest } = this.mapped();
    const { table, picture: p, shownHeads: heads } = this;
    const [[layer, head]] = heads;
    return {
      kind: this.kind,
      label: p.header.label ?? "",
      heads,
      layer,
      head,
      title: this.title,
      stage: this.stage,
      drawing: this.drawing,
      threshold: this.threshold,
      spot: this.spot,
      queries: table.queries,
      keys: table.keys,
      across: table.across ?? "key",
      flow: Boolean(p.header.flow),
      rows: table.T,
      columns: table.S,
      matrix,
      largest,
      each: heads.length > 1 ? this.heads().map(({ weights }) => weights) : [matrix],
      mask: hidesBlocked(this.stage) ? (p.maskOfAll(heads) ?? null) : null,
      exact: heads.every((of) => p.isExact(...of)),
      filters: remarks(this.whole, p, this.filters),
      cell: [this.cell[0], this.column],
    };
  }

  /** What is shown, by its heads. */
  get title() {
    const [[layer, head], ...others] = this.shownHeads;
    return others.length ? `Mean of ${others.length + 1} heads` : this.picture.name(layer, head);
  }

  /** The matrix on the heatmap, and the largest value its colours go to. */
  mapped() {
    const { picture: p, stage } = this;
    const [[layer, head], ...others] = this.shownHeads;
    const most = (matrix) => matrix.reduce((m, v) => Math.max(m, v), 0);
    if (!others.length) {
      const matrix = p.matrix(stage, layer, head);
      if (stage === "weights")
        return { matrix, largest: p.isExact(layer, head) || this.filtered ? most(matrix) : p.largest(layer, head) };
      const mask = p.maskOf(layer);
      const hides = stage === "masked" && mask;
      return { matrix, largest: matrix.reduce((m, v, n) => (hides && !mask[n] ? m : Math.max(m, Math.abs(v))), 0) };
    }
    const heads = this.heads();
    const matrix = new Float32Array(p.T * p.S);
    for (const { weights } of heads) for (let n = 0; n < matrix.length; n++) matrix[n] += weights[n] / heads.length;
    return { matrix, largest: most(matrix) };
  }

  /** The heads that are shown, each with its weights. */
  heads() {
    const { picture } = this;
    return this.shownHeads.map(([layer, head]) => ({ layer, head, weights: picture.matrix("weights", layer, head) }));
  }

  /** The colours of these heads: each keeps its own while others are hidden. */
  colouredAs(heads) {
    const { heads: colours } = this.colours;
    const places = heads.map(({ layer, head }) => this.chosen.findIndex(([l, h]) => l === layer && h === head));
    return places.map((at) => colours[at % colours.length]);
  }

  top(weights, i, most = 3) {
    const { S } = this.picture;
    return Array.from({ length: S }, (_, j) => [j, weights[i * S + j]])
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .filter(([, w]) => w > 0);
  }
}
