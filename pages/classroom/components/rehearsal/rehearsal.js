// The board of a room, as large as there is place, with a room in the browser behind it and an invented class: whoever
// answers on it sees what a projector makes of the votes.

import { el, mount, rgb, still, theme } from "../../../../attention_view/lab.js";
import { Room } from "./room.js";

const NARROW = 760; // pixels: below, the page stands in its own size
const WIDE = 1120; // pixels that it believes its screen to have
const FALLING = 3000; // milliseconds, until the last dot of a vote lies

class Rehearsal {
  constructor(root) {
    this.root = root;
    this.frame = el("iframe", { title: "What the projector shows: press your answer" });
    this.screen = el("div.screen", this.frame);
    root.replaceChildren(this.screen);
    this.listen = (event) => this.hear(event);
    addEventListener("message", this.listen);
  }

  update({ title, steps, invented, page }) {
    const plan = JSON.stringify([title, steps]);
    if (plan !== this.plan) {
      this.plan = plan;
      this.room = new Room({ title, steps, invented });
      this.seen = new Set(); // votes, by step and round
    }
    if (!this.frame.hasAttribute("src")) this.frame.setAttribute("src", page);
    this.resized();
    this.tell();
  }

  hear({ source, origin, data }) {
    const isOurs = source === this.frame.contentWindow && origin === location.origin;
    if (!isOurs || typeof data?.path !== "string") return;
    if (data.sent && this.room.hear(data.path, data.sent)) this.fall(); // an act of any kind ends what was falling
    this.tell();
    this.frame.classList.add("dressed"); // it knows whether to be light or dark
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
    this.tell();
  }

  tell() {
    const news = { ...this.room.projected(), falls: Boolean(this.falling) };
    const [red, green, blue] = rgb(theme(this.root)("ground"));
    const look = red + green + blue < 384 ? "dark" : "light";
    this.frame.contentWindow?.postMessage({ news, look }, location.origin);
  }

  resized() {
    const { clientWidth } = this.root;
    this.screen.style.setProperty("--scale", clientWidth < NARROW ? 1 : clientWidth / WIDE);
  }

  destroy() {
    clearTimeout(this.falling);
    removeEventListener("message", this.listen);
  }
}

export default mount(".rehearsal", Rehearsal);
