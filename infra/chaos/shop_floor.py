"""A movement log for the faults to happen in: cases that go through processes, entry by exit, side by side."""

import csv
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

COLUMNS = ("at", "direction", "source_row", "case_id", "part", "order_qty", "process", "resource", "worker")
PROCESSES = ("Casting", "Filing", "Soldering", "Setting", "Polishing", "Packing")
WORKERS = 6


def write(path: Path, *, cases: int = 60, seed: int = 1) -> int:
    """Write the log of `cases` lines through all processes. Returns its rows."""
    chance = random.Random(seed)
    rows: list[dict[str, object]] = []
    visit = 0
    for case in range(cases):
        at = datetime(2026, 3, 2, 7, tzinfo=UTC) + timedelta(minutes=chance.randrange(600))
        for place, process in enumerate(PROCESSES):
            visit += 1
            common = {
                "source_row": visit,
                "case_id": f"Case {case}",
                "part": f"Ring {case % 9}",
                "order_qty": 1 + case % 40,
                "process": process,
                "resource": process,
                "worker": f"Worker {(case + place) % WORKERS}",
            }
            at += timedelta(minutes=chance.randrange(1, 60))
            rows.append({"at": f"{at:%Y-%m-%d %H:%M:%S}", "direction": "in", **common})
            at += timedelta(minutes=chance.randrange(1, 60))
            rows.append({"at": f"{at:%Y-%m-%d %H:%M:%S}", "direction": "out", **common})
    rows.sort(key=lambda row: str(row["at"]))
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return len(rows)
