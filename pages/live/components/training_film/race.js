// The race of heads: a lane for each, in which its weight on the true alignment rises over the steps. Whoever is ahead
// runs on the upper lane. What is to come is pale.

import { el, put, still, svg } from "../../../../attention_view/lab.js";
import { sideName } from "./sides.js";

export const MOST = 6; // lanes
const LEAD = 0.03; // by which one has to be ahead to overtake: near chance nobody hops
const TALL = [19, 44]; // pixels of a lane
const PASSING = 220; // milliseconds, a little more than a lane takes to another place

/** Who runs on which lane: the order so far, in which one overtakes whoever is clearly behind; NaN is last.
 *
 * order: of the racers, the first one ahead; scores: of each racer */
export function overtaken(order, scores) {
  const now = [...order];
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (let n = 1; n < now.length; n++) {
      if (!(scores[now[n]] > scores[now[n - 1]] + LEAD)) continue;
      [now[n - 1], now[n]] = [now[n], now[n - 1]];
      isMoving = true;
    }
  }
  return now;
}

/** The lanes at a frame. They follow from the race up to it alone, however one has come to the frame.
 *
 * scores: a row per frame, of each racer */
export function lanesAt(scores) {
  return scores.reduce(overtaken, scores.length ? [...scores[0].keys()] : []);
}

/** Who has fallen behind from one order to the next. */
export const fallen = (before, now) => now.filter((n, rank) => rank > before.indexOf(n));

export class Race {
  constructor(film) {
    this.film = film;
    this.node = el("div.race", { role: "img" });
  }

  /** Lanes for these racers, unless they are there: [{ run, r, head, name }]. */
  enter(racers, height) {
    const id = racers.map(({ run, head }) => `${run.id} ${head}`).join() + this.film.key;
    if (id !== this.id) {
      this.id = id;
      this.lanes = racers.map((racer) => new Lane(racer));
      this.order = null;
      this.node.replaceChildren(...this.lanes.map((lane) => lane.node));
    }
    const shown = Math.min(MOST, racers.length);
    this.tall = Math.max(TALL[0], Math.min(TALL[1], height / shown));
    this.node.style.height = `${shown * this.tall}px`;
  }

  /** place: of the chart above, whose steps these are as well; chosen: the head of each run that is shown large */
  paint(place, chosen) {
    const { film, lanes, tall } = this;
    this.node.place = place;
    const soFar = Array.from({ length: Math.max(...film.frames) + 1 }, (_, n) =>
      lanes.map(({ racer: { run, r, head } }) => film.mass(run)[Math.min(n, film.frames[r])][head]),
    );
    const before = this.order ?? [];
    this.order = lanesAt(soFar);
    // Whoever is overtaken passes below: its name and number are not read until it has.
    const behind = before.length === lanes.length && !still() ? fallen(before, this.order) : [];
    for (const n of behind) lanes[n].hush();
    this.order.forEach((n, rank) => {
      const { run, r, head } = lanes[n].racer;
      lanes[n].node.style.transform = `translateY(${rank * tall}px)`;
      lanes[n].node.style.height = `${tall}px`;
      lanes[n].node.classList.toggle("out", rank >= MOST);
      lanes[n].node.classList.toggle("chosen", head === chosen[r]);
      const values = film.mass(run).map((row) => row[head]);
      lanes[n].paint(place, values, film.frames[r], film.axes(run).chance);
    });
  }

  /** Who is ahead, in words. */
  standing() {
    return this.order
      .slice(0, MOST)
      .map((n) => `${this.lanes[n].racer.name}: ${this.lanes[n].score.toFixed(2)}`)
      .join(", ");
  }
}

class Lane {
  constructor(racer) {
    this.racer = racer;
    this.ahead = svg("path.ahead");
    this.done = svg("path.done");
    this.line = svg("path.line");
    this.chance = svg("line.chance");
    this.plot = svg("svg", this.chance, this.ahead, this.done, this.line);
    this.runner = el("i.runner");
    this.number = el("b");
    this.node = el(
      `div.lane${racer.r ? ".second" : ""}`,
      el("span.who", sideName(racer.name, racer.r)),
      this.plot,
      this.runner,
      this.number,
    );
  }

  hush() {
    for (const node of [this.node.firstChild, this.number])
      node.animate({ opacity: [0, 0, 1] }, { duration: PASSING, easing: "ease-in" });
  }

  paint(place, values, frame, chance) {
    const { steps } = this.racer.run;
    const [width, base] = [place.width, 96];
    const y = (value) => (base - 90 * Math.max(0, Math.min(1, value))).toFixed(1);
    const through = (from, to) =>
      values.slice(from, to).map((value, n) => `${place.x(steps[from + n]).toFixed(1)} ${y(value)}`);
    const run = through(0, frame + 1);
    const at = place.x(steps[frame]);
    put(this.plot, { viewBox: `0 0 ${width} 100`, preserveAspectRatio: "none" });
    put(this.line, { d: `M${run.join("L")}` });
    put(this.done, { d: `M${place.x(steps[0])} ${base}L${run.join("L")}L${at} ${base}Z` });
    const later = through(frame, values.length);
    put(this.ahead, { d: later.length > 1 ? `M${later.join("L")}` : "" });
    put(this.chance, { x1: place.left, x2: place.right, y1: y(chance), y2: y(chance) });
    this.score = values[frame];
    this.number.textContent = this.score.toFixed(2);
    this.runner.style.left = `${at}px`;
    this.runner.style.top = `${y(this.score)}%`;
    const isLate = at > place.right - 46;
    this.number.style.left = isLate ? "" : `${at + 9}px`;
    this.number.style.right = isLate ? `${width - at + 9}px` : "";
  }
}
