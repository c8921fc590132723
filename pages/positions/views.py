"""The views of the page on positions: one question each, and only the one that is open is computed."""

import streamlit as st

from pages.positions import data, show
from pages.positions import figures as figures
from pages.shared import compare, display, plot, settings, teaching
from pages.shared.compare_figures import Curves, Sheet, Tiles
from pages.shared.controls import BASES, EXAMPLES, POSITIONS, WIDTHS, choose, sentence

CODE = "transformer/positions.py"
MOST_WORDS = 12  # of the permutation machine: more do not fit a screen
MOST_ROWS = 64  # of the sum
LENGTHS = (8, 16, 24, 32, 48, 64, 100, 128, 200, 256, 512)
SAME = 1e-5  # float32 rounds at about 1e-7 a step; what differs by less than this is the same
UNTRAINED = "The weights are random: this model has learned nothing yet."


def view() -> str:
    """Which question is open."""
    return choose(
        st.segmented_control, "What to look at", "pos_view", VIEWS, next(iter(VIEWS)), [], label_visibility="collapsed"
    )  # fmt: skip


def open_view(name: str) -> None:
    """The controls, the figures and the words of one question."""
    question, draw = VIEWS[name]
    st.markdown(f"#### {question}")
    draw()


def _row(n: int):
    return settings.place(st.grid, n, min_column_width=130, gap="medium", vertical_alignment="top", key="model-row")


def _two():
    return st.columns([7, 4], gap="large")


def _code(*names: str, path: str = CODE) -> None:
    with st.expander("The code that ran", icon=":material/code:"):
        for name in names:
            teaching.code(path, name)


def _d_model(say, usual: int = 64) -> int:
    return choose(
        st.select_slider, "d_model", "d_model", WIDTHS, usual, say,
        help="How many numbers stand for a token, and so for a position.",
    )  # fmt: skip


def _length(say, usual: int, options=LENGTHS) -> int:
    return choose(st.select_slider, "Positions", "pos_length", options, usual, say, help="How many positions to show.")


def _base(say) -> int:
    return choose(
        st.select_slider, "Base", "base", BASES, 10_000, say,
        help="The larger, the slower the slowest wave. The paper has 10000.",
    )  # fmt: skip


def _seed(say) -> int:
    return choose(
        st.select_slider, "Seed", "seed", range(100), 0, say, help="Another seed draws other random numbers."
    )  # fmt: skip


# ---- without positions -----------------------------------------------------------------------------------------


# ---- sines and cosines -----------------------------------------------------------------------------------------


