"""What is wrong here? The museum of bugs: a faulty model, instruments to examine it with, and the cure."""

from lab.kit.page import LEARN, Page, Tab

TITLES = (  # of the exhibits, from easy to hard
    "Shares over 100%",
    "A glimpse ahead",
    "Any order will do",
    "Never the same twice",
    "Empty seats vote",
    "A loss like a dream",
    "The wrong drawer",
    "Shares that vanish",
    "Eyes on nothing",
    "Winner takes all",
    "One pad, all NaN",
    "The right shape",
    "Suspiciously small",
    "Layers that never learn",
    "Idle layers",
    "All tokens alike",
    "A leak elsewhere",
    "Alone or in company",
    "Fast and wrong",
    "Better than possible",
    "Stuck from the start",
    "Fine at equal lengths",
    "Heavier than it went in",
)
PAGE = Page(
    "bugs",
    title="Bugs",
    question="What is wrong here?",
    help="Twenty-three models, each with one wrong line: examine them, guess the cause, and see the cure.",
    lede="One line is wrong, and hardly anything complains. Pick an instrument, make a guess, then see the cure.",
    section=LEARN,
    checks=23,
    switch="bugs_exhibit",
    views=tuple(Tab("museum", title, "What is wrong?") for title in TITLES),
)

if __name__ == "__main__":
    from pages.bugs import museum

    museum.show(PAGE)
