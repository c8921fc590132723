"""Writing with a decoder: the next word and the tree of texts, the cache, one logit, and training with open eyes."""

from dataclasses import dataclass

import streamlit as st

from pages.kit import lessons, show, trained
from pages.kit.components.next_word import (
    MOST,
    ROOT,
    SEEDS,
    Action,
    Tree,
    Words,
    asked,
    knobs_of,
    next_word,
    pack,
    unpack,
)
from pages.kit.controls import choose
from pages.kit.figures import generation as figures
from pages.kit.jobs import Refused

OWN = "the one you trained"
MOST_GIVEN = 64  # tokens of the beginning
MOST_LETTERS = 400
_EXAMPLE_LENGTH = 7  # words of each branch of the example
MOST_WRITTEN = 64  # tokens of one "write to the end"
_URL = "gen_"
_KEY = "gen_words"
_LEADS = {"stories": "mia found a red ball in the park."}  # other models continue an example of their task
_WRONG = "he"  # a word that does not fit there: the example shows what the model makes of it
_EMPTY = "empty"  # in a link: a tree that was cleared, where the example would stand


@dataclass(frozen=True, eq=False)
class Subject:
    """The model that writes. `name`: of a shipped one, whose results all visitors share; "" for the visitor's own."""

    name: str
    checkpoint: object
    model: object

    @property
    def task(self):
        return self.checkpoint.task

    def next(self, ids: tuple[int, ...]):
        return self._look("next_of", "next_of", ids)

    def weigh(self, given: tuple[int, ...], nodes: tuple[tuple[int, int], ...]):
        return self._look("weighed", "weigh", given, nodes)

    def held(self, ids: tuple[int, ...]):
        return self._look("held", "held", ids)

    def _look(self, shared: str, own: str, *what):
        if self.name:
            return getattr(trained, shared)(self.name, *what)
        from transformer.inspection import writing

        return getattr(writing, own)(self.model, *what)

    def label(self, id: int) -> str:
        return self.task.target.label(id)


def views() -> None:
    """The choice of a view, and the one that is open."""
    say: list[str] = []
    name = choose(st.segmented_control, "View", "gen_view", VIEWS, next(iter(VIEWS)), say, label_visibility="collapsed")
    show.notice(*say)
    VIEWS[name]()


# ---- what all views share: a model, a beginning, and a tree ----------------------------------------------------


def _subject(say: list[str]) -> Subject | None:
    """The model that was chosen, or None where there is none to choose."""
    shipped = trained.decoders()
    own = st.session_state.get(trained.HAND_OVER)
    has_own = own is not None and own.task.kind == "decoder"
    options = [*shipped, *([OWN] if has_own else [])]
    if not options:
        return None
    name = choose(
        st.selectbox,
        "Model",
        "gen_model",
        options,
        options[0],
        say,
        why="there is no such model here; train one that writes, or take a shipped one",
        on_change=_another_model,
        help="Models that write alone. What you train yourself, on a text of your own too, can be chosen here.",
    )
    if name != OWN:
        return Subject(shipped[name], trained.shipped(shipped[name]), trained.shipped_model(shipped[name]))
    kept = st.session_state.get("_gen_own")
    if kept is None or kept[0] is not own:
        kept = st.session_state["_gen_own"] = (own, own.model())
    return Subject("", *kept)


def _another_model() -> None:
    st.session_state.pop("gen_text", None)
    _forget_tree()


def _forget_tree() -> None:
    for name in ("tree", "at"):
        st.query_params.pop(_URL + name, None)


