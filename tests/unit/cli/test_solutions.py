from tests.support.cli.runner import Run

FARTHEST = "8 6 7 2 5 4 3 0 1"


def test_shortest_solutions_are_counted_and_listed(tilework: Run) -> None:
    result = tilework(f"ways {FARTHEST} --list 2 --fewest-turns")
    assert result.code == 0
    *fields, first, second = result.out.splitlines()
    facts = [tuple(part.strip() for part in line.split("  ", 1)) for line in fields]
    assert [value for _, value in facts[:3]] == ["31", "40", "527"]
    assert facts[3][1].endswith("(20 slides)")
    assert first < second
    assert len(first) == len(second) == 31
    document = tilework(f"ways {FARTHEST} --json --list 3 --fewest-turns").json
    assert (document["length"], document["count"], document["lower_bound"]) == (31, 40, 31)
    assert (len(document["solutions"]), document["fewest_turns"]["slides"]) == (3, 20)


def test_limits_and_errors(tilework: Run) -> None:
    assert tilework("ways --time-limit 0", FARTHEST).out == ""
    result = tilework("ways --json --time-limit 0", FARTHEST)
    assert (result.code, result.json["count"], result.json["stopped_by"]) == (1, None, "time")
    assert tilework("ways 1 2 3 4 5 6 8 7 0").code == 1
    assert tilework("ways 1 2 3 4 5 6 8 8 0").code == 2
    rejected = tilework("ways -", stdin=tilework("scramble 5 --seed 1").out)
    assert rejected.code == 2
    assert "up to 16 cells" in rejected.err
    graph = tilework("ways 1 2 3 4 0 6 7 5 8 --dot").out
    assert graph.startswith("digraph")
    assert graph.count("->") == 2
