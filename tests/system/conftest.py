from tests.system.browsing import browser, open_page, site, web

__all__ = ["browser", "open_page", "site", "web"]
