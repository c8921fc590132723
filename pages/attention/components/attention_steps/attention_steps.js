// One attention, stage by stage. Numbers come from the server; this shows them, links them, and says how each is made.

import { el, mirror, mount, param, rewrite, UNREAD, wholeParam } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { Formula } from "./formula.js";
import { Guess } from "./guess.js";
import { heldRow } from "./held_row.js";
import { Inputs } from "./inputs.js";
import { allRows, oneRow } from "./layouts.js";
import { bold, reasons, source } from "./reasons.js";
import { HUES, onward, pathOf, SAYS, TITLES } from "./stages.js";
import { headline } from "./told.js";
import { Tuner } from "./tuner.js";

/** What is chosen, and its names in the address: now, and in old links, which are of small numbers. */
const PLACES = { row: ["att_from", "att_row"], col: ["att_to", "att_col"], feature: ["att_part", "att_feature"] };
const TAKES_ARROWS = "input, textarea, select, [role=grid], [role=slider], [role=radio], [role=tab], [role=combobox]";
const isOfShares = (stage) => stage === "weights" || stage === "output";

export class Steps {
  constructor(root) {
    this.root = root;
    this.state = { stage: null, term: null, row: null, col: null, feature: 0 };
    this.isChosen = false; // whether somebody asked for the stage
    this.isTold = false; // whether the shares of softmax were shown, or a link went past the question
    this.guess = new Guess(this);
    this.tuner = new Tuner((change) => this.tuneTo(change));
    this.link = mirror((put) => this.root.isConnected && this.write(put), 250);
    this.read();
    // The arrows go from stage to stage where they have nothing else to do.
    this.arrow = (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const isTaken = event.composedPath().some((node) => node.matches?.(TAKES_ARROWS));
      if (by && !isTaken && !event.defaultPrevented && this.root.isConnected) this.step(by);
    };
    document.addEventListener("keydown", this.arrow);
    this.resized = () => this.isRow && this.figure?.paint();
  }

  // ---- state --------------------------------------------------------------------------------------------------

  read() {
    this.wantsAll = param("att_rows") === "all";
    this.tuner.read(param);
    this.asked = param("att_step") ?? param("att_stage") ?? (this.tuner.isSet ? "weights" : null);
    for (const [name, [now, before]] of Object.entries(PLACES)) {
      const place = wholeParam(now) ?? wholeParam(before);
      if (place !== null) this.state[name] = place - 1;
    }
  }

  /** What is chosen, for the address bar. */
  write(put) {
    put("att_step", this.state.stage, "scores");
    put("att_stage", null);
    put("att_rows", this.wantsAll ? "all" : "one", "one");
    this.tuner.write(put);
    for (const [name, [now, before]] of Object.entries(PLACES)) {
      put(now, this.state[name] + 1, (this.data.start[name] ?? 0) + 1);
      put(before, null);
    }
  }

  /** Whether one row of a sentence is drawn, rather than all rows, or numbers to type. */
  get isRow() {
    return this.data?.limit == null && !this.wantsAll;
  }

  /** Whether the reader may still say how large the share of the chosen key will be. */
  get asks() {
    return this.isRow && !this.isTold;
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const isNew = !this.data;
    this.data = data;
    this.given = Object.fromEntries(data.stages.map((s) => [s.name, s.rows]));
    const numbers = JSON.stringify(this.given.scores);
    if (numbers !== this.numbers) {
      this.tuner.moved.clear(); // they were of other scores
      this.guess.clear();
    }
    this.numbers = numbers;
    this.turn();
    this.order = data.stages.map((s) => s.name);
    this.chooseStage(data.show);
    this.keepWithin();
    if (this.shape() !== this.built) this.build();
    this.inputs.fill();
    this.inputs.complain("");
    this.paintDoors();
    this.refresh();
    if (isNew && this.isRow && !this.isChosen) this.endBeat = drawnIn(this.root, "scores");
  }

  paintDoors() {
    this.formula.doors.paint(this.stages, (i, j) => this.isBlocked(i, j), this.root);
  }

