"""Lets code that a test runs in the browser import the scripts of the pages."""

from tilework.web.assets import static_version


def resolve_scripts(code: str) -> str:
    """Replace ``SCRIPTS`` with the URL of the folder of scripts."""
    return code.replace("SCRIPTS", f"/static/{static_version()}/js")
