"""Who may look at whom? Masks by name and painted by hand, what leaks through them, and what blocking is made of."""

from lab.kit.page import CONCEPTS, Page, Tab

PAGE = Page(
    "masks",
    prefix="mask",
    title="Masks",
    question="Who may look at whom?",
    help="Paint who may look at whom, find the leaks, and see what padding and blocked rows do.",
    lede="A mask says which :orange[**keys**] each :blue[**query**] may look at. Blocked cells are hatched:"
    " their :violet[**attention weight**] is exactly 0.",
    section=CONCEPTS,
    learned="how a model is kept from peeking: a mask makes some attention weights exactly 0, and the rest of"
    " the row shares the whole 1. News of a forbidden word can only arrive by way of words that may"
    " look at it.",
    switch="masks_view",
    views=(
        Tab(
            "paint",
            "Paint",
            "What does a mask do to a row of weights?",
            lede="A blocked cell is hatched: its :violet[**attention weight**] is exactly 0, in every layer.",
        ),
        Tab(
            "leaks",
            "Leaks",
            "Does news of a hidden word arrive all the same?",
            lede="Change one word. Layer by layer the change spreads, as far as the mask lets tokens look.",
            title="Who notices a changed word?",
        ),
        Tab(
            "wiring",
            "Wiring",
            "Which stream asks, and which one answers?",
            lede="The French asks, with :blue[**queries**]; the English answers, with :orange[**keys**] and"
            " :green[**values**].",
            title="Who asks, and who answers?",
        ),
    ),
)

if __name__ == "__main__":
    from lab.kit.view import render

    render(PAGE)
