// Which parts of the model are out, as links write it: "Attention", "attention.2,norm1.0", or "nothing".

/** The four kinds as links call them, by the parts of a layer that they are: of residuals and norms each layer has
 * two. */
const KINDS = {
  Attention: ["attention"],
  "Feed-forward": ["feed-forward"],
  Residual: ["residual1", "residual2"],
  Norm: ["norm1", "norm2"],
};
export const NOTHING = "nothing";

const listOf = (out) => (out === NOTHING ? [] : out.split(","));
const written = (parts) => (parts.length ? [...parts].sort().join(",") : NOTHING);
const kindOf = (part) => Object.keys(KINDS).find((kind) => KINDS[kind].includes(part.split(".")[0]));
const partsOf = (kind, n_layers) =>
  KINDS[kind].flatMap((part) => Array.from({ length: n_layers }, (_, layer) => `${part}.${layer}`));

/** Whether a part such as "attention.2", or all of a kind, is out. */
export function isOut(part, out) {
  const parts = listOf(out);
  return parts.includes(part) || parts.includes(kindOf(part));
}

/** What is out once a part has been pressed: out of the model, or back into it. */
export function pressed(part, out, n_layers) {
  const parts = listOf(out);
  if (parts.includes(part)) return written(parts.filter((other) => other !== part));
  const kind = kindOf(part);
  if (!parts.includes(kind)) return written([...parts, part]);
  const others = partsOf(kind, n_layers).filter((other) => other !== part);
  return written([...parts.filter((other) => other !== kind), ...others]);
}
