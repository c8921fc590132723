"""The page on generation, as the server runs it: every view, links, actions, and the numbers against the model."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from attention_view.layout import parts
from lab.kit import story
from lab.kit.models.references import HAND_OVER, Shipped
from lab.kit.words import is_piece
from lab.server import caching, gate
from pages.generation import data, hundred
from pages.generation.components.next_word import MAX_NODES, ROOT, Action, Knobs, Tree, pack, parse_knobs, unpack
from pages.generation.next_word import ACTION, KNOBS, MAX_WRITTEN
from pages.generation.text import MAX_GIVEN, OWN
from tests.pages import driver
from tests.pages.driver import chart, charts, choose, control, notices, offered, payload, payloads, press, words
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel
from transformer.generation import Sampling, begin
from transformer.generation.batch import sample_batch
from transformer.generation.slices import drawn, number
from transformer.inspection import look_ahead
from transformer.inspection.writing import WritingSpeed, multiplications
from transformer.training import shipped, tasks
from transformer.training.checkpoints import Checkpoint, checkpoint_of, save
from transformer.training.plan import make_trainer
from transformer.training.studies import mask
from transformer.training.tasks import tales
from transformer.training.tasks.storytelling.reading import log_probability, right_until
from transformer.training.tasks.storytelling.tokens import cut, tokeniser
from transformer.training.text import BOS, EOS
from transformer.training.trainer import Settings, Trainer

TOLD = "mia found a red hat."  # as the grammar tells it
WORDS = tokeniser()
GIVEN = (BOS, *WORDS.encode(story.TEXT))
VIEWS = ("Choose the next word", "The cache", "Without the mask")
ON_WRITING: tuple[dict[str, Any], ...] = ({}, {"logits": "true"}, {"hundred": "true"}, {"view": VIEWS[1]})


@pytest.fixture(scope="module")
def model() -> DecoderModel:
    return decoder(shipped.load("stories"))


def decoder(checkpoint: Checkpoint) -> DecoderModel:
    model = checkpoint.model()
    assert isinstance(model, DecoderModel)
    return model


def ids_of(text: str) -> list[int]:
    return WORDS.encode(text)


def visit(*, act: Action | None = None, mine: Checkpoint | None = None, **link: object) -> AppTest:
    """The page with these settings in its link, after an action, with a model of the visitor's own."""
    session = {name: value for name, value in ((ACTION, act), (HAND_OVER, mine)) if value}
    link = {name if name.startswith("gen_") else f"gen_{name}": value for name, value in link.items()}
    return driver.visit("generation", session=session, **link)  # pyrefly: ignore[bad-argument-type]


def tree_of(at: AppTest) -> Tree:
    return Tree(tuple((parent, id) for parent, id, _, _ in payload(at)["nodes"]))


def texts(at: AppTest) -> str:
    return "\n".join([words(at), notices(at)])


def link_of(at: AppTest) -> dict[str, Any]:
    return {name: at.query_params[name] for name in at.query_params}


def traces(at: AppTest, n: int = 0) -> list[dict]:
    return chart(at, n)["data"]


def numbers(values: Sequence[Any]) -> np.ndarray:
    """The numbers of a trace; gaps are NaN."""
    return np.array(values, float)


def largest_share(model: DecoderModel, ids: Sequence[int]) -> float:
    return float(begin(model, ids, cached=False).next().probs.max())


def test_it_opens_at_the_last_place_where_the_model_is_unsure(model: DecoderModel) -> None:
    sent = payload(visit())
    n = len(sent["given"])
    assert sent["given"] + sent["later"] == list(GIVEN)
    assert largest_share(model, GIVEN[:n]) <= 0.5
    assert all(largest_share(model, GIVEN[:k]) > 0.5 for k in range(n + 1, len(GIVEN) + 1))
    state = begin(model, GIVEN[:n], cached=False)
    np.testing.assert_allclose(sent["logits"], state.logits, atol=1e-4)
    starts = [id for parent, id, _, _ in sent["nodes"] if parent == ROOT]
    assert starts == [int(state.logits.argmax()), GIVEN[n]]
    assert link_of(visit()) == {}
    assert payload(visit(step=shipped.load("stories").stops[1]))["given"] == sent["given"]


