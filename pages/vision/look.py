"""Where does it look? A picture, what every head looks at in it, and the answer."""

import streamlit as st

from lab.kit import catalogue, questions, teaching
from lab.kit.figures import display
from lab.kit.figures.compare_figures import Sheet
from lab.kit.view import Comparison, View
from lab.kit.words import counted
from pages.vision import data, subject
from pages.vision.components.patch_view import Colour, Group, Paint, Was, pack, patch_view
from pages.vision.data import Seen
from pages.vision.subject import Subject
from transformer.training.tasks import drawings, shapes


def draw(s: Subject, seen: Seen) -> None:
    known = data.facts(s.reader)
    L, H, *_ = seen.weights.shape
    opens = data.on_things(s.reader).best if s.reader.knows_shapes else (L - 1, H)
    packed = pack(
        seen.pixels,
        seen.weights,
        seen.rollout,
        under=data.as_read(s.under, known),
        paint=_colours(s.paint)._replace(begins=_telling(s, seen, opens)),
        first=known.first,
        groups=groups(s, seen),
        opens=opens,
    )
    patch_view(packed, key=subject.CANVAS)
    with display.prose():
        _check()
        _explain(s, known)
        if known.n_layers > L:
            st.caption(
                f"Shown are the first {L} of {known.n_layers} layers: the attention weights of all of them would be"
                f" more than the {data.MAX_SENT >> 20} MB that are sent to a browser."
            )


def groups(s: Subject, seen: Seen) -> list[Group]:
    """What is answered to each question, and what was before one painted."""
    right = s.picture.answers if s.reader.knows_shapes else ()
    bare = bare_shares(s)
    asked = zip(data.facts(s.reader).questions.items(), seen.shares, strict=True)
    return [
        group(question, answers, shares, right[n] if right else None, bare[n] if bare else None)
        for n, ((question, answers), shares) in enumerate(asked)
    ]


def _colours(paint: subject.Paint) -> Paint:
    """What is painted, with the colours that there are: on blank paper, paper is what is bare."""
    names = (*shapes.COLOURS, "paper")
    if paint.is_drawing:
        numbers, letters = (*range(1, len(names)), 0), drawings.LETTERS
    else:
        numbers, letters = range(1, len(names) + 1), drawings.LAYER_LETTERS
    colours = [Colour(name, rgb, n) for name, rgb, n in zip(names, drawings.LAYER_PAINTS, numbers, strict=True)]
    return Paint(paint.link, paint.code, paint.usual, letters, shapes.SIDE, colours)


def _telling(s: Subject, seen: Seen, opens: tuple[int, int]) -> str:
    """The colour to begin with: the first that changes an answer where it covers the patch that is looked at most."""
    usual, *others = reversed(shapes.COLOURS)
    if not s.reader.knows_shapes or s.picture != s.under or s.paint.is_drawing:
        return usual
    known, bare = data.facts(s.reader), [shares.argmax() for shares in seen.shares]
    patch = int(seen.weights[*opens, 0, len(known.first) :].argmax())
    top, left = (known.patch_size * n for n in divmod(patch, known.across))
    for name in (usual, *others):
        covered = data.as_read(s.under, known).copy()
        covered[top : top + known.patch_size, left : left + known.patch_size] = shapes.COLOURS[name]
        shares = data.look(s.reader, data.Picture(covered.tobytes(), len(covered))).shares
        if [one.argmax() for one in shares] != bare:
            return name
    return usual


def bare_shares(s: Subject) -> "tuple[data.np.ndarray, ...]":
    """What is answered to the picture without what is painted on it; () where nothing is, or nothing else is there."""
    is_painted = s.picture != s.under and not s.paint.is_drawing
    return data.look(s.reader, s.under).shares if is_painted else ()


def group(
    question: str,
    answers: tuple[str, ...],
    shares: "data.np.ndarray",
    right: int | None,
    bare: "data.np.ndarray | None" = None,
) -> Group:
    """A question with all of its answers, or with the likeliest of many; bare: their shares before one painted."""
    was = None if bare is None else Was(answers[bare.argmax()], float(bare.max()))
    if len(answers) <= data.N_CLASSES:
        return Group(question, answers, tuple(shares.tolist()), right, was)
    best = (-shares).argsort(kind="stable")[: data.N_CLASSES].tolist()
    return Group(question, tuple(answers[n] for n in best), tuple(shares[best].tolist()), was=was)


