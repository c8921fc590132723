"""The pages of the app, declared once, in the order in which they are best read: nothing is used before it is shown.

Navigation, the foot of every page, the map on the front page and the tests read this list.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

_PAGES_FOLDER = Path(__file__).parents[2] / "pages"
CONCEPTS, MODELS = "Concepts", "Models"
STORY = ("", CONCEPTS, MODELS)  # sections whose pages lead from one to the next
SENTENCE = "mia found a red ball in the park."  # runs through the story: what the front page asks about
_READ = {"weights": "trained on stories", "text": SENTENCE}  # by the same model as there


class Page(NamedTuple):
    """One page of the app.

    url       its path in the address, "" for the front page; also the name of its folder
    section   the heading of the menu that lists it, "" for none
    title     its name, in the menu, on the map and in what is said of it
    question  the question that it answers
    help      what a visitor finds there, in one sentence
    learned   what a reader knows at its end: how "You now know" goes on, in Markdown; "" where that is nothing
    checks    how many questions it asks to check oneself; the key of each begins with the page's url and a hyphen
    opens     settings with which the story comes to it, so that it goes on with the same sentence; a page whose own
              default fits better has none
    """

    url: str
    section: str
    title: str
    question: str
    help: str
    learned: str = ""
    checks: int = 0
    opens: Mapping[str, str] = {}

    @property
    def script(self) -> Path:
        """The script that Streamlit runs for this page."""
        return _PAGES_FOLDER / (self.url or "overview") / "page.py"

    @property
    def number(self) -> int:
        """Its place in the story, from 1; 0 for the front page and for pages beside the story."""
        return story().index(self) if self.section in STORY else 0

    @property
    def name(self) -> str:
        """Its title as the menu shows it, with its number."""
        return f"{self.number}. {self.title}" if self.number else self.title


PAGES = (
    Page(
        "", "", "Attention Lab", "Can you guess the next word?",
        "A word to guess before a model does, and the map of a Transformer, every part a door.",
        "that a language model does one thing: it finds every next word more or less likely. And while it does so, its"
        " :violet[**attention weights**] say where it looked.",
    ),
    Page(
        "why", CONCEPTS, "Why attention?", "Why look at everything at once?",
        "One step from any word to any other: what others need for that, and what attention costs.",
        "what attention buys: any two words are one step apart, however long the text. And what it costs: every word"
        " meets every other, so twice the text means four times as many :violet[**attention weights**].",
        7,
    ),
    Page(
        "embeddings", CONCEPTS, "Embeddings", "How does a word become numbers?",
        "Cut a text into tokens, watch byte pairs merge, and see an id pick its row of the table.",
        "how text gets into a model: it is cut into tokens, and each token picks its row of a table that training has"
        " filled. Tokens that are used alike end up with similar rows.",
        6, {"text": SENTENCE},
    ),
    Page(
        "attention", CONCEPTS, "Attention", "How is one attention weight made?",
        "Scaled dot-product attention, one step at a time, on numbers that you can change.",
        "what a query, a key and a value are, and how a score becomes an attention weight: query times key, softmax"
        " over the row, and with these shares the values are mixed.",
        7,
    ),
    Page(
        "heads", CONCEPTS, "Heads", "Where does each word look?",
        "Type a sentence and see where every word looks, in every head of a Transformer.",
        "why there are many heads: each can look in only one way at a time. Training finds out which way; and a large"
        " attention weight is a clue to what a head does, not yet a proof.",
        5, _READ | {"layer": "1", "head": "1", "query": "9", "key": "1"},
    ),
    Page(
        "positions", CONCEPTS, "Positions", "How does it know the order?",
        "Shuffle the words, watch the waves and clocks, and compare every way to tell a model the order.",
        "that attention alone cannot tell “dog bites man” from “man bites dog”, and the three places where a model can"
        " be told the order: in the vectors, in queries and keys, or in the scores.",
        14, {"text": "mia found a red ball"},
    ),
    Page(
        "masks", CONCEPTS, "Masks", "Who may look at whom?",
        "Paint who may look at whom, find the leaks, and see what padding and blocked rows do.",
        "how a model is kept from peeking: a mask makes some attention weights exactly 0, and the rest of the row"
        " shares the whole 1. News of a forbidden word can only arrive by way of words that may look at it.",
        8,
    ),
    Page(
        "blocks", CONCEPTS, "Blocks", "What happens inside one layer?",
        "Open one layer: its parts, the stream that runs through it, and what breaks without them.",
        "what one layer is: attention mixes the tokens, feed-forward works on each alone, and both add to a stream that"
        " runs from the first layer to the last.",
        15, _READ,
    ),
    Page(
        "live", MODELS, "Live", "How is attention learned?",
        "Train a small Transformer, and watch every head find out where to look.",
        "what training changes: the parameters, a little with every step, so that the right answer gets likelier."
        " Nobody tells a head where to look; that comes of itself.",
        7,
    ),
    Page(
        "translation", MODELS, "Translation", "How does a Transformer translate?",
        "Type an English sentence and watch it become French, or the other way: threads, steps, beams, plugs to pull.",
        "how a Transformer translates: the encoder reads the whole sentence at once, the decoder writes one word at a"
        " time, and cross-attention lets each new word look back at the source.",
        8,
    ),
    Page(
        "generation", MODELS, "Generation", "What comes next?",
        "Choose the next word, right or wrong, and see the probabilities, the draw and the branches.",
        "how a chatbot writes: it gives every token a probability, one is drawn and joins the text, and the whole"
        " starts again. A wrong word stays, and the model has to carry on from it.",
        8,
    ),
    Page(
        "pretrained", MODELS, "Pretrained", "What do the heads of real models do?",
        "Bring BERT, GPT-2, Llama or a model of your own, and see all of its heads on any text.",
        "that BERT, GPT-2 and Llama are made of these same parts, only wider and deeper, and how to find out what one"
        " of their heads does.",
        10,
    ),
    Page(
        "finetuning", MODELS, "Fine-tuning", "What does fine-tuning change?",
        "A writer of stories is taught to write talks, in five ways; a published model, to judge reviews.",
        "that a trained model needs few steps and few examples for a related task, and that a small update beside"
        " frozen weights can be enough. What it learns anew it may pay for with what it knew.",
        5,
    ),
    Page(
        "vision", MODELS, "Vision", "How does it read a picture?",
        "A picture cut into patches: where every head looks in it, and what is lost when they are shuffled.",
        "that a picture can be a text: cut into patches, each of them a token, it is read by the same encoder. What it"
        " knows of above and below comes from a table of positions.",
        3,
    ),
    Page(
        "beyond", MODELS, "Beyond", "What else can it read?",
        "Code instead of words: who looks at which bracket, where that fails, and what a token is elsewhere.",
        "that attention needs no words: only tokens, as vectors, in an order. What changes from words to code,"
        " images or proteins is how a thing is cut into tokens, and what the last vectors are turned into.",
        3,
    ),
    Page(
        url="lessons", section="Learn", title="Lessons", question="Where do I begin?",
        help="Stories that lead through the app, one thing at a time; or a lesson that you have written yourself.",
        checks=37,
    ),
    Page(
        url="bugs", section="Learn", title="Bugs", question="What is wrong here?",
        help="Twenty-three models, each with one wrong line: examine them, guess the cause, and see the cure.",
        checks=23,
    ),
    Page(
        url="challenges", section="Learn", title="Challenges", question="Can you make it do that?",
        help="Four puzzles, each on another page: reach the goal, and the server computes whether it is true.",
        checks=4,
    ),
    Page(
        "words", "Learn", "Words", "What does this word mean?",
        "Every word of the field in one sentence and one picture, with the names that other sources use.",
    ),
)  # fmt: skip


def page(url: str) -> Page:
    """The page at this path. Raises LookupError for a path that no page has."""
    for entry in PAGES:
        if entry.url == url:
            return entry
    raise LookupError(f"there is no page at /{url}")


def story() -> tuple[Page, ...]:
    """The pages that lead from one to the next, the front page first."""
    return tuple(entry for entry in PAGES if entry.section in STORY)


def neighbours(url: str) -> tuple[Page | None, Page | None]:
    """The pages of the story before and after the one at this path; None where it has no such neighbour."""
    pages = story()
    if page(url) not in pages:
        return None, None
    at = pages.index(page(url))
    return (pages[at - 1] if at else None), (pages[at + 1] if at + 1 < len(pages) else None)
