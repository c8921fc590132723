// A hand is faster than a server: of what it asks for meanwhile, only the latest is worth an answer.

const PATIENCE = 2000; // milliseconds after which the next one goes out all the same

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

const BUSY = 12_000; // milliseconds after which even a busy server has answered

/** What was pressed and is not answered yet. Answers come in the order of presses, and some are left out. */
export class Presses {
  /** lost() is called where no answer comes: what the server said last is to hold. */
  constructor(lost) {
    Object.assign(this, { lost, asked: [] });
  }

  add(value) {
    const name = JSON.stringify(value);
    if (!this.asked.length && name === this.told) return; // the server has said so already
    this.asked.push(name);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), BUSY);
  }

  /** Whether an answer is to be taken over: it is neither that to a press nor the last one once more. */
  isNews(value) {
    const [name, { asked }] = [JSON.stringify(value), this];
    if (name === this.told && name !== asked[0]) return false;
    const nth = asked.indexOf(name);
    asked.splice(0, nth < 0 ? asked.length : nth + 1);
    this.told = name;
    return nth < 0;
  }

  end() {
    const isLost = this.asked.length && this.asked.at(-1) !== this.told;
    this.asked = [];
    if (isLost) this.lost();
  }

  /** No answer is waited for any more, and the next one is news. */
  forget() {
    clearTimeout(this.timer);
    Object.assign(this, { asked: [], told: undefined });
  }
}
