"""Whether the time of a refused sign-in tells what was wrong with it; medians of 200 tries over HTTP.

Run by infra/bench/run.sh, which names a database of its own; ends with 1 where the slowest median is more than a
tenth above the quickest (infra/docs/rules.md#sign-in).
"""

import sys
import time
from statistics import median

import django

django.setup()

from httpx import Client  # noqa: E402
from served import served, token  # noqa: E402

from project.access.models import SignInAttempt  # noqa: E402
from project.identity.models import User  # noqa: E402

TRIES = 200
PASSWORD = "Taller.2026"
WRONG = "Otra.2026"


def accounts() -> dict[str, str]:
    """What is wrong with it → the e-mail to try."""
    run = token()
    states: dict[str, dict[str, bool]] = {
        "wrong password": {},
        "locked": {"locked": True},
        "inactive": {"active": False},
    }
    found = {"unknown": f"nobody-{run}@obrador.test"}
    for name, state in states.items():
        user = User(email=f"{name.replace(' ', '-')}-{run}@obrador.test", first_name="Bench", **state)
        user.set_password(PASSWORD)
        user.save()
        found[name] = user.email
    return found


def refused(client: Client, email: str) -> float:
    """Seconds until the refusal, with nothing tried before."""
    SignInAttempt.objects.all().delete()
    body = {"username": email, "password": WRONG, "rememberLogin": True}
    before = time.perf_counter()
    answer = client.post("/identity/authentication/sign-in", json=body)
    took = time.perf_counter() - before
    if answer.status_code != 401:
        raise RuntimeError(f"{answer.status_code} {answer.text}")
    return took


def main() -> int:
    with served() as client:
        client.headers.pop("Authorization")
        tried = accounts()
        for email in tried.values():
            refused(client, email)
        # One after the other in turn, so that whatever else the machine does is shared by all.
        times: dict[str, list[float]] = {name: [] for name in tried}
        for _ in range(TRIES):
            for name, email in tried.items():
                times[name].append(refused(client, email))
    medians = {name: median(taken) * 1_000 for name, taken in times.items()}
    for name, milliseconds in medians.items():
        print(f"refused sign-in, {name:<15} median of {TRIES}: {milliseconds:6.1f} ms")
    spread = max(medians.values()) / min(medians.values()) - 1
    print(f"slowest above quickest: {spread:.1%}")
    return int(spread > 0.1)


if __name__ == "__main__":
    sys.exit(main())