def _ask_waves(say: list[str]):
    with _row(4):
        d_model = _d_model(say)
        length = _length(say, 64)
        base = _base(say)
        n = -(-d_model // 2)
        pair = choose(
            st.select_slider, "Pair i", "pos_pair", range(n), min(4, n - 1), say,
            why=f"d_model={d_model} has pairs 0 to {n - 1}, not {{}}",
            help="Columns 2i and 2i + 1 turn together.",
        )  # fmt: skip
    return d_model, length, base, pair


def _waves() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_waves, say)
    d_model, length, base, pair = bench.now
    n = -(-d_model // 2)
    display.notice(*say)
    made, differ = data.waves(length, d_model, base)
    turn = made.wavelengths[pair]
    picture, side = _two()
    with picture:
        display.figure(
            figures.heatmap(made.table, pair),
            key="pos_heatmap",
            alt=f"Heatmap of {length} positions by {d_model} columns between -1 and 1. Left columns change fast with"
            " the position, right columns slowly.",
        )
        left, right = st.columns([3, 2], gap="medium")
        with left:
            st.markdown(f"**Pair {pair}**: one turn in {turn:,.1f} positions")
            display.figure(
                figures.curves(made.table, pair),
                key="pos_curves",
                alt=f"Pair {pair} by position: waves that repeat every {turn:,.1f} positions.",
            )
        with right:
            st.markdown("**All pairs**: positions a turn")
            display.figure(
                figures.wavelengths(made.wavelengths, length, pair),
                key="pos_wavelengths",
                alt=f"Positions per turn by pair, from {made.wavelengths[0]:.2f} to {made.wavelengths[-1]:,.0f}, a"
                " straight line on a logarithmic axis.",
            )
    with side:
        teaching.formula(
            r"\begin{aligned} PE_{pos,\,2i} &= \sin\left(pos / l^{\,2i/d}\right) \\"
            r" PE_{pos,\,2i+1} &= \cos\left(pos / l^{\,2i/d}\right) \end{aligned}"
        )
        st.markdown(
            f"Each **row** is the code of one position: PE, its positional encoding. Each **pair** of columns is one"
            f" wave; i counts pairs, from 0 to {n - 1}. Pair {pair} is columns {2 * pair}"
            + (f" and {2 * pair + 1}" if 2 * pair + 1 < d_model else " alone, for d_model is odd")
            + f". It needs **{turn:,.1f} positions** for a full turn."
        )
        st.caption(
            f"In the formula l is the base and d is d_model. The slowest pair needs {made.wavelengths[-1]:,.0f}"
            " positions: $2\\pi\\, l^{2i/d}$ for the last i. Only"
            f" a very wide model comes near $2\\pi\\, l$, here {made.limit:,.0f}."
        )
        teaching.check(
            "Compare rows 3 and 4 of the picture. Which columns tell these two positions apart best?",
            ["The first ones", "The last ones", "All alike"],
            0,
            "The first waves are short, so one step changes them most. The last ones hardly move from a word to the"
            " next: they tell the beginning of a long text from its end.",
            key="pos-waves",
        )
        _code("sinusoids", "wavelengths")
        with st.expander("Two ways to write the same turns", icon=":material/code:"):
            teaching.code("transformer/inspection/positions.py", "powers")
            teaching.code("transformer/inspection/positions.py", "div_term")
            st.caption(f"Both were run in float32. They differ by at most {differ:.0e} of a value: rounding.")

    def codes(asked) -> Sheet:
        d_model, length, base, _ = asked
        return Sheet(data.waves(length, d_model, base)[0].table, "value", ("position", "column"))

    compare.side_by_side(bench, codes, "the position codes")


# ---- token + position ------------------------------------------------------------------------------------------


ADDED = {name: POSITIONS[name] for name in ("sinusoidal", "learned")}


def _ask_sum(say: list[str]):
    typed = sentence(EXAMPLES[1])
    with _row(4):
        positions = choose(
            st.selectbox, "Positions", "positions", ADDED, "sinusoidal", say,
            why="{} positions are not added to the tokens", help="The other schemes add nothing here: see Schemes.",
        )  # fmt: skip
        d_model = _d_model(say, 32)
        amount = choose(
            st.select_slider, "Amount", "pos_amount", tuple(n / 4 for n in range(9)), 1.0, say,
            help="The model adds 1 of it. More or less shows how loud the positions are.",
        )  # fmt: skip
        batch = choose(
            st.select_slider, "Texts", "pos_batch", range(1, 9), 2, say,
            help="A model reads a batch of texts. All of them are given the same codes.",
        )  # fmt: skip
    return typed, positions, d_model, amount, batch


def _sum() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_sum, say)
    typed, positions, d_model, amount, batch = bench.now
    words = typed.tokens[:MOST_ROWS]
    if len(typed.tokens) > MOST_ROWS:
        say.append(f"The first {MOST_ROWS} tokens are drawn, of {len(typed.tokens)}.")
    display.notice(*typed.notices, *say)
    if not words:
        display.notice("There is no token to add a position to. Type a sentence, or pick one of the examples.")
        return
    made = data.summands(ADDED[positions], d_model, 0, amount, batch, words)
    picture, side = _two()
    with picture:
        times = "" if amount == 1 else f"{amount:g} × "
        display.figure(
            figures.summands(
                words,
                [("token", made.tokens), (f"{times}position", made.added), ("what is read", made.sum)],
            ),
            key="pos_sum",
            alt=f"Three heatmaps of {len(words)} tokens by {d_model} features: the token vectors, {times}the position"
            " codes, and their sum.",
        )
        tokens, table, total = (" × ".join(map(str, shape)) for shape in made.shapes)
        st.markdown(
            f"Shapes (texts × tokens × features): tokens **{tokens}** + positions **{table}** = **{total}**. "
            + (
                f"All {batch} texts were given the very same codes."
                if made.shared and batch > 1
                else "There is one table for any number of texts."
            )
        )
    with side:
        teaching.formula(r"x_{pos} = E_{token} + PE_{pos}")
        st.markdown(
            "Every word is a row of numbers, its **features**; so is every position, and the two are added number by"
            " number. The same word has the same row on the left, wherever it stands. The middle rows do not know the"
            " words:"
            " change the text, and the middle stays. Only the sum knows both."
        )
        st.caption(
            f"Root mean square, the usual size of a number: tokens {made.rms[0]:.2f}, codes {made.rms[1]:.2f}. Both are"
            f" heard. The token vectors are random{', and so are the codes' if positions == 'learned' else ''}."
        )
        teaching.check(
            "You change the third word. What changes in the middle heatmap?",
            ["Its third row", "All rows", "Nothing"],
            2,
            "The code depends on the position only. The third row of the left heatmap and of the sum change.",
            key="pos-sum",
        )
        _code("SinusoidalPositions.add" if positions == "sinusoidal" else "LearnedPositions.add")

    def read(asked) -> Sheet | None:
        typed, positions, d_model, amount, batch = asked
        words = typed.tokens[:MOST_ROWS]
        if not words:
            return None
        made = data.summands(ADDED[positions], d_model, 0, amount, batch, words)
        return Sheet(made.sum, "value", ("token", "feature"), words)

    compare.side_by_side(bench, read, "what is read")


