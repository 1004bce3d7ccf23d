"""Windows, and the form of a trace as JSON."""

from __future__ import annotations

import json

import pytest

from tilework.core.errors import OptionError
from tilework.core.lab.trace import MAX_GAP, Child, Outcome, Step, Trace, TraceWindow, Waiting
from tilework.core.puzzle.moves import LEFT, UP
from tilework.core.storage.models import search_run

START, LEFT_OF_IT, OVER_IT = (1, 2, 0, 3), (1, 2, 3, 0), (0, 2, 1, 3)


def a_trace() -> Trace:
    children = (
        Child(1, LEFT, LEFT_OF_IT, 1, 0, Outcome.NEW),
        Child(2, UP, OVER_IT, 1, None, Outcome.DUPLICATE),
    )
    waiting = (Waiting(1, LEFT_OF_IT, 1, 0.5),)
    step = Step(1, 0, None, False, START, 0, 1.5, children, 1, waiting)
    return Trace(TraceWindow(10, 5, 2), 1, (step,), (0, 1))


def test_the_document_is_what_the_pages_read() -> None:
    document = a_trace().document()
    assert json.loads(json.dumps(document)) == document
    assert document == {
        "first": 10,
        "last": 5,
        "every": 2,
        "expanded": 1,
        "path": [0, 1],
        "steps": [
            {
                "number": 1,
                "node": 0,
                "parent": None,
                "backward": False,
                "board": [1, 2, 0, 3],
                "g": 0,
                "h": 1.5,
                "f": 1.5,
                "children": [
                    {
                        "node": 1,
                        "move": "L",
                        "board": [1, 2, 3, 0],
                        "g": 1,
                        "h": 0,
                        "f": 1,
                        "outcome": "new",
                    },
                    {
                        "node": 2,
                        "move": "U",
                        "board": [0, 2, 1, 3],
                        "g": 1,
                        "h": None,
                        "f": None,
                        "outcome": "duplicate",
                    },
                ],
                "frontier_size": 1,
                "frontier": [{"node": 1, "board": [1, 2, 3, 0], "g": 1, "h": 0.5, "f": 1.5}],
            }
        ],
    }


@pytest.mark.parametrize(
    "window", [TraceWindow(), TraceWindow(0, 0, 0), TraceWindow(2000, 2000, 9)]
)
def test_windows_that_are_kept(window: TraceWindow) -> None:
    assert window.text == f"{window.first}-{window.last}-{window.every}"


@pytest.mark.parametrize(
    ("first", "last", "every", "said"),
    [
        (2001, 0, 0, "the trace cannot keep 2001 expansions at either end; give 0 to 2000"),
        (-1, 0, 0, "the trace cannot keep -1 expansions at either end; give 0 to 2000"),
        (0, 2001, 0, "the trace cannot keep 2001 expansions at either end; give 0 to 2000"),
        (0, -5, 0, "the trace cannot keep -5 expansions at either end; give 0 to 2000"),
        (0, 0, 10**400, f"a trace interval of 1{'0' * 39} is too large; give at most 1000000000"),
        (0, 0, -1, "invalid trace interval -1; give 1 or more, or 0 for none"),
    ],
)
def test_windows_that_are_not(first: int, last: int, every: int, said: str) -> None:
    with pytest.raises(OptionError) as refusal:
        TraceWindow(first, last, every)
    assert str(refusal.value) == said


def test_large_boards_have_shorter_traces() -> None:
    TraceWindow(2000, 2000, 1).check(16)
    TraceWindow().check(400)
    with pytest.raises(OptionError) as refusal:
        TraceWindow(0, 301, 0).check(400)
    assert str(refusal.value) == (
        "a trace of 301 steps is too long for a board of 400 cells; give at most 300 for each end"
    )


def test_a_window_fits_the_column_that_holds_it() -> None:
    assert len(TraceWindow(2000, 2000, MAX_GAP).text) <= search_run.c.window.type.length
