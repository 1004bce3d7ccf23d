"""The spellings of tiles, blanks and separators, and of what people paste around a board."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from math import isqrt
from typing import Final, NamedTuple

from tilework.core.errors import BoardSyntaxError
from tilework.core.messages import Message
from tilework.core.puzzle.board import Size

EXAMPLE: Final = "0 1 3 4 2 5 7 8 6"
MAX_QUOTED: Final = 40

BLANK: Final = -2  # the value of a cell that is spelled as a blank, unlike 0, which can be a tile
PLAIN_BLANKS: Final = frozenset({"0", "x", "X", "_", ".", "", "None", "null"})
_BLANK_WORDS: Final = frozenset(
    {"x", "b", "e", "o", "none", "null", "nil", "nan", "na", "undefined"}
    | {"blank", "empty", "hole", "gap", "space", "vazio", "vazia", "branco"}
)
# ASCII signs that mean something else in a program or in prose
_NO_BLANKS: Final = frozenset("()[]{}<>=:;,/|\\!\"'$&%…")
_DECIMAL: Final = re.compile(r"([0-9]+)(?:\.0*)?")
_HEXADECIMAL: Final = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
_MAX_DIGITS: Final = 10

# Characters that only binary files contain
_BINARY: Final = re.compile("[\x00-\x08\x0e-\x1a\x7f\ufffd]")
# Words whose signs are the digits and letters of other alphabets, in Unicode's decompositions
_PLAIN_FORMS: Final = ("<wide>", "<narrow>", "<font>", "<circle>", "<compat>")
_BRACKETS: Final = {"Ps": "[", "Pi": "[", "Pe": "]", "Pf": "]"}
_SIGNS: Final = {
    **dict.fromkeys("│┃║╎╏┆┇┊┋｜¦", "|"),
    **dict.fromkeys("→⇒⟶➔➜➡⟹↦", " -> "),
    **dict.fromkeys("“”„‟«»＂", '"'),
    **dict.fromkeys("‘’‚‛`´", "'"),
    **dict.fromkeys("−‐‑‒–—―", "-"),
    **{"×": "x", "\u20e3": " ", "🔟": " 10 ", "；": ";", "，": ",", "、": ",", "…": "..."},
}


def shorten(symbol: str) -> str:
    """Truncate quoted input to a readable length."""
    return symbol if len(symbol) <= MAX_QUOTED else symbol[: MAX_QUOTED - 1] + "…"


def cell_value(cell: str) -> int | None:
    """Return the number in a cell, `BLANK` for a blank, or None for anything else."""
    if len(cell) <= _MAX_DIGITS and cell.isdecimal() and cell.isascii():
        return int(cell)
    if cell.lower() in _BLANK_WORDS:
        return BLANK
    if cell == "-1":
        return -1
    if len(cell) > MAX_QUOTED:
        return None
    if match := _DECIMAL.fullmatch(cell):
        return int(match[1]) if len(match[1]) <= _MAX_DIGITS else None
    if _HEXADECIMAL.fullmatch(cell):
        return int(cell, 16)
    is_sign = not any(map(str.isalnum, cell)) and not _NO_BLANKS.intersection(cell)
    return BLANK if is_sign and cell not in {"...", ".."} else None


def not_a_tile(symbol: str) -> Message:
    if len(symbol) > _MAX_DIGITS and symbol.isascii() and symbol.removeprefix("-").isdigit():
        return Message("tile-too-large", "{tile} is too large for a tile", tile=shorten(symbol))
    return Message(
        "tile",
        "{tile!r} is not a tile; tiles are whole numbers, the blank is 0, X, _ or .",
        tile=shorten(symbol),
    )


def decode(content: bytes) -> str | None:
    """Decode text in UTF-8, in UTF-16 with its mark, or else in Latin-1; None for other content."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16",) if is_utf16 else ("utf-8-sig", "cp1252", "latin-1"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if _BINARY.search(text) else text
    return None


@dataclass(frozen=True, slots=True)
class Source:
    """A text as it was given, and as it is read: with plain digits, spaces and separators.

    `text` is rewritten further only by texts of the same length, so that offsets stay valid.
    """

    given: str
    text: str

    @classmethod
    def of(cls, text: str) -> Source:
        given = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        if match := _BINARY.search(given):
            raise BoardSyntaxError(
                "no-text",
                "this is not text but the content of another file, such as a picture: it has the "
                "character U+{code}; write a board like {example}",
                code=f"{ord(match[0]):04X}",
                example=EXAMPLE,
            )
        return cls(given, given if given.isascii() else given.translate(_table(given)))

    def error(self, offset: int, message: Message) -> BoardSyntaxError:
        """Return an error with the line and column, from 1, of an offset in the text."""
        if self.given != self.text:
            table = _table(self.given)
            start, end = 0, len(self.given) + 1
            while end - start > 1:  # halves are rewritten again, which takes linear time
                middle = (start + end) // 2
                length = len(self.given[start:middle].translate(table))
                if length <= offset:
                    start, offset = middle, offset - length
                else:
                    end = middle
            offset = start
        line = self.given.count("\n", 0, offset) + 1
        return BoardSyntaxError(
            message, line=line, column=offset - self.given.rfind("\n", 0, offset)
        )


def _table(text: str) -> dict[int, str]:
    return {ord(sign): _plain_sign(sign) for sign in set(text) if not sign.isascii()}


@cache
def _plain_sign(sign: str) -> str:
    """Return what a character outside ASCII stands for."""
    if sign in _SIGNS:
        return _SIGNS[sign]
    category = unicodedata.category(sign)
    if category == "Nd":
        return str(unicodedata.decimal(sign))
    if category in _BRACKETS:
        return _BRACKETS[category]
    if category in ("Cf", "Mn"):
        return ""
    if category in ("Zs", "Zl", "Zp", "Cc"):
        return " " if category == "Zs" else "\n"
    if "\u2500" <= sign <= "\u257f":
        return "-"
    if unicodedata.decomposition(sign).startswith(_PLAIN_FORMS):
        plain = unicodedata.normalize("NFKC", sign)
        return plain if len(plain) == 1 and not sign.isnumeric() else f" {plain.strip('()')} "
    return f" {sign} " if category[0] in "SP" else sign


def rewrite(pattern: re.Pattern[str], text: str, sign: str | Callable[[re.Match[str]], str]) -> str:
    """Replace matches by a sign, or by what a function returns, filled up with spaces."""

    def replace(match: re.Match[str]) -> str:
        new = sign if isinstance(sign, str) else sign(match)
        rest = re.sub(r"[^\n]", " ", match[0][len(new) :])
        return new + rest

    return pattern.sub(replace, text)


_EMPTY_ELEMENT: Final = re.compile(r"<(td|th|div|span|li|button)\b[^<>]{0,300}>\s{0,99}</\1>")
_TAG: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]{0,9})\b[^<>]{0,300}>|&nbsp;|&#160;")
_ESCAPE: Final = re.compile(
    r"\\(?:begin|end) ?\{[^{}\n]{0,40}\}(?:\[[^]\n]{0,40}\])?(?:\{[^{}\n]{0,40}\})?"
    r"|\\(?P<blank>square|Box|blacksquare|phantom\{\w{0,3}\}|cdot|bullet|varnothing|text\{ ?\})"
    r"|\\(?P<row>\\|n(?![a-z])|cr\b)(?:\[\w{0,9}\])?|\\(?:[a-z]{2,12}\b|[][(),;! t])|\$"
)
_QUOTED: Final = re.compile(r"""(?<!\w)(["'])([^"'\n]*)\1(?!\w)""")
# Numbers joined by the same sign: 1-2-3-0
_JOINED: Final = re.compile(
    r"(?<![^\s/,;|=:(])\d{1,5}([-_:.~]|[-=]>)\d{1,5}(?:\1\d{1,5})+(?![^\s/,;|])"
)
_LONG_QUOTES: Final = re.compile("\"\"\"|'''|```[a-z]*")
_PREFIX: Final = re.compile(
    r"['#`]+(?=\()|(?<![\w)\]])[a-z]+!(?=\[)|%[wiW](?=[\[({])|(?<=\[)\||\|(?=\])"
)
RULE: Final = "\x1f"  # a line between rows, which does not divide boards as an empty one does
# Possessive quantifiers do not backtrack, which takes quadratic time on long lines
_RULE: Final = re.compile(r"^[ \t|:]*+[-+=_~*][-+|:=_~* \t]*+$", re.MULTILINE)
_TWO_SIGNS: Final = re.compile(r"[-+=_~*][ \t|:]*+[-+=_~*]")


