"""Settings come from what is given, then the environment, then the defaults, and are refused where they are wrong."""

from pathlib import Path
from typing import Any

import pytest

from utterly.errors import ServerError
from utterly.server.settings import ServerSettings, read_api_keys


def test_what_is_given_beats_the_environment_and_that_the_defaults() -> None:
    environment = {"UTTERLY_PORT": "9000", "UTTERLY_HOST": "0.0.0.0", "PORT": "1"}  # noqa: S104 - listens nowhere
    settings = ServerSettings.read(environment, port=9001, workers=None)
    assert (settings.port, settings.host, settings.workers) == (9001, "0.0.0.0", 1)  # noqa: S104


def test_settings_survive_the_way_through_the_environment() -> None:
    settings = ServerSettings(
        port=1,
        model="zh",
        threads=2,
        timeout=2.5,
        api_keys=("a", "b"),
        cors_origins=("https://x.example",),
        log_text=True,
    )
    assert ServerSettings.read(settings.to_environment()) == settings
    assert ServerSettings.read(ServerSettings().to_environment()) == ServerSettings()


@pytest.mark.parametrize(
    ("name", "text", "must"),
    [
        ("PORT", "eighty", "port must be a whole number, got 'eighty'; set it with --port or UTTERLY_PORT"),
        ("PORT", "70000", "port must be a whole number from 0 to 65535, got 70000; set it with --port or UTTERLY_PORT"),
        ("WORKERS", "0", "workers must be a whole number of at least 1, got 0; "),
        ("THREADS", "257", "threads must be at most 256, got 257; set it with --threads or UTTERLY_THREADS"),
        ("TIMEOUT", "-1", "timeout must be seconds, 0 or more, got -1.0; "),
        ("TIMEOUT", "soon", "timeout must be a number of seconds, got 'soon'; "),
        ("TIMEOUT", "nan", "timeout must be seconds, 0 or more, got nan; "),
        (
            "LOG_TEXT",
            "perhaps",
            "log_text must be yes or no, got 'perhaps'; set it with --log-text or UTTERLY_LOG_TEXT",
        ),
        ("LOG_LEVEL", "loud", "log_level must be one of debug, info, warning, error, got 'loud'; "),
        ("MAX_QUEUE", "2", "max_queue must be at least max_batch (64), got 2; "),
        ("API_KEYS", "schlüssel", "api_keys must be printable ASCII, got 'other characters'; "),
    ],
)
def test_a_wrong_variable_is_refused_by_name(name: str, text: str, must: str) -> None:
    with pytest.raises(ServerError) as refused:
        ServerSettings.read({f"UTTERLY_{name}": text})
    assert str(refused.value).startswith(must)


@pytest.mark.parametrize("given", [{"api_keys": "abc"}, {"api_keys": ("a b",)}, {"threads": 0}, {"port": True}])
def test_a_wrong_value_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(ServerError):
        ServerSettings(**given)


def test_keys_are_not_shown() -> None:
    assert "hush" not in repr(ServerSettings(api_keys=("hush",)))


def test_keys_are_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("# ours\nfirst\n\n second \n")
    assert read_api_keys(tmp_path / "keys") == ("first", "second")


def test_a_file_without_keys_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("# none\n")
    with pytest.raises(ServerError, match="must have one API key per line, got none"):
        read_api_keys(tmp_path / "keys")
    with pytest.raises(ServerError, match="cannot read API keys: "):
        read_api_keys(tmp_path / "nothing")
