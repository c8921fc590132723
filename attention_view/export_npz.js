// Arrays as numpy's .npz: a zip whose entries are stored as they are, each an array behind numpy's own header.

import { bytesOf, joined, utf8 } from "./export_tables.js";

const TYPES_OF_NUMPY = { Float32Array: "<f4", Float64Array: "<f8", Uint8Array: "|u1", Int32Array: "<i4" };

/** A .npz of arrays: name -> a typed array with a `shape`, or a text. */
export function npz(arrays) {
  return zipped(Object.entries(arrays).map(([name, array]) => [`${name}.npy`, npy(array)]));
}

/** numpy's format 1.0: the header is a Python literal, filled up with spaces to a multiple of 64. */
function npy(array) {
  const { descr, shape, data } = typeof array === "string" ? npyText(array) : npyNumbers(array);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const literal = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const header = literal.padEnd(Math.ceil((10 + literal.length + 1) / 64) * 64 - 11) + "\n";
  const start = [0x93, ...utf8("NUMPY"), 1, 0, header.length & 255, header.length >> 8];
  return joined([start, utf8(header), data]);
}

const npyNumbers = (array) => ({
  descr: TYPES_OF_NUMPY[array.constructor.name],
  shape: array.shape,
  data: bytesOf(array),
});

/** A text as one array element: four bytes a letter. */
function npyText(text) {
  const codes = Uint32Array.from(Array.from(text), (letter) => letter.codePointAt(0));
  return { descr: `<U${Math.max(1, codes.length)}`, shape: [], data: codes.length ? bytesOf(codes) : [0, 0, 0, 0] };
}

/** A zip of entries [name, bytes], not compressed. */
function zipped(entries) {
  const parts = [];
  const listed = [];
  let at = 0;
  for (const [name, bytes] of entries) {
    const title = utf8(name);
    // version 2.0, names in UTF-8, stored, 1 January 1980, sum, size twice, lengths of the name and of nothing
    const about = [
      ...littleEndian(20, 2),
      ...littleEndian(0x800, 2),
      ...littleEndian(0, 2),
      ...littleEndian(0, 2),
      ...littleEndian(0x21, 2),
      ...littleEndian(crc32(bytes), 4),
    ];
    about.push(
      ...littleEndian(bytes.length, 4),
      ...littleEndian(bytes.length, 4),
      ...littleEndian(title.length, 2),
      ...littleEndian(0, 2),
    );
    const head = joined([littleEndian(0x04034b50, 4), about, title]);
    listed.push(
      joined([littleEndian(0x02014b50, 4), littleEndian(20, 2), about, new Uint8Array(10), littleEndian(at, 4), title]),
    );
    parts.push(head, bytes);
    at += head.length + bytes.length;
  }
  const size = listed.reduce((sum, part) => sum + part.length, 0);
  const count = littleEndian(entries.length, 2);
  return joined([
    ...parts,
    ...listed,
    littleEndian(0x06054b50, 4),
    littleEndian(0, 4),
    count,
    count,
    littleEndian(size, 4),
    littleEndian(at, 4),
    littleEndian(0, 2),
  ]);
}

/** A whole number as so many bytes, the lowest first. */
const littleEndian = (n, size) => Array.from({ length: size }, (_, at) => (n >>> (8 * at)) & 255);

let crcTable;

/** The checksum of a zip's entry: CRC-32 with the polynomial 0xEDB88320. */
function crc32(bytes) {
  crcTable ??= Uint32Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  let sum = 0xffffffff;
  for (let n = 0; n < bytes.length; n++) sum = crcTable[(sum ^ bytes[n]) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
