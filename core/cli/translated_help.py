"""The help of a subcommand in the language of its reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from tilework.core.cli.console import gettext
from tilework.core.cli.words import gettext_noop

_USAGE = gettext_noop("Usage: ")
_DEFAULT = gettext_noop("[default: ")

# What else Typer adds, extracted from here for translation.
gettext_noop("Arguments")
gettext_noop("Options")
gettext_noop("Commands")
gettext_noop("Show this message and exit.")


def join_lines(text: str) -> str:
    """Return a text without the line breaks in its paragraphs."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def walk(command: Any) -> Iterator[Any]:
    """Yield a command and the commands below it."""
    yield command
    if isinstance(command, TyperGroup):
        for subcommand in command.commands.values():
            yield from walk(subcommand)


def texts(command: Any) -> Iterator[str]:
    """Yield the texts of a command that can be translated."""
    for each in walk(command):
        helps = (each.help, *(getattr(param, "help", None) for param in each.params))
        yield from (join_lines(text) for text in helps if text)


class _Formatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Translates what Typer adds."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, gettext(prefix or _USAGE))

    def write_heading(self, heading: str) -> None:
        super().write_heading(gettext(heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], *arguments: int) -> None:
        default = gettext(_DEFAULT)
        translated = [(name, gettext(text).replace(_DEFAULT, default)) for name, text in rows]
        super().write_dl(translated, *arguments)


class _Context(typer.Context):
    formatter_class = _Formatter


def translate_help(command: Any) -> None:
    """Translate the help of a command and of the commands below it."""
    for each in walk(command):
        each.context_class = _Context
        each.help = gettext(join_lines(each.help or ""))
        for param in each.params:
            if getattr(param, "help", None):
                param.help = gettext(join_lines(param.help))
