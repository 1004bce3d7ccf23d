"""The tables and pictures of the documents are those of the stored results."""

from tools.benchmarks.page import make_documents


def test_tables_and_pictures_are_up_to_date() -> None:
    documents = make_documents()
    outdated = [
        path.name
        for path, text in documents.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    assert outdated == [], "run: python -m tools.benchmarks page"
    assert len(documents) > 4
