"""The dump of all page texts has every page in both languages."""

from flask import Flask

from tools.devtools.page_texts import dump, texts_of


def test_texts_of_a_page_are_its_words_its_labels_and_those_of_its_scripts() -> None:
    html = (
        '<main data-words=\'{"a": "One", "b": {"c": "Two"}}\'><p>Hello <b>there</b></p>'
        '<button aria-label="Go">x</button><script>no</script></main>'
    )
    assert texts_of(html) == ["Hello there", "[Go]", "x", "  a: One", "  b.c: Two"]


def test_all_pages_are_written_in_both_languages(app: Flask) -> None:
    text = dump(app)
    for name in ("solved job", "waiting job", "comparison", "steps", "game", "/history"):
        assert f"===== {name} (en) =====" in text
        assert f"===== {name} (pt) =====" in text
    assert "31 moves — proven optimal" in text
    assert "31 movimentos — solução ótima comprovada" in text
    assert "Page not found" in text
    assert text.count("\nKeyboard shortcuts\n") == 1
