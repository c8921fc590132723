"""The page of translation as the server runs it: every view, every control, every link, down to the numbers sent."""

import base64
import json
from pathlib import Path
from random import Random

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest

from pages.translation import data
from pages.translation import views as page
from pages.translation.edits import _matched
from pages.translation.sentence import EXAMPLES
from tests.pages.driver import open_page
from tests.payloads import unpack
from transformer.config import TransformerConfig
from transformer.generation import beam_search, begin
from transformer.inspection import translation
from transformer.training import shipped, tasks
from transformer.training.checkpoints import checkpoint_of
from transformer.training.tasks import french, recipe
from transformer.training.text import BOS, EOS
from transformer.training.trainer import Settings, Trainer

APP = Path(__file__).parents[3] / "app.py"
FRENCH = ["le", "petit", "chat", "noir", "n'", "aime", "pas", "la", "maison", "blanche", "⟨end⟩"]
KINDS = ("segmented_control", "select_slider", "selectbox", "text_input", "toggle")


def visit(own=None, **link) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=300)
    for name, value in link.items():
        at.query_params[name] = value
    if own is not None:
        at.session_state["trained_model"] = own
    return open_page(at, "translation").run()


def choose(at: AppTest, **values) -> AppTest:
    for key, value in values.items():
        (widget,) = [w for kind in KINDS for w in at.get(kind) if w.key == key]
        at = widget.set_value(value).run()
    return at


def said(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.text)


def read(at: AppTest) -> str:
    assert not at.exception
    return "\n".join(text.value for text in at.markdown).replace("\\", "")


def sent(at: AppTest) -> dict:
    """What the one component on the page was sent as JSON."""
    assert not at.exception
    (view,) = at.get("bidi_component")
    return json.loads(view.proto.json)


def heads(at: AppTest):
    """What the attention view was sent."""
    assert not at.exception
    (view,) = at.get("bidi_component")
    return unpack(view.proto.bytes)


@pytest.fixture(scope="module")
def checkpoint():
    torch.set_num_threads(1)
    return shipped.load("translator")


def told(checkpoint, text=EXAMPLES[0]):
    typed = translation.read_typed(checkpoint.task, text)
    made = translation.write(checkpoint.model(), typed.ids)
    return typed, made, translation.attentions(checkpoint.model(), checkpoint.task, typed, made.written)


# ---- the sentence ----------------------------------------------------------------------------------------------


def test_it_opens_on_a_finished_example(checkpoint):
    at = visit()
    assert "## :blue[le petit chat noir n'aime pas la maison blanche]" in read(at)
    assert "**Exactly right.**" in read(at)
    assert not said(at)
    data, (typed, _, maps) = sent(at), told(checkpoint)
    assert data["source"] == list(typed.words)
    assert data["target"] == FRENCH
    np.testing.assert_allclose(data["weights"], maps["cross"].weights.ravel(), atol=1e-4)
    assert data["ghost"] == [list(pair) for pair in french.alignment_of(EXAMPLES[0])[1]]
    assert any(i != j for i, j in data["ghost"])  # something crosses


def test_every_example_is_told(checkpoint):
    for text in EXAMPLES:
        at = visit(english=text)
        known = french.alignment_of(text)
        assert ("**Exactly right.**" in read(at)) == (known is not None)
        assert bool(sent(at)["ghost"]) == (known is not None)


def test_unknown_words_are_named_and_what_is_known_is_listed():
    at = visit(english="the dragon and the wizard sing")
    assert "Unknown to this model: “dragon”, “wizard”." in said(at)
    assert "Outside of the grammar" in read(at)
    assert "nobody knows the right alignment" in read(at)
    for words in french.KINDS.values():
        assert ", ".join(words) in read(at)


def test_nothing_too_much_and_odd_text():
    at = visit(english="")
    assert "There is no word to translate yet" in said(at)
    at = visit(english="the cat " * 40)
    assert f"The first {translation.MOST_READ} words are read; {80 - translation.MOST_READ} more are left out." in said(
        at
    )
    at = visit(english="x" * 5000)
    assert "The first 400 letters are read; 4,600 more are left out." in said(at)
    at = visit(english="<b>*the* $cat$ [sings](http://x) `\U0001f600 \x07`")
    assert not at.exception
    at = visit(english=" and ".join(["the cat"] * 6) + " sing")
    assert "so long a sentence is new to it" in said(at)


