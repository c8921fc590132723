"""How one attention weight is made, looked at in five ways. Only the way that is open is computed."""

import math
from collections.abc import Callable

import streamlit as st

from pages.attention import code_links, data, show
from pages.attention import figures as figures
from pages.shared import compare, controls, display, settings, teaching
from pages.shared.compare_figures import Curves, Sheet
from pages.shared.controls import choose
from transformer.config import TransformerConfig

WAYS = ("Step by step", "Softmax", "Mix of values", "Saturation", "Guess the row")
SOURCES = ("small numbers", "random numbers", "a sentence")
MOST_TOKENS = 32
LIMIT = 100.0  # the largest number that may be typed into Q, K or V; inspection.steps has the same
CONFIG = TransformerConfig(d_model=64, n_heads=4, n_encoder_layers=1, n_decoder_layers=1, max_len=512)
TEMPERATURES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)
ADDED = (-50, -5, 0, 5, 50)
WIDTHS = tuple(2**n for n in range(11))
PLANES = {"1 and 2": (0, 1), "2 and 3": (1, 2), "3 and 4": (2, 3)}
PUZZLES = range(1, 31)
RAISED = "⁰¹²³⁴"  # points as exponents; no puzzle has more than four

Matrix = tuple[tuple[float, ...], ...]
SMALL: tuple[Matrix, Matrix, Matrix] = (
    ((1.0, 0.0, 1.0, 0.0), (0.0, 2.0, 0.0, 1.0), (1.0, 1.0, 0.0, 0.0)),
    ((2.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 2.0), (1.0, 1.0, 1.0, 0.0)),
    ((4.0, 0.0, 1.0, 2.0), (0.0, 4.0, 1.0, 0.0), (1.0, 1.0, 1.0, -2.0)),
)


def ways() -> None:
    """The choice of a way, and the controls, the figures and the words of the one that is open."""
    say: list[str] = []
    row = st.container(horizontal=True, vertical_alignment="top", key="attention-row")
    with row:
        name = choose(st.segmented_control, "Look at it", "att_way", WAYS, WAYS[0], say)
    doors: dict[str, Callable[..., None]] = dict(
        zip(WAYS, (_step_by_step, _softmax, _mix, _saturation, _guess), strict=True)
    )
    doors[name](row, say)


# ---- what attention is shown on ---------------------------------------------------------------------------------


def _subject(row, say: list[str], sources: tuple[str, ...] = SOURCES):
    """(steps, labels, matrices as typed or None) of what the visitor chose to look at; None without a word to show.

    Its controls go into the row; what was not as asked is said.
    """
    typed = None
    with row:
        on = choose(st.segmented_control, "Shown on", "att_on", sources, sources[0], say)
        mask = choose(
            st.segmented_control, "Mask", "mask", ("none", "causal"), "none", say,
            why="this page has no mask {}", help="causal: nobody may look at what comes later.",
        )  # fmt: skip
        seed = 0
        if on != SOURCES[0]:
            seed = choose(
                st.select_slider, "Seed", "seed", range(100), 0, say, help="Another seed draws other random numbers.",
                width=120,
            )  # fmt: skip
        head = 0
        if on == SOURCES[2]:
            head = choose(
                st.selectbox, "Head", "att_head", range(CONFIG.n_heads), 0, say, width=84,
                help="Each head has its own matrices, and so its own queries, keys and values.",
            )  # fmt: skip
        else:
            typed, edited = _typed(on, seed, say)
            if edited and not settings.replaying():
                st.button("Undo edits", icon=":material/undo:", on_click=_forget_edits, key="att_undo")
    is_causal = mask == "causal"
    if typed:
        _tell(*say)
        return data.steps_by_hand(*typed, is_causal), ("1", "2", "3"), typed
    sentence = controls.sentence()
    tokens = sentence.tokens[:MOST_TOKENS]
    if len(sentence.tokens) <= MOST_TOKENS:
        say.extend(sentence.notices)
    else:  # one sentence that counts everything left out, in the place of the sentence box's own
        say.append(
            f"This page follows the first {MOST_TOKENS} tokens, so that every number can be seen;"
            f" {len(sentence.tokens) + sentence.left_out - MOST_TOKENS:,} more are left out. The heads page takes more."
        )
    _tell(*say)
    if not tokens:
        _tell("There is no word to look at yet. Type a sentence, or pick one of the examples.")
        return None
    if len(tokens) == 1:
        _tell("A single word can only look at itself: its weight is 1, whatever the score.")
    return data.steps_of_head(CONFIG, seed, tokens, head, is_causal), tokens, None


