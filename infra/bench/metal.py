"""Measure the page of balances at 10,000 and 1,000,000 entries of metal, and the closing of 100 people's day.

`metal ENTRIES` measures up to ENTRIES entries instead of 1,000,000.
"""

import itertools
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import median
from typing import Any

from django.db import connection, transaction

from infra.bench.report import Report, percentile
from infra.bench.scale import FLOOR_MS, times
from infra.bench.served import EMAIL, Served, served, token
from project.access.principal import Principal
from project.catalogs.models import Alloy, ProductionProcess
from project.core import clock
from project.identity.models import User
from project.metal import ledger, selectors
from project.metal.ledger import Posting
from project.metal.models import Account, AccountKind, Balance, EntryKind, MetalDay, MetalEntry

STAGES = (10_000, 1_000_000)
PEOPLE, PROCESSES, ALLOYS = 100, 10, 2
ENTRIES_OF_A_LINE = 10
OPEN_LINES, AT_ONCE = 500, 500
PIECE_MG, LOST_MG = 5_000, 5
HISTORY = timedelta(days=730)
DAY_ENTRIES, CLOSINGS = 20_000, 3
PAGE = ("/api/metal/accounts?limit=25", "/api/metal/summary")
PAGE_MS, PAGE_TIMES, CLOSE_SECONDS = 150.0, 2.0, 2.0


