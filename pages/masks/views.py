"""The views of the masks page: one is on screen at a time, and only that one is computed."""

import streamlit as st

from pages.masks import data, panels
from pages.masks.components.mask_brush import unpack
from pages.shared import compare, controls, display, settings, teaching
from pages.shared.compare_figures import Sheet

READINGS = {"may look": False, "may not": True}
TARGET = "L'animal n'a pas traversé la rue"
MORE = ("The cat sat on the mat", "Stop")


def open_view() -> None:
    """The choice of a view, the sentence, and the controls, the figures and the words of the view that is open."""
    say: list[str] = []
    name = controls.choose(
        st.segmented_control, "View", "masks_view", VIEWS, "Paint a mask", say, label_visibility="collapsed"
    )
    sentence = controls.sentence()
    tokens, notices = panels.tokens_of(sentence)
    display.notice(*say, *notices)
    if tokens:
        VIEWS[name](sentence)
    else:
        display.notice("There is no word to look at yet. Type a sentence, or pick one of the examples.")


def _row():
    return settings.place(st.container, horizontal=True, vertical_alignment="bottom", gap="medium")


def _tokens(sentence: controls.Sentence) -> tuple[str, ...]:
    """The tokens of the sentence on the page, or of the one that is pinned."""
    return panels.tokens_of(controls.sentence_again(sentence))[0]


def _ask_paint(sentence: controls.Sentence, say: list[str]):
    tokens = _tokens(sentence)
    if not tokens:
        return tokens, "", "", False
    with _row():
        name, code = panels.choose_mask(len(tokens), say)
        upside_down = READINGS[
            controls.choose(
                st.segmented_control,
                "True means",
                "masks_true",
                READINGS,
                "may look",
                say,
                help="Here True is “may look”. In torch's nn.MultiheadAttention it is “may not”: the classic mix-up.",
            )
        ]
    return tokens, name, code, upside_down


def _paint(sentence: controls.Sentence) -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _ask_paint(sentence, say), say)
    tokens, name, code, upside_down = bench.now
    display.notice(*say)
    if upside_down:
        st.markdown(
            "The same mask, read the wrong way round: what was open is blocked. Before a mask of ours goes to "
            "`nn.MultiheadAttention`, it has to become `~mask`."
        )
    panels.brush(tokens, code, upside_down=upside_down)
    thread, source = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "A mask is a table of yes and no: a row for each :blue[**query**], a column for each :orange[**key**]. The "
            "**causal** mask lets a word see itself and what came before. Where a mask says no ($m = 0$), the score "
            "(how well the two fit) becomes −∞. Softmax, which turns scores into shares of 1, makes of that a "
            ":violet[**weight**] of exactly 0. The rest of the row shares 1 among itself. The scores are those of one "
            "head with random weights."
        )
        teaching.formula(
            r"\w{w_{ij}} = \frac{m_{ij}\, e^{s_{ij}}}{\sum_k m_{ik}\, e^{s_{ik}}} \qquad "
            r"s_{ij} = \frac{\q{q_i} \cdot \k{k_j}}{\sqrt{d_k}}"
        )
        teaching.check(
            "In a causal mask, what is the weight that the first word gives itself?",
            ["It depends on its score", "Exactly 1", "0: a word does not look at itself"],
            1,
            "It may look at itself and at nothing else, so it gets the whole of its attention, whatever the score.",
            key="masks_first_row",
        )
    with source:
        if name in panels.MADE_BY:
            teaching.code("transformer/masks.py", panels.MADE_BY[name])
        teaching.code("transformer/attention.py", "masked_softmax")

    def weights(asked) -> Sheet | None:
        tokens, _, code, upside_down = asked
        if not tokens:
            return None
        allowed = ~unpack(code) if upside_down else unpack(code)
        made = data.mask_stages(tokens, code, upside_down)
        return Sheet(made.weights, "weight", ("query", "key"), tokens, tokens, allowed)

    compare.side_by_side(bench, weights, "the weights")


