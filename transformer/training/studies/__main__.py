"""`python -m transformer.training.studies [recall|scaling|reviews|mask|far ...]`: train what is stored; write it."""

import sys

import torch

from transformer.training.studies import far_runs, mask_runs, recall_runs, reviews_runs, scaling_runs

_STUDIES = {
    "recall": recall_runs.store,
    "scaling": scaling_runs.store,
    "reviews": reviews_runs.store,
    "mask": mask_runs.store,
    "far": far_runs.store,
}


def main(names: list[str]) -> None:
    unknown = [name for name in names if name not in _STUDIES]
    if unknown:
        sys.exit(f"There is no study {unknown[0]!r}; there are {', '.join(_STUDIES)}.")
    torch.set_num_threads(1)
    for name in names or _STUDIES:
        print(name, flush=True)
        _STUDIES[name](lambda line: print(line, flush=True))


if __name__ == "__main__":
    main(sys.argv[1:])
