"""The parts of the blocks page: one is on screen at a time, and only that one is computed."""

import numpy as np
import streamlit as st

from pages.blocks import data, prose, settings, show
from pages.blocks import figures as figures
from pages.shared import answers, compare, controls, display, readers, teaching
from pages.shared.compare_figures import Curves, Sheet

LAYERS = "transformer/layers.py"


def part(say: list[str]) -> str:
    """Which part is open."""
    return controls.choose(
        st.segmented_control, "Part", "blocks_part", PARTS, "One layer", say, label_visibility="collapsed"
    )


def open_part(name: str, say: list[str]) -> None:
    """The controls, the figures and the words of one part."""
    typed = None
    if name in TRAINED:
        typed = controls.read(say, TRAINED[name])
    elif name != "Ledger":
        typed = controls.Read(readers.RANDOM, None, controls.sentence())
    notices = st.container()  # what was not as asked stands above the figures, and is known below them
    if typed is None:
        PARTS[name](typed, say)
    elif typed.sentence.tokens:
        say.extend(typed.sentence.notices)
        PARTS[name](typed, say)
    else:
        say.append("There is no word to look at yet. Type a sentence, or pick one of the examples.")
    with notices:
        display.notice(*say)


def _asked(typed: controls.Read, say: list[str], *more, part: str = "", **how) -> compare.Bench:
    """The sentence and the stack, and what each of `more` asks for with (tokens, say); `part` is one of TRAINED where
    trained weights may be chosen, and then `more` is called with (tokens, say, reader)."""

    def read(say: list[str]):
        if not part:
            tokens = controls.sentence_again(typed.sentence).tokens
            return (tokens, settings.stack(say, **how), *(ask(tokens, say) for ask in more)) if tokens else None
        found = controls.read_again(typed, say, TRAINED[part])
        tokens, reader = found.sentence.tokens, found.reader
        if not tokens:
            return None
        stack = settings.trained(reader, say, layer="layer" in how) if reader else settings.stack(say, **how)
        return tokens, stack, *(ask(tokens, say, reader) for ask in more)

    return compare.ask(read, say)


def _within(place, ask):
    """The same controls, drawn in a place that stands on the page already."""

    def read(tokens: tuple[str, ...], say: list[str], *reader):
        with place:
            return ask(tokens, say, *reader)

    return read


def _compare(bench: compare.Bench, numbers, what: str) -> None:
    compare.side_by_side(bench, lambda asked: None if asked is None else numbers(*asked), what)


def _stream(values: np.ndarray, tokens: tuple[str, ...]) -> Sheet:
    rows = figures.MOST_ROWS
    return Sheet(values[:rows, : figures.MOST_UNITS], "value", ("token", "feature"), tokens[:rows])


def _thread():
    """Two columns: the figure, and beside it the formula, the code and a question."""
    return st.columns([7, 3], gap="large")


def _one_layer(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, part="One layer", layer=True)
    tokens, choice = bench.now
    made = data.stages(choice.config, choice.seed, tokens, choice.layer)
    drawing, step = st.container(), st.container()
    with step:
        name = settings.opened("blocks_step", tuple(made), figures.STAGES, say)
    with drawing:
        shape = {"d_model": choice.config.d_model, "n_heads": choice.config.n_heads, "d_ff": choice.config.d_ff}
        plan = figures.layer_map(tuple(made), name, T=len(tokens), **shape)
        settings.open_stage(show.diagram(plan, key="blocks_map"), name)
    picture, words = _thread()
    with picture:
        alt = f"Every word's vector after {figures.STAGES[name]}, feature by feature, and its mean and deviation."
        display.figure(figures.stage(made[name], tokens, name), key="blocks_stage", alt=alt)
    with words:
        st.markdown(prose.SAID[name])
        if choice.config.norm == "pre":
            teaching.formula(r"x + \mathrm{Sublayer}(\mathrm{Norm}(x))")
        else:
            teaching.formula(r"\mathrm{Norm}(x + \mathrm{Sublayer}(x))")
        teaching.check(
            "In which step does a word learn about the other words?",
            ["Feed-forward", "Attention", "Add & norm"],
            1,
            "Feed-forward, addition and norm treat every word by itself.",
            key="blocks-mix",
        )
        with st.expander("The code that ran"):
            teaching.code(LAYERS, "EncoderLayer.forward")
            teaching.code(LAYERS, "AddNorm")

    def stage(tokens, choice) -> Sheet:
        return _stream(data.stages(choice.config, choice.seed, tokens, choice.layer)[name], tokens)

    _compare(bench, stage, figures.STAGES[name])


