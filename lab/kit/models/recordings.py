"""Attention that came as arrays, from a recording or from a visitor's file, as pictures with scores."""

from dataclasses import replace

import numpy as np

from attention_view import Picture, tensor_file
from lab.kit.words import as_said
from transformer import inspection, pretrained


def recorded(name: str) -> Picture:
    """What a published model did with one of eight sentences, by the name of the recording: "tired", say.

    It opens at the cell that it was recorded for, in a head that is named for it unless it has earned a name by
    what all tokens do. Nothing is run. Who shows it says that it is recorded, and from which model:
    transformer.pretrained.recording.MODEL.
    """
    recording = next(recording for recording in pretrained.recording.RECORDINGS if recording.name == name)
    picture = scored(tensor_file.read(recording.file.read_bytes())["encoder"])
    layer, head, query, key = recording.edge
    assert isinstance(picture.weights, np.ndarray)
    tag = {
        "name": f"“{picture.queries[query]}” looks at “{picture.keys[key]}”",
        "layer": layer,
        "head": head,
        "score": round(float(picture.weights[recording.edge]), 4),
    }
    others = []
    for earned in picture.tags:
        if (earned["layer"], earned["head"]) != (layer, head):
            others.append(earned)
        elif earned["name"] not in inspection.heads.TRIVIAL:
            tag = earned
    tag = tag | {"query": query}
    return replace(picture, tags=(tag, *others), opens=(layer, head))


def scored(picture: Picture) -> Picture:
    """The same picture with scores and names of its heads, and opened at the head that has earned its name most.

    Of attention between two texts only the entropy is scored: where a word of the one lies in the other says nothing.
    """
    weights, tokens = picture.weights, picture.queries
    assert isinstance(weights, np.ndarray)
    _, _, T, S = weights.shape
    is_cross = picture.label == "cross-attention"
    is_one_text = picture.queries == picture.keys and not is_cross
    cells = inspection.heads.relations(tokens) if is_one_text else {}
    layers, tags = [], []
    for n, layer in enumerate(weights):
        layer = layer.astype("<f4", copy=False)  # sums of half precision would lose digits
        layers.append(inspection.heads.head_scores(layer))
        if is_one_text:
            tags += inspection.heads.head_tags(layer, cells, tokens, picture.mask_of(n), n, layers[n]["entropy"])
    first = inspection.heads.leading(tags)
    names = ["entropy"] if is_cross else list(layers[0])
    best = next(((tag.layer, tag.head) for tag in first if not tag.is_trivial), (0, 0))
    # Where layers may look at different keys, what chance would give is not one number.
    is_one_mask = picture.mask is None or picture.mask.ndim < 3
    expected = inspection.heads.chance(T, S, picture.mask) if is_one_mask else {}
    return replace(
        picture,
        queries=tuple(map(as_said, picture.queries)),
        keys=tuple(map(as_said, picture.keys)),
        scores={name: np.stack([layer[name] for layer in layers]) for name in names},
        chance={name: expected[name] for name in names if name in expected},
        tags=tuple(
            {"name": tag.name, "layer": tag.layer, "head": tag.head, "score": round(tag.score, 4), "query": tag.query}
            for tag in [*first, *(tag for tag in tags if tag not in first)]
        ),
        opens=best if picture.opens == (0, 0) else picture.opens,
    )
