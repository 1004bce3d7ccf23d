"""Phrases of the list are found wherever line breaks, comments or literals divide them."""

from pathlib import Path

import pytest

from tools.devtools.plain_words import LIST, findings, read_list


def test_each_phrase_of_the_list_has_a_better_one() -> None:
    assert all(read_list(LIST.read_text(encoding="utf-8")).values())


@pytest.mark.parametrize(
    "text",
    [
        "It is blue moon.",
        "# It is blue\n    # moon.",
        '("it is blue "\n    "moon")',
        "// it is blue\n// moon",
        "Blue Moon",
    ],
)
def test_a_phrase_is_found(text: str) -> None:
    (finding,) = findings(Path("x.py"), text, {"blue moon": "rare"})
    assert str(finding).endswith("“blue moon”; write: rare")


def test_parts_of_words_are_not_found() -> None:
    assert list(findings(Path("x.py"), "deepblue moon", {"blue moon": "rare"})) == []