def _layer_norm(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, part="Layer norm", layer=True)
    tokens, choice = bench.now
    made = data.stages(choice.config, choice.seed, tokens, choice.layer)
    picture, words = _thread()
    with words:
        teaching.formula(r"\frac{x - \mathrm{mean}(x)}{\sqrt{\mathrm{var}(x) + \varepsilon}}\;\gamma + \beta")
        st.markdown(
            "A line is one word: its mean, and how far its numbers spread. Mean and variance (the spread, squared) are "
            "taken over the features of *one* word, the numbers of its vector. "
            + prose.gains(choice.reader and data.gains(choice.seed, choice.layer))
        )
        batch = controls.choose(
            st.select_slider,
            "Sentences in the batch",
            "blocks_company",
            (1, 2, 4, 8, 16),
            8,
            say,
            help="How many sentences are computed together. The others are random texts of the same length.",
        )
        by_layer, by_batch = data.company(choice.config, choice.seed, tokens, choice.layer, batch)
        st.markdown(
            f"Company changes this sentence's numbers by at most **{prose.amount(by_layer)}**. Were they normalised "
            f"over the whole batch (batch norm), by **{prose.amount(by_batch)}**."
        )
        teaching.check(
            "Another sentence joins the batch, to be computed together. What changes in this one?",
            ["Its means", "Everything a little", "Nothing"],
            2,
            "Layer norm looks along the features of one word, never across words or sentences.",
            key="blocks-norm",
        )
        with st.expander("The code that ran"):
            teaching.code(LAYERS, "AddNorm")
    with picture:
        into = "in" if choice.config.norm == "pre" else "add1"
        before, after = data.statistics(made[into]), data.statistics(made["norm1"])
        alt = "Mean and standard deviation of every word before layer norm, and after it" + (
            ", where γ and β have moved them." if choice.reader else ": 0 and 1 for all."
        )
        display.figure(figures.layer_norm(before, after, tokens), key="blocks_norm_stats", alt=alt)

    def normed(tokens, choice) -> Sheet:
        return _stream(data.stages(choice.config, choice.seed, tokens, choice.layer)["norm1"], tokens)

    _compare(bench, normed, "after the first norm")


