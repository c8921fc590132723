"""The passes that scenes of other models show at first, each made again by the model itself."""

from typing import Any

import numpy as np
import torch

from lab.kit.controls.reader import REVIEWS
from pages.overview.others import data as readers
from pages.overview.others.data import SHAPES
from transformer import Recorder, Transformer, core, inspection, training
from transformer.training.tasks import shapes


def translation(text: str) -> tuple[Transformer, Any, tuple[int, ...]]:
    """The translator, what it reads of a text, and what it has then written but for the last word."""
    source = readers.TRANSLATOR.resolve()
    model = source.model
    assert isinstance(model, Transformer)
    given = inspection.translation.tokenise_source(source.task, text or source.examples[0])
    return model, given, (training.text.BOS, *inspection.translation.translate(model, given.ids).answer[:-1])


def recorded_again(name: str) -> Recorder:
    """The pass that the scene of this model shows at first, made by the model itself."""
    run = Recorder()
    with torch.inference_mode():
        if name == SHAPES:
            pixels = shapes.draw(1, np.random.default_rng(readers.SEEDS[0]), readers.GIVEN, shapes.SIZES[2]).pixels
            training.vision.load("shapes").model(core.images.scaled(pixels), tap=run)
        elif name == REVIEWS:
            source = readers.REVIEWER.resolve()
            source.model(torch.tensor([source.ids(source.cut(source.examples[0]))]), tap=run)
        else:
            model, given, read = translation("")
            model(torch.tensor([given.ids]), torch.tensor([read]), tap=run)
    return run