def rewrite_notation(text: str) -> str:
    """Rewrite HTML, LaTeX, string literals and ruled tables into cells, bars, rows and brackets."""
    if "<" in text and "</" in text:
        text = rewrite(_EMPTY_ELEMENT, text, lambda tag: "|_" if tag[1] in ("td", "th") else "_")
        text = rewrite(_TAG, text, _tag_sign)
    text = text.replace("&", "|")
    if '"' in text or "'" in text or "`" in text or "(" in text or "[" in text:
        text = rewrite(_LONG_QUOTES, text, "")
        text = rewrite(_PREFIX, text, "")
        text = _QUOTED.sub(_unquote, text)
    if "\\" in text:
        text = rewrite(
            _ESCAPE, text, lambda match: {"blank": "_", "row": "\n"}.get(match.lastgroup or "", "")
        )
    if any(sign in text for sign in "-=_~+*:."):
        text = _RULE.sub(
            lambda line: RULE.ljust(len(line[0])) if _TWO_SIGNS.search(line[0]) else line[0], text
        )
        text = _JOINED.sub(lambda match: match[0].replace(match[1], " " * len(match[1])), text)
    return text


def _tag_sign(tag: re.Match[str]) -> str:
    name = (tag[1] or "").lower()
    if name in ("td", "th"):
        return " " if tag[0][1] == "/" else "|"
    return "\n" if name in ("tr", "br", "p", "table") else " "


