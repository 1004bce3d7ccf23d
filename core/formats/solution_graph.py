"""A graph of boards as what draws it needs: nodes in layers, edges named by their moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilework.core.formats.board_json import board_rows
from tilework.core.puzzle.board import Board


@dataclass(frozen=True, slots=True)
class SolutionGraph:
    """Boards that lie on some ways, and the moves between them."""

    boards: list[Board]  # the first is the start, the last the goal
    depths: list[int]  # by board, moves from the start
    ways: list[int]  # by board, how many ways lead from it to the goal
    # The places of the board before and the board after, and the way that the tile slides, as one
    # of ``UDLR``
    moves: list[tuple[int, int, str]]

    def document(self) -> dict[str, Any]:
        nodes = zip(self.boards, self.depths, self.ways, strict=True)
        return {
            "boards": [
                {"rows": board_rows(board), "depth": depth, "ways": ways}
                for board, depth, ways in nodes
            ],
            "moves": [{"from": one, "to": other, "move": move} for one, other, move in self.moves],
        }

    def dot(self) -> Iterator[str]:
        """Yield the graph's lines in the language of Graphviz: ``dot -Tsvg`` draws it."""
        yield "digraph ways {"
        yield '  node [shape=box, fontname="monospace"];'
        for place, board in enumerate(self.boards):
            yield f"  b{place} [label={json.dumps(_drawn(board))}];"
        for depth in sorted(set(self.depths)):
            same = "; ".join(f"b{n}" for n, other in enumerate(self.depths) if other == depth)
            yield f"  {{ rank=same; {same}; }}"
        for one, other, move in self.moves:
            yield f'  b{one} -> b{other} [label="{move}"];'
        yield "}"


def _drawn(board: Board) -> str:
    digits = len(str(board.size.cells - 1))
    rows = np.asarray(board.cells).reshape(board.height, board.width)
    return "\n".join(" ".join(f"{tile or '.':>{digits}}" for tile in row) for row in rows)