def _ask_leaks(sentence: controls.Sentence, say: list[str]):
    tokens = _tokens(sentence)
    if not tokens:
        return None
    with _row():
        _, code = panels.choose_mask(len(tokens), say)
    columns = [settings.place(st.container)] * 2 if settings.replaying() else st.columns([1, 1], gap="large")
    with columns[1], _row():
        position = controls.choose(
            st.select_slider,
            "Edit token",
            "masks_edit",
            range(1, len(tokens) + 1),
            panels.middle(tokens),
            say,
            why=f"the text has {len(tokens)} tokens, so there is no token {{}}",
            follows=True,
            width=160,
            help="Its number in the sentence.",
        )
        word = panels.new_word(tokens[position - 1], say)
        layers = controls.choose(
            st.select_slider,
            "Layers",
            "layers",
            range(1, controls.MOST_LAYERS + 1),
            3,
            say,
            width=150,
            help="In every layer a token hears of what the tokens that it sees had heard of before.",
        )
    return columns, (tokens, code, position - 1, word, layers)


def _leaks(sentence: controls.Sentence) -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _ask_leaks(sentence, say), say)
    (mask, model), (tokens, code, place, word, layers) = bench.now
    with model:
        display.notice(*say)
        panels.leak(tokens, code, place, word, layers)
    with mask:
        panels.leak_brush(tokens, code, place)
        st.markdown(panels.reached(code))
    thread, source = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            "The model runs twice, with one token edited, and every number is compared bit for bit. Who sees the "
            "edited token hears of it in the first layer; who sees *them*, in the second. A cell of “Layers until it "
            "is heard” says after how many layers the row's token can have heard of the column's. What a token has "
            "once heard it keeps, for every layer adds to what was there (the residual connection). So who can hear of "
            "whom after $L$ layers is a power of the mask: $M$, with the diagonal $I$, multiplied by itself $L$ times."
        )
        teaching.formula(r"R_L = (M \lor I)^L \qquad \text{moved} = \{\, \q{i} : R_L[\q{i}, \k{j}] \,\}")
        teaching.check(
            "Take a causal window of 2 (itself and one back) and 3 layers. How many tokens can have heard of the first "
            "one, itself included? Look at the numbers in its column.",
            ["2", "3", "4", "All of them"],
            2,
            "Each layer hands it on by one place: the first token itself, and the next three. “Every output is "
            "connected to every input” is true of one layer without a mask; with a mask it takes layers, or never is.",
            key="masks_reach",
        )
    with source:
        teaching.code("transformer/inspection/masks.py", "reach")
        teaching.code("transformer/inspection/masks.py", "leak")

    def moved(asked) -> Sheet | None:
        if asked is None:
            return None
        tokens, *_ = asked[1]
        return Sheet(data.mask_leak(*asked[1]).change, "change", ("height", "token"), None, tokens)

    compare.side_by_side(bench, moved, "how far each token moved")


def _blocked(sentence: controls.Sentence) -> None:
    say: list[str] = []
    tokens = panels.tokens_of(sentence)[0]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        n_allowed = controls.choose(
            st.select_slider,
            "Keys that may be seen",
            "masks_allowed",
            range(min(len(tokens), panels.MOST_IN_ROW) + 1),
            0,
            say,
            why="the row shows fewer than {} keys",
            width=300,
        )
        dtype = controls.choose(
            st.segmented_control,
            "Precision",
            "masks_precision",
            ("float32", "float16", "bfloat16"),
            "float32",
            say,
            help="float16 ends at 65504; bfloat16 goes as far as float32, with fewer digits.",
        )
    display.notice(*say)
    figure, thread = st.columns([3, 2], gap="large")
    with figure:
        rows = panels.blocked_row(tokens, n_allowed, dtype)
        st.markdown(
            "| blocked with | weights sum to | output | gradient of the values |\n|---|---|---|---|\n"
            + "\n".join(f"| **{way}** | {total} | {output} | {gradient} |" for way, total, output, gradient in rows)
        )
    with thread:
        st.markdown(
            "Softmax takes e to the power of each score and divides by the row's sum. To block a :orange[key], its "
            "score is made so low that the power is 0: −∞, or −1e9, which is minus a billion.\n\n"
            "But a row can be left with **no key at all**, where all there is is padding (filling, to make sentences "
            "equally long). Then 0 is divided by 0.\n\n"
            "- **−∞** gives NaN (not a number), in the output and in all that learns from it.\n"
            "- **−1e9** makes every score the same, so the row looks at *all* keys alike, the blocked ones too. In "
            "float16 there is no such number.\n"
            "- **Ours** gives zeros: who may look at nothing adds nothing, and every gradient is finite.\n\n"
            "Open a single key, and all three agree."
        )
        teaching.check(
            "Why do −∞ and −1e9 agree as soon as one key is open?",
            ["They never do", "e to the −1e9 is 0 beside any open score", "Softmax ignores negative numbers"],
            1,
            "Beside an open score the exponential of −1e9 is too small for any of these formats: it is 0.",
            key="masks_fill",
        )
    one, other = st.columns([1, 1], gap="large")
    with one:
        teaching.code("transformer/inspection/masks.py", "fill_with_minus_infinity")
        teaching.code("transformer/inspection/masks.py", "fill_with_minus_billion")
    with other:
        teaching.code("transformer/attention.py", "masked_softmax")