def _tell(*sentences: str) -> None:
    if not settings.replaying():
        display.notice(*sentences)


def _typed(on: str, seed: int, say: list[str]) -> tuple[tuple[Matrix, Matrix, Matrix], bool]:
    """Q, K and V: those of the source, or what was made of them by hand; and whether anything was."""
    base = SMALL if on == SOURCES[0] else data.drawn_matrices(seed)
    pinned = settings.replaying()
    if pinned:
        shown = tuple(_read_pinned(pinned, name, rows) for name, rows in zip("qkv", base, strict=True))
        return shown, shown != tuple(base)
    origin = (on, seed)
    known = st.session_state.get("_att_edits")
    if known is None:
        edits = {}
        for name, rows in zip("qkv", base, strict=True):
            asked = st.query_params.get(f"att_{name}")
            if asked is not None:
                read = read_matrix(asked, len(rows), len(rows[0]))
                edits[name] = rows if read is None else read
                if read is None:
                    say.append(
                        f"You see the usual {name.upper()}: the link asks for one that is not {len(rows)} rows of"
                        f" {len(rows[0])} numbers from -{LIMIT:g} to {LIMIT:g}."
                    )
        known = st.session_state["_att_edits"] = {"of": origin, "matrices": edits}
    if known["of"] != origin:
        known = st.session_state["_att_edits"] = {"of": origin, "matrices": {}}
    shown = tuple(known["matrices"].get(name, rows) for name, rows in zip("qkv", base, strict=True))
    for name, rows, usual in zip("qkv", shown, base, strict=True):
        if rows != usual:
            st.query_params[f"att_{name}"] = write_matrix(rows)
        elif f"att_{name}" in st.query_params:
            del st.query_params[f"att_{name}"]
        settings.note(f"att_{name}", name.upper(), write_matrix(rows), write_matrix(usual), long=True)
    st.session_state["_att_shown"] = shown
    return shown, shown != tuple(base)


def _read_pinned(pinned: settings.Answers, name: str, usual: Matrix) -> Matrix:
    def read(text: str) -> str | None:
        rows = read_matrix(text, len(usual), len(usual[0]))
        return None if rows is None else write_matrix(rows)

    return read_matrix(pinned.take_text(f"att_{name}", name.upper(), write_matrix(usual), read), 3, len(usual[0]))


def read_matrix(text: str, n_rows: int, n_columns: int) -> Matrix | None:
    """A matrix from a link, "1,0;2,-0.5"; None if it is anything else than finite numbers of that shape."""
    if len(text) > 12 * 20:
        return None
    try:
        rows = tuple(tuple(float(x) + 0.0 for x in row.split(",")) for row in text.split(";"))
    except ValueError:
        return None
    fits = len(rows) == n_rows and all(len(row) == n_columns for row in rows)
    return rows if fits and all(abs(x) <= LIMIT for row in rows for x in row) else None


def write_matrix(rows: Matrix) -> str:
    """The same matrix for a link."""
    return ";".join(",".join(f"{x:.9g}" for x in row) for row in rows)


def _take_edit() -> None:
    """Put the number that was typed in its place, if the browser sent one that may stand there."""
    shown, edits = st.session_state.get("_att_shown"), st.session_state.get("_att_edits")
    changed = edit((st.session_state.get("att_steps") or {}).get("edit"), shown)
    if changed and edits:
        edits["matrices"] = dict(zip("qkv", changed, strict=True))