  /** The stage: that of the link at first, then that which the page asks for; one that there is. */
  chooseStage(show) {
    if (this.asked && this.order.includes(this.asked)) {
      this.choose(this.asked);
      this.isTold = true;
    }
    this.asked = null;
    // What was asked for before this was put on the page is no news.
    if (this.built && show?.n !== this.shownLast && this.order.includes(show?.stage)) {
      this.choose(show.stage);
      this.link.later();
    }
    this.shownLast = show?.n;
    if (!this.isChosen) this.state.stage = "scores";
    if (!this.order.includes(this.state.stage)) this.state.stage = this.order.includes("masked") ? "masked" : "scores";
  }

  choose(stage) {
    this.isChosen = true;
    this.isTold ||= isOfShares(stage);
    this.state.stage = stage;
  }

  /** Row, column and feature: those that were chosen, where there are as many. */
  keepWithin() {
    const { labels, matrices, start } = this.data;
    const text = JSON.stringify(labels);
    if (this.text && text !== this.text) this.state.row = this.state.col = null; // of another text
    this.isTold &&= (this.text ?? text) === text || isOfShares(this.state.stage);
    this.text = text;
    const within = (n, size, usual = 0) => (n !== null && n >= 0 && n < size ? n : usual);
    this.state.row = within(this.state.row, labels.length, start.row);
    this.state.col = within(this.state.col, labels.length, start.col);
    this.state.feature = within(this.state.feature, matrices.v[0].length);
  }

  set(change) {
    if (change.stage) this.choose(change.stage);
    Object.assign(this.state, { term: null }, change);
    this.refresh();
    this.link.later();
  }

  /** A control of softmax was moved. */
  tuneTo(change) {
    Object.assign(this.tuner.set, change);
    this.turn();
    this.paintDoors();
    this.refresh();
    this.link.later();
  }

  /** A hand moves the score of a key in the row that is held: all shares of the row answer. */
  moveScore(col, score) {
    this.tuner.moveTo(this.state.row, col, score, this.tuner.base(this.given, this.state.row, col));
    this.state.col = col;
    this.turn();
    this.paintDoors();
    this.refresh();
  }

  /** Takes all scores back to those of the model. */
  takeBack() {
    this.tuner.moved.clear();
    this.turn();
    this.paintDoors();
    this.refresh();
    this.figure.holder.focus({ preventScroll: true });
  }

  turn() {
    Object.assign(this, this.tuner.turn(this.given, this.data.matrices.v)); // fed, stages
  }

  isBlocked(i, j) {
    return Boolean(this.stages.masked) && this.stages.masked[i][j] == null;
  }

  names(isOutput, S) {
    return namesOf(this.data, isOutput, S);
  }

  /** The same label of the ith token, marked where the model has never read the word. */
  marked(label, i) {
    if (!this.data.unread[i]) return label;
    label.classList.add("unread");
    label.title = UNREAD;
    return label;
  }

  // ---- walking ------------------------------------------------------------------------------------------------

  /** The stages that do something: a mask that hides nothing of the row is no stop, unless a link is there. */
  get path() {
    return pathOf(this);
  }

  /** To the next stage, or back; from the last to the first. */
  step(by) {
    const { length } = this.path;
    this.set({ stage: this.path[(this.path.indexOf(this.state.stage) + by + length) % length] });
  }

  /** From one row to all, or back; at the end of the walk to where all words look. */
  showAll(wantsAll) {
    if (wantsAll && this.state.stage === this.order.at(-1)) this.choose("weights");
    Object.assign(this, { wantsAll, isChosen: true });
    this.build();
    this.inputs.fill();
    this.paintDoors();
    this.refresh();
    this.rows.focus({ preventScroll: true });
    this.link.later();
  }

  /** While the mouse points at a term, its matrix and its lines are shown; then again what was chosen. */
  peek(change) {
    if (this.isRow && change.stage) return; // its bars move only where somebody asks for it
    const chosen = this.state;
    this.state = { ...chosen, term: null, ...change };
    this.refresh();
    this.state = chosen;
    this.root.dataset.stage = chosen.stage;
    this.root.dataset.peek = change.term ?? change.stage;
  }

  // ---- structure ----------------------------------------------------------------------------------------------

  /** What is built anew for. */
  shape() {
    const { labels, limit, unread, matrices } = this.data;
    return JSON.stringify([labels, unread, this.order, matrices.v[0].length, limit, matrices.q[0].length, this.isRow]);
  }

