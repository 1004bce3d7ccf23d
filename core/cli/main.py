"""The command ``tilework``: its subcommands, and how their errors end."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tilework.core.cli.commands import Subcommands
from tilework.core.cli.exits import ExitCode, exit_code_of
from tilework.core.cli.language import AnswerLanguage, choose_language, say
from tilework.core.errors import TileworkError, UnsolvableError
from tilework.core.languages import Language
from tilework.core.messages import Message
from tilework.core.redaction import redacted


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"tilework {version('tilework')}")
        raise typer.Exit


app = typer.Typer(
    cls=Subcommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def tilework(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    lang: AnswerLanguage = None,
) -> None:
    """Solve sliding-tile puzzles, with proved bounds."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; every expected error gives one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a Latin-1 terminal must not end a search
    sys.exit(_run(arguments))


def _run(arguments: Sequence[str] | None) -> int:
    choose_language(Language.ENGLISH)
    try:
        app(arguments)
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):
            return _leave_broken_pipe()
        code = ending.code if isinstance(ending.code, int) else ExitCode.ANSWERED
    except TileworkError as error:
        print(f"tilework: {redacted(say(error.message))}", file=sys.stderr)
        if isinstance(error, UnsolvableError) and error.explanation:
            print(say(error.explanation), file=sys.stderr)
        code = exit_code_of(error)
    except Exception as error:
        from tilework.core.logs import one_line

        # No traceback: it would print what an address or a header holds.
        what, where = one_line(error)
        print(f"tilework: {redacted(say(_unexpected(what, where)))}", file=sys.stderr)
        code = ExitCode.INTERNAL
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        return _leave_broken_pipe()
    return code


def _unexpected(what: str, where: str) -> Message:
    return Message(
        "unexpected",
        "this is a fault of Tilework itself, please report it: {what}; at {where}",
        what=" ".join(what.split()),
        where=where,
    )


def _leave_broken_pipe() -> int:
    """Discard unwritten output: a reader that went away (``| head``) needs no message."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ExitCode.BROKEN_PIPE