def test_the_browser_knows_which_tokens_are_whole_words() -> None:
    """So that it names none that only begins one, as "scarl" does; where every token is a letter, nobody asks."""
    sent = payload(visit(text="the name of the", tree="empty"))
    whole = {sent["labels"][id] for id in sent["whole"]}
    assert {"hat", "garden", "the", "home", "friends", "woman", "yes", "have", "night", "me"} <= whole
    assert {"scarl", "handker", "mas", "k", "…il"} <= set(sent["labels"]) - whole
    assert data.whole_words(Shipped("copy")) is None


@pytest.mark.wide
def test_a_token_that_stands_whole_in_most_of_its_uses_is_no_beginning() -> None:
    """In stories that nobody has counted; those that come seldom may have been missed."""
    whole, rng = data.whole_words(Shipped("stories")), Random(11)
    assert whole is not None
    draw, labels = tasks.make(shipped.SHIPPED["stories"].task).draw, data.token_names(Shipped("stories"))
    ends, goes_on = Counter[int](), Counter[int]()
    for _ in range(600):
        for id, after in pairwise((*draw(rng).target, EOS)):
            (goes_on if is_piece(labels[after]) else ends)[id] += 1
    called_beginnings = {labels[id]: n for id, n in ends.items() if id not in whole and labels[id].isalpha()}
    assert all(n < 10 or n <= goes_on[id] for id, n in ends.items() if labels[id] in called_beginnings)
    assert not {"home", "pet", "every", "have", "at"} & called_beginnings.keys()
    begin_only = [id for id, n in goes_on.items() if n >= 10 and not ends[id] and not is_piece(labels[id])]
    assert begin_only
    assert whole.isdisjoint(begin_only)


@pytest.mark.parametrize(
    ("text", "likeliest", "is_whole"),
    [
        ("greta was tired. on sunday she went", "home", True),
        ("mia found a candle. then mia forgot the", "candle", True),
        ("mia found a candlestick. then mia forgot the", "candle", False),
        ("there was a", "d", False),
    ],
)
def test_whether_the_likeliest_token_is_a_beginning_the_model_says_by_what_it_writes_after_it(
    model: DecoderModel, text: str, likeliest: str, is_whole: bool
) -> None:
    sent = payload(visit(text=text, tree="empty"))
    top = int(np.argmax(sent["logits"]))
    after = int(begin(model, (*sent["given"], top), cached=False).logits.argmax())
    assert (sent["labels"][top], is_piece(sent["labels"][after])) == (likeliest, not is_whole)
    assert (top in sent["whole"]) == is_whole


def test_so_does_it_of_the_likeliest_that_a_penalty_leaves_in_front(model: DecoderModel) -> None:
    """The text has the likeliest token already: a penalty puts it back, and speaks of the likeliest of the others."""
    sent = payload(visit(text="mia found a red hat. tom found a blue ball. mia took the", tree="empty"))
    logits = np.array(sent["logits"])
    assert int(logits.argmax()) in sent["given"]
    logits[sent["given"]] = -np.inf
    top = int(logits.argmax())
    after = int(begin(model, (*sent["given"], top), cached=False).logits.argmax())
    assert (top in sent["whole"]) == (not is_piece(sent["labels"][after]))


def test_another_text_opens_at_its_end_and_so_does_an_old_link_with_branches() -> None:
    for at in (visit(text="mia found a"), visit(tree="5-6"), visit(gen_at="r")):
        assert payload(at)["later"] == []


def test_the_story_is_read_whole_where_somebody_types_it_or_a_link_names_it() -> None:
    for at in (visit(text=story.TEXT), visit(text="mia found a", tree="empty")):
        at.text_input(key="gen_text").set_value(story.TEXT).run()
        sent = payload(at)
        assert (sent["given"], sent["later"]) == (list(GIVEN), [])
        assert payload(at.run())["given"] == list(GIVEN), "and it stays there"
        assert link_of(at)["gen_from"] == str(len(GIVEN)), "so that a link to it shows the same"
    named = visit(text=story.TEXT)
    assert payload(named)["given"] == list(GIVEN)
    assert payload(named.run())["given"] == list(GIVEN)