def _unquote(match: re.Match[str]) -> str:
    inner = match[2]
    if not inner.strip():
        return "_".center(len(match[0]))
    is_row = any(sign in inner.strip() for sign in " ,\t")
    return f"({inner})" if is_row else f" {inner} "


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
# Every size has such a word or sign, and to look for these first is faster.
_SIZE_WORD: Final = re.compile(rf"[x*]|by|por|{_WIDTH}|{_HEIGHT}|{_SIDE}", re.IGNORECASE)
_WORDS: Final = re.compile(r"[^\W\d_]+|\*")


class SizeHint(NamedTuple):
    """The size that a text states.

    `is_named` if it calls the sides width and height, so that rows have that width; `is_exact` if
    a flat list has it: 4x3 is four wide, but rows can be three wide.
    """

    width: int | None = None
    height: int | None = None
    is_named: bool = True
    is_exact: bool = True

    def matches(self, size: Size) -> bool:
        return self._fits(*size) or (not self.is_named and self._fits(size.height, size.width))

    def _fits(self, width: int, height: int) -> bool:
        return self.width in (None, width) and self.height in (None, height)

    def sizes(self, count: int) -> list[Size]:
        """Return the sizes of a flat list: a square, if no other is stated."""
        side = isqrt(count)
        width = self.width or (count // self.height if self.height else side)
        height = self.height or (count // self.width if self.width else side)
        sizes = [Size(width, height)]
        if not self.is_exact and width != height:
            sizes.append(Size(height, width))
        return [size for size in sizes if size.cells == count]


NO_HINT: Final = SizeHint()


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
    if not any(map(_SIZE_WORD.fullmatch, set(_WORDS.findall(found.text)))):
        return
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
