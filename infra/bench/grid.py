"""An order of 200 lines pasted into the grid, written in and saved, in a headless Chromium.

Run by `make bench-grid`, which names the database. Judges nothing.
"""

import json
import subprocess

from amplification import browser
from filled import made
from served import EMAIL, PASSWORD, ROOT, served, token

LINES = 200


def main() -> None:
    with served(REDIS_URL="") as client:
        run = token()
        made(client, "customers", name=f"Bench {run}")
        keys = [f"{run}-{number:03}" for number in range(LINES)]
        for key in keys:
            made(client, "items", key=key, name=f"Anillo bench {key}", sellPrice=10)
        rows = "\n".join(f"{key}\t{number}\t2099-12-31\tpulir" for number, key in enumerate(keys, start=1))
        asked = {
            "base": str(client.base_url).rstrip("/"),
            "email": EMAIL,
            "password": PASSWORD,
            "browser": browser(),
            "rows": rows,
            "customer": "Bench",
            "po": f"PO-{run}",
        }
        done = subprocess.run(
            ["node", "infra/bench/grid.mjs"],
            cwd=ROOT,
            input=json.dumps(asked) + "\n",
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        figures = json.loads(done.stdout)
        saved = client.get(f"/api/sales-order?search=PO-{run}").raise_for_status().json()
    print(f"{LINES} lines pasted and shown: {figures['shown']:.0f} ms; saved: {figures['saved']:.0f} ms")
    print(f"together: {figures['together']:.0f} ms; lines in the order: {saved[0]['linesCount']}")
    for what in ("typed", "scrolled", "searched"):
        part = figures[what]
        print(
            f"{what}: {part['long']} tasks over 50 ms, the longest {part['longest']:.0f} ms,"
            f" longest time between two frames {part['worstFrame']:.0f} ms"
        )
    print(f"{figures['keys']} keys")


if __name__ == "__main__":
    main()
