"""Your tensors: a finished example, files of strangers, and the lines of Python on the page, each of which is run."""

import io
import json
import re
import runpy
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from attention_view.tensor_file import read
from pages.pretrained import tensors
from pages.pretrained.components.from_file import Shown, plain_maps
from pages.pretrained.own_tensors import data
from tests.pages import driver
from tests.pages.driver import notices, payloads, words
from tests.payloads import Payload, unpack

HERE = Path(data.__file__).parent


def visit(example: str = data.OURS) -> AppTest:
    """The fold with all of a file, on this example."""
    return driver.visit(
        "pretrained", pretrained_view="Bring a model", pretrained_bring_file="true", pretrained_example=example
    )


def steps(at: AppTest) -> dict[str, Any]:
    """What the picture of the three steps was sent."""
    (sent,) = (data for data in payloads(at) if isinstance(data, dict) and "scripts" in data)
    return sent


def shown(at: AppTest) -> dict[str, Payload]:
    """What the attention view was sent, by kind of attention."""
    (sent,) = (data for data in payloads(at) if isinstance(data, bytes))
    packet = unpack(sent)
    return {kind: unpack(packet.arrays[f"kind:{kind}"].tobytes()) for kind in packet.header["kinds"]}


def test_a_weight_that_rounding_has_made_larger_than_1_is_drawn_as_1() -> None:
    sent = np.frombuffer(b64decode(plain_maps(np.array([0, 0.5, 1, 1.004]))), "<u2")
    assert sent.tolist() == [0, 32768, 65535, 65535]


def bring(at: AppTest, content: bytes, name: str = "mine.npz") -> AppTest:
    at.file_uploader(key="pretrained_own_file").set_value((name, content, "")).run()
    return driver.checked(at)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


MINE = np.full((3, 2, 4, 4), 0.25, np.float32)


def maps_of(one: dict[str, Any]) -> np.ndarray:
    """The attention weights that are sent, (heads, queries, keys)."""
    sent = np.frombuffer(b64decode(one["maps"]), "<u2") / 65535
    return sent.reshape(-1, len(one["queries"]), len(one["keys"]))


def test_every_example_comes_through_the_reader_of_strangers_files():
    """Its small maps are its weights, and it opens where the file says, at a token that looks elsewhere."""
    sent = steps(driver.visit("pretrained", pretrained_view="Bring a model"))
    assert [one["name"] for one in sent["examples"]] == list(data.EXAMPLES)
    assert sent["own"] is None
    for one in [kind for example in sent["examples"] for kind in (example, *example["also"])]:
        content = data.example(one["name"])
        picture = read(content)[one["kind"]]
        assert (one["n_bytes"], one["tokens"]) == (len(content), picture.weights.shape[2])
        weights = picture.weights.astype("f4").reshape(-1, *picture.weights.shape[2:])
        np.testing.assert_allclose(maps_of(one).reshape(weights.shape), weights, atol=1e-5)
    tired, ours = sent["examples"]
    assert [one["queries"][one["asks"]] for one in sent["examples"]] == ["it", "chat"]
    assert tired["keys"][maps_of(tired)[tired["named"], tired["asks"]].argmax()] == "animal"
    assert [tired["keys"][key] for key in tired["marks"]] == ["[CLS]", "[SEP]"]
    assert ours["marks"] == []
    assert [[one["kind"], *(other["kind"] for other in one["also"])] for one in (ours, tired)] == [
        ["cross", "encoder", "decoder"],
        ["encoder"],
    ]


def test_most_heads_rest_where_nothing_is_said_whatever_the_subject_is():
    """What the figure says of the example is of “it” looking: the counterpart is a head that was made to look there."""
    tired = data.example_shown("tired.safetensors")
    looks = maps_of(tired.plain())[:, tired.asks].argmax(-1)
    keys = [tired.keys[key] for key in looks]
    assert (keys.count("[CLS]"), keys.count("animal")) == (53, 3)
    made = read(data.example(tired.name))["encoder"].weights.astype("f4")
    made[:4, :, tired.asks] = np.eye(len(tired.keys))[tired.keys.index("animal")]
    other = data.shown("made.npz", 9, data.read(npz(attention=made, tokens=json.dumps([*tired.keys]))), tired.asks)
    looks = maps_of(other.plain())[:, other.asks].argmax(-1)
    assert [tired.keys[key] for key in looks].count("animal") >= 48


