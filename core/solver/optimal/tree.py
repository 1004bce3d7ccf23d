"""The two trees of a puzzle, from its board to the goal and from the goal to its board.

Their solutions are the same, read backwards, but estimates are not: towards the board of one of
Korf's 24-puzzles a threshold has 275 times fewer nodes than towards the goal.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.choice import engine_named
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import Engine, Start
from tilework.core.solver.options import partitions_of


class Tree(NamedTuple):
    """One of them, and who searches it.

    Attributes
    ----------
    engine : Engine
    start : Start
        Where the tree begins, laid out for the engine.
    end : Board
        What is looked for in it.
    root : Cursor
    """

    engine: Engine
    start: Start
    end: Board
    root: Cursor

    @property
    def from_goal(self) -> bool:
        """Whether the tree begins at the goal."""
        return self.root.goal_blank is not None

    def by(self, engine: Engine) -> Tree:
        """Return the same tree for another engine."""
        return Tree(engine, engine.start(self.start.board), self.end, self.root)


def tree_from_board(board: Board, goal: Board, engine: Engine) -> Tree:
    """Return the tree that begins at a puzzle's board."""
    return Tree(engine, engine.start(board), goal, Cursor.root())


def tree_from_goal(board: Board, goal: Board, like: Engine, pdb_folder: Path | None) -> Tree | None:
    """Return the tree that begins at a puzzle's goal.

    Parameters
    ----------
    board, goal : Board
    like : Engine
        Of the other tree.
    pdb_folder : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Returns
    -------
    Tree or None
        None where this tree has no engine of the same tables, or would never have better ones that
        the other tree may have one day.
    """
    if not {*partitions_of(goal)} <= {*partitions_of(board)}:
        return None
    try:
        engine = engine_named(board, like.name, pdb_folder)
    except OptionError:
        return None
    return Tree(engine, engine.start(goal), board, Cursor.root(goal_blank=goal.blank))
