"""`python -m transformer.training [NAME ...]`: train the shipped models again, and write them with their cards.

With --measure, only their cards are made anew, out of the files that are there.
"""

import sys
from dataclasses import replace

import torch

from transformer.training import checkpoints, vision
from transformer.training.shipped import FOLDER, SHIPPED, available, file_of, stages_of
from transformer.training.shipping import cards, measure, train
from transformer.training.stages import packed


def main(names: list[str]) -> None:
    if names == ["--measure"]:
        measure_again()
        return
    known = [*SHIPPED, *vision.PLANS]
    unknown = [name for name in names if name not in known]
    if unknown:
        sys.exit(f"There is no shipped model {unknown[0]!r}; there are {', '.join(known)}.")
    FOLDER.mkdir(exist_ok=True)
    for name in names or known:
        print(name, flush=True)
        torch.set_num_threads(SHIPPED[name].threads if name in SHIPPED else 1)
        if name in vision.PLANS:
            ship_vision(name)
            continue
        checkpoint = train(name, report=lambda line: print(line, flush=True))
        data = checkpoints.save(replace(checkpoint, stages=()), half=True, moments=False)
        file_of(name).write_bytes(data)
        if checkpoint.stages:
            stages_of(name).write_bytes(packed(checkpoint.stages))
        print(f"  {len(data):,} bytes", *(f"{key}: {value}" for key, value in checkpoint.card.items()), sep="\n  ")
    (FOLDER / "README.md").write_text(cards())


def measure_again() -> None:
    """Measure the files that are there, and write what was found into them and into the list of cards."""
    torch.set_num_threads(1)
    for name in available():
        print(name, *(f"{key}: {value}" for key, value in measure(name).card.items()), sep="\n  ", flush=True)
    (FOLDER / "README.md").write_text(cards())


def ship_vision(name: str) -> None:
    """Train a model of pictures and write it."""
    trained = vision.train(name, report=lambda line: print(line, flush=True))
    data = vision.saved(trained)
    vision.file_of(name).write_bytes(data)
    print(f"  {len(data):,} bytes", *(f"{key}: {value}" for key, value in trained.card.items()), sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1:])
