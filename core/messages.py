"""Messages for users: a code, an English template, and the values that fill it."""

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
COUNT: Final = "count"  # the value that selects the singular or the plural
MAX_STORED_CHARACTERS: Final = 480  # limit of the text of an unexpected error
_UNTRANSLATED_CODE: Final = "as-told"


ENGLISH: Final = NullTranslations()


@dataclass(frozen=True, slots=True, init=False)
class Message:
    """A sentence or phrase that can be translated; ``str()`` returns the English text.

    Parameters
    ----------
    code : str; a stable identifier, such as ``time-limit``
    template : str; the English text, with the names of values in braces as for `str.format`
    values : str, int, float or Message
        The values of the names in braces; nested messages are translated as well. Other values are
        converted by ``str()``. Quoted input must be shortened by the caller.
    """

    code: str
    template: str
    values: Mapping[str, Any] = field(hash=False)
    plural: str | None  # the template for counts other than one

    def __init__(self, code: str, template: str, /, **values: object) -> None:
        _set_fields(self, code, template, values)

    def __str__(self) -> str:
        return self.translate(ENGLISH)

    def translate(self, translations: NullTranslations) -> str:
        """Return the translated text, or the English text if there is no translation."""
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
        """Return a stored message; plain sentences of old rows are returned unchanged."""
        try:
            message = _parse(json.loads(text))
            # Check that every placeholder has a value.
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
    """Return a message that depends on a count: ``{count} move``, ``{count} moves``."""
    message = Message.__new__(Message)
    _set_fields(message, code, singular, {COUNT: count, **values}, plural)
    return message


def untranslated(text: str) -> Message:
    """Return a message with external text, which is the same in every language."""
    return Message(_UNTRANSLATED_CODE, "{words}", words=text)


def _set_fields(
    message: Message,
    code: str,
    template: str,
    values: Mapping[str, object],
    plural: str | None = None,
) -> None:
    object.__setattr__(message, "code", code)
    object.__setattr__(message, "template", template)
    object.__setattr__(
        message, "values", {name: _convert_value(value) for name, value in values.items()}
    )
    object.__setattr__(message, "plural", plural)


def _convert_value(value: object) -> str | int | float | Message:
    if isinstance(value, Message | float):
        return value
    return int(value) if isinstance(value, Integral) else str(value)


def _parse(document: Any) -> Message:
    code, template = document["code"], document["template"]
    values = {
        name: _parse(value) if isinstance(value, dict) else value
        for name, value in document.get("values", {}).items()
    }
    message = Message.__new__(Message)
    _set_fields(message, code, template, values, document.get("plural"))
    return message


TRANSLATIONS_FOLDER: Final = Path(__file__).with_name("translations")


class Language(StrEnum):
    ENGLISH = "en"
    PORTUGUESE = "pt"


@cache
def translations(language: Language) -> NullTranslations:
    """Return the translations of the messages of ``core`` and ``worker``."""
    if language is Language.ENGLISH:
        return ENGLISH
    return gettext.translation("messages", TRANSLATIONS_FOLDER, [language])
