"""The page that explains in pictures how boards are solved."""

from __future__ import annotations

from typing import NamedTuple

from flask import render_template, url_for

from tilework.web.i18n import gettext as _


class Lesson(NamedTuple):
    name: str
    title: str
    figure: str
    texts: list[str]
    link: tuple[str, str] | None = None
    compared: tuple[str, ...] = ()  # the methods whose comparison a button starts


_BOARD = "1 2 3 4 5 0 6 7 8"


def show() -> str:
    return render_template("learn/learn.html", lessons=_lessons(), board=_BOARD)


def _lessons() -> list[Lesson]:
    lab = url_for("pages.lab", board=_BOARD)
    return [
        Lesson(
            "a-star",
            _("A*: try the most promising board first"),
            "search_tree",
            [
                _(
                    "Every move leads to another board, so the boards form a tree. A* adds the "
                    "moves made so far to an estimate of the moves left, and continues with the "
                    "smallest sum."
                ),
                _(
                    "The simplest good estimate adds the distances of all tiles from their goal "
                    "positions. It is never too large, so the first solution is a shortest one."
                ),
            ],
            (lab, _("Watch it step by step")),
        ),
        Lesson(
            "ida-star",
            _("IDA*: the same answer without the memory"),
            "deepening",
            [
                _(
                    "A* has to remember every board it has seen: billions for a hard 4×4. IDA* "
                    "remembers only the current line of moves. It abandons a line when its sum "
                    "exceeds a limit."
                ),
                _(
                    "If no line reaches the goal, the limit was too low: there is no solution that "
                    "short. The limit rises by two and the search starts again."
                ),
            ],
            compared=("a-star:manhattan", "ida-star:manhattan"),
        ),
        Lesson(
            "pattern-databases",
            _("Pattern databases: estimates from memory"),
            "patterns",
            [
                _(
                    "The better the estimate, the fewer boards are visited. A pattern database "
                    "contains the fewest moves that a group of tiles needs from every "
                    "arrangement, with the other tiles ignored."
                ),
                _(
                    "If no tile belongs to two groups, the numbers of all groups can be added, and "
                    "the sum is still never too large. This solves most 4×4 boards in a fraction "
                    "of a second."
                ),
            ],
        ),
        Lesson(
            "growth",
            _("Why large boards are different"),
            "growth",
            [
                _(
                    "Each additional row or column multiplies the number of boards. The scale is "
                    "logarithmic: a slightly longer bar means many times more boards."
                ),
                _(
                    "Finding a shortest solution of an n×n board is NP-hard. No method is known "
                    "that does it for every 10×10 board."
                ),
            ],
        ),
        Lesson(
            "beam",
            _("Beams: a good solution quickly"),
            "beam",
            [
                _(
                    "A beam search goes forward one move at a time, and keeps only the most "
                    "promising boards of each layer. It ignores trillions of other boards, but "
                    "it may drop the board on the shortest path."
                ),
                _(
                    "So its solution is good, but not proven to be the shortest. Tilework then "
                    "improves it: it replaces one stretch of the solution after another with a "
                    "shorter one."
                ),
            ],
            (url_for("pages.home", _anchor="examples-title"), _("Try a large board")),
        ),
        Lesson(
            "proof",
            _("A proof: two bounds that meet"),
            "bounds",
            [
                _(
                    "The length of every known solution is an upper bound: the shortest solution "
                    "is not longer. Each limit that a search exhausts without finding a solution "
                    "raises the lower bound: the shortest solution must be longer."
                ),
                _(
                    "When the two meet, the solution is proven optimal. Until then, the gap says "
                    "how far from optimal the solution can be."
                ),
            ],
            (url_for("pages.home"), _("Solve a board")),
        ),
    ]