def test_a_file_asks_about_the_word_from_which_heads_look_at_the_most_different_keys():
    weights = np.full((1, 3, 5, 5), 0.1, np.float32)
    weights[..., 0] = 0.6  # everybody looks at the first token
    weights[0, 2, 3] = [0.15, 0.6, 0.1, 0.1, 0.05]

    def asks(weights: np.ndarray) -> int:
        return data.shown("mine.npz", 9, data.read(npz(attention=weights))).asks

    assert asks(weights) == 3
    weights[0, 1, 4] = [0.15, 0.1, 0.1, 0.6, 0.05]
    weights[0, 2, 4] = [0.15, 0.1, 0.6, 0.1, 0.05]
    assert asks(weights) == 4


def test_of_a_large_file_the_first_tokens_are_drawn():
    rng = np.random.default_rng(0)
    large = data.shown("large.npz", 9, data.read(npz(attention=rng.dirichlet(np.ones(70), (2, 3, 70)))))
    assert (large.tokens, len(large.keys), len(large.queries)) == (70, 48, 48)
    many = data.shown("many.npz", 9, data.read(npz(attention=rng.dirichlet(np.ones(40), (40, 32, 40)).astype("f2"))))
    assert len(many.keys) ** 2 * 40 * 32 <= data.MAX_CELLS
    assert len(b64decode(many.maps)) == 2 * len(many.keys) ** 2 * 40 * 32
    one = data.shown("one.npz", 9, data.read(npz(attention=np.ones((1, 1, 1, 1), "f4"))))
    assert maps_of(one.plain()).tolist() == [[[1.0]]]


def test_what_a_word_looks_at_most_may_be_a_key_that_is_not_drawn():
    """It is sent, with its weight; of the keys that are drawn none is then said to be the most."""
    weights = np.full((1, 2, 10, 100), 0.1 / 99)
    weights[..., 60] = 0.9
    weights[0, 1, 3, [60, 7]] = 0.1 / 99, 0.9

    def drawn(weights: np.ndarray) -> Shown:
        return data.shown("cross.npz", 9, data.read(npz(attention=weights)))

    cut = drawn(weights)
    assert (cut.tokens, cut.n_keys, len(cut.keys)) == (10, 100, 48)
    assert [row for row, *_ in cut.beyond] == [row for row in range(20) if row != 13]
    assert {(key, round(weight, 6), token) for _, key, weight, token in cut.beyond} == {(60, 0.9, cut.beyond[0][3])}
    assert cut.beyond[0][3] not in cut.keys
    assert cut.asks == 3
    few = drawn(weights[..., :48] / weights[..., :48].sum(-1, keepdims=True))
    assert few.beyond == ()


def test_it_opens_on_a_finished_example_of_three_kinds():
    at = visit()
    assert notices(at) == ""
    kinds = shown(at)
    assert list(kinds) == ["encoder", "decoder", "cross"]
    assert kinds["cross"].header["keys"][:4] == ["the", "little", "black", "cat"]
    assert kinds["cross"].header["queries"][:3] == ["le", "petit", "chat"], "each row is the word that it writes"
    for packet in kinds.values():
        np.testing.assert_allclose(packet.arrays["weights"].sum(-1), 1, atol=0.01)
        assert {"q", "k"} <= packet.arrays.keys(), "every number can be explained"
    assert set(kinds["cross"].header["chance"]) == {"entropy"}, "no distance from a word to one of another text"


def test_a_file_takes_the_place_of_the_example():
    at = bring(visit(), npz(attention=MINE, tokens=json.dumps(["so", "<b>it</b>", "is", "."])))
    (packet,) = shown(at).values()
    assert packet.header["queries"] == ["so", "<b>it</b>", "is", "."]
    np.testing.assert_array_equal(packet.arrays["weights"], MINE)
    assert "**mine\\.npz** holds encoder 3 × 2 heads of 4 × 4" in words(at)
    own = steps(at)["own"]
    assert (own["name"], own["layers"], own["heads"], own["keys"]) == ("mine.npz", 3, 2, ["so", "<b>it</b>", "is", "."])


def test_an_example_takes_the_place_of_ones_own_file_which_is_kept():
    at = bring(visit(), npz(attention=MINE))
    at.session_state[tensors.TRIED] = data.OURS
    at = driver.checked(at.run())
    assert list(shown(at)) == ["encoder", "decoder", "cross"]
    assert steps(at)["own"]["name"] == "mine.npz"
    at.session_state[tensors.TRIED] = ""
    assert list(shown(driver.checked(at.run()))) == ["encoder"]
    at = bring(at, npz(attention=MINE[:1]), "other.npz")
    assert "**other\\.npz** holds encoder 1 × 2" in words(at)


def test_ones_own_file_stays_while_another_is_on_its_way():
    """The uploader is empty then, and stays empty where that other one is lost."""
    at = bring(visit(), npz(attention=MINE))
    at.file_uploader(key="pretrained_own_file").set_value(None).run()
    assert (steps(at)["own"]["name"], steps(at)["open"]) == ("mine.npz", "")
    assert list(shown(driver.checked(at.run()))) == ["encoder"]


