from tilework.core.cli.jobs import describe_progress, format_time_left

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
    "building": {"partition": "5x5 6-6-6-6", "fraction": 0.4},
}
SEARCHING_TEXT = (
    "97 ≤ optimal ≤ 103   37.4% of 97 moves   4 min (2–9 min) left   2:00:00   48.1 G nodes   "
    "118.4 M nodes/s"
)


def test_progress_line_of_a_job() -> None:
    assert describe_progress(WAITING, 3.2) == "62 ≤ optimal   0:00:03   0 nodes   0 nodes/s"
    assert describe_progress(SEARCHING, 7_200.0) == SEARCHING_TEXT
    assert "min) left" not in describe_progress(SEARCHING | {"seconds_left": None}, 1.0)


def test_time_left_is_rounded() -> None:
    for seconds, factor, expected in (
        (0.2, 1.1, "1 s (1–1 s)"),
        (7_000.0, 3.0, "2 h (40 min – 6 h)"),
        (1e6, 1.2, "10 days (10–15 days)"),
        (3e9, 10.0, "95 years (10–950 years)"),
    ):
        estimate = {"seconds_left": seconds, "seconds_left_factor": factor}
        assert format_time_left(estimate) == expected