# ---- likeness by distance --------------------------------------------------------------------------------------


def _ask_distance(say: list[str]):
    with _row(4):
        d_model = _d_model(say)
        length = _length(say, 200, LENGTHS[:-2])
        base = _base(say)
        anchor = choose(
            st.select_slider, "From position", "pos_anchor", range(length), 0, say,
            why=f"there are positions 0 to {length - 1}, not {{}}", help="Likeness to this position is drawn.",
        )  # fmt: skip
    return d_model, length, base, anchor


def _distance() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_distance, say)
    d_model, length, base, anchor = bench.now
    display.notice(*say)
    made = data.similarity(length, d_model, base)
    matrix, curve = st.columns([4, 5], gap="medium")
    with matrix:
        display.figure(
            figures.distance_matrix(made.matrix, anchor),
            key="pos_matrix",
            alt=f"Heatmap of the dot products of {length} position codes: largest on the diagonal, in stripes.",
        )
    rises = len(made.rises_at)
    with curve:
        display.figure(
            figures.distance_curve(made.matrix, anchor),
            key="pos_curve",
            alt=f"Likeness to position {anchor} by position. Seen by distance it rises again at {rises} of"
            f" {length - 1} steps.",
        )
    words, side = st.columns(2, gap="large")
    with words:
        first = f" It first rises at offset **{made.rises_at[0]}**." if rises else ""
        st.markdown(
            "Each position has a code, a row of numbers (see Waves). **Likeness** is the dot product of two codes:"
            " multiply number by number, and add up. Codes of neighbours are much alike:"
            f" {made.by_offset[1]:.1f} of {made.by_offset[0]:.1f} at offset 1, one place apart. But it is **not** so"
            f" that further always means less alike. Likeness rises at **{rises} of {length - 1}** steps.{first} A sum"
            " of cosines ripples."
        )
        teaching.formula(r"PE_p \cdot PE_{p+k} = \sum_i \cos\left(k / l^{\,2i/d}\right)")
        if d_model % 2:
            st.caption(f"d_model={d_model} is odd. Its last sine stands alone, and its product depends on p a little.")
        else:
            st.caption("There is no p on the right side: only the distance counts. So every stripe has one colour.")
    with side:
        teaching.check(
            "You move “From position” from 0 to 50. What happens to the curve?",
            ["It moves along, and keeps its shape", "It becomes flatter", "It has another shape everywhere"],
            0,
            "Likeness depends on the distance only. The curve is the same to the left and to the right.",
            key="pos-distance",
        )
        _code("similarity", path="transformer/inspection/positions.py")

    def likeness(asked) -> Curves:
        d_model, length, base, anchor = asked
        row = data.similarity(length, d_model, base).matrix[anchor]
        return Curves(tuple(range(length)), {"likeness": row}, ("position", "dot product with the anchor's code"))

    compare.side_by_side(bench, likeness, "likeness by position")


