// Payloads for tests, laid out as attention_view/payload.py writes them.

/** name -> {shape, values, type}, and a header, as bytes; `shift` moves them off the places where numbers may start. */
export function packed(arrays, header = {}, shift = 0) {
  const entries = {};
  const parts = [];
  let at = 0;
  for (const [name, { shape, values, type = "f4" }] of Object.entries(arrays)) {
    const bytes = new Uint8Array((type === "f4" ? new Float32Array(values) : new Uint8Array(values)).buffer);
    entries[name] = { at, shape, type };
    parts.push([at, bytes]);
    at += Math.ceil(bytes.length / 8) * 8;
  }
  let head = new TextEncoder().encode(JSON.stringify({ ...header, arrays: entries }));
  const padding = (8 - ((head.length + 4) % 8)) % 8;
  head = Uint8Array.from([...head, ...Array(padding).fill(32)]);
  const all = new Uint8Array(shift + 4 + head.length + at).subarray(shift);
  new DataView(all.buffer, all.byteOffset).setUint32(0, head.length, true);
  all.set(head, 4);
  for (const [place, bytes] of parts) all.set(bytes, 4 + head.length + place);
  return all;
}
