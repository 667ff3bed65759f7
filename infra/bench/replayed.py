"""A movement log played through the product, and its figures compared with those of the log alone (`figures.py`).

`replayed.py LOG.csv`, run by `make bench-figures FILE=LOG.csv`, which names a database of its own. Compared three
times: as played; with the log's times on the records, computed from them; and the same from the days that are kept.
"""

import subprocess
import sys
from pathlib import Path

import django

django.setup()

from figures import all_visits  # noqa: E402
from movement_log.workshop import CUSTOMER  # noqa: E402
from served import EMAIL, PASSWORD, Served, served  # noqa: E402

from project.core import clock  # noqa: E402
from project.orders.models import ProcessRecord  # noqa: E402
from project.reports.services import flow_forget, flow_keep  # noqa: E402

HERE = Path(__file__).parent


def run(script: str, client: Served, log: str, *options: str) -> int:
    signed = ["--url", str(client.base_url), "--username", EMAIL, "--password", PASSWORD]
    return subprocess.run([sys.executable, HERE / script, log, *signed, *options], check=False).returncode


def give_log_times(log: str) -> None:
    """The records get the times of the log, as if the product had been there."""
    zone = clock.plant()
    by_case: dict[str, list[ProcessRecord]] = {}
    for record in ProcessRecord.objects.filter(line__order__customer__name=CUSTOMER).select_related("line__order"):
        case = record.line.order.customer_sales_order_id.rpartition(" ")[0]
        by_case.setdefault(case, []).append(record)
    for records in by_case.values():
        records.sort(key=lambda record: record.pk, reverse=True)
    for visit in all_visits(Path(log)):
        record = by_case[visit.case].pop()
        record.input_at = visit.entered.replace(tzinfo=zone)
        record.output_at = visit.left.replace(tzinfo=zone) if visit.left else None
        record.save(update_fields=["input_at", "output_at"])
    flow_forget()


def main() -> int:
    log = sys.argv[1]
    with served() as client:
        failed = run("replay.py", client, log)
        failed |= run("figures.py", client, log)
        give_log_times(log)
        failed |= run("figures.py", client, log, "--log-times")
        print(f"{flow_keep()} days kept")
        failed |= run("figures.py", client, log, "--log-times")
    return failed


if __name__ == "__main__":
    sys.exit(main())
