// What is said of a head that is pressed: it is cut, or carried from one text into another.

const CARRIES =
  "Press a head to carry what it made of the first text into the second; the number is the share of the difference" +
  " that comes along.";

export const CUT = {
  first: "Violet: where each head looks in this text.",
  press: "The number below a head is the share of the probability that moves without it.",
  none: "With all heads it says ",
  with: (name) => `Without ${name}`,
  moves: (share) => `without it ${share} of the probability moves`,
  back: "Put it back",
};

export const CARRY = {
  first: CARRIES,
  press: CARRIES,
  none: "After the second text it says ",
  with: (name) => `With ${name} carried over`,
  moves: (share) => `${share} of the difference comes along with it`,
  back: "Take it out again",
};
