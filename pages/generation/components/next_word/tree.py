"""The texts that were tried from one beginning, as a tree of tokens, and the short string that a link carries."""

import re
from typing import NamedTuple

MAX_NODES = 240  # of a tree: what a link can carry, and a reader look over
_CODE = re.compile(r"(?:(?:[0-9]{1,3}|r)\.)?[0-9]{1,6}(?:-(?:(?:[0-9]{1,3}|r)\.)?[0-9]{1,6})*", re.ASCII)
ROOT = -1  # the end of what was given, before any token of the tree


class Tree(NamedTuple):
    """nodes: (parent, id) in the order of their making; the parent is the place of an earlier node, or ROOT."""

    nodes: tuple[tuple[int, int], ...] = ()

    def path(self, at: int) -> tuple[int, ...]:
        """The ids from the beginning to this node."""
        ids = []
        while at != ROOT:
            at, id = self.nodes[at]
            ids.append(id)
        return tuple(reversed(ids))

    @property
    def depth(self) -> int:
        """The tokens of its longest branch."""
        depths: list[int] = []
        for parent, _ in self.nodes:
            depths.append(1 + (depths[parent] if parent != ROOT else 0))
        return max(depths, default=0)

    def with_token(self, at: int, id: int) -> tuple["Tree", int]:
        """The tree with this token after `at`, and its place; a token that was tried there before has one already."""
        if (at, id) in self.nodes:
            return self, self.nodes.index((at, id))
        return Tree((*self.nodes, (at, id))), len(self.nodes)


def pack(tree: Tree) -> str:
    """12-40-0.7: a node is its id; its parent comes before it, with a dot, where that is not the node before."""
    before = range(ROOT, len(tree.nodes) - 1)
    return "-".join(
        str(id) if parent == default else f"{'r' if parent == ROOT else parent}.{id}"
        for default, (parent, id) in zip(before, tree.nodes, strict=True)
    )


def unpack(code: str | None, vocab_size: int, end: int | None = None) -> Tree | None:
    """The tree of a link; None for what is none or too large, has unknown ids, or goes on after the end."""
    if not code:
        return Tree()
    if len(code) > 12 * MAX_NODES or not _CODE.fullmatch(code):
        return None
    nodes: list[tuple[int, int]] = []
    for n, part in enumerate(code.split("-")):
        parent, _, id = part.rpartition(".")
        at = (ROOT if parent == "r" else int(parent)) if parent else n - 1
        if at >= n or int(id) >= vocab_size or (at, int(id)) in nodes or (at >= 0 and nodes[at][1] == end):
            return None
        nodes.append((at, int(id)))
    return Tree(tuple(nodes)) if len(nodes) <= MAX_NODES else None
