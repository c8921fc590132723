"""Every task: its answers worked out a second way, its alignment, and a test that shares nothing with the training."""

import dataclasses
import math
import string
from collections import Counter
from importlib import import_module
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.work import lines_run
from transformer.training import tasks
from transformer.training.tasks import TASKS as DECLARED
from transformer.training.tasks import make, own_text
from transformer.training.tasks.sentences import SentenceTokeniser
from transformer.training.tasks.task import Declaration
from transformer.training.text import BOS, EOS, PAD, SPECIALS, UNKNOWN

_RNG = Random(5)
PROSE = "".join(
    " ".join("".join(_RNG.choices(string.ascii_lowercase, k=_RNG.randint(1, 7))) for _ in range(9)).capitalize() + ".\n"
    for _ in range(80)
)
NEEDED = {"text": {"text": PROSE}}
OTHER = {  # settings that are not the usual ones
    "copy": {"shortest": 1, "longest": 5, "symbols": 4},
    "reverse": {"shortest": 6, "longest": 6},
    "sort": {"symbols": 26, "longest": 20},
    "repeat": {"shortest": 3, "longest": 5, "length": 13, "symbols": 7},
    "brackets": {"shortest": 1, "longest": 20, "kinds": 2},
    "code": {"shortest": 2, "longest": 20},
    "addition": {"digits": 5, "ones_first": False},
    "text": {"text": PROSE, "level": "byte pairs", "n_merges": 40, "length": 20},
}
TASKS = {name: make(name, **NEEDED.get(name, {})) for name in DECLARED}
TASKS |= {f"{name}, otherwise": make(name, **given_settings) for name, given_settings in OTHER.items()}
TEXTS = {name: task for name, task in TASKS.items() if not task.sight}  # of pictures: test_pictures.py
EACH = pytest.mark.parametrize("task", TEXTS.values(), ids=TEXTS)
ALIKE = pytest.mark.parametrize("otherwise", ["", ", otherwise"])


def draws(task, n=400, seed=0):
    rng = Random(seed)
    return [task.draw(rng) for _ in range(n)]


# ---- all of them ---------------------------------------------------------------------------------------------------


def test_every_declaration_in_a_file_of_tasks_is_offered():
    folder = Path(tasks.__file__).parent
    files = [file.relative_to(folder).with_suffix("") for file in sorted(folder.glob("**/[!_]*.py"))]
    modules = [import_module(".".join((tasks.__name__, *file.parts))) for file in files]
    declared = [value for module in modules for value in vars(module).values() if isinstance(value, Declaration)]
    missing = [d.name for d in declared if d is not DECLARED.get(d.name)]
    assert not missing, f"list them in transformer/training/tasks/__init__.py, each under a name of its own: {missing}"


def test_every_task_is_declared_under_its_own_name():
    for name, declaration in DECLARED.items():
        assert declaration.name == TASKS[name].name == name, "the name of a task is that of its declaration"
        assert declaration.recipe.settings.steps >= 100, f"{name}: nothing is learned in so few steps"
        if declaration.max_length:
            n = declaration.max_length
            assert make(name, shortest=n, longest=n).longest == n
            with pytest.raises(ValueError, match="longest"):
                make(name, longest=n + 1)
    labels = [declaration.label for declaration in DECLARED.values()]
    assert len(set(labels)) == len(labels)
    assert [name for name, declaration in DECLARED.items() if declaration.needs_text] == ["text"]


@EACH
def test_an_answer_to_a_typed_text_is_that_of_the_grammar_or_none(task):
    has_answers = task.kind == "encoder-decoder" or (task.kind == "decoder" and any(p.source for p in task.probes))
    for example in draws(task, 50):
        typed = tuple(task.source.label(id) for id in example.source)
        answer = task.answer(typed)
        assert (answer is not None) == has_answers, (
            "a task with a source and a target has an `answer`, so that visitors can ask it: see of_known_words"
            if has_answers
            else "the answer of this task is no text"
        )
        if answer:
            assert (answer.source, answer.alignment) == (example.source, example.alignment)
            assert answer.target == task.canonical(example.target)
    assert task.answer(("never", "in", "any", "grammar")) is None, "words that the task does not know have no answer"


