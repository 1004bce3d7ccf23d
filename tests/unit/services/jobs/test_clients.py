import pytest

from tilework.core.errors import AuthenticationError, NotFoundError, OptionError


def test_key_identifies_its_client_until_it_is_revoked(service):
    key, secret = service.clients.create_key("laptop")
    assert service.clients.authenticate(secret) == key.client_id
    other, _ = service.clients.create_key("phone", key.client_id)
    assert other.client_id == key.client_id
    assert [found.name for found in service.clients.list_keys(key.client_id)] == ["laptop", "phone"]
    assert len(service.clients.list_keys()) == 2
    with service.database.engine(writes=False).connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM api_key").all()
    assert secret.removeprefix("tw_") not in repr(rows)
    revoked = service.clients.revoke_key(key.id)
    assert revoked.revoked_at == service.clock()
    service.clock.advance(5)
    assert service.clients.revoke_key(key.id) == revoked
    for wrong in (secret, "", "tw_wrong", "' OR 1=1 --"):
        with pytest.raises(AuthenticationError):
            service.clients.authenticate(wrong)


def test_unknown_keys_are_reported(service):
    with pytest.raises(NotFoundError, match="nobody"):
        service.clients.create_key("laptop", "nobody")
    with pytest.raises(NotFoundError, match="nothing"):
        service.clients.revoke_key("nothing")
    with pytest.raises(OptionError, match="201"):
        service.clients.create_key("x" * 201)
