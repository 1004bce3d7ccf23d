"""Prepare the code blocks of the documentation for the site's renderer.

After a block's language, the pages say how tests run the block (``console serves``). GitHub ignores
that, but the renderer would not recognise the start of the block.
"""

from __future__ import annotations

import re
from typing import Final

_OPENING: Final = re.compile(r"^(\s*```\w+) .*$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Remove all but the language of each block; mkdocs calls this for each page."""
    return _OPENING.sub(r"\1", markdown)
