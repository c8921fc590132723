"""How a translation came about: its steps, all its heads, and its beams, down to the numbers sent."""

import numpy as np
import pytest

from tests.pages.driver import choose, control, payload, press
from tests.pages.translation.expected import HEADS, checkpoint, heads, model, text, translated, visit
from transformer.generation import beam_search, begin
from transformer.inspection.translation import max_target_tokens
from transformer.training.tasks.french import EXAMPLES
from transformer.training.text import BOS, EOS


def test_step_by_step_shows_what_every_step_saw() -> None:
    at = visit(translation_view="Step by step")
    sent, translation = payload(at), translated().translation
    assert [frame["encoder"] for frame in sent["frames"]] == [1] * len(translation.written)
    assert [frame["decoder"] for frame in sent["frames"]] == list(range(1, len(translation.written) + 1))
    for shown, frame, word in zip(sent["frames"], translation.frames, sent["target"], strict=True):
        best = np.sort(frame.probs)[::-1][: len(shown["top"])]
        np.testing.assert_allclose([p for _, p in shown["top"]], best, atol=1e-6)
        assert shown["top"][0][0] == word
    np.testing.assert_allclose(sent["back"], translated().maps["decoder"].weights.ravel(), atol=1e-4)
    assert "the encoder ran **once**, the decoder **7 times**" in text(at)
    assert [word for word, _ in sent["steered"][4]][-2:] == ["rouge", "chapeau"], "red hat: it names what it looks at"
    assert len(sent["steered"]) == len(sent["target"])


@pytest.mark.parametrize(
    ("name", "kind"), [("Cross", "cross"), ("Encoder self", "encoder"), ("Decoder self", "decoder")]
)
def test_all_heads_of_every_kind(name: str, kind: str) -> None:
    header, arrays = heads(visit(**HEADS, translation_kind=name))
    expected = translated().maps[kind]
    assert (tuple(header["queries"]), tuple(header["keys"])) == (expected.queries, expected.keys)
    np.testing.assert_array_equal(arrays["weights"].reshape(expected.weights.shape), expected.weights)
    np.testing.assert_array_equal(arrays["q"].reshape(expected.q.shape), expected.q)
    np.testing.assert_array_equal(arrays["k"].reshape(expected.k.shape), expected.k)
    assert not header["untrained"]


@pytest.mark.parametrize(
    ("english", "width", "alpha"), [(EXAMPLES[0], 3, 1.0), ("These cats", 6, 1.0), ("These cats", 6, 0.0)]
)
def test_beams_are_those_of_the_search(english: str, width: int, alpha: float) -> None:
    task = checkpoint().task
    at = visit(tr_english=english, translation_view="Step by step", tr_beam_width=width, tr_beam_alpha=alpha)
    ids = task.source.encode(english)
    max_new = max_target_tokens(model(), len(ids))
    search = beam_search(begin(model(), [BOS], ids), width, max_new=max_new, eos=EOS, length_penalty=alpha)
    sent = payload(at)
    assert [[node["fate"] for node in step] for step in sent["steps"]] == [[n.fate for n in s] for s in search.steps]
    assert sent["best"] == list(search.best[0].path)
    if len(sent["best"]) == len(sent["steps"]):
        assert sent["steps"][-1][sent["best"][-1]]["text"] == task.target.decode(search.best[0].ids)
    for n, hypothesis in enumerate(search.best, start=1):
        assert f"| {n} | {task.target.decode(hypothesis.ids)} |" in text(at)


def test_where_greedy_and_beam_search_differ() -> None:
    sure = visit(translation_view="Step by step", tr_beam_width=3, tr_english=EXAMPLES[0])
    assert "**Greedy and beam agree**" in text(sure)
    assert "**They differ.**" in text(press(sure, "beam-try"))
    link = {"tr_english": "These cats", "translation_view": "Step by step", "tr_beam_width": "3"}
    longer = text(visit(**link))
    assert "**They differ.** Greedy writes *ces chats chats chats*" in longer
    assert "comes first only after the division by length" in longer
    assert "**Greedy and beam agree**" in text(visit(**link, tr_beam_alpha=0.0))


def test_a_wider_beam_opens_on_a_sentence_of_which_the_model_is_not_sure() -> None:
    at = choose(visit(translation_view="Step by step", tr_english=None), tr_beam_width=3)
    assert "**They differ.**" in text(at)
    at = choose(visit(translation_view="Step by step", tr_english="I am not happy"), tr_beam_width=3)
    assert control(at, "tr_english").value == "I am not happy", "what somebody typed stays"
