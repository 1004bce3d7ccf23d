"""Solve sliding-tile puzzles, with proven bounds.

>>> from tilework import solve
>>> solution = solve("8 6 7 / 2 5 4 / 3 0 1")
>>> len(solution), solution.is_optimal, solution.moves
(31, True, 'LDRDLURURDDLUURDDLUULDDRUURDLLU')

Boards
    Board         a board, from text, tiles or rows; with moves, distances, solvability
    scramble      a random solvable board
    Goal          the names of goals

Solutions
    solve         a solution and a proven lower bound
    solve_many    the solutions of many boards, on all processors
    slides        a solution with few slides: tiles that move together count once
    ways          all shortest solutions
    hint          the next move
    analyse       the wasted moves of a game
    simplify      the moves of a game without detours to the same board
    invert        the moves back to the board
    compare       textbook searches on a board
    Solver        the interface of Princeton's 8-puzzle assignment

    They return a Solution, Ways, a Hint, an Analysis with each Loss, and a list of Run.

Servers
    Client        solves on a server; its Job and Batch can be followed

Errors
    TileworkError is the base class of BoardError, MoveError, UnsolvableError, NotFoundError and
    UnfinishedError. Messages quote what was given and say what is allowed.

``help(tilework.solve)`` describes a name; ``docs/tutorial.md`` is an introduction.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tilework.analysis import Analysis as Analysis
    from tilework.analysis import Loss as Loss
    from tilework.analysis import analyse as analyse
    from tilework.analysis import invert as invert
    from tilework.analysis import simplify as simplify
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
    from tilework.core.puzzle.goals import GoalName
    from tilework.many_boards import solve_many as solve_many
    from tilework.shortest_solutions import Ways as Ways
    from tilework.shortest_solutions import ways as ways
    from tilework.solutions import Hint as Hint
    from tilework.solutions import Solution as Solution
    from tilework.solutions import Solver as Solver
    from tilework.solutions import hint as hint
    from tilework.solutions import slides as slides
    from tilework.solutions import solve as solve

    Goal = GoalName

__version__: str

_NAMES_BY_MODULE: Final = {
    "analysis": ("Analysis", "Loss", "analyse", "invert", "simplify"),
    "board": ("Board", "scramble"),
    "client": ("Batch", "Client", "Job"),
    "comparison": ("Run", "compare"),
    "core.errors": (
        *("BoardError", "MoveError", "NotFoundError", "TileworkError"),
        *("UnfinishedError", "UnsolvableError"),
    ),
    "core.puzzle.goals": ("Goal",),
    "many_boards": ("solve_many",),
    "shortest_solutions": ("Ways", "ways"),
    "solutions": ("Hint", "Solution", "Solver", "hint", "slides", "solve"),
}

_OTHER_NAMES: Final = {"Goal": "GoalName"}


# There is no `__all__`: with it, `help(tilework)` would print two thousand lines.
def __dir__() -> list[str]:
    names = (name for names in _NAMES_BY_MODULE.values() for name in names)
    return sorted([*names, "__doc__", "__file__", "__name__", "__path__", "__version__"])


def __getattr__(name: str) -> object:
    # Import on demand: every command line invocation imports this package.
    if name == "__version__":
        from importlib.metadata import version

        return version("tilework")
    for module, names in _NAMES_BY_MODULE.items():
        if name in names:
            attribute = _OTHER_NAMES.get(name, name)
            globals()[name] = value = getattr(import_module(f"{__name__}.{module}"), attribute)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