def _ask_attentions(sentence: controls.Sentence, say: list[str]):
    tokens = _tokens(sentence)
    with _row():
        target = panels.target(TARGET, say)
        pads = controls.choose(
            st.select_slider,
            "Padding after the source",
            "masks_pads",
            range(5),
            2,
            say,
            width=200,
            help="What a shorter sentence is filled up with in a batch. Nobody may look at it.",
        )
        which = controls.choose(
            st.segmented_control, "Show", "masks_which", ("All three", *panels.THREE), "All three", say
        )
    return tokens, target, pads, which


def _attentions(sentence: controls.Sentence) -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _ask_attentions(sentence, say), say)
    tokens, target, pads, which = bench.now
    display.notice(*say)
    if not target:
        display.notice("There is no target to write yet. Type one.")
        return
    st.markdown(
        "A translator has two halves. The **encoder** reads the whole source; what it makes of it is the **memory**. "
        "Then the **decoder** writes the target, word by word. Attention is at work in three places:"
    )
    shapes = panels.three(tokens, target, pads, which)
    one, two, three = st.columns(3, gap="large")
    one.markdown(
        f"**Encoder self-attention** {shapes['encoder']}. Every source word looks at every source word, before and "
        "after it. Only padding is closed."
    )
    two.markdown(
        f"**Decoder self-attention** {shapes['decoder']}. Every target word looks at itself and at all that came "
        "before; the first row is 1 and then zeros."
    )
    three.markdown(
        f"**Cross-attention** {shapes['cross']}. :blue[Queries] from the target, :orange[keys] and :green[values] "
        "from the encoder's memory, so every row sees the whole source. It need not be square, and nobody looks at "
        "padding."
    )
    st.caption("Sizes are (heads, queries, keys). The model is random: what you see is the shape, not a translation.")
    thread, source = st.columns([1, 1], gap="large")
    with thread:
        teaching.check(
            "Why is the cross-attention not masked like the decoder's own?",
            ["The whole source is known before the first word is written", "It is an oversight", "It has no rows"],
            0,
            "Nothing in the source is in the future: a translator has read all of it before writing.",
            key="masks_cross",
        )
    with source:
        teaching.code("transformer/layers.py", "DecoderLayer.forward")

    kind = panels.THREE.get(which, "cross")

    def weights(asked) -> Sheet | None:
        tokens, target, pads, _ = asked
        if not tokens or not target:
            return None
        seen = data.mask_three(tokens, target, pads).maps[kind]
        return Sheet(seen.weights[0, 0], "weight", ("query", "key"), tuple(seen.queries), tuple(seen.keys), seen.mask)

    compare.side_by_side(bench, weights, f"{kind}, layer 0, head 0")