def test_a_view_that_there_is_not():
    at = visit(translation_view="Dreams")
    assert "You see Threads" in said(at)


# ---- telling ---------------------------------------------------------------------------------------------------


def test_step_by_step_shows_what_every_step_saw(checkpoint):
    data = sent(visit(translation_view="Step by step"))
    _, made, _ = told(checkpoint)
    assert [frame["encoder"] for frame in data["frames"]] == [1] * len(made.written)
    assert [frame["decoder"] for frame in data["frames"]] == list(range(1, len(made.written) + 1))
    for shown, frame, word in zip(data["frames"], made.frames, data["target"], strict=True):
        best = np.sort(frame.probs)[::-1][: len(shown["top"])]
        np.testing.assert_allclose([p for _, p in shown["top"]], best, atol=1e-6)
        assert shown["top"][0][0] == word
    np.testing.assert_allclose(data["memory"], made.memory, atol=1e-3)
    assert "the encoder **once**, the decoder **11 times**" in read(visit(translation_view="Step by step"))


@pytest.mark.parametrize(
    ("name", "kind"), [("Cross", "cross"), ("Encoder self", "encoder"), ("Decoder self", "decoder")]
)
def test_all_heads_of_every_kind(checkpoint, name, kind):
    header, arrays = heads(visit(translation_view="All heads", translation_kind=name))
    seen = told(checkpoint)[2][kind]
    assert (tuple(header["queries"]), tuple(header["keys"])) == (seen.queries, seen.keys)
    np.testing.assert_array_equal(arrays["weights"].reshape(seen.weights.shape), seen.weights)
    np.testing.assert_array_equal(arrays["q"].reshape(seen.q.shape), seen.q)
    np.testing.assert_array_equal(arrays["k"].reshape(seen.k.shape), seen.k)
    assert not header["untrained"]


def test_beams_are_those_of_the_search(checkpoint):
    model, task = checkpoint.model(), checkpoint.task
    for text, width, alpha in ((EXAMPLES[0], 3, 1.0), ("The cat is a dog", 6, 1.0), ("The cat is a dog", 6, 0.0)):
        at = visit(english=text, translation_view="Beam search", beam_width=str(width), beam_alpha=str(alpha))
        ids = task.source.encode(text)
        most = translation.most_written(model, len(ids))
        found = beam_search(begin(model, [BOS], ids), width, max_new=most, eos=EOS, length_penalty=alpha)
        data = sent(at)
        assert [[node["fate"] for node in step] for step in data["steps"]] == [[n.fate for n in s] for s in found.steps]
        assert data["best"] == list(found.best[0].path)
        node = data["steps"][-1][data["best"][-1]] if len(data["best"]) == len(data["steps"]) else None
        assert node is None or node["text"] == task.target.decode(found.best[0].ids)
        for n, hypothesis in enumerate(found.best, start=1):
            assert f"| {n} | {task.target.decode(hypothesis.ids)} |" in read(at)


def test_where_greedy_and_beam_differ():
    assert "**Greedy and beam agree**" in read(visit(translation_view="Beam search"))
    link = {"english": "The cat is a dog", "translation_view": "Beam search"}
    longer = read(visit(**link))
    assert "**They differ.** Greedy writes *le chat est chat*" in longer
    assert "ranks first only divided by its length" in longer
    assert "**Greedy and beam agree**" in read(visit(**link, beam_alpha="0.0"))


# ---- changing --------------------------------------------------------------------------------------------------


def test_a_changed_noun_changes_the_words_around_it():
    at = visit(translation_view="Change a word")
    assert "the little black :orange-background[cat]" in read(at)
    for word in ("la", "petite", "maison", "noire"):
        assert f":blue-background[{word}]" in read(at)
    assert "Of 11 tokens written, :blue[**4**] are others now" in read(at)
    at = choose(at, edit_word="dog")
    assert ":blue-background[chien]" in read(at)
    assert "Of 11 tokens written, :blue[**1**] are others now" in read(at)
    at = choose(at, edit_place=2)
    assert "**B** the :orange-background[" in read(at)


