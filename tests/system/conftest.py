from tests.system.browser import browser, open_page, site, web

__all__ = ["browser", "open_page", "site", "web"]
