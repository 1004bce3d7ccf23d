import json

import pytest
from flask import Flask
from flask_babel import force_locale

from tests.support.instances import DATA
from tilework.web.pages import numbers

TABLE = json.loads((DATA / "numbers.json").read_text())


@pytest.mark.parametrize("kind", TABLE)
def test_numbers_are_written_as_in_the_table(app: Flask, kind: str) -> None:
    write = getattr(numbers, f"format_{kind}")
    for column, language in ((1, "en"), (2, "pt")):
        with app.test_request_context(), force_locale(language):
            written = [write(row[0]) for row in TABLE[kind]]
        assert written == [row[column] for row in TABLE[kind]]
