"""What the page of translation computes once and shares: a keeper of caches, as session.py and trained.py.

Results are keyed on the name of a model and plain values. `name` stands for the model: that of a shipped one, or the
fingerprint of a visitor's own weights, so that two visitors never see each other's.
"""

import hashlib
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from attention_view import Packed, Picture
from pages.shared import checkpoints, training_queue
from pages.translation.components.alignment_threads import packed

if TYPE_CHECKING:
    from transformer.training.checkpoints import Checkpoint

SHIPPED = "translator"
TESTS = 100  # held-out sentences that a plug is measured on
MASKLESS_STEPS = 200
_TOP = 6  # words shown of a distribution
_KINDS = {"cross": "cross-attention", "encoder": "encoder self-attention", "decoder": "decoder self-attention"}


class Subject(NamedTuple):
    """A model to look at."""

    name: str
    checkpoint: "Checkpoint"

    @property
    def task(self):
        return self.checkpoint.task


def own() -> "Checkpoint | None":
    """What this visitor trained, if it translates: reads one text and writes another."""
    made = st.session_state.get(checkpoints.HAND_OVER)
    return made if made is not None and made.task.kind == "encoder-decoder" else None


def subject(*, mine: bool) -> Subject:
    """The shipped translator, or the visitor's own model."""
    made = own() if mine else None
    if made is None:
        return Subject(SHIPPED, checkpoints.shipped(SHIPPED))
    digest = hashlib.blake2b(repr(made.config).encode(), digest_size=12)
    for weight in made.weights.values():
        digest.update(weight.contiguous().numpy().tobytes())
    return Subject(f"{made.task.name} {digest.hexdigest()}", made)


@st.cache_resource(max_entries=4, show_spinner=False)
def _model(name: str, _checkpoint):
    import torch

    torch.set_num_threads(1)
    return _checkpoint.model()


def model(subject: Subject):
    """The model itself, in evaluation mode."""
    return checkpoints.shipped_model(SHIPPED) if subject.name == SHIPPED else _model(*subject)


class Told(NamedTuple):
    """One sentence, translated, and all that was seen meanwhile.

    typed, translation, maps   transformer.inspection.translation
    right    the task's own answer (Example), or None where it has none
    text     what was written;  right_text  what should have been, or ""
    words    what was written, token by token, <eos> included
    threads, steps             for the threads component, still and to be played
    packed   all heads by kind, for the attention view
    """

    typed: object
    translation: object
    maps: dict
    right: object
    text: str
    right_text: str
    words: tuple[str, ...]
    threads: dict
    steps: dict
    packed: dict[str, Packed]


def typed(subject: Subject, text: str):
    """The words of a text, as the model reads them."""
    from transformer.inspection.translation import most_read, read_typed

    return read_typed(subject.task, text, most_read(subject.checkpoint.config))


def tell(subject: Subject, words: tuple[str, ...]) -> Told:
    """Translate a sentence of at least one word."""
    return _tell(*subject, words)


@st.cache_resource(max_entries=48, show_spinner=False)
def _tell(name: str, _checkpoint, words: tuple[str, ...]) -> Told:
    from transformer.inspection import translation

    which = Subject(name, _checkpoint)
    task, net = which.task, model(which)
    read = translation.read_typed(task, " ".join(words))
    made = translation.write(net, read.ids)
    maps = translation.attentions(net, task, read, made.written)
    right = translation.truth(task, read)
    names = translation.labels(task.target, made.written)
    cross, ghost = maps["cross"].weights, right.alignment if right else ()
    frames = [
        {
            "top": [
                [translation.labels(task.target, [id])[0], float(frame.probs[id])]
                for id in (-frame.probs).argsort(kind="stable")[:_TOP].tolist()
            ],
            "encoder": frame.encoder,
            "decoder": frame.decoder,
        }
        for frame in made.frames
    ]
    return Told(
        typed=read,
        translation=made,
        maps=maps,
        right=right,
        text=task.target.decode(made.answer),
        right_text=task.target.decode(right.target) if right else "",
        words=names,
        threads=packed(read.words, names, cross, ghost=ghost),
        steps=packed(read.words, names, cross, ghost=ghost, frames=frames, memory=made.memory),
        packed={kind: _picture(kind, seen) for kind, seen in maps.items()},
    )


