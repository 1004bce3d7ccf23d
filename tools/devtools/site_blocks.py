"""Blocks of the pages as the site's renderer takes them.

The pages say after a block's language how it is tried (``console serves``). GitHub shows no more
than the block; the renderer would take such a line for text, and what follows for code.
"""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(r"^(\s*```\w+) .*$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Leave a block's language alone; mkdocs calls this for each page."""
    return _OPENING.sub(r"\1", markdown)