@pytest.mark.parametrize("name", DECLARED)
def test_example_texts_are_read_by_the_tokeniser_of_the_task(name):
    """Only French has an example with a word that is unknown: a page is to show what happens then."""
    task = TASKS[name]
    assert task.example_texts
    assert task.opening
    for text in task.example_texts:
        ids = task.source.encode(text)
        assert 0 < len(ids) <= task.longest
        assert UNKNOWN not in ids or "dragon" in text
    vocabulary = [task.source.label(id) for id in range(len(task.source))]
    kinds = {word for kind in task.kinds.values() for word in kind}
    if "##e" in vocabulary:  # tokens are pieces: a word may be several
        assert all(task.source.decode(task.source.encode(word)) == word for word in kinds)
    else:
        assert kinds <= {*vocabulary}
    assert not task.misfit or task.misfit in vocabulary


@EACH
def test_an_example_has_ids_of_its_tokenisers_and_keeps_to_the_length(task):
    specials = {PAD, BOS, EOS, UNKNOWN}
    for example in draws(task):
        assert example.target
        assert max(len(example.source), len(example.target)) <= task.longest, "`longest` counts source and target"
        assert all(0 <= id < len(task.source) for id in example.source)
        assert all(0 <= id < len(task.target) for id in example.target)
        assert not specials & {*example.source, *example.target}


@EACH
def test_the_alignment_points_at_what_is_read_before(task):
    for example in draws(task):
        for i, j in example.alignment:
            assert 0 <= i < len(example.target)
            # A decoder alone reads its own answer so far; nothing is made from itself or from what comes later.
            assert 0 <= j < len(example.source) + (i if task.kind == "decoder" else 0)
        assert len(set(example.alignment)) == len(example.alignment)


@EACH
def test_the_same_generator_gives_the_same_example(task):
    assert draws(task, 30, seed=3) == draws(task, 30, seed=3)
    again = make(task.name, **task.settings)
    assert again.settings == task.settings
    assert draws(again, 30, seed=3) == draws(task, 30, seed=3)
    assert again.probes == task.probes
    assert draws(task, 30, seed=4) != draws(task, 30, seed=3)


@EACH
def test_training_and_test_share_no_question(task):
    training = task.examples(300, Random(1), held_out=False)
    test = task.examples(40, Random(2), held_out=True)
    assert len(training) == len(set(training))
    assert training
    assert test
    assert not {e.source or e.target for e in training} & {e.source or e.target for e in test}
    assert not {e.source or e.target for e in training} & {e.source or e.target for e in task.probes}
    assert all(task.held_out(probe) for probe in task.probes)
    assert len(task.probes) == 2, "probes(draw, length) gives two"


@EACH
def test_the_longest_is_reached(task):
    rng, longest = Random(0), 0
    for _ in range(4000):
        example = task.draw(rng)
        longest = max(longest, len(example.source), len(example.target))
        if longest >= task.longest:
            break
    assert longest == task.longest, f"`longest` is the most tokens that `draw` gives: {longest}"


@EACH
def test_what_is_written_is_read_again(task):
    for example in draws(task, 100):
        assert task.source.encode(task.source.decode(example.source)) == list(example.source) or task.name == "text"
        assert task.target.encode(task.target.decode(example.target)) == list(example.target) or task.name == "text"
        assert task.source.decode([BOS, *example.source, EOS, PAD]) == task.source.decode(example.source)


@EACH
def test_one_question_has_one_answer(task):
    answers = {}
    asks = any(example.source for example in draws(task, 30))  # a decoder that goes on with a text is asked nothing
    for example in draws(task, 3000 if asks else 0):
        if example.source:
            right = task.canonical(example.target)
            assert answers.setdefault(example.source, right) == right == task.canonical(right)


@EACH
def test_drawing_is_quick(task):
    most = 12_000 if task.name == "stories" else 1000  # of Python per example: 17 to 330 when written, of stories 9,400
    assert lines_run(lambda: draws(task, 200)) / 200 < most


