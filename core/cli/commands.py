"""The command ``tilework``: its subcommands and error handling."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tilework.core.cli.console import (
    NO_MEMORY,
    ExitCode,
    current_language,
    exit_code_for,
    gettext,
    print_error,
    print_note,
    set_json,
    set_language,
    solvable_for,
)
from tilework.core.cli.subcommands import JSON_HELP, LANGUAGE_HELP, SUBCOMMANDS, overview
from tilework.core.cli.words import gettext_noop
from tilework.core.errors import TileworkError, UnsolvableError
from tilework.core.messages import Language, Message

_MANUAL: Final = "docs/cli.md"


class Subcommands(TyperGroup):
    """The group of all subcommands, which imports only the one that is invoked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, entry in SUBCOMMANDS.items():
            self.add_command(TyperCommand(name, help=entry.summary))

    def get_help(self, ctx: Any) -> str:
        return overview(gettext)

    def make_context(self, *arguments: Any, **options: Any) -> Any:
        with _own_words():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: Any) -> Any:
        with _own_words():
            return super().invoke(ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        if args[0] == "help":
            args = [*args[1:], "--help"]
        name, command, remaining = super().resolve_command(ctx, args)
        return name, command if name is None else load(name), remaining


@contextmanager
def _own_words() -> Iterator[None]:
    """Replace in an error what Typer takes over from pydantic."""
    try:
        yield
    except typer.BadParameter as error:
        error.message = error.message.removeprefix("Value error, ")
        if error.__cause__ is not None:
            from tilework.core.validation import describe_value

            error.message = describe_value(error.__cause__) or error.message
        raise


def load(name: str) -> object:
    entry = SUBCOMMANDS[name]
    module, _, attribute = entry.target.partition(":")
    loaded = getattr(import_module(f"tilework.core.cli.{module}"), attribute)
    if not isinstance(loaded, typer.Typer):
        wrapper = typer.Typer(add_completion=False, rich_markup_mode=None)
        wrapper.command(name)(loaded)
        loaded = wrapper
    command = get_command(loaded)
    command.help = command.help or entry.summary
    examples = "\n".join(f"  tilework {example}" for example in entry.examples)
    # The character keeps the lines as they are.
    titles = gettext(gettext_noop("Examples")), gettext(gettext_noop("More"))
    command.epilog = f"\b\n{titles[0]}:\n{examples}\n\n{titles[1]}: {_MANUAL}#{entry.section}"
    # These options can be given before or after the name of a subcommand.
    shared = [option for option in get_command(app).params if option.name in _shared_options(name)]
    _add_options(command, shared)
    if current_language() is not Language.ENGLISH:
        from tilework.core.cli.translated_help import translate_help

        translate_help(command)
    return command


def _shared_options(name: str) -> tuple[str, ...]:
    # Programs that run until they are stopped have no result.
    return ("lang",) if name in ("up", "web", "worker") else ("lang", "json", "format")


def _add_options(command: Any, options: Sequence[Any]) -> None:
    own = {name for param in command.params for name in param.opts}
    command.params += [option for option in options if own.isdisjoint(option.opts)]
    if isinstance(command, TyperGroup):
        for subcommand in command.commands.values():
            _add_options(subcommand, options)


def _print_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        print(f"tilework {version('tilework')}")
        raise typer.Exit


class _TextFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


def _choose_json(requested: bool) -> None:
    if requested:  # at any level
        set_json(True)


def _choose_format(chosen: _TextFormat | None) -> None:
    _choose_json(chosen is _TextFormat.JSON)


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
    lang: Annotated[
        Language | None,
        typer.Option(
            "--lang",
            expose_value=False,
            help=LANGUAGE_HELP,
            envvar="TILEWORK_LANG",
            show_envvar=False,
            show_default=False,
        ),
    ] = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            # Parsed before the options whose formats depend on it.
            is_eager=True,
            expose_value=False,
            callback=_choose_json,
            help=JSON_HELP,
        ),
    ] = False,
    format: Annotated[
        _TextFormat | None,
        typer.Option("--format", expose_value=False, callback=_choose_format, hidden=True),
    ] = None,
) -> None:
    """Solve sliding-tile puzzles, with proven bounds."""


def run(words: Sequence[str]) -> NoReturn:
    """Run a command; expected errors print one sentence and set the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # e.g. on a Latin-1 terminal
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(_run(words))


def _run(words: Sequence[str]) -> int:
    set_language(_find_language(words))
    set_json(False)
    command = next((word for word in words if word in SUBCOMMANDS), "")
    try:
        app(list(words))
    except SystemExit as exit_:
        cause = exit_.__context__
        if isinstance(cause, BrokenPipeError):
            return discard_output(cause)
        code = exit_.code if isinstance(exit_.code, int) else ExitCode.ANSWERED
        if isinstance(getattr(cause, "__cause__", None), KeyboardInterrupt):
            print(file=sys.stderr)
            print_error(
                Message(
                    "command-interrupted", "“tilework {command}” was interrupted", command=command
                )
            )
    except TileworkError as error:
        print_error(error.message)
        if isinstance(error, UnsolvableError):
            if error.reachable_goals:
                print_note(solvable_for(error.reachable_goals))
            if error.explanation:
                print_note(error.explanation)
        code = exit_code_for(error)
    except MemoryError:
        print_error(NO_MEMORY)
        code = ExitCode.NO_SOLUTION
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _WRITE_ERRORS:
            return discard_output(error)
        from tilework.core.logs import one_line

        # No traceback, because it could reveal secrets in URLs and headers.
        what, where = one_line(error)
        print_error(
            Message(
                "unexpected",
                "this is a bug in Tilework; please report it: {what} ({where})",
                what=" ".join(what.split()),
                where=where,
            )
        )
        code = ExitCode.INTERNAL
    try:
        sys.stdout.flush()
    except OSError as error:
        return discard_output(error)
    return code


def _find_language(words: Sequence[str]) -> Language:
    """Return the last one given; errors in options are in it, so it is found before they are."""
    given = [part for word in words for part in word.split("=", 1)]
    named = [name for option, name in pairwise(given) if option == "--lang"]
    name = (named or [os.environ.get("TILEWORK_LANG", "")])[-1]
    return Language(name) if name in set(Language) else Language.ENGLISH


_WRITE_ERRORS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def discard_output(error: OSError) -> int:
    """Discard output that cannot be written; without a message if it was piped to ``head``."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return ExitCode.BROKEN_PIPE
    print_error(
        Message("output", "the output or a file cannot be written: {reason}", reason=error.strerror)
    )
    return ExitCode.BAD_INPUT