def edit(asked: object, shown: tuple[Matrix, Matrix, Matrix] | None) -> tuple[Matrix, ...] | None:
    """Q, K and V once [matrix, row, column, text] is done, or None where that cannot be done."""
    match asked:
        case [str(name), int(i), int(f), str(text)] if shown and name in ("q", "k", "v") and len(text) <= 24:
            matrix = shown["qkv".index(name)]
            try:
                x = float(text) + 0.0
            except ValueError:
                return None
            if not (0 <= i < len(matrix) and 0 <= f < len(matrix[0]) and abs(x) <= LIMIT):
                return None
            row = (*matrix[i][:f], round(x, 6), *matrix[i][f + 1 :])
            changed = (*matrix[:i], row, *matrix[i + 1 :])
            return tuple(changed if other == name else rows for other, rows in zip("qkv", shown, strict=True))
        case _:
            return None


def _forget_edits() -> None:
    st.session_state["_att_edits"]["matrices"] = {}


# ---- the five ways ----------------------------------------------------------------------------------------------


def _step_by_step(row, say: list[str]) -> None:
    bench = compare.ask(lambda say: _subject(row, say), say)
    seen = bench.now
    if seen is None:
        return
    steps, labels, typed = seen
    show.attention_steps(
        {"q": steps.q, "k": steps.k, "v": steps.v},
        steps.stages,
        tuple(label if len(label) <= 40 else label[:39] + "…" for label in labels),
        code_links.attention(from_stream=typed is None),
        limit=LIMIT if typed else None,
        on_edit=_take_edit,
    )
    if typed:
        st.caption(
            "You see the first stage, the scores; choose the next above. d_k is the width: how many numbers a query"
            " has, here 4. Change any number of Q, K or V; Enter, and every stage follows. Point at a term of the"
            " formula, or choose it: the matrix that it makes and the lines that made it light up."
        )
    else:
        st.caption(
            f"One head of a model with random weights, seed chosen above: it has learned nothing yet. Every word is"
            f" {CONFIG.d_model} numbers wide; three learned maps make its query, key and value, {CONFIG.d_k} wide each."
        )
    teaching.check(
        "You raise a number of one **key**, and it fits the query better. What happens to the **weights** of the"
        " *other* keys in that row?",
        ["They shrink", "They stay as they are", "They grow"],
        0,
        "The row always adds up to 1, so what one key gains the others lose. Try it: choose “weights” above, and raise"
        " the first number of k1.",
        key="att-steps",
    )

    def weights(asked) -> Sheet | None:
        if asked is None:
            return None
        steps, labels, typed = asked
        return _sheet(steps.stages["weights"], labels, typed, steps)

    compare.side_by_side(bench, weights, "the weights")


def _sheet(weights, labels, typed, steps) -> Sheet:
    queries, keys = ([f"{letter}{label}" if typed else label for label in labels] for letter in "qk")
    allowed = steps.stages["masked"] > float("-inf") if "masked" in steps.stages else None
    return Sheet(weights, "weight", ("query", "key"), tuple(queries), tuple(keys), allowed)


def _ask_softmax(row, say: list[str]):
    seen = _subject(row, say)
    if seen is None:
        return None
    _, labels, typed = seen
    names = [f"q{label}" for label in labels] if typed else list(labels)
    with settings.place(st.container, horizontal=True, vertical_alignment="top", key="softmax-row"):
        along = choose(
            st.segmented_control, "Softmax runs along", "att_axis", ("keys", "queries"), "keys", [],
            help="Right: each query shares 1 among the keys. The other way round is a classic mistake.",
        )  # fmt: skip
        temperature = choose(
            st.select_slider, "Temperature", "att_t", TEMPERATURES, 1.0, [], width=210,
            help="τ in the formula. Scores are divided by it before softmax. Low: only the best counts. High: all"
            " alike.",
        )  # fmt: skip
        add = choose(
            st.select_slider, "Add to every score", "att_add", ADDED, 0, [], width=190,
            help="Softmax sees only how far apart scores are.",
        )  # fmt: skip
        # Words may stand twice, so each carries its place.
        queries = {name if typed else f"{n} {name}": n for n, name in enumerate(names)}
        asked = queries[choose(st.selectbox, "Query", "att_query", queries, next(iter(queries)), [], width=150)]
    return seen, along, temperature, add, asked


