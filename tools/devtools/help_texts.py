"""Extracts the texts of the command line's help for translation, with those marked in its code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from babel.messages.extract import extract_python

from tilework.core.cli.commands import load
from tilework.core.cli.subcommands import SUBCOMMANDS
from tilework.core.cli.translated_help import texts


def extract(
    file: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[Any, ...]]:
    """Yield the texts of a module as Babel expects them, and then those of all commands."""
    yield from extract_python(file, keywords, comment_tags, options)
    for name in SUBCOMMANDS:
        for text in texts(load(name)):
            yield 1, "gettext", text, []
