from tilework.core.redaction import redact
from tilework.core.settings import Settings

CANARY = "k4n4r13n/v0g3l"


def test_apparent_secrets_are_hidden() -> None:
    for text in (
        f"Authorization: Bearer {CANARY}",
        f"{{'HTTP_AUTHORIZATION': 'Bearer {CANARY}'}}",
        f"('Cookie', 'language=en; tilework_client={CANARY}')",
        f"set-cookie: a={CANARY}; Path=/",
        f"X-Api-Key: {CANARY}",
        f"'HTTP_X_AUTH_TOKEN': b'{CANARY}'",
        f"Proxy-Authorization: Basic {CANARY}",
        f"cannot reach redis://:{CANARY}@broker:6379/0",
        f"cannot reach postgresql+psycopg://me:{CANARY}@db/tilework",
    ):
        assert CANARY not in redact(text)


def test_secrets_of_the_settings_are_hidden_also_if_quoted() -> None:
    # Not CANARY: a secret of the settings stays hidden in later tests.
    secret = "w4ch/t3r"
    for quoted in (secret, "w4ch%2Ft3r", "w4ch%2ft3r"):
        Settings(database_url=f"postgresql://me:{quoted}@db/tilework")
        assert redact(f"<{quoted}> <{secret}>") == "<[hidden]> <[hidden]>"


def test_other_text_is_unchanged() -> None:
    for text in (
        "[search-2] ready queues=batch",
        "http://127.0.0.1:8000/api/v1/jobs?before=1",
        "a basic search of 24 tiles at 12:30:59",
        "sqlite:////srv/data/tilework.sqlite",
        "redis://broker.example:6379/0",
    ):
        assert redact(text) == text
