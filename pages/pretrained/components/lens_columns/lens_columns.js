// What a model would say if it stopped early: one token on its way up, large, with a stop that is lifted from layer to
// layer, and what stands above it is told once it was there. Below it, every token of the text as a column of cells.

import { el, mirror, mix, mount, percent, put, wholeParam, write } from "../../../../attention_view/lab.js";
import { Player, drag, firstBeat, inRow } from "../../../../attention_view/controls.js";

const BEAT = 2400; // milliseconds
const AS_WIDE = 0.62; // times its size: a letter of the text, with some room to spare
const FRAME = 440; // pixels on the line of the text that are not its own

/** What is in the large column, from the top: {height, word, chance, isAnswer, rank, odds} per height; the last two are
 * those of the word that the whole model says. */
export function tower({ heights, said, chances, ranks, odds }, t) {
  const rows = heights.map((height, p) => ({
    height,
    word: said[t][p],
    chance: chances[t][p],
    rank: ranks[t][p],
    odds: odds[t][p],
    isAnswer: ranks[t][p] === 1,
  }));
  return rows.reverse();
}

/** The highest place at which the model would still say another word than in the end; the top where there is none. */
export function lastOther(ranks) {
  const other = ranks.findLastIndex((rank) => rank !== 1);
  return other < 0 ? ranks.length - 1 : other;
}

/** The words up to the nth, as they are written one after the other: as many as make no more than these letters. */
export function textTo(tokens, n, letters) {
  const gap = tokens.some((token) => token.startsWith("·")) ? "\u200b" : " "; // where tokens bring their spaces
  let [from, length] = [n, tokens[n].length];
  while (from && length + 1 + tokens[from - 1].length <= letters) length += 1 + tokens[--from].length;
  return (from ? "… " : "") + tokens.slice(from, n + 1).join(gap);
}

/** 1838 -> "1,838th" */
export function placed(rank) {
  const [tens, ones] = [rank % 100, rank % 10];
  const ending = tens > 10 && tens < 14 ? "th" : (["th", "st", "nd", "rd"][ones] ?? "th");
  return `${rank.toLocaleString("en")}${ending}`;
}

class LensColumns {
  constructor(root) {
    this.root = root;
    this.link = mirror((write) => {
      write("pretrained_lens_token", this.data.first + this.chosen, this.data.first + this.last);
      write("pretrained_lens_stop", this.stop, null);
    });
    this.floors = el("div.floors", {
      role: "slider",
      tabindex: 0,
      "aria-orientation": "vertical",
      "aria-label": "Where the model stops",
      "aria-valuemin": 0,
      onkeydown: (event) => this.climb(event),
      onpointerdown: (event) => this.grab(event),
      onpointermove: (event) => event.pointerType === "mouse" && !this.held && this.peek({ stop: this.floorAt(event) }),
      onpointerleave: () => this.held || this.peek({}),
      onclick: (event) => this.halt(this.floorAt(event)),
    });
    this.question = el("h2");
    this.whose = el("h2.whose");
    this.text = el("p.text");
    this.lift = el("button.primary", { onclick: () => this.halt(this.next) });
    this.columns = el("div.columns", {
      role: "radiogroup",
      "aria-label": "Tokens of the text",
      onkeydown: (event) => this.step(event),
      onpointerleave: () => this.peek({}),
    });
    const hero = el("section.hero", this.question, this.whose, this.floors, this.text, this.lift);
    root.replaceChildren(hero, el("section.all", el("h2", "The same at every token"), this.columns));
    this.resized = () => this.data && this.write();
  }

