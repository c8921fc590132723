// Where a scene asks for the units of a layer, and hears of them: components of a page do not know each other.

class Post {
  constructor() {
    Object.assign(this, { reading: null, heard: () => {}, ask: () => {}, answers: [], pending: null });
  }

  /** The feed speaks: it answers about a reading, and with a question it can be asked for more of it. */
  answer({ reading, ask, units }) {
    if (reading !== this.reading) this.answers = [];
    Object.assign(this, { reading, ask, pending: null });
    if (units) this.answers.push(units);
    this.heard();
  }
}

/** The one of this page: each component brings the code of its own. */
export const post = () => (window.attentionLabUnits ??= new Post());

/** A scene's side of it: numbers() are those that it shows, heard() is called when there are more of them. */
export class Asking {
  constructor(numbers, heard) {
    this.numbers = numbers;
    this.heard = () => {
      if (this.take()) heard();
    };
    post().heard = this.heard;
  }

  destroy() {
    if (post().heard === this.heard) post().heard = () => {};
  }

  /** Takes what has come of the numbers that are shown; returns whether these are the ones that the feed speaks of. */
  take() {
    const numbers = this.numbers();
    if (!numbers || post().reading !== readingOf(numbers)) return false;
    for (const units of post().answers) numbers.add(units);
    return true;
  }

  /** Asks for a layer, one at a time: heard() comes between. */
  ask(layer) {
    if (post().reading !== readingOf(this.numbers()) || post().pending !== null) return;
    post().pending = layer;
    post().ask(layer);
  }
}

/** What is read, as the feed names it. */
const readingOf = (numbers) => numbers.sides.flatMap(({ tokens }) => tokens).join(" ");
