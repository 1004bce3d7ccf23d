"""``tilework verify``: whether a certificate proves what it says."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.boards import STANDARD_INPUT
from core.cli.exits import ExitCode
from core.cli.tables import print_fields
from core.errors import InputError

if TYPE_CHECKING:
    from core.solver.optimal.proof import Claim

_MOST_SEED = 1_000_000


def verify(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE|-", help="A certificate; or - for standard input."),
    ],
    *,
    sample: Annotated[
        int, typer.Option(min=1, metavar="N", help="Search so many slices again.")
    ] = 10,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Which slices; the same seed draws the same ones.",
            show_default=False,
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Search every slice again.")] = False,
    databases: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            envvar="TILEWORK_DATABASES_DIR",
            help="Pattern databases; those of this user if not given.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check a certificate: replay the moves, check the record, search some slices again.

    The exit code is 0 if it holds, 1 if not, 2 for a file that is no certificate.
    """
    from core.formats.certificate import read_certificate

    certificate = read_certificate(_read(file))

    from core.services.certificates.check import VerifyOptions, examine

    chosen = secrets.randbelow(_MOST_SEED) if seed is None else seed
    options = VerifyOptions(None if all_ else sample, chosen, databases)
    findings = examine(certificate, options, _watch)
    if findings.fault is not None:
        verdict = f"not proved: {findings.fault}"
    elif certificate.length == 0:
        verdict = "proved: the board is already solved, 0 moves"
    elif certificate.optimal:
        verdict = f"proved: no solution is shorter than {certificate.length} moves"
    else:
        verdict = (
            f"proved: the shortest solution has {certificate.lower_bound} "
            f"to {certificate.length} moves"
        )
    print_fields(findings.checked | {"verdict": verdict})
    raise typer.Exit(ExitCode.ANSWERED if findings.fault is None else ExitCode.NO_SOLUTION)


def _read(file: str) -> str | bytes:
    if file == STANDARD_INPUT:
        return sys.stdin.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise InputError(f"{file!r} cannot be read: {error.strerror}") from None


def _watch(claims: list[Claim]) -> Iterable[Claim]:
    """Show on a terminal how many slices have been searched again."""
    from rich.console import Console
    from rich.progress import track

    return track(
        claims,
        description="Searching again",
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
