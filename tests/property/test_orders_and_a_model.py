"""Any sequence of approvals, movements and releases over the API ends where a plain model of the contract ends."""

from typing import Any

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from project.access.table import ALL
from tests.builders import Answer, Caller, Shop, line_path, move, person, process, release
from tests.property.line_model import Line, status_of
from tests.property.walking import walk
from tests.specification import ORDER_STATUSES, STATUS_OFFERS

lines = st.sampled_from([0, 0, 0, 1, 2])
choices = st.integers(0, 59)
processes = st.integers(0, 2)
quantities = st.none() | st.integers(1, 30)


def shown(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the API in the model's words."""
    movements = line["actions"]["movements"]
    return {
        **{name: line[name] for name in ("status", "orderStatus", "quantity", "quantityInside")},
        "records": [
            (
                row["productionProcessId"],
                row["quantity"],
                row["outputDate"] is not None,
                row["released"],
                len(row["releasedExits"]),
            )
            for row in line["productionProcesses"]
        ],
        "statuses": set(line["actions"]["statuses"]),
        "in": {a["productionProcessId"]: a["maxQuantity"] for a in movements if a["type"] == "in"},
        "out": {a["productionProcessId"]: a["maxQuantity"] for a in movements if a["type"] == "out"},
        "release": {a["productionProcessId"] for a in line["actions"]["release"]},
    }


class OrderLife(RuleBasedStateMachine):
    """One order: whatever is done to it over the API is done to the model too."""

    def __init__(self, shop: Shop, dora: Caller) -> None:
        super().__init__()
        self.shop = shop
        self.packing = dora.user.production_processes.get(name="Empaque")  # type: ignore[union-attr]
        self.processes = [shop.casting, shop.polishing, self.packing]
        self.people = [shop.ana, dora]
        self.places = [(0, 0), (0, 1), (1, 1), (1, 2)]  # who works where
        self.own = [shop.casting.pk, shop.polishing.pk]

    @initialize(quantities=st.lists(st.integers(1, 30), min_size=1, max_size=2), wait=st.booleans())
    def create(self, quantities: list[int], wait: bool) -> None:
        self.order = self.shop.order(*quantities)
        self.model = [Line(quantity) for quantity in quantities]
        self.compare()
        if not wait:
            self.change_status(0, "Approved")

    @rule(index=lines, status=st.sampled_from([*ORDER_STATUSES, "Undefined"]))
    def change_status(self, index: int, status: str) -> None:
        line, path = self.at(index)
        answer = self.shop.ana.put(f"{path}/update-status/{status}")
        self.check(answer, line.take(status, status_of(self.model)))

    @rule(index=lines, choice=choices)
    def take_an_offered_status(self, index: int, choice: int) -> None:
        """Rarely a cancellation: a canceled line is over."""
        line, _ = self.at(index)
        offered = sorted(STATUS_OFFERS.get((line.status, status_of(self.model)), set()) - {"Canceled"})
        if offered:
            self.change_status(index, offered[choice % len(offered)])

    @rule(index=lines, choice=choices, part=st.integers(1, 6))
    def enter_some(self, index: int, choice: int, part: int) -> None:
        """Mostly what is possible: somebody enters a process of his own with a few of the free pieces."""
        line, _ = self.at(index)
        free = [place for place in self.places if line.may_enter(self.process(place)) > 0]
        if free:
            place = free[choice % len(free)]
            self.move("in", index, place, min(part, line.may_enter(self.process(place))))

    @rule(index=lines, choice=choices, part=st.integers(1, 6))
    def leave_some(self, index: int, choice: int, part: int) -> None:
        line, _ = self.at(index)
        full = [place for place in self.places if line.inside(self.process(place))]
        if full:
            place = full[choice % len(full)]
            self.move("out", index, place, min(part, line.inside(self.process(place))))

    @rule(index=lines, where=processes, who=st.integers(0, 1), into=st.booleans(), quantity=quantities)
    def move_anyhow(self, index: int, where: int, who: int, into: bool, quantity: int | None) -> None:
        self.move("in" if into else "out", index, (who, where), quantity)

    def process(self, place: tuple[int, int]) -> int:
        return self.processes[place[1]].pk

    def move(self, direction: str, index: int, whose: tuple[int, int], quantity: int | None) -> None:
        who, where = whose
        line, _ = self.at(index)
        place = self.processes[where]
        position = index % len(self.model) + 1
        answer = move(self.people[who], direction, self.order, place, quantity, position=position)
        if whose not in self.places:
            self.check(answer, "not_your_process", status=403)
        else:
            verb = line.enter if direction == "in" else line.leave
            self.check(answer, verb(place.pk, quantity))

    @rule(index=lines, where=processes, movement=st.sampled_from(["", "in", "out"]))
    def release(self, index: int, where: int, movement: str) -> None:
        line, _ = self.at(index)
        position = index % len(self.model) + 1
        answer = release(self.shop.ana, self.order, self.processes[where], movement, position=position)
        self.check(answer, line.release(self.processes[where].pk, movement))

    @rule(index=lines, quantity=st.integers(1, 30))
    def resize(self, index: int, quantity: int) -> None:
        line, path = self.at(index)
        self.check(self.shop.ana.put(f"{path}/full", {"quantity": quantity}), line.resize(quantity))

    @precondition(lambda self: len(self.model) < 3)
    @rule(quantity=st.integers(1, 30))
    def add_line(self, quantity: int) -> None:
        body = {"itemId": self.shop.item.pk, "quantity": quantity}
        answer = self.shop.ana.post(f"/api/sales-order/{self.order}/position", body)
        assert answer.status == 201, answer
        self.model.append(Line(quantity))
        self.compare()

    def teardown(self) -> None:
        if hasattr(self, "model"):
            self.every_offer_is_kept()

    def at(self, index: int) -> tuple[Line, str]:
        """One of the lines and its path."""
        index %= len(self.model)
        return self.model[index], line_path(self.order, index + 1)

    def check(self, answer: Answer, refusal: str | None, *, status: int = 409) -> None:
        if refusal:
            assert (answer.status, answer.code) == (status, refusal), answer
        else:
            assert answer.status == 200, answer
        self.compare()

    def compare(self) -> None:
        """The order as the API shows it is the model's."""
        order = self.shop.ana.get(f"/api/sales-order/{self.order}").json
        status = status_of(self.model)
        assert order["status"] == status
        assert [shown(line) for line in order["items"]] == [line.seen(status, self.own) for line in self.model]

    def every_offer_is_kept(self) -> None:
        """What is offered succeeds, up to the last piece; what is not is refused. Everything tried is taken back."""
        for position in range(1, len(self.model) + 1):
            path = line_path(self.order, position)
            offers = shown(self.shop.line(self.order, position))
            for status in ORDER_STATUSES:
                answer = self.tried("PUT", f"{path}/update-status/{status}")
                assert (answer.status == 200) == (status in offers["statuses"]), (status, offers, answer)
            for direction in ("in", "out"):
                for place in self.processes:
                    most = offers[direction].get(place.pk, 0)
                    for quantity in {1, most, most + 1} - {0}:
                        body = {"productionProcessId": place.pk, "quantity": quantity}
                        answer = self.tried("PUT", f"{path}/production-process/{direction}", body)
                        assert (answer.status == 200) == (quantity <= most), (direction, body, offers, answer)
            for place_id in offers["release"]:
                assert self.tried("DELETE", f"{path}/production-process/{place_id}").status == 200

    def tried(self, method: str, path: str, body: Any = None) -> Answer:
        with transaction.atomic():
            answer = self.shop.ana.call(method, path, body)
            transaction.set_rollback(True)
        return answer


def test_orders_live_as_the_model_says(shop: Shop) -> None:
    packing = process("Empaque", order=3)
    dora = Caller(person("dora", *ALL, processes=[shop.polishing, packing]))
    walk(lambda: OrderLife(shop, dora), steps=240, a_life=40)
