"""The errors of ``core`` in the visitor's language.

``core`` speaks English. Its sentences stand here once more as templates: a message that fits one is
said again in the visitor's language, with the same pieces put in; any other stays as it is.
A test feeds real faults through, so that a sentence changed there is noticed here.
"""

from __future__ import annotations

import re
from functools import lru_cache

from flask_babel import gettext

_REST = "rest"  # a piece that is a sentence itself


def _(sentence: str) -> str:
    """Mark a sentence for the catalogue; it is looked up when it is needed."""
    return sentence


_SENTENCES = (
    _("line %(line)s, column %(column)s: %(rest)s"),
    _("%(tile)s is wrong here; not each of 0 to %(last)s once: %(rest)s"),
    _("not each of 0 to %(last)s once: %(rest)s"),
    _("the tiles are not each of 0 to %(last)s once: %(rest)s"),
    _("%(piece)s is not a tile; tiles are whole numbers, the blank is 0, X, _ or ."),
    _("row %(row)s has %(count)s tiles, the last %(tile)s, where a row has %(width)s"),
    _(
        "%(count)s tiles, the last %(tile)s, are not a square; "
        "say the width, as in 4x3: before the tiles"
    ),
    _("%(tile)s, number %(place)s of %(count)s, goes beyond the %(cells)s cells of %(size)s"),
    _("%(tile)s, number %(place)s of %(count)s, ends short of the %(cells)s cells of %(size)s"),
    _("%(piece)s is never closed"),
    _("%(piece)s closes no bracket"),
    _("%(piece)s nests deeper than a list of rows"),
    _("%(size)s is no size; sides go from 1 to %(largest)s"),
    _("the first line says %(side)s tiles a side; sides go from 1 to %(largest)s"),
    _("%(text)s holds no board; write one as in 0 1 3 4 2 5 7 8 6"),
    _("%(count)s tiles do not fill rows of %(width)s; sides go from 1 to %(largest)s"),
    _("a goal of %(goal)s does not fit a board of %(size)s"),
    _("%(name)s is not a goal; goals are %(offered)s, or a board"),
    _("a board of %(size)s has %(cells)s cells; this service takes at most %(most)s"),
    _("a time limit of %(limit)s s is not offered; give more than 0 and at most %(most)s"),
    _("a gap of %(gap)s is not possible; give a fraction from 0 up"),
    _("%(name)s is not a .npy file of one array"),
    _("%(name)s holds %(kind)s of shape %(form)s, not rows of whole numbers"),
    _("%(name)s is damaged: %(bytes)s bytes are not %(kind)s of shape %(form)s"),
    _("%(text)s is not a number; write one as in 5 or 2.5"),
    _("%(count)s of your jobs are unfinished, and %(most)s is the most"),
    _("%(count)s jobs are unfinished, as many as this service takes"),
    _("%(tiles)s is not from 0 to %(last)s"),
    _("%(tiles)s are not from 0 to %(last)s"),
    _("%(tiles)s appears twice or more"),
    _("%(tiles)s appear twice or more"),
    _("%(tiles)s is missing"),
    _("%(tiles)s are missing"),
)
_LIST = "; "
_PLACEHOLDER = re.compile(r"%\\\((\w+)\\\)s")  # in a template that is escaped


def in_words(error: Exception) -> str:
    """Return an error's message as a sentence in the visitor's language."""
    words = translated(str(error))
    end = "" if words.endswith((".", "…", "!", "?")) else "."
    return words[:1].upper() + words[1:] + end


def translated(message: str) -> str:
    """Return a message of ``core`` in the visitor's language; unknown ones unchanged."""
    for pattern, template in _templates():
        match = pattern.fullmatch(message)
        if match:
            pieces = match.groupdict()
            if _REST in pieces:
                pieces[_REST] = translated(pieces[_REST])
            return str(gettext(template, **pieces))
    if _LIST in message:
        return _LIST.join(translated(part) for part in message.split(_LIST))
    return message


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Each template as a pattern that finds its pieces, and as the key of its translation."""
    return tuple((re.compile(_as_pattern(words), re.DOTALL), words) for words in _SENTENCES)


def _as_pattern(template: str) -> str:
    return _PLACEHOLDER.sub(lambda found: f"(?P<{found[1]}>.+?)", re.escape(template))
