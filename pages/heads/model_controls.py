"""The sentence and the model that reads it: a trained one, or an untrained one of any size."""

from lab.kit import settings
from lab.kit.controls.hyperparameters import (
    ACTIVATION,
    ACTIVATIONS,
    BASE,
    D_MODEL,
    KINDS,
    KV_HEADS,
    LAYER_NORM,
    LAYER_NORMS,
    LAYERS,
    MASK,
    MASKS,
    MODEL,
    POSITION_SCHEME,
    POSITIONS,
    SCALING,
    SCALINGS,
    SEED,
    SPANS,
    ModelChoice,
    NamedMask,
    ask_heads,
    ask_later_parts,
    ask_window_layers,
    divisors,
)
from lab.kit.controls.reader import read_by, sentence_row
from lab.kit.controls.text_input import Sentence
from lab.kit.models.references import Mask, Untrained
from lab.kit.models.source import MAX_TOKENS, Kind, ModelRef
from transformer.core.config import TransformerConfig


def masks_for(kind: Kind) -> dict[str, NamedMask]:
    """The masks of one kind of model by name, the default first."""
    return {mask.name: mask for mask in MASKS if kind in mask.kinds}


def ask_sentence_and_model() -> tuple[Sentence, ModelChoice]:
    """Both in the line at hand: the sentence, and one chip that opens all that is asked of the model. Notices on both
    are given."""
    box = sentence_row()
    with settings.line():
        reading = read_by(box=box, chip="{}")
        settings.notify(*reading.sentence.notices)
        return reading.sentence, ask_size() if reading.ref is None else _as_it_is(reading.ref)


def _as_it_is(trained: ModelRef) -> ModelChoice:
    """A trained model has the mask that it was trained with."""
    return ModelChoice(trained, Mask("causal" if trained.resolve().kind == "decoder" else "none"))


def ask_size() -> ModelChoice:
    """The hyperparameters of an untrained encoder or decoder."""
    kind = KINDS[MODEL.ask(width="stretch")]
    d_model = D_MODEL.ask()
    n_heads = ask_heads(d_model)
    n_layers = LAYERS.ask()
    positions = POSITIONS[POSITION_SCHEME.ask()]
    masks = masks_for(kind)
    mask = masks[
        MASK.ask(
            options=masks,
            default=next(iter(masks)),
            why=f"the mask {{}} is not for {'an' if kind == 'encoder' else 'a'} {kind}",
            follows=True,
        )
    ]
    span = SPANS[mask.span].ask() if mask.span else 0
    # A window in all layers is a mask on top of the model; in some of them, it is a part of the model itself.
    windowed = ask_window_layers(n_layers) if mask.value == "window" else None
    n_kv_heads = n_heads
    if n_heads > 1:
        n_kv_heads = KV_HEADS.ask(
            options=divisors(n_heads, n_heads),
            default=n_heads,
            why=f"{n_heads} heads cannot share {{}} key/value heads equally",
            follows=True,
        )
    scaled = SCALINGS[SCALING.ask()]
    norm = LAYER_NORMS[LAYER_NORM.ask()]
    activation = ACTIVATIONS[ACTIVATION.ask()]
    base = BASE.ask() if positions in ("sinusoidal", "rotary") else BASE.default
    seed = SEED.ask()
    later = ask_later_parts(norm=norm, positions=positions, n_heads=n_heads, d_model=d_model)
    config = TransformerConfig(
        d_model=d_model,
        n_heads=n_heads,
        n_kv_heads=n_kv_heads,
        n_encoder_layers=n_layers,
        n_decoder_layers=n_layers,
        positions=positions,
        base=float(base),
        scaled=scaled,
        norm=norm,
        activation=activation,
        max_len=MAX_TOKENS,
        window=None if windowed is None else span,
        window_layers=windowed,
        **later,
    )
    return ModelChoice(Untrained(kind, config, seed), Mask("none") if windowed is not None else Mask(mask.value, span))
