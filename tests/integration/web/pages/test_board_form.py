"""The board and the goal of an address, in the form of every page that takes them."""

from __future__ import annotations

import html
import re

import pytest
from flask.testing import FlaskClient

PAGES = ["/", "/lab", "/compare", "/analyse", "/ways"]
BOARD = "1 2 3\n4 5 6\n0 7 8"
OWN_GOAL = "0 1 2 3 4 5 6 8 7"


def field(page: str, name: str) -> str:
    """What the browser would send of a field: its text, or the choice that is made."""
    text = re.search(rf'<textarea[^>]* name="{name}"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    if text is not None:
        return html.unescape(text[1])
    choices = re.search(rf'<select[^>]* name="{name}".*?</select>', page, re.DOTALL)
    assert choices is not None
    [chosen] = re.findall(r'<option value="([^"]*)" selected', choices[0])
    return str(chosen)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(
    ("goal", "chosen", "own"),
    [("spiral", "spiral", ""), (OWN_GOAL, "own", OWN_GOAL), (None, "blank-last", "")],
)
def test_an_address_fills_the_form(
    client: FlaskClient, path: str, goal: str | None, chosen: str, own: str
) -> None:
    asked = {"board": BOARD} | ({} if goal is None else {"goal": goal})
    page = client.get(path, query_string=asked).text
    assert field(page, "board") == BOARD
    assert (field(page, "goal"), field(page, "goal_board")) == (chosen, own)


@pytest.mark.parametrize("path", ["/jobs", "/lab", "/comparisons", "/analyses", "/ways"])
def test_a_refused_form_comes_back_as_it_was(client: FlaskClient, path: str) -> None:
    sent = {"board": BOARD, "goal": "own", "goal_board": OWN_GOAL, "moves": "L", "method": "a-star"}
    answer = client.post(path, data=sent | {"algorithm": "a-star"})
    assert answer.status_code == 422
    assert "3×3, not solvable." in answer.text
    for name in ("board", "goal", "goal_board"):
        assert field(answer.text, name) == sent[name]