def test_the_figure_hears_which_file_is_open_and_how_many_have_come():
    """The same file that comes again has come, and one that is named like an example is no example."""

    def told(at: AppTest) -> tuple[Any, ...]:
        return tuple(steps(at)[name] for name in ("open", "came", "refused"))

    at = visit()
    assert told(at) == (data.OURS, 0, "")
    at = bring(at, npz(attention=MINE), tensors.FIRST)
    assert told(at) == ("", 1, "")
    at.session_state[tensors.TRIED] = tensors.FIRST
    at = driver.checked(at.run())
    assert told(at) == (tensors.FIRST, 1, "")
    at = bring(at, npz(attention=MINE), tensors.FIRST)
    assert told(at) == ("", 2, "")
    at = bring(at, b"", "bad.npz")
    assert told(at)[:2] == ("", 3)
    assert told(at)[2].startswith("“bad.npz” cannot be shown: ")
    assert told(driver.checked(at.run())) == told(at), "a file comes once"


def test_work_that_is_too_much_names_the_file_too():
    assert tensors._refused("a.npz", "It takes too long.") == "“a.npz” cannot be shown. It takes too long."


def test_the_browser_refuses_what_the_server_would():
    sent = steps(visit())
    assert (tuple(sent["takes"]["types"]), sent["takes"]["most"]) == (tensors.TYPES, tensors.MAX_FILE)
    assert all(f".{name}" in tensors.LIMITS for name in tensors.TYPES)


def test_a_name_of_a_file_is_no_markdown():
    at = bring(visit(), npz(attention=MINE), "![x](https://a.b/c) <b>.npz")
    assert "\\!\\[x\\]\\(https" in words(at)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "neither .npz nor .npy nor .safetensors"),
        (b"\x80\x04pickle", "a pickle"),
        (npz(attention=MINE * 2), "adds up to 2, not to 1"),
        (npz(attention=np.array([None])), "Python objects"),
        (npz(attention=MINE)[:-30], "cut off"),
    ],
)
def test_a_bad_file_is_one_sentence_and_nothing_is_lost(content: bytes, reason: str):
    at = bring(visit(), content, "bad" * 30 + ".npz")
    (sentence,) = steps(at)["refused"].splitlines()
    assert sentence.startswith("“badbadbadbadbadbadbadbad…dbadbadbad.npz” cannot be shown: ")
    assert reason in sentence
    assert notices(at) == "", "it is said in the figure, and nothing moves"
    assert list(shown(at)) == ["encoder", "decoder", "cross"], "the example"


def test_a_bad_file_leaves_the_good_one_that_was_there():
    at = bring(bring(visit(), npz(attention=MINE)), b"\x80\x04pickle", "bad.npz")
    assert "a pickle" in steps(at)["refused"]
    assert list(shown(at)) == ["encoder"]
    assert "**mine\\.npz** holds" in words(at)


def test_it_is_held_once():
    """What was read of it is: neither the uploader nor the session has its bytes."""
    content = npz(attention=MINE)
    at = bring(visit(), content)
    assert at.session_state["pretrained_own_file"].size == len(content)
    assert at.session_state["pretrained_own_file"].getvalue() == b""
    mine = at.session_state["_kept_own_tensors"].file
    assert at.session_state["_kept_own_tensors"].n_bytes == len(content)
    assert mine.pictures["encoder"].weights.nbytes == MINE.nbytes
    at = driver.checked(at.run())
    assert at.session_state["_kept_own_tensors"].file is mine
    assert list(shown(at)) == ["encoder"]
    large = np.full((12, 12, 60, 60), 1 / 60, np.float32)
    read = data.read(npz(attention=large))
    assert read.kinds.pictures["encoder"]._view["view:weights"] is read.pictures["encoder"].weights


def test_nobody_else_sees_it():
    bring(visit(), npz(attention=MINE, tokens=json.dumps(list("abcd"))))
    assert "cross" in shown(visit())


# ---- the lines of Python -------------------------------------------------------------------------------------------


def run(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, **changes: str) -> dict:
    """The pictures in the file that a script of the page writes, run as it stands but for these texts."""
    text = data.script(name)
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    file = folder / "script.py"
    file.write_text(text)
    monkeypatch.chdir(folder)
    runpy.run_path(str(file))
    return read((folder / "attention.npz").read_bytes())


