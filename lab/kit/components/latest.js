// A hand is faster than a server: of what it asks for meanwhile, only the latest is worth an answer.

const PATIENCE = 2000; // milliseconds after which an answer is no longer waited for

/** What is wanted goes out one at a time: {want(value), heard(value), waits}. send(value) asks for it.
 *
 * While an answer is under way, what is wanted meanwhile waits, and of that only the latest goes out next. */
export class Latest {
  constructor(send, patience = PATIENCE) {
    Object.assign(this, { send, patience, asked: null, wanted: null });
  }

  get waits() {
    return this.asked !== null;
  }

  want(value) {
    this.wanted = value;
    if (!this.waits) this.ask();
  }

  /** The answer to this value is there. */
  heard(value) {
    if (value === this.asked) this.next();
  }

  ask() {
    this.asked = this.wanted;
    this.timer = setTimeout(() => this.next(), this.patience);
    this.send(this.asked);
  }

  next() {
    clearTimeout(this.timer);
    const last = this.asked;
    this.asked = null;
    if (this.wanted !== last) this.ask();
  }

  /** Nothing is wanted any more. */
  end() {
    clearTimeout(this.timer);
    this.asked = this.wanted = null;
  }
}
