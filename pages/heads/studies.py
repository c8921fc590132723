"""Looking closer at the chosen head: what it adds, what changes without it, which heads look alike."""

import numpy as np
import streamlit as st

from pages.heads import data
from pages.heads import figures as figures
from pages.shared import answers, display, teaching
from pages.shared.components.attention_view import Selection
from pages.shared.controls import ModelChoice, choose

WAYS = ("the heads", "unplug", "edges", "output", "two places", "subspace", "likeness", "rollout")
MOST_TOKENS = 64  # studies run the model once a head or once a token
MOST_CELLS = 3_000_000


def way() -> str:
    """Which way of looking closer is open; the first is none, and costs nothing."""
    return choose(
        st.segmented_control, "Look closer", "closer", WAYS, WAYS[0], [],
        help="What the chosen head does to the rest of the model. Choose the head in the view above.",
    )  # fmt: skip


def closer(way: str, choice: ModelChoice, tokens: tuple[str, ...], chosen: Selection | None) -> None:
    """The figure and the words of one way of looking closer; nothing for the first."""
    if way == WAYS[0]:
        teaching.check(
            "The cell in the row of one word and the column of another is dark. Who looks at whom?",
            ["The row's word at the column's", "The column's word at the row's", "Both at each other"],
            0,
            "The row asks. The other way round is another cell, and that may be pale: find both in the map.",
            key="heads-row",
        )
        return
    L, H, T = choice.config.n_encoder_layers, choice.config.n_heads, len(tokens)
    if T > MOST_TOKENS or L * H * T * T > MOST_CELLS:
        display.notice(
            f"Looking closer runs the model many times, so it takes at most {MOST_TOKENS} tokens. Type fewer."
        )
        return
    layer, head, query = (chosen.layer, chosen.head, chosen.query) if chosen else (0, 0, min(T - 1, 2))
    subject = (choice.kind, choice.config, choice.seed, choice.mask, tokens)
    picture, words = st.columns([7, 4], gap="large")
    match way:
        case "unplug":
            _unplug(picture, words, subject, tokens, layer, head)
        case "edges":
            _edges(picture, words, subject, tokens, layer, head, query)
        case "output":
            _output(picture, words, subject, choice, tokens, layer, head)
        case "two places":
            _two_places(picture, words)
        case "subspace":
            _subspace(picture, words, subject, tokens, layer, head)
        case "likeness":
            _likeness(picture, words, subject, H)
        case "rollout":
            _rollout(picture, words, subject, tokens, L)


def _unplug(picture, words, subject, tokens, layer, head) -> None:
    change = data.head_unplugged(*subject, layer, head)
    with picture:
        st.markdown(f"##### How far each token ends up from where it was, without layer {layer}, head {head}")
        display.figure(
            figures.moved_tokens(tokens, change.tokens),
            key="closer-moved",
            alt=f"Bars: without this head the final vectors move by {change.tokens.min():.3f} to "
            f"{change.tokens.max():.3f} of their length.",
        )
        st.markdown("##### The same for every head, averaged over the tokens")
        every = data.heads_unplugged(*subject)
        display.figure(
            figures.by_head(every, "change", chosen=(layer, head)),
            key="closer-every",
            alt=f"Map of heads: silencing one changes the final vectors by {every.min():.3f} to {every.max():.3f}.",
        )
        if change.maps.max() > 0:
            st.markdown("##### How much later maps change")
            display.figure(
                figures.by_head(change.maps, "largest change of a weight"),
                key="closer-maps",
                alt=f"Map of heads: the largest change of any weight is {change.maps.max():.3f}.",
            )
    with words:
        _, _, seed, *_ = subject
        if isinstance(seed, str):
            said = data.answers_without_head(seed, tokens, layer, head)
            answers.table(*said, f"without layer {layer}, head {head}", tokens)
        st.markdown(
            "A plug is pulled: the output of this one head is set to zero before it is mixed with the others. "
            "Everything after it runs as before. The bars compare the token's last vector with and without the head; "
            "0.1 means it moved by a tenth of its length.\n\nMaps of its own layer and of earlier ones cannot change: "
            "they were made before this head had spoken."
        )
        teaching.code("transformer/taps.py", "ablate")
        teaching.check(
            "You silence a head in the last layer. Which attention maps change?",
            ["All of them", "Those of its own layer", "None"],
            2,
            "A map is made from what came in from below. After the last layer's attention there is no other map.",
            key="closer-unplug",
        )


