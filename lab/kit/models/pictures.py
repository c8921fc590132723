"""The picture of every head of a model on one text, for the pages that show it."""

from collections.abc import Iterator

import numpy as np

from attention_view import Packed, Picture, Sent
from lab.kit.models.references import Mask
from lab.kit.models.source import ModelRef
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
    model, blocked = source.single_stack, mask.tensor(T)
    is_causal = source.kind == "decoder" and mask.name != "prefix"
    frame = inspection.run.frame_of_maps(model, T, blocked, is_causal=is_causal)
    labels = tuple(shorten(token, MAX_LABEL) for token in tokens)
    cells = inspection.heads.relations(tokens) | source.relations(tokens)
    measures = [
        one
        for one in inspection.scores.SCORES
        if (every_score or one.name in inspection.heads.SCORES) and one.applies(T, T, tokens)
    ]
    q, k, v, scores, tags = [], [], [], [], []

    def layers() -> Iterator[np.ndarray]:
        """The weights of one layer at a time: those of all layers together can be 200 MB."""
        ids, texts = source.ids(tokens), list(segments) or None
        for layer in inspection.run.maps_by_layer(model, ids, blocked, is_causal=is_causal, segments=texts):
            q.append(layer.q)
            k.append(layer.k)
            v.append(layer.v)
            found, number = {one.name: one(layer.weights, tokens) for one in measures}, len(scores)
            tags.extend(
                inspection.heads.head_tags(
                    layer.weights, cells, labels, frame.mask_of(number), number, found.get("entropy")
                )
            )
            scores.append(found)
            yield layer.weights
            del layer

    sent = Sent.of(layers(), source.n_layers)
    marks = source.marks(tokens, segments, words)
    first = inspection.heads.leading(tags)
    picture = Picture(
        queries=labels,
        keys=labels,
        weights=sent,
        mask=frame.mask,
        q=np.stack(q),
        k=np.stack(k),
        v=np.stack(v),
        scale=frame.scale,
        bias=frame.bias,
        scores={name: np.stack([layer[name] for layer in scores]) for name in scores[0]},
        # Where layers may look at different keys, what chance would give is not one number.
        chance={one.name: one.chance(T, T, frame.mask, tokens) for one in measures if frame.is_one_mask},
        about={one.name: one.meaning for one in measures} if every_score else {},
        query_marks=marks,
        key_marks=marks,
        # What is worth knowing of a trained model stands on the page.
        facts=() if source.facts[1:] else (source.kind, f"{sum(p.numel() for p in model.parameters()):,} parameters"),
        untrained=not source.is_trained,
        tags=tuple(_plain(tag) for tag in [*first, *(tag for tag in tags if tag not in first)]),
        opens=next(((tag.layer, tag.head) for tag in first if not tag.is_trivial), (0, 0)),
    )
    return Packed(picture)


def _plain(tag: "inspection.heads.HeadTag") -> dict:
    """A tag for the payload, which is JSON."""
    return {
        "name": tag.name, "layer": tag.layer, "head": tag.head, "score": round(tag.score, 4), "query": tag.query
    }  # fmt: skip
