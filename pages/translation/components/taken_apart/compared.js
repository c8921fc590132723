// What a model writes now beside what the whole model writes: which words are the same, and which are lost.

/** Which words of a text are those of the whole model, in its order: one boolean per word. */
export function agrees(whole, now) {
  const shared = Array.from({ length: whole.length + 1 }, () => Array(now.length + 1).fill(0));
  for (let i = whole.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      shared[i][j] = whole[i] === now[j] ? 1 + shared[i + 1][j + 1] : Math.max(shared[i + 1][j], shared[i][j + 1]);
  let i = 0;
  return now.map((word, j) => {
    while (i < whole.length && whole[i] !== word && shared[i + 1][j] >= shared[i][j + 1]) i++;
    return whole[i] === word && Boolean(++i);
  });
}

/** The words of the whole model that a text no longer has. */
export function lost(whole, now) {
  const same = agrees(whole, now);
  const kept = now.filter((_, n) => same[n]);
  return whole.filter((word) => word !== kept[0] || !kept.shift());
}