# ---- answers, worked out another way -------------------------------------------------------------------------------


@ALIKE
@pytest.mark.parametrize(
    ("name", "answer"), [("copy", list), ("reverse", lambda t: list(reversed(t))), ("sort", sorted)]
)
def test_reordered_letters(name, answer, otherwise):
    task = TASKS[name + otherwise]
    for example in draws(task):
        assert task.target.decode(example.target).split() == answer(task.source.decode(example.source).split())
        assert [example.source[j] for _, j in example.alignment] == list(example.target)
        assert sorted(j for _, j in example.alignment) == list(range(len(example.source)))


@ALIKE
def test_a_block_is_repeated(otherwise):
    task = TASKS["repeat" + otherwise]
    periods = Counter()
    for example in draws(task):
        whole, period = example.source + example.target, len(example.source)
        periods[period] += 1
        assert len(whole) == task.settings["length"]
        assert len(set(example.source)) == period  # else nobody could know where the block ends
        assert all(whole[n] == whole[n % period] for n in range(len(whole)))
        assert {(i, j) for i, j in example.alignment} == {
            (i, j) for i in range(len(example.target)) for j in range(period + i) if (period + i - j) % period == 0
        }
        assert all(whole[period + i] == whole[j] for i, j in example.alignment)
    assert set(periods) == set(range(task.settings["shortest"], task.settings["longest"] + 1))
    assert max(periods.values()) < 2 * min(periods.values())  # no period is so common that position gives it away


@ALIKE
def test_brackets_are_closed(otherwise):
    task = TASKS["brackets" + otherwise]
    lasts, used = set(), set()
    for example in draws(task):
        text = task.source.decode(example.source) + task.target.decode(example.target)
        stack, closed_by = [], {}
        for place, sign in enumerate(text):
            used.add(sign)
            if sign in "([{":
                stack.append(place)
            else:
                opened = stack.pop()
                assert text[opened] + sign in ("()", "[]", "{}")
                closed_by[place] = opened
        assert not stack
        n = len(example.source)
        assert dict(example.alignment) == {i: closed_by[n + i] for i in range(len(example.target))}
        lasts.add(example.source[-1])
    assert used == set("()[]{}"[: 2 * task.settings["kinds"]])
    assert len(lasts) > task.settings["kinds"]  # a source may also end on a closing bracket


@ALIKE
def test_sums(otherwise):
    task = TASKS["addition" + otherwise]
    digits, ones_first = task.settings["digits"], task.settings["ones_first"]
    for example in draws(task):
        question, answer = task.source.decode(example.source), task.target.decode(example.target)
        a, b = question.removesuffix("=").split("+")
        assert len(a) == len(b) == digits
        assert int(answer[::-1] if ones_first else answer) == int(a) + int(b)
        assert len(answer) == digits + 1
        for i in range(digits + 1):
            place = i if ones_first else digits - i
            read = [question[j] for k, j in example.alignment if k == i]
            highest = min(place, digits - 1)
            assert read == [a[::-1][highest], b[::-1][highest]]
            if place < digits:  # what the alignment leaves out is a carry, which is 0 or 1
                assert (int(answer[i]) - int(read[0]) - int(read[1])) % 10 in (0, 1)


GIRLS = {"anna", "mia", "eva", "lily", "rosa", "emma"}
BOYS = {"tom", "ben", "sam", "leo", "max", "jack"}
GROUPS = (
    {"ball", "book", "hat", "key", "cup", "kite", "bell"},
    {"red", "blue", "green", "yellow", "white", "black"},
    {"garden", "park", "forest", "kitchen", "school", "barn"},
    GIRLS,
    BOYS,
)


