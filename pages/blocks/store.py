"""Trains what “Modern blocks” shows of trainings, and writes it to trained_blocks.json:

python -m pages.blocks.store
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from transformer.training import block_sweep

FILE = Path(__file__).with_name("trained_blocks.json")


def main() -> None:
    import torch

    torch.set_num_threads(1)
    towers = [
        row
        for block, n_layers, seeds in block_sweep.towers()
        for row in _rows(block_sweep.sweep([block], seeds, n_layers=n_layers))
    ]
    save(_rows(block_sweep.sweep()), towers)


def save(trained: list[dict[str, Any]], towers: list[dict[str, Any]]) -> None:
    """A training per line."""
    kinds = {"trained": trained, "towers": towers}
    rows = [f'"{kind}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for kind, rows in kinds.items()]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def _rows(sweep: Iterable[block_sweep.Trained]) -> list[dict[str, Any]]:
    rows = []
    for trained in sweep:
        rows.append(trained._asdict())
        print(*trained, flush=True)
    return rows


if __name__ == "__main__":
    main()