def _softmax(row, say: list[str]) -> None:
    bench = compare.ask(lambda say: _ask_softmax(row, say), say)
    if bench.now is None:
        return
    (steps, labels, typed), along, temperature, add, asked = bench.now
    names = [f"q{label}" for label in labels] if typed else list(labels)
    keys = [f"k{label}" for label in labels] if typed else list(labels)
    softmax = data.softmax_of(steps, temperature, add, along)
    if along == "queries":
        display.notice(
            f"Wrong axis. Now every column adds up to 1, but a query's row does not: the row of {names[asked]} adds up"
            f" to {softmax.row_sums[asked]:.2f}. Nobody shares out 1 any more, and outputs are no longer averages."
        )
    left, right = st.columns([6, 5], gap="large")
    with left:
        display.figure(
            figures.softmax_map(softmax.weights, names, keys, asked, softmax.allowed),
            key="att_softmax_map",
            alt=f"Heatmap of weights, {len(names)} queries by {len(keys)} keys, with the sums of rows and columns. The"
            f" row of {names[asked]} adds up to {softmax.row_sums[asked]:.2f}.",
        )
    with right:
        display.figure(
            figures.row_bars(softmax.weights[asked], softmax.plain[asked], keys, names[asked]),
            key="att_softmax_bars",
            alt=f"Bars: the weights of {names[asked]} at temperature {temperature:g}; the largest is"
            f" {softmax.weights[asked].max():.3f}.",
        )
        teaching.formula(
            r"\w{w_{ij}} = \frac{e^{s_{ij} / \tau}}{\sum_{\k{j'}} e^{s_{ij'} / \tau}}"
            if along == "keys"
            else r"\text{wrong: } \frac{e^{s_{ij} / \tau}}{\sum_{\q{i'}} e^{s_{i'j} / \tau}}"
        )
        st.caption(
            "Softmax turns scores into shares of 1: take e to the power of each score, then divide by the sum of the"
            " row. $s_{ij}$ is how well query i and key j fit."
        )
    question, code = st.columns(2, gap="large")
    with question:
        teaching.check(
            "You add 50 to **every** score of a row. What happens to its weights?",
            ["Nothing at all", "They all grow", "The largest takes everything"],
            0,
            "Every e-power grows by the same factor, and dividing by the row's sum takes it out again. Only differences"
            " between scores matter. Move “Add to every score” and see.",
            key="att-softmax",
        )
    with code:
        teaching.code("transformer/attention.py", "masked_softmax")

    def weights(asked) -> Sheet | None:
        if asked is None:
            return None
        (steps, labels, typed), along, temperature, add, _ = asked
        return _sheet(data.softmax_of(steps, temperature, add, along).weights, labels, typed, steps)

    compare.side_by_side(bench, weights, "the weights")


def _mix(row, say: list[str]) -> None:
    steps, labels, typed = _subject(row, say, SOURCES[:2])
    with row:
        queries = {f"q{label}": n for n, label in enumerate(labels)}
        asked = queries[choose(st.segmented_control, "Query", "att_query", queries, "q1", [])]
        plane = choose(
            st.selectbox, "Features", "att_plane", PLANES, next(iter(PLANES)), [], width=110,
            help="A value is 4 numbers, its features. Two of them are drawn, so that it is a point.",
        )  # fmt: skip
    x, y = PLANES[plane]
    weights = steps.stages["weights"][asked]
    picture, words = st.columns([17, 8], gap="large")
    with picture:
        show.mix_values(
            weights.tolist(), [(value[x], value[y]) for value in typed[2]], (f"feature {x + 1}", f"feature {y + 1}")
        )
    with words:
        st.markdown(
            "Each :green[**point**] is a value; the ring is the output, the mix of all three. The bars are the"
            " :violet[weights] of one query. Drag a bar, to the very end as well: weights are never below 0 and add up"
            " to 1, so the ring cannot leave the area between the values."
        )
        teaching.formula(r"\text{output}_i = \sum_{\k{j}} \w{w_{ij}} \, \v{v_j}")
        teaching.check(
            "Which weights put the output exactly on one of the values?",
            ["1 on that value and 0 on the others", "The same share for all", "None: a mix is always in between"],
            0,
            "A weight of 1 passes that value on unchanged. This is what a head does that copies a word.",
            key="att-mix",
        )


