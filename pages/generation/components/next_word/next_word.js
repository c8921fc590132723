// The next word: the story in large letters, below it a wall of what may come, on which random numbers fall, and the
// branches that were tried. The settings of the draw work here, on the logits that were sent. All text comes as
// data and goes to textContent.

import { el, mirror, mount, ordinal, theme } from "../../../../attention_view/lab.js";
import { drawnIn } from "../../../../attention_view/controls.js";
import { Branches } from "./branches.js";
import { Knobs } from "./knobs.js";
import { Looks } from "./looks.js";
import { Luck } from "./luck.js";
import { distribution, draw, received, settingsOf, share } from "./sampling.js";
import { Wall } from "./wall.js";

const USUAL = { temperature: 1, top_k: 0, top_p: 1, penalty: 1, seed: 0 };

/** The word that a draw took, or that was pressed, and what the reader's text has there. */
export function landing(label, rank, isDrawn, own) {
  const likely = rank === 1 ? "the most likely" : `the ${ordinal(rank)} most likely`;
  const said = [isDrawn ? `The draw landed on “${label}”, ${likely}.` : `“${label}” was ${likely}.`];
  if (own !== null) said.push(`(In your text: “${own}”.)`);
  return said.join(" ");
}

/** A token as it stands in a text, and whether it goes on with the word before it: it is then written close to that. */
export const partOf = (label, glue) => (glue === " " && /^…./.test(label) ? [label.slice(1), true] : [label, false]);

