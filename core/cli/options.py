"""The arguments and options that several subcommands share, so that they read alike."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from core.formats.solution_formats import SolutionFormat
from core.solver.names import Algorithm, Heuristic
from core.solver.target import TargetKind


class Mover(StrEnum):
    """Whether a move's letter is the direction of the tile or of the blank."""

    TILE = "tile"
    BLANK = "blank"


BoardWords = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD|FILE|-",
        help="The board in any format, quoted or as several words; a file with one, text or "
        ".npy; or - for standard input.",
        show_default=False,
    ),
]
GoalText = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        help="blank-last, blank-first, spiral, or a board in any format.",
    ),
]
Width = Annotated[
    int | None,
    typer.Option(
        min=1, metavar="N", help="Columns of a board that is not square.", show_default=False
    ),
]
TargetName = Annotated[
    TargetKind | None,
    typer.Option("--target", help="What is good enough; optimal if not given.", show_default=False),
]
Gap = Annotated[
    float | None,
    typer.Option(
        min=0,
        metavar="FRACTION",
        help="Stop once (length - bound) / bound is at most this: 0.1 for 10%.",
        show_default=False,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="SECONDS", help="For each board.", show_default=False),
]
AlgorithmName = Annotated[Algorithm, typer.Option("--algorithm", help="How to search.")]
HeuristicName = Annotated[Heuristic, typer.Option("--heuristic", help="How to estimate.")]
CallbackUrl = Annotated[
    str | None,
    typer.Option(
        "--callback-url",
        metavar="URL",
        help="Have the server call this address when the job ends.",
        show_default=False,
    ),
]
SolutionForm = Annotated[
    SolutionFormat, typer.Option("--format", help="How to write the solution.")
]
MoverName = Annotated[
    Mover, typer.Option("--by", help="Name moves by the way of the tile or of the blank.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Write JSON.")]
ServerUrl = Annotated[
    str,
    typer.Option("--server", metavar="URL", envvar="TILEWORK_SERVER", help="Where the server is."),
]
Key = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="KEY",
        envvar="TILEWORK_API_KEY",
        help="An API key; without it, jobs belong to this user on this machine.",
        show_default=False,
    ),
]
