"""The picture of every head of a model on one text, for the pages that show it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from attention_view import Packed, Picture, Sent
from lab.kit.models.references import Mask
from lab.kit.models.source import ModelRef, Source
from lab.kit.words import shorten
from lab.server.caching import cached
from transformer import inspection
from transformer.core import workload
from transformer.core.workload import Workload

MAX_LABEL = 40  # letters of a token


def _work(
    ref: ModelRef,
    mask: Mask,
    tokens: tuple[str, ...],
    segments: tuple[int, ...] = (),
    words: tuple[int | None, ...] = (),
    every_score: bool = False,
) -> Workload:
    source, T = ref.resolve(), len(tokens)
    vectors = 3 * source.n_layers * T * source.config.n_heads * source.config.d_k * workload.FLOAT
    return workload.one_pass(source.config, T, source.n_layers, has_logits=False).keeping(vectors)


@cached(work=_work)
def heads(
    ref: ModelRef,
    mask: Mask,
    tokens: tuple[str, ...],
    segments: tuple[int, ...] = (),
    words: tuple[int | None, ...] = (),
    every_score: bool = False,
) -> Packed:
    """Every head of an encoder or a decoder on these tokens, ready for the browser.

    mask comes on top of what the model does by itself; a prefix mask takes the place of a decoder's causal one.
    segments, words: which of two texts, and which word, each token belongs to; () where there is nothing to tell.
    every_score: not only those that need no introduction.
    """
    source, T = ref.resolve(), len(tokens)
    model, ids, blocked = source.single_stack, source.ids(tokens), mask.tensor(T)
    is_causal = source.kind == "decoder" and mask.name != "prefix"
    frame = inspection.run.frame_of_maps(model, T, blocked, is_causal=is_causal)
    labels = tuple(shorten(token, MAX_LABEL) for token in tokens)
    read = tuple(source.label(id) for id in ids) if any(source.unread(tokens)) else tokens  # two unknown words are one
    cells = inspection.heads.relations(read) | source.relations(read)
    measures = _measures(read, every_score)
    texts, vectors, scores, tags = list(segments) or None, [], [], []

    def layers() -> Iterator[np.ndarray]:
        """The weights of one layer at a time: those of all layers together can be 200 MB."""
        for layer in inspection.run.maps_by_layer(model, ids, blocked, is_causal=is_causal, segments=texts):
            vectors.append((layer.q, layer.k, layer.v))
            found, number = {one.name: one(layer.weights, read) for one in measures}, len(scores)
            own = frame.mask_of(number)
            tags.extend(inspection.heads.head_tags(layer.weights, cells, labels, own, number, found.get("entropy")))
            scores.append(found)
            yield layer.weights
            del layer

    sent = Sent.of(layers(), source.n_layers)
    q, k, v = (np.stack(kept) for kept in zip(*vectors, strict=True))
    marks = source.marks(tokens, segments, words)
    picture = Picture(
        queries=labels,
        keys=labels,
        weights=sent,
        mask=frame.mask,
        q=q,
        k=k,
        v=v,
        scale=frame.scale,
        bias=frame.bias,
        scores={name: np.stack([layer[name] for layer in scores]) for name in scores[0]},
        # Where layers may look at different keys, what chance would give is not one number.
        chance={one.name: one.chance(T, T, frame.mask, read) for one in measures if frame.is_one_mask},
        about={one.name: one.meaning for one in measures} if every_score else {},
        query_marks=marks,
        key_marks=marks,
        facts=_facts(source),
        untrained=not source.is_trained,
        **_in_order(tags),
    )
    return Packed(picture)


def _measures(tokens: tuple[str, ...], every_score: bool) -> list["inspection.scores.HeadScore"]:
    """The scores of heads that say something of these tokens."""
    T, known = len(tokens), inspection.heads.SCORES
    return [one for one in inspection.scores.SCORES if (every_score or one.name in known) and one.applies(T, T, tokens)]


def _facts(source: Source) -> tuple[str, ...]:
    """What a model without a name is; what is worth knowing of a trained one stands on the page."""
    if source.facts[1:]:
        return ()
    return source.kind, f"{sum(p.numel() for p in source.single_stack.parameters()):,} parameters"


def _in_order(tags: list["inspection.heads.HeadTag"]) -> dict[str, Any]:
    """The tags, those that lead first, and the head that the picture opens on: the first that says something."""
    first = inspection.heads.leading(tags)
    opens = next(((tag.layer, tag.head) for tag in first if not tag.is_trivial), (0, 0))
    return {"tags": tuple(map(_plain, [*first, *(tag for tag in tags if tag not in first)])), "opens": opens}


def _plain(tag: "inspection.heads.HeadTag") -> dict:
    """A tag for the payload, which is JSON."""
    of = {"name": tag.name, "layer": tag.layer, "head": tag.head, "score": round(tag.score, 4), "query": tag.query}
    return of | ({"times": list(tag.times)} if tag.times else {})
