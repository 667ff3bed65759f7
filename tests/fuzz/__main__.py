"""Call every operation with good and bad data, one by one and in sequences, as five callers of a demo workshop.

    make fuzz [SEED=N] [FUZZ_SECONDS=N] [CALLERS=nobody,display]

Each caller has FUZZ_SECONDS (60): two thirds for single operations, the rest for sequences, which use ids of earlier
answers. Prints the seed, the failures and a table. Ends with 1 if an answer is 5xx or breaks the schema, if
authentication is ignored, if an answer is missing, or if a caller made no call.
"""

import os
import random
import subprocess
import sys

import httpx

from infra.bench.machine import ROOT, Daphne
from project.demo.people import ADMINISTRATOR, PASSWORD
from tests.fuzz.fuzzing import ENDS_A_SESSION, Findings, fuzz, table

FEW_RIGHTS = "tomas@obrador.test"
CUSTOMERS = "customer@obrador.test"
OF_THE_CALLERS_OWN = "own session"
"""A second administrator, who alone calls the operations that may end the caller's session or take their rights."""
SIGN_OUT = "sign_out"
CALLERS = ["nobody", "display", "customer", "few rights", "administrator", OF_THE_CALLERS_OWN]
"""The administrator comes last, because they can take rights and sessions from the others."""


def bearers(url: str) -> dict[str, str | None]:
    """The token of each caller. All sign in first, before wrong passwords are counted."""
    with httpx.Client(base_url=url, timeout=30) as client:

        def post(path: str, body: dict[str, object]) -> dict[str, object]:
            answer = client.post(path, json=body)
            answer.raise_for_status()
            return dict(answer.json())

        def signed_in(email: str) -> str:
            body = {"username": email, "password": PASSWORD, "rememberLogin": True}
            return str(post("/identity/authentication/sign-in", body)["access_token"])

        administrator = signed_in(ADMINISTRATOR)
        pairing = post("/api/displays/pairings", {})
        client.headers["Authorization"] = f"Bearer {administrator}"
        customer = client.get("/api/customers", params={"limit": 1}).json()[0]["id"]
        somebody = {"password": PASSWORD, "firstName": "Camila"}
        post("/identity/users", somebody | {"email": CUSTOMERS, "userType": "Customer", "customerId": customer})
        role = client.get("/identity/roles", params={"search": "Administración"}).json()[0]["id"]
        post("/identity/users", somebody | {"email": "second@obrador.test", "roleIds": [role]})
        post("/api/displays", {"code": pairing["code"], "name": "Pared"})
        del client.headers["Authorization"]
        display = client.get(f"/api/displays/pairings/{pairing['secret']}").json()["token"]
        return {
            "nobody": None,
            "display": str(display),
            "customer": signed_in(CUSTOMERS),
            "few rights": signed_in(FEW_RIGHTS),
            "administrator": administrator,
            OF_THE_CALLERS_OWN: signed_in("second@obrador.test"),
        }


def run(url: str, caller: str, bearer: str | None, *, seed: int, seconds: int) -> Findings:
    """Run one caller. Raises RuntimeError if the session ended in between: later calls would be anonymous."""
    if caller == OF_THE_CALLERS_OWN:
        own = [f"--include-operation-id={name}" for name in ENDS_A_SESSION if name != SIGN_OUT]
        found = fuzz(url, bearer, "--phases=coverage,fuzzing", *own, seed=seed, seconds=max(1, seconds // 4))
        last = f"--include-operation-id={SIGN_OUT}"
        found.add(fuzz(url, bearer, "--phases=coverage,fuzzing", last, seed=seed, seconds=max(1, seconds // 12)))
        return found
    others = [f"--exclude-operation-id={name}" for name in ENDS_A_SESSION] if bearer else []
    found = fuzz(url, bearer, "--phases=coverage,fuzzing", *others, seed=seed, seconds=max(1, seconds * 2 // 3))
    found.add(fuzz(url, bearer, "--phases=stateful", *others, seed=seed, seconds=max(1, seconds // 3)))
    if bearer:
        ticket = httpx.post(f"{url}/api/live/ticket", headers={"Authorization": f"Bearer {bearer}"})
        if ticket.status_code != 200:
            raise RuntimeError(f"{caller}: the session ended in between")
    return found


def main() -> int:
    seed = int(os.environ.get("SEED") or random.randrange(2**32))
    seconds = int(os.environ.get("FUZZ_SECONDS") or 60)
    chosen = os.environ.get("CALLERS", "").split(",") if os.environ.get("CALLERS") else CALLERS
    print(f"SEED={seed}", flush=True)
    for command in ("migrate", "demo"):
        subprocess.run(
            [sys.executable, "manage.py", command, "--verbosity", "0"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )
    server = Daphne()
    server.start()
    found: dict[str, Findings] = {}
    try:
        tokens = bearers(server.url)
        for caller in CALLERS:
            if caller in chosen:
                found[caller] = run(server.url, caller, tokens[caller], seed=seed, seconds=seconds)
                for (check, operation), words in sorted(found[caller].failures.items()):
                    print(f"{caller}: {check}: {operation}\n    {words}", flush=True)
        ready = server.answers()
    finally:
        server.stop()
    print(table(found))
    if not ready:
        print("The server does not answer any more.")
    if uncalled := [caller for caller, one in found.items() if not one.examples]:
        print(f"No call was made as {', '.join(uncalled)}: FUZZ_SECONDS is too short.")
    return 1 if not ready or uncalled or any(one.bad for one in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
