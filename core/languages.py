"""The languages that messages are said in, and their translations.

English stands in the sources. ``make words`` brings the catalogues up to date.
"""

from __future__ import annotations

import gettext
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from tilework.core.messages import ENGLISH, Translations

TRANSLATIONS_FOLDER: Final = Path(__file__).with_name("translations")


class Language(StrEnum):
    """Languages of answers, explanations and errors."""

    ENGLISH = "en"
    PORTUGUESE = "pt"


@cache
def translations(language: Language) -> Translations:
    """Return what translates the messages of ``core`` and ``worker`` into a language."""
    if language is Language.ENGLISH:
        return ENGLISH
    return gettext.translation("messages", TRANSLATIONS_FOLDER, [language])
