"""The project's own models, had as published ones are: with the tokens and numbers of their training."""

import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import transformer
from attention_view import show
from tests.pretrained.sentences import refusal
from transformer import generation
from transformer.core.images import answer_logits, scaled
from transformer.core.model import DecoderModel, EncoderModel, Transformer
from transformer.inspection import attribution, head_ablations, head_effects, logit_lens, run
from transformer.pretrained import Pretrained
from transformer.pretrained.own import TaskTokenizer, names, spans_of
from transformer.pretrained.tokenizer import MAX_TEXT
from transformer.training import shipped, tasks, vision
from transformer.training.byte_pairs import BytePairTokeniser
from transformer.training.checkpoints import Checkpoint
from transformer.training.tasks import shapes
from transformer.training.tasks.task import SpacedTokeniser, Tokeniser
from transformer.training.text import BOS, EOS, PAD, UNKNOWN

ROOT = Path(__file__).parents[2]
OF_TEXTS = tuple(shipped.available())
WRITERS = [name for name in OF_TEXTS if tasks.make(shipped.SHIPPED[name].task).kind != "encoder"]


@cache
def loaded(name: str) -> Pretrained:
    return transformer.load(f"shipped:{name}")


@cache
def checkpoint(name: str) -> Checkpoint:
    return shipped.load(name)


# ---- every model -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_every_shipped_model_says_what_it_is(name: str) -> None:
    found = loaded(name)
    assert not found.model.training
    assert (found.name, found.family) == (f"shipped:{name}", "attention_lab")
    assert f"<shipped:{name}: attention_lab {found.model.kind}" in repr(found)
    assert len(repr(found)) < 200
    count = sum(p.numel() for p in found.model.parameters())
    assert f"{count:,} parameters" in found.facts[0]
    assert all(fact.endswith(".") for fact in found.facts)
    assert (found.start is None) == (found.model.kind != "encoder-decoder")
    assert found.max_tokens >= 10


@pytest.mark.parametrize("name", OF_TEXTS)
def test_its_examples_are_read_as_in_its_training(name: str) -> None:
    found, task = loaded(name), checkpoint(name).task
    for text in task.example_texts:
        ids = task.source.encode(text)
        encoding = found.tokenizer.encode(text)
        inside = [n for n, is_special in enumerate(encoding.special) if not is_special]
        assert [encoding.ids[n] for n in inside] == ids == found.tokenizer.encode(text, special=False).ids
        assert encoding.ids == (ids if task.kind == "encoder-decoder" else [BOS, *ids])
        assert found.tokenizer.decode(encoding.ids) == task.source.decode(ids)
        if UNKNOWN not in ids:
            assert found.tokenizer.encode(found.tokenizer.decode(encoding.ids)).ids == encoding.ids
        assert encoding.tokens == tuple(task.source.label(id) for id in encoding.ids)
        fields = {len(field) for field in encoding}
        assert fields == {len(encoding.ids)}
        for n in inside:
            (start, end), label = encoding.spans[n], encoding.tokens[n]
            if label not in ("⟨unknown⟩", "not") and name != "code":  # what is not spelled so in the text
                assert text[start:end].lower().strip() == label.removeprefix("##")
    for probe in task.probes:
        written = found.target_tokenizer.encode(task.target.decode(probe.target))
        if task.kind == "encoder-decoder":
            assert written.ids == [*probe.target, EOS]
            assert written.special == [*(False for _ in probe.target), True]


@pytest.mark.slow
@torch.no_grad()
@pytest.mark.parametrize("name", OF_TEXTS)
def test_its_logits_are_those_of_the_checkpoint_and_its_attention_has_labels(name: str) -> None:
    found, model, task = loaded(name), checkpoint(name).model(), checkpoint(name).task
    text = task.opening
    read, src = found.tokenizer.encode(text), torch.tensor([found.tokenizer.encode(text).ids])
    if isinstance(found.model, Transformer):
        assert isinstance(model, Transformer)
        assert found.start is not None
        answer = found.target_tokenizer.encode(task.target.decode(task.probes[0].target))
        ids = [found.start, *answer.ids[:-1]]
        ours = found.model(src, torch.tensor([ids]))
        theirs = model(torch.tensor([task.source.encode(text)]), torch.tensor([[BOS, *task.probes[0].target]]))
        target = [found.target_tokenizer.label(id) for id in ids]
        kinds = {"encoder": ours.attention.encoder, "decoder": ours.attention.decoder, "cross": ours.attention.cross}
        shown = show(**kinds, source=read.tokens, target=target)
        assert tuple(shown.pictures["cross"].keys) == read.tokens
        assert list(shown.pictures["cross"].queries) == target
        assert target[0] == "⟨start⟩"
    else:
        assert isinstance(model, EncoderModel | DecoderModel)
        ours, theirs = found.model(src), model(torch.tensor([[BOS, *task.source.encode(text)]]))
        attention = getattr(ours.attention, found.model.kind)
        (picture,) = show(attention, read.tokens).pictures.values()
        assert tuple(picture.queries) == tuple(picture.keys) == read.tokens
        torch.testing.assert_close(attention[0].sum(-1), torch.ones(attention[0].shape[:-1]))
    assert torch.equal(ours.logits, theirs.logits)


