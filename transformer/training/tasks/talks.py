"""Talks: two people tell each other what they have found. A neighbour of what the storyteller has learned.

mia: i found a red hat in the park. tom: i have a blue ball from the barn. mia: what is blue? tom: my ball, mia.

Stories say *he* and *she*; talks say *I* and *you*, and who that is changes with every turn. A talk is not offered on
Live: it is there to be taught to the trained storyteller (transformer/training/finetuning.py).
"""

from collections.abc import Sequence
from random import Random

from transformer.training.tasks.storytelling.examples import example_of
from transformer.training.tasks.storytelling.grammar import Told
from transformer.training.tasks.storytelling.tokens import tokeniser
from transformer.training.tasks.storytelling.words import COLOURS, PERSONS, PLACES, THINGS
from transformer.training.tasks.task import Example, Task

# Each names what the speaker found and where.
OPENINGS = (
    "{self} : i found a {colour} {thing} in the {place} .",
    "{self} : look , i have a {colour} {thing} from the {place} .",
)
# {self} asks or says something, and {other} replies; {its-thing} is what the other has found.
EXCHANGES = (
    "{self} : what colour is your {its-thing} ? {other} : it is {its-colour} .",
    "{self} : where was your {its-thing} ? {other} : in the {its-place} .",
    "{self} : i like your {its-colour} {its-thing} . {other} : thank you , {self} .",
    "{self} : what is {its-colour} ? {other} : my {its-thing} , {self} .",
    "{self} : take my {thing} , {other} . {other} : thank you for the {colour} {thing} .",
)
ENDS = ("{self} : good night , {other} . {other} : good night , {self} .", "{self} : let us go home , {other} .")
LONGEST = 90  # tokens; longer talks are drawn again
KINDS = {"names": PERSONS, "things": THINGS, "colours": COLOURS, "places": PLACES}


def talks() -> Task:
    return Task(
        name="talks",
        title="Talks",
        about="Write what two people say to each other, and keep to what was said.",
        kind="decoder",
        source=tokeniser(),
        target=tokeniser(),
        draw=draw,
        probes=(),  # no film is made of it
        longest=LONGEST,
        kinds=KINDS,
    )


def draw(rng: Random) -> Example:
    """A whole talk as the target, after an empty source. A fact that is told again is aligned to its first telling."""
    while len((example := example_of(_talk(rng))).target) > LONGEST:
        pass
    return example


def _talk(rng: Random) -> list[Told]:
    """Both say what they have found; then each begins an exchange, and the first says farewell."""
    people, things, colours, places = (rng.sample(pool, 2) for pool in KINDS.values())
    facts = [{"thing": things[n], "colour": colours[n], "place": places[n]} for n in (0, 1)]
    told: list[Told] = []
    for n in (0, 1):
        _say(told, rng.choice(OPENINGS), _slots(people, facts, n))
    for n, frame in enumerate(rng.sample(EXCHANGES, 2)):
        _say(told, frame, _slots(people, facts, n))
    _say(told, rng.choice(ENDS), _slots(people, facts, 0))
    return told


def _slots(people: Sequence[str], facts: Sequence[dict[str, str]], speaker: int) -> dict[str, str]:
    """What stands in the slots of a frame that this speaker begins."""
    its = {f"its-{kind}": fact for kind, fact in facts[1 - speaker].items()}
    return {"self": people[speaker], "other": people[1 - speaker], **facts[speaker], **its}


def _say(told: list[Told], frame: str, slots: dict[str, str]) -> None:
    """Add a frame to a talk; a fact that was told points to its first telling."""
    for word in frame.split():
        value = slots[word[1:-1]] if word[0] == "{" else word
        first = next((n for n, earlier in enumerate(told) if earlier.word == value), -1)
        told.append(Told(value, at=first if word[0] == "{" else -1))


# ---- reading -------------------------------------------------------------------------------------------------------

FACTS = frozenset(word for kind in KINDS.values() for word in kind)


def judged(words: Sequence[str]) -> list[bool | None]:
    """Of each word of a talk, from its first one on: True for a fact that is what was told of this person or thing,
    False for one that is not, or was never told; None where nothing can be said: other words, all that is told for the
    first time, and whatever is said before both have told what they found.
    """
    marks: list[bool | None] = [None] * len(words)
    people: list[str] = []
    facts: list[dict[str, str]] = []
    told: set[str] = set()
    place = 0
    while place < len(words):
        n = 1
        if len(people) < 2:
            if slots := _opening(words, place).split():
                n = len(slots)
                said = {slot[1:-1]: words[place + k] for k, slot in enumerate(slots) if slot[0] == "{"}
                people.append(said.pop("self"))
                facts.append(said)
                told = set(words[: place + n])
        else:
            frame = max((*EXCHANGES, *ENDS), key=lambda frame: _matched(frame, words, place))
            matched = _matched(frame, words, place)
            if matched == len(frame.split()) or (matched > 1 and place + matched == len(words)):
                n = matched
                marks[place : place + n] = _compared(frame, words[place : place + n], people, facts)
            elif words[place] in FACTS - told:
                marks[place] = False
        place += n
    return marks


def _opening(words: Sequence[str], place: int) -> str:
    """The frame in which somebody tells there what was found; "" where nobody does."""
    return next((frame for frame in OPENINGS if _matched(frame, words, place) == len(frame.split())), "")


def _matched(frame: str, words: Sequence[str], place: int) -> int:
    """How many words of the frame the text says from this place on; any word can stand in a slot."""
    slots = frame.split()
    for n, (slot, word) in enumerate(zip(slots, words[place:], strict=False)):
        if not (word.isalpha() if slot[0] == "{" else word == slot):
            return n
    return min(len(slots), len(words) - place)


def _compared(
    frame: str, words: Sequence[str], people: Sequence[str], facts: Sequence[dict[str, str]]
) -> list[bool | None]:
    """The facts of a frame against those that its first speaker must say; a stranger says nothing right."""
    right = _slots(people, facts, people.index(words[0])) if words[0] in people else {}
    pairs = zip(frame.split(), words, strict=False)
    return [right.get(slot[1:-1]) == word if slot[0] == "{" else None for slot, word in pairs]