def _beginning(subject: Subject, say: list[str]) -> tuple[int, ...]:
    """The ids that the visitor's text begins with, <bos> first."""
    from transformer.training.text import BOS

    text = st.text_input(
        "The text begins with",
        _lead(subject),
        key="gen_text",
        bind="query-params",
        max_chars=MOST_LETTERS,
        on_change=_forget_tree,
        placeholder="Nothing yet: the model begins by itself",
    )
    text = (text or "")[:MOST_LETTERS]
    ids = subject.task.source.encode(text)
    if len(ids) > MOST_GIVEN:
        say.append(f"The first {MOST_GIVEN} tokens are read; {len(ids) - MOST_GIVEN:,} more are left out.")
    unknown = getattr(subject.task.source, "unknown", lambda text: [])(text)
    if unknown:
        words = ", ".join(f"“{word[:24]}”" for word in unknown[:5])
        say.append(f"The model has never met {words}, and reads {subject.label(3)} there. “Words” lists what it knows.")
    return (BOS, *ids[:MOST_GIVEN])


def _lead(subject: Subject) -> str:
    """How the example begins that a model opens on."""
    task = subject.task
    if task.name in _LEADS:
        return _LEADS[task.name]
    probe = task.probes[0]
    return task.source.decode(probe.source or probe.target[:16])


def _tree(subject: Subject, given: tuple[int, ...], say: list[str]) -> tuple[Tree, int]:
    """The tree of the link, or what stands there at first, and the node where one is."""
    from transformer.training.text import EOS

    code = st.query_params.get("gen_tree")
    if not code:
        tree, last = _example(subject, given), ROOT
    else:
        tree = unpack("" if code == _EMPTY else code, len(subject.task.target), EOS)
        if tree is None:
            say.append("The branches of this link do not fit the model, so the tree is empty.")
            tree = Tree()
        last = len(tree.nodes) - 1
    asked_for = st.query_params.get("gen_at", "")
    if asked_for == "r":
        return tree, ROOT
    fits = asked_for.isascii() and asked_for.isdigit() and int(asked_for[:6]) < len(tree.nodes)
    return tree, int(asked_for) if fits else last


def _example(subject: Subject, given: tuple[int, ...]) -> Tree:
    """Two branches, if this is the text that the page opens on: the model's own word, and a wrong one. Else nothing."""
    task = subject.task
    if task.name not in _LEADS or given[1:] != tuple(task.source.encode(_LEADS[task.name])):
        return Tree()
    tree = Tree()
    for first in (None, task.target.vocabulary.id(_WRONG)):
        at = ROOT
        for n in range(_EXAMPLE_LENGTH):
            logits = subject.next(given + tree.path(at)).logits
            tree, at = tree.grown(at, first if n == 0 and first is not None else int(logits.argmax()))
    return tree


def _keep(subject: Subject, given: tuple[int, ...], tree: Tree, at: int) -> None:
    """Tree and place into the link; what is usual is left out."""
    example = _example(subject, given)
    code = "" if tree == example else pack(tree) or _EMPTY
    usual = len(tree.nodes) - 1 if code else ROOT
    where = "" if at == usual else "r" if at == ROOT else str(at)
    for name, value in (("gen_tree", code), ("gen_at", where)):
        if not value:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


def _text_of(subject: Subject, given: tuple[int, ...], say: list[str]) -> tuple[int, ...]:
    """The ids of the text that stands: the beginning, and the way through the tree."""
    tree, at = _tree(subject, given, say)
    return given + tree.path(at)


def _opened() -> tuple[Subject, tuple[int, ...], object] | None:
    """The row of controls with the model, the beginning, and a place for one more."""
    say: list[str] = []
    which, text, more = st.columns([4, 9, 4], gap="small", vertical_alignment="bottom")
    with which:
        subject = _subject(say)
    if subject is None:
        st.markdown("There is no model that writes.")
        return None
    with text:
        given = _beginning(subject, say)
    show.notice(*say)
    return subject, given, more


# ---- choose the next word --------------------------------------------------------------------------------------


