"""Run a whole installation on one machine: three web processes, two workers and the PDF service behind nginx.

`make cluster` runs the installation on temporary servers until Ctrl+C. SIGHUP replaces the web processes one after the
other, as a release does. PORT: the port of nginx, a free one by default.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from queue import SimpleQueue

import httpx

from infra.bench.machine import ROOT, Daphne, Machine, wait

NGINX = ROOT / "infra" / "deploy" / "nginx"
WEB, WORKERS = 3, 2


class Worker(Machine):
    def command(self) -> list[str]:
        return [sys.executable, "manage.py", "worker"]

    def answers(self) -> bool:
        return True  # it has no port


class Printer(Daphne):
    """The PDF service: a web process that prints in its own process."""

    def start(self) -> None:
        address = os.environ.pop("PDF_URL", None)
        super().start()
        os.environ["PDF_URL"] = address or self.url


class Nginx(Machine):
    """nginx with the limits, the site and the upstreams of `infra/deploy/nginx`, on a port instead of a host name."""

    def __init__(self, place: Path, web: list[Daphne], port: int | None) -> None:
        super().__init__()
        self.port = port or self.port
        upstreams = (NGINX / "upstreams.conf").read_text()
        for number, process in enumerate(web, start=8001):
            upstreams = upstreams.replace(f"127.0.0.1:{number}", f"127.0.0.1:{process.port}")
        (place / "upstreams.conf").write_text(upstreams)
        self._configuration = place / "nginx.conf"
        temporary = "".join(
            f"  {kind}_temp_path {place}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        self._configuration.write_text(
            f"daemon off;\npid {place}/nginx.pid;\nerror_log {place}/nginx-errors.log;\nworker_processes 1;\n"
            "worker_rlimit_nofile 20000;\nevents {\n  worker_connections 10000;\n}\nhttp {\n"
            f"{temporary}  include {NGINX}/limits.conf;\n  include {place}/upstreams.conf;\n"
            f"  server {{\n    listen 127.0.0.1:{self.port} backlog=4096 sndbuf=128k;\n    access_log off;\n"
            f"    include {NGINX}/site.conf;\n  }}\n}}\n"
        )

    def command(self) -> list[str]:
        return ["nginx", "-c", str(self._configuration), "-e", "stderr"]

    def kill(self) -> None:
        """Kill all processes of nginx with SIGKILL. Halt the first process before, so that it replaces none of them."""
        if self._process is not None:
            self.freeze()
            first = self._process.pid
            for child in Path(f"/proc/{first}/task/{first}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
        super().kill()

    def answers(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/ready").status_code == 200
        except httpx.TransportError:
            return False


class Cluster:
    """All processes of the installation. The environment names the database and Redis. `port`: the port of nginx."""

    def __init__(self, place: Path, port: int | None = None) -> None:
        os.environ["TRUSTED_PROXIES"] = "1"
        place.chmod(0o755)
        self.web = [Daphne() for _ in range(WEB)]
        self.workers = [Worker() for _ in range(WORKERS)]
        self.printer = Printer()
        self.nginx = Nginx(place, self.web, port)

    @property
    def url(self) -> str:
        return self.nginx.url

    @property
    def machines(self) -> list[Machine]:
        return [self.printer, *self.web, *self.workers, self.nginx]

    def start(self) -> None:
        subprocess.run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, check=True)
        for machine in self.machines:
            machine.start()

    def stop(self) -> None:
        for machine in reversed(self.machines):
            machine.stop()  # nginx first

    def roll(self) -> None:
        """Replace the web processes one after the other. Each must answer before the next one is replaced."""
        for process in self.web:
            process.stop()
            process.start()
            if not wait(process.answers, 60):
                raise RuntimeError("a replaced process does not answer")


def main() -> None:
    signals: SimpleQueue[int] = SimpleQueue()
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: signals.put(number))
    with tempfile.TemporaryDirectory(prefix="obrador-cluster-") as folder:
        cluster = Cluster(Path(folder), int(os.environ.get("PORT") or 0) or None)
        try:
            cluster.start()
            subprocess.run([sys.executable, "manage.py", "demo", "--if-empty"], cwd=ROOT, check=True)
            addresses = ", ".join(process.url for process in cluster.web)
            print(f"\n  Obrador  {cluster.url}   (Ctrl+C ends it)\n  behind it {addresses}\n", flush=True)
            print(f"  kill -HUP {os.getpid()} replaces the web processes one after the other\n", flush=True)
            while signals.get() == signal.SIGHUP:
                cluster.roll()
                print("  replaced", flush=True)
        finally:
            cluster.stop()


if __name__ == "__main__":
    main()
