"""Wiring: what the translator writes while the English is pulled out of it."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.masks import data
from tests.pages.driver import notices, payloads
from tests.pages.masks.brush import SIX, visit

TARGET = "L'animal n'a pas traversé la"


def cable(at: AppTest) -> dict[str, Any]:
    """What the picture of the cable was sent."""
    (sent,) = (sent for sent in payloads(at) if isinstance(sent, dict) and "arrives" in sent)
    return sent


def wiring(text: str | None, **link: str) -> dict[str, Any]:
    return cable(visit(text, masks_view="Wiring", **link))


def test_with_all_of_the_english_it_translates_and_with_none_it_writes_the_same_whatever_the_sentence() -> None:
    """The counterfactual: with all that arrives, another sentence is another translation."""
    first, second = wiring("mia found a red hat"), wiring("the cat sleeps")
    assert (first["arrives"][0], first["arrives"][-1]) == (0, 1)
    assert len(first["written"]) == len(first["arrives"])
    assert " ".join(first["written"][-1]) == "mia a trouvé un chapeau rouge ⟨end⟩"
    assert " ".join(second["written"][-1]) == "le chat dort ⟨end⟩"
    assert list(first["written"][0]) == list(second["written"][0])
    assert not {"mia", "chapeau", "chat", "dort"} & set(first["written"][0])
    assert "mia" in first["written"][first["arrives"].index(0.5)], "half of it is enough"
    assert "mia" not in first["written"][first["arrives"].index(0.2)]
    sure = [row[0] for row in first["likely"]]  # of the first word
    assert sure[-1] > 0.99
    assert sure[first["arrives"].index(0.44)] < 0.6, "it wavers before it changes"
    assert [len(row) for row in first["likely"]] == [len(row) for row in first["written"]]


def test_french_words_are_glossed_by_what_they_come_from() -> None:
    glosses = wiring("mia found a red hat")["glosses"]
    assert {glosses[word] for word in ("trouvé", "un", "chapeau", "rouge")} == {"found", "a", "hat", "red"}
    assert glosses["a"] == "", "an auxiliary comes from no word"
    known = data.in_english()
    assert (known["chats"], known["souris"], known["pas"]) == ("cats", known["souris"], "not")


@pytest.mark.parametrize("link", [{}, {"mask_target": TARGET}])
def test_words_that_the_translator_has_never_read_are_unknown_to_it(link: dict[str, str]) -> None:
    at = visit(SIX, masks_view="Wiring", **link)
    assert list(cable(at)["source"]) == SIX.split()
    assert cable(at)["written"][-1]
    assert "the three attentions below are those of an untrained model" in notices(at), "the cable is the translator's"


def test_nothing_is_said_of_what_is_not_shown() -> None:
    at = visit(SIX, masks_view="Wiring", mask_target="")
    assert notices(at) == "There is no target yet. Type one."


def test_a_target_of_ones_own_changes_the_three_attentions_and_not_what_the_cable_carries() -> None:
    own, given = wiring("Mia found a red hat."), wiring("Mia found a red hat.", mask_target=TARGET)
    assert own == given


@pytest.mark.parametrize("signs", ["?", ". . ."])
def test_signs_alone_are_no_words_to_translate(signs: str) -> None:
    assert notices(visit(signs, masks_view="Wiring")).startswith("There is no word to translate.")
