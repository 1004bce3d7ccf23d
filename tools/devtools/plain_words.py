"""Report phrases of ``plain_words.txt`` in the code, documentation and translations.

Run as ``python -m tools.devtools.plain_words``; the exit code is 1 if there are any.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
LIST: Final = Path(__file__).with_name("plain_words.txt")
_SUFFIXES: Final = {".py", ".md", ".html", ".js", ".css", ".po", ".toml", ".yml"}


class Match(NamedTuple):
    path: Path
    line: int
    phrase: str
    replacement: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: “{self.phrase}”; write: {self.replacement}"


def read_list(text: str) -> dict[str, str]:
    """Return the phrases, in lower case, with their replacements."""
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    pairs = (line.partition(" => ") for line in lines)
    return {phrase.strip().lower(): replacement.strip() for phrase, _, replacement in pairs}


def find_phrases(path: Path, text: str, phrases: Mapping[str, str]) -> Iterator[Match]:
    """Yield the phrases in the text, even if they span lines or string literals."""
    # "a phrase" "in two literals", and comments that continue on the next line
    gap = r"(?:[\s#*]|\"\s*\"|//)+"
    alternatives = "|".join(gap.join(map(re.escape, words.split())) for words in phrases)
    for match in re.finditer(rf"(?<!\w)(?:{alternatives})(?!\w)", text, re.IGNORECASE):
        phrase = " ".join(re.sub(r'[#*"/]', " ", match[0]).lower().split())
        line = text.count("\n", 0, match.start()) + 1
        yield Match(path, line, phrase, phrases.get(phrase, ""))


def main() -> int:
    phrases = read_list(LIST.read_text(encoding="utf-8"))
    files = subprocess.run(
        ["git", "ls-files", "-z"],  # noqa: S607 - git is on the path
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    count = 0
    for name in filter(None, files.stdout.split("\0")):
        path = ROOT / name
        if path.suffix not in _SUFFIXES or path.is_symlink() or not path.is_file():
            continue
        for match in find_phrases(Path(name), path.read_text(encoding="utf-8"), phrases):
            print(match)
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
