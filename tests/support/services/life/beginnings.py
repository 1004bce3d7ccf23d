"""Where the tries of every event begin: unknown boards, and searches that are under way."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count

from tests.support.services.life.model import Model
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import StopReason
from tilework.core.search.statistics import Statistics
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.jobs import NewJob
from tilework.core.services.farm.life import events
from tilework.core.services.farm.records import Solve
from tilework.core.services.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Target

OPTIMAL = Target()
SOON, LATER = 100.0, 1e6
NOW, LATE = 10.0, 1_000.0
LENGTH = 8
SIZES = {12: Size(4, 3), 20: Size(5, 4), 25: Size(5, 5), 49: Size(7, 7)}
ROOT = Piece(b"root", 1.0)
_ids = count()


def moves(length):
    return from_letters("LR" * (length // 2))


def unknown(cells):
    return Model(
        Solve("s", "k", SIZES[cells], 4, None, SolveState.IDLE, None, None, 0.0, 0, 0, 0.0)
    )


def unknown_in_slides(cells):
    model = unknown(cells)
    return Model(replace(model.solve, key=Metric.SLIDES.key("k")))


def job(algorithm, target, deadline):
    return NewJob(
        id=f"job {next(_ids)}",
        solve_id="s",
        client_id="someone",
        board_bytes=b"",
        goal_bytes=b"",
        width=4,
        height=3,
        transform="",
        target=target,
        course=Course(algorithm, "auto"),
        time_limit_s=deadline,
        deadline=deadline,
        queue=Queue.INTERACTIVE,
        state=JobState.QUEUED,
        cached=False,
        created_at=NOW,
    )


def searching(*, expiries=0, nodes=0, lower=6):
    """A search of a board of 20 cells, whose one slice is under way."""
    model = unknown(20)
    model.settle(events.Asked(job("auto", OPTIMAL, LATER), NOW, lambda: NOW), NOW)
    [opening] = map(model.take, list(model.slices.values()))
    effort = Statistics(generated=nodes)
    result = SearchResult(lower, moves(LENGTH + 2), "x", effort, StopReason.TIME)
    model.settle(events.Opened(opening, result, 4, ROOT, NOW, 0.1), NOW)
    [root] = model.slices.values()
    model.take(replace(root, expiries=expiries))
    return model


def last_threshold():
    """A search of the threshold that has the solution, and a beam aimed at it before."""
    model = searching(nodes=10**9, lower=LENGTH - 4)
    for threshold in (LENGTH - 2, LENGTH):
        [part] = [one for one in model.slices.values() if one.kind is SliceKind.SEARCH]
        outcome = SliceOutcome(7, threshold, None, (), "e")
        model.settle(events.Searched(part, outcome, 1.0, 0, lambda _: [ROOT]), NOW)
        for piece in list(model.slices.values()):
            held = piece if piece.state is SliceState.LEASED else model.take(piece)
            if held.kind is SliceKind.CHECK:
                model.settle(events.Checked(held, threshold, None, ROOT), NOW)
    return model


# From where, and how many steps in `make test`; the rest takes minutes.
BEGINNINGS = {
    "an unknown board": (partial(unknown, 12), 8),
    "an unknown large board": (partial(unknown, 49), 6),
    "a board that is proved and improved": (partial(unknown, 25), 5),
    "an unknown board in slides": (partial(unknown_in_slides, 12), 8),
    "a large board in slides": (partial(unknown_in_slides, 25), 5),
    "a search": (searching, 5),
    "the last threshold": (last_threshold, 3),
    "a search that aims beams": (partial(searching, nodes=10**9), 5),
    "a slice that crashes its workers": (partial(searching, expiries=3), 5),
}
