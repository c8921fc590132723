"""Wiring: which of the eight choices of sources is an attention of a Transformer, and why another is none."""

from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lab.server import caching
from pages.masks import wiring
from tests.pages.driver import choose, control, notices, payloads, words
from tests.pages.masks.brush import SIX, visit

TARGET = "L'animal n'a pas traversé la"  # five words, and the start token


def plugs(at: AppTest) -> dict[str, Any]:
    """What the picture of the plugs was sent."""
    (data,) = (sent for sent in payloads(at) if isinstance(sent, dict) and "sources" in sent)
    return data


@pytest.mark.parametrize(
    ("ports", "verdict", "heard"),
    [
        (
            ("decoder", "encoder", "encoder"),
            "This is **cross-attention**: 6 queries in, 6 vectors",
            "decoder and encoder",
        ),
        (("decoder", "decoder", "decoder"), "This is **decoder self-attention**: 6 queries", "decoder"),
        (("encoder", "encoder", "encoder"), "This is **encoder self-attention**: 7 queries", "encoder"),
        (("encoder", "decoder", "decoder"), "**7 vectors come out, but the decoder has 6**", "decoder and encoder"),
        (("decoder", "encoder", "decoder"), "Each of the 7 keys gets an attention weight, but there are 6 values", ""),
    ],
)
def test_what_a_wiring_is_or_why_it_is_none(ports: tuple[str, str, str], verdict: str, heard: str) -> None:
    link = dict(zip(("mask_wire_queries", "mask_wire_keys", "mask_wire_values"), ports, strict=True))
    at = visit(text=f"{SIX} seven", masks_view="Wiring", mask_target=TARGET, **link)
    (line,) = [text.value for text in at.markdown if verdict in text.value]
    assert ("depends on" in line) == bool(heard)
    assert not heard or f"the output depends on {heard}." in line
    sent = plugs(at)
    assert tuple(sent["sources"].values()) == ports
    assert sent["lengths"] == {"encoder": 7, "decoder": 6}
    assert (sent["outputs"] == sent["lengths"][sent["home"]]) == ("This is" in verdict)
    assert (sent["outputs"] is None) == ("but there are" in verdict)


def test_every_pair_of_streams_has_its_map_without_padding() -> None:
    at = visit("mia found a red hat", masks_view="Wiring", masks_pads="3")
    sent = plugs(at)
    by_pair = {(one["queries"], one["keys"]): one for one in sent["maps"]}
    assert len(by_pair) == 4
    for (queries, keys), one in by_pair.items():
        weights = np.array([[np.nan if cell is None else cell for cell in row] for row in one["weights"]])
        assert weights.shape == (sent["lengths"][queries], sent["lengths"][keys])
        assert (len(one["rows"]), len(one["columns"])) == weights.shape
        assert np.allclose(np.nansum(weights, axis=1), 1, atol=1e-3), "padding had no share of it"
        later = np.triu(np.ones(weights.shape, bool), 1)
        assert np.array_equal(np.isnan(weights), later & (queries == keys == "decoder"))
        assert ("untrained" in one["who"]) == ((queries, keys) == ("encoder", "decoder"))
    cross = by_pair["decoder", "encoder"]
    row = cross["weights"][cross["rows"].index("chapeau")]
    assert cross["columns"][int(np.argmax(row))] == "hat"


def test_the_map_of_what_is_written_unheard_is_that_of_this_text() -> None:
    at = visit("mia found a red hat", masks_view="Wiring", mask_wire_keys="decoder", mask_wire_values="decoder")
    sent = plugs(at)
    unheard = sent["unheard"]
    assert " ".join(unheard["rows"][:-1]) == sent["written"]["decoder"]
    assert unheard["columns"] == ["⟨start⟩", *unheard["rows"][:-1]]
    (translated,) = (one for one in sent["maps"] if (one["queries"], one["keys"]) == ("decoder", "decoder"))
    assert unheard["weights"] != translated["weights"]
    assert sent["lengths"]["decoder"] == len(unheard["rows"]) == sent["outputs"]
    assert "in what it writes without the English" in words(at)
    assert plugs(visit(SIX, masks_view="Wiring"))["unheard"] is None


