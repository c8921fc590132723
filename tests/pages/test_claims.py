"""What questions and explanations on the pages claim of the shipped models, tried on these models."""

from itertools import permutations
from random import Random

import numpy as np
import pytest
import torch

from lab.kit import story
from lab.kit.models.references import Shipped, TrainedSource
from pages.translation import data as translation
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder, Tap, compose, no_tap
from transformer.inspection.translation import held_out_examples, translate
from transformer.training.tasks.french_words import NAMES
from transformer.training.tasks.storytelling.task import KINDS
from transformer.training.text import BOS, EOS


def source(name: str) -> TrainedSource:
    resolved = Shipped(name).resolve()
    assert isinstance(resolved, TrainedSource)
    return resolved


# ---- /blocks: what layer 2 can do that layer 1 cannot --------------------------------------------------------------


def right_the_second_time(tap: Tap) -> tuple[float, float]:
    """Of eight letters that come twice: the share that is predicted the second time, and the best induction score of
    layer 2."""
    repeat, recorder, n = source("repeat"), Recorder("weights"), 8
    ids = repeat.ids(repeat.cut("a b c d e f g h a b c d e f g h"))
    with torch.inference_mode():
        output = repeat.model(torch.tensor([ids]), tap=compose(tap, recorder))
    said = output.logits[0].argmax(-1)
    right = float(np.mean([int(said[1 + n + i]) == ids[2 + i] for i in range(n - 1)]))
    weights = recorder["decoder.1.self_attn.weights"][0]  # (H, T, T)
    return right, float(torch.stack([weights[:, 1 + n + i, 2 + i] for i in range(n)]).mean(0).max())


def test_layer_2_finds_what_came_next_only_with_the_help_of_layer_1() -> None:
    right, score = right_the_second_time(no_tap)
    assert right == 1
    assert score > 0.9
    right, score = right_the_second_time(lambda name, x: x * 0 if name == "decoder.0.self_attn.heads" else x)
    assert right < 0.3
    assert score < 0.3


# ---- /masks: a causal mask tells the order, from the second layer on -----------------------------------------------


@pytest.mark.parametrize(
    ("kind", "n_layers", "notices"), [("decoder", 2, True), ("decoder", 1, False), ("encoder", 2, False)]
)
def test_without_positions_only_a_mask_and_two_layers_tell_the_order(kind: str, n_layers: int, notices: bool) -> None:
    config = TransformerConfig(
        positions="none",
        vocab_size=20,
        d_model=32,
        n_heads=4,
        d_ff=64,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
    )
    model = (DecoderModel if kind == "decoder" else EncoderModel)(
        config, generator=torch.Generator().manual_seed(0)
    ).eval()
    with torch.inference_mode():
        one, other = (model(torch.tensor([ids])).logits[0, -1] for ids in ([1, 2, 3, 4, 5], [2, 1, 4, 3, 5]))
    assert bool((one - other).abs().max() > 1e-3) == notices


# ---- /generation, /blocks and the lesson: the story model looks up the thing of the colour -------------------------

COLOURS, THINGS = (KINDS[kind] for kind in ("colours", "things"))
TOLD = "mia found a {} {}. tom found a {} {}. mia took the {}"


def blind(layer: int, key: int) -> Tap:
    """No head of this layer can look from the last token at this one."""

    def tap(name: str, x: torch.Tensor) -> torch.Tensor:
        if name == f"decoder.{layer}.self_attn.weights":
            x = x.clone()
            x[..., -1, key] = 0
        return x

    return tap


def odds(text: str, tap: Tap = no_tap) -> dict[str, float]:
    """The probability of each token of the story model to come next."""
    model = source("stories")
    with torch.inference_mode():
        logits = model.model(torch.tensor([model.ids(model.cut(text))]), tap=tap).logits[0, -1]
    return dict(zip(model.labels, logits.softmax(-1).tolist(), strict=True))


def likeliest(chances: dict[str, float]) -> str:
    return max(chances, key=lambda word: chances[word])


def test_the_hat_is_lost_if_the_last_layer_is_blind_to_it_and_not_if_a_layer_below_is() -> None:
    model, recorder = source("stories"), Recorder("weights")
    whole = odds(story.TEXT, recorder)
    hat = model.cut(story.TEXT).index("hat")
    assert likeliest(whole) == "hat"
    assert whole["hat"] > 0.9
    looks = recorder["decoder.2.self_attn.weights"][0, :, -1, hat]  # (H,)
    assert sorted(looks.tolist())[-2] > 0.7, "two heads look there"
    assert odds(story.TEXT, blind(2, hat))["hat"] < 0.1
    for layer in (0, 1):
        assert odds(story.TEXT, blind(layer, hat))["hat"] > 0.9
    ball = model.cut(story.TEXT).index("ball")
    assert odds(story.TEXT, blind(2, ball))["hat"] > 0.9, "another word is not missed"


