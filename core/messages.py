"""What the product says to people: a code, an English template, and the values that fill it."""

from __future__ import annotations

import gettext
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from gettext import NullTranslations
from numbers import Integral
from pathlib import Path
from typing import Any, Final

Value = "str | int | float | Message"
COUNT: Final = "count"  # the value that chooses between a message's singular and its plural
MAX_STORED_CHARACTERS: Final = 480  # characters of an unforeseen error that are stored
_AS_TOLD: Final = "as-told"


ENGLISH: Final = NullTranslations()


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """A sentence, or a part of one, in no language yet; ``str()`` says it in English.

    Parameters
    ----------
    code : str; names what is said, as in ``time-limit``; never changes
    template : str; the English words, with the values' names in braces as for `str.format`
    values : str, int, float or Message
        What fills the braces; a message is translated with the one that it stands in. Anything else
        goes in as its ``str()``. Whoever quotes input bounds its length.
    """

    code: str
    template: str
    values: Mapping[str, Any] = field(hash=False)
    plural: str | None  # the template for other counts than one, where the value ``count`` chooses

    def __init__(self, code: str, template: str, /, **values: object) -> None:
        _fill(self, code, template, values)

    def __str__(self) -> str:
        return self.translate(ENGLISH)

    def translate(self, translations: NullTranslations) -> str:
        """Return the words in the language of the translations; English where these lack them."""
        if self.plural is None:
            template = translations.gettext(self.template)
        else:
            template = translations.ngettext(self.template, self.plural, self.values[COUNT])
        return template.format_map(
            {
                name: value.translate(translations) if isinstance(value, Message) else value
                for name, value in self.values.items()
            }
        )

    def to_json(self) -> str:
        return json.dumps(self._document(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, text: str) -> Message:
        """Return a stored message; a sentence of the time before codes is told as it stands."""
        try:
            message = _read(json.loads(text))
            # Braces that are not filled would fail whoever tells it.
            str(message)
        except (ValueError, LookupError, TypeError, AttributeError):
            return untranslated(text)
        return message

    def _document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"code": self.code, "template": self.template}
        if self.plural is not None:
            document["plural"] = self.plural
        if self.values:
            document["values"] = {
                name: value._document() if isinstance(value, Message) else value
                for name, value in self.values.items()
            }
        return document


def plural(code: str, singular: str, plural: str, /, *, count: int, **values: object) -> Message:
    """Return a message whose words depend on a count: ``{count} move``, ``{count} moves``."""
    message = Message.__new__(Message)
    _fill(message, code, singular, {COUNT: count, **values}, plural)
    return message


def untranslated(words: str) -> Message:
    """Return words that come from elsewhere, and are the same in every language."""
    return Message(_AS_TOLD, "{words}", words=words)


def _fill(
    message: Message,
    code: str,
    template: str,
    values: Mapping[str, object],
    plural: str | None = None,
) -> None:
    object.__setattr__(message, "code", code)
    object.__setattr__(message, "template", template)
    object.__setattr__(message, "values", {name: _plain(value) for name, value in values.items()})
    object.__setattr__(message, "plural", plural)


def _plain(value: object) -> str | int | float | Message:
    if isinstance(value, Message | float):
        return value
    return int(value) if isinstance(value, Integral) else str(value)


def _read(document: Any) -> Message:
    code, template = document["code"], document["template"]
    values = {
        name: _read(value) if isinstance(value, dict) else value
        for name, value in document.get("values", {}).items()
    }
    message = Message.__new__(Message)
    _fill(message, code, template, values, document.get("plural"))
    return message


TRANSLATIONS_FOLDER: Final = Path(__file__).with_name("translations")


class Language(StrEnum):
    ENGLISH = "en"
    PORTUGUESE = "pt"


@cache
def translations(language: Language) -> NullTranslations:
    """Return what translates the messages of ``core`` and ``worker`` into a language."""
    if language is Language.ENGLISH:
        return ENGLISH
    return gettext.translation("messages", TRANSLATIONS_FOLDER, [language])