# ---- clocks ----------------------------------------------------------------------------------------------------


def _clocks() -> None:
    say: list[str] = []
    with _row(2):
        n = choose(
            st.select_slider, "Clocks (d_model ÷ 2)", "pos_clocks_n", (2, 3, 4, 6, 8, 12, 16, 32), 8, say,
            help="Every pair of columns is a clock.",
        )  # fmt: skip
        base = choose(
            st.select_slider, "Base: the gears", "base", BASES, 10_000, say,
            help="The larger, the slower the slow hands. The first clock never changes.",
        )  # fmt: skip
    display.notice(*say)
    picture, side = _two()
    with picture:
        show.clocks(data.hands("code", n, base, 0, 133, 32))
    with side:
        teaching.formula(r"PE_{pos+k} = M_k \, PE_{pos}")
        teaching.formula(
            r"M_k = \begin{pmatrix} \cos k\omega_i & \sin k\omega_i \\"
            r" -\sin k\omega_i & \cos k\omega_i \end{pmatrix} \text{ for each pair}"
        )
        st.markdown(
            "The sine and cosine of a pair are the tip of a hand. A step of the position turns hand i by the angle"
            " $\\omega_i = l^{-2i/d}$ (l is the base, d is d_model). **k steps turn each hand by a fixed angle,"
            " wherever it starts.** So one matrix $M_k$ moves every code PE by k, and a model, which multiplies by"
            " matrices that it learns, can learn “k places back”."
        )
        st.caption(
            "Move the position: the hands turn, the grey wedges keep their size, the curve stays. $M_k$ only"
            " turns (it is orthogonal), and two moves add up: $M_a M_b = M_{a+b}$."
        )
        teaching.check(
            "You change the position, not k. What happens to the matrix?",
            ["It turns along", "Nothing", "It grows"],
            1,
            "It is made of k and the base alone. Look at its cells while you move the position.",
            key="pos-clocks",
        )
        _code("rotation", path="transformer/inspection/positions.py")


# ---- schemes ---------------------------------------------------------------------------------------------------


def _schemes() -> None:
    parts = {"side by side": _side_by_side, "learned": _learned, "rotary": _rotary, "T5 relative": _t5, "ALiBi": _alibi}
    choice = choose(
        st.segmented_control, "Scheme", "pos_scheme", parts, "side by side", [], label_visibility="collapsed"
    )
    parts[choice]()


def _ask_side_by_side(say: list[str]):
    with _row(3):
        T = choose(
            st.select_slider, "Tokens", "pos_tokens", (8, 12, 16, 24, 32, 48, 64), 24, say, help="All the same word."
        )  # fmt: skip
        head = choose(
            st.segmented_control, "Head", "pos_head", range(4), 0, say, width="stretch",
            help="Attention is done several times side by side. Each time is a head, with queries and keys of its own.",
        )  # fmt: skip
        return T, head, _seed(say)


def _side_by_side() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_side_by_side, say)
    T, head, seed = bench.now
    display.notice(*say)
    picture, side = _two()
    with picture:
        display.figure(
            plot.tiles(
                data.same_word(T, head, seed),
                list(POSITIONS),
                columns=3,
                value="weight",
                diverging=False,
                height=470,
            ),
            key="pos_tiles",
            alt=f"Six attention maps of {T} equal words, one for each scheme. Without positions all weights are"
            f" {1 / T:.3f}.",
        )
    with side:
        st.markdown(
            f"Six ways, six maps. A row is a token that looks, a column one that is looked at; the darker, the larger"
            f" the :violet[**weight**], its share of the attention. It is one word, {T} times. Every token asks the"
            " same and offers the same, so **all that you see comes from the positions**. Without them each weight is"
            f" 1/{T} = {1 / T:.3f}: nothing to choose by."
        )
        st.markdown(
            "There are three doors into a model. *Sinusoidal* and *learned* are **added** to the tokens. *Rotary*"
            " **turns** :blue[**queries**] and :orange[**keys**]. *T5* and *ALiBi* **add to the score**. The last"
            " three know only the distance, so their pattern runs along the diagonal."
        )
        st.caption(f"An encoder of one layer; head {head} of 4. {UNTRAINED} ALiBi is the one that needs no training.")
        teaching.check(
            "Which map would stay as it is if all tokens moved 100 places on?",
            ["sinusoidal", "learned", "ALiBi"],
            2,
            "ALiBi, like rotary and T5, looks at the distance between query and key. Where both stand does not matter.",
            key="pos-schemes",
        )
        _code("Positions")

    def maps(asked) -> Tiles:
        return Tiles(data.same_word(*asked), "weight", list(POSITIONS), 2, False)

    compare.side_by_side(bench, maps, "every scheme")


