"""After any sequence of weighed movements, releases, undos, scrap, bills and closings no milligram is lost."""

from random import Random
from typing import Any

import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from project.access.permissions import ALL
from project.catalogs.models import Alloy, Item, ProductionProcess
from project.core import clock
from project.metal import ledger
from project.metal.ledger import Posting
from project.metal.models import Account, Balance, EntryKind, MetalEntry
from project.metal.rules import NotEnoughMetal
from project.metal.selectors import differing_balances, sums_by_alloy
from project.orders.models import Line, Press, ProcessRecord
from tests.builders import Answer, Caller, Shop, item, line_path, person, process, release, undo
from tests.project.billing.billing import PATH, asked, of, prepare
from tests.project.metal import weighing
from tests.project.metal.grams import bench, check_books, check_records, held, principal, receive, sterling, weigh
from tests.project.station.handing import hand_over
from tests.property.walking import walk

indexes = st.integers(0, 2)
choices = st.integers(0, 59)
pieces = st.none() | st.integers(1, 8)
milligrams = st.none() | st.integers(1, 90_000)
few = st.sampled_from([0, 0, 0, 1, 250, 3_000])


class MetalLife(RuleBasedStateMachine):
    """Do actions with random weights over the API, and compare the books after each of them."""

    def __init__(self, shop: Shop, dora: Caller, items: list[Item], alloys: list[Alloy]) -> None:
        super().__init__()
        self.shop, self.items, self.alloys = shop, items, alloys
        self.people = [shop.ana, dora]
        self.processes = list(ProductionProcess.objects.order_by("order"))
        self.keys = 0

    @initialize(
        quantities=st.lists(st.integers(1, 12), min_size=1, max_size=3),
        kinds=st.lists(st.sampled_from(["no", "optional", "optional", "required"]), min_size=3, max_size=3),
        stock=st.sampled_from([0, 500_000, 5_000_000]),
    )
    def begin(self, quantities: list[int], kinds: list[str], stock: int) -> None:
        for one, weighs in zip(self.processes, kinds, strict=True):
            ProductionProcess.objects.filter(pk=one.pk).update(weighs=weighs)
        for alloy in self.alloys if stock else ():
            receive(self.shop, alloy, stock)
            for grams in (3.001, 25, 90):
                assert weighing.receive(self.shop.ana, alloy, grams).status == 201
        lines = [
            {"itemId": self.items[place % len(self.items)].pk, "quantity": quantity}
            for place, quantity in enumerate(quantities)
        ]
        self.order = self.shop.order(items=lines)
        self.lines = len(quantities)
        for position in range(1, self.lines + 1):
            self.shop.status(self.order, position, "Approved")

    @rule(
        direction=st.sampled_from(["in", "in", "out"]),
        index=indexes,
        where=indexes,
        who=st.integers(0, 1),
        quantity=pieces,
        mg=milligrams,
        other=few,
        scrap=few,
        added=few,
        why=st.sampled_from(["", "soldadura"]),
        again=st.booleans(),
    )
    def move(
        self,
        direction: str,
        index: int,
        where: int,
        who: int,
        quantity: int | None,
        mg: int | None,
        other: int,
        scrap: int,
        added: int,
        why: str,
        again: bool,
    ) -> None:
        """Move pieces; `again` sends the movement a second time with the same key, which must book nothing."""
        weights = {"grams": None if mg is None else mg / 1_000}
        if mg is not None and direction == "out":
            weights |= {"scrapGrams": scrap / 1_000, "addedGrams": added / 1_000}
        if mg is not None:
            weights |= {"otherGrams": other / 1_000}
        self.keys += 1
        sent: dict[str, Any] = {
            "position": self.position(index),
            "by": self.people[who],
            "headers": {"idempotency_key": f"{id(self)}-{self.keys}"},
            "weightReason": why,
            **weights,
        }
        call = lambda: weigh(self.shop, direction, self.order, self.processes[where], quantity=quantity, **sent)  # noqa: E731
        first = self.check(call())
        entries = MetalEntry.objects.count()
        if again and first.status == 200:
            assert self.check(call()).status == 200
            assert MetalEntry.objects.count() == entries

    @rule(index=indexes, where=indexes, quantity=st.integers(1, 5), mg=milligrams)
    def scrap(self, index: int, where: int, quantity: int, mg: int | None) -> None:
        body: dict[str, Any] = {"productionProcessId": self.processes[where].pk, "quantity": quantity, "reason": "lost"}
        if mg is not None:
            body["grams"] = mg / 1_000
        self.check(self.shop.ana.post(f"{line_path(self.order, self.position(index))}/scrap", body))

    @rule(index=indexes, here=indexes, there=indexes, quantity=pieces, mg=milligrams)
    def hand_over(self, index: int, here: int, there: int, quantity: int | None, mg: int | None) -> None:
        body: dict[str, Any] = {
            "salesOrderId": self.order,
            "position": self.position(index),
            "toProcessId": self.processes[there].pk,
        }
        if quantity is not None:
            body["quantity"] = quantity
        if mg is not None:
            body |= {"grams": mg / 1_000, "weightReason": "báscula"}
        self.check(self.shop.ana.post(f"/api/station/{self.processes[here].pk}/hand-over", body))

    @rule(index=indexes, choice=choices, who=st.integers(0, 1))
    def undo(self, index: int, choice: int, who: int) -> None:
        mine = ProcessRecord.objects.filter(line__order=self.order, line__position=self.position(index))
        records = list(mine.order_by("pk").values_list("pk", flat=True))
        if records:
            record = records[choice % len(records)]
            self.check(undo(self.people[who], self.order, record, position=self.position(index)))

    @rule(index=indexes, choice=choices, mg_in=milligrams, mg_out=milligrams, scrap=st.none() | few, stones=few)
    def weigh_later(
        self, index: int, choice: int, mg_in: int | None, mg_out: int | None, scrap: int | None, stones: int
    ) -> None:
        mine = ProcessRecord.objects.filter(line__order=self.order, line__position=self.position(index))
        records = list(mine.order_by("pk").values_list("pk", flat=True))
        if records:
            mg = {"gramsIn": mg_in, "gramsOut": mg_out, "scrapGrams": scrap, "otherGrams": stones}
            body = {name: None if one is None else one / 1_000 for name, one in mg.items()} | {
                "weightReason": "báscula"
            }
            record = records[choice % len(records)]
            path = f"{line_path(self.order, self.position(index))}/production-process/{record}/weights"
            self.check(self.shop.ana.put(path, body))

    @rule(
        index=indexes,
        where=indexes,
        side=st.sampled_from(["in", "out", ""]),
        reason=st.sampled_from(["", "", "entry-error", "porosity"]),
    )
    def release(self, index: int, where: int, side: str, reason: str) -> None:
        position, process_ = self.position(index), self.processes[where]
        self.check(release(self.shop.ana, self.order, process_, side, position=position, reason=reason))

    @rule(index=indexes, status=st.sampled_from(["Done", "Done", "InProcess", "Canceled"]))
    def change_status(self, index: int, status: str) -> None:
        self.check(self.shop.ana.put(f"{line_path(self.order, self.position(index))}/update-status/{status}"))

    @rule(index=indexes)
    def leave_and_finish(self, index: int) -> None:
        """Take out all that is inside, weighed as it entered, and bring the line to Done."""
        position = self.position(index)
        for one in self.shop.line(self.order, position)["inside"]:
            self.check(weigh(self.shop, "out", self.order, self.place(one), 0.001, position=position))
        self.check(self.shop.ana.put(f"{line_path(self.order, position)}/update-status/Done"))

    @rule(index=indexes, quantity=st.integers(1, 6))
    def bill(self, index: int, quantity: int) -> None:
        self.check(asked(self.shop.ana, of(self.order, self.position(index), quantity)))

    @rule(choice=choices)
    def cancel_a_bill(self, choice: int) -> None:
        bills = [row["id"] for row in self.shop.ana.get(f"{PATH}/search").json if row["status"] != "Canceled"]
        if bills:
            self.check(self.shop.ana.delete(f"{PATH}/{bills[choice % len(bills)]}"))

    @rule(choice=choices, mg=st.integers(1, 400_000))
    def transfer(self, choice: int, mg: int) -> None:
        """Move metal of the vault to a partner, or refuse it."""
        alloy = self.alloys[choice % len(self.alloys)]
        self.post(Posting(ledger.vault(), ledger.outside("Dorados"), alloy.pk, mg, EntryKind.adjust))

    @rule(choice=choices, swept=st.integers(0, 100))
    def close_a_day(self, choice: int, swept: int) -> None:
        """Book a part of a person's metal as dust, and the rest as lost."""
        held = Balance.objects.filter(account__kind="person", mg__gt=0).select_related("account").order_by("pk")
        if not held:
            return
        one = held[choice % len(held)]
        dust, rest = one.mg * swept // 100, one.mg - one.mg * swept // 100
        process_id = one.account.process_id
        assert process_id is not None
        for target, mg, kind in (
            (ledger.dust(process_id), dust, EntryKind.dust),
            (ledger.lost(), rest, EntryKind.close),
        ):
            if mg:
                self.post(Posting(one.account, target, one.alloy_id, mg, kind, person_id=one.account.user_id))

    @invariant()
    def books_are_right(self) -> None:
        assert {alloy: mg for alloy, mg in sums_by_alloy().items() if mg} == {}
        assert differing_balances() == []
        assert not Balance.objects.filter(mg__lt=0).exclude(account__kind__in=["supplier", "lost"]).exists()

    @invariant()
    def lines_keep_what_their_accounts_hold(self) -> None:
        for line in Line.objects.all():
            own = Balance.objects.filter(account__sales_order_id=line.order_id, account__position=line.position)
            assert sum(own.values_list("mg", flat=True)) == (line.metal_mg or 0)

    @invariant()
    def records_weigh_what_their_entries_say(self) -> None:
        check_records()

    @invariant()
    def nothing_is_reversed_twice_or_half(self) -> None:
        for entry in MetalEntry.objects.filter(reverses__isnull=False).select_related("reverses"):
            undone = entry.reverses
            assert undone is not None
            assert (entry.mg, entry.source_id, entry.target_id) == (undone.mg, undone.target_id, undone.source_id)

    def post(self, posting: Posting) -> None:
        try:
            with transaction.atomic():
                ledger.post([posting], by=principal(self.shop.ana), at=clock.now())
        except NotEnoughMetal:
            assert posting.source.kind == "vault"

    def position(self, index: int) -> int:
        return 1 + index % self.lines

    def place(self, inside: dict[str, Any]) -> ProductionProcess:
        return next(one for one in self.processes if one.pk == inside["productionProcessId"])

    @staticmethod
    def check(answer: Answer) -> Answer:
        assert answer.status in (200, 201, 403, 404, 409, 412, 422), answer
        return answer


