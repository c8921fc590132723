// The story, and what the heads of the model that reads it look at: a hand moves who asks, which head looks, or the
// weight itself, and then the model may write another word.

import { svg } from "../../../../attention_view/lab.js";
import { Hand, WIDE, ribbon, clamped } from "./hand.js";

const [UPPER, LOWER] = [52, 292]; // base lines of its two rows
const KNOB = 172;
const LEAST = 0.02; // of a weight that is drawn

/** What a hand does to a weight: it goes from one word to another; what the model writes may go with it. */
export class Pull extends Hand {
  constructor({ tokens, asks, toys, share, written }) {
    super(340);
    Object.assign(this, { share, written });
    [this.story, this.asked] = [tokens.slice(1, -asks), tokens.slice(-asks)];
    this.toys = toys.map((at) => at - 1);
    this.names = toys.map((at) => tokens[at]);
  }

  get word() {
    return this.written[Math.round(this.share * (this.written.length - 1))];
  }

  move([x]) {
    const [from, to] = this.ends;
    this.share = clamped((x - to) / (from - to), 0, 1);
    this.isMoved = true;
  }

  step(by) {
    this.share = clamped(this.share - 0.05 * by, 0, 1);
    this.isMoved = true;
  }

  draw() {
    const { share, word, names } = this;
    const above = this.row(
      this.story.map((word, at) => [word, this.toys.includes(at) ? "key" : ""]),
      UPPER,
      31,
    );
    const asked = this.asked.map((word, at) => [word, at === this.asked.length - 1 ? "query" : ""]);
    const below = this.row([...asked, [word, "written"]], LOWER, 40);
    const red = below.middles.at(-2);
    this.ends = this.toys.map((at) => above.middles[at]);
    const [from, to] = this.ends;
    const x = share * from + (1 - share) * to;
    const shares = [share, 1 - share];
    const said = this.isMoved
      ? `One head gives “${names[0]}” ${share.toFixed(2)}: the model writes “${word}”.`
      : `“red” looks most at “${names[0]}”: the model writes “${word}”. Drag the weight to “${names[1]}”.`;
    const shapes = [
      svg("path.track", { d: `M${from} ${KNOB}H${to}` }),
      this.ends.map((end, n) => ribbon([end, UPPER + 12], [x, KNOB], 1 + 40 * shares[n])),
      ribbon([x, KNOB], [red, LOWER - 38], 41),
      this.ends.map((end, n) =>
        svg(
          "text.weight",
          { x: end + [-34, 34][n], y: UPPER + 58, "font-size": 32, "text-anchor": ["end", "start"][n] },
          shares[n].toFixed(2),
        ),
      ),
      svg("circle.knob", { cx: x, cy: KNOB, r: 27 }),
      svg("path.ways", { d: `M${x - 7} ${KNOB - 8}l-8 8l8 8M${x + 7} ${KNOB - 8}l8 8l-8 8` }),
      above.shapes,
      below.shapes,
    ];
    return { shapes, said, slider: [`Attention weight of “${names[1]}”`, shares[1].toFixed(2), 0, 1] };
  }
}

/** Who looks at whom: a hand moves the word that asks, or the head that looks. */
export class Looks extends Hand {
  constructor({ tokens, asks, looks }, name) {
    const [isHead, isMasked] = [name === "head", name === "causal mask"];
    super(isHead ? 346 : 340);
    Object.assign(this, { tokens, asks, looks, isHead, isMasked, low: isHead ? 236 : LOWER });
    [this.asker, this.n] = [isMasked ? 1 : asks - 1, looks.flat().length - 1]; // a mask shows where words come after
  }

  move([x]) {
    if (this.isHead)
      this.n = clamped(Math.floor((x / WIDE) * this.looks.flat().length), 0, this.looks.flat().length - 1);
    else {
      const far = this.middles.slice(-this.asks).map((at) => Math.abs(at - x));
      this.asker = far.indexOf(Math.min(...far));
    }
  }

  step(by) {
    if (this.isHead) this.n = clamped(this.n + by, 0, this.looks.flat().length - 1);
    else this.asker = clamped(this.asker + by, 0, this.asks - 1);
  }

