"""Sliding-tile puzzles, solved with proved bounds.

`Board` and `scramble` make boards, `solve` and `Solver` solve them, `hint` says the next move,
`compare` runs textbook searches side by side, and `Client` has a farm do it.
``docs/tutorial.md`` begins with the first 8-puzzle.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilework.board import Board as Board
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
    from tilework.scrambling import scramble as scramble
    from tilework.solution import Solution as Solution
    from tilework.solving import Solver as Solver
    from tilework.solving import solve as solve

__all__ = [
    "Batch",
    "Board",
    "BoardError",
    "Client",
    "Goal",
    "Hint",
    "Job",
    "Run",
    "Solution",
    "Solver",
    "TileworkError",
    "UnsolvableError",
    "__version__",
    "compare",
    "hint",
    "scramble",
    "solve",
]

__version__: str

_HOMES: Final = {
    "Batch": ("remote_work", "Batch"),
    "Board": ("board", "Board"),
    "BoardError": ("core.errors", "BoardError"),
    "Client": ("client", "Client"),
    "Goal": ("core.puzzle.goals", "GoalName"),
    "Hint": ("hinting", "Hint"),
    "Job": ("remote_work", "Job"),
    "Run": ("comparing", "Run"),
    "Solution": ("solution", "Solution"),
    "Solver": ("solving", "Solver"),
    "TileworkError": ("core.errors", "TileworkError"),
    "UnsolvableError": ("core.errors", "UnsolvableError"),
    "compare": ("comparing", "compare"),
    "hint": ("hinting", "hint"),
    "scramble": ("scrambling", "scramble"),
    "solve": ("solving", "solve"),
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
