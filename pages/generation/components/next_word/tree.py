"""The texts that were tried from one beginning, as a tree of tokens, and the short string that a link carries."""

import re
from typing import NamedTuple

MOST = 240  # tokens in a tree: what a link carries, and what can be looked over
_CODE = re.compile(r"(?:(?:[0-9]{1,3}|r)\.)?[0-9]{1,5}(?:-(?:(?:[0-9]{1,3}|r)\.)?[0-9]{1,5})*", re.ASCII)
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

    def grown(self, at: int, id: int) -> tuple["Tree", int]:
        """The tree with this token after `at`, and where it stands; a token that was tried there before is found."""
        if (at, id) in self.nodes:
            return self, self.nodes.index((at, id))
        return Tree((*self.nodes, (at, id))), len(self.nodes)


def pack(tree: Tree) -> str:
    """12-40-0.7: a node is its id; its parent comes before it, with a dot, where that is not the node before."""
    before = range(ROOT, len(tree.nodes) - 1)
    return "-".join(
        str(id) if parent == usual else f"{'r' if parent == ROOT else parent}.{id}"
        for usual, (parent, id) in zip(before, tree.nodes, strict=True)
    )


def unpack(code: str | None, vocab_size: int, end: int | None = None) -> Tree | None:
    """The tree of a link; None if it is none, is too large, has tokens that there are not, or goes on after the end."""
    if not code:
        return Tree()
    if len(code) > 12 * MOST or not _CODE.fullmatch(code):
        return None
    nodes: list[tuple[int, int]] = []
    for n, part in enumerate(code.split("-")):
        parent, _, id = part.rpartition(".")
        at = (ROOT if parent == "r" else int(parent)) if parent else n - 1
        if at >= n or int(id) >= vocab_size or (at, int(id)) in nodes or (at >= 0 and nodes[at][1] == end):
            return None
        nodes.append((at, int(id)))
    return Tree(tuple(nodes)) if len(nodes) <= MOST else None
