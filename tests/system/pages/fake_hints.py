"""A fake API of hints and daily boards, which returns the results of the real solver."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, Route

from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.puzzle.moves import to_letters
from tilework.core.solver.solve import solve

_DIRECTIONS = {"U": "up", "D": "down", "L": "left", "R": "right"}


@dataclass
class FakeHints:
    """The responses of the fake API, and the requests that it received.

    A request gets a solution if it allows for `solution_s` seconds, and a proof with `proof_s`.
    """

    daily_board: str = "1 2 3 4 5 6 0 7 8"
    proof_s: float = 0
    solution_s: float = 0
    requests: list[dict[str, Any]] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)

    def install(self, page: Page) -> FakeHints:
        page.route("**/api/v1/hints?wait=*", self._serve_hint)
        page.route("**/api/v1/daily/*/*", self._serve_daily)
        return self

    def _serve_hint(self, route: Route) -> None:
        body = json.loads(route.request.post_data or "")
        assert set(body) == {"board", "goal"}
        wait = float(route.request.url.partition("?wait=")[2])
        self.requests.append({**body, "wait": wait})
        board = read_board(body["board"])
        goal = read_goal(body["goal"], board.size)
        if not board.is_solvable(goal):
            problem = {"title": "unsolvable", "status": 422, "detail": "This board is unsolvable."}
            route.fulfill(status=422, json=problem, content_type="application/problem+json")
            return
        moves = to_letters(solve(board, goal).moves)
        if wait < self.solution_s:
            route.fulfill(status=202, json=self._make_document(None, len(moves), False))
        else:
            optimal = wait >= self.proof_s
            route.fulfill(status=200, json=self._make_document(moves, len(moves), optimal))

    def _make_document(self, moves: str | None, length: int, optimal: bool) -> dict[str, Any]:
        return {
            "solved": length == 0,
            "solvable": True,
            "tile": None,
            "direction": _DIRECTIONS[moves[0]] if moves else None,
            "lower_bound": length if optimal else length // 2,
            "upper_bound": None if moves is None else length,
            "optimal": optimal,
            "moves": moves,
            "job_id": None,
        }

    def _serve_daily(self, route: Route) -> None:
        date, size = route.request.url.split("/")[-2:]
        self.dates.append(date)
        board = [int(tile) for tile in self.daily_board.split()]
        document = {"date": date, "size": int(size), "board": board, "goal": "blank-last"}
        route.fulfill(json=document)
