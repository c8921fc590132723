// A room for a teacher alone, who has the one vote, without a server. What its board is told is what the server would
// tell it (lab/server/rooms/rooms.py); a test holds one against the other. An invented class may answer as well, and is
// called so. How it votes is seen once the teacher has voted, or shows it: nobody is to be led by it.

const N_BINS = 20; // of numbers, as on the server

const asked = ({ kind, heading, ask, labels, low, high, unit, say, truth, asks, part }) => ({
  kind,
  heading,
  ask,
  labels,
  low,
  high,
  unit,
  say,
  ...(kind === "map" && { masked: truth.some((weight) => weight < 0) }),
  ...(kind === "cells" && { asks }),
  ...(part && { part }),
});

const ofTest = ({ part }) =>
  `The test ${part} the lesson: answer on your phone, without talking. Half of you have another question.`;

/** How often each value is there: [[value, how often], ...], in the order in which they come. */
function tallied(values) {
  const counts = new Map();
  for (const value of values) counts.set(`${value}`, [value, 1 + (counts.get(`${value}`)?.[1] ?? 0)]);
  return [...counts.values()];
}

/** Answers, counted as the server does. */
export function tally({ kind, labels, low, high }, values) {
  const count = (n, places) => Array.from({ length: n }, (_, at) => places.filter((place) => place === at).length);
  if (kind === "curve") return values;
  if (kind === "word") return tallied(values).sort(([a, m], [b, n]) => n - m || a - b);
  if (kind === "map") return tallied(values).map(([cell, n]) => [...cell, n]);
  if (kind === "talk") return [];
  if (kind !== "number") return count(labels.length, values);
  const bin = (value) => Math.min(N_BINS - 1, Math.floor(((value - low) / (high - low)) * N_BINS));
  return count(N_BINS, values.map(bin));
}

export class Room {
  /** invented: of each question and each round, the answers of a class that is none; not given for none */
  constructor({ title, steps, invented = [] }) {
    this.title = title;
    this.steps = steps;
    this.invented = invented;
    this.at = 0;
    this.rounds = steps.map(() => 0);
    this.shown = steps.map(() => false);
    this.counted = steps.map(() => false);
    this.done = false;
    this.answers = new Map(); // by step and round
  }

  /** What a page sends to the server, done here; whether it was something that somebody did. */
  hear(path, sent) {
    const act = ["turn", "answer"].find((name) => path.endsWith(`/${name}`));
    if (act) this[act](sent);
    return Boolean(act);
  }

  answer({ at, round, value }) {
    this.answers.set(`${at}.${round}`, value);
  }

  turn({ at, shown, counted, again, done }) {
    const last = this.steps.length - 1;
    if (at !== undefined) [this.at, this.done] = [Math.min(Math.max(at, 0), last), false];
    if (done !== undefined && this.at === last) this.done = done;
    if (this.steps[this.at].kind === "test") return; // nothing of it is shown, and nobody talks about it
    const isSeen = counted || shown || this.shown[this.at]; // also where it is hidden now
    if (shown !== undefined) this.shown[this.at] = shown;
    if (isSeen && this.given(this.at, this.rounds[this.at]).length) this.counted[this.at] = true;
    if (!again || this.shown[this.at] || this.rounds[this.at]) return;
    [this.rounds[this.at], this.counted[this.at]] = [1, false];
  }

  projected() {
    const { title, at, steps, rounds, shown, done } = this;
    const step = steps[at];
    const others = this.others(at, rounds[at]);
    const kept = Array.from({ length: rounds[at] + 1 }, (_, n) => this.given(at, n));
    const news = { title, at, of: steps.length, free: false, open: true, seats: 1 + others.length, done };
    if (others.length) Object.assign(news, { invented: others.length, mine: this.kept(rounds[at])[0] });
    news.answered = kept.map((values) => values.length);
    const counted = this.isCounted();
    news.step = { ...asked(step), round: rounds[at], counted, shown: shown[at], view: step.view };
    if (done) news.outcome = this.outcome();
    if (step.kind === "test") Object.assign(news.step, { say: "", ask: ofTest(step), labels: [], view: "" });
    if (counted) news.votes = kept.map((values) => tally(step, values));
    if (!shown[at]) return news;
    Object.assign(news.step, { truth: step.truth, replies: step.replies });
    return news;
  }

  /** Whether the votes are on the board: the teacher shows them; in an invented class, whoever votes last does, too. */
  isCounted() {
    const { at, rounds } = this;
    const isLast = this.others(at, rounds[at]).length > 0 && this.kept(rounds[at]).length > 0;
    return this.counted[at] || this.shown[at] || isLast;
  }

  /** What the class has answered in all, as the server says it at the end. */
  outcome() {
    const last = (at) => [this.rounds[at], 0].find((round) => this.given(at, round).length) ?? 0;
    const pairs = new Map(); // of each idea, whether the one phone was right before and after
    const asked = [];
    let [given, invented] = [0, 0];
    for (const [at, step] of this.steps.entries()) {
      const kept = step.kind === "test" ? this.keptAt(at, 0) : this.given(at, last(at));
      if (step.kind !== "test") given += kept.length;
      invented += this.others(at, last(at)).length;
      if (!kept.length || !step.truth.length) continue;
      const best = step.truth.indexOf(Math.max(...step.truth));
      const n = step.labels.length;
      const right = step.kind === "map" ? `${[Math.floor(best / n), best % n]}` : `${best}`;
      if (step.kind === "test") {
        const truth = step.part === "after" ? step.twin[2] : step.truth;
        pairs.set(step.heading, { ...pairs.get(step.heading), [step.part]: Number(truth[kept[0]] === 1) });
      } else if (["options", "cells", "word", "map"].includes(step.kind))
        asked.push([step.heading, step.ask, kept.filter((value) => `${value}` === right).length, kept.length]);
    }
    const both = [...pairs].filter(([, one]) => "before" in one && "after" in one);
    return {
      ideas: both.map(([idea, { before, after }]) => [idea, 1, before, after]),
      asked,
      given,
      ...(invented && { invented }),
    };
  }

  /** All answers to a question in one of its rounds: of the invented class, and of the one phone. */
  given(at, round) {
    return [...this.others(at, round), ...this.keptAt(at, round)];
  }

  others(at, round) {
    return this.invented[at]?.[round] ?? [];
  }

  kept(round) {
    return this.keptAt(this.at, round);
  }

  keptAt(at, round) {
    const value = this.answers.get(`${at}.${round}`);
    return value === undefined ? [] : [value];
  }
}