def _edges(picture, words, subject, tokens, layer, head, query) -> None:
    edges = data.edges(*subject, layer, head, query)
    with picture:
        st.markdown(
            f"##### :blue[{display.plain(tokens[query])}] (layer {layer}, head {head}): three ways to ask what matters"
        )
        display.figure(
            figures.edges_three_ways(tokens, edges.weight, edges.moved, edges.effect),
            key="closer-edges",
            alt=f"Bars a key: weights up to {edges.weight.max():.3f}, effects up to {edges.effect.max():.4f}.",
        )
        weights, values, output = data.built_head()
        st.markdown("##### A head built to fool you")
        st.markdown(
            f"Every query gives its first key a weight of :violet[**{weights[-1, 0]:.0f}**]. The value there has a "
            f"length of :green[**{abs(values[0]).sum():.0f}**], so {abs(output).max():.0f} comes out everywhere."
        )
    with words:
        st.markdown(
            "An edge is one cell of the map: one word looking at one other. "
            "A large :violet[weight] looks important. But what is passed on is the weight times the :green[value], "
            "and that may be small; and what is passed on may be drowned or undone later. So each edge is shown three "
            "ways: its weight; weight times the length of what the value adds; and the effect: how far the token's "
            "last vector moves when this one edge is cut. Hover for the numbers; the query is the one chosen above."
        )
        teaching.check(
            "A map shows a weight of 1. Does the word looked at change the result?",
            ["Yes, it is all that is looked at", "Not necessarily"],
            1,
            "If the value there is zero, a weight of 1 passes on nothing. The head on the left does exactly that.",
            key="closer-edges",
        )


def _output(picture, words, subject, choice, tokens, layer, head) -> None:
    parts, w_q = data.parts(*subject, layer)
    H, d_model = choice.config.n_heads, choice.config.d_model
    steps, (n_parameters, n_products) = data.cut_into_heads(d_model, H, len(tokens))
    with picture:
        st.markdown(f"##### :blue[W_q] of layer {layer}: each head owns a stripe")
        display.figure(
            figures.stripes(w_q, H, head), key="closer-stripes",
            alt=f"W_q as a heatmap of {d_model} by {d_model}, cut into {H} stripes.",
        )  # fmt: skip
        st.markdown("##### What each head adds to each token")
        display.figure(
            figures.part_sizes(tokens, parts.parts), key="closer-parts",
            alt=f"Heads by tokens: lengths of what a head adds, of layer {layer}.",
        )  # fmt: skip
        if d_model <= 16 and len(tokens) <= 12:
            st.markdown("##### Cutting into heads moves numbers, and mixes nothing: token.feature")
            for name, marks in steps:
                st.caption(name)
                display.figure(
                    figures.layout_step(marks, d_model), key=f"closer-{name[:5]}", alt=f"{name}: every number's place"
                )
        else:
            st.caption("With d_model up to 16 and 12 tokens you also see every number on its way through the cut.")
    with words:
        st.markdown("The heads' outputs stand side by side and go through one matrix. That is the same as a sum:")
        teaching.formula(r"\text{out} = \text{Concat}(h_1, \dots, h_H)\,W_O = \sum_i h_i W_O^{(i)} + b_O")
        gap = abs(parts.parts.sum(0) + parts.bias - parts.output).max()
        st.markdown(f"Here the sum and the layer's own output differ by at most {gap:.1e}.")
        st.markdown(
            f"More heads are not dearer: {H} heads of width {d_model // H} have {n_parameters:,} parameters (numbers "
            f"that are learned), and a pass over {len(tokens)} tokens takes {n_products:,} multiplications. Change the "
            "number of heads: both stay."
        )
        teaching.check(
            "You take 8 heads instead of 4, at the same d_model. What happens to the number of parameters?",
            ["It doubles", "It stays", "It halves"],
            1,
            "Each head is half as wide. The stripes become narrower, and the matrix stays as large.",
            key="closer-output",
        )
        teaching.code("transformer/attention.py", "split_heads")


