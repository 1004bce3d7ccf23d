from hypothesis import strategies as st

from tilework.core.puzzle.board import Board


@st.composite
def sizes(draw, smallest=1, largest=6):
    return draw(st.integers(smallest, largest)), draw(st.integers(smallest, largest))


@st.composite
def boards(draw, size=None, smallest=1, largest=6):
    width, height = size or draw(sizes(smallest, largest))
    return Board(draw(st.permutations(range(width * height))), width, height)


@st.composite
def walks(draw, board):
    """Return legal moves from a board as letters over UDLR."""
    width, height = board.size
    row, column = divmod(board.blank, width)
    letters = []
    for _ in range(draw(st.integers(0, 40))):
        targets = {
            "U": (row + 1, column),
            "D": (row - 1, column),
            "L": (row, column + 1),
            "R": (row, column - 1),
        }
        legal = [letter for letter, (r, c) in targets.items() if 0 <= r < height and 0 <= c < width]
        if not legal:
            break
        letters.append(draw(st.sampled_from(legal)))
        row, column = targets[letters[-1]]
    return "".join(letters)
