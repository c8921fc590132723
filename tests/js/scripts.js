// Takes functions out of a component's script, which reaches the browser joined with others and exports only its mount.
import { globSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Import these names from the one script whose path ends like this: await from("film/chart.js", "ticks"). */
export async function from(ending, ...names) {
  const files = globSync(`{pages,attention_view}/**/${ending}`, { cwd: ROOT });
  if (files.length !== 1) throw new Error(`${ending}: ${files.length} such scripts`);
  const text = readFileSync(ROOT + files[0], "utf8") + `\nexport { ${names.join(", ")} };`;
  return import("data:text/javascript;charset=utf-8," + encodeURIComponent(text));
}
