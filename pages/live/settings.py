"""Every hyperparameter of a training as controls that stand in the address bar, and the plan that they make."""

from collections.abc import Iterable

import streamlit as st

from pages.live import trainings
from pages.shared.controls import ACTIVATION_NAMES, LAYER_NORMS, POSITIONS, SCALINGS, choose
from transformer.training.text import clean

TASKS = {
    "Copy": "copy",
    "Reverse": "reverse",
    "Sort": "sort",
    "Repeat": "repeat",
    "Brackets": "brackets",
    "Addition": "addition",
    "English to French": "french",
    "Stories": "stories",
    "Sentiment": "sentiment",
    "Your own text": "text",
}
WITH_LENGTHS = ("copy", "reverse", "sort")  # tasks whose texts can be made longer than those of the training
MOST_HEADS = 8
LEAST_TEXT, MOST_TEXT = 200, 200_000  # characters
CAUSAL = {"causal": False, "none: it sees the answer": True}
TIED = {"the embedding again": True, "a table of its own": False}
ADDED = {"× √d_model": True, "as they are": False}
LEVELS = {"characters": "characters", "byte pairs": "byte pairs"}
_OPTIONS: dict[str, Iterable] = {
    "d_model": (8, 16, 24, 32, 48, 64, 96, 128),
    "layers": (1, 2, 3, 4),
    "positions": POSITIONS,
    "steps": (20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1600, 2000, 3000),
    "lr": (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 6e-3, 1e-2, 2e-2, 3e-2, 6e-2, 0.1, 0.3, 1.0, 3.0, 10.0),
    "d_ff": (16, 32, 64, 96, 128, 192, 256, 384, 512),
    "norm": LAYER_NORMS,
    "activation": ACTIVATION_NAMES,
    "scores": SCALINGS,
    "dropout": (0.0, 0.05, 0.1, 0.2, 0.3, 0.5),
    "output": TIED,
    "embedding": ADDED,
    "batch": (8, 16, 32, 64, 128),
    "schedule": ("one-cycle", "cosine", "Noam", "constant"),
    "warmup": (1, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600),
    "decay": (0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0),
    "smoothing": (0.0, 0.05, 0.1, 0.2, 0.3),
    "clip": (0.0, 0.1, 0.3, 1.0, 3.0),
    "augment": (0.0, 0.1, 0.3, 0.5, 1.0),
    "examples": (20, 50, 100, 200, 500, 1000, 2000, 4000, 8000, 20_000, 40_000),
    "mask": CAUSAL,
    "longest": (4, 6, 8, 10, 12, 16),
    "window": (16, 32, 48, 64),
    "level": LEVELS,
    "seed": range(20),
}

# Two trainings side by side: what A has, and what B has, where all else is the same.
PAIRS: dict[str, tuple[dict, dict, str]] = {
    "1 head | 4 heads": ({"heads": 1}, {"heads": 4}, "Do more heads learn faster? The parameters are as many."),
    "positions off | on": (
        {"positions": "none"}, {"positions": "sinusoidal"}, "What is left when the model cannot tell places apart?",
    ),
    "sinusoidal | ALiBi": (
        {"positions": "sinusoidal"}, {"positions": "ALiBi"}, "Which of them goes on where the training ended?",
    ),
    "without warm-up | with warm-up": ({"warmup": 1}, {}, "Does it help to begin with small steps?"),
    "dropout 0 | 0.3": ({"dropout": 0.0}, {"dropout": 0.3}, "Noise in training: a slower start, a smaller gap?"),
    "1 layer | 2 layers": ({"layers": 1}, {"layers": 2}, "Is deeper better on this task?"),
    "pre-norm | post-norm": (
        {"norm": "before (pre)"}, {"norm": "after (post)"}, "Which of them needs the warm-up more?",
    ),
    "100 examples | 8000 examples": ({"examples": 100}, {"examples": 8000}, "By heart, or understood? Watch the gap."),
    "weight decay 0 | 0.3": ({"decay": 0.0}, {"decay": 0.3}, "See the length of the weights in its own curve."),
    "batch 8 | 64": ({"batch": 8}, {"batch": 64}, "How noisy is a small batch?"),
}  # fmt: skip
ALONE, FREE = "one training", "A pinned, B is what you choose now"


