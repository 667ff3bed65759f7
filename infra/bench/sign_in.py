"""Measure whether the time of a refused sign-in reveals why it was refused (infra/docs/rules.md#sign-in).

SIGN_IN_TRIES: how many refusals of each reason are timed, 200 by default.
"""

import os
import time
from statistics import median

from infra.bench.report import Report
from infra.bench.served import Served, served, token
from project.access.models import SignInAttempt
from project.identity.models import User

TRIES = int(os.environ.get("SIGN_IN_TRIES", "200"))
WRONG = "Otra.2026"
SPREAD_PERCENT = 10.0


def accounts() -> dict[str, str]:
    """Make an account for each reason of a refusal. Returns the e-mail to try, by reason."""
    run = token()
    states: dict[str, dict[str, bool]] = {"password": {}, "locked": {"locked": True}, "inactive": {"active": False}}
    found = {"unknown": f"nobody-{run}@obrador.test"}
    for reason, state in states.items():
        user = User(email=f"{reason}-{run}@obrador.test", first_name="Bench", **state)
        user.set_password("Taller.2026")
        user.save()
        found[reason] = user.email
    return found


def refused(client: Served, email: str) -> float:
    """Return the milliseconds until a sign-in is refused. Deletes earlier attempts first, so that none is throttled."""
    SignInAttempt.objects.all().delete()
    body = {"username": email, "password": WRONG, "rememberLogin": True}
    begun = time.perf_counter()
    answer = client.post("/identity/authentication/sign-in", json=body)
    took = 1_000 * (time.perf_counter() - begun)
    if answer.status_code != 401:
        raise RuntimeError(f"{answer.status_code} {answer.text}")
    return took


def measure() -> Report:
    """Time the reasons in turn, so that other load on the machine slows all of them alike."""
    with served() as client:
        del client.headers["Authorization"]
        emails = accounts()
        times: dict[str, list[float]] = {reason: [] for reason in emails}
        for turn in range(TRIES + 1):
            for reason, email in emails.items():
                took = refused(client, email)
                if turn:  # the first one loads code
                    times[reason].append(took)
    medians = {reason: median(taken) for reason, taken in times.items()}
    for reason, milliseconds in medians.items():
        print(f"refused sign-in, {reason:<10} median of {TRIES}: {milliseconds:6.1f} ms")
    spread = 100 * (max(medians.values()) / min(medians.values()) - 1)
    reasons = "password, unknown, locked, inactive"
    label = f"Refused sign-in by reason ({reasons}): medians of {TRIES}, slowest above quickest"
    report = Report({label: f"{spread:.1f} %"})
    report.limit("per cent between the medians of a refused sign-in", spread, SPREAD_PERCENT)
    return report
