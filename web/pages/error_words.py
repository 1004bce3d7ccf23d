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
_QUOTED = {_REST, "piece", "text", "name", "header"}  # may hold anything; others no semicolon


def _(sentence: str) -> str:
    """Mark a sentence for translation; it is looked up when it is needed."""
    return sentence


# How a job may end, word for word as in the services.
ENDINGS = (
    _("No method here brings the bounds of this board closer."),
    _("No method here found a solution of this board."),
    _("The time limit of the job was reached."),
    _("The algorithm that was asked for has done all it can."),
    _("Work on this board broke its workers and was set aside."),
)

_SENTENCES = (
    _("line %(line)s, column %(column)s: %(rest)s"),
    _("%(tile)s stands here a second time; %(rest)s"),
    _("%(tile)s is no tile of a board of %(size)s; %(rest)s"),
    _("the tiles are not each of 0 to %(last)s once: %(rest)s"),
    _("%(piece)s is not a tile; tiles are whole numbers, the blank is 0, X, _ or ."),
    _("row %(row)s ends with %(tile)s, number %(place)s of %(width)s in a row"),
    _(
        "the tiles end with %(tile)s, number %(count)s, which makes no square; "
        "say the size, as in 4x3: before the tiles"
    ),
    _("%(tile)s is number %(place)s, one too many; a board of %(size)s has %(cells)s cells"),
    _("%(tile)s is number %(place)s and the last; a board of %(size)s has %(cells)s cells"),
    _("%(piece)s is never closed"),
    _("%(piece)s closes no bracket"),
    _("%(piece)s nests deeper than a list of rows"),
    _("%(size)s is no size; sides go from 1 to %(largest)s"),
    _("%(side)s, alone in the first line, is no side; sides go from 1 to %(largest)s"),
    _("%(size)s tiles are too many; sides go to %(largest)s"),
    _("%(text)s holds no board; write one as in 0 1 3 4 2 5 7 8 6"),
    _("too many tiles; boards of up to %(most)s cells are taken here"),
    _("%(count)s tiles are too many; boards of up to %(most)s cells are taken here"),
    _("a board of %(size)s is too large; boards of up to %(most)s cells are taken here"),
    _("a board of %(size)s has %(cells)s cells; this service takes at most %(most)s"),
    _("a goal of %(goal)s does not fit a board of %(size)s"),
    _("%(name)s is not a goal; goals are %(offered)s, or a board"),
    _("a time limit of %(limit)s s is not offered; give more than 0 and at most %(most)s"),
    _("a gap of %(gap)s is not possible; give a fraction from 0 up"),
    _("%(name)s is not a .npy file of one array"),
    _("%(name)s holds no rows of whole numbers: its header is %(header)s"),
    _("%(name)s is damaged: %(bytes)s bytes are not %(kind)s of shape %(form)s"),
    _("%(count)s cells are not a square; give the width, as in 4x3:"),
    _("%(count)s of your jobs are unfinished, and %(most)s is the most"),
    _("%(count)s jobs are unfinished, as many as this service takes"),
    _("%(tiles)s is not from 0 to %(last)s"),
    _("%(tiles)s are not from 0 to %(last)s"),
    _("%(tiles)s appears twice or more"),
    _("%(tiles)s appear twice or more"),
    _("%(tiles)s is missing"),
    _("%(tiles)s are missing"),
    _("%(text)s is not a number; write one as in 2 or 1.5"),
    _("a node limit of %(limit)s is not offered; give more than 0 and at most %(most)s"),
    _("a memory limit of %(limit)s is not offered; give more than 0 and at most %(most)s"),
    _("a weight of %(weight)s is not offered; give 1 to %(most)s"),
    _("%(name)s is no algorithm here; choose of %(offered)s"),
    _("%(name)s is no heuristic here; choose of %(offered)s"),
    _("%(name)s asks no heuristic; leave out %(text)s"),
    _("%(name)s goes up to %(most)s cells and %(size)s has %(cells)s; choose from %(offered)s"),
    _("%(name)s has no %(heuristic)s for %(size)s with this goal; it has %(offered)s"),
    _("a comparison without methods compares nothing; name at least one"),
    _("a comparison of %(count)s runs is too large; %(most)s is the most"),
    _("a board of %(size)s has %(cells)s cells; the lab takes at most %(most)s"),
    _(
        "none of these methods promises a shortest solution, by which a sweep's boards are sorted; "
        "add one that does, as a-star:manhattan"
    ),
    _(
        "a trace of %(steps)s steps is too long for a board of %(cells)s cells; give at most "
        "%(most)s for each end"
    ),
    _(
        "on a board of %(size)s each tile would be a pattern of its own, which tells no more than "
        "manhattan does; choose that over %(cells)s cells"
    ),
    _("%(before)s of your runs are unfinished, and with %(more)s more they would be over %(most)s"),
    _("%(count)s runs are unfinished, as many as this service takes"),
    _("Nothing is left to search, and the goal was not met."),
    _("The limit of %(count)s %(unit)s was reached."),
    _("The run was cancelled."),
    _(
        "The recursion went %(calls)s calls deep, as far as it may go here; a search with a stack "
        "of its own, such as backtracking-stack or depth-first, has no such limit."
    ),
    _(
        "walking distance needs tables of every way to spread the tiles over rows and columns, too "
        "many at %(size)s; up to 4×4 and 5×2 they are made here, for larger boards choose "
        "linear-conflict"
    ),
    _(
        "The run broke its worker %(count)s times, most likely for want of memory; a lower limit "
        "of memory may help."
    ),
    _("The run failed: %(text)s"),
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
    if message in ENDINGS:
        return str(gettext(message))
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
    return _PLACEHOLDER.sub(
        lambda found: f"(?P<{found[1]}>{'.' if found[1] in _QUOTED else '[^;]'}+?)",
        re.escape(template),
    )