def _ask_learned(say: list[str]):
    with _row(3):
        max_len = choose(
            st.select_slider, "Rows of the table", "pos_rows", (8, 16, 32, 48, 64), 32, say,
            help="max_len: the longest text that this model can read.",
        )  # fmt: skip
        used = choose(
            st.select_slider, "Tokens in the text", "pos_used", range(1, max_len + 1), min(12, max_len), say,
            why=f"the table has {max_len} rows, not {{}}", help="One text to learn from.",
        )  # fmt: skip
        return max_len, used, _seed(say)


def _learned() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_learned, say)
    max_len, used, seed = bench.now
    display.notice(*say)
    made = data.learned_table(max_len, used, seed)
    table, pull, side = st.columns([4, 3, 4], gap="medium")
    with table:
        st.markdown("**The table before training**: random")
        display.figure(
            figures.learned(made.table),
            key="pos_learned",
            alt=f"Heatmap of a random table of {max_len} positions by 32 features.",
        )
    with pull:
        st.markdown("**What one text changes in it**")
        display.figure(
            figures.gradient(made.gradient),
            key="pos_gradient",
            alt=f"Size of the gradient by position: above 0 for positions 0 to {used - 1}, 0 for the rest.",
        )
    with side:
        teaching.formula(r"x_{pos} = E_{token} + W_{pos}")
        st.markdown(
            "No formula: each position has a row of numbers, learned like the words (so in the models BERT and GPT-2)."
            " There is no order in it at first. Training moves a row by its **gradient**; without one the row stays as"
            f" it is. A text of {used} tokens trains rows 0 to {used - 1} and **no other**. Late rows are trained by"
            " long texts only."
        )
        st.markdown(f"One token more than {max_len}, and the model says:")
        st.code(made.message, language=None, wrap_lines=True)
        st.caption("What the table looks like after training is shown where models are trained.")
        teaching.check(
            "All training texts have 12 tokens or fewer. What is row 20 after training?",
            ["What it was at first", "Zero", "A copy of row 12"],
            0,
            "No text had a token there, so no gradient ever reached that row.",
            key="pos-learned",
        )
        _code("LearnedPositions")

    def pulled(asked) -> Curves:
        size = data.learned_table(*asked).gradient
        return Curves(tuple(range(len(size))), {"gradient": size}, ("position", "size of the gradient"))

    compare.side_by_side(bench, pulled, "what one text changes")


def _rotary() -> None:
    say: list[str] = []
    with _row(3):
        n = choose(
            st.select_slider, "Pairs (d_k ÷ 2)", "pos_clocks_n", (2, 3, 4, 6, 8, 12, 16, 32), 8, say,
            help="Features 2i and 2i + 1 of q and k are an arrow. This pairing is called interleaved.",
        )  # fmt: skip
        base = _base(say)
        seed = _seed(say)
    display.notice(*say)
    packed = data.hands("rotary", n, base, seed, 165, 64)
    picture, side = _two()
    with picture:
        show.clocks(packed)
    with side:
        teaching.formula(r"\q{q}_m \cdot \k{k}_n = (R_m \q{q}) \cdot (R_n \k{k}) = \q{q} \cdot R_{n-m}\, \k{k}")
        st.markdown(
            "Nothing is added. The :blue[**query**] and the :orange[**key**] are **turned** by their positions, pair"
            " by pair: $R_m$ turns by position m. When both move on together, the angle between them stays. So the"
            " score q · k, how well they fit, depends on the distance only, and no arrow gets longer or shorter."
        )
        st.caption(
            "One random query, one random key. Here features (0, 1), (2, 3), … are pairs: *interleaved*. Llama pairs"
            " (0, d/2), (1, d/2 + 1), …: *half*. They differ only in the order of the features."
        )
        teaching.check(
            "Query at 7, key at 4, or query at 107, key at 104. Which score is larger?",
            ["The first", "The second", "They are equal"],
            2,
            "Both have distance 3. Both arrows have turned by the same extra angle.",
            key="pos-rotary",
        )
        _code("RotaryPositions._turn")