def test_a_word_of_the_text_is_a_place_to_go_on_from_and_nothing_tried_is_lost() -> None:
    tried = visit(gen_from=len(GIVEN), tree="5-r.6")
    before = visit(**link_of(tried), act=Action("from", 4))
    sent = payload(before)
    assert (sent["given"], sent["later"], sent["at"]) == (list(GIVEN[:4]), list(GIVEN[4:]), ROOT)
    tree = tree_of(before)
    paths = {tree.path(at) for at in range(len(tree.nodes))}
    assert {(*GIVEN[4:], 5), (*GIVEN[4:], 6)} <= paths
    assert len(tree.nodes) == len(GIVEN) - 4 + 2
    after = visit(**link_of(before), act=Action("from", 6))
    assert tree_of(after) == tree
    assert tree.path(payload(after)["at"]) == GIVEN[4:6]
    assert payload(after)["later"] == list(GIVEN[6:])
    assert payload(visit(**link_of(after))) == payload(after)
    other = visit(**link_of(after), act=Action("pick", 5))
    assert payload(other)["later"] == []  # the text does not go on after another word


@pytest.mark.parametrize("n", [0, -1, 18, 10**6])
def test_a_place_that_the_text_does_not_have_changes_nothing(n: int) -> None:
    assert payload(visit(act=Action("from", n))) == payload(visit())
    assert payload(visit(gen_from=n)) == payload(visit())


def test_at_its_end_the_example_is_the_models_word_and_a_wrong_one(model: DecoderModel) -> None:
    sent = payload(visit(gen_from=len(GIVEN)))
    state = begin(model, GIVEN, cached=False)
    np.testing.assert_allclose(sent["logits"], state.logits, atol=1e-4)
    np.testing.assert_allclose(sent["attention"], state.self_attention, atol=1e-4)
    assert sent["draws"][3] == number(3, len(GIVEN))
    assert (sent["given"], sent["at"]) == (list(GIVEN), ROOT)
    starts = [id for parent, id, _, _ in sent["nodes"] if parent == ROOT]
    assert starts == [int(state.logits.argmax()), *ids_of("he")]


def test_every_node_has_its_probability_where_it_stands(model: DecoderModel) -> None:
    ids = ids_of("she was very sad")
    nodes = payload(visit(tree=pack(Tree(tuple((n - 1, id) for n, id in enumerate(ids))))))["nodes"]
    for n, (_, id, p, rank) in enumerate(nodes):
        probs = begin(model, (*GIVEN, *ids[:n]), cached=False).next().probs
        assert p == pytest.approx(probs[id], abs=1e-5)
        assert 1 + (probs > 1.001 * probs[id]).sum() <= rank <= 1 + (probs > 0.999 * probs[id]).sum()


def test_a_wrong_word_can_be_picked_and_the_branch_stays() -> None:
    wrong = ids_of("box")[0]
    at = visit(act=Action("pick", wrong))
    before = tree_of(visit())
    assert tree_of(at).nodes == (*before.nodes, (ROOT, wrong))
    assert payload(at)["at"] == len(before.nodes)
    link = link_of(at)
    assert unpack(link["gen_tree"], len(WORDS), EOS) == tree_of(at)
    again = visit(**link)
    assert payload(again) == payload(at)
    back = visit(**link, act=Action("go", 0))
    assert (tree_of(back), payload(back)["at"], link_of(back)["gen_at"]) == (tree_of(at), 0, "0")


@pytest.mark.parametrize(
    ("knobs", "sampling"),
    [
        (parse_knobs({"temperature": 0}), Sampling(temperature=0)),
        (
            parse_knobs({"temperature": 0.7, "top_k": 5, "top_p": 0.9, "penalty": 1.2, "seed": 4}),
            Sampling(temperature=0.7, top_k=5, top_p=0.9, repetition_penalty=1.2),
        ),
    ],
)
def test_writing_to_the_end_is_a_draw_after_the_other(model: DecoderModel, knobs: Knobs, sampling: Sampling) -> None:
    at = visit(tree="empty", act=Action("write", 0, knobs))
    state = begin(model, GIVEN, cached=False)
    while len(state.ids) < len(GIVEN) + MAX_WRITTEN:
        token = drawn(state.next(sampling).final, number(knobs.seed, len(state.ids))).id
        state = state.take(token)
        if token == EOS:
            break
    assert tree_of(at).path(payload(at)["at"]) == state.written
    assert link_of(at)["gen_tree"] == "-".join(map(str, state.written))


