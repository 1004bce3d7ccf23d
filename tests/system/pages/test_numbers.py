"""The scripts write numbers as the server does: `tests/data/numbers.json` is the table of both."""

import json

import pytest

from tests.support.instances import DATA
from tests.system.browser import OpenPage
from tests.system.pages.scripts import resolve_scripts

TABLE = json.loads((DATA / "numbers.json").read_text())
WRITE = resolve_scripts("""async (table) => {
  const numbers = await import("SCRIPTS/numbers.js");
  const { formatDuration } = await import("SCRIPTS/job/formats.js");
  const write = {
    rounded: numbers.formatRounded,
    seconds: formatDuration,
    fraction: numbers.formatPercent,
    ratio: numbers.formatRatio,
  };
  const rows = Object.entries(table);
  return Object.fromEntries(rows.map(([kind, values]) => [kind, values.map(write[kind])]));
}""")


@pytest.mark.parametrize(("column", "locale"), [(1, "en-US"), (2, "pt-BR")])
def test_numbers_are_written_as_in_the_table(
    open_page: OpenPage, web: str, column: int, locale: str
) -> None:
    page = open_page("/statistics", base_url=web, locale=locale)
    values = {kind: [row[0] for row in rows] for kind, rows in TABLE.items()}
    written = page.evaluate(WRITE, values)
    assert written == {kind: [row[column] for row in rows] for kind, rows in TABLE.items()}
