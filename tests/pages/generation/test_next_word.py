"""The tree of texts and its string in the link; what the browser sends back is checked."""

from random import Random

import pytest
import streamlit as st

from pages.generation.components.next_word import MAX_NODES, ROOT, SEEDS, Action, Knobs, parse_knobs, received_action
from pages.generation.components.next_word.tree import Tree, pack, unpack


def random_tree(rng: Random, n: int) -> Tree:
    tree = Tree()
    while len(tree.nodes) < n:
        tree, _ = tree.with_token(rng.randint(ROOT, len(tree.nodes) - 1), rng.randrange(4, 90))
    return tree


@pytest.mark.parametrize("n", [0, 1, 2, 17, MAX_NODES])
def test_a_tree_comes_back_from_its_link(n: int) -> None:
    for seed in range(20):
        tree = random_tree(Random(seed), n)
        assert unpack(pack(tree), 90, end=2) == tree


def test_a_chain_is_only_its_ids() -> None:
    assert pack(Tree(((ROOT, 5), (0, 6), (1, 7), (0, 8), (ROOT, 9)))) == "5-6-7-0.8-r.9"


def test_paths_and_growing() -> None:
    tree, a = Tree().with_token(ROOT, 5)
    tree, b = tree.with_token(a, 6)
    tree, c = tree.with_token(a, 7)
    assert (tree.path(b), tree.path(c), tree.path(ROOT)) == ((5, 6), (5, 7), ())
    assert tree.with_token(a, 6) == (tree, b)


@pytest.mark.parametrize(
    "code",
    [
        "x",
        "5-",
        "-5",
        "5--6",
        "90",
        "5-1.6",
        "5-0.6-0.6",
        "5-2-7",
        "5.5",
        "5-r",
        "5-٣",
        "5-6\n",
        "-".join(["5"] * (MAX_NODES + 1)),
        "9" * 9999,
    ],
)
def test_what_is_no_tree_is_refused(code: str) -> None:
    assert unpack(code, 90, end=2) is None


def test_the_end_may_stand_at_the_end() -> None:
    assert unpack("5-2", 90, end=2) == Tree(((ROOT, 5), (0, 2)))


def test_an_empty_link_is_an_empty_tree() -> None:
    assert unpack(None, 9) == unpack("", 9) == Tree()


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        "x",
        {"temperature": "nan"},
        {"temperature": "9"},
        {"top_k": "2.5"},
        {"top_p": 0},
        {"seed": SEEDS},
        {"penalty": "inf"},
        {"seed": "1" * 50},
    ],
)
def test_impossible_settings_become_the_defaults(given: object) -> None:
    assert parse_knobs(given) == Knobs()


def test_settings_are_read() -> None:
    given = {"temperature": "0.5", "top_k": 7, "top_p": "0.9", "penalty": 1.5, "seed": "3"}
    assert parse_knobs(given) == Knobs(0.5, 7, 0.9, 1.5, 3)


@pytest.mark.parametrize(
    ("sent", "wanted"),
    [
        ({"do": "pick", "number": 5}, Action("pick", 5)),
        ({"do": "go", "number": -1}, Action("go", -1)),
        ({"do": "from", "number": 4}, Action("from", 4)),
        ({"do": "write", "knobs": {"temperature": 0}}, Action("write", 0, Knobs(temperature=0.0))),
        ({"do": "anew"}, Action("anew")),
        ({"do": "drop"}, None),
        ({"do": "pick", "number": "5"}, None),
        ({"do": "pick", "number": True}, None),
        ({"do": "pick", "number": -2}, None),
        ("pick", None),
        (None, None),
        ({"do": ["pick"]}, None),
    ],
)
def test_what_the_browser_sends_is_checked(
    sent: object, wanted: Action | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(st, "session_state", {"words": {"act": sent}})
    assert received_action("words") == wanted