def test_what_does_not_come_to_an_end_is_said_where_the_text_stands() -> None:
    """A notice above the text would move the wall out of the screen."""
    at = visit(tree="empty", act=Action("write", 0, parse_knobs({"temperature": 2.0})))
    assert len(tree_of(at).nodes) == MAX_WRITTEN
    assert payload(at)["note"] == f"It has written {MAX_WRITTEN} tokens without coming to an end."
    assert "without coming to an end" not in texts(at)
    assert payload(visit())["note"] == ""


def test_the_most_probable_story_goes_on_as_the_grammar_tells() -> None:
    at = visit(tree="empty", act=Action("write", 0, parse_knobs({"temperature": 0})), text=TOLD)
    told = WORDS.decode((*ids_of(TOLD), *tree_of(at).path(payload(at)["at"])[:-1]))
    assert right_until(cut(told)) >= len(cut(TOLD)) + 12, "at least one whole sentence more"


def test_clearing_leaves_an_empty_tree_and_says_so_in_the_link() -> None:
    at = visit(gen_from=len(GIVEN), act=Action("anew"))
    assert (tree_of(at), link_of(at)) == (Tree(), {"gen_tree": "empty"})
    at = visit(act=Action("anew"))
    assert (tree_of(at), link_of(at)) == (Tree(), {"gen_tree": "empty", "gen_from": str(len(payload(at)["given"]))})


@pytest.mark.parametrize("act", [Action("pick", 10**6), Action("go", 10**6), Action("pick", -1)])
def test_what_cannot_be_done_changes_nothing(act: Action) -> None:
    assert tree_of(visit(act=act)) == tree_of(visit())


def test_nothing_comes_after_the_end() -> None:
    at = visit(tree=f"5-{EOS}", act=Action("pick", 7))
    assert tree_of(at) == Tree(((ROOT, 5), (0, EOS)))


def test_a_full_tree_takes_no_more() -> None:
    full = "-".join(["5"] * MAX_NODES)
    for act in (Action("pick", 7), Action("write")):
        at = visit(tree=full, act=act)
        assert len(tree_of(at).nodes) == MAX_NODES
        assert payload(at)["full"]


@pytest.mark.parametrize("code", ["x", "5-2-7", "9999", "5.5"])
def test_a_broken_link_is_texts(code: str) -> None:
    at = visit(tree=code)
    assert "do not fit the model" in texts(at)
    assert tree_of(at) == Tree()


def test_settings_come_from_the_link() -> None:
    sent = payload(visit(temperature="0.5", top_k="3", top_p="0.8", penalty="1.5", seed="2"))
    assert [sent[name] for name in KNOBS] == [0.5, 3, 0.8, 1.5, 2]
    assert payload(visit(temperature="hot"))["temperature"] == 1


def test_unknown_words_are_marked_and_long_texts_cut() -> None:
    tales = visit(mine=shipped.load("tales"), text="mia found a dragon")
    assert offered(tales)["unread"] == [False, False, False, True]
    assert offered(visit(text="mia found a dragon"))["unread"] == [False] * 4
    at = visit(text="mia " * 80)
    assert len(payload(at)["given"]) == 1 + MAX_GIVEN
    assert "16 more are left out" in texts(at)


@pytest.mark.parametrize(("link", "text"), zip(ON_WRITING, cycle(["", "<b>*x*</b> $y$ `z` [a](b)", "\u202eabc 🙂"])))
@pytest.mark.usefixtures("few_drawn")
def test_every_view_takes_any_text(link: dict[str, Any], text: str) -> None:
    visit(text=text, **link)


def test_the_cache_is_counted_and_drawn(model: DecoderModel) -> None:
    at = visit(view=VIEWS[1], tree="5-6-7", read="4")
    ids = (*GIVEN, 5, 6, 7)
    contents = begin(model, ids).reading.cache
    config, T = model.config, len(ids)
    k = contents.layers[0].self_attn.k[0].transpose(0, 1).flatten(1).abs().T.numpy()
    np.testing.assert_allclose(numbers(traces(at, -1)[0]["z"]).astype(float), k, atol=1e-5)
    each = 2 * config.n_decoder_layers * config.d_model * 4
    assert f"For {T} tokens: " in texts(at)
    assert f"**{each * T:,}**" in texts(at)
    assert f"**{each:,} bytes** are kept for each token: " in texts(at), "true however far the picture reads on"
    assert f"counted on the tensors: **{contents.n_bytes:,}**" in texts(at)