  build() {
    this.built = this.shape();
    this.terms = {};
    this.formula = new Formula(this);
    this.next = el("button");
    this.rows = el("button", { onclick: () => this.showAll(!this.wantsAll) }, this.isRow ? "All rows" : "One row");
    this.rows.hidden = this.data.limit != null;
    this.back = el("button.go", { onclick: () => this.takeBack() }, "Scores of the model");
    this.inputs = new Inputs(this);
    this.title = el("h2.finding");
    this.say = el("p.quiet.say");
    this.why = el("div.why");
    this.code = el("div.code");
    this.row = el("div.held");
    this.columns = this.isRow ? oneRow(this) : allRows(this);
    this.root.replaceChildren(this.columns);
    this.root.dataset.width = this.data.matrices.q[0].length;
  }

  /** A button for one of the matrices that are given. It follows the mouse; a finger only taps. */
  term(name, change, ...inside) {
    const isMouse = (event) => event.pointerType === "mouse";
    return (this.terms[name] = el(
      `button.term.${HUES[name]}`,
      {
        title: TITLES[name],
        onclick: () => this.set(change),
        onpointerenter: (event) => isMouse(event) && this.peek(change),
        onpointerleave: (event) => isMouse(event) && this.refresh(),
      },
      ...inside,
    ));
  }

  /** The title and the sentence of a stage or a matrix, and what the button does next. */
  tell(term) {
    const { row, stage } = this.state;
    const says = this.tuner.says(row, this.stages.weights[row], this.given.weights[row]);
    const isOver = stage === this.order.at(-1); // then the next thing to do is to look at other rows
    const [to, textContent] = onward(this.path, stage);
    const onclick = () => this.set({ stage: to });
    Object.assign(this.next, { textContent, onclick, className: isOver ? "go" : "primary" });
    this.rows.className = isOver ? "primary" : "go";
    this.back.hidden = this.tuner.moved.size === 0;
    this.say.textContent = says ?? SAYS[term];
    rewrite(this.title, ...headline(this, term, says));
  }

  // ---- drawing ------------------------------------------------------------------------------------------------

  refresh() {
    const { stage, row, col, feature } = this.state;
    const term = this.state.term ?? stage;
    for (const [name, node] of Object.entries(this.terms)) node.setAttribute("aria-pressed", String(name === term));
    this.formula.show(stage, term);
    this.inputs.light(this.state);
    this.tuner.show(stage);
    this.tell(term);
    this.figure.paint();
    this.explain();
    this.code.replaceChildren(...source(this.data.code, term));
    const isHeld = this.row.contains(this.row.getRootNode().activeElement);
    this.row.replaceChildren(...(this.isRow ? [] : heldRow(this)));
    if (isHeld) this.row.querySelector(`[data-col="${col}"]`)?.focus({ preventScroll: true });
    delete this.root.dataset.peek;
    Object.assign(this.root.dataset, { stage, term, row, col, feature, painted: true });
  }

  /** Why the chosen cell is what it is. */
  explain() {
    const { stage, row, col, feature } = this.state;
    const { names, columns } = this.names(false);
    const { value, lines } = reasons(this);
    const to = stage === "output" ? [`, feature ${feature + 1}`] : [" to ", bold("key", columns[col])];
    const from = el("span.quiet", "from ", bold("query", names[row]), ...to);
    const asked = el("h3", "Why ", bold(stage === "weights" ? "weight" : "ink", value), "? ", from);
    this.why.replaceChildren(asked, ...lines.map((parts) => el("div.step", ...parts)));
  }

  destroy() {
    this.figure?.end?.();
    document.removeEventListener("keydown", this.arrow);
  }
}

/** What rows and columns are called: words, or q1 and k1 where numbers are edited. */
function namesOf({ labels, limit }, isOutput, S) {
  const numbered = (letter) => labels.map((_, i) => letter + (i + 1));
  const names = limit == null ? labels : numbered("q");
  const columns = limit == null ? labels : numbered("k");
  return { names, columns: isOutput ? Array.from({ length: S }, (_, f) => String(f + 1)) : columns };
}

export default mount(".attention-steps", Steps);
