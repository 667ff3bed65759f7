"""Records and counts of lines, derived from the stored movements alone, equal the stored ones after any presses.

The walk calls the services without HTTP. OBRADOR_PROPERTY_STEPS lengthens it: `make walk`.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from random import Random

from project.access import token
from project.access.principal import Principal
from project.access.token import verify
from project.batches import services as batches
from project.batches.schemas import BatchIn, BatchLineIn
from project.core import clock
from project.core.clock import STATIONS_DIFFER
from project.core.errors import Refusal
from project.metal.rules import NOT_WEIGHED
from project.orders import corrections, movements, scrapping
from project.orders.models import Line, Movement, Press, ProcessRecord
from project.orders.rules import MovementSide, Side
from project.presses.services import press_undo
from tests.builders import Shop, person
from tests.project.station.standing import MOVES
from tests.property.walking import analyze

STEPS = int(os.environ.get("OBRADOR_PROPERTY_STEPS", 300))
A_LIFE = 75
SECOND = timedelta(seconds=1)


@dataclass
class Derived:
    """A process record, as the movements of its line say that it must be."""

    pk: int
    quantity: int
    entry: Movement
    exit: Movement | None = None
    released: Movement | None = None
    past: list[tuple[int, datetime]] = field(default_factory=list)
    """The ids of the exits that were taken back, and when they were."""
    since: datetime = field(init=False)
    """Since when the pieces could leave, if a press is reported later."""

    def __post_init__(self) -> None:
        self.since = self.entry.at

    def leaves_before(self, exit_: Movement) -> tuple[object, ...]:
        """What decides which records leave first: the batch's own, then the person's own, then the oldest."""
        press, entry = exit_.press, self.entry.press
        is_of_batch = press.batch_id is not None and press.batch_id == entry.batch_id
        return not is_of_batch, entry.by_id != press.by_id, self.entry.at, self.pk

    @property
    def open(self) -> bool:
        return self.exit is None and self.released is None

    def shown(self) -> tuple[object, ...]:
        entry, exit_, released = self.entry, self.exit, self.released
        return (
            (self.pk, self.quantity, entry.process_id, entry.pk, exit_ and exit_.pk, released and released.pk),
            (entry.at, entry.press.by_id),
            exit_ and (exit_.at, exit_.press.by_id, exit_.price, exit_.price_unit),
            exit_ is not None and exit_.side == MovementSide.scrap,
            exit_ and exit_.scrap_reason_id,
            released and (released.at, released.press.by_id),
            [exit_ for exit_, _ in self.past],
            self.past[-1][1] if self.past else None,
        )


def stored(record: ProcessRecord) -> tuple[object, ...]:
    """A stored record in the form of `Derived.shown`."""
    left = record.output_at is not None
    exit_ = (record.output_at, record.output_by_id, record.price, record.price_unit)
    released = (record.released_at, record.released_by_id)
    where = (record.pk, record.quantity, record.process_id, record.entry_id, record.exit_id, record.released_id)
    return (
        where,
        (record.input_at, record.input_by_id),
        exit_ if left else None,
        record.scrapped,
        record.scrap_reason_id,
        released if record.released_at is not None else None,
        [one.movement_id for one in sorted(record.past_exits.all(), key=lambda one: one.pk)],
        record.reopened_at,
    )


def derived(made: list[Movement], ids: dict[int, Iterator[int]]) -> dict[int, Derived]:
    """The records that movements of one line make, by id. `ids`: the ids of the records of each entry, in order."""
    found: dict[int, Derived] = {}
    taken = {(one.press_id, one.record_id, one.takes_back_id) for one in made}
    for one in made:
        if one.takes_back is None and one.side == MovementSide.entry:
            pk = next(ids[one.pk])
            found[pk] = Derived(pk, one.pieces, one)
        elif one.takes_back is None and one.side in (MovementSide.exit, MovementSide.scrap):
            left = one.pieces
            here = [record for record in found.values() if record.open and record.entry.process_id == one.process_id]
            if one.press.received_at is not None:
                here = [record for record in here if record.since <= one.at]
            for record in sorted(here, key=lambda record: record.leaves_before(one)):
                if not left:
                    break
                if record.quantity > left:
                    pk = next(ids[record.entry.pk])
                    found[pk] = Derived(pk, record.quantity - left, record.entry, past=[*record.past])
                    found[pk].since, record.quantity = record.since, left
                record.exit = one
                left -= record.quantity
            assert left == 0
        elif one.record_id is not None and one.side == MovementSide.entry:
            found[one.record_id].released = one
        elif one.record_id is not None:
            record = found[one.record_id]
            if (one.press_id, record.pk, record.entry.pk) not in taken:
                record.past.append((one.takes_back_id or 0, one.at))
                record.exit, record.since = None, one.at - STATIONS_DIFFER
    return found


def compare() -> None:
    """Compare all lines. Raises `AssertionError` if a record or a count differs."""
    made: defaultdict[int, list[Movement]] = defaultdict(list)
    for movement in Movement.objects.select_related("press", "takes_back").order_by("pk"):
        made[movement.line_id].append(movement)
    ids: defaultdict[int, list[int]] = defaultdict(list)
    records: defaultdict[int, list[ProcessRecord]] = defaultdict(list)
    for row in ProcessRecord.objects.prefetch_related("past_exits").order_by("pk"):
        records[row.line_id].append(row)
        ids[row.entry_id or 0].append(row.pk)
    for line in Line.objects.all():
        of_line = derived(made[line.pk], {entry: iter(pks) for entry, pks in ids.items()})
        assert [one.shown() for _, one in sorted(of_line.items())] == [stored(one) for one in records[line.pk]]
        standing = [one for one in of_line.values() if one.released is None]
        scrapped = [one.quantity for one in standing if one.exit and one.exit.side == MovementSide.scrap]
        again = [one.pieces * (-1 if one.takes_back else 1) for one in made[line.pk] if one.side == MovementSide.remake]
        counts = (line.quantity_inside, line.quantity_scrapped, line.quantity_replaced)
        assert counts == (sum(one.quantity for one in standing if one.open), sum(scrapped), sum(again))
    press_ids = {one.press_id for of_line in made.values() for one in of_line}
    assert press_ids == set(Press.objects.values_list("pk", flat=True))


class Walk:
    """People who press at random. A refused press must change nothing, which `compare` would find."""

    def __init__(self, shop: Shop, seed: int) -> None:
        self.shop, self.random, self.now = shop, Random(seed), clock.now()
        assert shop.ana.bearer is not None
        dora = person("dora", *MOVES, processes=[shop.casting, shop.polishing])
        self.people = [verify(shop.ana.bearer), verify(token.issue(dora))]
        self.accepted: defaultdict[str, int] = defaultdict(int)
        self.begin()

    def begin(self) -> None:
        """Go on with new lines, before the histories of the old ones make each press slow."""
        analyze()
        order = self.shop.approved(12, 7, 9)
        self.places = [(order, position) for position in (1, 2, 3)]
        self.batches: list[int] = []

    def step(self) -> None:
        verbs = [
            *[self.move] * 8,
            *[self.hand_over] * 2,
            *[self.release] * 2,
            *[self.undo] * 4,
            *[self.batch] * 2,
            self.scrap,
            self.replace,
        ]
        verb = self.random.choice(verbs)
        self.now += self.random.choice([SECOND, SECOND / 1000, 30 * SECOND, 200 * SECOND, -20 * SECOND])
        with clock.at(self.now):
            try:
                verb()
            except Refusal:
                return
        self.accepted[verb.__name__] += 1

    @property
    def by(self) -> Principal:
        return self.random.choice(self.people)

    @property
    def made_at(self) -> datetime | None:
        return self.random.choice([None, None, None, self.now - 5 * SECOND, self.now - 100 * SECOND])

    def place(self) -> dict[str, int]:
        order_id, position = self.random.choice(self.places)
        return {"order_id": order_id, "position": position}

    def process(self) -> int:
        return int(self.random.choice([self.shop.casting, self.shop.polishing]).pk)

    def move(self) -> None:
        verb: Callable[..., object] = self.random.choice([movements.move_in, movements.move_out])
        quantity = self.random.choice([None, 1, 2, 3, 5])
        at = {"process_id": self.process(), "made_at": self.made_at}
        verb(**self.place(), **at, quantity=quantity, notes=self.random.choice(["", "con cuidado"]), by=self.by)

    def hand_over(self) -> None:
        here, there = self.random.sample([self.shop.casting.pk, self.shop.polishing.pk], 2)
        quantity, made_at = self.random.choice([None, 1, 3]), self.made_at
        movements.hand_over(
            **self.place(),
            process_id=here,
            to_process_id=there,
            quantity=quantity,
            notes="",
            by=self.people[0],
            made_at=made_at,
        )

    def scrap(self) -> None:
        scrapping.scrap(
            **self.place(),
            process_id=self.process(),
            quantity=self.random.choice([1, 2]),
            reason="broken",
            notes="",
            by=self.people[0],
            made_at=self.made_at,
        )

    def replace(self) -> None:
        scrapping.replace(**self.place(), quantity=1, by=self.people[0])

    def release(self) -> None:
        verbs = (corrections.release_exit, corrections.release_entry, corrections.release_record)
        self.random.choice(verbs)(**self.place(), process_id=self.process(), by=self.people[0], notes="mal")

    def undo(self) -> None:
        recent = Press.objects.order_by("-at", "-pk").values_list("pk", flat=True)[:4]
        press_undo(press=self.random.choice(list(recent)), key=None, made_at=None, by=self.by)

    def batch(self) -> None:
        if not self.batches or self.random.random() < 0.2:
            batch = batches.batch_create(body=BatchIn(productionProcessId=self.process()), by=self.people[0])
            self.batches.append(batch.pk)
        batch_id = self.batches[-1]
        side = self.random.choice([Side.entry, Side.exit])
        put_on = partial(batches.line_put_on, batch_id=batch_id, by=self.people[0])
        for order_id, position in self.random.sample(self.places, 2):
            try:
                put_on(body=BatchLineIn(salesOrderId=order_id, position=position, quantity=1))
            except Refusal:
                continue
        batches.batch_move(batch_id=batch_id, side=side, weights=NOT_WEIGHED, notes="", leave_out=(), by=self.people[0])


def test_records_follow_movements(shop: Shop) -> None:
    walk = Walk(shop, seed=43)
    for step in range(1, STEPS + 1):
        walk.step()
        if step % A_LIFE == 0:
            compare()
            walk.begin()
    compare()
    assert set(walk.accepted) == {"move", "hand_over", "release", "undo", "batch", "scrap", "replace"}
