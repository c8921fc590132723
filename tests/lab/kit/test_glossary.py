"""The words: each is one sentence, links to what it uses, opens a view that there is, and draws what is computed."""

import json
import math
import re
import zlib
from collections import Counter
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest

from lab.frame.search import index
from lab.kit.catalogue import PAGES, views
from lab.kit.glossary import payload, shapes, toy
from lab.kit.glossary.words import Place, Word, groups, read
from lab.kit.lessons import shelf
from lab.kit.texts.markdown import TextError
from pages.blocks.station_figures import STATIONS
from pages.bugs.cases import CASES
from pages.positions.other_ways import SCHEMES
from pages.pretrained import which_head
from pages.translation import all_heads, beams

WORDS = [word for group in groups().values() for word in group]
BY_NAME = {word.name: word for word in WORDS}
COLOURS = {"ground", "panel", "ink", "quiet", "line", "chip", "query", "key", "value", "weight", "negative", "positive"}
# Violet is an attention weight and nothing else.
WEIGHTS = {
    "ALiBi",
    "attention",
    "softmax",
    "attention weight",
    "head",
    "self-attention",
    "cross-attention",
    "mask",
    "causal mask",
    "encoder",
    "decoder",
    "ablation",
    "induction head",
}
every_word = pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)


def plain(name: str) -> str:
    """A name as the search compares it: see ranking.js."""
    return re.sub(r"[\s_.()\[\]–-]+", "", name).lower()


def written(words: list[Word]) -> re.Pattern[str]:
    """A pattern for all forms of these words, the longest first, as prose.js looks for them."""
    forms = sorted((form for word in words for form in word.written), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE)


ONE = """# For readers

## A group

### token

One piece of a
[[text|text’s]] words.

- Picture: token
- Met: /masks, Paint, masks_batch=true
- Also: subword, input_ids
- Written: pieces
- On: /masks, /heads

### text

Words.

- Picture: vector
- Met: /heads
- Also: prose
"""


def test_a_file_is_read_as_words() -> None:
    ((title, (token, text)),) = read(ONE).items()
    assert (title, token.name, token.sentence) == ("A group", "token", "One piece of a [[text|text’s]] words.")
    assert token.picture == BY_NAME["token"].picture
    assert token.place == Place("masks", "Paint", {"masks_batch": "true"})
    assert (token.also, token.forms, token.pages) == (("subword", "input_ids"), ("pieces",), ("masks", "heads"))
    assert (text.place, text.also, text.forms, text.pages) == (Place("heads"), ("prose",), (), ())


