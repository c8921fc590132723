"""How many sentences does a translator need? Trainings on more and more different sentences, measured on new ones.

python -m transformer.training.grammar_size        trains all of them (two or three minutes), and writes the file

Everything but the sentences is equal: the model and the learning rate of the recipe, and STEPS steps of BATCH_SIZE
sentences. So fewer sentences are only seen more often. For one seed, a smaller set is a part of every larger one.
"""

import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

from transformer.training import tasks

SIZES = (100, 500, 2000, 4000, 20_000)  # such as can be chosen on /live
SEEDS = (0, 1)
STEPS, BATCH_SIZE = 400, 32
N_TESTS = 400  # sentences of each kind: seen in training, and not
TASK = "french"
SHOWN = ("the little black cat does not like the white house", "my tired child helps the sad birds")
FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True)
class Run:
    """One training.

    n, seed   different sentences in training, and the seed of everything
    seen      share of sentences from its training that it translates without a wrong word, writing by itself
    unseen    the same of sentences that it was never trained on
    examples  its translations of SHOWN
    """

    n: int
    seed: int
    seen: float
    unseen: float
    examples: tuple[str, ...]


def run(n: int, seed: int, steps: int = STEPS, n_tests: int = N_TESTS) -> Run:
    """Train on n sentences, none of SHOWN among them, and measure."""
    from transformer.training.scores import answers, exactly_right
    from transformer.training.trainer import Trainer

    task, recipe = tasks.make(TASK), tasks.recipe(TASK)
    shown = [example for text in SHOWN if (example := task.answer(text.split())) is not None]
    given = {example.source for example in shown}
    held_out = task.held_out
    task = replace(task, held_out=lambda example: example.source in given or held_out(example))
    settings = replace(
        recipe.settings,
        steps=steps,
        batch_size=BATCH_SIZE,
        warmup=max(1, steps // 10),
        n_examples=n,
        n_tests=50,
        every=steps,
        seed=seed,
    )
    trainer = Trainer(task, recipe.config, settings)
    for _ in trainer.run():
        pass
    new = task.examples(n_tests, Random(12345), held_out=True)
    return Run(
        n=len(trainer.examples),
        seed=seed,
        seen=round(exactly_right(trainer.model, task, trainer.examples[:n_tests]), 4),
        unseen=round(exactly_right(trainer.model, task, new), 4),
        examples=tuple(task.target.decode(ids) for ids in answers(trainer.model, task, shown)),
    )


def stored() -> tuple[Run, ...]:
    """The trainings in the file, by size and then by seed."""
    runs = (
        Run(one["n"], one["seed"], one["seen"], one["unseen"], tuple(one["examples"]))
        for one in json.loads(FILE.read_text(encoding="utf-8"))["runs"]
    )
    return tuple(sorted(runs, key=lambda run: (run.n, run.seed)))


def main() -> None:
    import torch

    torch.set_num_threads(1)
    runs = []
    for n in SIZES:
        for seed in SEEDS:
            runs.append(run(n, seed))
            sys.stdout.write(f"{runs[-1]}\n")
            sys.stdout.flush()
    about = {"task": TASK, "steps": STEPS, "batch size": BATCH_SIZE, "tests": N_TESTS}
    lines = ",\n".join("    " + json.dumps(asdict(one), ensure_ascii=False) for one in runs)
    FILE.write_text(f'{{\n  "about": {json.dumps(about)},\n  "runs": [\n{lines}\n  ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