@pytest.mark.slow
def test_a_story_keeps_to_what_it_said():
    task, lengths, seen = TASKS["tales"], set(), Counter()
    for example in draws(task, 2000):
        words = [task.target.label(id) for id in example.target]
        sentences = task.target.decode(example.target).split(".")
        lengths.add(len(sentences) - 1)
        assert sentences[-1] == ""
        first = {}
        expected = set()
        for i, word in enumerate(words):
            for group in GROUPS:
                if word in group:
                    seen[word] += 1
                    here = {w for w in words if w in group}
                    assert len(here) == 1, words  # one thing, one colour, one place, one girl, one boy
                    if word in first:
                        expected.add((i, first[word]))
                    first.setdefault(word, i)
            if word in ("he", "him", "she", "her"):
                names = GIRLS if word in ("she", "her") else BOYS
                named = [w for w in words[:i] if w in names]
                assert named, words  # nobody is "he" before he has a name
                expected.add((i, first[named[0]]))
        assert set(example.alignment) == expected
    assert lengths == {2, 3, 4}
    assert set(seen) == set().union(*GROUPS)


@pytest.mark.slow
def test_tales_are_many_and_their_words_few():
    task = TASKS["tales"]
    assert len(set(draws(task, 3000))) > 2800
    assert 80 <= len(task.target) - len(SPECIALS) <= 120
    assert len({task.target.label(id) for e in draws(task, 3000) for id in e.target}) == len(task.target) - len(
        SPECIALS
    )


GOOD = {"good", "great", "wonderful", "lovely", "nice", "beautiful", "excellent", "charming", "like", "love", "enjoy"}
BAD = {"bad", "awful", "terrible", "boring", "ugly", "horrible", "poor", "disappointing", "hate", "dislike"}


def verdict(clause: list[str]) -> bool:
    (word,) = [w for w in clause if w in GOOD | BAD]
    return (word in GOOD) != ("not" in clause or "nothing" in clause)


def judged(words: list[str]) -> bool:
    """By the rules as a reader would say them."""
    if words[0] == "although":
        return verdict(words[words.index(",") + 1 :])
    if "but" in words:
        return verdict(words[words.index("but") + 1 :])
    if "although" in words:
        return verdict(words[: words.index("although")])
    if "and" in words:
        first, second = verdict(words[: words.index("and")]), verdict(words[words.index("and") + 1 :])
        assert first == second
        return first
    return verdict(words)


def reviews(n=4000):
    task = TASKS["sentiment"]
    return [
        ([task.source.label(id) for id in e.source], task.target.decode(e.target), e.alignment) for e in draws(task, n)
    ]


@pytest.mark.slow
def test_reviews_are_judged_as_a_reader_would():
    for words, label, _ in reviews():
        assert label == ("positive" if judged(words) else "negative")


@pytest.mark.slow
def test_the_deciding_words_decide():
    for words, _, alignment in reviews():
        told = [words[j] for _, j in alignment]
        assert set(told) <= GOOD | BAD | {"not", "nothing", "but", "although"}
        deciding = [w for w in told if w in GOOD | BAD]
        assert len(deciding) == (2 if "and" in words else 1)
        assert ("but" in told) == ("but" in words)
        assert ("although" in told) == ("although" in words)
        # The other clause would say the opposite, and none of its words is named.
        if "but" in words:
            middle = words.index("but")
            assert all(j >= middle for _, j in alignment)
            assert verdict(words[:middle]) != verdict(words[middle + 1 :])
        elif "," in words:
            middle = words.index(",")
            assert all(j > middle for _, j in alignment if j)
            assert verdict(words[1:middle]) != verdict(words[middle + 1 :])
        elif "although" in words:
            middle = words.index("although")
            assert all(j <= middle for _, j in alignment)
            assert verdict(words[:middle]) != verdict(words[middle + 1 :])


@pytest.mark.slow
def test_no_single_word_tells_the_label():
    found = reviews(20_000)
    share = sum(label == "positive" for _, label, _ in found) / len(found)
    assert abs(share - 0.5) < 0.03
    counts = Counter()
    for words, label, _ in found:
        for word in set(words):
            counts[word, label] += 1
            counts[f"any of {'good' if word in GOOD else 'bad' if word in BAD else 'the others'}", label] += 1
    for word in {word for word, _ in counts}:
        positive, negative = counts[word, "positive"], counts[word, "negative"]
        assert abs(positive - negative) < 5 * math.sqrt(positive + negative), word


