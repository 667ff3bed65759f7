"""`make run` reports what keeps it from starting before it prints an address."""

import os
import socket
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_port_in_use_is_reported_before_files_are_made_or_an_address_printed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        environment = os.environ | {"HOST": "127.0.0.1", "PORT": str(port), "DATA_DIR": str(tmp_path)}
        started = subprocess.run(["infra/setup/run.sh"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert started.returncode == 1
    assert started.stdout == ""
    said = f"obrador: port {port} of 127.0.0.1 is in use. Take another: PORT={port + 1} make run\n"
    assert started.stderr == said
    assert list(tmp_path.iterdir()) == []