def _ask_saturation(row, say: list[str]):
    with row:
        d_k = choose(
            st.select_slider, "d_k, the width of queries and keys", "att_dk", WIDTHS, 64, say, width=300,
        )  # fmt: skip
        scaled = controls.SCALINGS[
            choose(st.segmented_control, "Scores", "att_scaling", controls.SCALINGS, "not divided", say)
        ]
        seed = choose(st.select_slider, "Seed", "seed", range(100), 0, say, width=170, help="Another draw of numbers.")
    return d_k, scaled, seed


def _saturation(row, say: list[str]) -> None:
    bench = compare.ask(lambda say: _ask_saturation(row, say), say)
    d_k, scaled, seed = bench.now
    display.notice(*say)
    with st.skeleton(height=460):
        sweep = data.saturation_sweep(seed)
    now = sweep[scaled][WIDTHS.index(d_k)]
    scores, curves = st.columns(2, gap="large")
    spread = 1.0 if scaled else math.sqrt(d_k)
    with scores:
        display.figure(
            figures.score_histogram(now.scores, spread, scaled),
            key="att_scores",
            alt=f"Histogram of {len(now.scores):,} scores at d_k {d_k}. The variance of q·k is {now.variance:.1f}.",
        )
        display.figure(
            figures.ranked_weights(now.weights),
            key="att_ranked",
            alt=f"Bars: the mean weights of a row of {len(now.weights)} keys, largest first; the largest is"
            f" {now.largest:.2f}.",
        )
    with curves:
        display.figure(
            figures.saturation_curves(
                WIDTHS,
                {
                    name: tuple([getattr(at, measure) for at in sweep[divided]] for divided in (True, False))
                    for name, measure in (
                        ("entropy, of 1", "entropy"),
                        ("largest weight", "largest"),
                        ("gradient", "gradient"),
                    )
                },
                d_k,
                scaled,
            ),
            key="att_curves",
            alt=f"Three curves over d_k. At d_k {d_k}: entropy {now.entropy:.2f} of 1, largest weight"
            f" {now.largest:.2f}, gradient {now.gradient:.2f}.",
        )
    st.markdown(
        f"At d_k = {d_k}, {'divided by √d_k' if scaled else 'not divided'}: the variance of q·k is"
        f" **{now.variance:.1f}** (expected: {d_k}). The largest of {len(now.weights)} weights takes"
        f" :violet[**{now.largest:.2f}**], the entropy is **{now.entropy:.2f}** of 1, and the gradient that passes"
        f" through softmax is **{now.gradient:.3f}**."
    )
    words, code = st.columns(2, gap="large")
    with words:
        teaching.formula(r"\operatorname{var}(\q{q} \cdot \k{k}) = d_k \;\Rightarrow\; \text{divide by } \sqrt{d_k}")
        st.caption(
            "Variance is the spread, squared. Entropy says how evenly a row is shared: 1 is all keys alike, 0 is one"
            " key alone. The gradient says how much the weights answer to a small change of the scores; training goes"
            " by it, and where it is near 0, learning stands still. Queries and keys here are random numbers of mean 0"
            " and variance 1: 768 queries, 16 keys each. (Gradient: the norm of the derivatives of a row's weights by"
            " its scores, found by autograd.)"
        )
        teaching.check(
            "Without the division, d_k grows from 4 to 1024. What does a query do?",
            ["It looks at almost one key only", "It looks at all keys alike", "Nothing changes"],
            0,
            "The scores spread as √d_k, and softmax turns far-apart scores into nearly 1 and 0. Divided, the spread"
            " stays 1 and softmax stays soft.",
            key="att-saturation",
        )
    with code:
        teaching.code("transformer/attention.py", "scaled_dot_product_attention")

    def ranked(asked) -> Curves:
        d_k, scaled, seed = asked
        weights = data.saturation_sweep(seed)[scaled][WIDTHS.index(d_k)].weights
        return Curves(tuple(range(1, len(weights) + 1)), {"weight": weights}, ("key, largest first", "mean weight"))

    compare.side_by_side(bench, ranked, "the mean weights of a row")


