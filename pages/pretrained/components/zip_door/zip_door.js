// A place to drop the zip of a model. The server asks for one slice of it after another, and this hands them over.

import { appPlace, el, mount } from "../../../../attention_view/lab.js";

const TRIES = 5; // of one slice
const BROKEN = "The connection broke off, or the file has changed meanwhile. Choose it again.";
const GONE = "Nothing came for too long, so the server has forgotten this file. Choose it again.";

const pass = (ms) => new Promise((done) => setTimeout(done, ms));

/** Hands a file to the server for as long as it asks for slices: its last answer.
 *
 * call(method, at, body) is one request: the answer, or an error where the connection breaks. told(answer) is called
 * before each slice. */
export async function handOver(file, call, told = () => {}, wait = pass) {
  let answer = await call("POST", null, JSON.stringify({ name: file.name, size: file.size }));
  for (let failures = 0; answer.ask;) {
    told(answer);
    const [start, stop] = answer.ask;
    let next;
    try {
      next = await call("PUT", start, file.slice(start, stop));
    } catch (error) {
      if (error.name === "AbortError") throw error;
      next = { busy: true }; // perhaps it has arrived, and only the answer was lost: the server will say
    }
    const isSame = next.busy || next.ask?.[0] === start;
    failures = isSame ? failures + 1 : 0;
    if (failures >= TRIES) throw new Error(BROKEN);
    if (isSame) await wait(500 * 2 ** failures);
    if (!next.busy) answer = next;
  }
  return answer;
}

/** "41 of 84 MB"; what is looked at first is not counted. */
export const progress = ({ here, total }) =>
  total ? `${Math.round(here / 1e6)} of ${Math.max(1, Math.round(total / 1e6))} MB` : "Looking at what is in it";

class ZipDoor {
  constructor(root) {
    this.root = root;
    this.input = el("input", { type: "file", accept: ".zip,application/zip", onchange: () => this.chosen() });
    this.most = el("span", { class: "quiet" });
    this.zone = el(
      "label",
      { class: "zone", ondragover: (event) => this.over(event), ondragleave: () => this.lit(false) },
      this.input,
      el(
        "span",
        { class: "act" },
        el("span", { class: "drop" }, "Drop the zip here, or "),
        el("u", {}, "choose a zip"),
      ),
      this.most,
    );
    this.zone.ondrop = (event) => this.dropped(event);
    this.bar = el("progress", { "aria-label": "How much of the zip has arrived" });
    this.told = el("span", {});
    this.stop = el("button", { type: "button", onclick: () => this.end("") }, "Stop");
    this.busy = el("div", { class: "busy", hidden: true }, this.bar, this.told, this.stop);
    this.said = el("p", { class: "said", role: "status" });
    root.replaceChildren(this.zone, this.busy, this.said);
  }

  update({ ticket, path, most }, { setTriggerValue }) {
    this.send = setTriggerValue;
    this.path = path;
    this.most.textContent = `config.json, model.safetensors, tokenizer.json; up to ${most} unpacked`;
    if (ticket === this.ticket) return;
    this.ticket = ticket;
    this.show(false);
  }

  lit(on) {
    this.zone.classList.toggle("lit", on);
  }

  over(event) {
    event.preventDefault(); // or the browser would open the file in place of the page
    this.lit(true);
  }

  dropped(event) {
    event.preventDefault();
    this.lit(false);
    if (event.dataTransfer.files.length) this.take(event.dataTransfer.files[0]);
  }

  chosen() {
    const [file] = this.input.files;
    this.input.value = ""; // so that the same file can be chosen again
    if (file) this.take(file);
  }

  async take(file) {
    const abort = (this.abort = new AbortController());
    this.say("");
    this.show(true);
    this.tell({ total: 0 });
    this.stop.focus();
    try {
      const answer = await handOver(
        file,
        (method, at, body) => this.call(method, at, body, abort.signal),
        (told) => this.tell(told),
      );
      if (answer.done) {
        this.bar.removeAttribute("value");
        this.told.textContent = "It is all here. Reading the model";
        this.stop.hidden = true;
        this.abort = null; // whoever leaves now finds it read when they come back
        this.send("arrived", true);
      } else this.end(answer.refused ?? GONE);
    } catch (error) {
      if (this.abort === abort && error.name !== "AbortError") this.end(BROKEN);
    }
  }

  async call(method, at, body, signal) {
    const [base] = appPlace(["pretrained"]);
    const headers = { "x-lab-ticket": this.ticket };
    const request = { method, body, signal, headers, keepalive: method === "DELETE" };
    const answer = await fetch(`${base}${this.path}${at === null ? "" : `?at=${at}`}`, request);
    return answer.json();
  }

  tell(answer) {
    this.told.textContent = progress(answer);
    this.bar.max = answer.total || 1;
    if (answer.total) this.bar.value = answer.here;
    else this.bar.removeAttribute("value");
  }

  /** Back to the beginning, with a sentence that says why. */
  end(sentence) {
    this.leave();
    this.show(false);
    this.say(sentence);
    this.input.focus();
  }

  leave() {
    if (!this.abort) return;
    this.abort.abort();
    this.abort = null;
    this.call("DELETE", null, null).catch(() => {});
  }

  show(isBusy) {
    this.zone.hidden = isBusy;
    this.busy.hidden = !isBusy;
    this.stop.hidden = false;
    if (!isBusy) this.abort = null;
  }

  say(sentence) {
    this.said.textContent = sentence;
  }

  destroy() {
    this.leave();
  }
}

export default mount(".zip-door", ZipDoor);