def _two_places(picture, words) -> None:
    with words:
        share = choose(
            st.select_slider, "One head gives to the first place, in %", "closer_share", range(10, 91, 10), 50, [],
            help="The rest goes to the third place. Two heads need not share.",
        )  # fmt: skip
    (one, sentences, vocabulary), (two, _, _) = data.two_places(1, share / 100), data.two_places(2, 0.5)
    with picture:
        st.markdown("##### Who thanked whom? The question mark needs two words at once")
        for column, name, seen in zip(st.columns(2, gap="medium"), ("One head", "Two heads"), (one, two), strict=True):
            with column:
                st.markdown(f"**{name}**: the two sentences come out :green[**{seen.apart:.2g}**] apart")
                display.figure(
                    figures.two_places(seen.weights, seen.output, sentences, vocabulary),
                    key=f"closer-{name}",
                    alt=f"{name}: where the question mark looks in “Ann thanked Bob” and in “Bob thanked Ann”, and "
                    f"what comes out; the outputs differ by at most {seen.apart:.2g}.",
                )
    with words:
        st.markdown(
            "One head has 1 to give away. If it looks at two places alike, out comes the average of Ann and Bob, and "
            "that is the same whoever thanked: nothing later can tell the two sentences apart. If it looks more at one "
            "place, it hears less of the other.\n\nTwo heads look at one place each. Their outputs stand **side by "
            "side**, so nothing is mixed, and both words are there in full."
        )
        teaching.check(
            "Both models are 8 numbers wide. What do two heads have that one has not?",
            ["More parameters", "Two rows of weights for one query", "Wider values"],
            1,
            "Each head has a softmax of its own, so each has a whole 1 to give away. The parameters are as many.",
            key="closer-two",
        )
        st.caption("This head is built by hand from our attention, not drawn and not trained; it is not the one above.")
        with st.expander("The code that ran"):
            teaching.code("transformer/inspection/two_places.py", "two_places")


def _subspace(picture, words, subject, tokens, layer, head) -> None:
    q, k, axes, share = data.plane(*subject, layer, head)
    with picture:
        display.figure(
            figures.subspace(tokens, tokens, q, k), key="closer-plane",
            alt=f"Queries and keys of layer {layer}, head {head} on a plane that shows {share:.0%} of their spread.",
        )  # fmt: skip
    with words:
        st.markdown(
            f"Each head sees the tokens in a space of its own, with {axes.shape[0]} features. Here its :blue[queries] "
            f"and :orange[keys] lie on the plane that keeps most of their spread: **{share:.0%}** of it. A query looks "
            "most at keys that lie far out in its own direction."
        )
        with st.expander("The two axes of the plane, feature by feature"):
            st.dataframe(axes, hide_index=False)


def _likeness(picture, words, subject, H) -> None:
    alike, _ = data.alike_and_rolled(*subject)
    with picture:
        display.figure(
            figures.alike(alike, H), key="closer-alike",
            alt=f"Every two heads compared: cosines from {alike.min():.2f} to 1.",
        )  # fmt: skip
    with words:
        st.markdown(
            "Do heads look at different things? Each cell compares two heads' maps: 1 means the same map, 0 that they "
            "never look at the same place."
        )
        st.markdown(_how_alike(subject, alike))


def _how_alike(subject, alike) -> str:
    """Trained heads beside as many random ones on the same words."""
    kind, config, seed, mask, tokens = subject
    if len(alike) < 2:
        return "There is only one head, and nothing to compare it with."
    if not isinstance(seed, str):
        return (
            "Untrained heads are alike because all are close to even. Whether training makes them differ is a thing to "
            "measure, not to believe: choose trained weights above."
        )
    random, _ = data.alike_and_rolled(kind, config, 0, mask, tokens)
    trained, untrained = (float(a[np.triu_indices(len(a), 1)].mean()) for a in (alike, random))
    verdict = "Here training made them look at different places." if trained < untrained else (
        "Here training did **not** make them differ."
    )  # fmt: skip
    return (
        f"Measured on this text: two of these trained heads have a likeness of **{trained:.2f}** on average; two heads "
        f"of a random model of this size **{untrained:.2f}**. {verdict}"
    )


def _rollout(picture, words, subject, tokens, L) -> None:
    _, rolled = data.alike_and_rolled(*subject)
    with words:
        upto = choose(
            st.select_slider, "After layer", "closer_layer", range(L), L - 1, [], follows=True
        ) if L > 1 else 0  # fmt: skip
        st.markdown(
            "Where has each token's information come from, after this layer? Half of it is taken to stay where it "
            "is, for a layer adds to what was there, and half to follow the mean of the heads; layer after layer.\n\n"
            "Every row "
            "adds up to 1. With a window, watch how the reach grows a little with every layer."
        )
        teaching.formula(r"R_l = \tfrac12\left(\w{A_l} + I\right) R_{l-1}")
    with picture:
        display.figure(
            figures.sources(tokens, rolled[upto]), key="closer-rollout",
            alt=f"Tokens by sources after layer {upto}; shares up to {rolled[upto].max():.2f}.",
        )  # fmt: skip
