"""The page where attention is learned: the controls, the film of what is learned, and what can be done with it."""

from functools import partial
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from pages.live import figures as figures
from pages.live import settings as wanted
from pages.live import trainings
from pages.live.components.training_film import Side, film_feed, film_view, pack
from pages.live.settings import ALONE, FREE, PAIRS, TASKS
from pages.shared import checkpoints, display, teaching
from pages.shared.controls import MAX_LETTERS, choose
from pages.shared.training_queue import Refused

YOURS = "your training"
USUAL_FILM = "Reverse"
RECORDED = ", recorded"
MORE_STEPS = (50, 100, 200, 400, 800)
BELOW = ("What is to be seen", "Vectors", "Longer texts", "Keep the model")
LOOP = "transformer/training/trainer.py"
# What a line of the loop makes, found by its words: a curve of the film, or a value that stands still.
MADE = {
    "step = self.step + 1": "step",
    "batch = self._batch(step)": "batch",
    "loss = cross_entropy(": "loss",
    "norm = torch.nn.utils.get_total_norm(": "grad_norm",
    "clip_grads_with_norm_(": "clip",
    "= self.schedule(step)": "lr",
    "self.optimiser.step()": "weight_norm",
}
_SAID = "_live_said"
_ORDINALS = {1: "next", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}


def stage() -> None:
    """Choose, train, watch."""
    states = trainings.bench().states  # as all that follows has them; what changes meanwhile has the page drawn again
    values, say = wanted.settings()
    # Everything keeps its place on the page, whatever else is there: the film would begin anew if it were moved.
    with st.container():
        text = wanted.own_text(values, say) if TASKS[values["task"]] == "text" else ""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="live-bar"):
        buttons = st.container(horizontal=True, gap="small", width="content")
        plans = _plans(values, text, say)
        with buttons:
            _buttons(plans)
        with st.container(width="content"):
            if st.session_state.get("live_compare") in PAIRS:
                st.caption(PAIRS[st.session_state["live_compare"]][2], width="content")
        st.space("stretch")
        stored = _picker(TASKS[values["task"]], say)
    errors = [t.job.error for t in trainings.bench().trainings.values() if t.job.error]
    with st.container():
        display.notice(*say, *filter(None, [st.session_state.get(_SAID)]), *errors)
    _film(stored, states)


def _plans(values: dict, text: str, say: list[str]) -> dict[str, trainings.Plan]:
    """What Train would train, by its place; empty while something is missing, which is said."""
    name = choose(
        st.selectbox,
        "Compare",
        "live_compare",
        (ALONE, *PAIRS, FREE),
        ALONE,
        say,
        on_change=partial(_pin, values),
        width=270,
        label_visibility="collapsed",
    )
    sides = {"": (values, "")}
    if name in PAIRS:
        sides = wanted.pair(name, values)
    elif name == FREE:
        a = _unpinned(values)
        sides = {"A": (a, "as pinned"), "B": (values, wanted.differences(a, values) or "the same")}
    if TASKS[values["task"]] == "text" and not text:
        return {}
    try:
        return {place or "A": wanted.plan(side, text, label) for place, (side, label) in sides.items()}
    except ValueError as error:
        say.append(f"{error}.")
        return {}


def _pin(values: dict) -> None:
    """A is what is chosen now, and stands in the link."""
    if st.session_state.get("live_compare") == FREE:
        st.query_params["live_a"] = urlencode(values)
    else:
        st.query_params.pop("live_a", None)


def _unpinned(values: dict) -> dict:
    """A as the link has it; whatever in it cannot be is as B has it."""
    asked = dict(parse_qsl(st.query_params.get("live_a", "")[:MAX_LETTERS]))
    found = {}
    for name, value in values.items():
        if name == "task" or TASKS[values["task"]] == "text":
            found[name] = value
            continue
        options = range(1, wanted.MOST_HEADS + 1) if name == "heads" else wanted.options(name)
        found[name] = next((option for option in options if str(option) == asked.get(name)), value)
    return found if found["d_model"] % found["heads"] == 0 else values


def _buttons(plans: dict[str, trainings.Plan]) -> None:
    bench = trainings.bench()
    jobs = [training.job for training in bench.trainings.values()]
    st.button(
        "Train A and B" if len(plans) > 1 else "Train",
        type="primary",
        icon=":material/play_arrow:",
        key="train",
        on_click=_train,
        args=(plans,),
        disabled=not plans,
    )
    if bench.is_busy:
        st.button("Pause", icon=":material/pause:", key="pause", on_click=_each, args=(jobs, "pause"))
    elif any(job.state == "paused" for job in jobs):
        st.button("Continue", icon=":material/resume:", key="continue", on_click=_each, args=(jobs, "resume"))
    if any(job.is_alive for job in jobs):
        st.button("Stop", icon=":material/stop:", key="stop", on_click=_each, args=(jobs, "stop"))