def _heads_row(say, with_reach: bool) -> tuple[int, int, int]:
    with _row(3):
        T = choose(st.select_slider, "Tokens", "pos_tokens", (8, 12, 16, 24, 32, 48, 64), 24, say)
        n_heads = choose(
            st.select_slider, "Heads", "heads", (1, 2, 3, 4, 6, 8, 12, 16), 8, say,
            help="Attention is done several times side by side. Each time is a head, with queries and keys of its own.",
        )  # fmt: skip
        last = 128
        if with_reach:
            last = choose(
                st.select_slider, "Max distance", "pos_max_distance", (20, 32, 64, 128, 256), 128, say,
                help="From about here on all distances share one bucket.",
            )  # fmt: skip
    return T, n_heads, last


def _planes(made, n_heads: int, name: str) -> None:
    display.figure(
        plot.tiles(
            made.planes, [f"head {h}" for h in range(n_heads)], columns=min(4, n_heads), value="bias", diverging=True,
            height=390 if n_heads < 9 else 620,
        ),
        key="pos_planes",
        alt=f"The {name} bias of {n_heads} heads, each constant along its diagonals.",
    )  # fmt: skip
    draw = figures.bias_strips if made.slopes is None else figures.bias_curves
    display.figure(
        draw(made.by_offset, made.reach),
        key="pos_bias",
        alt=f"The {name} bias of every head by the distance from query to key, to {made.reach} places either way.",
    )


def _pin_planes(bench: compare.Bench, positions: str) -> None:
    def planes(asked) -> Tiles:
        T, n_heads, last = asked
        reach = 2 * last if positions == "relative" else T
        made = data.planes(positions, T, reach, n_heads, last, 0)
        return Tiles(made.planes, "bias", [f"head {h}" for h in range(n_heads)], min(4, n_heads), True)

    compare.side_by_side(bench, planes, "the bias of every head")


def _t5() -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _heads_row(say, True), say)
    T, n_heads, last = bench.now
    display.notice(*say)
    made = data.planes("relative", T, 2 * last, n_heads, last, 0)
    picture, side = _two()
    with picture:
        _planes(made, n_heads, "T5")
    with side:
        teaching.formula(r"\text{score}_{ij} = \frac{\q{q}_i \cdot \k{k}_j}{\sqrt{d_k}} + b_{\,\text{bucket}(j-i)}")
        st.markdown(
            "Each head has a number for each **bucket** of distances, and adds it to the score of query i and key j:"
            " the **bias**, b. Near distances have a bucket each; far ones share, in ever wider steps. The bias is the"
            " same along every diagonal, for it knows the distance only."
        )
        st.caption(
            f"32 buckets: 16 look behind, 16 ahead. Of the distances 0 to {made.reach} behind, the last"
            f" {made.n_shared} share one bucket. The numbers are learned; these are random."
        )
        teaching.check(
            "Which pairs of tokens share a number?",
            ["Those of the same word", "Those at the same distance", "Those of the same query"],
            1,
            "The bias does not see the words, and not where the pair stands. It sees the distance.",
            key="pos-t5",
        )
        _code("relative_buckets", "RelativePositions.bias")
    _pin_planes(bench, "relative")


