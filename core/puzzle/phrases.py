"""Phrases that many messages share: counts, sizes and goals of boards."""

from __future__ import annotations

from tilework.core.messages import Message, plural


def cells(count: int) -> Message:
    return plural("cells", "{count} cell", "{count} cells", count=count)


def tiles(count: int) -> Message:
    return plural("tiles", "{count} tile", "{count} tiles", count=count)


def moves(count: int) -> Message:
    return plural("moves", "{count} move", "{count} moves", count=count)


def slides(count: int) -> Message:
    return plural("slides", "{count} slide", "{count} slides", count=count)


def nodes(count: int) -> Message:
    return plural("nodes", "{count} node", "{count} nodes", count=count)


def invalid_size(size: object, maximum: int) -> Message:
    return Message(
        "size", "invalid size {size}: sides must be between 1 and {max}", size=size, max=maximum
    )


def goal_size(goal: object, board: object) -> Message:
    return Message(
        "goal-size",
        "a goal of size {goal} does not fit a board of size {board}",
        goal=goal,
        board=board,
    )


def unknown_goal(name: str, offered: str) -> Message:
    return Message(
        "goal-name",
        "unknown goal {name!r}; choose from {choices}, or use a board",
        name=name,
        choices=offered,
    )


def row_length(row: int, count: int, expected: int) -> Message:
    """Report a row of the wrong length."""
    return plural(
        "row-length",
        "row {row} has {count} tile, expected {expected}",
        "row {row} has {count} tiles, expected {expected}",
        row=row,
        count=count,
        expected=expected,
    )


def tile_count(size: object, expected: int, count: int) -> Message:
    """Report a wrong number of tiles, the blank included."""
    return Message(
        "tile-count",
        "{size} boards have {cells}; {tiles} were given",
        size=size,
        cells=cells(expected),
        tiles=tiles(count),
    )


def unreadable(path: object, reason: object) -> Message:
    return Message("unreadable", "{path!r} cannot be read: {reason}", path=path, reason=reason)
