// The two pages of a room side by side, as large as there is place, with a room in the browser behind them: whoever
// presses an answer on the phone sees what the projector makes of it.

import { el, mount, rgb, still, theme, write } from "../../../../attention_view/lab.js";
import { invited, Room } from "./room.js";

const NARROW = 760; // pixels: below, the pages stand one above the other, each in its own size
const WIDE = { projector: 960, phone: 360 }; // pixels that a page believes its screen to have
const FALLING = 3000; // milliseconds, until the last dot of a vote lies
const TITLES = { projector: "What the projector shows", phone: "What each phone shows: press an answer" };

class Rehearsal {
  constructor(root) {
    this.root = root;
    this.frames = Object.fromEntries(Object.keys(WIDE).map((name) => [name, el("iframe", { title: TITLES[name] })]));
    this.screens = Object.entries(this.frames).map(([name, frame]) => el(`div.screen.${name}`, frame));
    const [board, phone] = this.screens;
    this.invite = el("p");
    root.replaceChildren(el("div.screens", board, el("div.hand", this.invite, phone)));
    this.listen = (event) => this.hear(event);
    addEventListener("message", this.listen);
  }

  update({ title, steps, invented, pages }) {
    const plan = JSON.stringify([title, steps]);
    if (plan !== this.plan) {
      this.plan = plan;
      this.room = new Room({ title, steps, invented });
      this.seen = new Set(); // votes, by step and round
    }
    for (const [name, frame] of Object.entries(this.frames))
      if (!frame.hasAttribute("src")) frame.setAttribute("src", pages[name]);
    this.resized();
    for (const name of Object.keys(this.frames)) this.tell(name);
  }

  hear({ source, origin, data }) {
    const name = Object.keys(this.frames).find((one) => this.frames[one].contentWindow === source);
    if (!name || origin !== location.origin || typeof data?.path !== "string") return;
    const isAct = data.sent && this.room.hear(data.path, data.sent); // a phone that takes its seat does nothing yet
    if (isAct) this.fall(); // an act of any kind ends what was falling
    this.tell("projector");
    this.tell("phone");
    this.frames[name].classList.add("dressed"); // it knows whether to be light or dark
  }

  /** The dots of a vote that has just come to be seen fall one after the other. */
  fall() {
    clearTimeout(this.falling);
    const { at, votes, step } = this.room.projected();
    const vote = votes && `${at} ${step.round}`;
    const isNew = vote && !this.seen.has(vote) && !still();
    this.seen.add(vote);
    this.falling = isNew ? setTimeout(() => this.land(), FALLING) : null;
  }

  land() {
    this.falling = null;
    this.tell("projector");
  }

  tell(name) {
    const falls = Boolean(this.falling);
    const news = name === "phone" ? this.room.handed() : { ...this.room.projected(), falls };
    if (name === "phone") write(this.invite, invited(news));
    const [red, green, blue] = rgb(theme(this.root)("ground"));
    const look = red + green + blue < 384 ? "dark" : "light";
    this.frames[name].contentWindow?.postMessage({ news, look }, location.origin);
  }

  resized() {
    const isNarrow = this.root.clientWidth < NARROW;
    for (const [n, name] of Object.keys(WIDE).entries()) {
      const scale = isNarrow ? 1 : this.screens[n].clientWidth / WIDE[name];
      this.screens[n].style.setProperty("--scale", scale || 1);
    }
  }

  destroy() {
    clearTimeout(this.falling);
    removeEventListener("message", this.listen);
  }
}

export default mount(".rehearsal", Rehearsal);
