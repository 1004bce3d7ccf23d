from tests.system.browsing import browser, device, open_page, site, site_databases, web

__all__ = ["browser", "device", "open_page", "site", "site_databases", "web"]
