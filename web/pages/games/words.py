"""Sentences of the pages of games."""

from __future__ import annotations

from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from tilework.core.model.questions import AnalysisView, GameSpec
from tilework.core.model.states import RunState
from tilework.web.pages.words import home_words


def state_words() -> dict[RunState, str]:
    """The names of an analysis's states."""
    return {
        RunState.QUEUED: _("waiting"),
        RunState.RUNNING: _("searching"),
        RunState.DONE: _("analysed"),
        RunState.FAILED: _("failed"),
        RunState.CANCELLED: _("cancelled"),
    }


def game_title(spec: GameSpec) -> str:
    """What was played, as a title."""
    count = len(spec.moves)
    return str(
        ngettext(
            "A game of %(moves)s move on %(size)s",
            "A game of %(moves)s moves on %(size)s",
            count,
            moves=format_decimal(count),
            size=spec.start.size,
        )
    )


def verdict_words(view: AnalysisView[GameSpec]) -> str:
    """What the game was, in one sentence; empty until that is known."""
    result = view.result
    if result is None:
        return ""
    game = _moves(result["length"])
    first = _between(result["lower"][0], result["upper"][0])
    lost = _between(result["lost_at_least"], result["lost_at_most"])
    exact = result["exact"]
    if not result["is_solution"]:
        left = _between(result["lower"][-1], result["upper"][-1])
        return str(
            _(
                "%(game)s that do not reach the goal: %(left)s remain, %(lost)s were lost.",
                game=game,
                left=left,
                lost=lost,
            )
        )
    if exact and not result["lost_at_most"]:
        return str(_("A solution of %(game)s, and none is shorter.", game=game))
    if exact:
        return str(
            _(
                "A solution of %(game)s; %(lost)s longer than the shortest, %(first)s.",
                game=game,
                lost=format_decimal(result["lost_at_most"]),
                first=first,
            )
        )
    return str(
        _(
            "A solution of %(game)s; the shortest has %(first)s, so %(lost)s were lost.",
            game=game,
            first=first,
            lost=lost,
        )
    )


def note_words(view: AnalysisView[GameSpec]) -> str:
    """What is proved and what is not, where that is not all."""
    result = view.result
    if result is None or result["exact"]:
        return ""
    return str(
        _(
            "The band in the chart is what is not known: every bound is proved, but there may be "
            "more losses than are listed."
        )
    )


def analyse_words() -> dict[str, str | dict[str, str]]:
    """Sentences of the form's module."""
    return dict(home_words())


def analysis_words() -> dict[str, str | dict[str, str]]:
    """Sentences of the module of an analysis's page."""
    return dict(home_words()) | {
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} moves/s"),
        "move_of": _("Move {move} of {moves}"),
        "lost": _(
            "The connection is lost. Trying again in {seconds} s; the analysis goes on without "
            "this page."
        ),
        "progress": _("{settled} of {total} positions are known"),
        "waiting": _("Waiting for a worker"),
        "chart": _(
            "Moves to go along the game: {first} before the first move, {last} after the last, at "
            "most {most}."
        ),
        "remains": _("After move {move}: {remaining} to go"),
        "remains_between": _("After move {move}: {least} to {most} to go"),
        "remains_at_least": _("After move {move}: at least {least} to go"),
        "took": _("move {move}: {seconds} s"),
        "seconds": _("{count} s"),
        "way_shown": _("The better way from before move {move}, {moves} moves"),
        "ended": _("The analysis has ended."),
    }


def _moves(count: int) -> str:
    return str(ngettext("%(moves)s move", "%(moves)s moves", count, moves=format_decimal(count)))


def _between(lower: int, upper: int | None) -> str:
    if upper is None:
        return str(_("at least %(moves)s", moves=_moves(lower)))
    if lower == upper:
        return _moves(lower)
    return str(_("%(least)s to %(moves)s", least=format_decimal(lower), moves=_moves(upper)))
