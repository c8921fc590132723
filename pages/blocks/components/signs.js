// Words without a letter or a number.

/** Whether there is nothing to read in it, as in a full stop: alone it is taken for a dot or one more mark. */
export const isSign = (word) => !/[\p{L}\p{N}]/u.test(word);
