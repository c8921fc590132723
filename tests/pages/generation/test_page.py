"""The page on generation, as the server runs it: every view, links, actions, and the numbers against the model."""

import base64
import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.generation import data, views
from pages.generation.components.next_word import MOST, ROOT, Action, Tree, knobs_of, pack, unpack
from pages.generation.next_word import KNOBS, MOST_WRITTEN
from pages.generation.text import MOST_GIVEN, OWN
from pages.shared import checkpoints
from tests.pages.driver import open_page
from transformer.config import TransformerConfig
from transformer.generation import Sampling, begin
from transformer.generation.slices import drawn, number
from transformer.inspection.writing import multiplications
from transformer.training import shipped, tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.tasks.stories import WORDS, log_probability
from transformer.training.text import BOS, EOS
from transformer.training.trainer import Settings, Trainer

APP = Path(__file__).parents[3] / "app.py"
GIVEN = (BOS, *WORDS.encode("mia found a red ball in the park."))
VIEWS = tuple(views.VIEWS)


@pytest.fixture(scope="module")
def model():
    return shipped.load("stories").model()


def ids_of(text: str) -> list[int]:
    return WORDS.encode(text)


def visit(*, act=None, own=None, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name if name.startswith("gen_") else f"gen_{name}"] = str(value)
    if act:
        at.session_state["_gen_action"] = act
    if own:
        at.session_state[checkpoints.HAND_OVER] = own
    at = open_page(at, "generation").run()
    assert not at.exception
    return at


def shown(at: AppTest) -> dict:
    (component,) = at.get("bidi_component")
    return json.loads(component.proto.json)


def tree_of(at: AppTest) -> Tree:
    return Tree(tuple((parent, id) for parent, id, _, _ in shown(at)["nodes"]))


def said(at: AppTest) -> str:
    return "\n".join(x.value for kind in (at.markdown, at.caption, at.text) for x in kind)


def link_of(at: AppTest) -> dict:
    return {name: at.query_params[name] for name in at.query_params}


def chart(at: AppTest, n: int = 0) -> list[dict]:
    return json.loads(at.get("plotly_chart")[n].proto.spec)["data"]


def numbers(data) -> np.ndarray:
    if isinstance(data, dict):
        array = np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"])
        return array.reshape([int(n) for n in str(data["shape"]).split(",")]) if "shape" in data else array
    return np.array(data, float)


def test_it_opens_on_a_finished_example_that_is_the_models_own(model):
    data = shown(visit())
    state = begin(model, GIVEN, cached=False)
    np.testing.assert_allclose(data["logits"], state.logits, atol=1e-4)
    np.testing.assert_allclose(data["attention"], state.self_attention, atol=1e-4)
    assert data["draws"][3] == number(3, len(GIVEN))
    assert (data["given"], data["at"]) == (list(GIVEN), ROOT)
    starts = [id for parent, id, _, _ in data["nodes"] if parent == ROOT]
    assert starts == [int(state.logits.argmax()), *ids_of("he")]
    assert link_of(visit()) == {}


def test_every_node_has_its_probability_where_it_stands(model):
    ids = ids_of("she was very sad")
    nodes = shown(visit(tree=pack(Tree(tuple((n - 1, id) for n, id in enumerate(ids))))))["nodes"]
    for n, (_, id, p, rank) in enumerate(nodes):
        probs = begin(model, (*GIVEN, *ids[:n]), cached=False).next().probs
        assert p == pytest.approx(probs[id], abs=1e-5)
        assert rank == 1 + (probs > probs[id] + 1e-9).sum()


def test_a_wrong_word_can_be_picked_and_the_branch_stays():
    wrong = ids_of("box")[0]
    at = visit(act=Action("pick", wrong))
    before = tree_of(visit())
    assert tree_of(at).nodes == (*before.nodes, (ROOT, wrong))
    assert shown(at)["at"] == len(before.nodes)
    link = link_of(at)
    assert unpack(link["gen_tree"], len(WORDS), EOS) == tree_of(at)
    again = visit(**link)
    assert shown(again) == shown(at)
    back = visit(**link, act=Action("go", 0))
    assert (tree_of(back), shown(back)["at"], link_of(back)["gen_at"]) == (tree_of(at), 0, "0")