  draw() {
    const { tokens, asks, asker, n } = this;
    const row = this.looks.flat()[n][asker];
    const start = tokens.length - asks;
    const most = row.indexOf(Math.max(...row));
    const kind = (at) => (at === start + asker ? "query" : row[at] > 0.1 ? "key" : "quiet");
    const texts = tokens.map((word, at) => [word, kind(at)]);
    const above = this.row(texts.slice(0, start), UPPER, 27);
    const below = this.row(texts.slice(start), this.low, 40);
    this.middles = [...above.middles, ...below.middles];
    const from = this.middles[start + asker];
    const ribbons = row.map((weight, at) => {
      if (weight < LEAST) return null;
      if (at < start) return ribbon([this.middles[at], UPPER + 12], [from, this.low - 38], 1 + 40 * weight);
      const [x, y] = [this.middles[at], this.low + 12];
      const d =
        at === start + asker
          ? `M${x - 15} ${y}a15 15 0 1 0 30 0`
          : `M${x} ${y}Q${(x + from) / 2} ${y + 50} ${from} ${y}`;
      return svg("path.ribbon", { d, "stroke-width": 1 + 16 * weight });
    });
    const perLayer = this.looks[0].length;
    const wide = WIDE / this.looks.flat().length;
    const keys = this.looks.flat().map((_, at) =>
      svg(`rect.head${at === n ? ".on" : ""}`, {
        x: at * wide + 8 + 8 * (Math.floor(at / perLayer) - 1), // the heads of a layer stand together
        y: 304,
        width: wide - 16,
        height: 40,
        rx: 6,
      }),
    );
    const hidden = this.isMasked && tokens.slice(start + asker + 1).join(" ");
    const looked = hidden
      ? `“${tokens[start + asker]}” may not look ahead: exactly 0 for “${hidden}”.`
      : `“${tokens[start + asker]}” looks most at “${tokens[most]}”: ${row[most].toFixed(2)}.`;
    const said = this.isHead
      ? `Layer ${Math.floor(n / perLayer)}, head ${n % perLayer}: ${looked} Drag to another head.`
      : `${looked} Drag to another word.`;
    const slider = this.isHead ? ["Head", n, 0, keys.length - 1] : ["The word that asks", asker, 0, asks - 1];
    return { shapes: [ribbons, above.shapes, below.shapes, this.isHead && keys], said, slider };
  }
}

/** Who is found, and by whom: a hand moves the word that is asked, and of each word of the last sentence it is drawn
 * what it gives to that one. */
export class Found extends Hand {
  constructor({ tokens, asks, looks, toys }) {
    super(340);
    const start = tokens.length - asks;
    Object.assign(this, { story: tokens.slice(0, start), askers: tokens.slice(start), asked: toys[0] });
    this.rows = looks.at(-1).at(-1); // of the head that the others open with
  }

  move([x]) {
    const far = this.middles.map((at) => Math.abs(at - x));
    this.asked = far.indexOf(Math.min(...far));
  }

  step(by) {
    this.asked = clamped(this.asked + by, 0, this.story.length - 1);
  }

  draw() {
    const { story, askers, asked } = this;
    const gets = this.rows.map((row) => row[asked]);
    const texts = story.map((word, at) => [word, at === asked ? "key" : "quiet"]);
    const above = this.row(texts, UPPER, 27);
    const below = this.row(
      askers.map((word, n) => [word, gets[n] > 0.1 ? "query" : "quiet"]),
      LOWER,
      40,
    );
    this.middles = above.middles;
    const to = [this.middles[asked], UPPER + 12];
    const ribbons = gets.map(
      (weight, n) => weight >= LEAST && ribbon(to, [below.middles[n], LOWER - 38], 1 + 40 * weight),
    );
    const said = `${foundBy(story[asked], askers, gets)} Drag to another word.`;
    return {
      shapes: [ribbons, above.shapes, below.shapes],
      said,
      slider: ["The word that is asked", asked, 0, story.length - 1],
    };
  }
}

/** Of a word that is asked: who gives it most, and how much. */
function foundBy(word, askers, gets) {
  const most = Math.max(...gets);
  if (most < LEAST) return `Nobody below finds “${word}” by its key.`;
  return `“${askers[gets.indexOf(most)]}” finds “${word}” by its key: ${most.toFixed(2)}.`;
}
