"""Catalogs on PostgreSQL: an import of a tariff list, the workbook with it, and lists at 500 and at 50,000 rows.

`catalogs.py [FILE.csv]`: the list to import (heads as a template's, or the tax authority's own); without one 11,519
rows of the same shape are made up. Run by `make bench-catalogs`, which names a database of its own; ends with 1 where a
figure is past its limit.
"""

import csv
import io
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import django

django.setup()

from django.db import connection  # noqa: E402
from httpx import Client  # noqa: E402
from served import served  # noqa: E402

from project.catalogs.models import (  # noqa: E402
    Company,
    Component,
    Customer,
    ExportTaxItem,
    Item,
    ItemComponent,
    Material,
    ProductionProcess,
)

FEW, MANY, PAGE, ROUNDS, RUNS = 500, 50_000, 25, 15, 3
TARIFF_ROWS = 11_519
IMPORT_SECONDS, IMPORT_MEGABYTES, WORKBOOK_SECONDS, LISTS_RATIO = 10.0, 150.0, 3.0, 3.0
CATALOGS = ("companies", "customers", "components", "materials", "export-tax-items", "production-processes", "items")
SEARCHES = {"rare": "nº 00377", "common": "artículo", "one letter": "a", "none": ""}


def seed(count: int) -> None:
    """`count` rows of every catalog; each has a word that all have, and a number of its own."""
    for start in range(0, count, 5_000):
        names = [f"Artículo nº {number:05} de taller" for number in range(start, min(start + 5_000, count))]
        text = "Joyería de plata, pulida a mano, con piedra engastada y broche de seguridad"
        Company.objects.bulk_create(
            Company(name=name, legal_name=f"{name}, S.A.", tax_id="XAXX010101000") for name in names
        )
        Customer.objects.bulk_create(Customer(name=name, quinto="Q", tax_id="XAXX010101000") for name in names)
        components = Component.objects.bulk_create(Component(name=name) for name in names)
        materials = Material.objects.bulk_create(Material(name=name, description=text) for name in names)
        ProductionProcess.objects.bulk_create(
            ProductionProcess(name=name, order=start + place) for place, name in enumerate(names, start=1)
        )
        ExportTaxItem.objects.bulk_create(
            ExportTaxItem(code=f"{90_000_000 + start + place}", spanish_description=f"{name}: {text}")
            for place, name in enumerate(names)
        )
        items = Item.objects.bulk_create(
            Item(key=f"K{start + place:06}", name=name, description_spanish=text, sell_price=10)
            for place, name in enumerate(names)
        )
        ItemComponent.objects.bulk_create(
            ItemComponent(item=item, place=1, component=component, material=material)
            for item, component, material in zip(items, components, materials, strict=True)
        )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")  # as the server does by itself, a minute later


def tariff() -> bytes:
    """A list of the real one's shape: leading zeros, texts from a word to 1,511 characters."""
    out = io.StringIO(newline="")
    rows = csv.writer(out)
    rows.writerow(["code", "spanishDescription"])
    word = "Los demás artículos de joyería y sus partes, de metal precioso; "
    for number in range(TARIFF_ROWS):
        rows.writerow(
            [f"{101_210_100 + number * 7:010}", (word * 24)[: 1_511 if number % 997 == 0 else 8 + number % 120]]
        )
    return out.getvalue().encode()


def milliseconds(client: Client, path: str) -> float:
    started = time.perf_counter()
    client.get(path).raise_for_status()
    return 1000 * (time.perf_counter() - started)


def settled(client: Client, address: str, *states: str) -> dict[str, object]:
    """The import once it stands in one of `states`."""
    while True:
        found: dict[str, object] = client.get(address).raise_for_status().json()
        if found["state"] in states:
            return found
        time.sleep(0.25)


def memory(field: str) -> float:
    """Megabytes of the server: `VmRSS` now, `VmHWM` at its most."""
    own = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split()[0]
    line = next(line for line in Path(f"/proc/{own}/status").read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def imported(client: Client, raw: bytes) -> bool:
    """Preview and apply `raw`; whether within the limits."""
    client.get("/api/materials?limit=25").raise_for_status()  # the server has answered before, as any has
    before = memory("VmRSS")
    started = time.perf_counter()
    created = client.post("/api/imports/export-tax-items", content=raw, headers={"Content-Type": "text/csv"})
    address = f"/api/imports/{created.raise_for_status().json()['id']}"
    found = settled(client, address, "ready", "failed")
    preview = time.perf_counter() - started
    if found["errorCode"]:
        raise ValueError(found)
    client.post(f"{address}/apply").raise_for_status()
    found = settled(client, address, "applied", "ready", "failed")
    whole, more = time.perf_counter() - started, memory("VmHWM") - before
    if found["state"] != "applied":
        raise ValueError(found)
    print(
        f"import of {found['rowsTotal']:,} rows: preview {preview:.1f} s, apply {whole - preview:.1f} s, +{more:.0f} MB"
    )
    workbook = milliseconds(client, "/assets/catalogs.xlsx") / 1000
    print(f"catalogs.xlsx with them: {workbook:.2f} s")
    return whole < IMPORT_SECONDS and more < IMPORT_MEGABYTES and workbook < WORKBOOK_SECONDS


def compared(few: Client, many: Client) -> float:
    """The largest ratio of medians, of all catalogs and searches."""
    worst = 0.0
    print(f"lists: {PAGE} rows at {FEW} and at {MANY:,}, medians of {ROUNDS}, median ratio of {RUNS} runs")
    for catalog in CATALOGS:
        for name, search in SEARCHES.items():
            path = f"/api/{catalog}?limit={PAGE}" + (f"&search={search}" if search else "")
            ratios = []
            for _ in range(RUNS):
                times = [(milliseconds(few, path), milliseconds(many, path)) for _ in range(ROUNDS)]
                small, large = (median(column) for column in zip(*times, strict=True))
                ratios.append(large / small)
            worst = max(worst, median(ratios))
            print(f"  {catalog:22} {name:10} {small:6.1f} ms {large:6.1f} ms   ratio {median(ratios):.2f}")
    return worst


def another_database(name: str) -> str:
    """The address of a fresh database beside the one of the environment."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    return os.environ["DATABASE_URL"].rpartition("/")[0] + f"/{name}"


def seeded(address: str, count: int) -> None:
    subprocess.run(
        [sys.executable, __file__, "--seed", str(count)], check=True, env=os.environ | {"DATABASE_URL": address}
    )


def main() -> int:
    if sys.argv[1:2] == ["--seed"]:
        seed(int(sys.argv[2]))
        return 0
    raw = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else tariff()
    with served() as client:
        good = imported(client, raw)
    small, large = another_database("few"), another_database("many")
    with served(DATABASE_URL=small) as few, served(DATABASE_URL=large) as many:
        seeded(small, FEW)
        seeded(large, MANY)
        worst = compared(few, many)
    print(f"worst ratio {worst:.2f}")
    return 0 if good and worst < LISTS_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