def _train(plans: dict[str, trainings.Plan]) -> None:
    _try(trainings.train, plans)


def _try(begin, *more) -> None:
    """Begin a training and look at it; why it cannot begin is said instead."""
    st.session_state.pop(_SAID, None)
    try:
        begin(*more)
        st.session_state["live_film"] = YOURS
    except (Refused, ValueError) as error:
        st.session_state[_SAID] = str(error)


def _each(jobs: list, what: str) -> None:
    for job in jobs:
        getattr(job, what)()
        if what != "resume":
            job.wait(1.0)  # a step takes less: what is drawn next is how it stands


def _picker(task: str, say: list[str]) -> str | None:
    """Which film is on screen: the name of a shipped model, or None for this session's own."""
    films = {f"{title}{RECORDED}": name for title, name in checkpoints.films().items()}
    mine = (YOURS,) if trainings.bench().trainings else ()
    usual = YOURS if mine else f"{trainings.film_for(task) or USUAL_FILM}{RECORDED}"
    chosen = choose(
        st.selectbox,
        "Film",
        "live_film",
        (*mine, *films),
        usual,
        say,
        why="there is no training of yours here yet",
        follows=True,
        width=260,
        label_visibility="collapsed",
    )
    return films.get(chosen)


# ---- the film ------------------------------------------------------------------------------------------------------


def _film(stored: str | None, states: tuple[str, ...]) -> None:
    """The film on screen: a stored one, or all there is of this session's. What is new then comes by itself."""
    bench = trainings.bench()
    if stored is not None:
        sides = [_recorded(stored)]
    else:
        _resend()
        sides = _sides()
    film_view(pack(sides, *_loop(), alive=stored is None and bench.is_busy), key="live_view", on_missing=_resend)
    often = 0.3 if "running" in bench.states else 0.8
    with st.container(key="live-feed"):
        st.fragment(_feed, run_every=often if bench.is_busy else None)(states, stored is None)


def _feed(states: tuple[str, ...], shown: bool) -> None:
    """What is new of this session's trainings; once one of them changes its state, the whole page follows."""
    bench = trainings.bench()
    if bench.states != states:
        st.rerun()
    film_feed(pack(_sides(), alive=True) if shown and bench.is_busy else None, key="live_feed")


def _sides() -> list[Side]:
    mine = trainings.bench().trainings
    return [_side(place if len(mine) > 1 else "", training) for place, training in mine.items()]


def _resend() -> None:
    """The browser is sent everything again."""
    for training in trainings.bench().trainings.values():
        training.sent = 0


def _side(name: str, training: trainings.Training) -> Side:
    first, film = training.sent, training.film(training.sent)
    training.sent = first + (len(film) if film else 0)
    job, trainer = training.job, training.trainer
    more = trainings.facts_of(trainer.task, trainer.settings) if first == 0 and film else {}
    return Side(
        id=training.id,
        name=name,
        label=training.label,
        state=job.state,
        said=_how_it_stands(job),
        planned=training.steps,
        film=film,
        first=first,
        **more,
    )


def _how_it_stands(job) -> str:
    match job.state:
        case "waiting":
            place = job.queue.place(job)
            left = job.queue.wait_left(job)
            return f"You are {_ORDINALS.get(place, f'number {place}')} in line, about {_duration(left)}"
        case "running":
            return f"learning, {_duration(job.left)} left" if job.snapshots else "setting up"
        case "paused":
            gave_way = ", so that others get their turn" if job.trainer and job.trainer.gave_way else ""
            return f"paused at step {job.step}{gave_way}"
        case "stopped":
            return f"stopped at step {job.step}"
        case "failed":
            return f"ended at step {job.step}"
    return f"{job.steps} steps in {_duration(job.seconds)}"


def _duration(seconds: float) -> str:
    if seconds < 10:
        return f"{max(seconds, 0.1):.1f} s"
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"


def _recorded(name: str) -> Side:
    checkpoint = checkpoints.shipped(name)
    seconds = float(checkpoint.film.curves["seconds"][-1])
    return Side(
        id=f"shipped {name}",
        state="recorded",
        label=checkpoint.task.title,
        said=f"a recorded film of {_duration(seconds)}",
        planned=checkpoint.step,
        film=checkpoint.film,
        **trainings.facts_of(checkpoint.task, checkpoint.settings),
    )