class Books:
    """A ledger that grows. The product's own code writes its entries and balances (`ledger.post`)."""

    def __init__(self) -> None:
        run = self.run = token()
        admin = User.objects.get(email=EMAIL)
        self.by = Principal(
            user_id=admin.pk,
            full_name=admin.full_name,
            permissions=frozenset(),
            jti="",
            expires_at=clock.end_of_today(),
            token_version=admin.token_version,
        )
        users = User.objects.bulk_create(
            User(email=f"{run}-{n}@metal.obrador.test", first_name="Persona", last_name=f"{run} {n:03}")
            for n in range(PEOPLE)
        )
        processes = ProductionProcess.objects.bulk_create(
            ProductionProcess(name=f"Proceso {run} {n:02}", order=n, weighs="required") for n in range(1, PROCESSES + 1)
        )
        self.alloys = Alloy.objects.bulk_create(
            Alloy(name=f"Plata {run} {n}", fineness=9_250 + n) for n in range(ALLOYS)
        )
        self.people = Account.objects.bulk_create(
            Account(kind=AccountKind.person.value, user=user, process=processes[n % PROCESSES])
            for n, user in enumerate(users)
        )
        self.supplier, self.vault = ledger.supplier(f"Proveedor {run}"), ledger.vault()
        self.finished, self.shipped = ledger.finished(), ledger.shipped()
        self._orders = itertools.count(1)

    def grow(self, entries: int) -> None:
        """Add whole lines until the ledger has about `entries` entries.

        The entries lie in the two years that end two days ago. The last `OPEN_LINES` lines are open: their metal is not
        finished yet.
        """
        lines = max(0, entries - MetalEntry.objects.count()) // ENTRIES_OF_A_LINE
        newest = clock.now() - timedelta(days=2)
        for portion in itertools.batched(range(lines), AT_ONCE):
            accounts = self._lines(len(portion))
            postings = [
                posting
                for number, line in zip(portion, accounts, strict=True)
                for posting in self._life(number, line, is_open=number >= lines - OPEN_LINES)
            ]
            self._post(postings, at=newest - HISTORY * (1 - portion[-1] / lines))
        self._settle()

    def work_a_day(self) -> None:
        """Let each person receive and return pieces today. All people together make `DAY_ENTRIES` entries."""
        visits = DAY_ENTRIES // PEOPLE // 2
        for number, (person, line) in enumerate(zip(self.people, self._lines(PEOPLE), strict=True)):
            alloy_id = self.alloys[number % ALLOYS].pk
            worked = [posting for _ in range(visits) for posting in self._visit(line, person, alloy_id, PIECE_MG)]
            self._post([*self._issue(line, alloy_id, PIECE_MG + visits * LOST_MG), *worked], at=clock.now())
        self._settle()

    def close_yesterday(self) -> None:
        """Mark yesterday as closed for every person, so that the next closing covers only today."""
        end = clock.start_of(clock.today()) - timedelta(milliseconds=1)
        MetalDay.objects.bulk_create(
            MetalDay(
                process_id=one.process_id,
                person_id=one.user_id,
                day=clock.day_of(end),
                closed_at=end,
                closed_by_id=self.by.user_id,
            )
            for one in self.people
            if one.process_id is not None and one.user_id is not None  # every person's account has both
        )

    def counts(self) -> list[dict[str, Any]]:
        """Return the rows of a request that closes each person's day. Each reports 0 g, and half the metal as dust."""
        held: dict[int, list[Balance]] = {}
        for balance in Balance.objects.filter(account__in=self.people, mg__gt=0):
            held.setdefault(balance.account_id, []).append(balance)
        return [
            {
                "userId": one.user_id,
                "productionProcessId": one.process_id,
                "confirm": True,
                "reason": "measured",
                "alloys": [
                    {"alloyId": of.alloy_id, "countedGrams": 0, "dustGrams": of.mg // 2 / 1_000} for of in held[one.pk]
                ],
            }
            for one in self.people
        ]

    def _lines(self, count: int) -> list[Account]:
        """Make the accounts of `count` lines."""
        numbers = itertools.islice(self._orders, count)
        return Account.objects.bulk_create(
            Account(kind=AccountKind.line.value, sales_order_id=number, position=1, name=f"PO {self.run} {number}")
            for number in numbers
        )

    def _life(self, number: int, line: Account, *, is_open: bool) -> Iterator[Posting]:
        """Yield the `ENTRIES_OF_A_LINE` entries of a line.

        A line visits three people and is shipped, or visits four and stays open.
        """
        alloy_id, mg = self.alloys[number % ALLOYS].pk, PIECE_MG + number % 1_000
        yield from self._issue(line, alloy_id, mg)
        for visit in range(4 if is_open else 3):
            yield from self._visit(line, self.people[(number + 7 * visit) % PEOPLE], alloy_id, mg)
            mg -= LOST_MG
        if not is_open:
            yield Posting(line, self.finished, alloy_id, mg, EntryKind.finish, line_id=line.pk)
            yield Posting(self.finished, self.shipped, alloy_id, mg, EntryKind.ship, line_id=line.pk)

    def _issue(self, line: Account, alloy_id: int, mg: int) -> Iterator[Posting]:
        yield Posting(self.supplier, self.vault, alloy_id, mg, EntryKind.receive)
        yield Posting(self.vault, line, alloy_id, mg, EntryKind.issue, line_id=line.pk)

    def _visit(self, line: Account, person: Account, alloy_id: int, mg: int) -> Iterator[Posting]:
        of, at = person.user_id, line.pk
        yield Posting(line, person, alloy_id, mg, EntryKind.enters, person_id=of, line_id=at)
        yield Posting(person, line, alloy_id, mg - LOST_MG, EntryKind.leaves, person_id=of, line_id=at)

    def _post(self, postings: list[Posting], *, at: datetime) -> None:
        with transaction.atomic():
            ledger.post(postings, by=self.by, at=at)

    def _settle(self) -> None:
        """Check that the books add up, and vacuum now, as autovacuum would do later."""
        if any(selectors.sums_by_alloy().values()) or selectors.differing_balances():
            raise RuntimeError("the books do not add up")
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")


def page(client: Served) -> float:
    """Return the milliseconds of all requests of the page of balances, one after the other (sum of the medians)."""
    taken = {path: times(client, path) for path in PAGE}
    for path, rounds in taken.items():
        print(f"  {path:32}p50 {median(rounds):6.1f} ms, p95 {percentile(rounds, 95):6.1f} ms")
    return sum(map(median, taken.values()))


def closing(client: Served, books: Books) -> float:
    """Let all people work, then close their day. Returns the seconds that the closing takes."""
    books.work_a_day()
    body = {"people": books.counts()}
    begun = time.perf_counter()
    client.post("/api/metal/days/people", json=body).raise_for_status()
    took = time.perf_counter() - begun
    print(f"  {PEOPLE} days with {DAY_ENTRIES:,} entries closed in {took:.2f} s")
    return took


def measure(entries: str = str(STAGES[-1])) -> Report:
    """Measure the page at each stage, then close the same day several times, each time after more work."""
    most = int(entries)
    stages = [count for count in STAGES if count < most] + [most]
    pages: list[float] = []
    with served() as client:
        books = Books()
        for count in stages:
            begun = time.perf_counter()
            books.grow(count)
            print(f"{count:,} entries made in {time.perf_counter() - begun:.0f} s")
            pages.append(page(client))
        books.close_yesterday()
        seconds = median(closing(client, books) for _ in range(CLOSINGS))
    report = Report()
    at = " and ".join(f"{count:,}" for count in stages)
    report.rows[f"The page of balances at {at} entries of metal"] = ", ".join(f"{one:.0f} ms" for one in pages)
    report.rows[f"Closing the day of {PEOPLE} people with {DAY_ENTRIES:,} entries, among {most:,} others"] = (
        f"{seconds:.1f} s"
    )
    report.limit("ms for the page of balances", pages[-1], PAGE_MS)
    report.limit(f"the page of balances, times that at {stages[0]:,}", pages[-1] / max(pages[0], FLOOR_MS), PAGE_TIMES)
    report.limit(f"seconds to close the day of {PEOPLE} people", seconds, CLOSE_SECONDS)
    return report
