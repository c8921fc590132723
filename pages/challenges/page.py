"""Puzzles: a goal each, to be reached here or on another page of the app."""

from lab.kit.page import LEARN, Page, Tab

WIDTH, MAX_LOSS = 16, 0.1  # of the puzzle about a training
PAGE = Page(
    "challenges",
    prefix="puzzle",
    title="Challenges",
    question="Can you make it do that?",
    help="Four puzzles, from one letter to a training: reach the goal, and the server computes whether it is true.",
    lede="Four puzzles. The model itself checks your answers.",
    section=LEARN,
    puzzles=4,
    switch="puzzle",
    views=(
        Tab(
            "texts",
            "Two minds",
            "Leave the storyteller in two minds between *he* and *she*",
            page="generation",
            opens={"gen_text": "tim was cold. then", "puzzle": "undecided"},
        ),
        Tab(
            "heads",
            "One head less",
            "Take out one head, so that “he” becomes “she”",
            page="challenges",
            opens={"puzzle": "head"},
        ),
        Tab(
            "texts",
            "Wrong French",
            "Find a sentence that the translator gets wrong",
            page="translation",
            opens={"tr_english": "The girl and the woman eat the red apples", "puzzle": "french"},
        ),
        Tab(
            "training",
            "Small",
            f"Train a model {WIDTH} wide to a loss below {MAX_LOSS}",
            page="live",
            opens={"live_d_model": str(WIDTH), "live_film": "before training", "puzzle": "small"},
        ),
    ),
)

if __name__ == "__main__":
    from pages.challenges import shelf

    shelf.show(PAGE)