def _picture(kind: str, seen) -> Packed:
    """All heads of one kind of attention, ready for the browser."""
    from transformer.inspection.heads import chance, head_scores

    T, S = seen.weights.shape[-2:]
    scores = {} if kind == "cross" else head_scores(seen.weights)  # between two languages a distance means little
    return Packed(
        Picture(
            queries=seen.queries,
            keys=seen.keys,
            weights=seen.weights,
            mask=None if seen.mask is None or seen.mask.all() else seen.mask,
            q=seen.q,
            k=seen.k,
            scale=seen.scale,
            bias=seen.bias,
            scores=scores,
            chance=chance(T, S, seen.mask) if scores else {},
            facts=(_KINDS[kind], "trained"),
            label=_KINDS[kind],
        )
    )


# ---- beams -----------------------------------------------------------------------------------------------------


class Beams(NamedTuple):
    """A beam search: its tree for the browser, the place of the winner in every step, and the texts that ended,
    best first: (text, summed log-probability, final score, words written)."""

    steps: list
    best: list[int]
    texts: list[tuple[str, float, float, int]]


def beams(subject: Subject, words: tuple[str, ...], width: int, alpha: float) -> Beams:
    """Go on with the `width` best translations at every step."""
    return _beams(*subject, words, width, alpha)


@st.cache_resource(max_entries=48, show_spinner=False)
def _beams(name: str, _checkpoint, words: tuple[str, ...], width: int, alpha: float) -> Beams:
    import math

    from transformer.generation import beam_search, begin
    from transformer.inspection import translation
    from transformer.training.text import BOS, EOS

    which = Subject(name, _checkpoint)
    task, net = which.task, model(which)
    ids = translation.read_typed(task, " ".join(words)).ids
    most = translation.most_written(net, len(ids))
    found = beam_search(begin(net, [BOS], ids), width, max_new=most, eos=EOS, length_penalty=alpha)
    steps, texts = [], [()]
    for nodes in found.steps:
        texts = [(*texts[node.parent], node.id) if node.parent >= 0 else (node.id,) for node in nodes]
        steps.append(
            [
                {
                    "parent": node.parent,
                    "word": translation.labels(task.target, [node.id])[0],
                    "p": math.exp(node.log_p),
                    "score": node.score,
                    "fate": node.fate,
                    "text": task.target.decode(text),
                }
                for node, text in zip(nodes, texts, strict=True)
            ]
        )
    ended = [(task.target.decode(text.ids), text.score, text.final, len(text.ids)) for text in found.best]
    return Beams(steps, list(found.best[0].path), ended)


# ---- plugs, padding, context -----------------------------------------------------------------------------------

Head = tuple[str, int, int] | None


@st.cache_resource(max_entries=4, show_spinner=False)
def _held_out(name: str, _checkpoint):
    from transformer.inspection.translation import held_out

    return held_out(_checkpoint.task, TESTS)


def pulled(subject: Subject, words: tuple[str, ...], plug: str | None, head: Head = None) -> str:
    """What the sentence becomes without a part of the model: see transformer.inspection.translation.pull."""
    return _pulled(*subject, words, plug, head)


@st.cache_resource(max_entries=64, show_spinner=False)
def _pulled(name: str, _checkpoint, words: tuple[str, ...], plug: str | None, head: Head) -> str:
    from transformer.inspection import translation

    which = Subject(name, _checkpoint)
    net, tap = translation.pull(model(which), plug, head)
    return which.task.target.decode(translation.write(net, typed(which, " ".join(words)).ids, tap).answer)


def share(subject: Subject, plug: str | None, head: Head = None) -> float:
    """Share of TESTS held-out sentences that come out exactly right without this part."""
    return _share(*subject, plug, head)


@st.cache_resource(max_entries=512, show_spinner=False)
def _share(name: str, _checkpoint, plug: str | None, head: Head) -> float:
    from transformer.inspection import translation

    net, tap = translation.pull(model(Subject(name, _checkpoint)), plug, head)
    return translation.rights(net, _checkpoint.task, _held_out(name, _checkpoint), tap)


class Padded(NamedTuple):
    """A sentence with padding behind it; `share` of the held-out sentences are exactly right with as much of it."""

    text: str
    on_pads: float
    share: float
    packed: Packed


def room(subject: Subject, words: tuple[str, ...]) -> int:
    """How much padding the model can read behind this sentence, and behind the longest that is held out."""
    config = subject.checkpoint.config
    return config.max_len - max(len(words), subject.task.longest) if config.positions == "learned" else config.max_len


