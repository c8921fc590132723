"""What questions and explanations on the pages claim of the shipped models, tried on these models."""

from itertools import permutations, product

import numpy as np
import pytest
import torch

from lab.kit.models.references import Shipped, TrainedSource
from pages.masks import data as masks
from pages.translation import data as translation
from transformer.core.config import TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.core.taps import Recorder, Tap, compose, no_tap
from transformer.inspection.translation import held_out_examples, translate
from transformer.training.tasks import tales
from transformer.training.tasks.french_words import NAMES
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


# ---- /generation: a strong cell is not the reason ------------------------------------------------------------------


def test_she_comes_first_even_if_no_head_of_the_last_layer_sees_mia() -> None:
    stories, recorder = source("stories"), Recorder("weights")
    ids = [BOS, *stories.task.source.encode(stories.task.opening)]
    she = stories.task.target.encode("she")[0]

    def blind(name: str, x: torch.Tensor) -> torch.Tensor:
        if name == "decoder.1.self_attn.weights":
            x = x.clone()
            x[..., -1, 1] = 0
        return x

    with torch.inference_mode():
        whole, cut = (
            stories.model(torch.tensor([ids]), tap=tap).logits[0, -1].softmax(-1) for tap in (recorder, blind)
        )
    assert stories.label(ids[1]) == "mia"
    assert recorder["decoder.1.self_attn.weights"][0, :, -1, 1].max() > 0.95
    assert int(whole.argmax()) == int(cut.argmax()) == she
    assert whole[she] - 0.3 < cut[she] < whole[she]


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


# ---- /blocks, the lesson: the story model goes by the thing that was named, and not by its colour ------------------

COLOURS, THINGS = (tales.KINDS[kind] for kind in ("colours", "things"))
ONE = "mia found a {} {} in the park. in the evening mia took the {}"
TWO = "mia found a {} {} in the park. tom found a {} {} in the park. in the evening mia took the {}"


def said_after(texts: list[str]) -> list[str]:
    """The word that the story model ranks first after each of these texts, which are equally long."""
    model = source("stories")
    with torch.inference_mode():
        logits = model.model(torch.tensor([model.ids(model.cut(text)) for text in texts])).logits[:, -1]
    return [model.label(int(n)) for n in logits.argmax(-1)]


def test_the_story_model_says_the_thing_that_was_named_whatever_its_colour() -> None:
    told = list(product(COLOURS, THINGS, COLOURS))
    assert said_after([ONE.format(*one) for one in told]) == [thing for _, thing, _ in told]


def test_of_two_things_it_mostly_says_the_one_named_last_and_the_colour_makes_no_difference() -> None:
    pairs = list(product(permutations(COLOURS, 2), permutations(THINGS, 2)))
    last = []
    for which in (0, 1):  # whose colour is asked for
        said = said_after([TWO.format(a, one, b, other, (a, b)[which]) for (a, b), (one, other) in pairs])
        last.append(np.mean([word == other for word, (_, (_, other)) in zip(said, pairs, strict=True)]))
    assert min(last) > 0.8
    assert abs(last[0] - last[1]) < 0.02


@pytest.mark.parametrize("colour", ["red", "blue"])
def test_the_last_word_of_the_first_mask_looks_at_the_thing_and_not_for_its_colour(colour: str) -> None:
    ref = Shipped("stories")
    for thing in ("ball", "hat"):
        tokens = ref.resolve().cut(f"mia found a {colour} {thing}. mia took the red")
        head = masks.sharpest_head(ref, tokens)
        row = masks.stages(tokens, masks.named_mask("causal", len(tokens), 0), False, ref, head).weights[-1]
        assert tokens[int(row.argmax())] == thing
        assert row.max() > 0.9
