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


def read_row(page: Path, name: str) -> list[str]:
    """Return the cells of the table row that has a command for a method."""
    (cells,) = re.findall(rf"^\| (.*) \| `--method {name}` \|$", page.read_text(), re.MULTILINE)
    return re.split(r" \| ", cells)


def parse_number(text: str) -> float:
    return float(re.sub(r"[.,](?=\d{3}\b)", "", text).replace(",", "."))


def test_examples_print_the_documented_output() -> None:
    examples = EXAMPLE.findall(ENGLISH.read_text())
    assert examples == EXAMPLE.findall(PORTUGUESE.read_text())
    name = ENGLISH.name
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, name, name, 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(test, out=report.append)
    assert result.attempted > len(LabAlgorithm) + len(LabHeuristic)
    assert result.failed == 0, "".join(report)


def test_tables_match_measured_heuristics() -> None:
    goal = Board(naive.solved_tiles(3, 3))
    boards = list(naive.distances(naive.solved_tiles(3, 3), 3))
    start = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
    for name in HEURISTICS:
        average = mean(map(make_heuristic(name, Problem(goal, goal)), boards))
        visited = run(start, goal, Method.of("a-star", name), Limits()).statistics.visited
        for page in (ENGLISH, PORTUGUESE):
            *_, documented_average, documented_visited = read_row(page, f"a-star:{name}")
            assert parse_number(documented_average) == pytest.approx(average, abs=0.005)
            assert parse_number(documented_visited) == visited
