"""make bench-opening: how long sockets take to open (ticket, handshake, hello), in a still shop and a busy one."""

import json
import os
import subprocess
import threading

import django
from django.core.management import call_command

django.setup()
call_command("migrate", verbosity=0)

from sides import HERE, NODE, Obrador, cpu_seconds, users  # noqa: E402

from project.access import token  # noqa: E402
from realtime.connection import SOCKETS_OF_USER  # noqa: E402

SOCKETS = int(os.environ.get("LIVE_SOCKETS", "2000"))
RATE = 50


def main() -> None:
    """A row for each shop."""
    print(f"{SOCKETS} sockets, 50 at a time\n{'':30} seconds  server CPU s  closed  failed")
    for name, rate in (("still", 0), (f"{RATE} events a second", RATE)):
        side = Obrador()
        with side.serving():
            seconds, cpu, closed, failed = opened(side, rate)
        print(f"{name:30} {seconds:7.1f} {cpu:13.1f}  {closed or 'none'}  {failed}", flush=True)


def opened(side: Obrador, rate: int) -> tuple[float, float, dict[str, int], int]:
    """Seconds until all were open, the server's CPU meanwhile, and what was closed (by code) or failed."""
    people = users(-(-SOCKETS // SOCKETS_OF_USER))
    tokens = [token.issue(people[n % len(people)]) for n in range(SOCKETS)]
    asked = {"port": side.port, "origin": f"http://127.0.0.1:{side.port}", "tokens": tokens}
    over = threading.Event()
    publisher = threading.Thread(target=publish_until, args=(side, rate, over))
    cpu = cpu_seconds(side.process.pid)
    publisher.start()
    try:
        answer = subprocess.run(
            [NODE, str(HERE / "opening.mjs")], input=json.dumps(asked), capture_output=True, text=True, check=True
        )
    finally:
        over.set()
        publisher.join()
    cpu = cpu_seconds(side.process.pid) - cpu
    found = json.loads(answer.stdout)
    return found["seconds"], cpu, found["closed"], found["failed"]


def publish_until(side: Obrador, rate: int, over: threading.Event) -> None:
    number = 0
    while rate and not over.wait(1 / rate):
        side.publish(number)
        number += 1


if __name__ == "__main__":
    main()
