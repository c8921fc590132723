"""Every hyperparameter of a training as a control that is tied to the link, and the plan that the answers make."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from lab.kit import settings
from lab.kit.controls.hyperparameters import (
    ACTIVATION,
    ACTIVATIONS,
    D_MODEL,
    LAYER_NORM,
    LAYER_NORMS,
    LAYERS,
    NORM_KIND,
    NORM_KINDS,
    POSITION_SCHEME,
    POSITIONS,
    SCALING,
    SCALINGS,
    SEED,
    Control,
    ask_heads,
)
from lab.server.incoming import ask_file
from pages.live import data, own_picture, tiles
from transformer.core.checks import InputError
from transformer.core.config import TransformerConfig
from transformer.training.plan import Plan
from transformer.training.schedules import SCHEDULES
from transformer.training.settings import Knobs, Settings, Turn
from transformer.training.tasks import TASKS
from transformer.training.tasks.own_text import LEVELS, MAX_TEXT, MIN_TEXT
from transformer.training.tasks.pictures import PATCH_SIZES
from transformer.training.tasks.shapes import SIDE
from transformer.training.tasks.task import Declaration
from transformer.training.text import clean

Values = dict[str, Any]  # every setting by its name, as it is called on screen

BY_LABEL = {declaration.label: declaration for declaration in TASKS.values()}
MAX_HEADS = 8
LOOK_AHEAD = {"causal": False, "none: it sees the answer": True}
TIED = {"the embedding again": True, "a table of its own": False}
SCALED_EMBEDDINGS = {"× √d_model": True, "as they are": False}
READING = {"the class token": "class", "the mean of all patches": "mean"}
# Parts of a layer: what the control calls each, and the fields of TransformerConfig that make it.
Parts = dict[str, dict[str, Any]]
WINDOW = 4  # tokens, of a window or a block
ATTENTIONS: Parts = {
    "every pair": {},
    "linear": {"attention": "linear"},
    "window": {"window": WINDOW},
    "dilated": {"window": WINDOW, "pattern": "dilated"},
    "global + local": {"window": WINDOW, "pattern": "global"},
    "block-sparse": {"window": WINDOW, "pattern": "blocks"},
}
NORM_PARTS: Parts = {label: {"norm_kind": kind} for label, kind in (NORM_KINDS | {"none": "none"}).items()}
FEED_FORWARDS: Parts = {
    **{label: {"activation": name} for label, name in ACTIVATIONS.items()},
    "SwiGLU": {"activation": "silu", "gated": True},
    "none": {"has_feed_forward": False},
}
EXPERTS: Parts = {
    "one": {},
    "1 of 4": {"n_experts": 4, "top_k": 1},
    "2 of 4": {"n_experts": 4, "top_k": 2},
}
# By the name of the setting.
PARTS = {"attention": ATTENTIONS, "norm_kind": NORM_PARTS, "activation": FEED_FORWARDS, "experts": EXPERTS}
KV_HEADS = EACH, FOR_TWO, FOR_ALL = ("one each", "one for two", "one for all")
_SLIDER, _BUTTONS = st.select_slider, st.segmented_control
# By the name of the setting: its control. What it is at first, the recipe of the task says.
CONTROLS: dict[str, Control] = {
    "d_model": replace(D_MODEL, options=(8, 16, 24, 32, 48, 64, 96, 128)),
    "layers": replace(LAYERS, options=(1, 2, 3, 4), help="Where there are an encoder and a decoder: of each."),
    "positions": POSITION_SCHEME,
    "d_ff": Control(
        "d_ff", _SLIDER, (16, 32, 64, 96, 128, 192, 256, 384, 512), 128, "Width of the feed-forward layer."
    ),
    "norm": LAYER_NORM,
    "activation": replace(
        ACTIVATION, options=FEED_FORWARDS,
        help="The curve inside the feed-forward layer; SwiGLU adds a gate. With none, layers are attention alone.",
    ),
    "attention": Control(
        "Attention", st.selectbox, ATTENTIONS, "every pair",
        f"Which pairs of tokens meet; windows and blocks have {WINDOW} tokens. Linear attention replaces softmax and "
        "needs sinusoidal or learned positions. The page Why shows each as a picture.",
    ),
    "norm_kind": replace(NORM_KIND, options=NORM_PARTS),
    "kv_heads": Control(
        "Keys and values", _BUTTONS, KV_HEADS, EACH,
        "Heads can share keys and values, which makes the cache smaller while writing.",
    ),
    "experts": Control(
        "Experts", _BUTTONS, EXPERTS, "one",
        "Four feed-forward layers, of which a router picks one or two for every token. See Blocks, Modern blocks.",
    ),
    "scores": SCALING,
    "embedding": Control(
        "Token vectors", _BUTTONS, SCALED_EMBEDDINGS, "as they are", "The original paper multiplies them by √d_model."
    ),
    "output": Control(
        "Output map", _BUTTONS, TIED, "the embedding again", "Which table turns the last vectors into tokens."
    ),
    "dropout": Control(
        "Dropout", _SLIDER, (0.0, 0.05, 0.1, 0.2, 0.3, 0.5), 0.0,
        "The share of numbers set to 0 at random in training.",
    ),
    "longest": Control(
        "Longest text", _SLIDER, (4, 6, 8, 10, 12, 16), 8, "Letters in the longest text of the training."
    ),
    "mask": Control(
        "Mask of the decoder", _BUTTONS, LOOK_AHEAD, "causal",
        "Without it the decoder can read off what it should write.",
    ),
    "steps": Control(
        "Steps", _SLIDER, (20, 50, 100, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1600, 2000, 3000), 250,
        "How often the parameters change.", "{} steps",
    ),
    "lr": Control(
        "Learning rate", _SLIDER,
        (1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 6e-3, 1e-2, 2e-2, 3e-2, 6e-2, 0.1, 0.3, 1.0, 3.0, 10.0), 1e-2,
        "How far a step goes when the rate is highest. In Noam's schedule it is a factor, usually 1.",
        "learning rate {}",
    ),
    "batch": Control("Batch size", _SLIDER, (8, 16, 32, 64, 128), 64, "Examples per step."),
    "schedule": Control("Schedule", _BUTTONS, SCHEDULES, "one-cycle", "How the learning rate changes over the steps."),
    "warmup": Control(
        "Warm-up", _SLIDER, (1, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 160, 200, 300, 400, 600), 25,
        "Steps in which the rate rises; 1 means no warm-up.",
    ),
    "decay": Control(
        "Weight decay", _SLIDER, (0.0, 0.001, 0.01, 0.03, 0.1, 0.3, 1.0), 0.01,
        "Pulls every matrix towards 0, a little each step.",
    ),
    "smoothing": Control(
        "Label smoothing", _SLIDER, (0.0, 0.05, 0.1, 0.2, 0.3), 0.0,
        "The share of probability that should go to all tokens equally.",
    ),
    "clip": Control(
        "Clip gradients at", _SLIDER, (0.0, 0.1, 0.3, 1.0, 3.0), 1.0,
        "Longer gradients are cut to this length; 0 means never.",
    ),
    "examples": Control(
        "Training examples", _SLIDER, (20, 50, 100, 200, 500, 1000, 2000, 4000, 8000, 20_000, 40_000), 8000,
        "A small number can be memorised.",
    ),
    "augment": Control(
        "Augmentation", _SLIDER, (0.0, 0.1, 0.3, 0.5, 1.0), 0.0, "Share of examples varied so that the answer holds."
    ),
    "seed": replace(SEED, options=range(20), help="The same seed gives the same film.", chip=""),
    "patch": Control(
        "Patch size", _SLIDER, PATCH_SIZES, 4,
        f"Pixels along the side of a patch, of the picture's {SIDE}. Smaller patches are more tokens.",
    ),
    "reads": Control(
        "Answers read from", _BUTTONS, READING, "the class token",
        "The class token shows no part of the picture and is there to collect the answer. The mean of all patches can "
        "take its place.",
    ),
    "level": Control("Cut into", _BUTTONS, LEVELS, "characters"),
    "window": Control("Window", _SLIDER, (16, 32, 48, 64), 32, "How many tokens are read at a time."),
}  # fmt: skip


# The controls that act on a training while it runs: each with its name among the knobs of a training.
KNOBS = {"lr": "lr", "batch": "batch_size", "dropout": "dropout"}
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")  # signs that no text has
HAMLET = Path(__file__).with_name("hamlet.txt")  # act 3, scene 1
_TURNED = "_live_turned"  # in st.session_state: the control of a knob that was just moved


class Pair(NamedTuple):
    """Two trainings side by side: what A has, and what B has, where all else is the same; and the question."""

    a: Values
    b: Values
    question: str


PAIRS: dict[str, Pair] = {
    "1 head | 4 heads": Pair({"heads": 1}, {"heads": 4}, "Do more heads learn faster? They cost no extra parameters."),
    "positions off | on": Pair(
        {"positions": "none"}, {"positions": "sinusoidal"}, "What can a model do that cannot tell positions apart?"
    ),
    "sinusoidal | ALiBi": Pair(
        {"positions": "sinusoidal"}, {"positions": "ALiBi"}, "Which of them copes with longer texts than it trained on?"
    ),
    "without warm-up | with warm-up": Pair({"warmup": 1}, {}, "Does it help to begin with small steps?"),
    "dropout 0 | 0.3": Pair({"dropout": 0.0}, {"dropout": 0.3}, "Noise in training: a slower start, a smaller gap?"),
    "1 layer | 2 layers": Pair({"layers": 1}, {"layers": 2}, "Is deeper better on this task?"),
    "pre-norm | post-norm": Pair(
        {"norm": "before (pre)"}, {"norm": "after (post)"}, "Which of them needs warm-up more?"
    ),
    "100 examples | 8000 examples": Pair(
        {"examples": 100}, {"examples": 8000}, "Memorised, or understood? Watch the gap."
    ),
    "feed-forward layers | attention alone": Pair(
        {"activation": "ReLU"}, {"activation": "none"}, "Does a model learn less without feed-forward layers?"
    ),
    "LayerNorm | no norm": Pair(
        {"norm_kind": "LayerNorm"}, {"norm_kind": "none"}, "Does it still learn at this learning rate?"
    ),
    "1 expert | 4 experts": Pair(
        {"experts": "one"},
        {"experts": "1 of 4"},
        "Four times the feed-forward parameters, the same work per token: what do they buy?",
    ),
    "softmax | linear attention": Pair(
        {"attention": "every pair"}, {"attention": "linear"}, "Can weights without softmax point at one token?"
    ),
    "weight decay 0 | 0.3": Pair({"decay": 0.0}, {"decay": 0.3}, "Watch the curve “Parameters”: do they stay smaller?"),
    "batch 8 | 64": Pair({"batch": 8}, {"batch": 64}, "How noisy is a small batch?"),
    "patches of 4 | patches of 8": Pair(
        {"patch": 4},
        {"patch": 8},
        "A quarter of the tokens, each showing four times as much: which answers suffer?",
    ),
    "class token | mean of patches": Pair(
        {"reads": "the class token"}, {"reads": "the mean of all patches"}, "Does it need a token that collects?"
    ),
}
# Settings that a picture has and a text has not, and those that say nothing of a picture: its models have no decoder,
# no token vectors and nothing to smooth over, and patches that stand near in line need not be near in the picture.
OF_PICTURES = ("patch", "reads")
OF_TEXTS = ("embedding", "output", "mask", "attention", "smoothing")


def pairs_of(task: Declaration) -> tuple[str, ...]:
    """The names of the pairs that say something about models of this task."""
    foreign = {*OF_TEXTS, "sinusoidal | ALiBi"} if task.reads_pictures else {*OF_PICTURES}
    return tuple(name for name, pair in PAIRS.items() if foreign.isdisjoint((name, *pair.a, *pair.b)))


# ---- the controls --------------------------------------------------------------------------------------------------


def ask_task(trained: str = "reverse") -> Values:
    """The strip of tasks; at first the one that this visitor has `trained`."""
    return {"task": tiles.choose(BY_LABEL, TASKS[trained].label)}


def ask_settings(values: Values, is_training: bool = False) -> None:
    """One quiet line, which opens: the value of every setting but those of a visitor's own text.

    is_training  whether there is a training on screen that its knobs act on
    """
    task = task_of(values)
    default = defaults(task)
    hidden = OF_TEXTS if task.reads_pictures else OF_PICTURES
    values |= {name: default[name] for name in hidden}
    with _line():
        knobs: dict[str, Any] = {}
        if is_training:  # narrow, and what can be turned now first: the film beside it is seen to answer
            with st.container(key="live-narrow"):
                st.markdown("**While it learns**")
                st.caption("Changes of learning rate, batch size and dropout reach your training at its next step.")
                knobs = {name: st.container() for name in KNOBS}
                model, training, detail, modern = (st.container() for _ in range(4))
        else:
            model, training, detail, modern = st.columns(4, gap="medium", width=880)
        with model:
            st.markdown("**Model**")
            _ask(values, "d_model", default)
            values["heads"] = ask_heads(
                values["d_model"], "live_heads", limit=MAX_HEADS, default=default["heads"], follows=True
            )
            for name in ("layers", "positions", "dropout"):
                with knobs.get(name, model):
                    _ask(values, name, default)
            for name in OF_PICTURES if task.reads_pictures else ():
                _ask(values, name, default)
            _ask(values, "d_ff", default | {"d_ff": 4 * values["d_model"]})
        with detail:
            st.markdown("**In detail**")
            for name in _but(hidden, "norm", "scores", "embedding", "output"):
                _ask(values, name, default)
            if task.max_length:
                _ask(values, "longest", default)
            for name in _but(hidden, "mask"):
                _ask(values, name, default)
        with modern:
            st.markdown("**Modern parts**")
            for name in _but(hidden, "attention", "norm_kind", "activation"):
                _ask(values, name, default)
            _ask(values, "kv_heads", default, kv_options(values["heads"]))
            _ask(values, "experts", default)
        with training:
            st.markdown("**Training**")
            _ask(values, "steps", default)
            rate = knobs.get("lr") or st.container()
            for name in ("batch", "schedule"):
                with knobs.get(name, training):
                    _ask(values, name, default)
            with rate:  # its default depends on the schedule
                _ask(values, "lr", default | ({"lr": 1.0} if values["schedule"] == "Noam" else {}))
            warmup = derived_warmup(values)
            _ask(values, "warmup", default | {"warmup": warmup})
        with model:
            _ask(values, "examples", default)
            if data.can_augment(task.name):
                _ask(values, "augment", default)
            _ask(values, "seed", default)
        with training:
            for name in _but(hidden, "decay", "smoothing", "clip"):
                _ask(values, name, default)


def _but(hidden: tuple[str, ...], *names: str) -> tuple[str, ...]:
    return tuple(name for name in names if name not in hidden)


@contextmanager
def _line() -> Iterator[None]:
    """As settings.line, but its controls are in the browser while they are closed: a task changes them, and what the
    page sets would not arrive at a control that was opened once and is not there now.
    """
    answers = settings.current()
    assert answers is not None  # the page collects them
    before = set(answers.settings)
    with st.container(key="live-line", width="content"):
        said = st.container()
        st.checkbox("Change the settings", key="live_open")
    with st.container(key="live-panel"):
        yield
    asked = [setting.as_chip for name, setting in answers.settings.items() if name not in before]
    chips = "".join(f"<span>{escape(chip)}</span>" for chip in asked if chip)
    said.html(f'<div class="chips" aria-hidden="true">{chips}</div>')


def derived_warmup(values: Values) -> int:
    """The warm-up of a training of so many steps, where nobody chose another."""
    return max(1, values["steps"] // (5 if values["schedule"] == "Noam" else 10))


def ask_probe(values: Values, text: str) -> str:
    """An input of the visitor's own that is watched as well; "" where there is none, or the task cannot read it."""
    task = task_of(values)
    if task.reads_pictures:
        return own_picture.ask()
    key = f"live_ask_{task.name}"
    typed = st.text_input(
        "Your own input",
        key=key,
        width=130,
        max_chars=120,
        placeholder=f"ask it: {task.to_ask}",
        label_visibility="collapsed",
        persist_state="session",
        help="The recorded model answers it at once. A training shows it as one more example.",
    )
    asked = (typed or "").strip()
    if not asked or (task.needs_text and not text):
        return ""
    made = {"text": text, "level": values["level"], "length": values["window"]} if task.needs_text else {}
    if task.max_length:
        made = {"longest": values["longest"]}
    if reason := data.unreadable(task.name, tuple(made.items()), asked):
        settings.notify(f"Your own input cannot be shown: {reason}.")
        return ""
    return asked