@pytest.mark.parametrize(("knobs", "sampling"), [
    (knobs_of({"temperature": 0}), Sampling(temperature=0)),
    (knobs_of({"temperature": 0.7, "top_k": 5, "top_p": 0.9, "penalty": 1.2, "seed": 4}),
     Sampling(temperature=0.7, top_k=5, top_p=0.9, repetition_penalty=1.2)),
])  # fmt: skip
def test_writing_to_the_end_is_a_draw_after_the_other(model, knobs, sampling):
    at = visit(tree="empty", act=Action("write", 0, knobs))
    state = begin(model, GIVEN, cached=False)
    while len(state.ids) < len(GIVEN) + MOST_WRITTEN:
        token = drawn(state.next(sampling).final, number(knobs.seed, len(state.ids))).id
        state = state.take(token)
        if token == EOS:
            break
    assert tree_of(at).path(shown(at)["at"]) == state.written
    assert link_of(at)["gen_tree"] == "-".join(map(str, state.written))


def test_the_most_probable_story_is_one_that_the_grammar_tells():
    at = visit(tree="empty", act=Action("write", 0, knobs_of({"temperature": 0})))
    told = [WORDS.vocabulary[id] for id in (*GIVEN[1:], *tree_of(at).path(shown(at)["at"])[:-1])]
    assert log_probability(told) > -np.inf


def test_clearing_leaves_an_empty_tree_and_says_so_in_the_link():
    at = visit(act=Action("anew"))
    assert (tree_of(at), link_of(at)) == (Tree(), {"gen_tree": "empty"})


@pytest.mark.parametrize(
    "act",
    [Action("pick", 10**6), Action("go", 10**6), Action("pick", -1)],
)
def test_what_cannot_be_done_changes_nothing(act):
    assert tree_of(visit(act=act)) == tree_of(visit())


def test_nothing_comes_after_the_end():
    at = visit(tree=f"5-{EOS}", act=Action("pick", 7))
    assert tree_of(at) == Tree(((ROOT, 5), (0, EOS)))


def test_a_full_tree_takes_no_more():
    full = "-".join(["5"] * MOST)
    for act in (Action("pick", 7), Action("write")):
        at = visit(tree=full, act=act)
        assert len(tree_of(at).nodes) == MOST
        assert shown(at)["full"]


@pytest.mark.parametrize("code", ["x", "5-2-7", "999", "5.5"])
def test_a_broken_link_is_said(code):
    at = visit(tree=code)
    assert "do not fit the model" in said(at)
    assert tree_of(at) == Tree()


def test_settings_come_from_the_link():
    data = shown(visit(temperature="0.5", top_k="3", top_p="0.8", penalty="1.5", seed="2"))
    assert [data[name] for name in KNOBS] == [0.5, 3, 0.8, 1.5, 2]
    assert shown(visit(temperature="hot"))["temperature"] == 1


def test_unknown_words_are_named_and_long_texts_cut():
    assert "never met “dragon”" in said(visit(text="mia found a dragon"))
    at = visit(text="mia " * 80)
    assert len(shown(at)["given"]) == 1 + MOST_GIVEN
    assert "16 more are left out" in said(at)


@pytest.mark.parametrize("text", ["", "<b>*x*</b> $y$ `z` [a](b)", "\u202eabc 🙂"])
@pytest.mark.parametrize("view", VIEWS[:3])
def test_every_view_takes_any_text(view, text):
    visit(view=view, text=text)


def test_the_cache_is_counted_and_drawn(model):
    at = visit(view=VIEWS[1], tree="5-6-7", read="4")
    held = begin(model, (*GIVEN, 5, 6, 7)).reading.cache
    k = held.layers[0].self_attn.k[0].transpose(0, 1).flatten(1).abs().T.numpy()
    first = numbers(chart(at)[0]["z"]).astype(float)
    np.testing.assert_allclose(first[:, :4], k[:, :4], atol=1e-5)
    assert np.isnan(first[:, 4:]).all()
    assert f"**{2 * 2 * 4 * 4 * 16 * 4:,}**" in said(at)
    assert numbers(chart(at, 1)[1]["y"])[-1] == held.n_bytes


def test_multiplications_with_the_cache_are_the_fewer(model):
    with_a_cache, without = (
        [multiplications(model.config, len(WORDS), T, cached=cached) for T in range(1, len(GIVEN) + 1)]
        for cached in (True, False)
    )
    lines = {trace["name"]: numbers(trace["y"]).tolist() for trace in chart(visit(view=VIEWS[1]), 2)}
    assert lines == {"with a cache": with_a_cache, "without": without}
    assert with_a_cache[-1] < without[-1]