@pytest.mark.slow
@torch.no_grad()
@pytest.mark.parametrize("name", vision.PLANS)
def test_a_model_of_pictures_reads_as_published_ones_do(name: str) -> None:
    found = loaded(name)
    pictures = shapes.draw(200, np.random.default_rng(3))
    logits = found.model(scaled(pictures.pixels, *found.tokenizer.colours)).logits
    assert torch.equal(logits, vision.load(name).model(scaled(pictures.pixels)).logits)
    assert logits.shape == (200, found.max_tokens, found.tokenizer.vocab_size)
    where = "mean" if "from the mean" in found.facts[-1] else "class"
    first = answer_logits(logits, where)[0]
    answers = [name for options in shapes.QUESTIONS.values() for name in options]
    assert [found.tokenizer.label(id) for id in range(len(first))] == answers
    shape = answer_logits(logits, where)[:, :4].argmax(-1)
    assert (shape.numpy() == pictures.answers[:, 0]).mean() > 0.5  # chance: 1/4
    assert "reads images" in refusal(lambda: found.tokenizer.encode("a circle"))


# ---- the recipes -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_storyteller_goes_on_with_a_text() -> None:
    found, original = loaded("stories"), checkpoint("stories").model()
    assert isinstance(found.model, DecoderModel)
    assert isinstance(original, DecoderModel)
    given_ids = found.tokenizer.encode("mia found a red").ids
    begun, expected = generation.begin(found.model, given_ids), generation.begin(original, given_ids)
    written, known = (
        [step.id for step in generation.generate(start, max_new=12, eos=found.tokenizer.eos)]
        for start in (begun, expected)
    )
    assert written == known
    text = found.tokenizer.decode([*given_ids, *written])
    assert text.startswith("mia found a red ")
    assert "⟨" not in text
    assert found.tokenizer.decode([*given_ids, EOS], special=True) == "⟨start⟩ mia found a red ⟨end⟩"


@pytest.mark.parametrize("name", WRITERS)
def test_every_model_that_writes_ends_where_its_tokenizer_says(name: str) -> None:
    found, task = loaded(name), checkpoint(name).task
    ids = found.tokenizer.encode(task.opening).ids
    if isinstance(found.model, Transformer):
        assert found.start is not None
        begun = generation.begin(found.model, [found.start], ids)
    else:
        assert isinstance(found.model, DecoderModel)
        begun = generation.begin(found.model, ids)
    *written, last = [step.id for step in generation.generate(begun, max_new=120, eos=found.target_tokenizer.eos)]
    assert last == EOS
    assert found.target_tokenizer.decode([*written, last]) == task.target.decode(written) != ""


def test_a_translator_writes_in_the_language_of_its_target_tokenizer() -> None:
    found, task = loaded("translator"), checkpoint("translator").task
    assert isinstance(found.model, Transformer)
    assert found.start is not None
    right = task.answer(task.source.decode(task.source.encode(task.opening)).split())
    assert right is not None
    begun = generation.begin(found.model, [found.start], found.tokenizer.encode(task.opening).ids)
    written = [step.id for step in generation.generate(begun, max_new=30, eos=found.target_tokenizer.eos)]
    assert found.target_tokenizer.decode(written) == task.target.decode(right.target)


@pytest.mark.parametrize("name", [name for name in OF_TEXTS if loaded(name).model.kind != "encoder-decoder"])
def test_what_inspection_asks_of_a_published_model_it_asks_of_ours(name: str) -> None:
    found = loaded(name)
    assert isinstance(found.model, EncoderModel | DecoderModel)
    model, text = found.model, found.tokenizer.encode(checkpoint(name).task.opening)
    L, H, T = len(model.stack.layers), model.config.n_heads, len(text.ids)
    maps = run.run_with_maps(model, text.ids, text.tokens).attention[model.kind]
    assert maps.queries == maps.keys == text.tokens
    assert maps.weights.shape == (L, H, T, T)
    assert head_effects.rollout(maps.weights).shape == (L, T, T)
    assert logit_lens.logit_lens(model, text.ids).said.shape == (L + 1, T)
    at = 0 if model.kind == "encoder" else -1
    assert head_ablations.each_head_ablated(model, text.ids, at).shape == (L, H)
    if isinstance(model, DecoderModel):
        assert attribution.attribute(model, text.ids, text.ids[1], text.ids[2]).heads.shape == (L, H)


# ---- names -----------------------------------------------------------------------------------------------------------


def test_a_name_that_does_not_exist_is_answered_with_those_that_do() -> None:
    for name in ("nothing", "", "../stories", "stories.stages", "\ud800"):
        sentence = refusal(lambda name=name: transformer.load(f"shipped:{name}"))
        assert "is shipped" in sentence
        assert all(known in sentence for known in names())
    assert "“shipped:stories”" in refusal(lambda: transformer.load("stories"))
    assert set(names()) == {*shipped.SHIPPED, *vision.PLANS}