def test_no_milligram_is_made_or_lost_by_any_sequence(shop: Shop) -> None:
    prepare(shop)
    packing = process("Empaque", order=3)
    dora = Caller(person("dora", *ALL, processes=[shop.casting, shop.polishing, packing]))
    alloys = [sterling(), sterling("Plata 950")]
    plain = item()
    for one, alloy in ((shop.item, alloys[0]), (plain, alloys[1])):
        Item.objects.filter(pk=one.pk).update(alloy=alloy)
    walk(lambda: MetalLife(shop, dora, [shop.item, plain], alloys), steps=200, a_life=20)
    assert Account.objects.exists()


@pytest.mark.parametrize("seed", range(4))
def test_undoing_all_presses_leaves_nothing_on_any_account(shop: Shop, seed: int) -> None:
    bench(shop)
    dora = Caller(person("dora", *ALL, processes=[shop.casting, shop.polishing]))
    random, order = Random(seed), shop.approved(60)
    callers, start = {one.id: one for one in (shop.ana, dora)}, held()
    presses: list[Press] = []
    for _ in range(26):
        by, here = random.choice([shop.ana, dora]), random.choice([shop.casting, shop.polishing])
        quantity = random.choice([1, 2, 3, 5])
        body: dict[str, Any] = {"productionProcessId": here.pk, "quantity": quantity}
        if random.random() < 0.8:
            body["grams"] = quantity * random.randint(4_000, 6_500) / 1_000
        what = random.choice(["in"] * 4 + ["out"] * 4 + ["hand over", "scrap"])
        if what == "hand over":
            answer = hand_over(shop, order, quantity, grams=body.get("grams"))
        elif what == "scrap":
            answer = by.post(f"{line_path(order)}/scrap", body | {"reason": "lost"})
        else:
            if what == "out" and random.random() < 0.3:
                body["scrap"] = {"quantity": 1, "reason": "lost", "grams": random.choice([None, 4.2, 6])}
            answer = by.put(f"{line_path(order)}/production-process/{what}", body)
        if answer.status == 200:
            presses.append(Press.objects.latest("at", "id"))
            check_records()
    for press in reversed(presses):
        answer = callers[press.by_id].post("/api/presses/undo", {"press": str(press.pk)})
        assert answer.status == 200, answer
        check_records()
    assert len(presses) > 6
    assert held() == start
    assert not MetalEntry.objects.filter(movement_id__isnull=False, reversed_by=None, reverses=None).exists()
    check_books()
