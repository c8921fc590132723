"""French to English on the page: every view works, and two right answers are said."""

import pytest

from pages.translation import data
from pages.translation.sentence import DIRECTIONS
from tests.pages.driver import choose, notices, offered, payload
from tests.pages.translation.expected import EVERYTHING, text, visit
from transformer.training.tasks.english import EXAMPLES

TO_FRENCH, TO_ENGLISH = DIRECTIONS


def test_the_other_direction_keeps_the_page_whole() -> None:
    at = visit(tr_direction=TO_ENGLISH, tr_french=EXAMPLES[1])
    assert notices(at) == ""
    assert " ".join(payload(at)["target"][-9:-1]) == "black cat does not like the white house"
    assert "**Exactly right.**" in text(at)
    sent = payload(at)
    crossing = [tuple(pair) for pair in sent["ghost"]]
    assert (crossing[1], crossing[2], crossing[3]) == ((1, 1), (2, 3), (3, 2))  # little black cat, petit chat noir
    assert "**Two right answers**" in text(at)
    (alternative,) = data.translated(data.TO_ENGLISH, tuple(sent["source"])).alternatives
    assert alternative.source == "petit"
    shares = dict(alternative.probabilities)
    assert set(shares) == {"little", "small"}
    assert min(shares.values()) > 0.2, "it was shown both as often"
    assert sum(shares.values()) == pytest.approx(1, abs=0.05)
    at = choose(at, tr_direction=TO_FRENCH, translation_view="Threads")
    assert payload(at)["target"][:6] == ["mia", "a", "trouvé", "un", "chapeau", "rouge"]
    at = visit(tr_direction=TO_ENGLISH, tr_french=EXAMPLES[-1])
    words = offered(at)
    assert words["words"][words["unread"].index(True)] == "dragon"
    assert sum(words["unread"]) == 1


@pytest.mark.wide
def test_every_view_works_in_the_other_direction() -> None:
    for link in EVERYTHING:
        assert notices(visit(tr_direction=TO_ENGLISH, **link)) == "", link
