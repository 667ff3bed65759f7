"""Scripts install the system programs that they need, and `make dev` ends all its processes together."""

import os
import re
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTS_SERVERS = re.compile(r"^start_servers\b(?!\()", re.MULTILINE)


def ensured(*programs: str, apt: str) -> subprocess.CompletedProcess[str]:
    """Run `ensure_servers` with `apt` in place of the installation."""
    script = f"set -euo pipefail; . infra/setup/lib.sh; . infra/setup/servers.sh; apt_install() {{ {apt}; }}; "
    command = [
        "bash",
        "-c",
        script + f"postgresql_bin() {{ echo /pg; }}; ensure_servers {' '.join(programs)}; echo ready",
    ]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_missing_programs_are_installed_or_named() -> None:
    missing = "a-program-that-there-is-not"
    installed = ensured("bash", missing, apt='echo "install $*"')
    assert installed.returncode == 0
    assert installed.stdout.split("\n")[0].endswith(missing)
    assert installed.stdout.endswith("ready\n")
    refused = ensured("bash", missing, apt="return 1")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("obrador: these Debian packages are needed:")
    assert refused.stderr.endswith(f"{missing}\n")


def test_every_script_that_starts_servers_can_install_them() -> None:
    scripts = [*ROOT.glob("infra/**/*.sh"), ROOT / ".ci" / "run"]
    starting = [one for one in scripts if STARTS_SERVERS.search(one.read_text())]
    assert {one.name for one in starting} == {"run", "on-servers.sh"}
    assert all(re.search(r"^ensure_servers\b", one.read_text(), re.MULTILINE) for one in starting)
    text = "".join(one.read_text() for one in (ROOT / "Makefile", *ROOT.glob("infra/**/*.sh")))
    on_the_cluster = re.findall(r"^\s*(.*)infra\.chaos\.(?:all|cluster)\b", text, re.MULTILINE)
    assert len(on_the_cluster) == 2
    assert all(command.startswith("PROGRAMS=nginx ") for command in on_the_cluster)


ENDLESS = "sh -c 'echo $$; exec tail -f /dev/null'"
ENDS_AT_CTRL_C = (
    "python -c 'import os, signal; signal.signal(2, lambda *_: exit(3)); "
    "print(os.getpid(), flush=True); signal.pause()'"
)


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_one_ctrl_c_ends_everything_that_make_dev_started() -> None:
    """The terminal sends SIGINT to every process. Those that a shell started in the background ignore it."""
    script = f'set -e; . infra/setup/lib.sh; together "{ENDLESS}" "{ENDS_AT_CTRL_C}"'
    with subprocess.Popen(
        ["bash", "-c", script],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Tests that run in the background ignore SIGINT, and a shell goes on ignoring what it was started to ignore.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        started = [int(running.stdout.readline()) for _ in range(2)]
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(60) == 0
    assert [process for process in started if lives(process)] == []


def test_make_dev_ends_all_its_processes_when_the_first_one_ends() -> None:
    script = f'. infra/setup/lib.sh; together "{ENDLESS}" false; echo no longer here'
    ended = subprocess.run(["bash", "-ec", script], cwd=ROOT, capture_output=True, text=True, check=False, timeout=30)
    assert ended.returncode == 1
    assert "no longer here" not in ended.stdout
    assert not any(lives(int(line)) for line in ended.stdout.split())
