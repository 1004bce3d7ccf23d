"""The address at which a board is played."""

from __future__ import annotations

from flask import url_for

from tilework.core.puzzle.board import Board, Size
from tilework.web.pages.board_words import goal_text, plain_tiles

LARGEST_SIDE = 20
"""Tiles of larger boards could be neither read nor hit by a finger."""


def may_be_played(size: Size) -> bool:
    """Whether boards of a size are offered to be played."""
    return max(size) <= LARGEST_SIDE


def play_address(board: Board, goal: Board) -> str | None:
    """Return where a board is played; None where it is too large."""
    if not may_be_played(board.size):
        return None
    return url_for("pages.play", board=board_line(board), goal=_goal_of(goal))


def board_line(board: Board) -> str:
    """The board on one line, its size in front where it is not square."""
    size = "" if board.width == board.height else f"{board.width}x{board.height}: "
    return size + plain_tiles(board)


def _goal_of(goal: Board) -> str:
    name = goal_text(goal)
    return board_line(goal) if name == plain_tiles(goal) else name
