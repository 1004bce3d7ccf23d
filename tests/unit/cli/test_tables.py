from tilework.core.cli.console import format_count
from tilework.core.cli.runs import format_bytes


def test_counts_and_bytes_are_short() -> None:
    numbers = (0, 999, 1000, 12_345_678, 5e9)
    assert [format_count(number) for number in numbers] == ["0", "999", "1.0 k", "12.3 M", "5.0 G"]
    sizes = (None, 0, 1023, 1536, 5 << 20, 3 << 30)
    expected = ["", "0 B", "1023 B", "1.5 kB", "5.0 MB", "3.0 GB"]
    assert [format_bytes(size) for size in sizes] == expected
