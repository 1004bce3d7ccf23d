"""``tilework check``, ``scramble``, ``embed`` and ``read-picture``."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated, Any

import typer

from tilework.core.cli.boards import (
    naming_file,
    read_board_argument,
    read_bytes,
    read_goal_option,
)
from tilework.core.cli.console import (
    ExitCode,
    gettext,
    print_fields,
    print_note,
    show,
    translate,
    yes_or_no,
)
from tilework.core.cli.options import BoardWords, GoalText, Width, format_or_json, option
from tilework.core.cli.words import gettext_noop
from tilework.core.errors import OptionError
from tilework.core.messages import Message
from tilework.core.pictures.reader_process import read_picture_in_process
from tilework.core.pictures.reading import Reading
from tilework.core.puzzle.arrangement import MAX_CELLS_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.board import MAX_SIDE, Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.embedding import embed as embed_board
from tilework.core.puzzle.goals import (
    MAX_EXPLAINED_CELLS,
    GoalName,
    explain,
    inverted_pairs,
    reachable_goals,
)
from tilework.core.puzzle.scramble import scramble as random_board

_FIELDS = {
    "width": gettext_noop("width"),
    "height": gettext_noop("height"),
    "solvable": gettext_noop("solvable"),
    "reachable_goals": gettext_noop("solvable for"),
    "explanation": gettext_noop("explanation"),
    "inverted_pairs": gettext_noop("inverted pairs"),
    "hamming": gettext_noop("hamming"),
    "hamming_by_tile": gettext_noop("hamming by tile"),
    "manhattan": gettext_noop("manhattan"),
    "manhattan_by_tile": gettext_noop("manhattan by tile"),
    "key": gettext_noop("key"),
}
"""The field labels, to be translated; JSON output uses the keys."""


def check(board: BoardWords, goal: GoalText = "blank-last", width: Width = None) -> None:
    """Check whether a board is valid and solvable, and how far it is from the goal.

    Tile-by-tile distances are shown for up to 400 cells, the explanation and the key for up to a
    million. The exit code is 0 for a solvable board, 1 for an unsolvable one, 2 for invalid input.
    """
    start = read_board_argument(board, width)
    # None stands for the standard goal, so that it is not created for a multi-gigabyte board.
    end = None if goal == GoalName.BLANK_LAST else read_goal_option(goal, start.size)
    is_solvable = start.is_solvable(end)
    fields: dict[str, Any] = {
        "width": start.width,
        "height": start.height,
        "solvable": is_solvable,
        "reachable_goals": None,
        "explanation": None,
        "inversions": None,
        "parities": None,
        "inverted_pairs": None,
        "hamming": start.hamming(end),
        "hamming_by_tile": None,
        "manhattan": start.manhattan(end),
        "manhattan_by_tile": None,
        "key": None,
    }
    if start.size.cells <= MAX_EXPLAINED_CELLS:
        end = read_goal_option(goal, start.size) if end is None else end
        explanation = explain(start, end)
        fields["explanation"] = translate(explanation.message)
        fields["inversions"] = explanation.inversions
        fields["parities"] = list(map(asdict, explanation.parities))
        fields["reachable_goals"] = None if is_solvable else reachable_goals(start)
        fields["key"] = canonicalize(start, end).key if is_solvable else None
        if start.size.cells <= MAX_CELLS_BY_TILE:
            fields["inverted_pairs"] = inverted_pairs(start, end)
            fields["hamming_by_tile"] = hamming_by_tile(start.cells, end.cells)
            fields["manhattan_by_tile"] = manhattan_by_tile(start.cells, end.cells, start.width)
    show(fields, lambda: _print_facts(fields))
    raise typer.Exit(ExitCode.ANSWERED if is_solvable else ExitCode.NO_SOLUTION)


def _print_facts(fields: dict[str, Any]) -> None:
    print_fields(
        {
            gettext(label): _format_field(name, fields)
            for name, label in _FIELDS.items()
            if fields[name] not in (None, [])
        }
    )


def _format_field(name: str, fields: dict[str, Any]) -> str:
    value = fields[name]
    if name == "inverted_pairs":
        pairs = " ".join(f"{first}-{second}" for first, second in value)
        return pairs if len(value) == fields["inversions"] else f"{pairs} …"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return yes_or_no(value) if isinstance(value, bool) else str(value)


_SIZE = re.compile(r"([0-9]{1,9})(?:[x×X*]([0-9]{1,9}))?")


class BoardFormat(StrEnum):
    LINE = "line"
    GRID = "grid"
    JSON = "json"


SizeText = Annotated[
    str, typer.Argument(metavar="SIZE", help="4 for 4×4, or width x height, such as 5x3.")
]
BoardForm = Annotated[
    BoardFormat, typer.Option("--format", callback=format_or_json, help="Format of the boards.")
]


def scramble(
    size: SizeText,
    *,
    seed: Annotated[
        int | None, option(min=0, metavar="N", help="The same seed gives the same boards.")
    ] = None,
    moves: Annotated[
        int | None,
        option(
            min=0,
            metavar="N",
            help="Number of random moves from the goal. Without it, every solvable board is "
            "equally likely.",
        ),
    ] = None,
    goal: GoalText = "blank-last",
    count: Annotated[int, typer.Option(min=1, metavar="N", help="Number of boards.")] = 1,
    output: BoardForm = BoardFormat.LINE,
) -> None:
    """Print random solvable boards."""
    dimensions = parse_size(size)
    end = read_goal_option(goal, dimensions)
    for index in range(count):
        # Each board after the first uses the next seed.
        board = random_board(dimensions, end, None if seed is None else seed + index, moves)
        print(_format_board(board, output))


def embed(
    size: SizeText,
    board: BoardWords,
    *,
    goal: Annotated[
        GoalName, typer.Option("--goal", help="Goal of both boards.")
    ] = GoalName.BLANK_LAST,
    width: Width = None,
    output: BoardForm = BoardFormat.LINE,
) -> None:
    """Print a larger board that has the given one as a part and is solved by the same moves.

    All other tiles are on their goal cells. The larger board may have shorter solutions.
    """
    larger = parse_size(size)  # first, for who gives the board first
    part = read_board_argument(board, width)
    print(_format_board(embed_board(part, larger, goal), output))


def parse_size(text: str) -> Size:
    """Parse ``4`` or ``5x3``."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise OptionError(
            "size-text",
            "invalid size {text!r}; use one side length, such as 4, or width x height, such as 5x3",
            text=text[:40],
        )
    width = int(match[1])
    size = Size(width, int(match[2]) if match[2] else width)
    if not all(1 <= side <= MAX_SIDE for side in size):
        raise OptionError(
            "size-range",
            "invalid size {text!r}: sides must be between 1 and {max}",
            text=text[:40],
            max=MAX_SIDE,
        )
    return size


def _format_board(board: Board, output: BoardFormat) -> str:
    if output is BoardFormat.GRID:
        return str(board)
    if output is BoardFormat.JSON:
        return json.dumps(board.cells.reshape(board.height, board.width).tolist())
    prefix = "" if board.width == board.height else f"{board.width}x{board.height}: "
    return prefix + " ".join(map(str, board.cells.tolist()))


def read_picture(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="A PNG, JPEG or WebP file, or - for standard input."),
    ],
) -> None:
    """Print the board in a picture.

    The result can be wrong: check it before you solve the board. Uncertain cells are listed on
    standard error.
    """
    content = read_bytes(file)
    with naming_file(file):
        reading = read_picture_in_process(content)
    show(reading.document(), lambda: _print_reading(reading))


def _print_reading(reading: Reading) -> None:
    print(reading.board)
    for index, cell in enumerate(reading.cells):
        if cell.doubtful:
            row, column = divmod(index, reading.columns)
            print_note(
                Message(
                    "doubtful-cell",
                    "row {row}, column {column}: {tile} is uncertain",
                    row=row + 1,
                    column=column + 1,
                    tile=cell.tile,
                )
            )
