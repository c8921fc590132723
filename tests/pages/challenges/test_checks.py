"""Every challenge can be solved: a stored link reaches its goal, and one that nearly does is told what is missing."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.challenges import data, figures, heads, numbers, texts
from pages.challenges.challenge import Bars, Challenge, Texts, beginning
from pages.challenges.challenges import CHALLENGES
from pages.challenges.heads import entropy
from pages.challenges.links import MAX_LETTERS, parse
from tests.further import examples
from transformer.checks import InputError
from transformer.training.plan import make_trainer

STORIES = "/heads?weights=trained+on+stories"
LEO = f"{STORIES}&text=mia+and+leo+found+a+red+ball.+then"
TOM = f"{STORIES}&text=tom+lost+a+green+key+in+the+forest.+so"
SOLVED: dict[str, str] = {
    "edge": f"https://example.org/lab/heads?{LEO.partition('?')[2]}&layer=1&head=1&query=9&key=1",
    "owner": f"{STORIES}&layer=1&head=1",
    "sharp": "/heads?weights=untrained&model=Decoder&scores=not+divided&layer=0&head=3&query=5",
    "head": f"{TOM}&layer=1&head=0&closer=Ablation",
    "undecided": "/generation?gen_text=mia+told+leo+about+the+ball.+he+said+that&gen_at=3",
    "french": "/translation?english=i+am+big+with+the+women",
    "alike": "/positions?d_model=4&base=100&pos_length=32",
}
# What nearly reaches the goal, and words of the answer.
MISSED: dict[str, tuple[str, str]] = {
    "edge": (f"{LEO}&layer=1&head=1&query=9&key=3", r"still goes on with \*she\*"),
    "owner": (f"{STORIES}&layer=1&head=0", r"looks back to \*tom\* \(1.00\), but not to \*eva\*"),
    "sharp": ("/heads?weights=untrained&model=Decoder&scores=not+divided&layer=0&head=3&query=0", "1 word only"),
    "head": (f"{TOM}&layer=1&head=1", r"the story goes on with \*he\*"),
    "undecided": ("/generation?gen_text=mia+told+tom+about+the+ball.+he+said+that", "both need 0.3"),
    "french": ("/translation?english=i+am+big", "Exactly right"),
    "alike": ("/positions?d_model=4&base=10000", "cosine 0.9801. Wanted"),
}
# What cannot be judged, and why.
REFUSED: dict[str, tuple[str, str]] = {
    "edge": (f"{LEO}&layer=1&head=1", "no cell is held"),
    "owner": ("/heads?weights=trained+on+reviews", "about the model “trained on stories”"),
    "sharp": (f"{STORIES}&query=5", "about an untrained model"),
    "head": (f"{TOM}&layer=2", "no layer 2 here: they are counted from 0 to 1"),
    "undecided": ("/generation?gen_text=the+dragon+said", "never read “dragon”"),
    "french": ("/translation?english=the+cat+is+a+dog", "outside of the grammar"),
    "alike": ("/positions?d_model=5", "d_model cannot be 5"),
    "small": ("/live?live_d_model=16&live_mask=none", "put mask back"),
}
SMALL = "/live?live_d_model=16&live_heads=4&live_lr=0.02&live_steps=300&live_seed=1"
BY_KEY = {challenge.key: challenge for challenge in CHALLENGES}


def the(key: str) -> Challenge:
    return BY_KEY[key]


@pytest.mark.parametrize("key", SOLVED)
def test_a_stored_link_solves_it(key: str):
    verdict = the(key).check(parse(SOLVED[key]))
    assert verdict.is_reached, verdict.sentence


@pytest.mark.parametrize("key", MISSED)
def test_a_near_miss_does_not(key: str):
    link, why = MISSED[key]
    verdict = the(key).check(parse(link))
    assert not verdict.is_reached
    with pytest.raises(AssertionError, match=why):
        raise AssertionError(verdict.sentence)


@pytest.mark.parametrize("key", REFUSED)
def test_what_cannot_be_judged_is_a_sentence(key: str):
    link, why = REFUSED[key]
    with pytest.raises(InputError, match=why):
        the(key).check(parse(link))


@pytest.mark.parametrize("challenge", CHALLENGES, ids=lambda challenge: challenge.key)
def test_nothing_is_solved_where_it_starts_and_links_of_other_pages_prove_nothing(challenge: Challenge):
    first = challenge.example() if challenge.example else challenge.check(challenge.start)
    assert not first.is_reached
    other = "embeddings" if challenge.start.page != "embeddings" else "masks"
    with pytest.raises(InputError, match="opens another"):
        challenge.check(parse(f"/{other}"))


@pytest.mark.wide
def test_a_small_model_learns_to_write_backwards():
    """Trained as the link says, on the spot; a loss a little above the goal is none below."""
    wanted = numbers.plan(parse(SMALL))
    assert wanted == numbers.plan(parse(f"{SMALL}&live_warmup=30&live_d_ff=64"))  # what they are anyway
    assert (wanted.config.d_model, wanted.config.n_heads, wanted.settings.steps) == (16, 4, 300)
    *_, last = make_trainer(wanted).run()
    assert numbers.judged(data.Trained((0, 300), (3.0, last.val_loss)), "it").is_reached, last.val_loss
    assert not numbers.judged(data.Trained((0, 300), (0.05, 0.1)), "it").is_reached


@pytest.mark.parametrize(
    "change", ["live_steps=800", "live_d_model=32", "live_task=Sort", "live_lr=nan", "live_longest=4"]
)
def test_other_trainings_are_not_carried_out(change: str):
    with pytest.raises(InputError):
        numbers.plan(parse(f"{SMALL}&{change}"))


@pytest.mark.parametrize(
    ("weights", "bits"), [([1.0, 0.0, 0.0], 0.0), ([0.5, 0.5], 1.0), ([0.125] * 8, 3.0), ([0.75, 0.25], 0.8112781)]
)
def test_entropy_is_that_of_the_closed_form(weights: list[float], bits: float):
    assert entropy(np.array(weights)) == pytest.approx(bits, abs=1e-7)


def test_a_wrong_translation_is_shown_beside_the_right_one():
    picture = texts.check_french(parse(SOLVED["french"])).picture
    assert isinstance(picture, Texts)
    assert " ".join(picture.words[1]) == "je suis grand avec les femmes"  # as the grammar has it


def test_an_edge_is_cut_in_the_model_and_not_in_the_picture():
    """Oracle: the same forward pass with the weight of that cell set to 0 by hand."""
    import torch

    shown = heads.place(parse(SOLVED["edge"]))
    assert (shown.layer, shown.head, shown.query, shown.key) == (1, 1, 9, 1)
    assert [shown.tokens[9], shown.tokens[1]] == ["then", "mia"]

    def cut(name: str, tensor: torch.Tensor) -> torch.Tensor:
        if name != "decoder.1.self_attn.weights":
            return tensor
        keep = torch.ones_like(tensor)
        keep[:, 1, 9, 1] = 0
        return tensor * keep

    source = data.STORIES.resolve()
    with torch.inference_mode():
        logits = source.single_stack(torch.tensor([source.ids(shown.tokens)]), tap=cut).logits[0, -1]
    expected = torch.softmax(logits.double(), -1).numpy()
    np.testing.assert_allclose(data.next_token_without_edge(shown.reading, 1, 1, 9, 1), expected, atol=1e-6)


# ---- links ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "hello", "https://example.org/", "/nowhere?x=1", "javascript:alert(1)", "http://[::1", "/heads?" + "a=1&" * 65,
     "/" + "h" * MAX_LETTERS],
)  # fmt: skip
def test_what_is_no_link_is_refused_in_a_sentence(text: str):
    with pytest.raises(InputError, match="link"):
        parse(text)


@pytest.mark.parametrize("text", ["heads?layer=1", "/heads?layer=1", "https://example.org/lab/heads/?layer=1#x"])
def test_a_link_is_read_wherever_the_app_is_served(text: str):
    assert parse(f"  {text}\n") == ("heads", {"layer": "1"})


@examples(15)
@given(st.sampled_from(CHALLENGES), st.dictionaries(st.text(max_size=6), st.text(max_size=12), max_size=4), st.data())
def test_no_link_breaks_a_check(challenge: Challenge, more: dict[str, str], drawn: st.DataObject):
    """Settings of all kinds, and known ones set to anything: there is a verdict, or a sentence."""
    if challenge.is_slow:
        more["live_mask"] = "causal"  # never trained
    known = drawn.draw(st.sampled_from([*challenge.start.settings, "layer", "head", "query", "key", "gen_step"]))
    value = drawn.draw(st.text(max_size=20) | st.integers().map(str))
    link = challenge.start._replace(settings=challenge.start.settings | more | {known: value})
    with suppress(InputError):
        assert challenge.check(link).sentence


def test_bars_say_what_text_they_are_about_and_keep_its_end():
    picture = heads.check_head(parse(SOLVED["head"])).picture
    assert isinstance(picture, Bars)
    assert picture.about == "tom lost a green key in the forest. so …"
    assert beginning(["ab"] * 100) == "… ab" + " ab" * 26 + " …"
    drawn = figures.bars(picture.values, picture.axis, None, is_weight=False, marked=(), title="<b> & so")
    assert drawn.layout.annotations[-1].text == "&lt;b&gt; &amp; so"
