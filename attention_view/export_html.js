// A page of its own, written by a page that is in a browser already (standalone.py writes the same one); and how it
// draws itself.
//
// A payload travels in it as base64 of zlib of the payload itself (see payload.py), in which the numbers of a float32
// array lie with all their first bytes first, then all second ones, and so on: like beside like is shorter.

import { fromBase64, rgb, theme, unpack } from "./lab.js";
import { joined, utf8 } from "./export_tables.js";

const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:";

/** A view as a page of its own that opens on the head in view; what it has not been sent, the page has not either.
 *
 * source  the text of the script that draws here */
export async function htmlOf(view, source) {
  const { layer, head } = view;
  const kind = [...view.pictures.keys()].indexOf(view.kind);
  const change = { url: null, open: [layer, head], alone: true, report: false, beside: "", compact: false };
  const payload = renamed(view.data, view.kind ? { ...change, kind } : change);
  const styles = view.root.getRootNode().querySelectorAll("style");
  const style = [...styles].map(({ textContent }) => textContent.replace(/^\n|\n$/g, "")).join("\n");
  return pageOf({
    ...dressOf(view.root, style),
    payload: base64(await squeezed(payload)),
    // In the app the script hands itself to Streamlit last; here it starts by itself.
    script: source.replace(/^\w+ default .*;\n?|^\/\/# sourceURL=.*$/gm, "").trimEnd() + "\nalone(View);",
  });
}

/** The text of a page, as in standalone.py. */
export function pageOf({ theme, style, payload, script }) {
  const lines = [
    "<!doctype html>",
    `<html lang="en" data-choice="${theme}" data-theme="${theme}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Attention${END("title")}`,
    "<style>",
    style,
    END("style"),
    END("head"),
    "<body>",
    `<div class="lab attention-view">${END("div")}`,
    `<script type="text/plain" id="payload">${payload}${END("script")}`,
    '<script type="module">',
    script,
    END("script"),
    END("body"),
    END("html"),
  ];
  return lines.join("\n") + "\n";
}

const END = (tag) => `<${"/"}${tag}>`; // in two parts: a script in a page must not hold the end of a script

/** The colours that are seen now, as the page's own: {theme, style}. A page of its own keeps its two themes. */
function dressOf(root, style) {
  const { choice } = document.documentElement.dataset;
  if (choice) return { theme: choice, style };
  const colour = theme(root);
  const names = [...new Set(style.match(/--st-[a-z-]+/g))];
  const [r, g, b] = rgb(colour("st-background-color"));
  const scheme = r + g + b < 384 ? "dark" : "light";
  const values = names.map((name) => `${name}: ${colour(name.slice(2))};`).join(" ");
  const ground = "background: var(--st-background-color);";
  return {
    theme: scheme,
    style: `:root { color-scheme: ${scheme}; ${values} ${ground} }\nbody { margin: 14px; }\n${style}`,
  };
}

/** A payload with some entries of its header changed. */
function renamed(payload, change) {
  const { header, body } = unpack(payload);
  const text = utf8(JSON.stringify({ ...header, ...change }));
  const padded = joined([text, new Uint8Array((8 - ((text.length + 4) % 8)) % 8).fill(32)]);
  return joined([new Uint8Array(Uint32Array.of(padded.length).buffer), padded, body]);
}

/** A payload as it travels in a page. */
export const squeezed = (payload) => through(new CompressionStream("deflate"), inPlanes(payload, false));

/** A payload from how it travels in a page. */
export const expanded = async (bytes) => inPlanes(await through(new DecompressionStream("deflate"), bytes), true);

/** A copy of a payload with the bytes of its float32 arrays in four planes, or back from there. */
function inPlanes(payload, back) {
  const out = payload.slice();
  const { body, arrays } = unpack(payload);
  for (const [name, array] of Object.entries(arrays)) {
    const start = out.length - body.length + array.byteOffset - body.byteOffset;
    const bytes = body.subarray(array.byteOffset - body.byteOffset).subarray(0, array.byteLength);
    if (name.startsWith("kind:")) out.set(inPlanes(bytes, back), start); // a payload of its own
    else if (array instanceof Float32Array) turnPlanes(bytes, out.subarray(start), array.length, back);
  }
  return out;
}

function turnPlanes(from, to, n, back) {
  for (let plane = 0; plane < 4; plane++)
    for (let k = 0; k < n; k++) {
      if (back) to[4 * k + plane] = from[plane * n + k];
      else to[plane * n + k] = from[4 * k + plane];
    }
}

async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

function base64(bytes) {
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8190)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 8190))));
  return parts.join("");
}

// ---- in the page of its own ------------------------------------------------------------------------------------

const TOO_OLD = "This page needs a browser of 2023 or later: yours cannot unpack its numbers.";

/** Draw the payload of the page, light or dark as the page was told, or as the visitor's system is at any time. */
export async function alone(View) {
  const root = document.querySelector(".attention-view");
  if (typeof DecompressionStream === "undefined") {
    root.textContent = TOO_OLD;
    return;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const dress = () => {
    const { dataset } = document.documentElement;
    if (dataset.choice === "auto") dataset.theme = dark.matches ? "dark" : "light";
  };
  dress();
  const view = new View(root);
  if (view.resized) new ResizeObserver(() => view.resized()).observe(root);
  view.update(await expanded(fromBase64(document.querySelector("#payload").textContent)), {});
  dark.addEventListener("change", () => {
    dress();
    view.update(null, {});
  });
}
