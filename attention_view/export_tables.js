// The numbers as tables: CSV as a spreadsheet reads it, and Parquet, a row a cell, as data frames do.

/** The map as CSV: a row a query, a column a key. */
export function csvOf({ queries, keys, across, T, S, matrix }) {
  // A cell that starts like a formula is kept from being one when a spreadsheet opens the file.
  const quote = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? "'" : "") + text.replaceAll('"', '""')}"`;
  const rows = [[`query \\ ${across}`, ...keys].map(quote).join(",")];
  for (let i = 0; i < T; i++)
    rows.push([quote(queries[i]), ...Array.from(matrix.slice(i * S, (i + 1) * S), String)].join(","));
  return rows.join("\n") + "\n";
}

// ---- Parquet, as Apache's "file format" describes it ------------------------------------------------------------
// One row group, a column after the other, each one page, plain and not compressed; then the description of it all, in
// Thrift's compact protocol.

const KINDS = { int: 1, float: 4, double: 5, text: 6 };
const THRIFT = { int: 5, long: 6, text: 8, list: 9, struct: 12 };
const MAGIC = "PAR1";

/** The map as Parquet, a row a cell: query_position, query, key_position, key, and the number under its stage's name. */
export function parquetOf({ queries, keys, across, T, S, matrix, column }) {
  const rows = Array.from({ length: T * S }, (_, n) => n);
  const row = (n) => Math.floor(n / S);
  const number = matrix instanceof Float32Array ? "float" : "double";
  return parquet([
    { name: "query_position", kind: "int", values: rows.map(row) },
    { name: "query", kind: "text", values: rows.map((n) => queries[row(n)]) },
    { name: `${across}_position`, kind: "int", values: rows.map((n) => n % S) },
    { name: across, kind: "text", values: rows.map((n) => keys[n % S]) },
    { name: column, kind: number, values: matrix },
  ]);
}

/** A Parquet file of columns {name, kind, values} of one length; kinds: int, float, double, text. */
export function parquet(columns) {
  const count = columns[0].values.length;
  const parts = [utf8(MAGIC)];
  let at = MAGIC.length;
  const chunks = columns.map(({ name, kind, values }) => {
    const data = plain(kind, values);
    const header = struct([
      [1, int(0)], // a data page
      [2, int(data.length)],
      [3, int(data.length)],
      [
        5,
        struct([
          [1, int(count)],
          [2, int(0)],
          [3, int(3)],
          [4, int(3)],
        ]),
      ], // plain; no levels, since all is there
    ]).bytes;
    const start = at;
    parts.push(header, data);
    at += header.length + data.length;
    const size = at - start;
    const about = struct([
      [1, int(KINDS[kind])],
      [2, list([int(0), int(3)])],
      [3, list([text(name)])],
      [4, int(0)],
      [5, long(count)],
      [6, long(size)],
      [7, long(size)],
      [9, long(start)],
    ]);
    return {
      size,
      about: struct([
        [2, long(start)],
        [3, about],
      ]),
    };
  });
  const schema = columns.map(({ name, kind }) =>
    struct([[1, int(KINDS[kind])], [3, int(0)], [4, text(name)], ...(kind === "text" ? [[6, int(0)]] : [])]),
  );
  const total = chunks.reduce((sum, { size }) => sum + size, 0);
  const group = struct([
    [1, list(chunks.map(({ about }) => about))],
    [2, long(total)],
    [3, long(count)],
  ]);
  const footer = struct([
    [1, int(1)],
    [
      2,
      list([
        struct([
          [4, text("schema")],
          [5, int(columns.length)],
        ]),
        ...schema,
      ]),
    ],
    [3, long(count)],
    [4, list([group])],
    [6, text("Attention Lab")],
  ]).bytes;
  return joined([...parts, footer, new Uint8Array(Uint32Array.of(footer.length).buffer), utf8(MAGIC)]);
}

/** Values one after the other; a text behind its length. */
function plain(kind, values) {
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

const int = (n) => ({ type: THRIFT.int, bytes: varint(2 * n) }); // "zigzag": none of ours is below zero
const long = (n) => ({ type: THRIFT.long, bytes: varint(2 * n) });

function text(value) {
  const letters = utf8(value);
  return { type: THRIFT.text, bytes: joined([varint(letters.length), letters]) };
}

function list(items) {
  const { type } = items[0];
  const head = items.length < 15 ? [(items.length << 4) | type] : [0xf0 | type, ...varint(items.length)];
  return { type: THRIFT.list, bytes: joined([head, ...items.map(({ bytes }) => bytes)]) };
}

/** Fields [number, value], in rising order, none 16 or more behind the one before. */
function struct(fields) {
  let last = 0;
  const parts = fields.flatMap(([id, { type, bytes }]) => {
    const head = [((id - last) << 4) | type];
    last = id;
    return [head, bytes];
  });
  return { type: THRIFT.struct, bytes: joined([...parts, [0]]) };
}

function varint(n) {
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
