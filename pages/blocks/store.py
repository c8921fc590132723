"""Trains what “Modern blocks” shows of trainings, and writes it to trained_blocks.json:

python -m pages.blocks.store
"""

import json
import time
from pathlib import Path

from transformer.training import block_sweep

FILE = Path(__file__).with_name("trained_blocks.json")


def main() -> None:
    import torch

    torch.set_num_threads(1)
    start, rows = time.process_time(), []
    for trained in block_sweep.sweep():
        rows.append(trained._asdict())
        print(*trained, flush=True)
    result = {"seconds": round(time.process_time() - start), "trained": rows}
    FILE.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
