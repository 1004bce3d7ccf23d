"""The language that the command line speaks: English, until ``--lang`` chooses another."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tilework.core.messages import Language, Message, translations

_LANGUAGE: Final = ContextVar("language", default=Language.ENGLISH)


def choose_language(language: Language | None) -> Language | None:
    """Speak a language from now on; None changes nothing."""
    if language is not None:
        _LANGUAGE.set(language)
    return language


def spoken() -> Language:
    return _LANGUAGE.get()


def say(message: Message) -> str:
    return message.said(translations(spoken()))


def word(words: str) -> str:
    """Mark words of a table for translation; `say_words` says them."""
    return words


def say_words(words: str) -> str:
    return translations(spoken()).gettext(words)


AnswerLanguage = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        # Before the others: what is wrong with them is said in this language.
        is_eager=True,
        expose_value=False,
        callback=choose_language,
        help="Language of answers and errors; en if not given.",
        show_default=False,
    ),
]


def _donor(lang: AnswerLanguage = None) -> None:
    """Have the option that every command gets."""


def let_choose(command: Any) -> None:
    """Give a command, and those under it, the option ``--lang``."""
    alone = typer.Typer(add_completion=False)
    alone.command()(_donor)
    command.params.append(get_command(alone).params[0])
    if isinstance(command, TyperGroup):
        for under in command.commands.values():
            let_choose(under)
