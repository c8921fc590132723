// What is said of a head that is touched: it is cut, or carried from one text into another.

export const CUT = {
  touch: "Touch a head to cut it; the number is the share of the probability that moves without it.",
  none: "With all heads it says ",
  with: (name) => `Without ${name}`,
  moves: (share) => `without it ${share} of the probability moves`,
  back: "Put it back",
};

export const CARRY = {
  touch:
    "Touch a head to carry what it made of the first text into the second; the number is the share of the difference" +
    " that comes along.",
  none: "After the second text it says ",
  with: (name) => `With ${name} carried over`,
  moves: (share) => `${share} of the difference comes along with it`,
  back: "Take it out again",
};
