import csv
import io
import json
from typing import Any

from tests.support.cli.runner import Run
from tilework.core.formats.downloads import RUN_COLUMNS

BOARD = "0 1 3 4 2 5 7 8 6"
NEAR = "1 2 3 4 5 6 7 X 8"
HARDEST = "8 6 7 2 5 4 3 0 1"
MEASURED = ("seconds", "memory_bytes")
SWEEP = "compare --sweep 4 --size 3x2 --moves 20 --method greedy,a-star --format jsonl"


def read_table(out: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(out), delimiter="\t"))


def read_records(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def remove_times(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: row[name] for name in row if name not in MEASURED} for row in rows]


def test_choice_of_methods(tilework: Run) -> None:
    def list_methods(options: str) -> list[str]:
        rows = read_table(
            tilework("compare", NEAR, "--time-limit 600", *filter(None, [options])).out
        )
        assert {row["ended"] for row in rows} == {"solved"}
        return [row["method"] for row in rows]

    assert len(list_methods("")) == 10
    methods = list_methods("--method breadth-first,a-star:zero --method a-star:hamming")
    assert methods == ["breadth-first", "a-star:zero", "a-star:hamming"]
    assert list_methods("--method a-star --method a-star:manhattan") == ["a-star:manhattan"]


def test_length_proven_by_one_method_rates_the_others(tilework: Run) -> None:
    result = tilework("compare", HARDEST, "--method greedy --method a-star")
    rows = read_table(result.out)
    assert [(row["length"], row["optimal"]) for row in rows] == [("47", "no"), ("31", "yes")]
    (alone,) = read_table(tilework("compare", HARDEST, "--method greedy").out)
    assert alone["optimal"] == "?"
    spiral = tilework("compare --goal spiral --method a-star", stdin="1 2 3 8 4 0 7 6 5")
    assert read_table(spiral.out)[0]["length"] == "1"
    assert tilework("compare 1 2 3 4 5 6 8 7 0").code == 1


def test_all_formats_have_the_same_content(tilework: Run) -> None:
    command = ("compare", BOARD, "--method a-star,greedy,beam --format")
    outputs = {name: tilework(*command, name).out for name in ("json", "jsonl", "csv")}
    documents = json.loads(outputs["json"])
    assert remove_times(read_records(outputs["jsonl"])) == remove_times(documents)
    for record, row in zip(documents, csv.DictReader(io.StringIO(outputs["csv"])), strict=True):
        assert list(row) == list(record) == list(RUN_COLUMNS)
        expected = {"board": BOARD, "optimal": str(record["optimal"]).lower()}
        for name in record.keys() - set(MEASURED):
            value = "" if record[name] is None else str(record[name])
            assert row[name] == expected.get(name, value)
    assert [record["length"] for record in documents] == [4, 4, 4]
    assert documents[2]["beam_width"] == 100


def test_run_reports_the_limit_that_stopped_it(tilework: Run) -> None:
    (record,) = tilework("compare", HARDEST, "--method a-star --node-limit 1000 --format json").json
    assert (record["stopped_by"], record["state"], record["generated"]) == ("nodes", "done", 1000)
    assert record["length"] is record["optimal"] is record["optimal_length"] is None
    for option, expected in {
        "--node-limit 1000": "node limit",
        "--memory-limit 1": "memory",
    }.items():
        (row,) = read_table(tilework("compare", HARDEST, "--method breadth-first", option).out)
        assert row["ended"].startswith(expected)


def test_invalid_options_are_rejected(tilework: Run) -> None:
    for arguments, message in (
        (f"{NEAR} --node-limit {10**400}", "invalid --node-limit 1000"),
        (f"{NEAR} --sweep 3", f"give a board or --sweep, not both: '{NEAR}'"),
        (f"{NEAR} --seed 3", "--seed applies to a sweep"),
        ("--sweep 3 --width 4", "--width 4 applies to a single board"),
        ("--sweep 3 --size 3x", "invalid size '3x'"),
        ("--sweep 3 --size 4x40000", "'4x40000': sides must be between 1 and 32768"),
    ):
        result = tilework("compare", arguments)
        assert (result.code, result.out) == (2, "")
        assert message in result.err


def test_each_row_of_a_sweep_has_its_board_and_the_optimal_length(tilework: Run) -> None:
    rows = read_records(tilework(SWEEP).out)
    assert [row["board_index"] for row in rows] == [0, 0, 1, 1, 2, 2, 3, 3]
    for row in rows:
        board = "3x2: " + " ".join(map(str, row["board"]))
        assert len(tilework("solve", board).out.strip()) == row["optimal_length"]
        assert row["optimal"] == (row["length"] == row["optimal_length"])
    # `scramble` generates the same boards.
    last = read_records(tilework(SWEEP, "--seed 7").out)[-1]["board"]
    scrambled = tilework("scramble 3x2 --seed 10 --moves 20").out
    assert scrambled == "3x2: " + " ".join(map(str, last)) + "\n"
    assert tilework(SWEEP.replace("jsonl", "table")).out.startswith("board_index\toptimal_length\t")