  update(data) {
    const signature = JSON.stringify(data);
    if (signature === this.signature) return;
    const isFirst = !this.signature;
    Object.assign(this, { signature, data, last: data.tokens.length - 1, peeked: {} });
    this.reached = data.tokens.map(() => -1);
    const asked = isFirst ? wholeParam("pretrained_lens_token", data.first + data.tokens.length) : null;
    this.chosen = asked === null || asked < data.first ? this.last : asked - data.first;
    this.stop = isFirst ? wholeParam("pretrained_lens_stop", data.heights.length) : null;
    this.root.style.setProperty("--heights", data.heights.length);
    this.buttons = data.tokens.map((token, t) => this.column(token, t));
    this.columns.replaceChildren(...this.buttons);
    this.rows = data.heights.map((height) => this.floor(height)).reverse();
    this.floors.replaceChildren(...this.rows);
    this.shown = null;
    this.show();
    const { offsetLeft, offsetWidth } = this.buttons[this.chosen];
    this.columns.scrollLeft = offsetLeft + offsetWidth - this.columns.clientWidth; // on a phone
    if (isFirst && this.stop === null) this.beat();
  }

  destroy() {
    this.endBeat?.();
  }

  /** The stop rises from the embedding to where it rests. */
  beat() {
    const rest = this.stopAt(this.chosen);
    const climb = () => {
      const at = this.peeked.stop + 1;
      if (at <= rest) this.peek({ stop: at });
    };
    const player = new Player(climb, BEAT / (rest + 1), () => {});
    const begin = () => {
      this.peek({ stop: 0 });
      player.start();
    };
    const end = () => {
      player.stop();
      this.peek({});
    };
    this.endBeat = firstBeat("lens", BEAT, begin, end);
  }

  // ---- every token ------------------------------------------------------------------------------------------------

  column(token, t) {
    const P = this.data.heights.length;
    const cells = tower(this.data, t).map(({ isAnswer, odds }, n) => {
      const style = `background: ${mix("positive", Math.round(80 * odds))}`;
      return el(`i${isAnswer ? ".answer" : ""}`, { style, "data-floor": P - 1 - n });
    });
    const props = { role: "radio", "aria-label": token, title: token };
    const floorOf = ({ target }) => (target.dataset.floor ? Number(target.dataset.floor) : undefined);
    const listeners = {
      onclick: (event) => this.choose(t, floorOf(event)),
      onpointermove: (event) => event.pointerType === "mouse" && this.peek({ token: t, stop: floorOf(event) }),
    };
    return el("button.column", { ...props, ...listeners }, ...cells, el("b", el("span", token)));
  }

  /** Another token is read out; a stop that nobody has set goes where this one rests. */
  choose(t, stop) {
    this.chosen = t;
    if (stop !== undefined) this.stop = stop;
    this.peek({});
    this.link.later();
  }

  step(event) {
    const to = inRow(event, this.chosen, this.buttons.length);
    if (to === null) return;
    this.choose(to);
    this.buttons[to].focus();
  }

  // ---- where it stops ---------------------------------------------------------------------------------------------

  stopAt(t) {
    return this.stop ?? lastOther(this.data.ranks[t]);
  }

  floor(height) {
    const parts = { word: el("b.word"), note: el("small"), odds: el("span.odds") };
    const said = el("span.said", parts.word, parts.note);
    const node = el("div.floor", el("span.rail"), el("span.height", height), said, parts.odds);
    return Object.assign(node, { parts });
  }

  /** Which height is under the pointer. */
  floorAt({ clientY }) {
    const n = this.rows.findIndex((row) => clientY <= row.getBoundingClientRect().bottom);
    return n < 0 ? 0 : this.rows.length - 1 - n;
  }

  /** A mouse drags from anywhere, a finger by the rail: elsewhere it scrolls the page. */
  grab(event) {
    if (event.pointerType !== "mouse" && !event.target.closest(".rail")) return;
    this.held = true;
    const move = (now) => this.halt(this.floorAt(now));
    drag(move, () => (this.held = false));
  }

