"""`utterly serve` passes on what it is told, and leaves the rest to the environment."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from utterly.cli.serve import serve
from utterly.errors import ServerError
from utterly.server.settings import ServerSettings


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[ServerSettings]:
    """The settings of servers that were to be started."""
    seen: list[ServerSettings] = []
    monkeypatch.setattr("utterly.server.serve.serve", seen.append)
    return seen


def run(*arguments: str) -> None:
    app = typer.Typer()
    app.command()(serve)
    CliRunner().invoke(app, arguments, catch_exceptions=False)


def test_options_become_settings(told: list[ServerSettings], tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("hush\n")
    run(
        *("--host", "0.0.0.0", "--port", "8080", "--workers", "2", "--model", "zh", "--threads", "1"),  # noqa: S104
        *("--api-key-file", str(tmp_path / "keys"), "--cors-origin", "https://a.example"),
        *("--cors-origin", "https://b.example", "--max-queue", "99", "--timeout", "3", "--log-level", "debug"),
        "--log-text",
    )
    assert told == [
        ServerSettings(
            host="0.0.0.0",  # noqa: S104
            port=8080,
            workers=2,
            model="zh",
            threads=1,
            api_keys=("hush",),
            cors_origins=("https://a.example", "https://b.example"),
            max_queue=99,
            timeout=3.0,
            log_level="debug",
            log_text=True,
        )
    ]


def test_the_environment_says_what_options_do_not(told: list[ServerSettings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UTTERLY_PORT", "9000")
    monkeypatch.setenv("UTTERLY_LOG_TEXT", "yes")
    run("--no-log-text")
    assert told == [ServerSettings(port=9000)]


def test_a_wrong_setting_is_refused(told: list[ServerSettings]) -> None:
    with pytest.raises(ServerError, match="log_level must be one of debug, info, warning, error, got 'loud'"):
        run("--log-level", "loud")
    assert told == []
