"""The files of infra/deploy name only what exists: images, compose, nginx, systemd units, manifests of Kubernetes.

No container runs in these tests. They compare the files with the repository: commands, settings, paths, names, ports.
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
MANIFESTS: list[dict[str, Any]] = [
    one
    for file in sorted((DEPLOY / "kubernetes").glob("[a-z]*.yaml"))
    if file.name != "kustomization.yaml"
    for one in yaml.safe_load_all(file.read_text())
]
SUPPLIED_BY_THE_OPERATOR = {"tls", "environment"}
PORT = "8000"


def settings_read() -> set[str]:
    return set(re.findall(r'env\.\w+\(\s*"([A-Z_0-9]+)"', (ROOT / "project" / "settings.py").read_text()))


def commands_of_the_image() -> dict[str, list[str]]:
    """Service → the command that it runs: its own, or the image's."""
    found = re.search(r"^CMD (\[.*\])$", IMAGE, re.MULTILINE)
    assert found
    return {name: service.get("command", yaml.safe_load(found[1])) for name, service in OURS.items()}


def test_compose_has_three_web_processes_two_workers_and_all_other_services() -> None:
    kinds = [re.sub(r"\d", "", name) for name in SERVICES]
    assert (kinds.count("web"), kinds.count("worker")) == (3, 2)
    assert {"nginx", "pdf", "migrate", "backup", "postgres", "redis"} <= set(kinds)


def test_every_service_runs_a_command_of_the_product() -> None:
    for name, command in commands_of_the_image().items():
        if command[0] == "daphne":
            module, _, attribute = command[-1].partition(":")
            assert (ROOT / (module.replace(".", "/") + ".py")).exists(), name
            assert f"\n{attribute} = " in (ROOT / (module.replace(".", "/") + ".py")).read_text()
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
def test_the_web_process_of_the_procfile_listens_on_localhost_unless_host_is_set(
    environment: dict[str, str], address: str
) -> None:
    (command,) = re.findall(r"^web: (.*)$", (ROOT / "Procfile").read_text(), re.MULTILINE)
    said = subprocess.run(["/bin/sh", "-c", f"echo {command}"], env=environment, capture_output=True, text=True)
    assert f" --bind {address} " in said.stdout


def test_every_variable_that_is_set_is_read_by_the_settings() -> None:
    given = {name for service in OURS.values() for name in service["environment"]}
    described = re.findall(r"^([A-Z][A-Z_0-9]+)=", (DEPLOY / "README.md").read_text(), re.MULTILINE)
    assert {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS"} <= given
    assert (given | set(described)) - settings_read() <= {"POSTGRES_PASSWORD", "SITE", "VERSION"}


def test_every_path_that_is_mounted_or_copied_exists() -> None:
    mounted = {one.split(":")[0] for service in SERVICES.values() for one in service.get("volumes", [])}
    for path in (one for one in mounted if one.startswith(".")):
        assert path.removeprefix("./") in SUPPLIED_BY_THE_OPERATOR or (COMPOSE / path).exists(), path
    for line in re.findall(r"^COPY (?!--from)(.+)$", IMAGE, re.MULTILINE):
        for source in line.split()[:-1]:
            assert (ROOT / source).exists(), source
    (build,) = [service["build"] for service in SERVICES.values() if "build" in service]
    assert (COMPOSE / build["context"]).resolve() == ROOT
    assert ROOT / build["dockerfile"] == COMPOSE / "Containerfile"


def test_every_path_that_is_copied_is_allowed_by_the_dockerignore() -> None:
    lines = [line for line in (COMPOSE / "Containerfile.dockerignore").read_text().splitlines() if line]
    let_in = tuple(line[1:] for line in lines if line.startswith("!"))
    for line in re.findall(r"^COPY (?!--from)(.+)$", IMAGE, re.MULTILINE):
        for source in line.split()[:-1]:
            assert source.startswith(let_in), source


def test_every_build_stage_is_defined_before_it_is_used() -> None:
    made: list[str] = []
    for line in IMAGE.splitlines():
        if found := re.match(r"FROM (\S+)(?: AS (\w+))?", line):
            assert found[1] in made or ":" in found[1], line
            made += [found[2]] if found[2] else []
        elif found := re.match(r"COPY --from=(\w+)", line):
            assert found[1] in made, line


def test_every_package_is_installed_from_a_lock_with_hashes() -> None:
    for line in IMAGE.replace("\\\n", " ").splitlines():
        if re.search(r"pip (install|sync)", line):
            assert "--require-hashes" in line, line
    assert "npm ci" in IMAGE
    assert "npm install" not in IMAGE


def test_our_services_and_the_proxy_run_unprivileged_on_a_read_only_root() -> None:
    assert re.search(r"^USER (?!root|0)\d+:\d+$", IMAGE, re.MULTILINE)
    for name, service in {**OURS, "nginx": SERVICES["nginx"]}.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
    assert not SERVICES["nginx"]["user"].startswith("0")


def test_every_server_has_a_healthcheck_and_services_wait_only_for_those_with_one() -> None:
    for name, service in SERVICES.items():
        if not re.match(r"worker|migrate|backup", name):
            assert "healthcheck" in service, name
        for other, how in service.get("depends_on", {}).items():
            assert other in SERVICES, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other], f"{name} waits for {other}"