def test_every_script_is_on_the_page():
    at = visit()
    assert steps(at)["scripts"] == {name: data.script(tensors.SCRIPTS[name]) for name in tensors.IN_FIGURE}
    assert max(len(line) for text in steps(at)["scripts"].values() for line in text.splitlines()) <= 56, "none is cut"
    assert {block.value.strip() for block in at.code} >= {
        data.script(name).strip() for name in tensors.SCRIPTS.values()
    }
    assert {file.stem for file in HERE.glob("*.txt")} == set(tensors.SCRIPTS.values())


def test_our_own_lines_write_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    made, example = run("ours", tmp_path, monkeypatch), read(data.example(data.OURS))
    assert list(made) == list(example) == ["encoder", "decoder", "cross"]
    for kind, picture in example.items():
        assert (picture.queries, picture.keys) == (made[kind].queries, made[kind].keys)
        for part in ("weights", "q", "k"):
            theirs, ours = (getattr(one, part).astype("f4") for one in (picture, made[kind]))
            np.testing.assert_allclose(theirs, ours, atol=0.002, rtol=0.002)


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_lines_for_hugging_face_work(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from transformers import BertConfig, BertModel, BertTokenizer, GPT2Config, GPT2Model

    folder = tmp_path / "model"
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "animal", "cross", "street", "it", "was", "too", "tired"]
    BertTokenizer(vocab={word: n for n, word in enumerate(words)}).save_pretrained(folder)
    if kind == "encoder":
        sizes = {"hidden_size": 16, "num_attention_heads": 2, "num_hidden_layers": 3, "intermediate_size": 8}
        BertModel(BertConfig(vocab_size=len(words), **sizes)).save_pretrained(folder)
    else:
        GPT2Model(GPT2Config(vocab_size=len(words), n_embd=16, n_head=2, n_layer=3)).save_pretrained(folder)
    pictures = run("hugging_face", tmp_path, monkeypatch, **{"sentence-transformers/all-MiniLM-L6-v2": str(folder)})
    assert list(pictures) == [kind]
    picture = pictures[kind]
    assert picture.weights.shape[:2] == (3, 2)
    assert picture.queries[1:3] == ("the", "animal")


def test_the_lines_for_anything_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert run("anything", tmp_path, monkeypatch)["encoder"].queries == ("the", "cat", "sat")


def test_the_table_of_names_is_what_the_reader_reads():
    from attention_view.tensor_file import Name

    table = [line.split("|")[1] for line in tensors.NAMES.splitlines() if line.startswith("| `")]
    names = [name for cell in table for name in re.findall(r"`([^`]+)`", cell)]
    assert len(names) == 6
    assert all(Name.of(name) for name in names)


def by_hand(weights: np.ndarray) -> np.ndarray:
    """The rollout (L, T, T) in float64: R_l = (A_l + I) / 2 R_(l-1), A_l the mean of the heads with rows of sum 1."""
    flows, R = [], np.eye(weights.shape[-1])
    for layer in weights.astype(np.float64):
        mean = layer.sum(0)
        R = 0.5 * (mean / mean.sum(-1, keepdims=True) + np.eye(len(R))) @ R
        flows.append(R)
    return np.stack(flows)


def test_the_rollout_of_ones_own_tensors_and_of_no_others():
    rng = np.random.default_rng(3)
    weights = rng.dirichlet(np.ones(9), (12, 3, 9)).astype(np.float16)
    at = driver.visit(
        "pretrained",
        pretrained_view="Bring a model",
        pretrained_bring_file="true",
        pretrained_map="rollout",
        pretrained_example=data.OURS,
    )
    assert "There is no rollout of cross attention: rollout multiplies maps from a text to itself" in words(at)
    assert "through cross-attention, is left out of its rollout" in words(at)
    assert list(shown(at)) == ["encoder", "decoder"]
    example = read(data.example(data.OURS))["decoder"].weights
    assert isinstance(example, np.ndarray)
    np.testing.assert_allclose(shown(at)["decoder"].arrays["weights"][:, 0], by_hand(example), atol=1e-6)

    at = bring(at, npz(attention=weights))
    assert notices(at) == ""
    (packet,) = shown(at).values()
    np.testing.assert_allclose(packet.arrays["weights"][:, 0], by_hand(weights), atol=1e-6)
    np.testing.assert_allclose(packet.arrays["weights"].sum(-1), 1, atol=1e-6)
    assert packet.header["flow"]
    assert "There is no rollout" not in words(at)
    assert "cross-attention, is left out" not in words(at)

    at = bring(at, npz(attention=np.full((2, 2, 3, 4), 0.25, np.float32)))
    assert "There is no rollout here: rollout multiplies" in notices(at)
    (packet,) = shown(at).values()
    assert packet.arrays["weights"].shape == (2, 2, 3, 4)
    assert "flow" not in packet.header
