"""A published decoder writes on the page: its numbers are those of the library transformers; few of them are sent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from streamlit.testing.v1 import AppTest

from lab.kit import story
from lab.kit.models import published
from pages.generation.components.next_word import ROOT, SEEDS, Action, Knobs, Tree, ladder, pack
from pages.generation.components.next_word.ladder import ROWS
from pages.generation.data import shipped_decoders
from pages.generation.next_word import ACTION, MAX_WRITTEN
from pages.generation.text import TRAINED_ONLY
from tests.pages import driver, published_models
from tests.pages.driver import choose, control, notices, payload
from tests.pretrained import makers
from transformer.generation import Sampling, distribution
from transformer.generation.slices import drawn, number

NAME, TEXT = "tiny, pretrained", "The animal didn't cross"


@pytest.fixture(autouse=True)
def tiny(tmp_path: Path) -> Iterator[None]:
    with published_models.only({"tiny": makers.gpt2_folder()}, tmp_path):
        yield


@pytest.fixture(scope="module")
def theirs() -> Any:
    """The same files as transformers reads them."""
    return transformers.GPT2LMHeadModel.from_pretrained(makers.gpt2_folder(), attn_implementation="eager").eval()


def visit(*, act: Action | None = None, text: str | None = TEXT, **link: object) -> AppTest:
    session = {ACTION: act} if act else {}
    return driver.visit("generation", session=session, gen_model=NAME, gen_text=text, **link)  # pyrefly: ignore[bad-argument-type]


def ids_of(text: str) -> list[int]:
    tokenizer = transformers.AutoTokenizer.from_pretrained(makers.gpt2_folder())
    return tokenizer(text)["input_ids"]


@torch.inference_mode()
def their_logits(theirs: Any, ids: list[int]) -> torch.Tensor:
    return theirs(torch.tensor([ids])).logits[0, -1]


def test_probabilities_and_attention_are_those_of_transformers(theirs: Any) -> None:
    at = visit()
    sent, ids = payload(at), ids_of(TEXT)
    assert notices(at).startswith("Say which token comes next."), "nothing stands above the card"
    assert (sent["given"], sent["at"], sent["nodes"], sent["logits"]) == (ids, ROOT, [], [])
    probs = their_logits(theirs, ids).double().softmax(-1).numpy()
    rows, (n, rest, _) = sent["ladder"]["rows"], sent["ladder"]["rest"]
    assert (len(rows), n, sent["ladder"]["size"]) == (ROWS, len(probs) - ROWS, len(probs))
    np.testing.assert_allclose([p for _, p, _, _ in rows], [probs[id] for id, *_ in rows], atol=1e-5)
    np.testing.assert_allclose([p for _, p, _, _ in rows], np.sort(probs)[::-1][:ROWS], atol=1e-5)
    assert rest == pytest.approx(np.sort(probs)[:-ROWS].sum(), abs=1e-5)
    with torch.inference_mode():
        attention = theirs(torch.tensor([ids]), output_attentions=True).attentions
    np.testing.assert_allclose(sent["attention"], [layer[0, :, -1] for layer in attention], atol=2e-5)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "knobs",
    [
        {"temperature": 0.3},
        {"temperature": 2, "top_p": 0.95},
        {"top_k": 5},
        {"top_k": 40, "top_p": 0.5},
        {"penalty": 1.8, "temperature": 0.1},
        {"temperature": 0},
    ],
)
def test_the_knobs_of_the_link_give_the_draw_of_transformer_generation(theirs: Any, knobs: dict[str, Any]) -> None:
    sent = payload(visit(**{f"gen_{name}": value for name, value in knobs.items()}))["ladder"]
    ids = ids_of(TEXT)
    sampling = Sampling(**{{"penalty": "repetition_penalty"}.get(name, name): v for name, v in knobs.items()})
    wanted = distribution(their_logits(theirs, ids), ids, sampling)
    final = {id: q for id, _, q, _ in sent["rows"]}
    np.testing.assert_allclose(list(final.values()), [wanted.final[id] for id in final], atol=1e-5)
    assert {id: by for id, _, _, by in sent["rows"]} == {id: wanted.removed_by(id) for id in final}
    assert sum(final.values()) + sent["rest"][2] == pytest.approx(1)
    assert sum(sent["removed"].values()) == (wanted.removed > 0).sum()
    for seed in range(0, SEEDS, 40):
        id, low, high = sent["falls"][seed]
        assert low <= number(seed, len(ids)) < high
        assert high - low == pytest.approx(wanted.final[id], abs=1e-5)


def test_a_knob_that_is_turned_is_worked_out_here() -> None:
    at = visit(act=Action("turn", 0, Knobs(top_k=3)))
    assert payload(at)["ladder"]["removed"]["top_k"] == payload(at)["ladder"]["size"] - 3
    assert payload(at)["nodes"] == []


def test_it_writes_what_transformers_writes(theirs: Any) -> None:
    at = visit(act=Action("write", 0, Knobs(temperature=0.0)))
    ids = torch.tensor([ids_of(TEXT)])
    n_new = min(MAX_WRITTEN, 40 - ids.shape[1])
    wanted = theirs.generate(ids, max_new_tokens=n_new, do_sample=False, pad_token_id=0)[0, ids.shape[1] :].tolist()
    assert [id for _, id, _, _ in payload(at)["nodes"]] == wanted
    assert "takes" not in notices(at)


def test_every_node_of_the_tree_has_the_probability_that_transformers_gives_it(theirs: Any) -> None:
    tree = Tree(((ROOT, 5), (0, 300), (ROOT, 17)))
    at = visit(gen_tree=pack(tree))
    for n, (parent, id, p, rank) in enumerate(payload(at)["nodes"]):
        probs = their_logits(theirs, [*ids_of(TEXT), *tree.path(parent)]).double().softmax(-1)
        assert (parent, id) == tree.nodes[n]
        assert p == pytest.approx(float(probs[id]), abs=1e-5)
        assert rank == 1 + int((probs > probs[id] + 1e-9).sum())
    labels = payload(at)["labels"]
    assert {"5", "300", "17"} <= labels.keys()


def test_any_token_can_be_picked_and_none_that_there_is_not() -> None:
    assert [id for _, id, _, _ in payload(visit(act=Action("pick", 301)))["nodes"]] == [301]
    assert payload(visit(act=Action("pick", 50_000)))["nodes"] == []


def test_nothing_typed_begins_with_the_token_for_a_start() -> None:
    sent = payload(visit(text=""))
    assert (sent["given"], sent["starts"], sent["full"]) == ([0], True, False)
    assert sent["labels"]["0"] == "<|endoftext|>"
    assert not payload(visit())["starts"]


def test_its_table_of_positions_has_an_end() -> None:
    at = visit(text="animal " * 50)
    assert len(payload(at)["given"]) == 39
    assert "are left out" in notices(at)
    assert payload(visit(text="animal " * 50, act=Action("pick", 5)))["full"]


def test_another_view_says_which_models_it_takes() -> None:
    at = visit(gen_view="The cache")
    assert notices(at) == TRAINED_ONLY
    assert not driver.charts(at)
    assert driver.charts(choose(at, gen_model=next(iter(shipped_decoders()))))


@pytest.mark.parametrize("fold", ["gen_logits", "gen_hundred"])
@pytest.mark.usefixtures("few_drawn")
def test_a_fold_says_which_models_it_takes(fold: str) -> None:
    link: dict[str, Any] = {fold: "true"}
    at = visit(**link)
    assert "This needs one of the models that come with the app" in driver.words(at)
    n_drawn = len(driver.charts(at)) + len(driver.payloads(at))
    at = choose(at, gen_model=next(iter(shipped_decoders())))
    assert len(driver.charts(at)) + len(driver.payloads(at)) == n_drawn + 1


def test_a_published_model_goes_on_with_the_same_story() -> None:
    shipped = next(iter(shipped_decoders()))
    at = choose(driver.visit("generation"), gen_model=NAME)
    assert control(at, "gen_text").value == story.TEXT
    assert payload(at)["ladder"]
    at = choose(at, gen_model=shipped)
    assert payload(at)["ladder"] is None
    assert payload(at)["logits"] == payload(driver.visit("generation"))["logits"]


def test_where_it_has_no_room_a_shipped_model_stands_in_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(published.BUDGET, "max_bytes", 1)
    at = visit()
    assert "has 0 MB for models" in notices(at)
    assert payload(at)["ladder"] is None


def test_with_no_published_model_the_page_offers_the_shipped_ones(tmp_path: Path) -> None:
    with published_models.only({}, tmp_path / "none"):
        at = driver.visit("generation")
    assert list(control(at, "gen_model").options) == list(shipped_decoders())


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(),
        Sampling(temperature=2, top_p=0.999),
        Sampling(top_k=7),
        Sampling(temperature=0),
        Sampling(top_p=0.3, repetition_penalty=1.5),
    ],
)
def test_of_fifty_thousand_tokens_only_the_ladder_is_sent(sampling: Sampling) -> None:
    logits = torch.randn(50_000, generator=torch.Generator().manual_seed(0)) * 3
    expected = distribution(logits, (1, 2, 3), sampling)
    us = [number(seed, 4) for seed in range(20)]
    made = ladder(expected, us)
    assert len(json.dumps(made.json())) < 30_000
    assert made.rest[1] == pytest.approx(1 - sum(row[1] for row in made.rows))
    assert made.rest[2] == pytest.approx(1 - sum(row[2] for row in made.rows), abs=1e-9)
    assert list(made.falls) == [drawn(expected.final, u) for u in us]
    assert made.own == int(logits.argmax())
    assert {id for id, _, _, _ in made.rows} == set(np.argsort(-expected.tempered, kind="stable")[:ROWS].tolist())
    assert (expected.final > 0.004).sum() <= sum(row[2] > 0.004 for row in made.rows)