def _reads(s: Subject, known: data.Facts) -> str:
    where = "the mean of all patches" if known.reads == "mean" else "the class token"
    marks = " ✓ marks what was drawn." if s.picture.answers and s.reader.knows_shapes else ""
    return f"Answers are read from {where} after the last layer.{marks}"


def _explain(s: Subject, known: data.Facts) -> None:
    n = known.across**2
    st.markdown(
        f"**A picture is a text of patches.** This one is cut into {n} squares of {known.patch_size} × "
        f"{known.patch_size} pixels, one token each. From there on it is an encoder like any other: "
        f"{counted(known.n_layers, 'layer')} of {counted(known.n_heads, 'head')}, and every patch may look at all "
        "others. The class token shows no part of the picture. It is there to collect the answer. "
        f"{_reads(s, known)}"
    )
    st.markdown(
        "**Paint on it**, and the model reads the picture again at every stroke: the answers and the attention weights "
        "move with your hand."
    )
    if s.reader.knows_shapes:
        st.markdown(
            "Every picture that it was trained on shows things of one shape and one colour. What does it make of two?"
        )
    st.markdown(
        "**Rollout** follows the heads' mean through all layers and assumes that half of each token stays where it is "
        "(Abnar and Zuidema 2020). It says where information *could* have come from. That is not proof that the answer "
        "depends on it."
    )
    if s.reader.knows_shapes:
        scored = data.on_things(s.reader)
        layer, head = scored.best
        st.markdown(
            f"**The head that opens**, layer {layer}, head {head}, is the one whose class token looks most at "
            f"things: on {scored.n_pictures} fresh pictures, patches with a thing in at least an eighth get "
            f":violet[**{scored.weights.max():.2f}**] of its attention weight. Looking everywhere equally would "
            f"give them :violet[**{scored.even:.2f}**]."
        )
        _show_own(s.reader) if s.reader.ref else _show_card(s.reader.name)
        if not subject.published():
            _show_door()
    else:
        st.caption(display.plain(f"{s.reader.name} was trained by others, on photographs."))


def _show_card(name: str) -> None:
    card = data.card(name)
    shares = ", ".join(f"{question} {card[f'{question} right']:.1%}" for question in data.shapes.QUESTIONS)
    st.markdown(
        f"**How often it is right**, on {card['fresh pictures']:,} pictures that it was not trained on: {shares}. "
        "Guessing would be right 25% of the time. It knows nothing but such pictures: drawings and photographs get an "
        "answer, too, because four answers are all it has."
    )
    st.caption(
        f"{card['parameters']:,} parameters, trained in {card['training steps']:,} steps. "
        f"`python -m transformer.training {name}` trains and measures it again."
    )
    _link_to_training()
    teaching.code_expander("transformer/core/embeddings.py", "PatchEmbedding")


def _link_to_training() -> None:
    st.page_link(
        catalogue.page("live").script,
        label="Train one yourself, and watch its heads find the things",
        icon=":material/arrow_forward:",
        query_params={"live_task": "Pictures"},
    )


def _show_own(reader: data.Reader) -> None:
    checkpoint = data.own_source(reader).checkpoint
    exact = checkpoint.film.curves["exact"][-1] if checkpoint.film else None
    share = "" if exact is None else f" It gave all four answers right on **{exact:.1%}** of its held-out pictures."
    st.markdown(f"**You trained this model** on the page Live, in {checkpoint.step:,} steps.{share}")
    teaching.code_expander("transformer/core/embeddings.py", "PatchEmbedding")


def _show_door() -> None:
    st.markdown(
        "No published model of pictures is on this machine yet. Bring one, such as DeiT tiny (23 MB), and it reads the"
        " same pictures here."
    )
    st.page_link(
        catalogue.page("pretrained").script,
        label="Bring a model",
        icon=":material/arrow_forward:",
        query_params={"pretrained_view": "Bring a model"},
    )


def class_token_map(s: Subject, seen: Seen) -> Sheet:
    """The attention weight of the class token on every patch, (across, across): the mean of the last layer's heads."""
    known = data.facts(s.reader)
    row = seen.weights[-1, :, 0, len(known.first) :].mean(0)
    return Sheet(row.reshape(known.across, known.across), "attention weight", ("row of patches", "column of patches"))


def _check() -> None:
    questions.ask("vision-weight")


VIEW = View(
    subject.ask,
    lambda s: data.look(s.reader, s.picture),
    draw,
    height=430,
    comparison=Comparison("the class token, last layer", class_token_map, telling=("vision_shape",)),
)
