"""The pages on the lab's algorithms: their examples, their headings and their tables hold."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from statistics import mean

import pytest

from tests.support import naive
from tests.support.european import EUROPEAN
from tilework.core.lab.catalogue import estimate_of
from tilework.core.lab.method import Method
from tilework.core.lab.names import ALGORITHMS, HEURISTICS, LabAlgorithm, LabHeuristic, Promise
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import run
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

DOCS = Path(__file__).parents[3] / "docs"
ENGLISH, PORTUGUESE = DOCS / "algorithms.md", DOCS / "algorithms.pt.md"
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMES = [*LabAlgorithm, *LabHeuristic]
WORDS = {
    ENGLISH: {
        True: "yes",
        False: "no",
        Promise.ALWAYS: "yes",
        Promise.ADMISSIBLE: "if admissible",
        Promise.CONSISTENT: "if consistent",
        Promise.NEVER: "no",
    },
    PORTUGUESE: {
        True: "sim",
        False: "não",
        Promise.ALWAYS: "sim",
        Promise.ADMISSIBLE: "se admissível",
        Promise.CONSISTENT: "se consistente",
        Promise.NEVER: "não",
    },
}
both_pages = pytest.mark.parametrize("page", WORDS, ids=lambda page: page.name)


def examples(page):
    """The code of a page, all else left out, each line where it is."""
    text = page.read_text()
    kept = {
        line
        for match in EXAMPLE.finditer(text)
        for line in range(text.count("\n", 0, match.start(1)), text.count("\n", 0, match.end(1)))
    }
    lines = text.splitlines()
    return "\n".join(line if number in kept else "" for number, line in enumerate(lines))


def row(page, name):
    """The cells of the table row that has a command for a method."""
    (found,) = re.findall(rf"^\| (.*) \| `--method {name}` \|$", page.read_text(), re.MULTILINE)
    return re.split(r" \| ", found)


def number(text):
    return float(re.sub(r"[ ,](?=\d{3}\b)", "", text).replace(",", "."))


@pytest.fixture(scope="module")
def figures():
    """By heuristic, its mean over all 3×3 boards and what A* visits of the pages' board."""
    goal = Board(naive.solved(3, 3))
    boards = list(naive.distances(naive.solved(3, 3), 3))
    start = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
    return {
        heuristic: (
            mean(map(estimate_of(heuristic, Problem(goal, goal)), boards)),
            run(start, goal, Method.of("a-star", heuristic), Limits()).statistics.visited,
        )
        for heuristic in LabHeuristic
    }


def test_examples_print_what_is_shown():
    name = str(ENGLISH)
    test = doctest.DocTestParser().get_doctest(examples(ENGLISH), {}, name, name, 0)
    report = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.attempted > len(NAMES)
    assert result.failed == 0, "".join(report)


def test_both_pages_have_the_same_examples():
    # So that what holds of one page's examples holds of the other's.
    assert EXAMPLE.findall(ENGLISH.read_text()) == EXAMPLE.findall(PORTUGUESE.read_text())


@both_pages
def test_each_algorithm_and_heuristic_has_its_heading_and_an_example_beneath(page):
    sections = re.findall(
        r"^### [^`\n]+: `([a-z-]+)`\n(.*?)(?=^##|\Z)", page.read_text(), re.MULTILINE | re.DOTALL
    )
    assert [name for name, _ in sections] == NAMES
    for name, text in sections:
        assert f'("{name}' in text or f":{name}" in text, name


def test_headings_call_them_what_the_program_calls_them():
    titles = {name: facts.title for name, facts in (ALGORITHMS | HEURISTICS).items()}
    headings = dict(re.findall(r"^### (.*): `(.*)`$", ENGLISH.read_text(), re.MULTILINE))
    assert {name: title for title, name in headings.items()} == titles


@both_pages
def test_the_table_of_algorithms_says_what_they_promise(page):
    for name, facts in ALGORITHMS.items():
        _, complete, optimal, _ = row(page, name)
        words = WORDS[page]
        assert (complete, optimal) == (words[facts.complete], words[facts.optimal]), name


@both_pages
def test_the_table_of_heuristics_says_what_they_promise_and_how_strong_they_are(page, figures):
    for name, facts in HEURISTICS.items():
        *_, admissible, consistent, average, visited = row(page, f"a-star:{name}")
        words = WORDS[page]
        assert (admissible, consistent) == (words[facts.admissible], words[facts.consistent]), name
        assert number(average) == pytest.approx(figures[name][0], abs=0.005)
        assert number(visited) == figures[name][1]


def test_portuguese_is_that_of_brazil():
    text = re.sub(r"```.*?```|\"[^\"]*\"|\[[^]]*\]", "", PORTUGUESE.read_text(), flags=re.DOTALL)
    assert [found[0] for found in EUROPEAN.finditer(text)] == []
