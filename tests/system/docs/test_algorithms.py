import doctest
import re
from pathlib import Path
from statistics import mean

import pytest

from tests.support import naive
from tests.system.docs.test_docs import ROOT
from tilework.core.lab.methods import HEURISTICS, LabAlgorithm, LabHeuristic, Method
from tilework.core.lab.problem import Problem
from tilework.core.lab.run import make_heuristic, run
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits

ENGLISH, PORTUGUESE = ROOT / "docs/algorithms.md", ROOT / "docs/algorithms.pt.md"
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)


GOAL = Board(naive.solved_tiles(3, 3))
START = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
PRINCETON = Board([8, 1, 3, 4, 0, 2, 7, 6, 5])


def read_row(page: Path, name: str) -> list[str]:
    """Return the cells of the table row that has a command for a method."""
    (cells,) = re.findall(rf"^\| (.*) \| `--method {name}` \|$", page.read_text(), re.MULTILINE)
    return re.split(r" \| ", cells)


def parse_number(text: str) -> float | None:
    return None if text == "–" else float(re.sub(r"[.,](?=\d{3}\b)", "", text).replace(",", "."))


def test_examples_print_the_documented_output() -> None:
    examples = EXAMPLE.findall(ENGLISH.read_text())
    name = ENGLISH.name
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, name, name, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.attempted > len(LabHeuristic)
    assert result.failed == 0, "".join(report)


def test_table_matches_measured_algorithms() -> None:
    for name in LabAlgorithm:
        result = run(START, GOAL, Method.of(name), Limits(nodes=1_000_000))
        did = result.statistics
        measured = None if result.moves is None else len(result.moves)
        expected = [measured, *((did.visited, did.max_frontier) if measured else (None, None))]
        for page in (ENGLISH, PORTUGUESE):
            assert [parse_number(cell) for cell in read_row(page, name)[-3:]] == expected, name


def test_tables_match_measured_heuristics() -> None:
    boards = list(naive.distances(naive.solved_tiles(3, 3), 3))
    for name in HEURISTICS:
        average = mean(map(make_heuristic(name, Problem(GOAL, GOAL)), boards))
        problem = Problem(PRINCETON, GOAL)
        example = make_heuristic(name, problem)(problem.start)
        visited = run(START, GOAL, Method.of("a-star", name), Limits()).statistics.visited
        for page in (ENGLISH, PORTUGUESE):
            documented = [parse_number(cell) for cell in read_row(page, f"a-star:{name}")[-3:]]
            assert documented == [pytest.approx(average, abs=0.005), example, visited]


def test_both_languages_have_the_same_sections() -> None:
    methods = [
        re.findall(r"^### .*`([a-z-]+)`$", page.read_text(), re.MULTILINE)
        for page in (ENGLISH, PORTUGUESE)
    ]
    assert methods[0] == methods[1]
    assert {*methods[0]} == {*LabAlgorithm, *LabHeuristic}
