"""After any sequence of approvals, movements, scrap, releases, undos, edits and bills, the API agrees with a model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from project.access.permissions import ALL
from project.billing.models import Bill
from project.catalogs.models import Customer, ProductionProcess
from project.orders.models import ProcessRecord
from tests.builders import Answer, Caller, Shop, customer, line_path, move, person, process, release, undo
from tests.project.billing.billing import ADDRESS, PATH, asked, of, pre_billed, prepare
from tests.property.line_model import Line
from tests.property.walking import walk
from tests.specification import LINE_STATUSES, ORDER_STATUSES, STATUS_OFFERS, order_status

lines = st.sampled_from([0, 0, 0, 1, 2])
choices = st.integers(0, 59)
processes = st.integers(0, 2)
quantities = st.none() | st.integers(1, 30)
STATUS_OF = {"not_your_process": 403, "mixed_customers": 422}
"""The HTTP status of the refusals that are not answered 409."""


Pieces = Mapping[int, int]
"""Position of a line → its pieces to bill."""


@dataclass
class Draft:
    """A pre-bill: its customer and the pieces it would bill."""

    customer: int
    pieces: Pieces


@dataclass
class Books:
    """One order, its bills and its pre-bills, without canceled ones. Verbs return what those of `Line` return."""

    customer: int
    lines: list[Line]
    bills: dict[int, Pieces] = field(default_factory=dict)
    drafts: dict[int, Draft] = field(default_factory=dict)
    was_named: bool = False
    """Whether any bill or pre-bill ever named a line of the order."""

    @property
    def status(self) -> str:
        return order_status([line.status for line in self.lines])

    def change_customer(self, customer: int) -> str | None:
        if customer != self.customer and any(line.billed for line in self.lines):
            return "already_billed"
        self.customer = customer
        return None

    def delete(self) -> str | None:
        touched = self.was_named or any(line.records or line.billed for line in self.lines)
        return "has_movements" if touched else None

    def billing(self, pieces: Pieces, customer: int) -> str | None:
        """The code of the refusal to bill these pieces to this customer, or None."""
        if customer != self.customer:
            return "mixed_customers"
        if any(self.lines[place - 1].status not in ("Done", "Invoiced") for place in pieces):
            return "line_not_done"
        if any(count > self.lines[place - 1].left_to_bill for place, count in pieces.items()):
            return "quantity_exceeds_remaining"
        return None

    def billed(self, number: int, pieces: Pieces) -> None:
        self.bills[number], self.was_named = pieces, True
        for place, count in pieces.items():
            self.lines[place - 1].bill(count)

    def drafted(self, number: int, pieces: Pieces) -> None:
        self.drafts[number], self.was_named = Draft(self.customer, pieces), True

    def cancel(self, number: int) -> None:
        self.drafts.pop(number, None)
        for place, count in self.bills.pop(number, {}).items():
            self.lines[place - 1].bill(-count)


def shown(line: dict[str, Any]) -> dict[str, Any]:
    """Convert a line of the API to the form of `Line.seen`."""
    actions = line["actions"]
    movements = actions["movements"]
    return {
        **{name: line[name] for name in ("status", "orderStatus", "quantity", "quantityInside", "quantityBilled")},
        **{name: line[name] for name in ("quantityScrapped", "quantityReplaced", "quantityGood")},
        "records": [
            (
                row["productionProcessId"],
                row["quantity"],
                row["outputDate"] is not None,
                row["scrapReason"] is not None,
                row["released"],
                row["undone"],
                len(row["releasedExits"]),
            )
            for row in line["productionProcesses"]
        ],
        "statuses": set(actions["statuses"]),
        "in": {a["productionProcessId"]: a["maxQuantity"] for a in movements if a["type"] == "in"},
        "out": {a["productionProcessId"]: a["maxQuantity"] for a in movements if a["type"] == "out"},
        "scrap": {a["productionProcessId"]: a["maxQuantity"] for a in actions["scrap"]},
        "release": {a["productionProcessId"]: (a["side"], a["quantity"]) for a in actions["release"]},
        "undo": {(a["side"], a["productionProcessId"], a["quantity"], a["scrapped"]) for a in actions["undo"]},
    }


class BooksLife(RuleBasedStateMachine):
    """Do each action over the API and on the model, and compare the order after it."""

    def __init__(self, shop: Shop, dora: Caller, customers: list[int]) -> None:
        super().__init__()
        self.shop, self.customers = shop, customers
        self.packing = ProductionProcess.objects.get(name="Empaque")
        self.processes = [shop.casting, shop.polishing, self.packing]
        self.people = [shop.ana, dora]
        self.places = [(0, 0), (0, 1), (1, 1), (1, 2)]  # who works where
        self.own = [shop.casting.pk, shop.polishing.pk]

    @initialize(
        quantities=st.lists(st.integers(1, 30), min_size=1, max_size=2),
        begun=st.sampled_from(["New", "Approved", "Billed", "Billed"]),
    )
    def create(self, quantities: list[int], begun: str) -> None:
        self.order = self.shop.order(*quantities, customerId=self.customers[0])
        self.model = Books(self.customers[0], [Line(quantity) for quantity in quantities])
        self.compare()
        if begun != "New":
            self.change_status(0, "Approved")
        if begun == "Billed":
            self.finish(0, 4)
            self.bill_some_of_what_is_done(4)

    @rule(index=lines, status=st.sampled_from([*ORDER_STATUSES, "Undefined"]))
    def change_status(self, index: int, status: str) -> None:
        line, path = self.at(index)
        answer = self.shop.ana.put(f"{path}/update-status/{status}")
        self.check(answer, line.take(status, self.model.status))

    @rule(index=lines, choice=choices)
    def take_an_offered_status(self, index: int, choice: int) -> None:
        """Choose an offered status, but never Canceled, which would end the line."""
        line, _ = self.at(index)
        offered = sorted(STATUS_OFFERS.get((line.status, self.model.status), set()) - {"Canceled"})
        if offered:
            self.change_status(index, offered[choice % len(offered)])

    @rule(index=lines, part=st.integers(1, 6))
    def finish(self, index: int, part: int) -> None:
        """Bring the line to Done: take out what is inside, or else move a few pieces through a process."""
        line, _ = self.at(index)
        for process_id in self.own:
            place = (0, self.own.index(process_id))
            if not line.inside() and line.status == "Approved" and line.may_enter(process_id) > 0:
                self.move("in", index, place, min(part, line.may_enter(process_id)))
            if line.inside(process_id):
                self.move("out", index, place, None)
        if "Done" in STATUS_OFFERS.get((line.status, self.model.status), set()):
            self.change_status(index, "Done")

    @rule(index=lines, choice=choices, part=st.integers(1, 6))
    def enter_some(self, index: int, choice: int, part: int) -> None:
        """Enter a few free pieces into a process, by a person who works in it."""
        line, _ = self.at(index)
        free = [place for place in self.places if line.may_enter(self.process(place)) > 0]
        if free:
            place = free[choice % len(free)]
            self.move("in", index, place, min(part, line.may_enter(self.process(place))))

    @rule(index=lines, choice=choices, part=st.none() | st.integers(1, 6))
    def leave_some(self, index: int, choice: int, part: int | None) -> None:
        line, _ = self.at(index)
        full = [place for place in self.places if line.inside(self.process(place))]
        if full:
            place = full[choice % len(full)]
            self.move("out", index, place, part and min(part, line.inside(self.process(place))))

    @rule(index=lines, choice=choices, part=st.integers(1, 6))
    def scrap_some(self, index: int, choice: int, part: int) -> None:
        """Scrap a few of the pieces that are inside a process."""
        line, _ = self.at(index)
        full = [place for place in self.places if line.inside(self.process(place))]
        if full:
            place = full[choice % len(full)]
            self.scrap(index, place[1], place[0], min(part, line.inside(self.process(place))))

    @rule(index=lines, where=processes, who=st.integers(0, 1), quantity=st.integers(1, 30))
    def scrap(self, index: int, where: int, who: int, quantity: int) -> None:
        line, path = self.at(index)
        place = self.processes[where]
        body = {"productionProcessId": place.pk, "quantity": quantity, "reason": "broken"}
        answer = self.people[who].post(f"{path}/scrap", body)
        if (who, where) not in self.places:
            self.check(answer, "not_your_process")
        else:
            self.check(answer, line.scrap(place.pk, quantity, who))

    @rule(index=lines, quantity=st.integers(1, 6))
    def replace(self, index: int, quantity: int) -> None:
        line, path = self.at(index)
        self.check(self.shop.ana.post(f"{path}/replace", {"quantity": quantity}), line.replace(quantity))

    @rule(index=lines)
    def replace_all(self, index: int) -> None:
        line, _ = self.at(index)
        if line.scrapped > line.replaced:
            self.replace(index, line.scrapped - line.replaced)

    @rule(index=lines, where=processes, who=st.integers(0, 1), into=st.booleans(), quantity=quantities)
    def move_anyhow(self, index: int, where: int, who: int, into: bool, quantity: int | None) -> None:
        self.move("in" if into else "out", index, (who, where), quantity)

    def process(self, place: tuple[int, int]) -> int:
        return self.processes[place[1]].pk

    def move(self, direction: str, index: int, whose: tuple[int, int], quantity: int | None) -> None:
        who, where = whose
        line, _ = self.at(index)
        place = self.processes[where]
        position = index % len(self.model.lines) + 1
        answer = move(self.people[who], direction, self.order, place, quantity, position=position)
        if whose not in self.places:
            self.check(answer, "not_your_process")
        else:
            verb = line.enter if direction == "in" else line.leave
            self.check(answer, verb(place.pk, quantity, who))

    @rule(index=lines, where=processes, movement=st.sampled_from(["", "in", "out"]))
    def release(self, index: int, where: int, movement: str) -> None:
        line, _ = self.at(index)
        position = index % len(self.model.lines) + 1
        answer = release(self.shop.ana, self.order, self.processes[where], movement, position=position)
        self.check(answer, line.release(self.processes[where].pk, movement))

    @rule(index=lines, choice=choices, who=st.sampled_from([0, 0, 1]))
    def undo(self, index: int, choice: int, who: int) -> None:
        """Undo the last movement of one of the three newest records."""
        line, _ = self.at(index)
        position = index % len(self.model.lines) + 1
        if line.records:
            back = choice % min(3, len(line.records))
            record = self.shop.history(self.order, position)[back]["id"]
            answer = undo(self.people[who], self.order, record, position=position)
            self.check(answer, line.undo(line.records[-1 - back], who))

    @rule(sure=choices)
    def minutes_pass(self, sure: int) -> None:
        """In one of four calls, move all movements six minutes back, past the limit for undoing."""
        if sure % 4 == 0:
            earlier = timedelta(minutes=6)
            moved = ProcessRecord.objects.filter(line__order=self.order)
            moved.update(input_at=F("input_at") - earlier, output_at=F("output_at") - earlier)
            for line in self.model.lines:
                line.too_old = line.ticks
            self.compare()

    @rule(index=lines, quantity=st.integers(1, 30))
    def resize(self, index: int, quantity: int) -> None:
        line, path = self.at(index)
        self.check(self.shop.ana.put(f"{path}/full", {"quantity": quantity}), line.resize(quantity))

    @rule(index=lines, whole=st.booleans())
    def resize_to_what_is_used(self, index: int, whole: bool) -> None:
        """Reduce a line to the fewest pieces allowed. `whole`: edit it through its order."""
        line, path = self.at(index)
        quantity = line.fewest
        body: dict[str, Any] = {"quantity": quantity}
        if whole:
            path = f"/api/sales-order/{self.order}"
            body = {"items": [{"position": index % len(self.model.lines) + 1, **body}]}
        self.check(self.shop.ana.put(path if whole else f"{path}/full", body), line.resize(quantity))

    @precondition(lambda self: len(self.model.lines) < 3)
    @rule(quantity=st.integers(1, 30))
    def add_line(self, quantity: int) -> None:
        body = {"itemId": self.shop.item.pk, "quantity": quantity}
        answer = self.shop.ana.post(f"/api/sales-order/{self.order}/position", body)
        assert answer.status == 201, answer
        self.model.lines.append(Line(quantity))
        self.compare()

    @rule(other=st.sampled_from([True, True, False]))
    def change_customer(self, other: bool) -> None:
        now = self.model.customer
        wanted = next(one for one in self.customers if one != now) if other else now
        answer = self.shop.ana.put(f"/api/sales-order/{self.order}", {"customerId": wanted})
        self.check(answer, self.model.change_customer(wanted))

    @rule(sure=choices)
    def delete(self, sure: int) -> None:
        """Try to delete the order. If that is allowed, do it in one of eight calls, and create a new order."""
        refusal = self.model.delete()
        if refusal or sure % 8 == 0:
            answer = self.shop.ana.delete(f"/api/sales-order/{self.order}")
            if refusal:
                self.check(answer, refusal)
            else:
                assert answer.status == 200, answer
                assert self.shop.ana.get(f"/api/sales-order/{self.order}").status == 404
                self.create([line.quantity for line in self.model.lines], "Approved")

    @rule(places=st.sets(lines, min_size=1), part=st.integers(1, 31), draft=st.booleans())
    def bill(self, places: set[int], part: int, draft: bool) -> None:
        pieces = {place % len(self.model.lines) + 1: part for place in places}
        self.write_bill(pieces, draft=draft)

    @rule(part=st.integers(1, 6))
    def bill_some_of_what_is_done(self, part: int) -> None:
        left = {place: line.left_to_bill for place, line in enumerate(self.model.lines, 1) if line.status == "Done"}
        if left:
            self.write_bill({place: min(part, most) for place, most in left.items()}, draft=False)

    def write_bill(self, pieces: Pieces, *, draft: bool) -> None:
        rows = [of(self.order, place, count) for place, count in pieces.items()]
        if draft:
            self.model.drafted(pre_billed(self.shop, *rows)["id"], pieces)
            self.compare()
        else:
            self.billed(asked(self.shop.ana, *rows), pieces, self.model.billing(pieces, self.model.customer), 201)

    @rule(choice=choices)
    def bill_a_draft(self, choice: int) -> None:
        if self.model.drafts:
            number = sorted(self.model.drafts)[choice % len(self.model.drafts)]
            draft = self.model.drafts[number]
            answer = self.shop.ana.put(f"{PATH}/{number}", {"preBill": False, "guideNumber": "G"})
            refusal = self.model.billing(draft.pieces, draft.customer)
            if refusal is None:
                del self.model.drafts[number]
            self.billed(answer, draft.pieces, refusal, 200)

    def billed(self, answer: Answer, pieces: Pieces, refusal: str | None, status: int) -> None:
        if refusal is None:
            assert answer.status == status, answer
            assert answer.json["number"] == f"F-{Bill.objects.exclude(billed_at=None).count():04}"
            self.model.billed(answer.json["id"], pieces)
            self.compare()
        else:
            self.check(answer, refusal)

    @rule(choice=choices)
    def cancel_a_bill(self, choice: int) -> None:
        numbers = sorted([*self.model.bills, *self.model.drafts])
        if numbers:
            number = numbers[choice % len(numbers)]
            self.model.cancel(number)
            self.check(self.shop.ana.delete(f"{PATH}/{number}"), None)

    def teardown(self) -> None:
        if hasattr(self, "model"):
            self.every_offer_is_kept()

    def at(self, index: int) -> tuple[Line, str]:
        """A line of the model and its path in the API."""
        index %= len(self.model.lines)
        return self.model.lines[index], line_path(self.order, index + 1)

    def check(self, answer: Answer, refusal: str | None) -> None:
        if refusal:
            assert (answer.status, answer.code) == (STATUS_OF.get(refusal, 409), refusal), answer
        else:
            assert answer.status == 200, answer
        self.compare()

    def compare(self) -> None:
        """Compare the order of the API with the model."""
        order = self.shop.ana.get(f"/api/sales-order/{self.order}").json
        assert (order["status"], order["customerId"]) == (self.model.status, self.model.customer)
        seen = [line.seen(self.model.status, self.own, 0) for line in self.model.lines]
        assert [shown(line) for line in order["items"]] == seen

    def every_offer_is_kept(self) -> None:
        """Check that an action succeeds if and only if it is offered. Roll each one back."""
        for position in range(1, len(self.model.lines) + 1):
            path = line_path(self.order, position)
            line = self.shop.line(self.order, position)
            offers = shown(line)
            for status in LINE_STATUSES:
                answer = self.tried("PUT", f"{path}/update-status/{status}")
                assert (answer.status == 200) == (status in offers["statuses"]), (status, offers, answer)
            for direction in ("in", "out"):
                for place in self.processes:
                    most = offers[direction].get(place.pk, 0)
                    for quantity in {1, most, most + 1} - {0}:
                        body = {"productionProcessId": place.pk, "quantity": quantity}
                        answer = self.tried("PUT", f"{path}/production-process/{direction}", body)
                        assert (answer.status == 200) == (quantity <= most), (direction, body, offers, answer)
            for place in self.processes:
                most = offers["scrap"].get(place.pk, 0)
                for quantity in {1, most, most + 1} - {0}:
                    body = {"productionProcessId": place.pk, "quantity": quantity, "reason": "lost"}
                    answer = self.tried("POST", f"{path}/scrap", body)
                    assert (answer.status == 200) == (quantity <= most), (body, offers, answer)
            for place in self.processes:
                answer = self.tried("DELETE", f"{path}/production-process/{place.pk}")
                assert (answer.status == 200) == (place.pk in offers["release"]), (place, offers, answer)
            for offer in line["actions"]["undo"]:
                assert self.tried("POST", f"{path}/records/{offer['recordId']}/undo").status == 200

    def tried(self, method: str, path: str, body: Any = None) -> Answer:
        with transaction.atomic():
            answer = self.shop.ana.call(method, path, body)
            transaction.set_rollback(True)
        return answer


def test_orders_and_bills_agree_with_the_model_after_any_sequence(shop: Shop) -> None:
    prepare(shop)
    other = customer()
    Customer.objects.filter(pk=other.pk).update(addresses=[{"kind": "Commercial", **ADDRESS}])
    packing = process("Empaque", order=3)
    dora = Caller(person("dora", *ALL, processes=[shop.polishing, packing]))
    walk(lambda: BooksLife(shop, dora, [shop.customer.pk, other.pk]), steps=200, a_life=20)