def test_the_figure_of_the_cache_has_the_models_own_columns_and_counts() -> None:
    header, sides = parts(payload(visit(view=VIEWS[1])))
    model = decoder(shipped.load("stories"))
    T, all_read = len(GIVEN), len(header["tokens"])
    assert (header["read"], all_read) == (T, T + data.MORE)
    assert header["kept"] == [1] * all_read
    assert header["anew"] == list(range(1, all_read + 1))
    state = begin(model, GIVEN)
    for label in header["tokens"][T:]:  # it writes on by itself
        token = int(state.logits.argmax())
        assert WORDS.label(token) == label
        state = state.take(token)
    assert state.logits is not None
    layers, heads, width, each = header["memory"]
    assert (layers, heads, width) == (model.config.n_decoder_layers, model.config.n_kv_heads, model.config.d_k)
    assert each == 2 * layers * heads * width * 4
    assert each * T == begin(model, GIVEN).reading.cache.n_bytes, "each token takes as much"
    held = state.reading.cache.layers[-1].self_attn
    np.testing.assert_allclose(sides["keys"], held.k[0, 0], atol=1e-4)
    np.testing.assert_allclose(sides["values"], held.v[0, 0], atol=1e-4)


def test_the_model_writes_on_as_far_as_there_is_room() -> None:
    ids = GIVEN[:4]
    runs = [data.cache_run(Shipped("stories"), ids, limit) for limit in (4, 6, 100)]
    assert [len(run.ids) for run in runs] == [4, 6, 4 + data.MORE]
    assert len(data.cache_run(Shipped("stories"), (*ids, EOS), 100).ids) == 5, "nothing comes after the end"


def test_multiplications_with_the_cache_are_the_fewer(model: DecoderModel) -> None:
    with_a_cache, without = (
        [multiplications(model.config, len(WORDS), T, cached=cached) for T in range(1, len(GIVEN) + 1)]
        for cached in (True, False)
    )
    lines = {trace["name"]: numbers(trace["y"]).tolist() for trace in traces(visit(view=VIEWS[1]), 0)}
    assert lines == {"with a cache": with_a_cache, "without": without}
    assert with_a_cache[-1] < without[-1]


@pytest.mark.wide
def test_times_are_measured_only_when_asked(model: DecoderModel) -> None:
    at = visit(view=VIEWS[1])
    assert len(charts(at)) == 2
    at = press(at, "gen-measure")
    assert {trace["name"] for trace in traces(at, 1)} == {"without", "with a cache"}
    assert all((numbers(trace["y"]) > 0).all() for trace in traces(at, 1))


def test_one_logit_is_the_vector_times_the_row(model: DecoderModel) -> None:
    at = visit(logits="true", token="ball", gen_from=len(GIVEN))
    state = begin(model, GIVEN, cached=False)
    x, row, product, total = (numbers(trace["y"]) for trace in traces(at))
    id = ids_of("ball")[0]
    np.testing.assert_allclose(row, model.decoder.embedding.weight[id].detach(), atol=1e-6)
    np.testing.assert_allclose(product, x * row, atol=1e-5)
    assert total[-1] == pytest.approx(float(state.logits[id]), abs=1e-4)
    assert f"**{float(state.logits[id]):.4f}**" in texts(at)


def by_itself(at: AppTest) -> dict[str, float]:
    """The share of right tales of each of the two writers."""
    return {writer["name"]: writer["right"] for writer in payloads(at)[0]["writers"]}


def test_two_writers_write_what_the_stored_models_wrote() -> None:
    at = visit(view=VIEWS[2])
    drawn = payloads(at)[0]
    runs = mask.stored()
    assert by_itself(at) == {name: run.right for name, run in runs.items()}
    for n, run in enumerate(runs.values()):
        stored = {sample.words: sample for sample in run.samples}
        for shown in drawn["samples"]:
            sample = stored[tuple(shown["words"])]
            assert (shown["says"][n], tuple(shown["written"][n])) == (sample.says, sample.written)
            assert shown["n_read"] == sample.n_read
    # It opens with a tale in which the guess can be told from the copy, and which is finished well with the mask.
    first, guess = drawn["samples"][0], drawn["samples"][0]["written"][0]
    assert guess[0] != first["words"][first["n_read"]]
    assert tales.is_tale([tales.WORDS.vocabulary.id(word) for word in (*first["words"][: first["n_read"]], *guess)])