def settings() -> tuple[dict, list[str]]:
    """The row of controls: the value of every setting by its name, and what is to be said of a link."""
    say: list[str] = []
    values: dict = {}
    ask = _asker(values, say)
    with st.grid(8, min_column_width=108, gap="small", vertical_alignment="bottom", key="model-row") as row:
        values["task"] = choose(
            st.selectbox,
            "Task",
            "live_task",
            TASKS,
            "Reverse",
            say,
            help="What is to be learned. Its answers are known.",
        )
        usual = _usual(TASKS[values["task"]])
        ask(st.select_slider, "d_model", "d_model", usual, help="How many numbers stand for a token.")
        options = tuple(n for n in range(1, MOST_HEADS + 1) if values["d_model"] % n == 0)
        values["heads"] = choose(
            st.select_slider,
            "Heads",
            "live_heads",
            options,
            max(n for n in options if n <= usual["heads"]),
            say,
            why=f"d_model={values['d_model']} cannot be split into {{}} equal heads",
            follows=True,
            help=f"They share d_model equally: {values['d_model']} can be split into {', '.join(map(str, options))}.",
        )
        ask(
            st.select_slider, "Layers", "layers", usual, help="Of the encoder and of the decoder, where there are both."
        )
        ask(st.selectbox, "Positions", "positions", usual, help="How the model learns where a token stands.")
        ask(st.select_slider, "Steps", "steps", usual, help="How often the weights change.")
        rate = row.container()
        with row.popover("More", icon=":material/tune:", width="stretch", key="more"):
            _more(values, usual, ask, say)
        with rate:  # the usual one depends on the schedule, which stands behind More
            ask(
                st.select_slider,
                "Learning rate",
                "lr",
                usual | ({"lr": 1.0} if values["schedule"] == "Noam" else {}),
                help="How far a step goes at its highest. With Noam's schedule a factor, usually 1.",
            )
    return values, say


def _asker(values: dict, say: list[str]):
    def ask(widget, label: str, name: str, usual: dict, **more):
        options = tuple(_OPTIONS[name])
        if usual[name] not in options:
            options = tuple(sorted({*options, usual[name]}))
        values[name] = choose(widget, label, f"live_{name}", options, usual[name], say, follows=True, **more)

    return ask


