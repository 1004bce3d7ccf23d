"""The system as processes behind proxies, and what its database holds."""
