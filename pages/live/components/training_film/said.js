// What the models say at a step: the example with their answers, the numbers as tiles, and the lines of the loop.

import { asShare, el } from "../../../../attention_view/lab.js";
import { show } from "../../../../lab/kit/components/patches.js";
import { figure } from "./chart.js";
import { END } from "./run.js";
import { sideName } from "./sides.js";

const isLetter = (text) => [...text].length === 1;
const plain = (word, separator) => (separator === "" ? word.replaceAll("␣", "\u00a0") : word);
const verb = (...words) => el("span.verb", ...words);

/** How tokens stand: single signs a little apart, words as words do, pieces of a text side by side. */
const spacing = (words, separator) => (separator === "" ? "pieces" : words.every(isLetter) ? "signs" : "words");

function spoken(words, separator) {
  return el("span", { class: spacing(words, separator) }, ...words.map((word) => el("span", plain(word, separator))));
}

function spokenTokens(tokens, separator) {
  const words = tokens.filter(({ id }) => id !== END).map(({ word }) => word);
  const written = tokens.map(({ id, word, chance, right }) => {
    const end = id === END;
    const title = end ? `the end: ${asShare(chance)} sure` : `${word}: ${asShare(chance)} sure`;
    const props = { title, class: end ? "end" : "", style: `--sure: ${(0.64 + 0.36 * chance).toFixed(2)}` };
    return el(right === false ? "s" : "span", props, end ? "■" : plain(word, separator));
  });
  return el("span", { class: spacing(words, separator) }, ...written);
}

const share = (v) => (Number.isFinite(v) ? asShare(v) : "–");

/** What stands in tiles, by curve: [the curve, its values as text, what it is]. */
const tilesAmong = (tokens) => ({
  val_loss: ["val_loss", figure, "surprise per token, on held-out examples"],
  perplexity: [
    "val_loss",
    (v) => figure(Math.exp(Math.min(v, 700))),
    `as unsure as among that many of ${tokens} tokens`,
  ],
  accuracy: ["accuracy", share, "held-out, given the right ones before"],
  exact: ["exact", share, "every token of it, given the right ones before"],
});

export class Said {
  constructor(film) {
    this.film = film;
    this.about = el("p.about");
    this.reads = el("p.reads");
    this.writes = el("div.writes");
    this.remark = el("p.quiet.small");
    this.tiles = el("dl.tiles");
    this.talk = el("section.talk", { "aria-label": "What the model says" }, this.reads, this.writes, this.remark);
    this.node = el("div.top", this.about, this.tiles);
    this.place = el("span.quiet");
    this.lines = el("div.lines");
    const summary = el("summary", "The loop that ran, with the values of this step");
    this.loop = el("details.loop", { ontoggle: () => film.paint() }, summary, this.place, this.lines);
  }

  /** The lines of the loop: [[text, name of its value], ...], and where they stand. */
  furnish(code, place) {
    const line = ([text, name]) =>
      el(name ? "div.line.told" : "div.line", el("code", text), el("output", { "data-name": name }));
    this.place.textContent = place;
    this.lines.replaceChildren(...code.map(line));
  }

  paint() {
    this.paintAbout();
    this.paintTalk();
    this.paintTiles();
    this.paintLoop();
  }

  paintAbout() {
    const about = this.film.runs.flatMap((run, r) => [
      r ? el("span.quiet", "  |  ") : null,
      run.name ? sideName(`${run.name} `, r) : null,
      run.about || run.label,
      run.state === "recorded" ? ` · ${run.said}` : null,
    ]);
    this.about.replaceChildren(...about.filter(Boolean));
  }

  /** What was read and what is written: what is wrong is struck through, and what is unsure is faint. */
  paintTalk() {
    const { runs, probe, frames, root } = this.film;
    const said = runs.map((run, r) => run.says(probe, frames[r]));
    this.reads.parentElement.hidden = !said[0];
    delete root.dataset.says;
    if (!said[0]) return;
    const words = said[0].filter(({ id }) => id !== END).map(({ word }) => word);
    root.dataset.says = words.join(" ");
    if (runs[0].sight) this.paintSeen(said);
    else this.paintRead(said);
  }

  /** "reads f g d, writes d g f". */
  paintRead(said) {
    const { runs, probe } = this.film;
    const { asked, separator } = runs[0].script;
    const { reads, remark, right } = asked[probe];
    const goesOn = !right.length && runs[0].probes[probe].decoder;
    const who = (r) => (runs.length > 1 ? sideName(runs[r].name, r) : null);
    const does = goesOn ? " goes on" : " writes";
    this.reads.replaceChildren(verb(goesOn ? "begins" : "reads"), spoken(reads, separator));
    this.writes.replaceChildren(
      ...said.map((tokens, r) => el("p", verb(who(r), does), spokenTokens(tokens ?? [], separator))),
    );
    this.remark.textContent = remark;
  }

  /** The picture, what it shows, and what the model says of it. */
  paintSeen(said) {
    const { runs, probe } = this.film;
    const { asked, separator, words } = runs[0].script;
    const picture = el("canvas", { role: "img", "aria-label": "The picture that it is asked about" });
    show(picture, runs[0].pixels[probe]);
    this.reads.replaceChildren(picture);
    const who = ({ name }, r) => el("span", name ? sideName(`${name} `, r) : null, "says");
    const truth = asked[probe].right.map((id) => words[id]);
    this.writes.replaceChildren(
      ...said.map((tokens, r) => el("p", verb(who(runs[r], r)), spokenTokens(tokens ?? [], separator))),
      ...(truth.length ? [el("p.truth", verb("it shows"), spoken(truth))] : []),
    );
    this.remark.textContent = "";
  }

  paintTiles() {
    const { runs, frames } = this.film;
    const shown = tilesAmong(Math.round(Math.exp(runs[0].guess)));
    const tiles = Object.entries(runs[0].tiles).map(([name, text]) => {
      const [curve, say, help] = shown[name] ?? [name, share, "share of held-out pictures with the right answer"];
      const side = (r) => (runs.length > 1 ? (r ? "b" : "a") : "");
      const values = runs.map((run, r) => el("span", { class: side(r) }, say(run.curves[curve][frames[r]])));
      return el("div", { title: help, "data-tile": text }, el("dt", text), el("dd", ...values));
    });
    this.tiles.style.setProperty("--tiles", tiles.length);
    this.tiles.replaceChildren(...tiles);
  }

  /** The lines of the loop, each with what it made at this step. */
  paintLoop() {
    if (!this.loop.open) return;
    const { runs, frames } = this.film;
    const value = (run, frame, name) => {
      if (name === "step") return String(run.steps[frame]);
      return name in run.curves ? figure(run.curves[name][frame]) : run.values[name];
    };
    const said = (name) => (run, r) => `${run.name ? run.name + " " : ""}${value(run, frames[r], name) ?? "–"}`;
    for (const output of this.lines.querySelectorAll("output")) {
      const { name } = output.dataset;
      output.textContent = name ? runs.map(said(name)).join("   ") : "";
    }
  }
}