# ---- one's own text ------------------------------------------------------------------------------------------------


@ALIKE
def test_windows_are_pieces_of_the_text_on_one_side_of_the_border(otherwise):
    task = TASKS["text" + otherwise]
    ids = task.source.encode(PROSE)
    first = len(ids) - len(ids) // 10
    text, kept = "".join(map(chr, ids)), "".join(map(chr, ids[first:]))
    training = "".join(map(chr, ids[:first]))
    starts = set()
    for example in draws(task, 3000):
        window = "".join(map(chr, example.target))
        assert not example.source
        assert len(window) == task.longest
        assert (window in training) != (window in kept)
        assert task.held_out(example) == (window in kept)
        starts.add(text.index(window))
    longest = task.longest
    assert min(starts) < 30
    assert any(first - longest - 60 <= start <= first - longest for start in starts)
    assert any(start >= first for start in starts)


def test_every_window_can_be_drawn():
    text = "".join(chr(ord("a") + n) for n in range(20)) * 10
    text = text[:180] + string.ascii_uppercase[:20]
    task = make("text", text=text, length=19)
    found = {task.target.decode(e.target) for e in draws(task, 20_000)}
    assert found == {text[n : n + 19] for n in [*range(162), 180, 181]}


def test_a_text_of_a_few_tokens_that_repeats_has_nothing_to_train_on():
    task = make("text", text="ab" * 200, length=10)
    assert task.examples(5, Random(0), held_out=False) == []


def test_characters_of_any_kind_come_back():
    text = "Grüße, 日本語! 👩‍🔬\n\tla fin\r\n\ud800" * 40
    for level in own_text.LEVELS:
        task = make("text", text=text, level=level, length=8)
        ids = task.source.encode(task.settings["text"])
        assert task.source.decode(ids) == task.settings["text"]
        assert "\ud800" not in task.settings["text"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "at least 200"),
        ({"text": "short"}, "at least 200"),
        ({"text": "a" * 200_001}, "200,000"),
        ({"text": b"a" * 1000}, "plain text"),
        ({"text": None}, "plain text"),
        ({"text": PROSE, "level": "words"}, "characters or byte pairs"),
        ({"text": PROSE, "level": ["characters"]}, "characters or byte pairs"),
        ({"text": PROSE[:300]}, "at most 30"),
        ({"text": "".join(map(chr, range(200, 4000)))}, "byte pairs instead"),
    ],
)
def test_a_text_that_cannot_be_learned_gets_a_sentence(wrong, said):
    with pytest.raises(ValueError, match=said):
        make("text", **wrong)


@pytest.mark.wide
@pytest.mark.slow
def test_the_largest_text_can_be_learned_from():
    rng = Random(1)
    text = "".join(rng.choices("etaoinshrdlu    \n", k=own_text.MAX_TEXT))
    task = make("text", text=text, level="byte pairs", n_merges=own_text.MAX_MERGES, length=64)
    assert len(task.examples(2000, Random(0), held_out=False)) == 2000


def test_byte_pairs_are_learned_from_so_many_bytes_only(monkeypatch):
    samples = []
    learn = own_text.BytePairTokeniser.learn
    monkeypatch.setattr(own_text, "MERGE_BYTES", 1000)
    monkeypatch.setattr(
        own_text.BytePairTokeniser, "learn", lambda text, n: samples.append(text) or learn(text[:100], min(n, 5))
    )
    make("text", text="😀😁" * 1000, level="byte pairs", length=8)
    make("text", text="Où est le chat ? " * 20, level="byte pairs", length=8)
    assert samples == ["😀😁" * 125, ("Où est le chat ? " * 20)[:306]]


def test_few_different_examples_are_soon_found():
    """Not 20 draws per example that was asked for: the set-up of such a training took 13 s."""
    draws = 0
    task = make("copy", shortest=1, longest=1, symbols=26)

    def draw(rng):
        nonlocal draws
        draws += 1
        return task.draw(rng)

    counted = dataclasses.replace(task, draw=draw)
    examples = counted.examples(20_000, Random(0), held_out=False)
    assert len(examples) + len(counted.examples(100, Random(0), held_out=True)) == 26
    assert draws < 5000


