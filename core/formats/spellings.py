"""The spellings of tiles, blanks and separators, and of what people paste around a board."""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

from tilework.core.errors import BoardSyntaxError
from tilework.core.messages import Message

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
            offset = bisect_left(
                range(len(self.given)),
                offset + 1,
                key=lambda end: len(self.given[: end + 1].translate(table)),
            )
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
