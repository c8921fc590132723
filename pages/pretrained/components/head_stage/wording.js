// What is said of a head that is pressed: it is cut, or carried from one text into another.

export const CUT = {
  press: "Below each head: how much probability goes to other words when it is taken out.",
  none: "With all heads it says ",
  with: (name) => `Without ${name}`,
  moves: (share) => `without it ${share} of the probability goes to other words`,
  back: "Put it back",
  again: "Take out each in turn",
  atOnce: "Take out the one missed most", // where nothing moves
};

export const CARRY = {
  press: "Below each head: how much of the difference between the two answers it carries over.",
  none: "After the second text it says ",
  with: (name) => `With ${name} carried over`,
  moves: (share) => `it carries ${share} of the difference`,
  back: "Take it out again",
  again: "Carry it over again",
};

/** What the number below each head says; "" where there is no room for one. */
export const belowEach = ({ press }, isNamed) => (isNamed ? press : "");
