"""The runs of ``tilework compare``, one after the other in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Protocol

from tilework.core.cli.lab.run_records import Record, Run, records_of
from tilework.core.errors import InputError
from tilework.core.lab.method import Method
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits


class Watch(Protocol):
    """Observes a comparison; called at each run's start and about a hundred times a second."""

    def __call__(self, place: int, method: Method) -> None:
        """Note that the run with this number, from 1, has started."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Methods to run on boards.

    Attributes
    ----------
    boards : sequence of Board
        Solvable, all of the goal's size.
    limits : Limits
        Of each run.
    """

    boards: Sequence[Board]
    goal: Board
    methods: Sequence[Method]
    limits: Limits = field(default_factory=Limits)

    @property
    def total(self) -> int:
        """How many runs there are."""
        return len(self.boards) * len(self.methods)

    def runs(self, watch: Watch, interrupted: Callable[[], bool]) -> Iterator[Run]:
        """Yield the runs as they end, board by board; the one that is interrupted is the last."""
        place = 0
        for index, board in enumerate(self.boards):
            for method in self.methods:
                place += 1
                run = self._run(index, board, method, _poll(watch, place, method, interrupted))
                yield run
                if interrupted():
                    return

    def boards_done(self, watch: Watch, interrupted: Callable[[], bool]) -> Iterator[list[Record]]:
        """Yield the records of each board as soon as all its runs have ended."""
        runs = self.runs(watch, interrupted)
        while done := list(islice(runs, len(self.methods))):
            yield records_of(done)

    def _run(self, index: int, board: Board, method: Method, poll: Callable[[], bool]) -> Run:

        poll()
        try:
            result = run(board, self.goal, method, replace(self.limits, cancelled=poll))
        except InputError as error:
            return Run(index, board, method, None, error.message)
        return Run(index, board, method, result)


def _poll(
    watch: Watch, place: int, method: Method, interrupted: Callable[[], bool]
) -> Callable[[], bool]:
    # A search asks every few milliseconds whether to go on: a chance to show its progress.
    def poll() -> bool:
        watch(place, method)
        return interrupted()

    return poll
