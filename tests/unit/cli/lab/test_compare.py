import csv
import io
import json
from typing import Any

from tests.support.cli.runner import Run
from tilework.web.api.lab.comparison_documents import ResultDocument

BOARD = "0 1 3 4 2 5 7 8 6"
NEAR = "1 2 3 4 5 6 7 X 8"
HARDEST = "8 6 7 2 5 4 3 0 1"
TIMED = ("seconds", "memory_bytes")
SWEEP = "compare --sweep 4 --size 3x2 --moves 20 --algorithms greedy,a-star --format jsonl"


def table(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out), delimiter="\t"))


def records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def remove_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name not in TIMED} for row in rows]


def test_choice_of_methods(tilework: Run) -> None:
    def list_methods(options: str) -> list[str]:
        rows = table(tilework("compare", NEAR, *filter(None, [options])).out)
        assert {row["ended"] for row in rows} == {"solved"}
        return [row["method"] for row in rows]

    assert len(list_methods("")) == 10
    assert list_methods("--algorithms breadth-first,a-star --heuristics zero,hamming") == [
        "breadth-first",
        "a-star:zero",
        "a-star:hamming",
    ]
    assert list_methods("--method a-star --method a-star:manhattan") == ["a-star:manhattan"]


def test_guarantee_of_one_method_judges_the_others(tilework: Run) -> None:
    together = tilework("compare", HARDEST, "--method greedy --method a-star")
    assert [(row["length"], row["optimal"]) for row in table(together.out)] == [
        ("47", "no"),
        ("31", "yes"),
    ]
    (alone,) = table(tilework("compare", HARDEST, "--method greedy").out)
    assert alone["optimal"] == "?"


def test_all_formats_have_the_same_content(tilework: Run) -> None:
    outputs = {
        form: tilework("compare", BOARD, "--algorithms a-star,greedy,beam --format", form).out
        for form in ("json", "jsonl", "csv")
    }
    documents = json.loads(outputs["json"])
    assert remove_times(records(outputs["jsonl"])) == remove_times(documents)
    for record, row in zip(documents, csv.DictReader(io.StringIO(outputs["csv"])), strict=True):
        assert list(row) == list(record) == list(ResultDocument.model_fields)
        expected = {"board": BOARD, "optimal": str(record["optimal"]).lower()}
        for name in record.keys() - set(TIMED):
            value = "" if record[name] is None else str(record[name])
            assert row[name] == expected.get(name, value)
    assert [ResultDocument.model_validate(record).length for record in documents] == [4, 4, 4]
    assert documents[2]["beam_width"] == 100


def test_failure_reason_is_printed_once(tilework: Run) -> None:
    result = tilework("compare", BOARD, "--algorithms backtracking,depth-first-recursive")
    for row in table(result.out):
        assert (row["ended"], row["length"], row["optimal"]) == ("depth limit", "", "")
    (note,) = result.err.splitlines()
    assert note.startswith("backtracking, depth-first-recursive: The recursion reached ")


def test_each_row_of_a_sweep_has_its_board_and_the_optimal_length(tilework: Run) -> None:
    rows = records(tilework(SWEEP).out)
    assert [row["board_index"] for row in rows] == [0, 0, 1, 1, 2, 2, 3, 3]
    for row in rows:
        board = "3x2: " + " ".join(map(str, row["board"]))
        assert len(tilework("solve", board).out.strip()) == row["optimal_length"]
        assert row["optimal"] == (row["length"] == row["optimal_length"])
    # They are the boards of `scramble`.
    last = records(tilework(SWEEP, "--seed 7").out)[-1]["board"]
    drawn = tilework("scramble 3x2 --seed 10 --moves 20").out
    assert drawn == "3x2: " + " ".join(map(str, last)) + "\n"
