import json

import numpy as np
import torch

from transformer import Recorder
from transformer.inspection.translation import token_labels, tokenise_source, translate
from transformer.training import shipped
from transformer.training.text import BOS

checkpoint = shipped.load("translator")
model, task = checkpoint.model(), checkpoint.task
source = tokenise_source(task, "The little black cat does not like the white house")
written = [BOS, *translate(model, source.ids).answer]
seen = Recorder("weights", "q", "k")
with torch.inference_mode():
    model(torch.tensor([source.ids]), torch.tensor([written]), tap=seen)
kinds = {"encoder": "encoder.self_attn", "decoder": "decoder.self_attn", "cross": "decoder.cross_attn"}
arrays = {
    f"{kind}.{name}": seen.stack(f"{path}.{tap}")[:, 0].half().numpy()
    for kind, path in kinds.items()
    for name, tap in (("attention", "weights"), ("q", "q"), ("k", "k"))
}
tokens = {"encoder.tokens": source.words, "decoder.tokens": token_labels(task.target, written)}
np.savez_compressed("attention.npz", **arrays, **{name: json.dumps(each) for name, each in tokens.items()})