# ---- settings from a file that anyone wrote ------------------------------------------------------------------------

HOSTILE = [
    0,
    -1,
    10**9,
    10**30,
    10**5000,
    1e300,
    2.0,
    0.5,
    math.nan,
    math.inf,
    -math.inf,
    True,
    None,
    "3",
    "",
    "x" * 10**6,
    [],
    [3],
    {},
    {"a": 1},
    (2,),
    b"3",
]


@pytest.mark.parametrize("name", DECLARED)
def test_hostile_settings_get_a_sentence(name):
    for key in TASKS[name].settings:
        for value in HOSTILE:
            fine = NEEDED.get(name, {}) | {key: value}
            try:
                task = make(name, **fine)
            except ValueError as error:
                assert len(str(error)) < 300  # noqa: PT017
                assert str(error).startswith(f"{key}") or key in ("text", "level")  # noqa: PT017
            else:
                assert key in ("n_merges", "ones_first")
                assert value is True or value == 0
                assert task.settings[key] == value
                assert type(value) in (int, bool)


@pytest.mark.parametrize("name", DECLARED)
def test_unknown_settings_get_a_sentence(name):
    for strange in ({"nonsense": 1}, {"name": "copy"}, {"self": 1}, {"": 1}, {"task": 1, "draw": 2}):
        with pytest.raises(ValueError, match="no such setting"):
            make(name, **NEEDED.get(name, {}), **strange)


@pytest.mark.parametrize("name", ["", "nonsense", "__class__", "Copy", None, 3, [], {}, "x" * 10**6])
def test_unknown_tasks_get_a_sentence(name):
    with pytest.raises(ValueError, match="there is no such task; try copy, reverse"):
        make(name)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("copy", {"shortest": 5, "longest": 4}),
        ("sort", {"longest": 65}),
        ("repeat", {"symbols": 5, "longest": 6}),
        ("repeat", {"length": 8, "longest": 8}),
        ("brackets", {"kinds": 4}),
        ("addition", {"digits": 13}),
        ("addition", {"ones_first": 1}),
    ],
)
def test_settings_that_do_not_fit_together_get_a_sentence(name, wrong):
    with pytest.raises(ValueError, match=r"must be a whole number from|switched on with"):
        make(name, **wrong)


@given(st.data())
def test_any_settings_within_the_bounds_can_be_drawn(data):
    name = data.draw(st.sampled_from(["copy", "reverse", "sort", "repeat", "brackets", "addition"]))
    whole = st.integers(1, 64)
    chosen = {
        key: data.draw(st.booleans() if isinstance(usual, bool) else whole)
        for key, usual in TASKS[name].settings.items()
    }
    try:
        task = make(name, **chosen)
    except ValueError:
        return
    for example in draws(task, 20):
        assert max(len(example.source), len(example.target)) <= task.longest, "`longest` counts source and target"
        assert all(0 <= j < len(example.source) + len(example.target) for _, j in example.alignment)
    assert all(task.held_out(probe) for probe in task.probes)


# ---- tokenisers of the tasks -----------------------------------------------------------------------------------------


def test_sentences_are_cut_and_put_together():
    tokeniser = SentenceTokeniser(["so", "he", "said", ",", ".", "yes"])
    assert tokeniser.cut("So, he said: YES.") == ["so", ",", "he", "said", ":", "yes", "."]
    assert tokeniser.decode(tokeniser.encode("So, he said yes.")) == "so, he said yes."
    assert tokeniser.unknown("So, he said: no, NO!") == [":", "no"]
    assert SentenceTokeniser(["yes"]).cut("yes ...!") == ["yes"]


def test_signs_need_no_spaces():
    brackets = TASKS["brackets"].source
    assert brackets.encode("( [\n{") == brackets.encode("([{")
    assert brackets.encode("(a") == [brackets.vocabulary.id("("), UNKNOWN]
    assert brackets.decode(brackets.encode("([{}])")) == "([{}])"