def _feed_forward(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, part="Feed-forward", layer=True, expansion=True)
    tokens, choice = bench.now
    views = ("Which units fire", "The bend", "Without the bend")
    view = controls.choose(
        st.segmented_control, "View", "blocks_view", views, views[0], say, label_visibility="collapsed"
    )
    ran = data.feed_forward(choice.config, choice.seed, tokens, choice.layer)
    picture, words = _thread()
    name = "ReLU" if choice.config.activation == "relu" else "GELU"
    if view == views[0]:
        with picture:
            alt = "Hidden units of the feed-forward layer for every word; those that stay silent are empty."
            display.figure(figures.firing(ran.hidden, ran.firing, tokens), key="blocks_firing", alt=alt)
        with words:
            teaching.formula(rf"\mathrm{{FFN}}(x) = \mathrm{{{name}}}(x W_1 + b_1)\,W_2 + b_2")
            st.markdown("Every word goes through it by itself, and all through the same two matrices.")
            st.markdown(prose.widths(choice.config.d_model, choice.config.d_ff, ran))
            teaching.check(
                "The words come in reverse order. What happens to the feed-forward outputs?",
                ["They all change", "They reverse, too", "The first word's changes"],
                1,
                f"Tried on this sentence: read backwards, an output moves by at most {prose.amount(ran.reversed_by)}; "
                f"every word alone, by at most {prose.amount(ran.alone_by)} (rounding).",
                key="blocks-order",
            )
            with st.expander("The code that ran"):
                teaching.code(LAYERS, "FeedForward")
    elif view == views[1]:
        x, curves = data.activations()
        with picture:
            alt = f"ReLU and GELU as curves, and how often this sentence's numbers fall where; {name} is in use."
            display.figure(figures.activation(x, curves, name, ran.before), key="blocks_bend", alt=alt)
        with words:
            teaching.formula(
                r"\begin{aligned}\mathrm{ReLU}(x) &= \max(0, x)\\ \mathrm{GELU}(x) &= x\,\Phi(x)\end{aligned}"
            )
            st.markdown(
                "Between the two matrices stands a curve with a bend. Φ(x): the share of a bell curve left of x."
            )
            st.markdown(prose.gate(ran))
            teaching.check(
                "What does ReLU let through of a number below zero?",
                ["Nothing", "A little", "Its absolute value"],
                0,
                "GELU lets a little through; that is all that sets the two apart.",
                key="blocks-relu",
            )
    else:
        worth, (inputs, bent, straight) = data.bend(choice.config, choice.seed, choice.layer)
        with picture:
            alt = "XOR: two ReLU units answer 0, 1, 1, 0; the best straight map answers one half to all."
            display.figure(figures.xor(inputs, bent, straight), key="blocks_xor", alt=alt)
        with words:
            teaching.formula(r"(x W_1) W_2 = x\,(W_1 W_2)")
            st.markdown(prose.straight(worth, name))
            teaching.check(
                "Without the bend, what does a wider hidden layer add?",
                ["More memory for facts", "More heads", "Nothing"],
                2,
                "Two matrices in a row are one matrix, however wide the middle is.",
                key="blocks-straight",
            )
            random = "" if choice.reader else "; nothing here is trained"
            st.caption(f"The four weights for XOR are set by hand{random}.")

    def hidden(tokens, choice) -> Sheet:
        return _stream(data.feed_forward(choice.config, choice.seed, tokens, choice.layer).hidden, tokens)

    _compare(bench, hidden, "the hidden units")


def _residual_stream(typed: controls.Read, say: list[str]) -> None:
    top = st.container()
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with top:
        bench = _asked(typed, say, _within(right, settings.token), part="Residual stream")
    tokens, choice, token = bench.now
    views = ("The way", "Size of each push", "Read-out")
    usual = views[2] if choice.reader else views[0]  # only what is trained has something to say
    with left:
        view = controls.choose(
            st.segmented_control, "View", "blocks_stream", views, usual, say, follows=True, label_visibility="collapsed"
        )
    stream, named, logits, places = data.follow(choice.config, choice.seed, tokens, token)
    picture, words = _thread()
    pre = choice.config.norm == "pre"
    with picture:
        if view == views[0]:
            drawn = figures.path(stream.path, stream.heights, stream.seen, tokens[token])
            alt = f"The way of the word {tokens[token]} through {choice.config.n_encoder_layers} layers, push by push."
        elif view == views[1]:
            drawn = figures.pushes(stream.states, stream.pushes, stream.heights)
            alt = "The length of every push, as a share of the stream that it meets."
        else:
            which = "words that it says at some height" if choice.reader else "words of this sentence"
            drawn = figures.lens(logits, places, named, stream.heights, which)
            alt = f"Logit and place of {which}, if the stream were read out at each height."
        display.figure(drawn, key=f"blocks_stream_{views.index(view)}", alt=alt)
    with words:
        if view == views[2]:
            teaching.formula(
                r"\mathrm{logits}_h = \mathrm{Norm}(x_h)\,W_e^\top" if pre else r"\mathrm{logits}_h = x_h W_e^\top"
            )
            if choice.reader:
                st.markdown(prose.read_out_trained(stream, named, places, tokens, token, choice.reader))
            else:
                st.markdown(prose.read_out(stream, tokens[token], named, places))
            with st.expander("The code that ran"):
                teaching.code("transformer/inspection/blocks.py", "follow")
        else:
            teaching.formula(
                r"x_{h+1} = x_h + \mathrm{push}_h" if pre else r"x_{h+1} = \mathrm{Norm}(x_h + \mathrm{push}_h)"
            )
            st.markdown(prose.sum_of(stream, pre))
            with st.expander("The code that ran"):
                teaching.code(LAYERS, "AddNorm")
        teaching.check(
            "With the norm before it, what does a sublayer (attention or feed-forward) do to the stream?",
            ["It replaces it", "It adds to it", "It multiplies it"],
            1,
            "That is why the embedding can still be read far above: nothing is overwritten.",
            key="blocks-add",
        )

    def sizes(tokens, choice, token) -> Curves:
        stream, *_ = data.follow(choice.config, choice.seed, tokens, token)
        size = np.linalg.norm(stream.states, axis=-1)
        return Curves(tuple(stream.heights), {"length": size}, ("height in the stack", "length of the word's vector"))

    _compare(bench, sizes, "the length of the followed word's vector")


