"""Removes what people paste around a board: comments, captions, prompts, sizes and sentences."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tilework.core.formats.board_numbers import NO_HINT, SizeHint
from tilework.core.formats.spellings import BLANK, cell_value, rewrite

_BLOCK_COMMENT: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|<!--(?:[^-]|-(?!->))*+(?:-->)?")
# The rest of a line; ``#(1 2 3 0)`` is a vector of Lisp
_COMMENT: Final = re.compile(
    r"(?:(?<![^\s;,}\])\d])|^)(?://|;;|--(?=\s)|#(?!\(\s?[\d#xX_.N'(])|%)[^\n]*", re.MULTILINE
)
_PROMPT: Final = re.compile(
    r"^[ \t]*+(?:>>>|\.\.\.(?!\d)|In ?\[\d*\]:|Out ?\[\d*\]:|[>$](?=[ \t]))", re.MULTILINE
)
_BULLET: Final = re.compile(r"^[ \t]*+(?:[-*•·](?=[ \t])|\d{1,4}[:.)](?=[ \t]))", re.MULTILINE)
_CAPTION: Final = re.compile(r"^[^\n:=<\[({|]*+(?:[:=]+>?|<-)", re.MULTILINE)
_INNER_CAPTION: Final = re.compile(
    r"(?<=\d)\s+[^\W\d_]{3,20}(?: [^\W\d_]{3,20})? ?[:=](?=\s)", re.MULTILINE
)
_END_OF_CODE: Final = re.compile(r";(?=\s*\Z)")
_NUMBERS: Final = re.compile(r"(?<![\w.])\d+(?![\w.])")
_PARENTHESIS: Final = re.compile(r"\([^()\n]*+\)")
_PROSE: Final = re.compile(r"\"?[^\W_](?:[\w'.+/-]*[^\W_])?[\",.;:!?]*|[-!?.,;:\"<>=]+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_GLUED: Final = re.compile(r"\d+[^\W\d]")
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")

_LINE: Final = re.compile(r"[^\n\x1c-\x1e]+")
_WORD: Final = re.compile(r"\S+")
_CELL: Final = re.compile(r"[^\s,;/|\[\](){}]+")
_MIN_SIGNS: Final = 9  # in a word that can be a board
_NEAR: Final = 40  # characters
_WIDTH: Final = "width|columns?|cols?|ncols?|largura|colunas?"
_HEIGHT: Final = "height|rows?|nrows?|altura|linhas?"
_SIDE: Final = "size|side|dim|dimensions?|order|tamanho|lado|[nNkK]"
_SIZES: Final = re.compile(
    r"(?P<cross>(?<![\w.])(?P<w>\d{1,5})(?:[xX*]|(?P<sign> [xX*] )| by | por )"
    r"(?P<h>\d{1,5})(?![\w.])(?: ?:)?)"
    rf"|\b(?:{_WIDTH})\b[\"']?\s?[:=]\s?(?P<width>\d{{1,5}})\b"
    rf"|\b(?:{_HEIGHT})\b[\"']?\s?[:=]\s?(?P<height>\d{{1,5}})\b"
    rf"|\b(?:{_SIDE})[\"']?\s?[:=]\s?(?P<side>\d{{1,5}})\b(?! ?[,xX*])"
    rf"|\b(?P<width2>\d{{1,5}})\s?(?:{_WIDTH})\b|\b(?P<height2>\d{{1,5}})\s?(?:{_HEIGHT})\b",
    re.MULTILINE | re.IGNORECASE,
)


@dataclass(slots=True)
class Surroundings:
    """A text without what is around its boards, the size it states, and what was removed."""

    text: str
    hint: SizeHint = NO_HINT
    removed: list[str] = field(default_factory=list)

    def remove(
        self, pattern: re.Pattern[str], condition: Callable[[re.Match[str]], bool] | None = None
    ) -> None:
        def sign(match: re.Match[str]) -> str:
            if condition is not None and not condition(match):
                return match[0]
            if _LETTERS.search(match[0]) or match[0].strip(" \t:"):
                self.removed.append(match[0].strip())
            return ""

        self.text = rewrite(pattern, self.text, sign)


def remove_surroundings(text: str) -> Surroundings:
    """Return a text without comments, prompts, captions, sizes and sentences."""
    found = Surroundings(text)
    if "/*" in text or "<!--" in text:
        found.remove(_BLOCK_COMMENT)
    found.remove(_COMMENT, lambda comment: _is_comment(found.text, comment))
    found.remove(_PROMPT)
    if _are_bullets(found.text):
        found.remove(_BULLET)
    _take_size(found)
    found.text = _END_OF_CODE.sub(" ", rewrite(_INNER_CAPTION, found.text, "\n"))
    found.remove(_CAPTION, lambda caption: _is_aside(caption[0]))
    found.remove(_PARENTHESIS, lambda parenthesis: _is_aside(parenthesis[0]))
    return found


def _is_comment(text: str, comment: re.Match[str]) -> bool:
    starts_line = not text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()].strip()
    return starts_line or _LETTERS.search(comment[0]) is not None


def _are_bullets(text: str) -> bool:
    """Whether every line with numbers starts with the same bullet, or is numbered."""
    lines = [line for line in text.split("\n") if _NUMBERS.search(line)]
    bullets = [match[0].strip() for line in lines if (match := _BULLET.match(line))]
    if len(lines) < 2 or len(bullets) < len(lines):
        return False
    numbers = [int(bullet[:-1]) for bullet in bullets if bullet[:-1].isdecimal()]
    is_counted = numbers == list(range(numbers[0], numbers[0] + len(lines))) if numbers else False
    return is_counted or len(set(bullets)) == 1


def _take_size(found: Surroundings) -> None:
    sides: dict[str, int] = {}
    is_cross = False
    sizes = [match for match in _SIZES.finditer(found.text) if _is_size(match)]
    for match in sizes:
        values = {
            name.rstrip("2"): int(value)
            for name, value in match.groupdict().items()
            if value and name not in ("cross", "sign")
        }
        if any(sides.get(name, value) != value for name, value in values.items()):
            return
        is_cross = is_cross or match["cross"] is not None
        sides |= values
    if not sides:
        return
    width = sides.get("width", sides.get("w", sides.get("side")))
    height = sides.get("height", sides.get("h", sides.get("side")))
    if 0 in (width, height):
        return
    found.hint = SizeHint(width, height, is_named=not is_cross)
    found.text = rewrite(_SIZES, found.text, lambda match: "" if _is_size(match) else match[0])


def _is_size(match: re.Match[str]) -> bool:
    """Whether a size with spaces is alone on its line, and not a blank between two tiles."""
    before = match.string[max(0, match.start() - _NEAR) : match.start()].rpartition("\n")[2]
    after = match.string[match.end() : match.end() + _NEAR].partition("\n")[0]
    return match["sign"] is None or not _NUMBERS.search(before + after)


def _is_aside(text: str) -> bool:
    return _LETTER.search(text) is not None and len(_NUMBERS.findall(text)) < 2


def trim_words(text: str, removed: list[str]) -> str:
    """Blank words at both ends of lines, and lines with more words than cells."""
    if not _LETTERS.search(text):
        return text
    return _LINE.sub(lambda line: _trim_line(line[0], removed), text)


def _trim_line(line: str, removed: list[str]) -> str:
    words = list(_WORD.finditer(line))
    prose = sum(_is_word(word[0]) for word in words)
    if not prose:
        return line
    cells = [index for index, word in enumerate(words) if not _is_prose(word[0])]
    kept = words[cells[0] : cells[-1] + 1] if cells else []
    signs = [cell for word in kept for cell in _CELL.findall(word[0])]
    is_number = len(signs) < 2 and len("".join(signs)) < _MIN_SIGNS
    if is_number or (any(_is_word(word[0]) for word in kept) and 2 * prose > len(words)):
        kept = []
    start, end = (kept[0].start(), kept[-1].end()) if kept else (len(line), len(line))
    removed += filter(None, (line[:start].strip(), line[end:].strip()))
    return " " * start + line[start:end] + " " * (len(line) - end)


def _is_word(word: str) -> bool:
    is_name = _LETTERS.search(word) is not None and not _GLUED.match(word)
    return is_name and cell_value(word.strip(",;")) != BLANK


def _is_prose(word: str) -> bool:
    """Whether a word at the end of a line is no cell: also punctuation."""
    bare = word.strip('",.;:!?')
    return _is_word(word) or (
        (bare.isalpha() or not bare.isalnum())
        and cell_value(bare) is None
        and _PROSE.fullmatch(word) is not None
    )
