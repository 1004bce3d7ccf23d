import pytest

from tilework.core.errors import AuthenticationError, NotFoundError, OptionError


def test_key_identifies_its_client_until_it_is_revoked(service):
    key, secret = service.clients.create_key("laptop")
    assert service.clients.authenticate(secret) == key.client_id
    second_key, _ = service.clients.create_key("phone", key.client_id)
    assert second_key.client_id == key.client_id
    assert [key.name for key in service.clients.list_keys(key.client_id)] == ["laptop", "phone"]
    assert len(service.clients.list_keys()) == 2
    with service.database.engine(writes=False).connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM api_key").all()
    assert secret.removeprefix("tw_") not in repr(rows)
    revoked = service.clients.revoke_key(key.id)
    assert revoked.revoked_at == service.clock()
    service.clock.advance(5)
    assert service.clients.revoke_key(key.id) == revoked
    for text in (secret, "", "tw_wrong", "' OR 1=1 --"):
        with pytest.raises(AuthenticationError):
            service.clients.authenticate(text)


def test_unknown_keys_are_reported(service):
    with pytest.raises(NotFoundError, match="unknown"):
        service.clients.create_key("laptop", "unknown")
    with pytest.raises(NotFoundError, match="missing"):
        service.clients.revoke_key("missing")
    with pytest.raises(OptionError, match="201"):
        service.clients.create_key("x" * 201)
