"""Arguments and options shared by several subcommands."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from tilework.core.formats.solution_formats import SolutionFormat
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind

option = partial(typer.Option, show_default=False)
"""An option whose default is not shown in the help."""


class Mover(StrEnum):
    """Whether moves are named by the direction of the tile or of the blank."""

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
        "--goal", metavar="GOAL", help="blank-last, blank-first, spiral, or a board in any format."
    ),
]
Width = Annotated[
    int | None, option(min=1, metavar="N", help="Columns of a board that is not square.")
]
TargetName = Annotated[
    TargetKind | None, option("--target", help="What is good enough; optimal if not given.")
]
MetricName = Annotated[
    Metric, typer.Option("--metric", help="What is to be few: moves of single tiles, or slides.")
]
Gap = Annotated[
    float | None,
    option(
        min=0,
        metavar="FRACTION",
        help="Stop once (length - bound) / bound is at most this: 0.1 for 10%.",
    ),
]
TimeLimit = Annotated[float | None, option(min=0, metavar="SECONDS", help="For each board.")]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help=f"How to search: {', '.join(Algorithm)}, or a textbook search, as `tilework lab "
        "list` names them.",
    ),
]
HeuristicName = Annotated[
    str,
    typer.Option(
        "--heuristic",
        metavar="NAME",
        help=f"How to estimate: {', '.join(Heuristic)}, or as textbook searches do, by a name of "
        "`tilework lab list`.",
    ),
]
Weight = Annotated[float | None, option("--weight", metavar="W", help="Of weighted-a-star.")]
BeamWidth = Annotated[int | None, option("--beam-width", metavar="N", help="Of lab-beam.")]
MemoryLimit = Annotated[
    int | None,
    option(
        "--memory-limit", min=1, metavar="MB", help="What the nodes of a textbook search may take."
    ),
]
CallbackUrl = Annotated[
    str | None,
    option(
        "--callback-url", metavar="URL", help="Have the server call this address when the job ends."
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
    option(
        "--key",
        metavar="KEY",
        envvar="TILEWORK_API_KEY",
        help="An API key; without it, jobs belong to this user on this machine.",
    ),
]
