"""``tilework compare``: figures, formats, options and what is refused."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from tilework.core.cli.lab.options import MAX_CELLS, MEBIBYTES, NODES, SECONDS
from tilework.core.settings import Settings
from tilework.web.api.lab.comparison_results import ResultDocument

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
NEAR = "1 2 3 4 5 6 7 X 8"
HARDEST = "8 6 7 2 5 4 3 0 1"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"
HEADER = (
    "method length optimal visited generated max_frontier duplicates depth branching memory "
    "seconds ended"
)
TIMED = ("seconds", "memory_bytes")


def table(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out), delimiter="\t"))


def untimed(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: record[name] for name in record if name not in TIMED} for record in records]


@pytest.mark.parametrize(
    ("board", "heuristic", "visited", "frontier", "moves"),
    [
        ("1 2 3 4 5 X 6 7 8", "hamming-blank", 165, 105, 13),
        ("1 2 3 4 5 X 6 7 8", "manhattan", 81, 56, 13),
        ("1 2 3 4 5 X 6 7 8", "mean-blank", 102, 64, 13),
        ("1 2 3 4 5 6 X 7 8", "manhattan", 3, 3, 2),
        (NEAR, "manhattan", 2, 3, 1),
        ("7 5 8 2 3 4 1 X 6", "manhattan", 4792, 2595, 27),
    ],
)
def test_published_figures(
    tilework: Run, board: str, heuristic: str, visited: int, frontier: int, moves: int
) -> None:
    done = tilework("compare", board, "--method", f"a-star-replace:{heuristic}")
    (row,) = table(done.out)
    assert (row["visited"], row["max_frontier"], row["length"]) == (
        str(visited),
        str(frontier),
        str(moves),
    )


def test_in_a_pipe_columns_are_parted_by_tabs(tilework: Run) -> None:
    done = tilework("compare", NEAR, "--method a-star --method breadth-first")
    header, a_star, breadth_first = done.out.splitlines()
    assert (done.code, done.err) == (0, "")
    assert header == HEADER.replace(" ", "\t")
    assert a_star.startswith("a-star:manhattan\t1\tyes\t2\t3\t3\t0\t0\t3.00\t")
    assert breadth_first.startswith("breadth-first\t1\tyes\t")
    assert a_star.endswith("\tsolved")


def test_ten_methods_without_a_choice(tilework: Run) -> None:
    rows = table(tilework("compare", NEAR).out)
    assert len({row["method"] for row in rows}) == 10
    assert {row["ended"] for row in rows} == {"solved"}


def test_every_pair_and_an_uninformed_algorithm_once(tilework: Run) -> None:
    done = tilework("compare", NEAR, "--algorithms breadth-first,a-star --heuristics zero,hamming")
    assert [row["method"] for row in table(done.out)] == [
        "breadth-first",
        "a-star:zero",
        "a-star:hamming",
    ]


def test_a_method_given_twice_runs_once(tilework: Run) -> None:
    done = tilework("compare", NEAR, "--method a-star --method a-star:manhattan")
    assert len(table(done.out)) == 1


def test_the_promise_of_one_judges_the_others(tilework: Run) -> None:
    together = tilework("compare", HARDEST, "--method greedy --method a-star")
    assert [(row["length"], row["optimal"]) for row in table(together.out)] == [
        ("47", "no"),
        ("31", "yes"),
    ]
    (alone,) = table(tilework("compare", HARDEST, "--method greedy").out)
    assert alone["optimal"] == "?"


def test_all_formats_tell_the_same(tilework: Run) -> None:
    said = {
        form: tilework("compare", BOARD, "--algorithms a-star,greedy,beam --format", form).out
        for form in ("json", "jsonl", "csv")
    }
    records = json.loads(said["json"])
    assert untimed(list(map(json.loads, said["jsonl"].splitlines()))) == untimed(records)
    for record, row in zip(records, csv.DictReader(io.StringIO(said["csv"])), strict=True):
        assert list(row) == list(record)
        told = {"board": BOARD, "optimal": str(record["optimal"]).lower()}
        for name in record.keys() - set(TIMED):
            value = "" if record[name] is None else str(record[name])
            assert row[name] == told.get(name, value)
    assert [record["length"] for record in records] == [4, 4, 4]
    assert records[2]["beam_width"] == 100


def test_columns_are_those_of_the_http_interface(tilework: Run) -> None:
    (record,) = json.loads(tilework("compare", NEAR, "--method a-star --format json").out)
    assert list(record) == list(ResultDocument.model_fields)
    assert ResultDocument.model_validate(record).length == 1


def test_a_rectangle_in_csv_can_be_read_again(tilework: Run) -> None:
    out = tilework("compare 3x2: 1 2 3 4 0 5 --method a-star --format csv").out
    (row,) = csv.DictReader(io.StringIO(out))
    assert tilework("solve", row["board"]).out == "L\n"


def test_sorted_rows(tilework: Run) -> None:
    options = "--method breadth-first --method a-star --method beam:manhattan:1 --sort"
    rows = table(tilework("compare", HARDEST, options, "visited").out)
    assert [int(row["visited"]) for row in rows] == sorted(int(row["visited"]) for row in rows)
    by_length = table(tilework("compare", HARDEST, options, "length --node-limit 20000").out)
    assert [row["length"] for row in by_length][-1] == ""


def test_an_unknown_column(tilework: Run) -> None:
    done = tilework("compare", NEAR, "--sort size")
    assert done.code == 2
    assert "unknown column 'size'; sort by one of board_index, " in done.err


def test_limits_end_a_run_with_what_it_found(tilework: Run) -> None:
    done = tilework("compare", HARDEST, "--method a-star --node-limit 1000 --format json")
    (record,) = done.json
    assert done.code == 0
    assert (record["stopped_by"], record["state"], record["generated"]) == ("nodes", "done", 1000)
    assert record["length"] is record["optimal"] is record["optimal_length"] is None


@pytest.mark.parametrize(
    ("option", "words"), [("--node-limit 1000", "node limit"), ("--memory-limit 1", "memory limit")]
)
def test_the_limit_that_ended_a_run_is_named(tilework: Run, option: str, words: str) -> None:
    (row,) = table(tilework("compare", HARDEST, "--method breadth-first", option).out)
    assert row["ended"] == words


def test_why_nothing_was_found_is_said_once(tilework: Run) -> None:
    done = tilework("compare", BOARD, "--algorithms backtracking,depth-first-recursive")
    for row in table(done.out):
        assert (row["ended"], row["length"], row["optimal"]) == ("depth limit", "", "")
    (note,) = done.err.splitlines()
    assert note.startswith("backtracking, depth-first-recursive: The recursion reached ")


def test_a_board_that_a_heuristic_does_not_take(tilework: Run) -> None:
    tiles = f"10x10: {' '.join(map(str, range(1, 99)))} 0 99"
    done = tilework("compare", tiles, "--method a-star:walking-distance --method a-star")
    first, second = table(done.out)
    assert (first["ended"], first["visited"], second["length"]) == ("failed", "", "1")
    assert done.err.startswith("a-star:walking-distance: ")


def test_other_goals(tilework: Run) -> None:
    done = tilework("compare 1 2 3 8 4 0 7 6 5 --goal spiral --method a-star")
    assert table(done.out)[0]["length"] == "1"


def test_a_board_from_standard_input(tilework: Run) -> None:
    assert table(tilework("compare --method a-star", stdin=BOARD).out)[0]["length"] == "4"


def test_an_unsolvable_board(tilework: Run) -> None:
    done = tilework("compare", UNSOLVABLE)
    assert (done.code, done.out) == (1, "")
    assert "Inversions (pairs of tiles in the other order than in the goal): 1." in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (f"{NEAR} --method b-star", "unknown algorithm 'b-star'; choose from backtracking,"),
        (f"{NEAR} --method a-star:man", "unknown heuristic 'man'; choose from zero,"),
        (f"{NEAR} --method weighted-a-star:manhattan:0.5", "invalid weight 0.5"),
        (f"{NEAR} --method a-star --algorithms a-star", "give either --method, or --algorithms"),
        (f"{NEAR} --heuristics zero", "--heuristics zero needs algorithms to be paired with"),
        (f"{NEAR} --time-limit 0", "invalid time limit 0.0 s; give more than 0"),
        (f"{NEAR} --time-limit nan", "invalid time limit nan s"),
        (f"{NEAR} --time-limit inf", "invalid time limit inf s"),
        (f"{NEAR} --node-limit -5", "invalid limit of -5 nodes"),
        (f"{NEAR} --node-limit {10**400}", f"invalid limit of 1{'0' * 39} nodes"),
        (f"{NEAR} --memory-limit 0", "invalid memory limit 0 MiB"),
        (f"{NEAR} --width 0", "--width"),
        (f"{NEAR} --goal corner", "--goal: unknown goal 'corner'"),
        (f"{NEAR} --format xml", "'xml' is not one of"),
        (f"{NEAR} --sweep 3", f"give a board or --sweep, not both: '{NEAR}'"),
        (f"{NEAR} --seed 3", "--seed is only for a sweep; say how many boards, as in --sweep 40"),
        ("--sweep 0", "invalid number of boards in a sweep: 0"),
        (
            "--sweep 3 --width 4",
            "--width 4 is only for a board; give the size of a sweep as in --size 4x3",
        ),
        ("--sweep 3 --size 3x", "invalid size '3x'"),
        ("--sweep 3 --size 21", "a board of 21×21 is too large for the lab"),
        ("1 2 3", "do not form a square"),
        ("", "'' contains no board"),
    ],
)
def test_what_is_refused(tilework: Run, arguments: str, said: str) -> None:
    done = tilework("compare", *filter(None, [arguments]))
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_limits_are_those_of_the_service() -> None:
    settings = Settings(_env_file=None)
    assert (settings.lab_seconds, settings.lab_nodes) == (SECONDS, NODES)
    assert (settings.lab_memory_bytes, settings.lab_max_cells) == (MEBIBYTES * 2**20, MAX_CELLS)
