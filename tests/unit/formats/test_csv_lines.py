from tilework.core.formats.downloads import csv_lines


def test_cells_cannot_be_formulas() -> None:
    texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "1 + 1 = 2", ""]
    text = "".join(csv_lines(["name"], [[text] for text in [*texts, -1, None]]))
    assert text == (
        "name\r\n'=1+1\r\n'+1\r\n'-1\r\n'@SUM(A1)\r\n'\t=1\r\n"
        '"\'\r=1"\r\n"\'\n=1"\r\n1 + 1 = 2\r\n""\r\n-1\r\n""\r\n'
    )