SLIPS = {
    "": "That is as near as a bar can be set. Every step is in your guess.",
    "even": "Your shares are nearly even, as if the scores did not count. Start at q·k: how well does each key fit?",
    "linear": "Your shares follow the points themselves. The step that is missing is e to the power of: one point more"
    " does not add to a share, it doubles it.",
    "unscaled": "Your shares fit q·k without the division. The step that is missing is ÷ √4.",
    "hardest": "You gave (nearly) all to the best key. Softmax is soft: every key gets something.",
    "backwards": "The right shares on the wrong keys: the key that fits best gets the most. Look at q·k again.",
    "other": "Go through the steps: q·k, then ÷ √4, then double once a point, then divide by the sum.",
}


def _guess(row, say: list[str]) -> None:
    with row:
        number = choose(
            st.select_slider, "Puzzle", "att_puzzle", PUZZLES, 1, say, width=260, help="Thirty, always the same ones."
        )
    display.notice(*say)
    puzzle = data.guess_puzzle(number)
    guess = st.session_state.get("_att_guess")
    guess = guess[1] if guess and guess[0] == number else None
    st.session_state["_att_puzzle"] = number
    columns = None
    if guess:
        total = sum(2**m for m in puzzle.points)
        columns = {
            "q·k": [str(dot) for dot in puzzle.dots],
            "÷ 2": [str(m) for m in puzzle.points],
            "doubled": [f"2{RAISED[m]} = {2**m}" for m in puzzle.points],
            f"÷ {total}, the sum": [
                f"{2**m}/{total} = {float(w):.3f}" for m, w in zip(puzzle.points, puzzle.truth, strict=True)
            ],
        }
    picture, words = st.columns([8, 5] if not guess else [2, 1], gap="large")
    with picture:
        show.guess_row(
            puzzle.query, puzzle.keys, guess=guess, columns=columns, on_reveal=_take_guess,
            truth=[float(w) for w in puzzle.truth] if guess else None,
        )  # fmt: skip
        if guess:
            verdict = data.guess_verdict(number, guess)
            st.markdown(f"**{verdict.distance:.0%} of your attention is on the wrong key.** {SLIPS[verdict.slip]}")
            st.button("Next puzzle", type="primary", on_click=_next_puzzle, key="att_next")
    with words:
        st.markdown(
            """
One :blue[**query**], three :orange[**keys**]. How is the attention shared?

1. Multiply feature by feature and add up: q·k.
2. Divide by √4 = 2, the root of the width. These are points.
3. **One point more doubles a share.**
4. The shares add up to 1.

Set the :violet[**bars**], then reveal.
"""
        )
        teaching.formula(
            r"\w{w_j} = \frac{e^{\,\q{q}\cdot\k{k_j} \ln 2 \,/\, \sqrt{d_k}}}{\text{sum of all}}"
            r" = \frac{2^{\,\text{points}_j}}{\text{sum of all}}"
        )
        st.caption(
            "Scores are counted in units of ln 2 here: softmax becomes a matter of doubling, and every weight an exact"
            " fraction. In the usual units one point more multiplies a share by e = 2.718."
        )


def _take_guess() -> None:
    guess = show.revealed()
    number = st.session_state.get("_att_puzzle")
    if guess and number:
        st.session_state["_att_guess"] = (number, guess)


def _next_puzzle() -> None:
    number = st.session_state.get("_att_puzzle", 1)
    st.session_state["att_puzzle"] = number % len(PUZZLES) + 1
