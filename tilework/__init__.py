"""Solve sliding-tile puzzles, with proven bounds.

`Board` and `scramble` create boards; `solve`, `solve_many` and `Solver` solve them; `hint` suggests
the next move; `ways` finds all shortest solutions and `slides` those with few slides; `analyse`
finds the wasted moves of a game; `compare` compares textbook searches; `Client` uses a server.
``docs/tutorial.md`` is an introduction.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilework.analysis import Analysis as Analysis
    from tilework.analysis import Loss as Loss
    from tilework.analysis import analyse as analyse
    from tilework.board import Board as Board
    from tilework.board import scramble as scramble
    from tilework.client import Batch as Batch
    from tilework.client import Client as Client
    from tilework.client import Job as Job
    from tilework.comparison import Run as Run
    from tilework.comparison import compare as compare
    from tilework.core.errors import BoardError as BoardError
    from tilework.core.errors import MoveError as MoveError
    from tilework.core.errors import NotFoundError as NotFoundError
    from tilework.core.errors import TileworkError as TileworkError
    from tilework.core.errors import UnfinishedError as UnfinishedError
    from tilework.core.errors import UnsolvableError as UnsolvableError
    from tilework.core.puzzle.goals import GoalName as Goal
    from tilework.many_boards import solve_many as solve_many
    from tilework.shortest_solutions import Ways as Ways
    from tilework.shortest_solutions import ways as ways
    from tilework.solutions import Hint as Hint
    from tilework.solutions import Solution as Solution
    from tilework.solutions import Solver as Solver
    from tilework.solutions import hint as hint
    from tilework.solutions import slides as slides
    from tilework.solutions import solve as solve

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
    "MoveError",
    "NotFoundError",
    "Run",
    "Solution",
    "Solver",
    "TileworkError",
    "UnfinishedError",
    "UnsolvableError",
    "Ways",
    "__version__",
    "analyse",
    "compare",
    "hint",
    "scramble",
    "slides",
    "solve",
    "solve_many",
    "ways",
]

__version__: str

_NAMES_BY_MODULE: Final = {
    "analysis": ("Analysis", "Loss", "analyse"),
    "board": ("Board", "scramble"),
    "client": ("Batch", "Client", "Job"),
    "comparison": ("Run", "compare"),
    "core.errors": (
        *("BoardError", "MoveError", "NotFoundError", "TileworkError"),
        *("UnfinishedError", "UnsolvableError"),
    ),
    "core.puzzle.goals": ("GoalName",),
    "many_boards": ("solve_many",),
    "shortest_solutions": ("Ways", "ways"),
    "solutions": ("Hint", "Solution", "Solver", "hint", "slides", "solve"),
}


def __getattr__(name: str) -> object:
    # Import on demand: every command line invocation imports this package.
    if name == "__version__":
        from importlib.metadata import version

        return version("tilework")
    attribute = "GoalName" if name == "Goal" else name
    for module, names in _NAMES_BY_MODULE.items():
        if name in __all__ and attribute in names:
            globals()[name] = value = getattr(import_module(f"{__name__}.{module}"), attribute)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