def padded(subject: Subject, words: tuple[str, ...], n_pads: int, *, masked: bool) -> Padded:
    """Translate a sentence beside one that is n_pads words longer."""
    return _padded(*subject, words, n_pads, masked)


@st.cache_resource(max_entries=48, show_spinner=False)
def _padded(name: str, _checkpoint, words: tuple[str, ...], n_pads: int, masked: bool) -> Padded:
    from transformer.inspection import translation

    which = Subject(name, _checkpoint)
    net = model(which)
    seen = translation.pad(net, which.task, typed(which, " ".join(words)), n_pads, masked=masked)
    right = translation.padded_rights(net, _held_out(name, _checkpoint), n_pads, masked=masked)
    return Padded(which.task.target.decode(seen.answer), seen.on_pads, right, _picture("cross", seen.maps["cross"]))


def likeness(subject: Subject, a: tuple[str, ...], b: tuple[str, ...]):
    """How alike the vectors of two sentences of one length are: (names of the heights, cosines (heights, words))."""
    return _likeness(*subject, a, b)


@st.cache_resource(max_entries=48, show_spinner=False)
def _likeness(name: str, _checkpoint, a: tuple[str, ...], b: tuple[str, ...]):
    from transformer.inspection import translation

    which = Subject(name, _checkpoint)
    names, first = translation.heights(model(which), typed(which, " ".join(a)).ids)
    _, second = translation.heights(model(which), typed(which, " ".join(b)).ids)
    return names, translation.alike(first, second)


def grafted(subject: Subject, a: tuple[str, ...], b: tuple[str, ...], place: int) -> tuple[str, ...]:
    """What is written of `a` if one vector of its memory is that of `b`, token by token."""
    return _grafted(*subject, a, b, place)


@st.cache_resource(max_entries=64, show_spinner=False)
def _grafted(name: str, _checkpoint, a: tuple[str, ...], b: tuple[str, ...], place: int) -> tuple[str, ...]:
    from transformer.inspection import translation

    which = Subject(name, _checkpoint)
    ids = [typed(which, " ".join(words)).ids for words in (a, b)]
    return translation.labels(which.task.target, translation.graft(model(which), *ids, place).answer)


class Tables(NamedTuple):
    """The embeddings of a model: rows on both sides, width, parameters of both together and of the whole model, and
    whether the two are one and the same."""

    source: int
    target: int
    width: int
    embeddings: int
    all: int
    shared: bool


def tables(subject: Subject) -> Tables:
    """Counted on the model's own parameters."""
    net = model(subject)
    one, other = net.encoder.embedding.weight, net.decoder.embedding.weight
    shared = one.data_ptr() == other.data_ptr()
    both = one.numel() + (0 if shared else other.numel())
    return Tables(len(one), len(other), one.shape[1], both, sum(p.numel() for p in net.parameters()), shared)


# ---- a training without the causal mask ------------------------------------------------------------------------

_JOB = "_translation_maskless"


def train_maskless() -> None:
    """Train a small translator that may look ahead, in this visitor's name. Raises jobs.Refused."""

    def make():
        from dataclasses import replace

        import torch

        from transformer.training import tasks
        from transformer.training.trainer import Trainer

        torch.set_num_threads(1)
        usual = tasks.recipe("french")
        settings = replace(
            usual.settings, steps=MASKLESS_STEPS, warmup=None, every=10, n_examples=8000, look_ahead=True
        )
        return Trainer(tasks.make("french"), usual.config, settings)

    st.session_state[_JOB] = training_queue.queue().submit(training_queue.owner(), make, MASKLESS_STEPS)


def maskless():
    """The job of that training, or None."""
    return st.session_state.get(_JOB)


class Blind(NamedTuple):
    """What a model learned that could look ahead: share of words right when it is given all words before each (and
    sees the word itself), share of sentences right when it writes by itself, and the sentence at hand."""

    told: float
    alone: float
    text: str


def blind(job, words: tuple[str, ...]) -> Blind:
    """Measure a training without mask that has come to its end."""
    from transformer.inspection import translation
    from transformer.training.checkpoints import checkpoint_of

    made = checkpoint_of(job.trainer)
    which = Subject("", made)
    net = made.model()
    examples = _held_out(SHIPPED, checkpoints.shipped(SHIPPED))
    text = made.task.target.decode(translation.write(net, typed(which, " ".join(words)).ids).answer)
    return Blind(job.snapshots[-1].accuracy, translation.rights(net, made.task, examples), text)