def _choose() -> None:
    from transformer.generation.slices import number
    from transformer.training.text import EOS

    with show.loading(420):
        opened = _opened()
    if opened is None:
        return
    subject, given, place = opened
    with place:
        _words_it_knows(subject)
    say: list[str] = []
    tree, at = _tree(subject, given, say)
    action = st.session_state.pop("_gen_action", None)
    if action:
        tree, at = _acted(subject, given, tree, at, action, say)
    _keep(subject, given, tree, at)
    show.notice(*say)
    ids = given + tree.path(at)
    behind = subject.next(ids)
    thought = subject.weigh(given, tree.nodes)
    next_word(
        Words(
            labels=tuple(subject.label(id) for id in range(len(subject.task.target))),
            given=given,
            tree=tree,
            at=at,
            probs=thought.probs,
            ranks=thought.ranks,
            logits=behind.logits,
            draws=tuple(number(seed, len(ids)) for seed in range(SEEDS)),
            attention=behind.attention,
            glue="" if subject.task.name == "text" else " ",
            end=EOS,
            full=len(tree.nodes) >= MOST,
        ),
        knobs_of({name: st.query_params.get(_URL + name) for name in _KNOBS if _URL + name in st.query_params}),
        key=_KEY,
        url=_URL,
        on_act=_take_action,
    )
    thread, more = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "The last vector of the text, $x$, is compared with the row of every token: that is its **logit** $z$. "
            "Divided by the temperature $T$ and through softmax, the logits are probabilities. Filters take tokens "
            "out, and what is left is scaled up to 1. Then a number from 0 to 1 falls, and decides."
        )
        lessons.formula(r"z_i = \q{x} \cdot \k{w_i} \qquad p_i = \frac{e^{z_i / T}}{\sum_j e^{z_j / T}}")
        with st.expander("The code that ran"):
            lessons.code("transformer/generation/sampling.py", "distribution")
            lessons.code("transformer/generation/slices.py", "drawn")
            st.caption("The sliders work in your browser, by the same rules; a test compares the two.")
    with more:
        lessons.check(
            "At temperature 2 every token gets more alike. What happens to the order of the tokens?",
            ["It is turned round", "It stays", "It becomes random"],
            1,
            "All logits are divided by the same number, so the larger stays the larger. Only the distances shrink; "
            "the draw is what can now fall on more tokens.",
            key="gen-order",
        )
        _card(subject)


_KNOBS = ("temperature", "top_k", "top_p", "penalty", "seed")


def _take_action() -> None:
    action = asked(_KEY)
    if action:
        st.session_state["_gen_action"] = action


def _acted(
    subject: Subject, given: tuple[int, ...], tree: Tree, at: int, action: Action, say: list[str]
) -> tuple[Tree, int]:
    """The tree and the place after an action; an action that cannot be changes nothing."""
    from transformer.training.text import EOS

    over = at >= 0 and tree.nodes[at][1] == EOS
    match action.do:
        case "anew":
            return Tree(), ROOT
        case "go" if ROOT <= action.number < len(tree.nodes):
            return tree, action.number
        case "pick" if 0 <= action.number < len(subject.task.target) and not over and len(tree.nodes) < MOST:
            return tree.grown(at, action.number)
        case "write" if not over:
            return _written(subject, given, tree, at, action, say)
    return tree, at


def _written(
    subject: Subject, given: tuple[int, ...], tree: Tree, at: int, action: Action, say: list[str]
) -> tuple[Tree, int]:
    """Token after token, each drawn by the number of its place, until the end comes."""
    from transformer.generation import Sampling, begin
    from transformer.generation.slices import drawn, number
    from transformer.training.text import EOS

    knobs = action.knobs
    sampling = Sampling(
        temperature=knobs.temperature,
        top_k=knobs.top_k or None,
        top_p=knobs.top_p,
        repetition_penalty=knobs.penalty,
    )
    state = begin(subject.model, given + tree.path(at))
    for _ in range(MOST_WRITTEN):
        if len(tree.nodes) >= MOST:
            break
        final = state.next(sampling).final
        token = drawn(final, number(knobs.seed, len(state.ids))).id
        tree, at = tree.grown(at, token)
        if token == EOS:
            return tree, at
        state = state.take(token)
    full = len(tree.nodes) >= MOST
    say.append(
        "The tree is full. Clear it to write more."
        if full
        else f"{MOST_WRITTEN} tokens are written, and no end has come. Write on from here if you like."
    )
    return tree, at


