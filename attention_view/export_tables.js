// The numbers as tables: CSV as a spreadsheet reads it, and Parquet, a row a cell, as data frames do.

/** The map as CSV: a row a query, a column a key. */
export function csvOf({ queries, keys, across, rows: T, columns: S, matrix }) {
  // A cell that starts like a formula is kept from being one when a spreadsheet opens the file.
  const quote = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
  const lines = [[`query \\ ${across}`, ...keys].map(quote).join(",")];
  for (let i = 0; i < T; i++)
    lines.push([quote(queries[i]), ...Array.from(matrix.slice(i * S, (i + 1) * S), String)].join(","));
  return lines.join("\n") + "\n";
}

// ---- Parquet, as Apache's "file format" describes it ------------------------------------------------------------
// One row group, a column after the other, each one page, plain and not compressed; then the description of it all, in
// Thrift's compact protocol.

const KINDS = { int: 1, float: 4, double: 5, text: 6 };
const THRIFT = { int: 5, long: 6, text: 8, list: 9, struct: 12 };
const MAGIC = "PAR1";

/**
 * The map as Parquet, one row per cell: query_position, query, key_position, key, and the number under the name of its
 * stage.
 */
export function parquetOf({ queries, keys, across, rows: T, columns: S, matrix, column }) {
  const cells = Array.from({ length: T * S }, (_, n) => n);
  const row = (n) => Math.floor(n / S);
  const number = matrix instanceof Float32Array ? "float" : "double";
  return parquet([
    { name: "query_position", kind: "int", values: cells.map(row) },
    { name: "query", kind: "text", values: cells.map((n) => queries[row(n)]) },
    { name: `${across}_position`, kind: "int", values: cells.map((n) => n % S) },
    { name: across, kind: "text", values: cells.map((n) => keys[n % S]) },
    { name: column, kind: number, values: matrix },
  ]);
}

/** A Parquet file of columns {name, kind, values} of one length; kinds: int, float, double, text. */
export function parquet(columns) {
  const count = columns[0].values.length;
  const parts = [utf8(MAGIC)];
  let at = MAGIC.length;
  const chunks = columns.map((column) => {
    const page = dataPage(column);
    const size = page[0].length + page[1].length;
    parts.push(...page);
    at += size;
    return { size, about: aboutChunk(column, at - size, size) };
  });
  const total = chunks.reduce((sum, { size }) => sum + size, 0);
  const footer = aboutAll(
    columns,
    tStruct({ 1: tList(chunks.map(({ about }) => about)), 2: tLong(total), 3: tLong(count) }),
  );
  return joined([...parts, footer, new Uint8Array(Uint32Array.of(footer.length).buffer), utf8(MAGIC)]);
}

/** A page of data: its header, and what is in it. */
function dataPage({ kind, values }) {
  const data = plainValues(kind, values);
  // Plain, and without levels, since all is there.
  const plain = tStruct({ 1: tInt(values.length), 2: tInt(0), 3: tInt(3), 4: tInt(3) });
  return [tStruct({ 1: tInt(0), 2: tInt(data.length), 3: tInt(data.length), 5: plain }).bytes, data];
}

/** What is said of a column: where it starts, and how long it is. */
function aboutChunk({ name, kind, values }, start, size) {
  const what = { 1: tInt(KINDS[kind]), 2: tList([tInt(0), tInt(3)]), 3: tList([tText(name)]), 4: tInt(0) };
  const where = { 5: tLong(values.length), 6: tLong(size), 7: tLong(size), 9: tLong(start) };
  return tStruct({ 2: tLong(start), 3: tStruct({ ...what, ...where }) });
}

/** What is said of the file: its columns, and the one group of rows. */
function aboutAll(columns, group) {
  const schema = columns.map(({ name, kind }) =>
    tStruct({ 1: tInt(KINDS[kind]), 3: tInt(0), 4: tText(name), ...(kind === "text" && { 6: tInt(0) }) }),
  );
  const root = tStruct({ 4: tText("schema"), 5: tInt(columns.length) });
  const count = tLong(columns[0].values.length);
  return tStruct({ 1: tInt(1), 2: tList([root, ...schema]), 3: count, 4: tList([group]), 6: tText("Attention Lab") })
    .bytes;
}

/** Values one after the other; a text behind its length. */
function plainValues(kind, values) {
  if (kind !== "text")
    return bytesOf({ int: Int32Array, float: Float32Array, double: Float64Array }[kind].from(values));
  const known = new Map(); // a token comes once a row
  const encoded = (value) => {
    if (!known.has(value)) {
      const letters = utf8(value);
      known.set(value, joined([new Uint8Array(Uint32Array.of(letters.length).buffer), letters]));
    }
    return known.get(value);
  };
  return joined(Array.from(values, encoded));
}

const tInt = (n) => ({ type: THRIFT.int, bytes: tVarint(2 * n) }); // "zigzag": none of ours is below zero
const tLong = (n) => ({ type: THRIFT.long, bytes: tVarint(2 * n) });

function tText(value) {
  const letters = utf8(value);
  return { type: THRIFT.text, bytes: joined([tVarint(letters.length), letters]) };
}

function tList(items) {
  const { type } = items[0];
  const head = items.length < 15 ? [(items.length << 4) | type] : [0xf0 | type, ...tVarint(items.length)];
  return { type: THRIFT.list, bytes: joined([head, ...items.map(({ bytes }) => bytes)]) };
}

/** Fields by their number, which rises by less than 16 from one to the next. */
function tStruct(fields) {
  let last = 0;
  const parts = Object.entries(fields).flatMap(([id, { type, bytes }]) => {
    const head = [((id - last) << 4) | type];
    last = Number(id);
    return [head, bytes];
  });
  return { type: THRIFT.struct, bytes: joined([...parts, [0]]) };
}

function tVarint(n) {
  const out = [];
  for (; n >= 128; n = Math.floor(n / 128)) out.push((n % 128) | 128);
  return [...out, n];
}

// ---- bytes ----------------------------------------------------------------------------------------------------

export const utf8 = (value) => new TextEncoder().encode(value);

export const bytesOf = (array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

/** Runs of bytes as one. */
export function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
