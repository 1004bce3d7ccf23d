import pytest

from tilework.core.errors import AuthenticationError, NotFoundError, OptionError


def test_a_key_stands_for_its_client_until_it_is_revoked(house):
    key, secret = house.clients.create_key("laptop")
    assert house.clients.authenticate(secret) == key.client_id
    other, _ = house.clients.create_key("phone", key.client_id)
    assert other.client_id == key.client_id
    assert [found.name for found in house.clients.list_keys(key.client_id)] == ["laptop", "phone"]
    assert len(house.clients.list_keys()) == 2
    with house.database.engine(writes=False).connect() as connection:
        rows = connection.exec_driver_sql("SELECT * FROM api_key").all()
    assert secret.removeprefix("tw_") not in repr(rows)
    revoked = house.clients.revoke_key(key.id)
    assert revoked.revoked_at == house.clock()
    house.clock.turn(5)
    assert house.clients.revoke_key(key.id) == revoked
    for wrong in (secret, "", "tw_wrong", "' OR 1=1 --"):
        with pytest.raises(AuthenticationError):
            house.clients.authenticate(wrong)


def test_what_does_not_exist_is_said_so(house):
    with pytest.raises(NotFoundError, match="nobody"):
        house.clients.create_key("laptop", "nobody")
    with pytest.raises(NotFoundError, match="nothing"):
        house.clients.revoke_key("nothing")
    with pytest.raises(OptionError, match="201"):
        house.clients.create_key("x" * 201)