def _ask_batches(sentence: controls.Sentence, say: list[str]):
    tokens = _tokens(sentence)
    with _row():
        kind = controls.KINDS[
            controls.choose(
                st.segmented_control,
                "Model",
                "model",
                controls.KINDS,
                "Encoder",
                say,
                help="In an encoder everybody looks everywhere. In a decoder nobody looks ahead: it is causal.",
            )
        ]
        padding_mask = controls.choose(
            st.segmented_control,
            "Padding mask",
            "masks_padding",
            ("on", "off"),
            "on",
            say,
            help="On: nobody may look at ⟨pad⟩.",
        )
    return tokens, kind, padding_mask


def _batches(sentence: controls.Sentence) -> None:
    say: list[str] = []
    bench = compare.ask(lambda say: _ask_batches(sentence, say), say)
    tokens, kind, padding_mask = bench.now
    display.notice(*say)
    sentences = (tokens, *(controls.cut(text).tokens for text in MORE))
    panels.batch(kind, sentences, padding_mask == "on")
    thread, source = st.columns([1, 1], gap="large")
    with thread:
        panels.broadcast(kind, sentences, padding_mask == "on")
        teaching.check(
            "A decoder, in which nobody looks ahead, gives the same without a padding mask: choose it, and see. Why?",
            ["Padding is zero", "Padding comes after the words, and nobody looks ahead", "By chance"],
            1,
            "For every real word the padding is the future. Only the outputs at the padding itself differ, and those "
            "are thrown away. In an encoder everybody looks everywhere, so there the mask is needed.",
            key="masks_padding_check",
        )
    with source:
        teaching.code("transformer/masks.py", "padding_of")
        teaching.code("transformer/masks.py", "all_of")

    def shortest(asked) -> Sheet | None:
        tokens, kind, padding_mask = asked
        if not tokens:
            return None
        sentences = (tokens, *(controls.cut(text).tokens for text in MORE))
        seen = data.mask_batch(kind, sentences, padding_mask == "on")
        names = sentences[-1] + ("⟨pad⟩",) * (seen.weights.shape[-1] - len(sentences[-1]))
        return Sheet(seen.weights[-1, 0], "weight", ("query", "key"), names, names, seen.allowed[-1])

    compare.side_by_side(bench, shortest, "the shortest sentence, head 0")


def _wiring(sentence: controls.Sentence) -> None:
    """Every way to feed the three ports of an attention."""
    tokens = panels.tokens_of(sentence)[0]
    say: list[str] = []
    usual = {"queries": "decoder", "keys": "encoder", "values": "encoder"}
    with _row():
        fed = {
            name: controls.choose(
                st.segmented_control, f"{name.capitalize()} from", f"wire_{name}", ("encoder", "decoder"), stream, say
            )
            for name, stream in usual.items()
        }
    display.notice(*say)
    target = controls.cut(TARGET).tokens
    lengths = {"encoder": len(tokens), "decoder": len(target)}
    made = data.wired(*fed.values(), *lengths.values())
    home = "encoder" if set(fed.values()) == {"encoder"} else "decoder"
    panels.wiring(fed, lengths, made, home)
    thread, source = st.columns([1, 1], gap="large")
    with thread:
        st.markdown(
            f"The encoder has read your sentence of {len(tokens)} words; the decoder has written {len(target)}, "
            f"“{TARGET}”. An attention has three ports. Whoever feeds the :blue[**queries**] asks, and gets as many "
            "vectors back as it asked with; :orange[**keys**] and :green[**values**] are two readings of the same "
            "words, so they have to come from one stream. Three of the eight ways are in every Transformer. With two "
            "texts of the same length the other five run as well, and nobody complains: that is why such a mistake "
            "goes unnoticed."
        )
        teaching.check(
            "The decoder is to take in what the encoder has read. Who asks?",
            ["The encoder, with its queries", "The decoder, with its queries"],
            1,
            "What comes out is as long as the queries, and is added to the stream that asked: the decoder's.",
            key="masks_wiring_check",
        )
    with source:
        teaching.code("transformer/layers.py", "DecoderLayer.forward")


VIEWS = {
    "Paint a mask": _paint,
    "Leaks": _leaks,
    "Blocked rows": _blocked,
    "Three attentions": _attentions,
    "Wiring": _wiring,
    "Batches": _batches,
}
