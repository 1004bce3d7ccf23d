"""Scripts of the pages, to be imported by code that a test runs in the browser."""

from tilework.web.assets import static_version


def with_scripts(code: str) -> str:
    """Put the folder of the scripts in the place of ``SCRIPTS``."""
    return code.replace("SCRIPTS", f"/static/{static_version()}/js")