def _pull_a_plug(typed: controls.Read, say: list[str]) -> None:
    top = st.container()
    left, right = st.columns(2, vertical_alignment="bottom")
    with top:
        bench = _asked(typed, say, _within(left, settings.plug), part="Pull a plug")
    tokens, choice, pulled = bench.now
    views = ("How alike words are", "Size of the stream", "Last map")
    with right:
        view = controls.choose(
            st.segmented_control,
            "Look at",
            "blocks_look",
            views,
            views[0],
            say,
            help="Alike is measured by the cosine: 1 means that two words' vectors point the same way.",
        )
    clean = data.unplugged(choice.config, choice.seed, tokens, "")
    broken = data.unplugged(choice.config, choice.seed, tokens, settings.PLUGS[pulled])
    name = f"{pulled.lower()} out"
    picture, words = _thread()
    with picture:
        if view == views[0]:
            drawn = figures.by_height(clean.alike, broken.alike, name, "mean cosine between two words", log=False)
            alt = f"How alike the words are after all layers: {clean.alike[-1]:.2f}; {name}: {broken.alike[-1]:.2f}."
        elif view == views[1]:
            drawn = figures.by_height(clean.rms, broken.rms, name, "root mean square of the stream", log=True)
            alt = f"The size of the stream after all layers: {clean.rms[-1]:.3g}; {name}: {broken.rms[-1]:.3g}."
        else:
            drawn = figures.two_maps(clean.maps, broken.maps, ("everything in", name), tokens)
            alt = f"Attention weights of the last layer, mean over heads: with everything in, and with the {name}."
        display.figure(drawn, key=f"blocks_plug_{views.index(view)}", alt=alt)
    with words:
        st.markdown(prose.BREAKS[settings.PLUGS[pulled]])
        st.markdown(prose.changed(data.moved(clean, broken), len(tokens), choice.reader is not None))
        if choice.reader:
            plugs = ("", settings.PLUGS[pulled])
            found = (data.answers(choice.config, choice.seed, tokens, plug) for plug in plugs)
            answers.table(*found, name, tokens)
        teaching.check(
            "Without the residual connections, what becomes of the words in a deep stack?",
            ["They grow without end", "They stay as they are", "They become the same"],
            2,
            "Attention averages, and nothing brings back what each word was. Pull it, and add layers.",
            key="blocks-plug",
        )
        with st.expander("How a plug is pulled"):
            teaching.code("transformer/inspection/plugs.py", "unplug")

    def without(tokens, choice, pulled) -> Sheet | Curves:
        seen = data.unplugged(choice.config, choice.seed, tokens, settings.PLUGS[pulled])
        if view == views[2]:
            return Sheet(seen.maps, "weight", ("query", "key"), tokens, tokens)
        y, title = (seen.alike, "mean cosine") if view == views[0] else (seen.rms, "root mean square")
        return Curves(tuple(range(len(y))), {title: y}, ("height in the stack", title), log=view == views[1])

    _compare(bench, without, f"{view[0].lower()}{view[1:]}, plug out")