def _alibi() -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _heads_row(say, False), say)
    T, n_heads, _ = bench.now
    display.notice(*say)
    made = data.planes("alibi", T, T, n_heads, 128, 0)
    picture, side = _two()
    with picture:
        _planes(made, n_heads, "ALiBi")
    with side:
        teaching.formula(
            r"\text{score}_{ij} = \frac{\q{q}_i \cdot \k{k}_j}{\sqrt{d_k}} - m_h\,|i-j| \qquad m_h = 2^{-8h/H}"
        )
        st.markdown(
            "Each head takes a bit off the score (the **bias**) for every step of distance: the further, the fainter."
            " How much a step costs is its **slope**, m; nothing is learned. A head with a steep slope sees its"
            " neighbours; one with a flat slope sees far."
        )
        shown = ", ".join(f"{m:.3g}" for m in made.slopes)
        power = n_heads & (n_heads - 1) == 0
        st.caption(
            f"Slopes of {n_heads} heads, from head 0: {shown}. "
            + (
                "In the formula h counts from 1."
                if power
                else "The formula is for 1, 2, 4, 8, … heads; otherwise slopes of the next larger power fill up."
            )
        )
        words = EXAMPLES[1].split()
        backwards = data.shuffled("encoder", "alibi", 0, tuple(words), tuple(reversed(range(len(words)))))
        st.caption(
            "Ahead and behind count alike, so in an encoder ALiBi cannot tell a text from its reversal: read "
            f"“{EXAMPLES[1]}” backwards, and no number of any word's output moves by more than "
            f"{backwards.moved.max():.7f} (rounding). A decoder sees one side only, so there it can."
        )
        teaching.check(
            "Which head still sees a token 20 places away?",
            ["The one with the steepest slope", "The one with the flattest slope", "All alike"],
            1,
            "It takes off least a step, so a far key still has a score that counts.",
            key="pos-alibi",
        )
        _code("alibi_slopes", "AlibiPositions.bias")
    _pin_planes(bench, "alibi")


# ---- looking back ----------------------------------------------------------------------------------------------


BUILT = {name: POSITIONS[name] for name in ("none", "sinusoidal", "rotary")}


def _ask_look_back(say: list[str]):
    with _row(4):
        positions = choose(
            st.selectbox, "Positions", "positions", BUILT, "sinusoidal", say,
            why="this head is not built for {} positions",
        )  # fmt: skip
        k = choose(st.select_slider, "Back by k", "pos_back", range(13), 3, say)
        d = choose(
            st.select_slider, "d_k", "pos_dk", (4, 8, 16, 32, 64, 128), 64, say,
            help="The width of the head: how many numbers its queries and keys have.",
        )  # fmt: skip
        sharpness = choose(
            st.select_slider, "Sharpness", "pos_sharp", (1, 2, 4, 8, 16, 32), 8, say,
            help="How large the query is, s in the formula. A larger one makes a sharper choice.",
        )  # fmt: skip
    return positions, k, d, sharpness


def _look_back() -> None:
    say: list[str] = []
    bench = compare.ask(_ask_look_back, say)
    positions, k, d, sharpness = bench.now
    display.notice(*say)
    weights, (on, chance) = data.look_back(BUILT[positions], k, 24, d, 10_000, sharpness)
    picture, side = _two()
    with picture:
        display.figure(
            figures.look_back(weights, k),
            key="pos_look_back",
            alt=f"Attention map of 24 positions. The mean weight {k} places back is {on:.2f}; chance is {chance:.2f}.",
        )
    with side:
        one, two = st.columns(2)
        one.metric(f"Mean weight {k} back", f"{on:.2f}")
        two.metric("By chance", f"{chance:.2f}")
        teaching.formula(r"\q{q}_i = s\,M_{-k}\,PE_i \qquad \k{k}_j = PE_j")
        if positions == "none":
            st.markdown("**Without positions no head can do it.** All keys are the same, so all get the same weight.")
        elif positions == "sinusoidal":
            st.markdown(
                "This head is **built by hand**: its :blue[**query**] is the code of the place k back, made by the"
                " matrix $M$ of the clocks. It fits best the :orange[**key**] that stands there; the more alike"
                " another place's code is, the better that fits, too. The dotted line is where the :violet[weight]"
                " should be."
            )
        else:
            st.markdown(
                "This head is **built by hand**: the same :orange[**key**] everywhere, and a :blue[**query**] that is"
                " turned back by k. The rotation of the model does the rest."
            )
        st.caption(
            "A row is a token that looks, a column one that is looked at. How alike codes of neighbours are: see"
            " Distance. "
            + (f"The first {k} rows have no such place. " if k else "")
            + "Whether training finds such a head is another question; it is measured on a later page."
        )
        teaching.check(
            "With sinusoidal positions, why do the weights spread to the neighbours of that place?",
            ["Their codes are much alike", "The head is random", "Softmax adds noise"],
            0,
            "Neighbours have similar codes, so their scores are close. A sharper query tells them apart, and so does a"
            " wider head or a smaller base.",
            key="pos-back",
        )
        _code("look_back", path="transformer/inspection/positions.py")

    def looks(asked) -> Sheet:
        positions, k, d, sharpness = asked
        weights, _ = data.look_back(BUILT[positions], k, 24, d, 10_000, sharpness)
        return Sheet(weights, "weight", ("query", "key"))

    compare.side_by_side(bench, looks, "where the head looks")


