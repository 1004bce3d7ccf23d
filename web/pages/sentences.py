"""Messages as sentences of a page."""

from __future__ import annotations

from core.errors import TileworkError
from web.i18n import say


def in_words(error: TileworkError) -> str:
    """Return an error's message as a sentence in the visitor's language."""
    words = say(error.message)
    end = "" if words.endswith((".", "…", "!", "?")) else "."
    return words[:1].upper() + words[1:] + end