def kv_options(n_heads: int) -> tuple[str, ...]:
    """How so many heads can share keys and values, each way once."""
    by_number: dict[int, str] = {}
    for label in KV_HEADS:
        by_number.setdefault(n_kv_heads(label, n_heads), label)
    return tuple(by_number.values())


def n_kv_heads(label: str, n_heads: int) -> int:
    """How many heads of keys and values there are; where they cannot be shared by two, each has its own."""
    shared = {FOR_TWO: n_heads // 2 if n_heads % 2 == 0 else n_heads, FOR_ALL: 1}
    return shared.get(label, n_heads)


def _ask(values: Values, name: str, default: Values, options: tuple[Any, ...] = ()) -> None:
    """One control, whose answer goes into `values`; a default that is not among its options joins them."""
    control = CONTROLS[name]
    options = options or tuple(control.options)
    if default[name] not in options:
        options = tuple(sorted({*options, default[name]}))
    more: dict[str, Any] = {"wrap": True} if control.widget is _BUTTONS else {}
    if name in KNOBS:
        more |= {"on_change": _moved, "args": (name,)}
    values[name] = control.ask(f"live_{name}", options=options, default=default[name], follows=True, **more)


def _moved(name: str) -> None:
    st.session_state[_TURNED] = name


def turned_knob() -> str:
    """The knob, as a training calls it, whose control the visitor has just moved, told once; "" if there is none."""
    return KNOBS.get(st.session_state.pop(_TURNED, ""), "")


def turns_in_words(turns: Sequence[Turn], first: Knobs, near: int = 1) -> list[tuple[int, str]]:
    """Where knobs were turned, and which to what; turns that follow each other in less than `near` steps are one."""
    names = {field: CONTROLS[name].label.lower() for name, field in KNOBS.items()}
    found: list[tuple[int, str]] = []
    for n, (step, knobs) in enumerate(turns):
        if n + 1 < len(turns) and turns[n + 1].step - step < near:
            continue
        changed = [f"{names[f]} {new:g}" for f, new, old in zip(knobs._fields, knobs, first, strict=True) if new != old]
        found += [(step, ", ".join(changed))] if changed else []
        first = knobs
    return found


def ask_text(values: Values) -> str:
    """The visitor's own text, typed or uploaded, and how to cut it; "" where it cannot be learned from."""
    default = defaults(task_of(values))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        typed = st.text_area(
            "Your text",
            key="live_text",
            max_chars=MAX_TEXT,
            height=110,
            placeholder=f"Paste at least {MIN_TEXT} characters: a story, a song, a page of code",
            persist_state="session",
        )
        with st.container(width=330):
            if not typed:
                st.button(
                    "Take Hamlet’s monologue", icon=":material/theater_comedy:", key="hamlet", on_click=_take_hamlet
                )
            file = ask_file("or a plain text file", ("txt",), 1, key="live_file")
        with st.container(width=230):
            _ask(values, "level", default)
            _ask(values, "window", default)
    text = typed or ""
    if file is not None:
        text = _read_text(file.getvalue())
        if text is None:
            settings.notify(
                f"{clean(file.name)[:60]} is not plain text in UTF-8. Save it as UTF-8 and upload it again."
            )
            return ""
        if not text.strip():
            settings.notify(f"{clean(file.name)[:60]} has nothing in it but spaces. Upload a file with a text in it.")
            return ""
    if len(text) > MAX_TEXT:
        settings.notify(
            f"This text has {len(text):,} characters, and at most {MAX_TEXT:,} can be learned from. Please shorten it."
        )
        return ""
    if not text:
        settings.notify(
            f"There is no text to learn from yet. Paste one of at least {MIN_TEXT} characters, or upload it."
        )
        return ""
    if len(text) < MIN_TEXT:
        settings.notify(f"This text has {len(text):,} characters; give one of at least {MIN_TEXT}.")
        return ""
    return text


def _read_text(data: bytes) -> str | None:
    """The text in a file; None where it is none. In UTF-16, say, every other byte is a sign that no text has."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if _NO_TEXT.search(text) else text


def _take_hamlet() -> None:
    st.session_state["live_text"] = HAMLET.read_text(encoding="utf-8")


def task_of(values: Values) -> Declaration:
    """The task that was chosen."""
    return BY_LABEL[values["task"]]


def defaults(task: Declaration) -> Values:
    """The settings that a task begins with: its recipe, as the controls call it."""
    return _values(task.recipe.config, task.recipe.settings) | {
        name: CONTROLS[name].default for name in ("longest", "window", "level", *OF_PICTURES)
    }


def values_of(plan: Plan) -> Values:
    """What the controls would be set to for this plan."""
    task, made = TASKS[plan.task], plan.task_settings
    values = defaults(task) | _values(plan.config, plan.settings)
    values |= {"task": task.label, "d_ff": plan.config.d_ff, "warmup": plan.settings.warmup}
    if task.reads_pictures and made:
        return values | {"patch": made["patch_size"], "reads": _label(READING, made["reads"])}
    names = {"longest": "longest"} if task.max_length else {"level": "level", "window": "length"}
    return values | {name: made[key] for name, key in names.items() if key in made}


def usual(task: Declaration) -> Values:
    """What all controls are set to as long as nobody changes one."""
    values = defaults(task)
    return values | {"task": task.label, "d_ff": 4 * values["d_model"], "warmup": derived_warmup(values)}


def _values(config: TransformerConfig, training: Settings) -> Values:
    return {
        "d_model": config.d_model,
        "heads": config.n_heads,
        "layers": max(config.n_encoder_layers, config.n_decoder_layers),
        "positions": _label(POSITIONS, config.positions),
        "norm": _label(LAYER_NORMS, config.norm),
        **{name: _part(table, config) for name, table in PARTS.items()},
        "kv_heads": next(label for label in KV_HEADS if n_kv_heads(label, config.n_heads) <= config.n_kv_heads),
        "scores": _label(SCALINGS, config.scaled),
        "dropout": config.dropout,
        "output": _label(TIED, config.tie_output),
        "embedding": _label(SCALED_EMBEDDINGS, config.scale_embeddings),
        "steps": training.steps,
        "lr": float(training.lr),
        "batch": training.batch_size,
        "schedule": training.schedule,
        "decay": training.weight_decay,
        "smoothing": training.label_smoothing,
        "clip": training.clip,
        "augment": training.augment,
        "examples": training.n_examples,
        "mask": _label(LOOK_AHEAD, training.look_ahead),
        "seed": training.seed,
    }


def named(values: Values) -> str:
    """A model in a few words: its task and its shape."""
    shape = " · ".join(_named(name, values[name]) for name in ("d_model", "heads", "layers"))
    positions = "no positions" if values["positions"] == "none" else values["positions"]
    return f"{values['task']} · {shape} · {positions}"


def changes(before: Values, after: Values) -> list[str]:
    """The settings that have changed, in a few words each; what follows from another is left out."""
    follow = {"d_ff": lambda v: 4 * v["d_model"], "warmup": derived_warmup}
    return [
        _named(name, value)
        for name, value in after.items()
        if name in before
        and before[name] != value
        and not (name in follow and all(v[name] == follow[name](v) for v in (before, after)))
    ]


def _named(name: str, value: Any) -> str:
    chips = {"heads": "{} head{s}", "layers": "{} layer{s}", "d_model": "{} wide"}
    if name in chips:
        return chips[name].format(value, s="" if value == 1 else "s")
    return f"{CONTROLS[name].label.lower()} {value}" if name in CONTROLS else str(value)


def _label(table: Mapping[str, object], value: object) -> str:
    """How a control calls this value."""
    for label, meaning in table.items():
        if meaning == value:
            return label
    raise InputError(f"this page has no control for {value!r}, which that model was built with")


def _part(table: Parts, config: TransformerConfig) -> str:
    """How a control calls this part of a model; of one that no control makes, as an upload may have it, the first."""
    usual = TransformerConfig()
    names = {name for fields in table.values() for name in fields}
    actual = {name: getattr(config, name) for name in names}
    wanted = ({name: fields.get(name, getattr(usual, name)) for name in names} for fields in table.values())
    return next((label for label, part in zip(table, wanted, strict=True) if part == actual), next(iter(table)))


# ---- the plan ------------------------------------------------------------------------------------------------------


def plan(values: Values, text: str = "", label: str = "", probe: str = "") -> Plan:
    """The training that these settings describe. Raises InputError for what cannot be."""
    task = task_of(values)
    config = TransformerConfig(
        d_model=values["d_model"],
        n_heads=values["heads"],
        d_ff=values["d_ff"],
        n_encoder_layers=values["layers"],
        n_decoder_layers=values["layers"],
        positions=POSITIONS[values["positions"]],
        norm=LAYER_NORMS[values["norm"]],
        n_kv_heads=n_kv_heads(values["kv_heads"], values["heads"]),
        scaled=SCALINGS[values["scores"]],
        dropout=values["dropout"],
        tie_output=TIED[values["output"]],
        scale_embeddings=SCALED_EMBEDDINGS[values["embedding"]],
        **{field: value for name, table in PARTS.items() for field, value in table[values[name]].items()},
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
        look_ahead=LOOK_AHEAD[values["mask"]],
        seed=values["seed"],
    )
    task_settings: dict[str, Any] = {}
    if task.max_length:
        task_settings = {"longest": values["longest"]}
    if task.needs_text:
        task_settings = {"text": text, "level": values["level"], "length": values["window"]}
    if task.reads_pictures:
        task_settings = {"patch_size": values["patch"], "reads": READING[values["reads"]]}
    return Plan(task.name, task_settings, config, training, label or values["task"], probe)


def pair(name: str, values: Values) -> dict[str, tuple[Values, str]]:
    """A and B of the pair of this name: their settings, and a label that says what sets each apart."""
    changes = PAIRS[name]
    first, second = name.split(" | ")
    if " " not in second:  # "dropout 0 | 0.3": both are about dropout
        second = " ".join([*first.split()[:-1], second])
    sides: dict[str, tuple[Values, str]] = {}
    for place, change, label in zip("AB", (changes.a, changes.b), (first, second), strict=True):
        side = values | change
        if side["d_model"] % side["heads"]:
            side["d_model"] = 32
        if "warmup" in changes.a and place == "B":
            side["warmup"] = max(2, values["warmup"], values["steps"] // 10)
        sides[place] = (side, label)
    return sides


def unpinned(pinned: Mapping[str, str], values: Values) -> Values:
    """A as a link has pinned it, for the task of B, `values`; a setting that the link lacks, or that cannot be, is as
    usual."""
    if task_of(values).needs_text:
        return values
    default = defaults(task_of(values))
    options: dict[str, tuple[Any, ...]] = {
        name: (*control.options, *([default[name]] if name in default else [])) for name, control in CONTROLS.items()
    }
    options |= {"heads": tuple(range(1, MAX_HEADS + 1)), "task": ()}
    options["warmup"] = tuple(range(1, max(CONTROLS["steps"].options) + 1))  # its default follows the steps
    chosen = {
        name: option
        for name in values
        for option in options[name]
        if name != "task" and str(option) == pinned.get(name)
    }
    result = {name: default.get(name, value) for name, value in values.items()} | chosen
    result |= {name: value for name, value in _following(result).items() if name not in chosen}
    return result if result["d_model"] % result["heads"] == 0 else values


def pinned(values: Values) -> Values:
    """What of these settings a link has to say: those that are not as usual."""
    default = defaults(task_of(values)) | _following(values)
    return {name: value for name, value in values.items() if name != "task" and value != default.get(name, value)}


def _following(values: Values) -> Values:
    """The settings that follow from others, as long as nobody sets them."""
    rate = {"lr": 1.0} if values["schedule"] == "Noam" else {}
    return {"d_ff": 4 * values["d_model"], "warmup": derived_warmup(values), **rate}


def differences(a: Values, b: Values) -> str:
    """The settings in which B differs from A, in a few words."""
    return ", ".join(f"{name} {a[name]} → {b[name]}" for name in a if name in b and a[name] != b[name])
