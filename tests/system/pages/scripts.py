"""Scripts of the pages, for import by code that a test runs in the browser."""

from tilework.web.assets import static_version


def with_scripts(code: str) -> str:
    """Replace ``SCRIPTS`` by the folder of the scripts."""
    return code.replace("SCRIPTS", f"/static/{static_version()}/js")
