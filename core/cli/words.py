"""Marks strings for translation; it loads nothing, so that the help is printed at once."""


def gettext_noop(text: str) -> str:
    """Mark a string for extraction, to be translated by `gettext` of `console` later."""
    return text
