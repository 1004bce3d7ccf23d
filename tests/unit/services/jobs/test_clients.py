import pytest

from tilework.core.errors import OptionError


def test_secrets_are_not_stored_and_keys_are_revoked_once(service):
    key, secret = service.clients.create_key("laptop")
    with service.database.engine(writes=False).connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM api_key").all()
    assert secret.removeprefix("tw_") not in repr(rows)
    revoked = service.clients.revoke_key(key.id)
    assert revoked.revoked_at == service.clock()
    service.clock.advance(5)
    assert service.clients.revoke_key(key.id) == revoked
    with pytest.raises(OptionError, match="201"):
        service.clients.create_key("x" * 201)
