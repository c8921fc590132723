// What one layer makes of a token: a stream with two pipes that a hand opens (pipes.js), and the word at which it
// arrives (whole.js). A button opens them and then walks through the layer's stations, with one picture at each of what
// happens there to this token (walk.js).

import { el, mirror, mount, param, theme, windowHeight, write } from "../../../../attention_view/lab.js";
import { Follow } from "./follow.js";
import { Presses } from "../../../../lab/kit/components/latest.js";
import { steady } from "../../../../lab/kit/components/steady.js";
import { FULL, halfway, longestOf, openOf } from "./pipes.js";
import { toldAt } from "./told.js";
import { Walk } from "./walk.js";
import { finding, saidAt, Whole } from "./whole.js";

const NARROW = 800, // below this width there is room for less
  SURE = 0.5, // of a word to which both pipes have turned a token, at least
  WHOLE = "the whole layer"; // no station is open

export class River {
  constructor(root) {
    this.root = root;
    this.link = mirror((put) => {
      put("blocks_step", this.data.stations[this.chosen]?.name ?? WHOLE, WHOLE);
      put("blocks_lane", String(this.followed), String(this.data.usual));
      put("blocks_open", this.opened.map((n) => 10 * n).join("-"), "0-0");
    }, 100);
    this.presses = new Presses(() => this.become(this.data.chosen));
    const followed = param("blocks_lane");
    this.wanted = /^\d{1,3}$/.test(followed ?? "") ? Number(followed) : null; // the usual one
    this.opened = openOf(param("blocks_open"));
    this.says = el("p.finding", { "aria-live": "polite" });
    this.next = el("button.primary", { onclick: () => this.goOn() });
    [this.whole, this.walk, this.words] = [new Whole(this), new Walk(this), new Follow(this)];
    const parts = [this.whole, this.walk, this.words].map(({ node }) => node);
    this.headline = el("div.headline", this.says, this.next);
    root.replaceChildren(this.headline, ...parts);
    this.resized = () => this.draw();
  }

  update(data, { setStateValue }) {
    this.send = setStateValue;
    this.data = data;
    if (this.presses.isNews(data.chosen)) this.step = data.chosen;
    this.draw();
    this.link.later();
    Object.assign(this.root.dataset, { chosen: data.chosen, words: data.words.length });
  }

  /** The open station; -1: none, the layer is whole. */
  get chosen() {
    return this.data.stations.findIndex(({ step }) => step === this.step);
  }

  /** Whether no station is open: what all of the layer does is shown. */
  get isWhole() {
    return this.chosen < 0;
  }

  destroy() {
    this.whole.pipes.stop?.();
  }

  /** Whether the pipes can be opened: where what the model would say was computed for it. */
  get canOpen() {
    return Boolean(this.data.opened && saidAt(this.data, this.followed));
  }

  /** How far each is open, in tenths. */
  get open() {
    return this.canOpen ? this.opened : [FULL, FULL];
  }

  get isOpen() {
    return this.open.every((n) => n === FULL);
  }

  openTo(n, to) {
    this.opened[n] = to;
    this.draw();
    this.link.later();
  }

  draw() {
    const { words } = this.data,
      room = this.root.clientWidth;
    this.followed = Math.min(this.wanted ?? this.data.usual, words.length - 1);
    if (!room) return;
    this.isNarrow = room < NARROW;
    const kept = `${room} ${this.isWhole} ${this.canOpen} ${this.data.opened?.words} ${this.followed}`;
    if (kept !== this.kept) this.keepHeight();
    this.kept = kept;
    this.say();
    this.whole.node.hidden = !this.isWhole;
    this.walk.node.hidden = this.isWhole;
    this.words.draw();
    (this.isWhole ? this.whole : this.walk).draw();
  }

  /** The token that both pipes turn, each to another word, the last one the surest; -1: none, or it is followed. */
  get turning() {
    const { data, followed, canOpen } = this;
    if (!canOpen || followed !== data.usual) return -1;
    const said = data.words.map((_, lane) => saidAt(data, lane) ?? []);
    const sure = said.map((at) => (new Set(at.map(([word]) => word)).size > 2 ? at.at(-1)[1] : 0));
    const most = Math.max(...sure);
    return most > SURE ? sure.indexOf(most) : -1;
  }

  follow(lane, opened = this.opened) {
    Object.assign(this, { wanted: lane, opened });
    this.draw();
    this.link.later();
  }

  /** Pixels for the picture: as much of the window as there is, and fewer on a phone or where a presentation enlarges
   * it. */
  tall() {
    const isPresented = theme(this.root)("present");
    return this.isNarrow || isPresented ? 264 : Math.max(264, Math.min(780, windowHeight(this.root) - 308));
  }

  /** What all of the layer did to the token, or so much of it as is open. */
  told() {
    const { data, followed, open, isOpen } = this;
    return isOpen ? finding(data, followed, data.stations[0].help) : halfway(data, followed, open);
  }

  /** The drawing stays where it is, whatever the sentence says while a hand pulls. */
  keepHeight() {
    this.headline.style.minHeight = "";
    const { data, followed } = this;
    const says = () => [...longestOf(data.opened), finding(data, followed)];
    if (this.isWhole && this.canOpen) steady(this.headline, says(), ["Open feed-forward"]);
  }

  /** What happens at the open station, or what all of the layer did to the token, and what the button does next. */
  say() {
    const { data, isWhole, isOpen, chosen, followed } = this;
    const { stations } = data;
    const turned = this.turning;
    const onward = turned < 0 ? "Walk through it" : `Now follow “${data.words[turned]}”`;
    const whole = isOpen ? onward : this.whole.pipes.offer;
    const next = isWhole ? whole : chosen < stations.length - 1 ? "Next step" : "The whole layer";
    write(this.says, isWhole ? this.told() : toldAt(data, chosen, followed));
    write(this.next, next);
  }

  /** To the next station; behind the last one, what all of the layer does. */
  goOn() {
    if (this.isWhole && !this.isOpen) return this.whole.pipes.play();
    if (this.isWhole && this.turning >= 0) return this.follow(this.turning, [0, 0]);
    this.choose(this.data.stations[this.chosen + 1]?.step ?? "");
  }

  choose(step) {
    if (step === this.step) return;
    this.whole.pipes.stop?.();
    this.presses.add(step);
    this.become(step);
    this.send("step", step || WHOLE);
  }

  become(step) {
    this.step = step;
    this.draw();
    this.link.now();
  }

  /** The station of this step, from a tag of the whole: that goes, and the focus to the station's own button. */
  enter(step) {
    this.choose(step);
    this.walk.stations.children[this.chosen].focus();
  }
}

export default mount(".layer-river", River);
