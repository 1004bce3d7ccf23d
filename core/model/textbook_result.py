"""The result of a textbook search in the form of the solver's results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.solver.result import SearchResult

if TYPE_CHECKING:
    from tilework.core.lab.result import RunResult


@dataclass(frozen=True, slots=True, kw_only=True)
class TextbookResult(SearchResult):
    """A result whose bound is a proven length or the Manhattan distance."""

    run: RunResult

    @classmethod
    def of(cls, board: Board, goal: Board, run: RunResult) -> Self:
        optimum = run.optimum
        return cls(
            lower_bound=board.manhattan(goal) if optimum is None else optimum,
            moves=run.moves,
            algorithm=run.method.text,
            statistics=run.statistics,
            stopped_by=run.stopped_by,
            bound_proof=BoundProof.MANHATTAN if optimum is None else BoundProof.SEARCH,
            run=run,
        )

    @property
    def figures(self) -> dict[str, Any]:
        """The statistics of the run, by the names of the API."""
        return {
            "method": self.run.method.text,
            "optimal": True if self.run.optimal else None,
            "stopped_by": self.run.stopped_by,
            **asdict(self.run.statistics),
        }