# ---- past the training length ----------------------------------------------------------------------------------


def _too_far() -> None:
    say: list[str] = []
    with _row(3):
        trained = choose(
            st.select_slider, "Training length", "pos_trained", (8, 16, 32, 64, 128), 64, say,
            help="The longest text in training.",
        )  # fmt: skip
        times = choose(st.select_slider, "Times longer", "pos_times", (2, 3, 4, 6, 8), 3, say)
        last = choose(
            st.select_slider, "T5: max distance", "pos_max_distance", (20, 32, 64, 128, 256), 128, say
        )  # fmt: skip
    display.notice(*say)
    length = trained * times
    made = data.beyond(trained, length, last, 0)
    picture, side = _two()
    with picture:
        display.figure(
            figures.beyond(
                trained,
                [
                    ("<b>sinusoidal</b>: the slowest sine", "position", made.sinusoidal),
                    ("<b>learned</b>: feature 0 of the row", "position", made.learned),
                    ("<b>rotary</b>: angle of the slowest pair", "position", made.rotary),
                    ("<b>T5 relative</b>: bucket of a key behind", "distance", made.relative),
                    ("<b>ALiBi</b>: bias of head 0", "distance", made.alibi),
                ],
            ),
            key="pos_beyond",
            alt=f"Five curves to {length}, with training up to {trained}: sinusoidal, rotary and ALiBi go on; learned"
            f" ends at {trained}; T5 stays in its last bucket from {made.saturates} on.",
        )
    with side:
        st.markdown(
            f"Training saw positions 0 to {trained - 1}. The grey part is new.\n\n"
            "- **Sinusoidal, rotary, ALiBi** go on: their formula takes any position.\n"
            f"- **Learned** has no row {trained}. It stops with an error.\n"
            f"- **T5** stays in its last bucket (distances that share a number) from distance {made.saturates} on:"
            " further is all the same to it."
            + (f" {made.unseen} of its buckets were never trained." if made.unseen else "")
        )
        st.code(made.message, language=None, wrap_lines=True)
        st.caption(
            "This is what the model is *given*, and it is exact. Whether a trained model still *understands* it is"
            " measured on a later page: sinusoidal codes go on, and yet models that use them often fail there."
        )
        teaching.check(
            "A formula that goes on for ever: does it make a model that works on any length?",
            ["Yes", "No: the model may never have learned what to do there", "Only for even lengths"],
            1,
            "The slow waves take values there that no training text had. That has to be measured, not assumed.",
            key="pos-far",
        )
        _code("beyond", path="transformer/inspection/positions.py")


VIEWS = {
    "Waves": ("A pattern for every position: sines and cosines", _waves),
    "Sum": ("How does the pattern get in? It is added", _sum),
    "Distance": ("Are close positions more alike?", _distance),
    "Clocks": ("What does a step of k do? It turns every hand by a fixed angle", _clocks),
    "Schemes": ("What other ways are there?", _schemes),
    "Look back": ("Can a head look exactly k places back?", _look_back),
    "Too far": ("What happens past the training length?", _too_far),
}
