"""Sliding-tile puzzles, solved with proved bounds.

`Board` and `scramble` make boards, `solve` and `Solver` solve them, `hint` says the next move,
`ways` and `slides` find all shortest solutions and those of few slides, `analyse` says where a game
lost moves, `compare` runs textbook searches side by side, and `Client` has a farm do it.
``docs/tutorial.md`` begins with the first 8-puzzle.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilework.all_ways import Ways as Ways
    from tilework.all_ways import ways as ways
    from tilework.analysing import Analysis as Analysis
    from tilework.analysing import Loss as Loss
    from tilework.analysing import analyse as analyse
    from tilework.board import Board as Board
    from tilework.board import scramble as scramble
    from tilework.client import Client as Client
    from tilework.comparing import Run as Run
    from tilework.comparing import compare as compare
    from tilework.core.errors import BoardError as BoardError
    from tilework.core.errors import TileworkError as TileworkError
    from tilework.core.errors import UnsolvableError as UnsolvableError
    from tilework.core.puzzle.goals import GoalName as Goal
    from tilework.hinting import Hint as Hint
    from tilework.hinting import hint as hint
    from tilework.remote_work import Batch as Batch
    from tilework.remote_work import Job as Job
    from tilework.slide_solving import Slides as Slides
    from tilework.slide_solving import slides as slides
    from tilework.solving import Solution as Solution
    from tilework.solving import Solver as Solver
    from tilework.solving import solve as solve

__all__ = [
    "Analysis",
    "Batch",
    "Board",
    "BoardError",
    "Client",
    "Goal",
    "Hint",
    "Job",
    "Loss",
    "Run",
    "Slides",
    "Solution",
    "Solver",
    "TileworkError",
    "UnsolvableError",
    "Ways",
    "__version__",
    "analyse",
    "compare",
    "hint",
    "scramble",
    "slides",
    "solve",
    "ways",
]

__version__: str

_HOMES: Final = {
    "Analysis": ("analysing", "Analysis"),
    "Batch": ("remote_work", "Batch"),
    "Board": ("board", "Board"),
    "BoardError": ("core.errors", "BoardError"),
    "Client": ("client", "Client"),
    "Goal": ("core.puzzle.goals", "GoalName"),
    "Hint": ("hinting", "Hint"),
    "Job": ("remote_work", "Job"),
    "Loss": ("analysing", "Loss"),
    "Run": ("comparing", "Run"),
    "Slides": ("slide_solving", "Slides"),
    "Solution": ("solving", "Solution"),
    "Solver": ("solving", "Solver"),
    "TileworkError": ("core.errors", "TileworkError"),
    "UnsolvableError": ("core.errors", "UnsolvableError"),
    "Ways": ("all_ways", "Ways"),
    "analyse": ("analysing", "analyse"),
    "compare": ("comparing", "compare"),
    "hint": ("hinting", "hint"),
    "scramble": ("board", "scramble"),
    "slides": ("slide_solving", "slides"),
    "solve": ("solving", "solve"),
    "ways": ("all_ways", "ways"),
}


def __getattr__(name: str) -> object:
    # What is imported here is paid by every command: nothing before it is asked for.
    if name == "__version__":
        from importlib.metadata import version

        return version("tilework")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, known_as = _HOMES[name]
    found = getattr(import_module(f"{__name__}.{module}"), known_as)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
