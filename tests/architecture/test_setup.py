"""Scripts that need programs of the operating system install them where the machine allows it."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STARTS_SERVERS = re.compile(r"^(start_servers|measure_on_own_servers)\b", re.MULTILINE)


def ensured(*programs: str, apt: str) -> subprocess.CompletedProcess[str]:
    """What `ensure_servers` says where `apt` takes the place of the installation."""
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


def test_no_script_that_starts_servers_gives_up_where_it_could_install() -> None:
    scripts = [*ROOT.glob("infra/**/*.sh"), ROOT / ".ci" / "run"]
    starting = [one for one in scripts if STARTS_SERVERS.search(one.read_text())]
    assert len(starting) > 10
    assert [
        one.name for one in starting if re.search(r"fail \"(nginx|redis|postgresql) is", one.read_text(), re.I)
    ] == []
    needs_nginx = {"all.sh", "cluster.sh"}
    assert needs_nginx <= {one.name for one in starting if "ensure_servers nginx" in one.read_text()}