def test_the_proxy_forwards_to_every_web_process_and_to_no_other_service() -> None:
    web = {name for name in SERVICES if name.startswith("web")}
    text = (COMPOSE / "nginx.conf").read_text()
    for upstream in ("obrador", "obrador_live"):
        found = re.search(rf"upstream {upstream} {{(.*?)}}", text, re.DOTALL)
        assert found
        assert set(re.findall(r"server (\w+):(\d+)", found[1])) == {(name, PORT) for name in web}
    assert SERVICES["web1"]["environment"]["PDF_URL"] == f"http://pdf:{PORT}"
    assert SERVICES["pdf"]["environment"]["PDF_URL"] == ""


def test_the_image_has_the_client_of_the_postgresql_that_runs() -> None:
    running = SERVICES["postgres"]["image"].partition(":")[2]
    assert f"postgresql-client-{running} restic" in IMAGE


def test_every_file_that_the_proxy_includes_is_mounted() -> None:
    text = (COMPOSE / "nginx.conf").read_text()
    inside = {one.split(":")[1] for one in SERVICES["nginx"]["volumes"]}
    for path in re.findall(r"(?:include|ssl_certificate(?:_key)?)\s+(/\S+);", text):
        assert any(path == one or path.startswith(one + "/") for one in inside), path


@pytest.mark.parametrize("file", [COMPOSE / "nginx.conf", DEPLOY / "nginx" / "obrador.conf"])
def test_the_proxy_bounds_the_send_buffer_of_a_slow_client(file: Path) -> None:
    """Without `sndbuf` the kernel buffers megabytes for each client, and resets the connections of others."""
    listens = re.findall(r"listen (.*ssl.*);", file.read_text())
    assert listens
    assert [one for one in listens if "sndbuf=128k" not in one] == []


@pytest.mark.skipif(not shutil.which("nginx"), reason="nginx is not installed")
def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    """Remove what an older nginx does not know, the host names of the network, and the certificate."""
    text = (COMPOSE / "nginx.conf").read_text()
    text = text.replace("/tmp/", f"{tmp_path}/").replace("/etc/nginx/obrador", str(DEPLOY / "nginx"))  # noqa: S108
    text = re.sub(r"server web\d:8000 fail_timeout=3s resolve;", "server 127.0.0.1:8000 fail_timeout=3s;", text)
    text = re.sub(r"^\s*(ssl_certificate.*|http2 on;)$", "", text, flags=re.MULTILINE)
    text = text.replace("8443 ssl", "8443").replace("/dev/stdout", "/dev/null")
    (tmp_path / "nginx.conf").write_text(text)
    command = [str(shutil.which("nginx")), "-t", "-c", str(tmp_path / "nginx.conf"), "-e", "stderr"]
    tried = subprocess.run(command, capture_output=True, text=True)
    assert tried.returncode == 0, tried.stderr


def pods() -> dict[str, dict[str, Any]]:
    """Name of the deployment, job or timer → what its pods run."""
    found = {}
    for one in MANIFESTS:
        name, spec = one["metadata"]["name"], one.get("spec", {})
        spec = spec.get("jobTemplate", one).get("spec", {})
        if "template" in spec:
            found[name] = spec["template"]["spec"]
    return found


def test_kubernetes_runs_the_same_processes_as_compose() -> None:
    assert {re.sub(r"\d", "", name) for name in OURS} == set(pods())
    of_compose = {re.sub(r"\d", "", name): command for name, command in commands_of_the_image().items()}
    for name, pod in pods().items():
        (container,) = pod["containers"]
        assert container["image"] == "obrador"
        assert (
            container.get("command", yaml.safe_load(re.findall(r"^CMD (.*)$", IMAGE, re.MULTILINE)[0]))
            == (of_compose[name])
        )
        assert ("readinessProbe" in container) == (of_compose[name][0] == "daphne"), name
        assert pod.get("terminationGracePeriodSeconds", 40) == 40


def test_every_pod_runs_unprivileged_on_a_read_only_root_as_the_user_of_the_image() -> None:
    user = int(re.findall(r"^USER (\d+):", IMAGE, re.MULTILINE)[0])
    for name, pod in pods().items():
        assert pod["securityContext"]["runAsUser"] == user, name
        (container,) = pod["containers"]
        assert container["securityContext"]["readOnlyRootFilesystem"] is True, name
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}, name
        written = {one["mountPath"] for one in container["volumeMounts"]}
        assert written == {re.findall(r"DATA_DIR=(\S+)", IMAGE)[0], re.findall(r" HOME=(\S+)", IMAGE)[0]}, name


def test_every_setting_of_the_manifests_is_read() -> None:
    (config,) = [one for one in MANIFESTS if one["kind"] == "ConfigMap"]
    secret = re.findall(
        r"[A-Z][A-Z_0-9]+", (DEPLOY / "kubernetes" / "settings.yaml").read_text().split("apiVersion")[0]
    )
    assert set(config["data"]) | set(secret) <= settings_read()
    assert config["data"]["PDF_URL"] == f"http://pdf:{PORT}"
    assert pods()["pdf"]["containers"][0]["env"] == [{"name": "PDF_URL", "value": ""}]


def test_every_manifest_is_named_in_the_kustomization() -> None:
    folder = DEPLOY / "kubernetes"
    named = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    assert sorted([*named, "kustomization.yaml"]) == sorted(file.name for file in folder.glob("[a-z]*.yaml"))


def test_the_autoscaler_watches_a_metric_of_the_product() -> None:
    (scaler,) = [one for one in MANIFESTS if one["kind"] == "HorizontalPodAutoscaler"]
    (metric,) = scaler["spec"]["metrics"]
    name = metric["pods"]["metric"]["name"]
    assert f'"{name}"' in (ROOT / "project" / "operations" / "metrics.py").read_text()