@pytest.mark.parametrize(
    ("before", "after", "line", "fault"),
    [
        ("[[text|", "[[txt|", 7, "“txt” is no word of this file"),
        ("- Picture: token", "- Picture: chip", 10, "There is no picture “chip”"),
        ("/masks, Paint", "/mask, Paint", 11, "There is no page “/mask”"),
        ("/masks, Paint", "/masks, Draw", 11, "The page “/masks” has no view “Draw”"),
        ("batch=true", "batch=", 11, "A setting is written as “name=value”"),
        ("- Also: subword, input_ids\n", "", 5, "The list of “token” lacks Also."),
        (
            "- Written",
            "- Forms",
            13,
            "“Forms: pieces” is not read here. Write Picture, Met, Also, Written, Asked and On",
        ),
        ("- On: /masks, /heads", "- On: heads", 14, "There is no page “heads”"),
        ("### text", "### token", 16, "“token” is there twice"),
        ("### text\n\nWords.\n", "### text\n", 16, "“text” needs one sentence"),
        ("### text", "#### text", 16, "A group begins with “## ”"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(before: str, after: str, line: int, fault: str) -> None:
    assert before in ONE
    with pytest.raises(TextError) as found:
        read(ONE.replace(before, after, 1))
    assert any(one.line == line and fault in one.sentence for one in found.value.faults), found.value.faults


def test_there_are_some_seventy_words_and_every_name_belongs_to_one():
    assert 65 <= len(WORDS) <= 80
    assert sum(map(len, groups().values())) == len(BY_NAME) == len(WORDS)
    names = Counter(name for word in WORDS for name in {plain(name) for name in (*word.written, *word.also)})
    assert [name for name, n in names.items() if n > 1] == []
    for known in (
        "num_heads",
        "nhead",
        "n_head",
        "embed_dim",
        "hidden_size",
        "head_dim",
        "dim_feedforward",
        "dim_ff",
        "intermediate_size",
    ):
        assert plain(known) in names


# What is often mixed up with a word: a method, a part or a kind of it, and no other name for it.
MIXED_UP = {
    "dot product": {"matmul"},
    "LSTM": {"GRU", "gated recurrent unit"},
    "ablation": {"pruning", "head_mask"},
    "attribution": {"saliency"},
    "gradient": {"backpropagation", "backward()"},
    "residual stream": {"residual connection", "skip connection"},
    "logit": {"lm_head", "unembedding"},
    "grouped-query attention": {"MQA", "multi-query attention"},
    "class token": {"pooler_output"},
    "scaling law": {"Chinchilla"},
    "score": {"QKᵀ/√d_k"},
}


@pytest.mark.parametrize("name", MIXED_UP)
def test_another_name_means_the_same(name: str):
    word = BY_NAME[name]
    assert not MIXED_UP[name] & {*word.also, *word.written}


@every_word
def test_a_word_is_one_plain_sentence(word: Word):
    sentence = "".join(part if isinstance(part, str) else part[1] for part in payload.parts(word.sentence))
    assert 30 <= len(sentence) <= 175
    assert re.fullmatch(r"[A-Z].*\.", sentence)
    assert not re.search(r"[.?!] [A-Z]", sentence)
    assert 2 <= len(word.also) <= 7


@every_word
def test_every_word_that_a_sentence_uses_is_linked(word: Word):
    """To itself it need not, nor a second time."""
    parts = payload.parts(word.sentence)
    linked = {part[0] for part in parts if not isinstance(part, str)}
    assert word.name not in linked
    assert [
        part for part in parts if not isinstance(part, str) and not written([BY_NAME[part[0]]]).fullmatch(part[1])
    ] == []
    loose = " ".join(part for part in parts if isinstance(part, str))
    others = [other for other in WORDS if other.name not in linked and other is not word]
    assert written(others).findall(loose) == []


# What the places of words set beside the view, with what can be set.
SETTINGS = {
    "pos_scheme": set(SCHEMES),
    "weights": {"untrained"},
    "blocks_step": set(STATIONS.values()),
    "att_widths": {"true"},
    "att_step": {"weights"},
    "emb_learns": {"true"},
    "why_recall": {"true"},
    "why_bigger": {"true"},
    "translation_heads": {"true"},
    "translation_kind": set(all_heads.KINDS),
    "tr_beam_width": {"3"},
    "gen_logits": {"true"},
    "fine_moved": {"true"},
    "gen_hundred": {"true"},
    "tr_english": {text for texts in beams.UNSURE.values() for text in texts},
    "blocks_dropout": {"true"},
    "blocks_experts": {"true"},
    "masks_batch": {"true"},
    "pretrained_head_light": set(which_head.LIGHTS),
}


@every_word
def test_a_word_is_met_in_a_view_that_there_is(word: Word):
    link = urlsplit(payload.address(word.place))
    query = {name: value for name, (value,) in parse_qs(link.query).items()}
    assert link.path in {page.url for page in PAGES}
    for name, value in word.place.settings.items():
        assert value in SETTINGS[name]
    opened = {name: value for name, value in query.items() if name not in word.place.settings}
    assert bool(opened) == bool(word.place.view)
    for key, name in opened.items():
        assert (link.path, key, name) in {view[:3] for view in views()}


def test_a_place_that_is_not_there_is_refused():
    with pytest.raises(LookupError):
        payload.address(Place("heads", "No such view"))
    with pytest.raises(LookupError):
        payload.address(Place("nowhere"))


@every_word
def test_a_picture_keeps_to_its_frame_and_to_the_palette(word: Word):
    assert word.picture
    used = set(re.findall(r"var\(--(\w+)\)", json.dumps(word.picture)))
    assert used <= COLOURS
    assert ("weight" in used) == (word.name in WEIGHTS)
    for tag, attributes, words in word.picture:
        assert tag in {"rect", "path", "circle", "text"}
        for x, y, wide, high in corners(tag, attributes, words):
            assert x >= 0, words
            assert y >= 0, words
            assert x + wide <= shapes.WIDTH + 1, words
            assert y + high <= shapes.HEIGHT, words


def corners(tag: str, a: dict, words: str) -> list[tuple[float, float, float, float]]:
    """The boxes that a shape fills, of a path its absolute points: (x, y, width, height)."""
    if tag == "rect":
        return [(a["x"], a["y"], a["width"], a["height"])]
    if tag == "circle":
        return [(a["cx"] - a["r"], a["cy"] - a["r"], 2 * a["r"], 2 * a["r"])]
    if tag == "text":
        wide = 6.2 * len(words)
        return [(a["x"] - {"start": 0, "middle": wide / 2, "end": wide}[a["text-anchor"]], a["y"] - 10, wide, 13)]
    return [(float(x), float(y), 0, 0) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", a["d"])]


def numbers(name: str) -> list[float]:
    """The numbers that a picture writes, in their order."""
    written = [shape.text for shape in BY_NAME[name].picture if shape.tag == "text"]
    return [float(n.replace("−", "-")) for words in written for n in re.findall(r"[-−]?\d+(?:\.\d+)?", words)]


def test_a_blocked_cell_is_hatched_as_the_text_beside_it_says():
    """One stroke across it would be a cell that is crossed out."""
    open_, blocked = (shapes.grid([[value]], 0.0, 0.0, 16.0) for value in (0.5, None))
    strokes = [shape.attributes["d"] for shape in blocked[len(open_) :]]
    assert strokes == ["M0.0 8.0L8.0 0.0", "M0.0 16.0L16.0 0.0", "M8.0 16.0L16.0 8.0"]


def test_the_numbers_of_the_pictures_are_those_of_numpy():
    def softmax(x):
        powers = np.exp(np.asarray(x, float))
        return powers / powers.sum()

    assert numbers("softmax") == pytest.approx([3, 2, -1, *softmax([3, 2, -1])], abs=0.006)
    fits = np.array(toy.KEYS) @ np.array(toy.ASK) / math.sqrt(2)
    assert numbers("attention weight") == pytest.approx(softmax(toy.STORY_SCORES), abs=0.006)
    assert numbers("score")[-1] == pytest.approx(fits[1], abs=0.006)
    assert numbers("dot product")[-1] == np.dot([1, 2, 3], [2, 0, 1])
    assert numbers("cosine similarity") == pytest.approx(np.cos(np.radians([20, 90, 160])), abs=0.006)
    assert numbers("entropy") == pytest.approx([-(0.94 * np.log2(0.94) + 0.06 * np.log2(0.02)), 2], abs=0.006)
    assert numbers("perplexity") == pytest.approx([4, np.log(4), 4], abs=0.006)
    assert numbers("logit") == pytest.approx(toy.LOGITS)
    held = np.cumsum(softmax(toy.LOGITS))
    assert numbers("top-p") == pytest.approx([0.9, held[held >= 0.9][0]], abs=0.006)
    assert numbers("beam search") == pytest.approx([0.3, 0.18, 0.36, 0.04])


def test_lessons_and_exhibits_can_be_found():
    found = json.loads(zlib.decompress(index()))
    for (name, lesson), entry in zip(shelf.shipped().items(), found["lessons"], strict=True):
        assert entry["name"] == lesson.title
        assert [stop["href"] for stop in entry["stops"]] == [
            f"{stop.link.page}?{urlencode([*stop.link.settings, ('lesson', name), ('stop', n)])}"
            for n, stop in enumerate(lesson.stops, 1)
        ]
    names = {(view.page, view.key, view.value) for view in views()}
    assert {("bugs", "bugs_exhibit", title) for title in CASES} <= names


def test_the_index_that_every_visit_gets_is_small():
    assert len(index()) < 40_000