  climb(event) {
    const top = this.rows.length - 1;
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, Home: -top, End: top }[event.key];
    if (!by) return;
    event.preventDefault();
    this.halt(Math.max(0, Math.min(top, this.stopAt(this.chosen) + by)));
  }

  halt(stop) {
    this.stop = stop;
    this.peek({});
    this.link.later();
  }

  // ---- both -------------------------------------------------------------------------------------------------------

  /** What is under the pointer is shown for as long as it is there. */
  peek(peeked) {
    this.peeked = peeked;
    this.show();
  }

  show() {
    const t = this.peeked.token ?? this.chosen;
    const stop = this.peeked.stop ?? this.stopAt(t);
    const shown = `${this.chosen} ${t} ${stop}`;
    if (shown === this.shown) return;
    this.shown = shown;
    const rows = tower(this.data, t);
    const reached = (this.reached[t] = Math.max(this.reached[t], stop));
    const answer = reached === rows.length - 1 ? rows[0].word : "";
    this.question.replaceChildren("Stopped here, it would say");
    this.whose.replaceChildren("chance of ", answer ? el("b", answer) : "its final word");
    this.write();
    this.next = this.stopAt(t) === rows.length - 1 ? 0 : this.stopAt(t) + 1;
    write(this.lift, this.next ? `Lift it to ${this.data.heights[this.next]}` : "From the start");
    for (const [n, row] of rows.entries()) {
      const at = rows.length - 1 - n;
      this.dress(this.rows[n], row, answer, at - stop, at <= reached);
    }
    for (const [n, button] of this.buttons.entries()) this.mark(button, n, t, stop);
    const { word, height, rank, isAnswer } = rows[rows.length - 1 - stop];
    const final = answer ? `its final word, ${answer},` : "its final word";
    const rest = isAnswer ? "" : `; ${final} is ${placed(rank)}`;
    const props = { "aria-valuemax": rows.length - 1, "aria-valuenow": stop };
    put(this.floors, { ...props, "aria-valuetext": `${height}: it would say ${word}${rest}` });
    this.root.dataset.shown = JSON.stringify({ token: t, stop, said: rows.map((row) => row.word) });
  }

  /** The text as far as it is read, as much of it as its line has room for. */
  write() {
    const { fontSize } = getComputedStyle(this.text);
    const letters = Math.max(12, (this.text.clientWidth - FRAME) / (AS_WIDE * parseFloat(fontSize)));
    const t = this.peeked.token ?? this.chosen;
    this.text.replaceChildren(`${textTo(this.data.tokens, t, letters)} `, el("span.blank"));
  }

  /** A height so far above the stop; what is said there is told once the stop was there, and so is the answer. */
  dress(node, { word, chance, isAnswer, rank, odds }, answer, above, isTold) {
    const { parts } = node;
    node.className = ["floor", isAnswer && "answer", above > 0 && "above", !above && "on"].filter(Boolean).join(" ");
    node.style.setProperty("--light", mix("positive", Math.round(50 * odds)));
    node.title = isTold ? `${word}: ${percent(chance)}` : "";
    write(parts.word, isTold ? word : "?");
    const named = answer ? ["in the end: ", el("b", answer), `, here ${placed(rank)}`] : [];
    const unnamed = `its final word is ${placed(rank)} here`;
    const final = isAnswer ? (answer ? ["its final word"] : []) : answer ? named : [unnamed];
    parts.note.replaceChildren(...(above ? [] : final));
    write(parts.odds, isTold ? percent(odds, odds > 0.005 ? 0 : 1) : "");
  }

  mark(button, n, t, stop) {
    button.classList.toggle("on", n === t);
    put(button, { "aria-checked": String(n === this.chosen), tabindex: n === this.chosen ? "0" : "-1" });
    for (const cell of button.querySelectorAll("i")) {
      const above = Number(cell.dataset.floor) - stop;
      cell.classList.toggle("at", !above);
      cell.classList.toggle("above", above > 0);
    }
  }
}

export default mount(".lens-columns", LensColumns);