def _loop() -> tuple[list[tuple[str, str]], str]:
    """The lines of one step of the training, as they run, each with what it makes; and where they stand."""
    source, line = teaching.source_of(LOOP, "Trainer._learn")
    lines = [(text, next((name for words, name in MADE.items() if words in text), "")) for text in source.splitlines()]
    return lines, f"{LOOP}, line {line}; the loss is the mean since the frame before"


# ---- below the film ------------------------------------------------------------------------------------------------


def below() -> None:
    """The words, what lies past the training, and the model to take away."""
    view = choose(
        st.segmented_control, "Below the film", "live_below", BELOW, BELOW[0], [], label_visibility="collapsed"
    )  # fmt: skip
    dict(zip(BELOW, (_words, _vectors, _longer, _keep), strict=True))[view]()


def _words() -> None:
    thread, question = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "Nobody tells a head where to look. The model is only asked for the next token, and every step changes "
            "its weights a little, so that the right one would have come out as a little more likely. "
            "**Loss** is how surprised it was, per token; **perplexity** says the same as a number of choices: 4 is as "
            "unsure as among 4 equally likely tokens. **Validation** asks about examples that it never trained on: "
            "where that loss rises while the training loss falls, it learns by heart.\n\n"
            "**Warm-up** begins with small steps, as the first gradients point in all directions. The outlined cells "
            "are the answer's own alignment, which the model is never shown."
        )
        teaching.formula(
            r"\text{loss} = -\frac{1}{n} \sum_{i=1}^{n} \ln p(\text{token}_i \mid \text{all before it})"
            r"\qquad \text{perplexity} = e^{\text{loss}}"
        )
        st.caption(
            "n: the tokens that are asked for, padding left out. p: what softmax gives the right one. Before anything "
            "is learned all V tokens are about equally likely, and the loss is about ln V."
        )
    with question:
        teaching.check(
            "A model has learned nothing yet, and its vocabulary has 16 tokens. What is its perplexity, about?",
            ["0", "1", "2.77", "16"],
            3,
            "It hesitates among all 16 alike. Its loss is ln 16 = 2.77; a perplexity of 1 would be no doubt at all.",
            key="live_perplexity",
        )
        teaching.check(
            "With positions off, can an encoder-decoder learn to reverse a text?",
            ["Yes, only slower", "No: it sees a bag of letters", "Yes, with more heads"],
            1,
            "The encoder cannot tell the first letter from the last. Choose “positions off | on” above, and watch its "
            "heads stay near chance.",
            key="live_positions",
        )


def _models() -> dict[str, tuple]:
    """The models that can be looked at now: title -> (a name for caches, Checkpoint)."""
    found = {}
    for place, training in trainings.bench().trainings.items():
        if training.rests:
            title = f"{place}, {training.label}" if len(trainings.bench().trainings) > 1 else "your training"
            checkpoint = training.checkpoint()
            found[title] = (f"{training.id} {checkpoint.step}", checkpoint)
    if not found:
        name = checkpoints.films().get(st.session_state.get("live_film", "").removesuffix(RECORDED), "reverse")
        checkpoint = checkpoints.shipped(name)
        found[f"{checkpoint.task.title}, as recorded"] = (f"shipped {name}", checkpoint)
    return found


def _vectors() -> None:
    """The tables of vectors, from the first step to the last."""
    snapshots = {training.id: list(training.job.snapshots) for training in trainings.bench().trainings.values()}
    shown = False
    for title, (name, checkpoint) in _models().items():
        drifts = trainings.drifts(name, checkpoint, snapshots.get(name.split()[0], []))
        for table, drift in drifts.items():
            shown = True
            picture, words = st.columns([3, 2], gap="large")
            with picture:
                display.figure(
                    figures.drift(drift.places, drift.steps, drift.names),
                    key=f"live_drift_{title}_{table}",
                    alt=f"Where the {len(drift.names)} vectors of {table} are at {len(drift.steps)} steps from "
                    f"{drift.steps[0]} to {drift.steps[-1]}.",
                )
            with words:
                _about_vectors(title, table, drift)
    if not shown:
        display.notice("The tables of this model are too large to be kept at every step. Train one with fewer tokens.")


def _about_vectors(title: str, table: str, drift: "trainings.Drift") -> None:
    what = "token that is read" if table == "tokens" else "place, from the first on"
    st.markdown(
        f"**{display.plain(title)}**: a dot for the vector of every {what}. They begin where chance has put them and "
        "are moved by the same gradient as all other weights; the thin lines lead from the first step to the one "
        "shown. Only rows that were looked up have a gradient."
    )
    st.caption(
        f"{drift.steps[0]:,} to {drift.steps[-1]:,} steps, on the plane that keeps most of the last table's spread. "
        + (
            "Of a stored model the first and the last table are known; train one to see those between."
            if len(drift.steps) == 2
            else "The slider needs no server."
        )
    )


