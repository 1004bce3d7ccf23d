from tilework.core.cli.jobs import (
    describe_progress,
    format_field,
    format_time_left,
    job_fields,
)

WAITING = {"id": "7", "state": "queued", "options": {"metric": "moves"}}
WAITING |= {"lower_bound": 62, "upper_bound": None}
WAITING |= {"progress": 0.0, "nodes": 0, "nodes_per_s": 0.0}
SEARCHING = WAITING | {
    "state": "running",
    "lower_bound": 97,
    "upper_bound": 103,
    "threshold": 97,
    "progress": 0.374,
    "nodes": 48_113_209_776,
    "nodes_per_s": 118.4e6,
    "seconds_left": 250.0,
    "seconds_left_factor": 2.1,
    "threshold_seconds_left": 95.0,
    "threshold_seconds_left_factor": 1.6,
    "building": {"partition": "5x5 6-6-6-6", "fraction": 0.4},
}
SEARCHING_TEXT = (
    "97 ≤ optimal ≤ 103   37.4% of 97 moves   48.1 G nodes   118.4 M nodes/s   "
    "4 min (2–9 min) left   this threshold: 2 min (60 s – 3 min)   2:00:00"
)


def test_progress_line_of_a_job() -> None:
    assert describe_progress(WAITING, 3.2) == "62 ≤ optimal   0 nodes   0 nodes/s   0:00:03"
    assert describe_progress(SEARCHING, 7_200.0) == SEARCHING_TEXT
    assert "min) left" not in describe_progress(SEARCHING | {"seconds_left": None}, 1.0)
    assert "this threshold" not in describe_progress(SEARCHING | {"upper_bound": 99}, 1.0)


def test_large_board_is_described_by_its_gap() -> None:
    job = WAITING | {"lower_bound": 1_000, "upper_bound": 1_304}
    assert describe_progress(job, 61.0) == (
        "1000 ≤ optimal ≤ 1304   gap 30.4%   1.304 × lower bound   0:01:01   0 nodes   0 nodes/s"
    )


def test_fields_are_formatted_as_in_the_progress_line() -> None:
    job = SEARCHING | {"lower_bound": 450, "upper_bound": 1_361, "gap": 911 / 450}
    fields = job_fields(job)
    line = describe_progress(job | {"threshold": None}, 61.0)
    assert line.startswith("450 ≤ optimal ≤ 1361   gap 202.5%   3.025 × lower bound")
    assert (fields["gap"], fields["progress"]) == ("202.5%", "37.4%")
    assert fields["nodes_per_s"] == "118.4 M"
    assert format_field("best_ratio", 1_361 / 450) == "3.025"
    assert format_field("oldest_wait_s", 1234.56) == "1234.6"
    assert format_field("status", None) == ""


def test_only_known_fields_are_shown() -> None:
    fields = {"id": "7", "state": "queued", "lower_bound": "62"}
    assert job_fields(WAITING) == fields | {"progress": "0.0%", "nodes": "0", "nodes_per_s": "0"}
    details = job_fields(SEARCHING)
    assert details["time_left"] == "4 min (2–9 min)"
    assert details["threshold_time_left"] == "2 min (60 s – 3 min)"
    assert details["building"] == "5x5 6-6-6-6, 40%"
    minimal = {"options": {"metric": "moves"}, "upper_bound": None}
    assert job_fields(minimal | {name: WAITING[name] for name in fields}) == fields


def test_time_left_is_rounded() -> None:
    for seconds, factor, expected in (
        (0.2, 1.1, "1 s (1–1 s)"),
        (7_000.0, 3.0, "2 h (40 min – 6 h)"),
        (1e6, 1.2, "10 days (10–15 days)"),
        (3e9, 10.0, "95 years (10–950 years)"),
    ):
        estimate = {"seconds_left": seconds, "seconds_left_factor": factor}
        assert format_time_left(estimate) == expected