def _words_it_knows(subject: Subject) -> None:
    tokeniser = subject.task.target
    with st.popover("Words", icon=":material/menu_book:", width="stretch", help="What the model can read and write."):
        st.text(" ".join(tokeniser.label(id) for id in range(len(tokeniser)))[:6000])


def _card(subject: Subject) -> None:
    """What the model is, and what was measured on it."""
    checkpoint = subject.checkpoint
    with st.expander(f"What this model is: {subject.task.title.lower()}"):
        st.text(subject.task.about)
        st.table({"measured": {name: str(value) for name, value in checkpoint.card.items()}})


# ---- the cache -------------------------------------------------------------------------------------------------


def _cache() -> None:
    from transformer.inspection import writing

    say: list[str] = []
    with show.loading(420):
        opened = _opened()
    if opened is None:
        return
    subject, given, place = opened
    ids = _text_of(subject, given, say)
    config, V = subject.checkpoint.config, len(subject.task.target)
    with place:
        upto = choose(
            st.select_slider, "Tokens read", "gen_read", range(1, len(ids) + 1), len(ids), say, follows=True,
            why="the text has no token {}",
        ) if len(ids) > 1 else 1  # fmt: skip
    show.notice(*say)
    held = subject.held(ids)
    labels = tuple(subject.label(id) for id in ids)
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown(f"##### What is kept of {upto} tokens: {held.n_bytes[upto - 1]:,} bytes")
        show.figure(
            figures.cache_blocks(labels, held.keys, held.values, upto),
            key="gen-cache",
            alt=f"Keys and values of {config.n_decoder_layers} layers, a column a token; {upto} tokens are filled.",
        )
        each = held.n_bytes[upto - 1] // config.n_decoder_layers
        st.caption(
            f"Each layer holds {each:,} bytes. A column is a token: what every head of the layer made of it as a key "
            "and as a value. The darker, the larger the number. A new token adds one column everywhere, and none of "
            "the old ones changes. The text is the branch that you stand on in the first view."
        )
    with right:
        st.markdown(
            "A new token needs the :orange[**keys**] and :green[**values**] of all the tokens before it. Under the "
            "causal mask those never change, so they are kept, and only the new token goes through the layers. Its "
            ":blue[query] is used once and not kept."
        )
        lessons.formula(r"\text{bytes} = 2\,L\,H_{kv}\,T\,d_k \cdot 4")
        st.markdown(
            f"2 · {config.n_decoder_layers} · {config.n_kv_heads} · {upto} · {config.d_k} · 4 = "
            f"**{held.formula[upto - 1]:,}**; counted on the tensors: **{held.n_bytes[upto - 1]:,}**."
        )
        show.figure(
            figures.cache_growth(held.n_bytes, held.formula, upto),
            key="gen-bytes",
            alt=f"Bytes by tokens read: a straight line up to {held.n_bytes[-1]:,} bytes at {len(ids)} tokens.",
        )
    saved, timed = st.columns([6, 5], gap="large")
    steps = range(1, max(len(ids), 2) + 1)
    cached, plain = (
        [writing.multiplications(config, V, T, cached=is_cached) for T in steps] for is_cached in (True, False)
    )
    with saved:
        st.markdown("##### Multiplications of one step")
        show.figure(
            figures.two_lines(steps, cached, plain, "tokens read", "multiplications", upto),
            key="gen-saved",
            alt=f"Token {upto}: {cached[upto - 1]:,} multiplications with a cache, {plain[upto - 1]:,} without.",
        )
        st.markdown(
            f"To read token {upto}: **{cached[upto - 1]:,}** with the cache, {plain[upto - 1]:,} without, "
            f"{plain[upto - 1] / cached[upto - 1]:.1f} times as many."
        )
    with timed:
        _pace(subject, given)
    lessons.check(
        "A layer has 8 query heads that share 2 key/value heads. How large is its cache, beside one with 8?",
        ["As large", "A quarter", "A half"],
        1,
        "Only keys and values are kept, and there are 2 of them instead of 8. That is why large models share them.",
        key="gen-cache-check",
    )


