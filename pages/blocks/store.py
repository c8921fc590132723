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
    trained = _rows(block_sweep.sweep())
    deep = _rows(block_sweep.sweep(block_sweep.deep_blocks(), n_layers=block_sweep.DEEP))
    result = {"trained": trained, "deep": deep}
    FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def _rows(sweep: Iterable[block_sweep.Trained]) -> list[dict[str, Any]]:
    rows = []
    for trained in sweep:
        rows.append(trained._asdict())
        print(*trained, flush=True)
    return rows


if __name__ == "__main__":
    main()
