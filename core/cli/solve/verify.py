"""``tilework verify``: check a certificate."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tilework.core.cli.boards import STANDARD_INPUT, naming_file, read_bytes, read_text
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.language import gettext, gettext_noop, translate
from tilework.core.cli.messages import already_solved, between
from tilework.core.cli.options import option
from tilework.core.cli.terminal import print_fields
from tilework.core.formats.certificate import read_certificate
from tilework.core.messages import Message
from tilework.core.puzzle.moves import from_letters

if TYPE_CHECKING:
    from tilework.core.solver.optimal.proof.claims import Claim

_MAX_SEED = 1_000_000
_MAX_BYTES = 1 << 28

_FIELDS = {
    "board": gettext_noop("board"),
    "written by": gettext_noop("written by"),
    "verified by": gettext_noop("verified by"),
    "moves": gettext_noop("moves"),
    "thresholds": gettext_noop("thresholds"),
    "lower bound": gettext_noop("lower bound"),
    "searched again": gettext_noop("searched again"),
    "verdict": gettext_noop("verdict"),
}


def verify(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A certificate file, or - for standard input.")
    ],
    *,
    sample: Annotated[
        int, typer.Option(min=1, metavar="N", help="Number of slices to search again.")
    ] = 10,
    seed: Annotated[
        int | None,
        option(
            min=0, metavar="N", help="Seed of the sample; the same seed selects the same slices."
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Search every slice again.")] = False,
    databases: Annotated[
        Path | None,
        option(
            metavar="FOLDER",
            envvar="TILEWORK_PDB_DIR",
            help="Folder of the pattern databases.  [default: the current user's folder]",
        ),
    ] = None,
) -> None:
    """Check a certificate: replay the moves, check the record, repeat some of the searches.

    The exit code is 0 for a valid certificate, 1 for an invalid one, 2 for any other file.
    """
    content = _read(file)
    with naming_file(file):
        certificate = read_certificate(content)

    from tilework.core.services.certificates.verifier import VerifyOptions, examine

    seed = secrets.randbelow(_MAX_SEED) if seed is None else seed
    options = VerifyOptions(None if all_ else sample, seed, databases)
    findings = examine(certificate, options, _track)
    metric, upper = certificate.metric, certificate.metric.length(from_letters(certificate.moves))
    if findings.error is not None:
        verdict = Message("not-proved", "not proven: {error}", error=findings.error)
    elif certificate.length == 0:
        verdict = Message("proved", "proven: {fact}", fact=already_solved())
    elif certificate.optimal:
        verdict = Message(
            "proved-optimal",
            "proven: every solution has at least {moves}",
            moves=metric.describe(upper),
        )
    else:
        verdict = Message(
            "proved-bounds",
            "proven: the shortest solution has {moves}",
            moves=between(certificate.lower_bound, upper, metric),
        )
    fields = findings.results | {"verdict": verdict}
    print_fields({gettext(_FIELDS[name]): translate(value) for name, value in fields.items()})
    raise typer.Exit(ExitCode.ANSWERED if findings.error is None else ExitCode.NO_SOLUTION)


def _read(file: str) -> str | bytes:
    if file == STANDARD_INPUT:
        return read_text(file, _MAX_BYTES)
    return read_bytes(file, _MAX_BYTES)


def _track(claims: list[Claim]) -> Iterable[Claim]:
    from rich.console import Console
    from rich.progress import track

    return track(
        claims,
        description=gettext("Repeating the search"),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