def _pace(subject: Subject, given: tuple[int, ...]) -> None:
    from transformer.inspection import writing

    st.markdown("##### Milliseconds, on this machine")
    paces = st.session_state.setdefault("_gen_pace", {})
    name = (subject.name or id(subject.checkpoint), len(given))
    if st.button("Measure", icon=":material/timer:", key="gen-measure", help="Takes a few seconds."):
        with st.spinner("Writing the same text again and again"):
            try:
                paces[name] = writing.pace(subject.model, given)
            except ValueError as error:
                show.notice(f"{error}.")
    pace = paces.get(name)
    if pace is None:
        st.markdown(
            "Fewer multiplications need not mean less time: a small model spends much of a step on being called at "
            "all. Measure it."
        )
        return
    show.figure(
        figures.two_lines(pace.at, pace.cached, pace.plain, "tokens written", "milliseconds"),
        key="gen-pace",
        alt=f"Writing {pace.at[-1]} tokens took {pace.cached[-1]:.0f} ms with a cache, {pace.plain[-1]:.0f} without.",
    )
    st.caption(
        f"Median of {pace.rounds} runs each, greedy, one thread of this machine, whatever else it does. Writing "
        f"{pace.at[-1]} tokens took {pace.cached[-1]:.0f} ms with the cache, {pace.plain[-1]:.0f} ms without."
    )


# ---- from the vector to the logits -----------------------------------------------------------------------------


def _logits() -> None:
    say: list[str] = []
    with show.loading(420):
        opened = _opened()
    if opened is None:
        return
    subject, given, place = opened
    ids = _text_of(subject, given, say)
    behind = subject.next(ids)
    order = [int(id) for id in (-behind.logits).argsort(kind="stable")[:100]]
    names = {}
    for id in order:
        name = subject.label(id)
        names[name if name not in names else f"{name} ({id})"] = id
    with place:
        name = choose(
            st.selectbox, "Logit of the token", "gen_token", names, next(iter(names)), say, follows=True,
            why="it is not among the 100 likeliest",
        )  # fmt: skip
    show.notice(*say)
    id, tied = names[name], subject.checkpoint.config.tie_output
    x, w, bias = behind.x, behind.rows[id], float(behind.bias[id])
    product = float(x.astype(float) @ w.astype(float))
    left, right = st.columns([6, 5], gap="large")
    with left:
        st.markdown(f"##### :blue[x] of “{show.plain(subject.label(ids[-1]))}” · :orange[row] of “{show.plain(name)}”")
        show.figure(
            figures.logit_sum(x, w, bias),
            key="gen-logit",
            alt=f"{len(x)} products of features; their sum is {product + bias:.3f}.",
        )
        lessons.check(
            "Two tokens have the same row in the table. What can the model not do?",
            ["Give them different logits", "Write either of them", "Read them"],
            0,
            "Each logit is the same vector times the row, so the same row gives the same logit, in every text.",
            key="gen-rows",
        )
    with right:
        st.markdown(
            "After the last layer stands one vector a token. The :blue[**last**] one says what comes next: it is "
            "multiplied with the :orange[**row**] of every token, feature by feature, and the sum is that token's "
            "logit."
            + (
                " The rows are those of the **embedding table** itself: the way in and the way out share it (tied)."
                if tied
                else " The rows are those of a map of its own, with a bias."
            )
        )
        lessons.formula(
            r"\text{logits} = \q{x}\,\k{W_e^{\top}}" if tied else r"\text{logits} = \q{x}\,\k{W^{\top}} + b"
        )
        st.markdown(
            f"Here: {product:.4f}" + ("" if tied else f" + {bias:.4f}") + f". The model's own logit: "
            f"**{float(behind.logits[id]):.4f}**."
        )
        rows = "\n".join(
            f"| {show.plain(subject.label(i))} | {float(x.astype(float) @ behind.rows[i] + behind.bias[i]):.3f} "
            f"| {float(behind.logits[i]):.3f} |"
            for i in order[:8]
        )
        st.markdown(f"| likeliest | :blue[x] · :orange[row] | model's logit |\n|---|--:|--:|\n{rows}")
        with st.expander("The code that ran"):
            lessons.code("transformer/embeddings.py", "TokenEmbedding.logits")