def test_the_maps_of_both_and_their_difference(checkpoint):
    at = visit(translation_view="Change a word", edit_layer="0", edit_head="2")
    a, b = (
        told(checkpoint, text)[2]["cross"].weights[0, 2] for text in (EXAMPLES[0], EXAMPLES[0].replace("cat", "house"))
    )
    charts = [json.loads(chart.proto.spec)["data"][0] for chart in at.get("plotly_chart")]
    z = [np.frombuffer(base64.b64decode(c["z"]["bdata"]), c["z"]["dtype"]).reshape(a.shape) for c in charts]
    np.testing.assert_allclose(z[0], a, atol=1e-6)
    np.testing.assert_allclose(z[1], b, atol=1e-6)
    np.testing.assert_allclose(z[2], b - a, atol=1e-6)
    assert charts[0]["zmax"] == charts[1]["zmax"] == pytest.approx(max(a.max(), b.max()))
    assert f"the largest change of a weight is :violet[**{abs(b - a).max():.2f}**]" in read(at)


def test_words_are_matched_where_they_stand_for_each_other():
    a, b = ("le", "petit", "chat", "noir", "⟨end⟩"), ("la", "petite", "maison", "noire", "⟨end⟩")
    assert _matched(a, b) == [(n, n) for n in range(5)]
    assert _matched(("l'", "oiseau", "dort"), ("l'", "oiseau", "noir", "dort")) == [(0, 0), (1, 1), (2, 3)]
    assert _matched(("a", "b"), ("c", "d", "e")) == []


def test_a_word_in_two_sentences_and_its_vector_exchanged(checkpoint):
    at = visit(translation_view="In context")
    assert "**little** stands at the same place" in read(at)
    assert "**exactly equal**" in read(at)
    assert "of A, but" not in read(at)  # first predict
    at = choose(at, graft=True)
    assert ":blue-background[la] :blue-background[petite] chat noir n' aime pas la maison blanche" in read(at)
    _, cosines = data.likeness(data.Subject("test", checkpoint), ("the", "cat"), ("the", "dog"))
    assert (cosines[:2, 0] == 1).all()
    assert (cosines[2:, 0] < 1).all()
    at = choose(at, follow=10)
    assert "but **house** from B" in read(at)


# ---- plugs and padding -----------------------------------------------------------------------------------------


def test_plugs_are_measured(checkpoint):
    model, task = checkpoint.model(), checkpoint.task
    examples = translation.held_out(task, data.TESTS)
    for name, plug in (("none", None), ("memory", "memory"), ("where to look", "focus"), ("positions", "positions")):
        at = visit(translation_view="Pull a plug", translation_plug=name)
        cut, tap = translation.pull(model, plug)
        assert f"{name} {translation.rights(cut, task, examples, tap):.0%}" in at.get("plotly_chart")[-1].proto.alt
        ids = task.source.encode(EXAMPLES[0])
        becomes = task.target.decode(translation.write(cut, ids, tap).answer)
        assert f"##### Without: :blue[{becomes}]" in read(at)
    assert "the same, letter for letter" in read(visit(translation_view="Pull a plug", translation_plug="none"))


def test_every_head_of_a_side(checkpoint):
    link = {"translation_view": "Pull a plug", "translation_plug": "one head"}
    at = visit(**link, plug_side="decoder self", plug_layer="0", plug_head="1")
    chart = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][0]
    examples = translation.held_out(checkpoint.task, data.TESTS)
    for layer, head in ((0, 1), (1, 3)):
        cut, tap = translation.pull(checkpoint.model(), "head", ("decoder", layer, head))
        assert chart["text"][layer][head] == f"{translation.rights(cut, checkpoint.task, examples, tap):.0%}"


def test_a_training_without_the_mask(monkeypatch):
    monkeypatch.setattr(data, "MASKLESS_STEPS", 12)
    at = visit(translation_view="Pull a plug", translation_plug="the mask in training")
    (button,) = [b for b in at.button if b.key == "maskless"]
    at = button.click().run()
    job = at.session_state["_translation_maskless"]
    assert job.wait(300)
    assert job.state == "done", job.error
    assert job.trainer.settings.look_ahead
    at = at.run()
    assert not at.exception
    shown = {metric.label: metric.value for metric in at.metric}
    assert shown["words right, shown the answer"] == f"{job.snapshots[-1].accuracy:.0%}"
    assert shown["sentences right, writing by itself"] == "0%"