@pytest.mark.wide
@pytest.mark.slow
def test_two_are_trained_on_the_page_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer steps: that only one learns to write is tested with the plan itself."""
    monkeypatch.setattr(look_ahead, "STEPS", 40)
    data.mask_trainings.clear()
    first = visit(view=VIEWS[2])
    stored = texts(first)
    assert mask.COMMAND in stored
    assert by_itself(first)["without the mask"] == mask.stored()["without the mask"].right
    first = first.button(key="gen-train-both").click().run()
    assert not payloads(first), "nothing is claimed before it is measured"
    jobs = data.mask_trainings()
    for job in jobs.values():
        assert job.wait(300)
    at = first.run()
    assert data.mask_trainings() is jobs
    outcomes = data.mask_outcomes()
    assert outcomes.keys() == jobs.keys() == {"with the mask", "without the mask"}
    curves = {trace["name"]: numbers(trace["y"]) for trace in traces(at)}
    assert len(curves) == 2
    assert {numbers(trace["x"])[-1] for trace in traces(at)} == {40}
    data.mask_trainings.clear()
    assert by_itself(at)["without the mask"] == outcomes["without the mask"].right


def test_what_they_write_is_told_of_the_two_that_there_are_now(monkeypatch: pytest.MonkeyPatch) -> None:
    def job(id: str, seed: int) -> SimpleNamespace:
        plan = look_ahead.plan(look_ahead=False)
        settings = replace(plan.settings, steps=1, n_examples=50, seed=seed)
        return SimpleNamespace(id=id, checkpoint=save(checkpoint_of(make_trainer(plan._replace(settings=settings)))))

    told = []
    for n in range(2):  # trained again, after something went wrong
        monkeypatch.setattr(data, "mask_trainings", lambda n=n: {"with the mask": job(f"training {n}", seed=n)})
        told.append(data.mask_outcomes()["with the mask"].samples)
    assert told[0] != told[1]


def own_decoder() -> Checkpoint:
    task = tasks.make("text", text=" ".join(Random(0).choices(("the", "cat", "sat", "mat"), k=200)), length=12)
    config = TransformerConfig(d_model=16, n_heads=2, n_decoder_layers=1, tie_output=False)
    trainer = Trainer(task, config, Settings(steps=2, n_examples=50, n_tests=10))
    list(trainer.run())
    return checkpoint_of(trainer)


def test_a_model_of_ones_own_writes_its_own_text() -> None:
    mine = own_decoder()
    for link in ON_WRITING:
        at = visit(mine=mine, model=OWN, **link)
        assert "no such model" not in texts(at)
    sent = payload(visit(mine=mine, model=OWN, text="the c"))
    model = decoder(mine)
    ids = (BOS, *mine.task.source.encode("the c"))
    np.testing.assert_allclose(sent["logits"], begin(model, ids).logits, atol=1e-5)
    assert sent["given"] == list(ids)
    assert sent["glue"] == ""


def test_a_model_of_ones_own_is_chosen_first() -> None:
    mine = own_decoder()
    at = visit(mine=mine)
    assert control(at, "gen_model").value == OWN
    ids = [BOS, *mine.task.source.encode(mine.task.opening)]
    assert payload(at)["given"] == ids


def test_another_model_puts_its_own_opening_into_the_box() -> None:
    """A browser goes on sending the text that it shows unless it is told another: then the tree was drawn for one text
    and the next press for another."""
    mine = own_decoder()
    at = choose(visit(mine=mine, model="Stories"), gen_model=OWN)
    box = control(at, "gen_text")
    assert box.value == mine.task.opening
    assert box.proto.set_value, "the box is told its new text"
    assert box.proto.value == mine.task.opening
    assert payload(at)["given"] == [BOS, *mine.task.source.encode(mine.task.opening)]
    assert "gen_tree" not in link_of(at)


def test_another_beginning_forgets_the_branches() -> None:
    at = visit(tree="5-6-7")
    assert len(tree_of(at).nodes) == 3
    at = choose(at, gen_text="the cat")
    assert tree_of(at) == Tree()
    assert len(tree_of(visit(text="the cat", tree="5-6-7")).nodes) == 3, "a link brings both"


def test_tokens_without_text_have_the_names_of_all_pages() -> None:
    assert payload(visit())["labels"][:4] == ["⟨pad⟩", "⟨start⟩", "⟨end⟩", "⟨unknown⟩"]


def test_without_a_model_of_ones_own_the_link_falls_back() -> None:
    assert "there is no such model here" in texts(visit(model=OWN))


def test_a_look_leaves_torchs_own_generator_alone() -> None:
    before = torch.random.get_rng_state()
    visit(tree="empty", act=Action("write"))
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize(
    ("link", "act"),
    [(ON_WRITING[0], Action("write")), (ON_WRITING[0], Action("pick", 5)), *zip(ON_WRITING, cycle([None]))],
)
@pytest.mark.wide
def test_a_learned_table_of_positions_has_an_end(link: dict[str, Any], act: Action | None) -> None:
    task = tasks.make("repeat")
    limit = 2 * task.longest
    config = TransformerConfig(d_model=8, n_heads=2, n_decoder_layers=1, positions="learned", max_len=limit)
    mine = checkpoint_of(Trainer(task, config, Settings(steps=1, n_examples=50, n_tests=5)))
    for text in ("", "a " * (limit - 2), "a " * (limit + 5)):
        at = visit(mine=mine, act=act, model=OWN, text=text, **link)
        n = len(at.query_params.get("gen_tree", [""])[0].split("-")) if "gen_tree" in at.query_params else 0
        assert min(limit, 1 + len(text.split())) + n <= limit
    at = visit(mine=mine, model=OWN, text="a", **link, tree="-".join(["5"] * limit))
    assert "do not fit the model" in notices(at)


def test_results_of_a_model_of_ones_own_are_cached_under_its_key() -> None:
    caching.clear()
    visit(mine=own_decoder(), model=OWN)
    n, _ = caching.usage()["pages.generation.data.next_token"]
    assert n == 1
    visit(mine=own_decoder(), model=OWN)
    assert caching.usage()["pages.generation.data.next_token"][0] == 2, "another visitor's model has another key"


def test_speed_is_measured_while_nothing_else_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(model: object, given: object) -> WritingSpeed:
        assert [turn.is_alone for turn in gate.GATE.running] == [True]
        return WritingSpeed((8,), (1.0,), (2.0,), 3)

    monkeypatch.setattr("transformer.inspection.writing.measure_speed", measure)
    at = press(visit(view=VIEWS[1]), "gen-measure")
    assert gate.GATE.running == ()
    assert "took 1 ms with the cache, 2 ms without" in texts(at)


@pytest.mark.parametrize("place", ["0000009", "0000000009", "0" * 5000 + "1", "9" * 5000, "٣", "-1", "1.0", "r0", " 1"])
def test_a_place_that_the_tree_does_not_have_becomes_the_last(place: str) -> None:
    at = visit(tree="12-40-9-7", at=place)
    assert payload(at)["at"] == 3


# ---- a hundred whole texts -----------------------------------------------------------------------------------------


def wall(at: AppTest) -> dict:
    """What the wall of texts was sent."""
    (sent,) = (sent for sent in driver.payloads(at) if isinstance(sent, dict) and "lines" in sent)
    return sent


def asked_for(at: AppTest, temperature: object) -> AppTest:
    """The page once the wall, whose slider has been dragged, has asked for these texts."""
    at.session_state[hundred.WALL] = {"asked": {"of": wall(at)["of"], "temperature": temperature}}
    return at.run()


def fates(at: AppTest) -> dict[str, list[str]]:
    """The texts on screen by their fate."""
    found: dict[str, list[str]] = {}
    for line in wall(at)["lines"]:
        found.setdefault(line["fate"], []).append((line["right"] + line["rest"]).removesuffix("⟨end⟩"))
    return found


def test_a_hundred_texts_are_graded_by_the_grammar_up_to_the_first_wrong_word(few_drawn: int) -> None:
    at = visit(hundred="true", left=1.6, text=TOLD)
    assert not at.exception
    found = fates(at)
    assert sum(map(len, found.values())) == few_drawn
    for fate in ("right", "wrong"):
        told = [log_probability(cut(text)) > -np.inf for text in found[fate]]
        assert set(told) == {fate == "right"}
    shown = wall(at)
    assert (shown["graded"], shown["temperature"], shown["opens"]) == (True, 1.6, 1.6)
    assert f"{len(found['right'])} right" in shown["said"]
    for line in shown["lines"]:
        assert bool(line["rest"]) == (line["fate"] != "right")
        good, whole = cut(line["right"]), cut(line["right"] + line["rest"].removesuffix("⟨end⟩"))
        assert right_until(whole) == len(good)
    calm = wall(asked_for(at, 0.3))
    assert (calm["temperature"], calm["opens"], calm["of"]) == (0.3, 1.6, shown["of"])
    assert sum(line["fate"] == "right" for line in calm["lines"]) > len(found["right"]) + 4


@pytest.mark.parametrize("temperature", [0.2, "0.3", None, [1.0]])
@pytest.mark.usefixtures("few_drawn")
def test_only_temperatures_of_the_slider_are_drawn(temperature: object) -> None:
    at = asked_for(visit(hundred="true", text=TOLD), temperature)
    assert not at.exception
    assert wall(at)["temperature"] == 1.0


@pytest.mark.parametrize(("link", "shown"), [("0.3", 0.3), ("2", 2.0), ("0.31", 1.0), ("hot", 1.0)])
@pytest.mark.usefixtures("few_drawn")
def test_a_link_names_a_temperature_or_is_told_that_there_is_none(link: str, shown: float) -> None:
    at = visit(hundred="true", text=TOLD, left=link)
    assert wall(at)["opens"] == shown
    assert ("No texts are drawn at" in notices(at)) == (shown == 1.0)


@pytest.mark.wide
def test_cold_texts_become_one_which_is_right_after_the_pages_beginning_and_wrong_after_none(few_drawn: int) -> None:
    """What the question on cold texts says of the model: its temperature alone makes nothing right."""
    ref = data.shipped_decoders()["Stories"]
    after = {(given, t): data.hundred(ref, given, t) for given in (GIVEN, (BOS,)) for t in (0.1, 1.0)}
    right = {key: texts.counts.get("right", 0) for key, texts in after.items()}
    assert right[GIVEN, 0.1] >= 0.9 * few_drawn > right[GIVEN, 1.0]
    assert right[(BOS,), 0.1] <= 0.1 * few_drawn < right[(BOS,), 1.0]
    assert after[GIVEN, 0.1].n_different < after[GIVEN, 1.0].n_different


@pytest.mark.wide
def test_a_hundred_texts_are_drawn_with_the_same_numbers_for_everybody(model) -> None:
    ref = data.shipped_decoders()["Stories"]
    given = GIVEN[:-3]  # after which no other test draws fewer
    result = data.hundred(ref, given, 1.0)
    # Ended texts leave the batch, whose size decides the rounding: drawn in the same way, on whatever processor.
    numbers = torch.Generator().manual_seed(0)
    drawn_again = sample_batch(model, given, 100, data.MAX_DRAWN, numbers, eos=EOS).tolist()
    assert result.texts[0] == WORDS.decode([*given[1:], *drawn_again[0][: drawn_again[0].index(EOS)]])
    assert result.n_different == len(
        {tuple(ids[: ids.index(EOS)]) if EOS in ids else tuple(ids) for ids in drawn_again}
    )


def test_where_nobody_can_tell_what_is_right_only_ends_are_counted() -> None:
    recipe = tasks.recipe("repeat")
    mine = checkpoint_of(Trainer(tasks.make("repeat"), recipe.config, replace(recipe.settings, n_examples=50)))
    at = visit(mine=mine, hundred="true")
    assert not at.exception
    assert set(fates(at)) <= {"ended", "without an end"}
    assert "only their ends are counted" in texts(at)


@pytest.mark.parametrize("step", [0, 1])
def test_a_model_that_writes_can_be_seen_at_a_step_of_its_training(step: int) -> None:
    stories = shipped.load("stories")
    at = visit(step=stories.stops[step], gen_from=len(GIVEN))
    model = stories.model_at(stories.stops[step])
    logits = begin(decoder(replace(stories, weights=dict(model.named_parameters()))), GIVEN).next().logits
    np.testing.assert_allclose(payload(at)["logits"], logits, atol=1e-3)
    assert f"{stories.stops[step]:,} steps of training" in at.expander[-1].label
