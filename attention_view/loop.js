/** The path from a word to itself, below the middle of its foot. */
export const loop = ([x, y]) => `M${x - 6} ${y}C${x - 46} ${y + 27} ${x + 46} ${y + 27} ${x + 6} ${y}`;