def _longer() -> None:
    models = {t: m for t, m in _models().items() if m[1].task.name in wanted.WITH_LENGTHS}
    if not models:
        display.notice(
            "Only copy, reverse and sort have texts of any length. Train one of them, or pick a film of one."
        )
        return
    tasks = [checkpoint.task for _, checkpoint in models.values()]
    shortest, longest = tasks[0].settings["shortest"], tasks[0].settings["longest"]
    far = trainings.farthest(tasks[0])
    measured = {title: trainings.by_length(name, model, far) for title, (name, model) in models.items()}
    figure, thread = st.columns([3, 2], gap="large")
    with figure:
        rows = {title: [(m.length, m.tokens, m.exact) for m in all_ if m.n] for title, all_ in measured.items()}
        display.figure(
            figures.by_length(rows, shortest, longest),
            key="live_lengths",
            alt="; ".join(
                f"{title}: " + ", ".join(f"{length} letters {exact:.0%}" for length, _, exact in some)
                for title, some in rows.items()
            ),
        )
    with thread:
        schemes = {title: model.config.positions for title, (_, model) in models.items()}
        st.markdown(
            f"Trained on texts of {shortest} to {longest} letters (shaded), asked about 1 to {far}: up to 40 "
            "texts of each length that it never saw, and every token written on top of its own. It is "
            "measured here and now, not taken from a book: try **sinusoidal | ALiBi** above.\n\n"
            + "\n".join(f"- {display.plain(title)}: positions **{scheme}**" for title, scheme in schemes.items())
        )
        if "learned" in schemes.values():
            st.markdown(
                f"A **learned** table has a row for each place up to {longest + 2} and no other: "
                "past them there is nothing to look up, and the curve ends."
            )
        refused = {m.says for all_ in measured.values() for m in all_ if not m.n and m.length > longest}
        display.notice(*sorted(refused)[:1])


def _keep() -> None:
    own = {t: m for t, m in _models().items() if not m[0].startswith("shipped")}
    mine, brought = st.columns([1, 1], gap="large")
    with mine:
        if not own:
            st.markdown("What you train can be saved here, used on the other pages, and trained on.")
        places = {training.id: place for place, training in trainings.bench().trainings.items()}
        for title, (name, checkpoint) in own.items():
            _kept(title, checkpoint, places[name.split()[0]])
    with brought:
        st.markdown("**Bring a model** that was saved here before.")
        file = st.file_uploader("A checkpoint", type="safetensors", max_upload_size=64, key="live_checkpoint")
        if file is not None:
            _brought(file)


def _kept(title: str, checkpoint, place: str) -> None:
    st.markdown(f"**{display.plain(title)}**, {checkpoint.step} steps")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.download_button(
            "Download",
            data=lambda: trainings.saved(checkpoint),
            file_name=f"{checkpoint.task.name}-{checkpoint.step}.safetensors",
            icon=":material/download:",
            key=f"download-{place}",
            on_click="ignore",
        )
        st.button(
            "Use this model on the other pages",
            icon=":material/share:",
            key=f"use-{place}",
            on_click=_use,
            args=(checkpoint,),
        )
        more = st.selectbox("More steps", MORE_STEPS, 1, key=f"more-{place}", width=110)
        st.button("Train on", key=f"on-{place}", on_click=_try, args=(trainings.go_on, place, more))
    if st.session_state.get(checkpoints.HAND_OVER) is not None:
        task = st.session_state[checkpoints.HAND_OVER].task
        st.caption(f"In use on the other pages: {display.plain(task.title)}. {_where(task)}")


def _use(checkpoint) -> None:
    st.session_state[checkpoints.HAND_OVER] = checkpoint


def _where(task) -> str:
    if task.kind == "encoder-decoder":
        return "The page on translation shows how it writes."
    return "The page on generation goes on with your text." if task.kind == "decoder" else ""


def _brought(file) -> None:
    checkpoint = trainings.brought(file.file_id, file.getvalue())
    if isinstance(checkpoint, str):
        display.notice(checkpoint)
        return
    st.markdown(f"{display.plain(checkpoint.task.title)}, {checkpoint.step} steps. {checkpoint.task.about}")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Use it on the other pages", icon=":material/share:", key="use-brought", on_click=_use, args=(checkpoint,)
        )
        more = st.selectbox("More steps", MORE_STEPS, 1, key="more-brought", width=110)
        st.button("Train on", key="on-brought", on_click=_try, args=(trainings.go_on_with, checkpoint, more))