def test_padding_is_nothing_with_the_mask_and_something_without(checkpoint):
    at = visit(translation_view="Padding", translation_pads="5")
    header, arrays = heads(at)
    assert header["keys"][-5:] == ["⟨pad⟩"] * 5
    weights = arrays["weights"].reshape(2, 4, 11, 15)
    assert (weights[..., 10:] == 0).all()
    assert "is exactly **0**. Result: the same translation as alone." in read(at)
    at = choose(at, translation_mask="off")
    weights = heads(at)[1]["weights"].reshape(2, 4, -1, 15)
    assert (weights[..., 10:] > 0).all()
    assert "exactly **0**" not in read(at)
    examples = translation.held_out(checkpoint.task, data.TESTS)
    share = translation.padded_rights(checkpoint.model(), examples, 5, masked=False)
    assert f"**{share:.0%}** are exactly right" in read(at)


# ---- the model -------------------------------------------------------------------------------------------------


def test_the_card_says_what_was_measured_and_counts_both_tables(checkpoint):
    at = visit()
    for name, value in checkpoint.card.items():
        assert f"| {name} | {f'{value:,}' if isinstance(value, int) else value} |" in read(at)
    model = checkpoint.model()
    one, other = model.encoder.embedding.weight, model.decoder.embedding.weight
    assert one.data_ptr() != other.data_ptr()
    assert f"**{len(one)}** source tokens and **{len(other)}** target tokens" in read(at)
    assert (
        f"That is {one.numel() + other.numel():,} of {sum(p.numel() for p in model.parameters()):,} parameters"
        in read(at)
    )


def test_a_model_of_one_s_own_that_reverses(checkpoint):
    own = shipped.load("reverse")
    at = visit(own)
    assert "le petit chat noir" in read(at)  # the shipped one first
    at = choose(at, translator="mine")
    assert "## :blue[f e d c b a]" in read(at)
    assert "**Exactly right.**" in read(at)
    assert sent(at)["ghost"] == [[n, 5 - n] for n in range(6)]
    at = choose(at, letters="abz")
    assert "Unknown to this model: “z”" in said(at)
    for view in page.VIEWS:
        assert not choose(at, translation_view=view).exception


def test_a_model_of_one_s_own_that_has_learned_nothing():
    own = checkpoint_of(Trainer(tasks.make("french"), recipe("french").config, recipe("french").settings))
    at = visit(own, translator="mine")
    assert "**Not quite**, from word 1 on. Right would be: *le petit chat noir n'aime pas la maison blanche*" in read(
        at
    )


def test_only_what_translates_is_taken():
    for own in (None, shipped.load("stories") if (shipped.FOLDER / "stories.safetensors").exists() else None):
        at = visit(own, translator="mine")
        assert "there is no model of yours here" in said(at)
        assert "le petit chat noir" in read(at)


def test_a_link_restores_everything():
    link = {
        "english": "she sees the red apples", "translation_view": "Change a word", "edit_place": "5",
        "edit_word": "cakes", "edit_layer": "0", "edit_head": "3",
    }  # fmt: skip
    at = visit(**link)
    assert not said(at)
    assert "she sees the red :orange-background[cakes]" in read(at)
    assert "##### B: layer 0, head 3" in read(at)
    assert ":blue-background[gâteaux] :blue-background[rouges]" in read(
        at
    ) or ":blue-background[gâteaux] rouges" in read(at)


def test_sentences_at_random_break_nothing():
    rng, known = Random(3), [word for words in french.KINDS.values() for word in words]
    at = visit()
    for n in range(12):
        text = " ".join(rng.choices([*known, "xyz"], k=rng.randint(1, 9)))
        view = list(page.VIEWS)[n % len(page.VIEWS)]
        at = choose(at, translation_view=view, english=text)
        assert not at.exception, (view, text)


@pytest.mark.parametrize("view", page.VIEWS)
@pytest.mark.parametrize("letters", ["a b c d e f g h", "abcdefghij" * 3])
def test_a_learned_table_of_positions_has_an_end(view, letters):
    task = tasks.make("copy")
    config = TransformerConfig(
        d_model=8, n_heads=2, n_encoder_layers=1, n_decoder_layers=1, positions="learned", max_len=task.longest + 2
    )
    made = checkpoint_of(Trainer(task, config, Settings(steps=1, n_examples=50, n_tests=5)))
    at = visit(made, translator="mine", letters=letters, translation_view=view, translation_pads="8")
    assert not at.exception
    n = len(letters.replace(" ", ""))
    assert (f"The first {task.longest + 2} words are read" in said(at)) == (n > task.longest + 2)
