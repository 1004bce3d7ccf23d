from tilework.core.cli.remote.job_display import format_time_left


def test_time_left_is_rounded() -> None:
    for seconds, factor, words in (
        (0.2, 1.1, "1 s (1–1 s)"),
        (7_000.0, 3.0, "2 h (40 min – 6 h)"),
        (1e6, 1.2, "10 days (10–15 days)"),
        (3e9, 10.0, "95 years (10–950 years)"),
    ):
        assert format_time_left({"seconds_left": seconds, "seconds_left_factor": factor}) == words
