from tilework.core.cli.console import format_count


def test_counts_are_short() -> None:
    numbers = (0, 999, 1000, 12_345_678, 5e9)
    assert [format_count(number) for number in numbers] == ["0", "999", "1.0 k", "12.3 M", "5.0 G"]
