from hypothesis import strategies as st

from tilework.core.puzzle.board import Board


@st.composite
def sizes(draw, least=1, most=6):
    return draw(st.integers(least, most)), draw(st.integers(least, most))


@st.composite
def boards(draw, size=None, least=1, most=6):
    width, height = size or draw(sizes(least, most))
    return Board(draw(st.permutations(range(width * height))), width, height)


@st.composite
def walks(draw, board, most=40):
    """Return legal moves from a board as letters over UDLR."""
    width, height = board.size
    row, column = divmod(board.blank, width)
    letters = []
    for _ in range(draw(st.integers(0, most))):
        ways = {
            "U": (row + 1, column),
            "D": (row - 1, column),
            "L": (row, column + 1),
            "R": (row, column - 1),
        }
        legal = [way for way, (r, c) in ways.items() if 0 <= r < height and 0 <= c < width]
        if not legal:
            break
        letters.append(draw(st.sampled_from(legal)))
        row, column = ways[letters[-1]]
    return "".join(letters)
