// The link to what is on screen, and its QR code.

import { address, el, mount, svg } from "../../../attention_view/lab.js";
import { LOCAL_ONLY, isLocal } from "../local.js";
import { namesHere, stopOf } from "./stop.js";

const VERSION = "3"; // of our links; see lab/frame/links.py
const FINE = 61; // modules: of a larger code a phone in the last row sees no single one

/** The address that others are given: marked with its version, and without what is for this screen alone. */
export function toShare(address) {
  const link = new URL(address);
  for (const name of ["present", "embed", "embed_options", "v"]) link.searchParams.delete(name);
  if ([...link.searchParams].length) link.searchParams.set("v", VERSION);
  return link.origin + link.pathname + link.search + link.hash;
}

class ShareLink {
  constructor(root) {
    this.field = el("input", { type: "text", readonly: true, "aria-label": "The link to what you see" });
    this.field.onfocus = () => this.field.select();
    this.button = el("button", { onclick: () => this.copy(this.field) }, "Copy the link");
    this.said = el("p", { role: "status" });
    this.picture = el("div.code");
    this.text = el("textarea", { readonly: true, rows: 9, "aria-label": "This view as a stop of a lesson" });
    this.names = el("dl.names");
    const take = el("button.plain", { onclick: () => this.take() }, "Copy the stop");
    const words = "Controls that are not named are hidden; pictures stay, but for those behind “Without:”.";
    this.stop = el(
      "details.stop",
      { ontoggle: () => this.write() },
      el("summary", "As a stop of a lesson"),
      this.text,
      el("p", words),
      this.names,
    );
    root.append(el("div.row", this.field, this.button, take), this.said, this.picture, this.stop);
  }

  /** Copies the view as a stop, and shows what that is. */
  take() {
    this.stop.open = true;
    this.write();
    this.copy(this.text);
  }

  /** The view as a stop, and what each name in it is. */
  write() {
    if (!this.stop.open) return;
    const names = namesHere();
    this.text.value = stopOf(this.field.value, names, document.querySelector("h1")?.textContent ?? "");
    this.names.replaceChildren(
      ...Object.entries(names).flatMap(([kind, all]) =>
        all.flatMap(([name, label]) => [el("dt", el("code", name)), el("dd", label || kind.slice(0, -1))]),
      ),
    );
  }

  update({ code }, { setStateValue }) {
    const link = toShare(address());
    this.field.value = link;
    this.write();
    if (code?.address !== link) {
      this.picture.replaceChildren();
      setStateValue("address", link);
      return;
    }
    const { size, path } = code;
    this.picture.replaceChildren(
      size
        ? svg(
            "svg",
            { viewBox: `-4 -4 ${size + 8} ${size + 8}`, role: "img", "aria-label": "QR code of the link" },
            svg("rect", { x: -4, y: -4, width: size + 8, height: size + 8, fill: "#fff" }),
            svg("path", { d: path, fill: "#000", "shape-rendering": "crispEdges" }),
          )
        : el("p", "This link is too long for a QR code that a phone could read. Copy it instead."),
      size && isLocal(new URL(link).host) ? el("p", LOCAL_ONLY) : "",
      size > FINE ? el("p", "This link is long, so its code is fine: from the last row, step closer.") : "",
    );
  }

  async copy(field) {
    try {
      await navigator.clipboard.writeText(field.value);
      this.said.textContent =
        field === this.field ? "Copied. Whoever opens it sees what you see." : "Copied. Put it into your lesson.";
    } catch {
      field.select();
      this.said.textContent = "The browser does not let us copy it. It is marked: press Ctrl+C, or ⌘C.";
    }
  }
}

export default mount(".share-link", ShareLink);