def _depth(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, depth=False)
    tokens, choice = bench.now
    measures = ("Gradient", "Size of the stream", "How alike words are")
    measure = controls.choose(
        st.segmented_control, "Measure", "blocks_measure", measures, measures[0], say, label_visibility="collapsed"
    )
    short = tokens[: settings.MOST_AT_DEPTH]
    if len(short) < len(tokens):
        display.notice(f"The first {len(short)} tokens are used here: deep stacks are slow.")
    found = settings.sweep(lambda n: data.at_depth(choice.config, choice.seed, short, n))
    by_depth, inside, title, log = prose.swept(found, measures.index(measure))
    left, right, words = st.columns([7, 7, 6], gap="medium")
    with left:
        drawn = figures.depths(list(settings.DEPTHS), by_depth, title[0], "depth of the stack, in layers", log=log)
        display.figure(drawn, key="blocks_depth", alt=prose.swept_alt(by_depth, title[0]))
    with right:
        drawn = figures.depths(list(range(33)), inside, title[1], "inside the deepest: layers passed", log=log)
        display.figure(drawn, key="blocks_inside", alt=prose.swept_alt(inside, title[1]))
    with words:
        st.markdown(
            "The **gradient** says how much a small change here would change the loss, the model's error; training "
            "goes by it. Where it vanishes, nothing is learned; where it explodes, training breaks."
        )
        teaching.formula(r"\frac{\partial\,(x + F(x))}{\partial x} = I + \frac{\partial F}{\partial x}")
        st.markdown(prose.verdict(by_depth, measures.index(measure)))
        teaching.check(
            "What does the residual connection (the x that is added) alone, without norms, do to the gradient?",
            ["It makes it vanish", "It keeps it the same", "It lets it grow with depth"],
            2,
            "It keeps a direct path, the I. It takes the norms as well to keep the sizes in bounds.",
            key="blocks-depth",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/plugs.py", "at_depth")

    def swept(tokens, choice) -> Curves:
        short = tokens[: settings.MOST_AT_DEPTH]
        found = settings.sweep(lambda n: data.at_depth(choice.config, choice.seed, short, n))
        lines, _, title, log = prose.swept(found, measures.index(measure))
        return Curves(settings.DEPTHS, lines, ("depth of the stack, in layers", title[0]), log)

    _compare(bench, swept, "by depth")


def _linear(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, settings.share, depth=False)
    tokens, choice, share = bench.now
    mixed, by, live, frozen = data.linearity(choice.config, choice.seed, tokens, share)
    left, right, words = st.columns([7, 7, 6], gap="medium")
    with left:
        alt = "Attention of a mixture against the mixture of attentions: on the diagonal only with fixed weights."
        display.figure(figures.superposition(mixed.live, mixed.frozen), key="blocks_super", alt=alt)
    with right:
        alt = "How far attention of a stretched input is from stretched attention: zero only with fixed weights."
        display.figure(figures.stretching(by, live, frozen), key="blocks_stretch", alt=alt)
    with words:
        teaching.formula(
            r"\w{A}(X)\,\v{V} = \w{\mathrm{softmax}}\!\left(\tfrac{\q{Q}\k{K}^\top}{\sqrt{d_k}}\right)\v{V}"
        )
        st.markdown(
            "**Linear** means: mixing first or last makes no difference, and twice the input gives twice the output. "
            "X is what comes in. From it are made the :violet[weights] A (from queries Q and keys K) and the "
            ":green[values] V, which they mix."
        )
        st.markdown(prose.linear_words(mixed))
        teaching.check(
            "In what is attention linear?",
            ["In V, at fixed weights", "In its input X", "In Q"],
            0,
            "The weights are made from X, too, through a softmax: X enters twice.",
            key="blocks-linear",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/linearity.py", "mix")

    def off(tokens, choice, share) -> Curves:
        _, by, live, frozen = data.linearity(choice.config, choice.seed, tokens, share)
        lines = {"weights follow the input": live, "weights fixed": frozen}
        return Curves(tuple(by), lines, ("c, how far the input is stretched", "how far off"))

    _compare(bench, off, "how far from linear")


def _dropout(typed: controls.Read, say: list[str]) -> None:
    bench = _asked(typed, say, lambda _, say: settings.dropping(say), depth=False)
    tokens, choice, drop = bench.now
    seen = data.dropped(drop.of(choice.config), choice.seed, tokens, drop.where, drop.training, drop.draws, drop.draw)
    picture, words = _thread()
    with picture:
        alt = f"The {drop.where} of the first layer before and after dropout."
        drawn = figures.dropped(seen.before, seen.after, drop.where, tokens, drop.draws > 1)
        display.figure(drawn, key="blocks_dropped", alt=alt)
    with words:
        teaching.formula(
            r"x_i \to \begin{cases} 0 & \text{with probability } p \\ x_i / (1-p) & \text{else} \end{cases}"
        )
        st.markdown(
            "**Dropout**: in training each number is set to 0 with probability p, by chance, so that the model leans "
            "on none of them alone. The others grow a little."
        )
        st.markdown(prose.dropped_words(seen, drop.training, drop.draws))
        teaching.check(
            "Why are the numbers that stay divided by 1 − p?",
            ["To make training faster", "So that the mean stays the same", "So that rows add up to 1"],
            1,
            "Set “Mean of draws” to 100 and see: it comes back to what was there. The rows of weights no longer add up "
            "to 1 in a single draw.",
            key="blocks-drop",
        )
        with st.expander("The code that ran"):
            teaching.code("transformer/random.py", "dropout")

    def after(tokens, choice, drop) -> Sheet:
        config = drop.of(choice.config)
        made = data.dropped(config, choice.seed, tokens, drop.where, drop.training, drop.draws, drop.draw).after
        if drop.where == "weights":
            return Sheet(made, "weight", ("query", "key"), tokens, tokens)
        return _stream(made, tokens)

    _compare(bench, after, f"{drop.where} after dropout")


def _ledger(_: None, say: list[str]) -> None:
    config, batch, length = settings.sizes(say)
    lines, tower = data.ledger(config, batch, length)
    picture, words = _thread()
    with picture:
        st.markdown(figures.table(lines, tower.one))
        st.caption(
            "**Parameters** are the numbers that are learned. A shape is how many numbers pass: B texts, T words, D "
            "numbers a word; H heads of width d_k = D / H (Hkv of them for keys and values); F in the middle of the "
            "feed-forward layer."
        )
    with words:
        display.figure(figures.shares(prose.grouped(lines)), key="blocks_shares", alt="Where the parameters are.")
        st.markdown(prose.tower_words(tower, config.n_encoder_layers))
        teaching.check(
            "The text becomes twice as long. What happens to the number of parameters?",
            ["It doubles", "Nothing", "It grows fourfold"],
            1,
            "No shape of a parameter has a T in it. The scores do, twice: those grow fourfold.",
            key="blocks-ledger",
        )


# The parts that can show trained weights, and whose weights they show at first.
TRAINED = {
    "One layer": readers.RANDOM,
    "Layer norm": readers.RANDOM,
    "Feed-forward": readers.RANDOM,
    "Residual stream": readers.STORIES,
    "Pull a plug": readers.RANDOM,
}
PARTS = {
    "One layer": _one_layer,
    "Layer norm": _layer_norm,
    "Feed-forward": _feed_forward,
    "Residual stream": _residual_stream,
    "Pull a plug": _pull_a_plug,
    "Depth": _depth,
    "Is it linear?": _linear,
    "Dropout": _dropout,
    "Ledger": _ledger,
}
