// The link to what is on screen, and its QR code.

import { address, el, mount, svg } from "../../../attention_view/lab.js";

const VERSION = "2"; // of our links; see lab/frame/links.py
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
    this.button = el("button", { onclick: () => this.copy() }, "Copy the link");
    this.said = el("p", { role: "status" });
    this.picture = el("div.code");
    root.append(el("div.row", this.field, this.button), this.said, this.picture);
  }

  update({ code }, { setStateValue }) {
    const link = toShare(address());
    this.field.value = link;
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
      size > FINE ? el("p", "This link is long, so its code is fine: from the last row, step closer.") : "",
    );
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.field.value);
      this.said.textContent = "Copied. Whoever opens it sees what you see.";
    } catch {
      this.field.select();
      this.said.textContent = "The browser does not let us copy it. It is marked: press Ctrl+C, or ⌘C.";
    }
  }
}

export default mount(".share-link", ShareLink);
