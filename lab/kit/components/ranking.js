// What fits a search best: pure functions over entries {name, also, text, kind}.

/** A text as it is compared: small letters, no accents, and one space for whatever separates words. */
export const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[\s_\-–.()[\]⟨⟩]+/g, " ")
    .trim();

// Words of a question that say nothing of what it is about.
const LITTLE = new Set(
  "a an and are can do does i in is it its me mean means my of on or s that the there to what when".split(" "),
);

/** The words of what is asked that say what it is about; all where none does. */
function telling(asked) {
  const words = plain(asked)
    .replace(/[?!,;:“”"]/g, " ")
    .split(" ")
    .filter(Boolean);
  const some = words.filter((word) => !LITTLE.has(word));
  return some.length ? some : words;
}

const joined = (text) => plain(text).replaceAll(" ", "");
const KINDS = { page: 0.3, lesson: 0.25, view: 0.2, stop: 0.15, word: 0.1 };

/** How well an entry fits what is asked, 0 to 101: its name before its other names, a whole name before a beginning, a
 * beginning before the middle, and last what it is about or a name that one slip of a finger has made. */
export function fit(entry, asked) {
  const query = joined(asked);
  if (!query) return 0;
  const topic = telling(asked).join(" "); // of “what is (start)?”: start
  const named = (name) => Math.max(nameFit(name, asked, query), nameFit(name, topic, joined(topic)));
  const own = named(entry.name);
  const other = Math.max(0, ...(entry.also ?? []).map((name) => named(name) - 4));
  let best = Math.max(own, other);
  if (!best) {
    const text = ` ${plain(`${entry.name} ${(entry.also ?? []).join(" ")} ${entry.text ?? ""}`)}`;
    const words = telling(asked);
    if (words.length && words.every((word) => text.includes(` ${word}`))) best = 20;
  }
  if (!best && query.length > 3) {
    const names = [entry.name, ...(entry.also ?? [])].flatMap((name) => [joined(name), ...plain(name).split(" ")]);
    if (names.some((name) => name.length > 3 && isNear(name, query))) best = 10;
  }
  return best && best + KINDS[entry.kind] - Math.min(0.09, entry.name.length / 1000);
}

/** A word of the glossary as an entry. */
export function entryOf({ name, also, forms, sentence, asked = "" }) {
  const said = sentence.map((part) => (typeof part === "string" ? part : part[1])).join("");
  const others = [...forms.filter((form) => form !== name), ...also];
  return { kind: "word", name, also: others, text: `${said} ${asked}`, said };
}

function nameFit(name, asked, query) {
  const whole = joined(name);
  if (whole === query) return 100;
  if (whole.startsWith(query)) return 80;
  if (` ${plain(name)}`.includes(` ${plain(asked)}`)) return 60;
  return query.length > 2 && whole.includes(query) ? 40 : 0;
}

/** Whether one letter more, less, other or swapped makes one word the other. */
export function isNear(a, b) {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [one, other] = [a.slice(at), b.slice(at)];
  return (
    one.slice(1) === other.slice(1) ||
    one.slice(1) === other ||
    one === other.slice(1) ||
    (one[0] === other[1] && one[1] === other[0] && one.slice(2) === other.slice(2))
  );
}

/** The entries that fit, the best first, at most n; those that fit equally well stay in their order. */
export const ranked = (entries, asked, n = 12) =>
  entries
    .map((entry) => ({ entry, fit: fit(entry, asked) }))
    .filter(({ fit }) => fit > 0)
    .sort((a, b) => b.fit - a.fit)
    .slice(0, n)
    .map(({ entry }) => entry);