def test_times_are_measured_only_when_asked(model):
    at = visit(view=VIEWS[1])
    assert len(at.get("plotly_chart")) == 3
    at = at.button(key="gen-measure").click().run()
    assert not at.exception
    assert {trace["name"] for trace in chart(at, 3)} == {"without", "with a cache"}
    assert all((numbers(trace["y"]) > 0).all() for trace in chart(at, 3))


def test_one_logit_is_the_vector_times_the_row(model):
    at = visit(view=VIEWS[2], token="sam")
    state = begin(model, GIVEN, cached=False)
    x, row, product, total = (numbers(trace["y"]) for trace in chart(at))
    id = ids_of("sam")[0]
    np.testing.assert_allclose(row, model.decoder.embedding.weight[id].detach(), atol=1e-6)
    np.testing.assert_allclose(product, x * row, atol=1e-5)
    assert total[-1] == pytest.approx(float(state.logits[id]), abs=1e-4)
    assert f"**{float(state.logits[id]):.4f}**" in said(at)


def test_two_are_trained_on_the_page_once_for_all_and_only_one_can_write():
    first = visit(view=VIEWS[3])
    assert "by itself |" not in said(first), "nothing is claimed before it is measured"
    pair = data.with_and_without_mask()
    for job in pair.values():
        assert job.wait(300)
    at = visit(view=VIEWS[3])
    assert data.with_and_without_mask() is pair
    made = data.written_by_both()
    assert made["with the mask"].by_itself > 0.9
    assert made["without the mask"].by_itself < 0.1
    curves = {trace["name"]: numbers(trace["y"]) for trace in chart(at)}
    assert min(curve[-1] for curve in curves.values()) > 0.95
    assert f"**{made['without the mask'].by_itself:.0%}**" in said(at)


def own_decoder():
    from transformer.config import TransformerConfig
    from transformer.training import tasks
    from transformer.training.checkpoints import checkpoint_of
    from transformer.training.trainer import Settings, Trainer

    task = tasks.make("text", text=" ".join(Random(0).choices(("the", "cat", "sat", "mat"), k=200)), length=12)
    config = TransformerConfig(d_model=16, n_heads=2, n_decoder_layers=1, tie_output=False)
    trainer = Trainer(task, config, Settings(steps=2, n_examples=50, n_tests=10))
    list(trainer.run())
    return checkpoint_of(trainer)


def test_a_model_of_ones_own_writes_its_own_text():
    own = own_decoder()
    for view in VIEWS[:3]:
        at = visit(own=own, model=OWN, view=view)
        assert "no such model" not in said(at)
    data = shown(visit(own=own, model=OWN, text="the c"))
    model = own.model()
    ids = (BOS, *own.task.source.encode("the c"))
    np.testing.assert_allclose(data["logits"], begin(model, ids).logits, atol=1e-5)
    assert data["given"] == list(ids)
    assert data["glue"] == ""


def test_without_a_model_of_ones_own_the_link_falls_back():
    assert "there is no such model here" in said(visit(model=OWN))


def test_a_look_leaves_torchs_own_generator_alone():
    before = torch.random.get_rng_state()
    visit(tree="empty", act=Action("write"))
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize("view", [view for view in VIEWS if view != "Without the mask"])
@pytest.mark.parametrize("act", [None, Action("write"), Action("pick", 5)])
def test_a_learned_table_of_positions_has_an_end(view, act):
    task = tasks.make("repeat")
    most = 2 * task.longest
    config = TransformerConfig(d_model=8, n_heads=2, n_decoder_layers=1, positions="learned", max_len=most)
    made = checkpoint_of(Trainer(task, config, Settings(steps=1, n_examples=50, n_tests=5)))
    for text in ("", "a " * (most - 2), "a " * (most + 5)):
        at = visit(own=made, act=act, model=OWN, view=view, text=text)
        n = len(at.query_params.get("gen_tree", [""])[0].split("-")) if "gen_tree" in at.query_params else 0
        assert min(most, 1 + len(text.split())) + n <= most
    at = visit(own=made, model=OWN, view=view, text="a", tree="-".join(["5"] * most))
    assert "do not fit the model" in "\n".join(said.value for said in at.text)
