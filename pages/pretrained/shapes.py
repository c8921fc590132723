"""The shape of a published model: a mark per head, a row per layer, all models in one scale."""

from transformer.pretrained.offers import Heads, Listed

PITCH, MARK = 5, 4  # pixels from head to head, and of a head
APART = 12  # between an encoder and its decoder
TALLEST = 30  # layers


def size(one: Listed) -> tuple[int, int]:
    """Width and height of the drawing, in pixels; all are equally tall."""
    return sum(PITCH * stack.heads for stack in one.stacks) + APART * (len(one.stacks) - 1), PITCH * TALLEST


def path(one: Listed) -> str:
    """The heads of all stacks as an SVG path, the first layer lowest. A square sees the whole text; a triangle is half
    of one, since it only looks back."""
    marks, x = [], 0
    for stack in one.stacks:
        marks += [_head(x + PITCH * head, layer, stack) for layer in range(stack.layers) for head in range(stack.heads)]
        x += PITCH * stack.heads + APART
    return "".join(marks)


def _head(x: int, layer: int, stack: Heads) -> str:
    bottom = PITCH * (TALLEST - layer)
    top = bottom - MARK
    across = "" if stack.looks_back else f"H{x + MARK}"
    return f"M{x} {top}{across}L{x + MARK} {bottom}H{x}Z"


def spoken(one: Listed) -> str:
    """The shape in words."""
    stacks = " and ".join(f"{stack.layers} layers of {stack.heads} heads" for stack in one.stacks)
    looking = "some look back only" if len({stack.looks_back for stack in one.stacks}) > 1 else "all look back only"
    return f"{stacks}; {looking}" if any(stack.looks_back for stack in one.stacks) else stacks