def test_a_translator_that_reads_its_own_text_alone_writes_the_same_whatever_the_sentence() -> None:
    """The counterfactual: plugged into the encoder, another sentence is another translation."""
    first, second = (
        plugs(visit(text, masks_view="Wiring"))["written"] for text in ("mia found a red hat", "the cat sleeps")
    )
    assert first["encoder"] == "mia a trouvé un chapeau rouge"
    assert second["encoder"] == "le chat dort"
    assert first["decoder"] == second["decoder"]
    assert not set(first["decoder"].split()) & set(first["encoder"].split())
    assert plugs(visit(SIX, masks_view="Wiring"))["written"] == {}, "an untrained model writes nothing worth reading"


@pytest.mark.parametrize(
    ("ports", "verdict"),
    [
        (("decoder", "encoder", "decoder"), "The one key gets an attention weight, but there are 6 values to mix."),
        (
            ("decoder", "decoder", "encoder"),
            "Each of the 6 keys gets an attention weight, but there is 1 value to mix.",
        ),
        (("encoder", "encoder", "encoder"), "1 query in, 1 vector out."),
        (("encoder", "decoder", "decoder"), "**1 vector comes out, but the decoder has 6**: it cannot be added"),
    ],
)
def test_of_one_word_there_is_no_plural(ports: tuple[str, str, str], verdict: str) -> None:
    link = dict(zip(("mask_wire_queries", "mask_wire_keys", "mask_wire_values"), ports, strict=True))
    said = words(visit(text="one", masks_view="Wiring", mask_target=TARGET, **link))
    assert verdict in said
    assert "The encoder has read 1 word;" in said


def test_with_equal_lengths_wrong_wiring_runs() -> None:
    at = visit(text=SIX, masks_view="Wiring", mask_target=TARGET, mask_wire_keys="decoder")
    assert "It runs, and it is wrong" in words(at)


def test_a_plug_that_was_moved_is_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    at = visit(None, masks_view="Wiring")
    at = choose(at, mask_wire_queries="encoder")
    assert plugs(at)["name"] == "encoder self-attention"
    assert control(at, "mask_wire_queries").value == "encoder"
    state: dict[str, Any] = {}
    monkeypatch.setattr(wiring.st, "session_state", state)
    for sent, after in (
        ([["keys", "decoder"]], {"mask_wire_keys": "decoder"}),
        ([["keys", "decoder"], ["values", "encoder"]], {"mask_wire_keys": "decoder", "mask_wire_values": "encoder"}),
        ([["keys", "moon"]], {}),
        ([["x", "decoder"], "x", [1, 2], ["keys"]], {}),
        ("keys", {}),
    ):
        state.clear()
        state[wiring.PLUGS] = {"plug": sent}
        monkeypatch.setattr("lab.kit.components.st.session_state", state)
        wiring._take_plug()
        assert {key: value for key, value in state.items() if key != wiring.PLUGS} == after


@pytest.mark.parametrize("signs", ["?", ". . ."])
def test_signs_alone_are_no_words_to_translate(signs: str) -> None:
    at = visit(signs, masks_view="Wiring")
    assert notices(at).startswith("There is no word to translate.")
    at = visit(signs, masks_view="Wiring", mask_target=TARGET)
    assert plugs(at)["lengths"] == {"encoder": len(signs.split()), "decoder": 6}, "an untrained model reads them"


@pytest.mark.parametrize(
    ("link", "read"),
    [
        ({}, "The encoder has read 5 words; the decoder has read ⟨start⟩ and 6 words of its own."),
        (
            dict.fromkeys(("mask_wire_keys", "mask_wire_values"), "decoder"),
            "The encoder’s 5 words are not read; the decoder has read ⟨start⟩ and 6 words of its own.",
        ),
    ],
)
def test_it_says_what_was_read(link: dict[str, str], read: str) -> None:
    at = visit("mia found a red hat", masks_view="Wiring", **link)
    assert read in words(at)
    assert plugs(at)["lengths"] == {"encoder": 5, "decoder": 7}, "it writes its end as well"


def test_what_is_written_unheard_is_worked_out_once_for_all_texts() -> None:
    for text in ("mia found a red hat", "the cat sleeps"):
        visit(text, masks_view="Wiring")
    assert caching.usage()["pages.masks.data.unheard"][0] == 1
