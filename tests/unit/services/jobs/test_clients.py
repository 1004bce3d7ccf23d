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


def test_names_of_keys_can_be_shown_on_one_line(service):
    for name in (
        "x" * 201,
        "",
        " ",
        "a\nb",
        "a\rb",
        "a\tb",
        "a\0b",
        "\x1b[2J",
        "a\u202eb",
        "\u2028",
    ):
        with pytest.raises(OptionError, match="a key cannot be named '") as error:
            service.clients.create_key(name)
        assert str(error.value).isprintable()
        assert len(str(error.value)) < 300
    key, _ = service.clients.create_key("Zoë's laptop, 2nd")
    assert service.clients.list_keys() == [key]
