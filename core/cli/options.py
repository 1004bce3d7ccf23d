"""Arguments and options shared by several subcommands."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.model.states import Priority
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind

option = partial(typer.Option, show_default=False)
"""Declares an option whose default is not shown in the help."""


BoardWords = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD|FILE|-",
        help="The board in any format, quoted or as several words; a text or .npy file that "
        "contains one; or - for standard input.",
        show_default=False,
    ),
]
GoalText = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        help="blank-last, blank-first, spiral, columns, descending, or a board in any format.",
    ),
]
Width = Annotated[
    int | None, option(min=1, metavar="N", help="Number of columns of a board that is not square.")
]
TargetName = Annotated[
    TargetKind | None, option("--target", help="Required solution quality.  [default: optimal]")
]
MetricName = Annotated[
    Metric, typer.Option("--metric", help="What to minimize: moves of single tiles, or slides.")
]
Gap = Annotated[
    float | None,
    option(
        min=0,
        metavar="FRACTION",
        help="Stop when (length - bound) / bound is at most this: 0.1 for 10%.",
    ),
]
TimeLimit = Annotated[float | None, option(min=0, metavar="SECONDS", help="Time limit per board.")]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        help=f"Search algorithm: {', '.join(Algorithm)}; `tilework solve` also takes the textbook "
        "searches listed by `tilework lab list`.",
    ),
]
HeuristicName = Annotated[
    str,
    typer.Option(
        "--heuristic",
        metavar="NAME",
        help=f"Heuristic: {', '.join(Heuristic)}; `tilework lab list` lists those of textbook "
        "searches.",
    ),
]
Weight = Annotated[
    float | None, option("--weight", metavar="W", help="Weight for weighted-a-star.")
]
BeamWidth = Annotated[
    int | None, option("--beam-width", metavar="N", help="Beam width for lab-beam.")
]
MemoryLimit = Annotated[
    int | None,
    option(
        "--memory-limit",
        min=1,
        metavar="MiB",
        help="Memory limit for the nodes of a textbook search.",
    ),
]
PriorityName = Annotated[
    Priority,
    typer.Option("--priority", help="Which of your own waiting jobs are searched first."),
]
CallbackUrl = Annotated[
    str | None,
    option("--callback-url", metavar="URL", help="URL that the server calls when the job ends."),
]
SolutionForm = Annotated[SolutionFormat, typer.Option("--format", help="Format of the solution.")]
MoverName = Annotated[
    Mover, typer.Option("--by", help="Name moves by the direction of the tile or of the blank.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
ServerUrl = Annotated[
    str,
    typer.Option("--server", metavar="URL", envvar="TILEWORK_SERVER", help="URL of the server."),
]
Key = Annotated[
    str | None,
    option(
        "--key",
        metavar="KEY",
        envvar="TILEWORK_API_KEY",
        help="API key. Without one, jobs belong to this user on this machine.",
    ),
]
