import re

from tests.support import naive
from tests.support.cli.runner import Run


def test_following_hints_solves_the_board_optimally(tilework: Run) -> None:
    tiles = (8, 1, 3, 4, 0, 2, 7, 6, 5)
    letters = {"up": "U", "down": "D", "left": "L", "right": "R"}
    for count in range(13, 0, -1):
        output = tilework("hint", *map(str, tiles)).out
        match = re.fullmatch(rf"move tile (\d) (\w+) \({count} moves? left, optimal\)\n", output)
        assert match is not None, output
        neighbor = naive.apply_move(tiles, 3, letters[match[2]])
        assert neighbor.index(0) == tiles.index(int(match[1]))
        tiles = neighbor
    output = tilework("hint", *map(str, tiles)).out
    match = re.fullmatch(r"move tile (\d) (\w+) \(this solves the board\)\n", output)
    assert match is not None, output
    assert naive.apply_move(tiles, 3, letters[match[2]]) == naive.solved_tiles(3, 3)


def test_hint_as_json(tilework: Run) -> None:
    assert tilework("hint --json 1 2 3 4 0 6 7 5 8").json == {
        "solved": False,
        "tile": 5,
        "direction": "up",
        "lower_bound": 2,
        "upper_bound": 2,
        "optimal": True,
        "moves": "UL",
    }
    solved = tilework("hint --json 1 2 3 4 5 6 7 8 0").json
    assert (solved["solved"], solved["tile"], solved["moves"]) == (True, None, "")


def test_unsolvable_board_gets_no_hint(tilework: Run) -> None:
    result = tilework("hint 1 2 3 4 5 6 8 7 0")
    assert (result.code, result.out) == (1, "")
    assert "cannot reach its goal" in result.err
    assert tilework("hint 1 2 3 3").code == 2