def test_the_story_model_says_the_thing_of_the_colour_whichever_was_told_last() -> None:
    model, rng = source("stories"), Random(0)
    whole = [word for word in THINGS if len(model.cut(word)) == 2]  # <bos> and one token
    right = []
    for _ in range(60):
        (a, b), (one, other) = rng.sample(COLOURS, 2), rng.sample(whole, 2)
        for asked, answer in ((a, one), (b, other)):
            right.append(likeliest(odds(TOLD.format(a, one, b, other, asked))) == answer)
    assert np.mean(right) > 0.95


# ---- /translation: what <eos> looks at means little ----------------------------------------------------------------


def test_the_end_comes_without_the_cross_attention_of_the_last_layer_and_not_so_every_third_word() -> None:
    french = translation.SHIPPED.resolve()

    def silent(name: str, x: torch.Tensor) -> torch.Tensor:
        if name == "decoder.1.cross_attn.heads":
            x = x.clone()
            x[:, :, -1] = 0
        return x

    ended, right = [], []
    with torch.inference_mode():
        for example in held_out_examples(french.task, 20):
            target, read = [BOS, *example.target, EOS], torch.tensor([list(example.source)])
            for n in range(1, len(target)):
                said = int(french.model(read, torch.tensor([target[:n]]), tap=silent).logits[0, -1].argmax())
                (ended if target[n] == EOS else right).append(said == target[n])
    assert all(ended)
    assert np.mean(right) < 0.75


def test_the_vector_of_an_adjective_carries_the_gender_of_its_noun() -> None:
    a = ("the", "little", "black", "cat", "does", "not", "like", "the", "white", "house")
    b = ("the", "little", "black", "house", "does", "not", "like", "the", "white", "house")
    with_one_vector_of_b = [translation.memory_swapped(translation.SHIPPED, a, b, place)[:4] for place in range(7)]
    assert with_one_vector_of_b[:4] == [
        ("la", "petit", "chat", "noir"),
        ("le", "petite", "chat", "noir"),
        ("le", "petit", "chat", "noire"),
        ("le", "petit", "maison", "noir"),
    ]
    assert with_one_vector_of_b[4:] == [("le", "petit", "chat", "noir")] * 3, "words that have not heard of the noun"


def test_found_is_written_as_two_words_that_both_look_at_it() -> None:
    read = ("mia", "found", "a", "red", "hat")
    written = translation.translated(translation.SHIPPED, read)
    assert written.words == ("mia", "a", "trouvé", "un", "chapeau", "rouge", "⟨end⟩")
    a, done, _, hat, red = written.maps["cross"].weights[-1].mean(0)[1:6]
    assert [row.argmax() for row in (a, done, hat, red)] == [1, 1, 4, 3]
    assert a[0] > 0.15 > 0.05 > done[0], "avoir depends on who did it, what was done does not"
    saw = translation.translated(translation.SHIPPED, ("mia", "saw", *read[2:])).words
    assert saw[:3] == ("mia", "a", "vu")
    assert saw[3:] == written.words[3:]
    they = translation.translated(translation.SHIPPED, ("they", *read[1:])).words
    assert they == ("ils", "ont", *written.words[2:])


def test_before_its_first_step_it_writes_the_same_word_again_and_again() -> None:
    source = translation.SHIPPED.resolve()
    untrained = source.checkpoint.model_before()
    assert isinstance(untrained, Transformer)
    task = source.task
    ids = task.source.encode(task.example_texts[0])
    said = [task.target.label(id) for id in translate(untrained, ids).answer]
    assert said[:8] == ["petite"] * 8
    assert set(said[8:]) == {"l'"}


def test_the_lesson_counts_what_the_card_says_and_hardly_a_sentence_is_right_without_positions() -> None:
    card = translation.SHIPPED.resolve().checkpoint.card
    assert (card["held-out examples"], card["exactly right, written by itself"]) == (1000, 1)
    assert translation.ablated_share(translation.SHIPPED, "positions") == pytest.approx(0.03, abs=0.02)


def test_what_is_said_of_somebody_with_a_name_agrees_with_the_name() -> None:
    for name, gender in NAMES.items():
        said = translation.translated(translation.SHIPPED, (name, "is", "happy")).text
        assert said == f"{name} est {'contente' if gender == 'f' else 'content'}"
    for (one, a), (other, b) in permutations(NAMES.items(), 2):
        said = translation.translated(translation.SHIPPED, (one, "and", other, "are", "tired")).text
        assert said == f"{one} et {other} sont {'fatiguées' if a == b == 'f' else 'fatigués'}"


def test_a_narrow_beam_can_miss_the_likelier_text() -> None:
    greedy, wide = (translation.beams(translation.SHIPPED, ("a",), width, 0.0).texts[0] for width in (1, 3))
    assert greedy.score < wide.score - 0.1
