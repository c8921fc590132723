"""The tensors of a published model, put into our own classes: `to_model(settings, tensors)`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from transformer.core.checks import InputError
from transformer.core.config import Kind, TransformerConfig
from transformer.core.model import DecoderModel, EncoderModel, Model, Transformer
from transformer.pretrained.family import Family, Theirs, family_of

_CLASSES: dict[Kind, type[Model]] = {"encoder": EncoderModel, "decoder": DecoderModel, "encoder-decoder": Transformer}
_NO_HEAD = (
    "It was published without an output layer and predicts no tokens: what stands in place of a prediction compares its"
    " vectors with its own token embeddings."
)


def expected(settings: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """The tensors that the model needs, by their names without the prefix of a family, with their shapes.

    No memory is taken for them. Of several possible names the first is given.
    """
    parts = _Plan.of(settings).parts.values()
    return {theirs.names[0]: theirs.shape(shape) for theirs, shape in parts if not theirs.optional}


def check(settings: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """Raise InputError unless files with tensors of these names and shapes hold the model that the settings describe.

    The sentence names a tensor that is missing, that has another shape, or that has no place in the model. Returns the
    names of those that are left out because they are no part of it: heads for other tasks, constants.
    """
    plan = _Plan.of(settings)
    uses = plan.uses(shapes)
    for name, parameters in uses.items():
        plan.check_shape(name, shapes[name], parameters)
    return plan.left(shapes, uses)


def facts(settings: Mapping[str, Any], shapes: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """What there is to say of the model, in sentences; shapes as for check()."""
    left = check(settings, shapes)
    sentences = [] if _Plan.of(settings).config.predicts else [_NO_HEAD]
    if left:
        more = f" and {len(left) - 4} more" if len(left) > 4 else ""
        sentences.append(f"Not used here: {', '.join(left[:4])}{more}.")
    return tuple(sentences)


def to_model(settings: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Model:
    """The model with these weights, in their dtype and in eval mode.

    Each tensor is asked for once; one that can be used as it is, is not copied. Raises InputError where check() does.
    """
    plan = _Plan.of(settings)
    model, uses = plan.model(), plan.uses(tensors)
    plan.left(tensors, uses)
    dtype = torch.get_default_dtype()
    for name, parameters in uses.items():
        theirs = tensors[name]
        plan.check_shape(name, theirs.shape, parameters)
        dtype = theirs.dtype
        for parameter in parameters:
            _put(model, parameter, plan.parts[parameter][0].take(theirs, plan.config.n_heads))
    for parameter, ours in list(model.named_parameters()):
        if ours.is_meta:  # optional, and not there
            _put(model, parameter, torch.zeros(ours.shape, dtype=dtype))
    for module in model.modules():
        if any(True for _ in module.buffers(recurse=False)):  # tables of a formula: computed, where the model now is
            module.to_empty(device="cpu").to(dtype)
    return model.eval()


def _put(model: nn.Module, parameter: str, tensor: Tensor) -> None:
    module, _, leaf = parameter.rpartition(".")
    setattr(model.get_submodule(module), leaf, nn.Parameter(tensor))


class _Plan(NamedTuple):
    """What settings ask for: a model of ours, and for each of its parameters the tensor of theirs, and our shape."""

    family: Family
    kind: Kind
    config: TransformerConfig
    parts: dict[str, tuple[Theirs, tuple[int, ...]]]

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "_Plan":
        family = family_of(settings)
        kind, config = family.config(settings)
        plan = cls(family, kind, config, {})
        for name, parameter in plan.model().named_parameters():
            plan.parts[name] = family.source(name), tuple(parameter.shape)
        return plan

    def model(self) -> Model:
        """The model, without memory for its numbers."""
        with torch.device("meta"):
            return _CLASSES[self.kind](self.config)

    def uses(self, names: Iterable[str]) -> dict[str, list[str]]:
        """Which of our parameters each of the files' tensors makes. Raises InputError if one is missing."""
        full = {self.family.bare(name): name for name in names}
        uses: dict[str, list[str]] = {}
        for parameter, (theirs, _) in self.parts.items():
            name = next((full[name] for name in theirs.names if name in full), None)
            if name is not None:
                uses.setdefault(name, []).append(parameter)
            elif not theirs.optional:
                why = self.family.why_missing(theirs.names[0], full)
                raise InputError(f"the model's files lack the tensor {' or '.join(theirs.names)}{why}")
        return uses

    def check_shape(self, name: str, shape: Sequence[int], parameters: Iterable[str]) -> None:
        """Raise InputError if a tensor has another shape than these parameters of ours need."""
        for parameter in parameters:
            theirs, ours = self.parts[parameter]
            if tuple(shape) != (wanted := theirs.shape(ours)):
                raise InputError(f"the tensor {name} has the shape {tuple(shape)}; config.json asks for {wanted}")

    def left(self, names: Iterable[str], uses: Mapping[str, Any]) -> tuple[str, ...]:
        """The names that nothing is made of. Raises InputError if one of them belongs to a model that is not ours."""
        left = tuple(name for name in names if name not in uses)
        for name in left:
            if not re.fullmatch(self.family.ignored, self.family.bare(name)):
                raise InputError(f"the files hold a tensor {name[:100]}, which no {self.family.name} model here has")
        return left
