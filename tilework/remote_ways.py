"""All shortest solutions of a board, as a server has found them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilework.all_ways import Ways
from tilework.board import Board
from tilework.core.errors import ReplayError
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote.server import Server


def ways_of(server: Server, view: dict[str, Any]) -> Ways:
    """Return what a search for ways came to that has ended well."""
    board = Board(view["board"], view["width"], view["height"])
    goal = Board(view["goal"], view["width"], view["height"])
    result = view["result"]
    whole = result["count"] is not None
    return Ways(
        board=board,
        goal=goal,
        lower_bound=result["lower_bound"],
        stopped_by=result["stopped_by"],
        seconds=result["seconds"],
        _found=_FoundThere(server, view["id"], board, goal, result) if whole else None,
    )


class _FoundThere:
    """What the server tells; solutions are replayed as they come."""

    def __init__(
        self, server: Server, ways_id: str, board: Board, goal: Board, result: dict[str, Any]
    ) -> None:
        self._server = server
        self._id = ways_id
        self._board = board
        self._goal = goal
        self._result = result

    @property
    def length(self) -> int:
        return int(self._result["length"])

    @property
    def count(self) -> int:
        return int(self._result["count"])

    @property
    def boards(self) -> int:
        return int(self._result["boards"])

    def solutions(self) -> Iterator[str]:
        return map(self._replayed, self._server.ways_solutions(self._id))

    def fewest_turns(self) -> str:
        return self._replayed(self._result["fewest_turns"]["moves"])

    def graph(self) -> dict[str, Any]:
        return self._server.ways_graph(self._id)

    def dot(self) -> str:
        return "".join(self._server.ways_dot(self._id))

    def _replayed(self, letters: str) -> str:
        moves = from_letters(letters)
        replay(self._board, moves, self._goal)
        if len(moves) != self.length:
            raise ReplayError(
                "way-length",
                "a way of {count} moves is told to have {told}",
                count=len(moves),
                told=self.length,
            )
        return letters
