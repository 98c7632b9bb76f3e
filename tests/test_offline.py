"""The test run reaches nothing outside this machine, and a rewrite leaves nothing behind on it."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use")  # said before it is refused
def test_a_connection_to_elsewhere_is_refused() -> None:
    with pytest.raises(SocketConnectBlockedError):
        socket.create_connection(("192.0.2.1", 80), timeout=1)  # an address that belongs to nobody


def test_a_connection_to_this_machine_is_not() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_a_rewrite_writes_nothing_into_the_users_home_and_leaves_the_environment_alone(tmp_path: Path) -> None:
    program = (
        "import os; from utterly import Rewriter; was = dict(os.environ);"
        "Rewriter.load('en').rewrite(['Who is Federer?', 'A player.', 'Is he Swiss?']); assert dict(os.environ) == was"
    )
    hidden = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "ORT_DISABLE_TELEMETRY": ""}
    environment = {name: value for name, value in (os.environ | hidden).items() if value}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_if_a_program_imported_onnxruntime_before_its_telemetry_is_turned_off(monkeypatch: pytest.MonkeyPatch) -> None:
    import onnxruntime  # type: ignore[import-untyped]

    from utterly.model.onnx_scorer import _onnxruntime

    told: list[bool] = []
    monkeypatch.setattr(onnxruntime, "disable_telemetry_events", lambda: told.append(True))
    assert _onnxruntime() is onnxruntime
    assert told == [True]