def _more(values: dict, usual: dict, ask, say: list[str]) -> None:
    """The rarer settings, in two columns."""
    task = TASKS[values["task"]]
    slider, among = st.select_slider, st.segmented_control
    model, training = st.columns(2, gap="large", width=620)
    with model:
        st.markdown("**Model**")
        ask(slider, "d_ff", "d_ff", usual | {"d_ff": 4 * values["d_model"]}, help="Width of the feed-forward layer.")
        ask(among, "Layer norm", "norm", usual, help="Before each sublayer (as GPT-2) or after it (as the paper).")
        ask(among, "Feed-forward", "activation", usual)
        ask(among, "Scores", "scores", usual, help="Without the division large d_k makes softmax pick a single key.")
        ask(among, "Token vectors", "embedding", usual, help="The paper multiplies them by √d_model.")
        ask(among, "Output map", "output", usual, help="Which table turns the last vectors into tokens.")
        ask(slider, "Dropout", "dropout", usual, help="The share of numbers that are dropped at random in training.")
        if task in WITH_LENGTHS:
            ask(slider, "Longest text", "longest", usual, help="Letters of the longest text that is trained on.")
        ask(among, "Mask of the decoder", "mask", usual, help="Without it the decoder reads off what it is to write.")
    with training:
        st.markdown("**Training**")
        ask(slider, "Batch size", "batch", usual, help="Examples a step.")
        ask(among, "Schedule", "schedule", usual, help="How the learning rate runs over the steps.")
        tenth = max(1, values["steps"] // (5 if values["schedule"] == "Noam" else 10))
        ask(slider, "Warm-up", "warmup", usual | {"warmup": tenth}, help="Steps in which the rate rises; 1 is none.")
        ask(slider, "Weight decay", "decay", usual, help="Pulls every matrix towards 0, a little each step.")
        ask(slider, "Label smoothing", "smoothing", usual, help="Share of the probability wanted of all tokens alike.")
        ask(slider, "Clip gradients at", "clip", usual, help="The longest gradient that is followed as it is; 0: any.")
        ask(slider, "Training examples", "examples", usual, help="Few of them can be learned by heart.")
        if trainings.can_augment(task):
            ask(slider, "Augmentation", "augment", usual, help="Share of examples changed so that the answer holds.")
        ask(slider, "Seed", "seed", usual, help="The same seed gives the same film.")


def _usual(task: str) -> dict:
    """Where a task starts from: its recipe, in the words of the controls."""
    from transformer.training.tasks import recipe

    config, training = recipe(task).config, recipe(task).settings
    named = {"positions": POSITIONS, "norm": LAYER_NORMS, "activation": ACTIVATION_NAMES}
    return {
        **{name: _name(names, getattr(config, name)) for name, names in named.items()},
        "d_model": config.d_model,
        "heads": config.n_heads,
        "layers": max(config.n_encoder_layers, config.n_decoder_layers),
        "scores": _name(SCALINGS, config.scaled),
        "dropout": config.dropout,
        "output": _name(TIED, config.tie_output),
        "embedding": _name(ADDED, config.scale_embeddings),
        "steps": training.steps,
        "lr": float(training.lr),
        "batch": training.batch_size,
        "schedule": training.schedule,
        "decay": training.weight_decay,
        "smoothing": training.label_smoothing,
        "clip": training.clip,
        "augment": training.augment,
        "examples": training.n_examples,
        "mask": _name(CAUSAL, training.look_ahead),
        "longest": 8,
        "window": 32,
        "level": "characters",
        "seed": training.seed,
    }


def _name(names: dict, value) -> str:
    return next(name for name, meant in names.items() if meant == value)


def own_text(values: dict, say: list[str]) -> str:
    """A box for a text and an upload, how to cut it, and the text that is to be learned from; "" for none."""
    ask = _asker(values, say)
    usual = _usual("text")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        typed = st.text_area(
            "Your text",
            key="live_text",
            max_chars=MOST_TEXT,
            height=110,
            placeholder=f"Paste at least {LEAST_TEXT} characters: a story, a song, a page of code",
            persist_state="session",
        )
        with st.container(width=330):
            file = st.file_uploader("or a plain text file", type="txt", max_upload_size=1, key="live_file")
        with st.container(width=230):
            ask(st.segmented_control, "Cut into", "level", usual)
            ask(st.select_slider, "Window", "window", usual, help="How many tokens are read at a time.")
    text = typed or ""
    if file is not None:
        try:
            text = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError:
            say.append(f"{clean(file.name)[:60]} is not plain text in UTF-8. Save it as such, and upload it again.")
            return ""
    if len(text) > MOST_TEXT:
        say.append(f"This text has {len(text):,} characters; at most {MOST_TEXT:,} can be learned from, so shorten it.")
        return ""
    if text and len(text) < LEAST_TEXT:
        say.append(f"This text has {len(text):,} characters; give one of at least {LEAST_TEXT}.")
        return ""
    return text


def plan(values: dict, text: str = "", label: str = "") -> "trainings.Plan":
    """What the settings name. Raises ValueError with a sentence for what cannot be."""
    from transformer.config import TransformerConfig
    from transformer.training.trainer import Settings

    task = TASKS[values["task"]]
    config = TransformerConfig(
        d_model=values["d_model"],
        n_heads=values["heads"],
        d_ff=values["d_ff"],
        n_encoder_layers=values["layers"],
        n_decoder_layers=values["layers"],
        positions=POSITIONS[values["positions"]],
        norm=LAYER_NORMS[values["norm"]],
        activation=ACTIVATION_NAMES[values["activation"]],
        scaled=SCALINGS[values["scores"]],
        dropout=values["dropout"],
        tie_output=TIED[values["output"]],
        scale_embeddings=ADDED[values["embedding"]],
    )
    training = Settings(
        steps=values["steps"],
        batch_size=values["batch"],
        n_examples=values["examples"],
        lr=values["lr"],
        schedule=values["schedule"],
        warmup=values["warmup"],
        weight_decay=values["decay"],
        clip=values["clip"],
        label_smoothing=values["smoothing"],
        augment=values.get("augment", 0.0),
        look_ahead=CAUSAL[values["mask"]],
        seed=values["seed"],
    )
    made = {}
    if task in WITH_LENGTHS:
        made |= {"longest": values["longest"]}
    if task == "text":
        made = {"text": text, "level": values["level"], "length": values["window"]}
    return trainings.Plan(task, made, config, training, label or values["task"])


def pair(name: str, values: dict) -> dict[str, tuple[dict, str]]:
    """A and B of this name: their settings, and what each has that the other has not."""
    a, b, _ = PAIRS[name]
    first, second = name.split(" | ")
    if " " not in second:  # "dropout 0 | 0.3": both are about dropout
        second = " ".join([*first.split()[:-1], second])
    labels = (first, second)
    sides = {}
    for place, change, label in zip("AB", (a, b), labels, strict=True):
        side = values | change
        if side["d_model"] % side["heads"]:
            side["d_model"] = 32
        if name.startswith("without warm-up") and place == "B":
            side["warmup"] = max(2, values["warmup"], values["steps"] // 10)
        sides[place] = (side, label)
    return sides


def differences(a: dict, b: dict) -> str:
    """What B has otherwise than A, in a few words."""
    return ", ".join(f"{name} {a[name]} → {b[name]}" for name in a if name in b and a[name] != b[name])


def options(name: str) -> tuple:
    """What can be chosen for a setting."""
    return tuple(_OPTIONS[name])
