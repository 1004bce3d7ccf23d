"""Sentences for the modules of the page on which people play.

Names in braces are filled in by the module.
"""

from __future__ import annotations

from flask_babel import gettext as _

from tilework.web.pages.words import board_words


def kind_names() -> dict[str, str]:
    """Where boards come from: how hard they are to be, or who gave them."""
    return {
        "any": _("Any board"),
        "easy": _("Easy"),
        "medium": _("Medium"),
        "hard": _("Hard"),
        "exactly": _("Exact distance"),
        "given": _("Given boards"),
        "daily": _("Boards of the day"),
    }


def play_words() -> dict[str, str | dict[str, str] | list[str]]:
    """All of them."""
    return {
        **board_words(),
        "board_hidden": _("The numbers are hidden."),
        "directions": [_("up"), _("down"), _("to the left"), _("to the right")],
        "moved_one": _("{tile} {direction}. Moves: {moves}."),
        "moved_many": _("{count} tiles {direction}. Moves: {moves}."),
        "moved_hidden": _("Tiles moved {direction}: {count}. Moves: {moves}."),
        "kinds": kind_names(),
        "distance_exact": _("The shortest solution has {moves} moves: all boards were looked at."),
        "distance_about": _("The shortest solution has about {moves} moves; this is an estimate."),
        "farthest": _("No board of this size is {asked} moves away; this one is {moves}."),
        "looking": _("Looking for the shortest way …"),
        "hint_proved": _("{tile} {direction}. {moves} more from here, none shorter."),
        "hint_about": _("{tile} {direction}. About {moves} more from here."),
        "at_least": _("Looking for a way; none has fewer than {moves} moves …"),
        "no_way": _("No way is known yet; ask again in a while."),
        "no_service": _("The service cannot be reached; hints come from there."),
        "solve": _("Solve from here"),
        "stop": _("Stop"),
        "race_optimal": _("The shortest way: move {move} of {moves}"),
        "race_known": _("The shortest way known: move {move} of {moves}"),
        "solved": _("Solved. Moves: {moves}, slides: {slides}, time: {time}."),
        "solved_with_help": _("Solved with help. Moves: {moves}, slides: {slides}, time: {time}."),
        "against": _("Your {moves} against {best}."),
        "against_about": _("Your {moves} against about {best}."),
        "records": {
            "time": _("Your best time."),
            "moves": _("Your fewest moves."),
            "slides": _("Your fewest slides."),
        },
        "daily_done": _("{size}: solved in {moves}"),
        "no_daily": _("The board of the day could not be fetched."),
        "no_picture": _("{name} cannot be shown: give a picture as PNG, JPEG, WebP or GIF."),
        "no_scramble": _("No board could be scrambled: {reason}"),
    }
