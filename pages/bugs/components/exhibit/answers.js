// What is said: by both models, word by word, and of the lines that were pressed.

const ERROR = /^\w+Error: /;
const ASK = "One line is wrong. Press the one you suspect.";
const NOT_IT = "That line does its job. Look again.";
const [SHORT, PLAIN] = [12, /^-?[\w.]+(, -?[\w.]+)*$/]; // letters of a change that is said in the heading, as names

/** The words of an answer, and which of them are not those that a healthy model says at the same place. */
export function compared(answer, healthy) {
  if (ERROR.test(answer)) return [{ word: answer, odd: true, isError: true }];
  const right = healthy.split(" ");
  return answer.split(" ").map((word, n) => ({ word, odd: ![right[n], "…"].includes(word) }));
}

/** What the lines under odd words say, for who hears them. */
export function said(words) {
  const n = words.filter(({ odd }) => odd).length;
  const all = words.filter(({ word }) => word !== "…").length;
  if (!n || words[0].isError) return "";
  const what = all === 1 ? "differs" : `${n} of ${all} words ${n === 1 ? "differs" : "differ"}`;
  return `(${what} from the healthy model’s)`;
}

/** What is said above the lines; `tried` are those that were pressed with nothing wrong in them. */
export function verdict({ code, tried, found, cured }) {
  if (!found) return tried.size ? NOT_IT : ASK;
  if (!cured) return "The wrong line is back.";
  const wrong = code.find(({ cure }) => cure);
  const [, from, to] = change(wrong.text, wrong.cure);
  const isShort = [from, to].every((part) => part.length <= SHORT && PLAIN.test(part));
  return isShort
    ? `Cured: ${from} is now ${to}. Press the line to break it again.`
    : "Cured. Press the line to break it again.";
}

/** What differs between a wrong line and its cure, as [before, from, to, after] in whole words. */
export function change(wrong, cure) {
  const [a, b] = [wrong, cure].map((text) => text.match(/-?[\w.]+|\s+|./gs));
  let first = 0;
  while (first < Math.min(a.length, b.length) && a[first] === b[first]) first++;
  let last = 0;
  while (last < Math.min(a.length, b.length) - first && a.at(-1 - last) === b.at(-1 - last)) last++;
  const part = (words) => words.slice(first, words.length - last).join("");
  return [a.slice(0, first).join(""), part(a), part(b), a.slice(a.length - last).join("")];
}
