"""The language of the command line: English unless ``--lang`` chooses another."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tilework.core.messages import Language, Message, translations

_LANGUAGE: Final = ContextVar("language", default=Language.ENGLISH)


def set_language(language: Language | None) -> Language | None:
    """Set the language of the output; None changes nothing."""
    if language is not None:
        _LANGUAGE.set(language)
    return language


def current_language() -> Language:
    return _LANGUAGE.get()


def translate(message: Message) -> str:
    return message.translate(translations(current_language()))


def gettext_noop(text: str) -> str:
    """Mark a string for extraction, to be translated by `gettext` later."""
    return text


def gettext(text: str) -> str:
    return translations(current_language()).gettext(text)


AnswerLanguage = Annotated[
    Language | None,
    typer.Option(
        "--lang",
        # Parsed first, because errors in other options are reported in this language.
        is_eager=True,
        expose_value=False,
        callback=set_language,
        help="Language of output and errors.  [default: en]",
        show_default=False,
    ),
]


def _option_template(lang: AnswerLanguage = None) -> None:
    """Declare the option that `add_language_option` copies."""


def add_language_option(command: Any) -> None:
    """Add the option ``--lang`` to a command and its subcommands."""
    template = typer.Typer(add_completion=False)
    template.command()(_option_template)
    command.params.append(get_command(template).params[0])
    if isinstance(command, TyperGroup):
        for subcommand in command.commands.values():
            add_language_option(subcommand)