# ---- without the mask ------------------------------------------------------------------------------------------


def _ahead() -> None:
    figure, words = st.columns([6, 5], gap="large")
    with words:
        st.markdown(
            "A model that writes is trained on texts that are already there: at every place it has to say the next "
            "token, all places at once. The **causal mask** hides what comes after. Without it the answer stands in "
            "plain sight, one place to the right, and copying it is all that is learned.\n\n"
            "Here the same small model learns to reverse letters twice, from the same weights and examples: once with "
            "the mask in the decoder, once without. Both are trained on this machine when somebody first opens this."
        )
        lessons.check(
            "Without the mask nearly every token is right while training. Why is what it writes wrong?",
            ["It needs more training", "What it copied from does not exist yet", "The learning rate was too high"],
            1,
            "While writing there is nothing to the right. The model never learned to look at the source, since it "
            "never had to. A good figure while training can be a leak.",
            key="gen-ahead",
        )
        with st.expander("The code that ran"):
            lessons.code("transformer/inspection/look_ahead.py", "trainer")
            lessons.code("transformer/inspection/look_ahead.py", "outcome")
    with figure:
        try:
            pair = trained.with_and_without_mask()
        except Refused as error:
            show.notice(str(error))
            return
        st.markdown("##### Tokens right, while the true ones are shown")
        if any(job.is_alive for job in pair.values()):
            _watch(pair)
        elif all(job.state == "done" for job in pair.values()):
            _learned(pair)
            _written_by_both(pair)
        else:
            show.notice("The training did not come to its end.", *(job.error for job in pair.values() if job.error))
            st.button("Train both again", on_click=trained.with_and_without_mask.clear, key="gen-again")


@st.fragment(run_every="0.5s")
def _watch(pair) -> None:
    if not any(job.is_alive for job in pair.values()):
        st.rerun(scope="app")
    for name, job in pair.items():
        place = trained.queue().place(job)
        said = f"{name}: waiting, number {place} in the queue" if place else f"{name}: step {job.step} of {job.steps}"
        st.progress(min(1.0, job.step / job.steps), text=said)
    _learned(pair)


def _learned(pair) -> None:
    curves = {
        name: [(snapshot.step, snapshot.accuracy) for snapshot in list(job.snapshots)] for name, job in pair.items()
    }
    most = max(job.steps for job in pair.values())
    last = ", ".join(f"{name} {curve[-1][1]:.0%}" for name, curve in curves.items() if curve)
    show.figure(figures.learned(curves, most), key="gen-learned", alt=f"Tokens right by training step: {last}.")


def _written_by_both(pair) -> None:
    made = trained.written_by_both()
    rows = [
        f"| **{name}** | {pair[name].snapshots[-1].accuracy:.1%} | **{outcome.by_itself:.0%}** |"
        for name, outcome in made.items()
    ]
    st.markdown(
        "| trained | tokens right, of those shown | answers right, by itself |\n|---|--:|--:|\n" + "\n".join(rows)
    )
    masked, unmasked = made.values()
    rows = [
        f"| {read} | {wanted} | {one or _NOTHING} | {other[:40] or _NOTHING} |"
        for (read, wanted, one), (_, _, other) in zip(masked.samples, unmasked.samples, strict=True)
    ]
    st.markdown("| read | right answer | with the mask | without |\n|---|---|---|---|\n" + "\n".join(rows))
    seconds = " and ".join(f"{job.seconds:.0f} s" for job in pair.values())
    st.caption(f"{masked.n} examples that neither was trained on; {pair['with the mask'].steps} steps, {seconds}.")


_NOTHING = "*ends at once*"

VIEWS = {
    "Choose the next word": _choose,
    "The cache": _cache,
    "From vector to logits": _logits,
    "Without the mask": _ahead,
}
