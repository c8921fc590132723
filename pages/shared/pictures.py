"""The picture of every head of a model on one text, for the pages that show it."""

from attention_view import Packed, Picture
from pages.shared.caching import cached
from pages.shared.models import Mask, ModelRef

MAX_LABEL = 40  # letters of a token


@cached(entries=32)
def heads(ref: ModelRef, mask: Mask, tokens: tuple[str, ...]) -> Packed:
    """Every head of an encoder or a decoder on these tokens, ready for the browser.

    mask comes on top of what the model does by itself; a prefix mask takes the place of a decoder's causal one.
    """
    from transformer.inspection.heads import chance, head_scores
    from transformer.inspection.run import run_with_maps

    source = ref.resolve()
    is_causal = source.kind == "decoder" and mask.name != "prefix"
    run = run_with_maps(source.single_stack, source.ids(tokens), tokens, mask.tensor(len(tokens)), is_causal=is_causal)
    maps = run.attention[source.kind]
    labels = tuple(token if len(token) <= MAX_LABEL else token[: MAX_LABEL - 1] + "…" for token in tokens)
    picture = Picture(
        queries=labels,
        keys=labels,
        weights=maps.weights,
        mask=maps.mask,
        q=maps.q,
        k=maps.k,
        scale=maps.scale,
        bias=maps.bias,
        scores=head_scores(maps.weights),
        chance=chance(len(tokens), len(tokens), maps.mask),
        facts=(*source.origin, source.kind, f"{run.n_parameters:,} parameters"),
        untrained=not source.is_trained,
    )
    return Packed(picture)
