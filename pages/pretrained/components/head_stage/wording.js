// What is said of a head that is pressed: it is cut, or carried from one text into another.

export const CUT = {
  press: "Below each head: how much of the probability moves when it is taken out.",
  none: "With all heads it says ",
  with: (name) => `Without ${name}`,
  moves: (share) => `without it ${share} of the probability moves`,
  back: "Put it back",
  again: "Take out each in turn",
  atOnce: "Take out the one missed most", // where nothing moves
};

export const CARRY = {
  press:
    "Press a head to carry what it made of the first text into the second; the bar is the share of the difference" +
    " that comes along.",
  none: "After the second text it says ",
  with: (name) => `With ${name} carried over`,
  moves: (share) => `${share} of the difference comes along with it`,
  back: "Take it out again",
  again: "Carry it over again",
};
