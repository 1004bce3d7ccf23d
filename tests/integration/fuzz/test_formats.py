"""Whatever is read for a board is one, or is refused in one sentence."""

from tests.integration.fuzz.reading import tried


def test_some_thousand_inputs() -> None:
    told = tried(3_000)
    assert min(told["boards"], told["refused"]) > 200