@pytest.mark.wide
@pytest.mark.slow
def test_it_needs_no_page_and_its_module_no_torch() -> None:
    for code in (
        "import sys, transformer.pretrained.own; sys.exit(bool({'torch', 'streamlit'} & sys.modules.keys()))",
        "import sys, transformer; found = transformer.load('shipped:stories'); found.tokenizer.encode('mia found');"
        "sys.exit(bool({'streamlit', 'plotly', 'tokenizers', 'huggingface_hub'} & sys.modules.keys()))",
    ):
        assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_where_memory_is_short_it_is_kept_in_16_bits() -> None:
    count = sum(p.numel() for p in loaded("copy").model.parameters())
    half = transformer.load("shipped:copy", memory=2 * count)
    assert {p.dtype for p in half.model.parameters()} == {torch.bfloat16}
    assert any("16-bit" in fact for fact in half.facts)
    assert "Choose a smaller model" in refusal(lambda: transformer.load("shipped:copy", memory=2 * count - 1))


# ---- the tokenizer ---------------------------------------------------------------------------------------------------


def test_special_tokens_and_what_was_never_met() -> None:
    tokenizer = loaded("repeat").tokenizer
    assert (tokenizer.bos, tokenizer.eos, tokenizer.pad, tokenizer.unk) == (BOS, EOS, PAD, UNKNOWN)
    assert (tokenizer.mask, tokenizer.cls, tokenizer.sep) == (None, None, None)
    encoding = tokenizer.encode("a  zebra b")
    assert encoding.tokens == ("⟨start⟩", "a", "⟨unknown⟩", "b")
    assert encoding.spans == [None, (0, 1), (3, 8), (9, 10)]
    assert encoding.special == [True, False, False, False]
    assert encoding.words == [None, 0, 1, 2]
    assert encoding.texts == [None, 0, 0, 0]
    assert [tokenizer.label(id) for id in (-1, 10**9)] == ["#-1", "#1000000000"]
    assert tokenizer.decode([-1, *encoding.ids[:2], 10**9]) == "a"
    assert "one text at a time" in refusal(lambda: tokenizer.encode("a", "b"))
    assert "shorten" in refusal(lambda: tokenizer.encode("a" * (MAX_TEXT + 1)))
    assert repr(tokenizer) == f"<TaskTokenizer of {tokenizer.vocab_size} tokens>"


class Pieces:
    """A tokeniser of byte pairs within words, in small letters, as the storyteller's may be."""

    def __init__(self) -> None:
        self.pairs = BytePairTokeniser.learn(" the hat the hats found founder", 12)

    def __len__(self) -> int:
        return len(self.pairs)

    def cut(self, text: str) -> list[str]:
        return text.lower().split()

    def encode(self, text: str) -> list[int]:
        return [id for word in self.cut(text) for id in self.pairs.encode(f" {word}")]

    def decode(self, ids: Iterable[int]) -> str:
        return self.pairs.decode(ids).strip()

    def label(self, id: int) -> str:
        return self.pairs.label(id)


TOKENISERS: list[Tokeniser] = [
    Pieces(),
    Pieces().pairs,
    SpacedTokeniser("abc"),
    *(tasks.make(name).source for name in ("tales", "french", "english", "brackets", "code")),
]


def spelled(tokeniser: Tokeniser, text: str) -> list[str]:
    ids = tokeniser.encode(text)
    return [text[start:end] for start, end in spans_of(tokeniser, text, ids)]


def test_characters_are_found_where_words_are_cut_or_spelled_otherwise() -> None:
    english = tasks.make("french").source
    assert spelled(english, "The cat doesn't like it, Tom.") == ["The", "cat", "does", "n't", "like", "it", ",", "Tom"]
    assert spelled(english, "I’m   tired") == ["I", "’m", "tired"]
    pieces = Pieces()
    assert "".join(spelled(pieces, "The  HATS founders")) == "TheHATSfounders"
    assert "".join(spelled(pieces.pairs, "the hats found")) == "the hats found"
    assert spelled(pieces.pairs, "é") == ["é", "é"]  # two bytes of one letter
    assert spelled(tasks.make("english").source, "l’homme n'aime") == ["l’", "homme", "n'", "aime"]
    assert spelled(tasks.make("code").source, 'f( "a b")') == ["f", "(", '"a b"', ")"]
    assert spelled(tasks.make("tales").source, "e\u0301va\u00a0found") == ["e\u0301va", "found"]


@given(text=st.text(max_size=40) | st.text("aB c.'’é\u0301\u200b\n🙂", max_size=40))
@pytest.mark.parametrize("tokeniser", TOKENISERS, ids=lambda one: type(one).__name__)
def test_any_text_can_be_read(tokeniser: Tokeniser, text: str) -> None:
    encoding = TaskTokenizer(tokeniser, begins=True, ends=True).encode(text)
    spans = [span for span in encoding.spans if span is not None]
    assert len(spans) == len(encoding.ids) - 2
    starts = [start for start, _ in spans]
    assert starts == sorted(starts)
    assert all(0 <= start <= end <= len(text) for start, end in spans)
    numbers = [number for number in encoding.words if number is not None]
    assert sorted(set(numbers)) == list(range(len(set(numbers))))
