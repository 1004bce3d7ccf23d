"""The graph of all shortest solutions: boards in layers, connected by moves."""

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
    """The boards on some solutions, and the moves between them."""

    boards: list[Board]  # the first is the start, the last the goal
    depths: list[int]  # by board, moves from the start
    path_counts: list[int]  # by board, the number of shortest paths to the goal
    # The indices of the boards before and after, and the direction of the tile, one of ``UDLR``
    moves: list[tuple[int, int, str]]

    def document(self) -> dict[str, Any]:
        nodes = zip(self.boards, self.depths, self.path_counts, strict=True)
        return {
            "boards": [
                {"rows": board_rows(board), "depth": depth, "ways": count}
                for board, depth, count in nodes
            ],
            "moves": [
                {"from": source, "to": target, "move": move} for source, target, move in self.moves
            ],
        }

    def dot(self) -> Iterator[str]:
        """Yield the lines of the graph in the DOT language of Graphviz."""
        yield "digraph ways {"
        yield '  node [shape=box, fontname="monospace"];'
        for index, board in enumerate(self.boards):
            yield f"  b{index} [label={json.dumps(_format_board(board))}];"
        for depth in sorted(set(self.depths)):
            same = "; ".join(f"b{n}" for n, other in enumerate(self.depths) if other == depth)
            yield f"  {{ rank=same; {same}; }}"
        for source, target, move in self.moves:
            yield f'  b{source} -> b{target} [label="{move}"];'
        yield "}"


def _format_board(board: Board) -> str:
    digits = len(str(board.size.cells - 1))
    rows = np.asarray(board.cells).reshape(board.height, board.width)
    return "\n".join(" ".join(f"{tile or '.':>{digits}}" for tile in row) for row in rows)
