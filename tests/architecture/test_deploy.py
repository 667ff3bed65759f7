"""What an installation is made of names only what is there: images, compose, nginx, systemd units (infra/deploy).

No container runs in these tests. They hold the files against the repository: commands, settings, paths, names, ports.
"""

import re
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "infra" / "deploy"
COMPOSE = DEPLOY / "compose"
IMAGE = (COMPOSE / "Containerfile").read_text()
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"].startswith("obrador:")}
OF_THE_OPERATOR = {"tls", "environment"}
PORT = "8000"


def settings_read() -> set[str]:
    return set(re.findall(r'env\.\w+\(\s*"([A-Z_0-9]+)"', (ROOT / "project" / "settings.py").read_text()))


def commands_of_the_image() -> dict[str, list[str]]:
    """What each of our services runs: its own command, or the image's."""
    found = re.search(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    assert found
    return {name: service.get("command", yaml.safe_load(found[1])) for name, service in OURS.items()}


def test_three_web_processes_two_workers_and_the_rest_are_there() -> None:
    kinds = [re.sub(r"\d", "", name) for name in SERVICES]
    assert (kinds.count("web"), kinds.count("worker")) == (3, 2)
    assert {"nginx", "pdf", "migrate", "backup", "postgres", "redis"} <= set(kinds)


def test_every_command_is_one_of_the_product() -> None:
    for name, command in commands_of_the_image().items():
        if command[0] == "daphne":
            module, _, attribute = command[-1].partition(":")
            assert (ROOT / (module.replace(".", "/") + ".py")).exists(), name
            assert f"async def {attribute}(" in (ROOT / (module.replace(".", "/") + ".py")).read_text()
            assert command[command.index("--port") + 1] == PORT
        else:
            assert command[:2] == ["python", "manage.py"], name
            assert command[2] in get_commands(), name


@pytest.mark.parametrize("unit", sorted((DEPLOY / "systemd").glob("*.service")), ids=lambda path: path.name)
def test_every_unit_runs_a_command_of_the_product(unit: Path) -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", unit.read_text(), re.MULTILINE)
    if "manage.py" in line:
        assert line.split("manage.py ")[1].split()[0] in get_commands()
    else:
        assert line.split()[-1] == "project.asgi:application"
        assert import_module("daphne")


@pytest.mark.parametrize(("environment", "address"), [({}, "127.0.0.1"), ({"HOST": "0.0.0.0"}, "0.0.0.0")])  # noqa: S104
def test_the_procfiles_web_process_answers_this_machine_alone_unless_host_says_otherwise(
    environment: dict[str, str], address: str
) -> None:
    (command,) = re.findall(r"^web: (.*)$", (ROOT / "Procfile").read_text(), re.MULTILINE)
    said = subprocess.run(["/bin/sh", "-c", f"echo {command}"], env=environment, capture_output=True, text=True)
    assert f" --bind {address} " in said.stdout


def test_every_setting_that_is_given_is_read() -> None:
    given = {name for service in OURS.values() for name in service["environment"]}
    described = re.findall(r"^([A-Z][A-Z_0-9]+)=", (DEPLOY / "README.md").read_text(), re.MULTILINE)
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS"} <= given
    assert (given | set(described)) - settings_read() <= {"POSTGRES_PASSWORD", "SITE", "VERSION"}


def test_every_path_that_is_mounted_or_copied_is_there() -> None:
    mounted = {one.split(":")[0] for service in SERVICES.values() for one in service.get("volumes", [])}
    for path in (one for one in mounted if one.startswith(".")):
        assert path.removeprefix("./") in OF_THE_OPERATOR or (COMPOSE / path).exists(), path
    for line in re.findall(r"^COPY (?!--from)(.+)$", IMAGE, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    (build,) = [service["build"] for service in SERVICES.values() if "build" in service]
    assert (COMPOSE / build["context"]).resolve() == ROOT
    assert ROOT / build["dockerfile"] == COMPOSE / "Containerfile"


def test_what_is_copied_is_let_into_the_image() -> None:
    lines = [line for line in (COMPOSE / "Containerfile.dockerignore").read_text().splitlines() if line]
    let_in = tuple(line[1:] for line in lines if line.startswith("!"))
    for line in re.findall(r"^COPY (?!--from)(.+)$", IMAGE, re.MULTILINE):
        for source in line.split()[:-1]:
            assert source.startswith(let_in), source


def test_every_stage_is_made_before_it_is_used() -> None:
    made: list[str] = []
    for line in IMAGE.splitlines():
        if found := re.match(r"FROM (\S+)(?: AS (\w+))?", line):
            assert found[1] in made or ":" in found[1], line
            made += [found[2]] if found[2] else []
        elif found := re.match(r"COPY --from=(\w+)", line):
            assert found[1] in made, line


def test_every_package_comes_by_a_lock_with_hashes() -> None:
    for line in IMAGE.replace("\\\n", " ").splitlines():
        if re.search(r"pip (install|sync)", line):
            assert "--require-hashes" in line, line
    assert "npm ci" in IMAGE
    assert "npm install" not in IMAGE


def test_ours_and_the_proxy_run_without_rights_on_a_root_that_nobody_writes() -> None:
    assert re.search(r"^USER (?!root|0)\d+:\d+$", IMAGE, re.MULTILINE)
    for name, service in {**OURS, "nginx": SERVICES["nginx"]}.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    assert not SERVICES["nginx"]["user"].startswith("0")


def test_who_is_asked_says_how_he_is_and_nobody_waits_for_one_who_does_not() -> None:
    for name, service in SERVICES.items():
        if not re.match(r"worker|migrate|backup", name):
            assert "healthcheck" in service, name
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for {other}"


def test_the_proxy_asks_every_web_process_and_no_other() -> None:
    web = {name for name in SERVICES if name.startswith("web")}
    text = (COMPOSE / "nginx.conf").read_text()
    for upstream in ("obrador", "obrador_live"):
        found = re.search(rf"upstream {upstream} {{(.*?)}}", text, re.DOTALL)
        assert found
        assert set(re.findall(r"server (\w+):(\d+)", found[1])) == {(name, PORT) for name in web}
    assert SERVICES["web1"]["environment"]["PDF_URL"] == f"http://pdf:{PORT}"
    assert SERVICES["pdf"]["environment"]["PDF_URL"] == ""


def test_a_backup_has_the_dump_of_the_database_that_runs() -> None:
    running = SERVICES["postgres"]["image"].partition(":")[2]
    assert f"postgresql-client-{running} restic" in IMAGE


def test_every_include_of_the_proxy_is_mounted() -> None:
    text = (COMPOSE / "nginx.conf").read_text()
    inside = {one.split(":")[1] for one in SERVICES["nginx"]["volumes"]}
    for path in re.findall(r"(?:include|ssl_certificate(?:_key)?)\s+(/\S+);", text):
        assert any(path == one or path.startswith(one + "/") for one in inside), path


@pytest.mark.parametrize("file", [COMPOSE / "nginx.conf", DEPLOY / "nginx" / "obrador.conf"])
def test_the_proxy_bounds_what_the_kernel_holds_for_a_slow_client(file: Path) -> None:
    """Without it that is megabytes a client, and the kernel resets the connections of others."""
    listens = re.findall(r"listen (.*ssl.*);", file.read_text())
    assert listens
    assert [one for one in listens if "sndbuf=128k" not in one] == []


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_reads_the_configuration(tmp_path: Path) -> None:
    """With what an older nginx does not know, the network's names and the certificate put away."""
    text = (COMPOSE / "nginx.conf").read_text()
    text = text.replace("/tmp/", f"{tmp_path}/").replace("/etc/nginx/obrador", str(DEPLOY / "nginx"))  # noqa: S108
    text = re.sub(r"server web\d:8000 fail_timeout=3s resolve;", "server 127.0.0.1:8000 fail_timeout=3s;", text)
    text = re.sub(r"^\s*(ssl_certificate.*|http2 on;)$", "", text, flags=re.MULTILINE)
    text = text.replace("8443 ssl", "8443").replace("/dev/stdout", "/dev/null")
    (tmp_path / "nginx.conf").write_text(text)
    command = [str(shutil.which("nginx")), "-t", "-c", str(tmp_path / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run(command, capture_output=True, text=True)
    assert tried.returncode == 0, tried.stderr
