"""The language that the command line speaks: English, until ``--lang`` chooses another."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tilework.core.messages import Language, Message, translations

_LANGUAGE: Final = ContextVar("language", default=Language.ENGLISH)


def set_language(language: Language | None) -> Language | None:
    """Speak a language from now on; None changes nothing."""
    if language is not None:
        _LANGUAGE.set(language)
    return language


def current_language() -> Language:
    return _LANGUAGE.get()


def translate(message: Message) -> str:
    return message.translate(translations(current_language()))


def gettext_noop(words: str) -> str:
    """Mark words of a table for translation; `gettext` says them."""
    return words


def gettext(words: str) -> str:
    return translations(current_language()).gettext(words)


AnswerLanguage = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        # Before the others: what is wrong with them is said in this language.
        is_eager=True,
        expose_value=False,
        callback=set_language,
        help="Language of answers and errors; en if not given.",
        show_default=False,
    ),
]


def _donor(lang: AnswerLanguage = None) -> None:
    """Have the option that every command gets."""


def add_language_option(command: Any) -> None:
    """Give a command, and those under it, the option ``--lang``."""
    alone = typer.Typer(add_completion=False)
    alone.command()(_donor)
    command.params.append(get_command(alone).params[0])
    if isinstance(command, TyperGroup):
        for under in command.commands.values():
            add_language_option(under)