export class NextWord {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => this.write(put));
    this.looks = new Looks(this);
    this.wall = new Wall(this);
    this.luck = new Luck(this);
    this.knobs = new Knobs((name, value) => this.turn(name, value));
    this.branches = new Branches(this);
    this.build();
    this.resized = () => {
      if (!this.data || this.drawnFor === this.measured) return;
      this.draw();
      this.looks.paintHeads();
    };
  }

  build() {
    const n = (this.nodes = {});
    const act = (text, title, onclick) => el("button.act", { onclick, title }, text);
    n.story = el("p.story");
    n.write = act("Write to the end", "Draw token after token until the end of the text.", () => this.writeOn());
    const back = "Go back one token. What was written stays as a branch.";
    n.back = act("Take back", back, () => this.act("go", this.data.nodes[this.data.at][0]));
    n.where = el("p.where", { role: "status" });
    // What is pressed again and again stands above what grows.
    n.hero = el("div.hero", this.luck.node, n.story, n.where, this.wall.node, this.luck.acts);
    this.luck.acts.append(n.back, n.write); // which comes and goes moves nothing from under the hand
    this.root.replaceChildren(n.hero, this.wall.rest, this.knobs.node, this.looks.node, this.branches.node);
  }

  update(data, { setTriggerValue }) {
    this.send = setTriggerValue;
    const { temperature, top_k, top_p, penalty, seed } = data;
    if (this.settings) this.link.later(); // the server wrote older ones into the link
    this.settings ??= { temperature, top_k, top_p, penalty, seed };
    if (!this.data) this.endBeat = drawnIn(this.root, "wall");
    const grown = !this.data || this.data.at !== data.at || this.data.nodes.length !== data.nodes.length;
    this.data = data;
    clearTimeout(this.waits);
    this.looks.keep(data);
    this.knobs.reach(this.most, data.draws.length);
    this.read();
    this.waiting = Boolean(this.luck.timer);
    this.branches.grow();
    this.stand();
    this.tell();
    this.draw();
    this.looks.paint();
    if (grown) this.branches.scroll();
    const isOther = this.asked !== settingsOf(this.settings) && settingsOf(this.settings) !== settingsOf(data);
    if (data.ladder && isOther) this.ask();
  }

  /** The text as it stands: what was given, and the words that were taken. */
  read() {
    const { data } = this;
    this.path = [];
    for (let at = data.at; at >= 0; at = data.nodes[at][0]) this.path.unshift(at);
    const text = [...data.given, ...this.path.map((at) => data.nodes[at][1])];
    if (String(text) !== String(this.text)) this.luck.forget();
    this.text = text;
    this.over = this.path.length > 0 && this.text.at(-1) === data.end; // GPT-2 begins with what ends its texts
    this.nodes.hero.classList.toggle("over", this.over);
    Object.assign(this.root.dataset, { at: data.at, nodes: data.nodes.length, text: text.join(" ") });
  }

  /** The end of the knob for top-k, which stands for all of them. */
  get most() {
    return this.data.ladder ? this.data.ladder.rows.length + 1 : this.data.labels.length;
  }

  /** At which the words are shown: the server takes a moment for a large vocabulary. */
  get temperature() {
    return (this.data.ladder ? this.data : this.settings).temperature;
  }

  label(id) {
    return this.data.labels[id];
  }

  // ---- the story ----------------------------------------------------------------------------------------------

  /** The text in large letters: what was given, and the words that were taken, which lead back to themselves. */
  tell() {
    const { data } = this;
    const { story } = this.nodes;
    const glued = data.glue === "" && !data.ladder; // parts of words stand apart: each has its share below it
    // A word of the beginning is the place after it: what could follow there?
    const begun = (tag) => (id, n) => {
      const about = `Press it to see what may follow “${this.label(id)}”.`;
      const props = { "data-token": n, title: about, onclick: () => this.act("from", n + 1) };
      const [label, isPart] = partOf(this.label(id), data.glue);
      const kind = isPart ? ".part" : "";
      return el(n || !data.starts ? tag + kind : `${tag}.start`, props, label);
    };
    const taken = (at, n) => {
      const [, id, p, rank] = data.nodes[at];
      const about = `share ${share(p)} in the draw, the model’s ${ordinal(rank)} choice. Press it to go back there.`;
      const props = { "data-token": data.given.length + n, "data-about": about, onclick: () => this.act("go", at) };
      const [label, isPart] = partOf(this.label(id), data.glue);
      return el(`button.token.taken${isPart ? ".part" : ""}`, props, el("b", label), el("small", share(p)));
    };
    this.tokens = [...data.given.map(begun("button.token")), ...this.path.map(taken)];
    const later = data.later.map((id, n) => begun("button.token.later")(id, this.text.length + n));
    story.classList.toggle("glued", glued);
    story.classList.toggle("long", this.text.length + later.length > (glued ? 90 : 26));
    this.caret = el("i.caret", { "aria-hidden": "true" });
    story.replaceChildren(...this.tokens, ...(this.over ? [] : [this.caret]), ...later);
    story.scrollTop = story.scrollHeight;
  }

  /** What can be done here, and a sentence on where this is. */
  stand() {
    const { data, over, nodes: n } = this;
    n.back.hidden = data.at < 0;
    this.luck.lead(theme(this.root)("lesson") === "1");
    for (const button of [this.luck.one, n.write]) button.disabled = data.full;
    for (const part of [n.write, this.wall.node, this.luck.node]) part.hidden = over;
    const words = [];
    if (data.at >= 0) {
      const last = this.path.length - 1;
      const [, id, , rank] = data.nodes[data.at];
      const typed = this.path.findIndex((at, n) => n < data.typed.length && data.nodes[at][1] !== data.typed[n]);
      const own = typed === last ? this.label(data.typed[last]) : null;
      words.push(landing(this.label(id), rank, this.luck.took, own));
    }
    if (data.note && !over) words.splice(0, words.length, data.note);
    if (over) words.push("The text ends here. Press any word to go on from there in another way.");
    else if (data.full) words.push("There is no room for more words. Go back to an earlier one, or clear the tree.");
    n.where.textContent = words.join(" ");
    n.where.classList.toggle("unseen", !data.note && !over && !data.full); // where a word stands, the story shows
  }

  /** The size of what is drawn for a size. */
  get measured() {
    return `${this.root.clientWidth} ${this.wall.node.clientHeight}`;
  }

  // ---- the draw -----------------------------------------------------------------------------------------------

  turn(name, value) {
    this.settings[name] = name === "top_k" && value >= this.most ? 0 : value;
    this.luck.clear();
    this.draw();
    this.link.later();
    if (this.data.ladder && name !== "seed") this.ask();
  }

  /** The server works out the draw of a large vocabulary, once the knobs have come to rest. */
  ask() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.waiting) return this.ask();
      this.asked = settingsOf(this.settings);
      this.send("act", { do: "turn", number: 0, knobs: { ...this.settings } });
    }, 150);
  }

  draw() {
    const { data, settings } = this;
    this.drawnFor = this.measured;
    const dist = data.ladder ? received(data.ladder, data.draws) : distribution(data.logits, this.text, settings);
    this.dist = dist;
    this.drawn = draw(dist, data.draws[settings.seed]);
    this.knobs.show(settings, this.most);
    const counts = this.luck.counts(dist);
    this.wall.paint(dist, counts);
    this.luck.paint(dist, counts);
    this.tellChecks(counts);
  }

  /** For those who check: what the browser has worked out, token by token. */
  tellChecks(counts) {
    const { data, dist } = this;
    const removed = data.ladder
      ? Object.fromEntries(dist.removed)
      : data.labels.map((_, id) => dist.removed.get(id) ?? "");
    Object.assign(this.root.dataset, {
      final: JSON.stringify(dist.final),
      settings: settingsOf(data.ladder ? data : this.settings),
      removed: JSON.stringify(removed),
      drawn: this.drawn.id,
      counts: JSON.stringify([...counts]),
    });
  }

  // ---- to the server, and to the link -------------------------------------------------------------------------

  pick(id) {
    if (!this.over && !this.data.full) this.act("pick", id);
  }

  writeOn() {
    if (this.waiting) return;
    this.luck.clear();
    this.act("write");
    this.luck.next(1);
    this.link.now();
  }

  act(what, number = 0) {
    if (this.waiting) return;
    this.waiting = true;
    this.waits = setTimeout(() => (this.waiting = false), 3000);
    clearTimeout(this.timer); // the knobs go along
    this.luck.took = false;
    this.link.now();
    this.send("act", { do: what, number, knobs: { ...this.settings } });
  }

  write(put) {
    const { url } = this.data;
    for (const [name, value] of Object.entries(this.settings))
      put(url + name, value === USUAL[name] ? null : Math.round(value * 100) / 100);
    put(`${url}head`, this.looks.taken && this.looks.taken.join("."));
  }

  destroy() {
    clearTimeout(this.timer);
    clearTimeout(this.waits);
    this.luck.drop();
  }
}

export default mount(".next-word", NextWord);
