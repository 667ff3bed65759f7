"""A line's status follows the table of infra/docs/rules.md#statuses. The order's status is derived from its lines."""

import itertools

import pytest

from project.core.errors import Refusal
from project.orders import rules
from project.orders.models import Line, SalesOrder
from project.orders.rules import Status
from tests.builders import Shop, line_path
from tests.specification import LINE_STATUSES, ORDER_STATUSES, STATUS_OFFERS, order_status

PAIRS = list(itertools.product(LINE_STATUSES, ORDER_STATUSES))


@pytest.mark.parametrize(("line", "order"), PAIRS)
def test_every_pair_of_statuses_offers_what_the_table_says(line: str, order: str) -> None:
    offered = rules.offered(Status(line), Status(order))
    assert set(offered) == STATUS_OFFERS.get((line, order), set())
    assert len(offered) == len(set(offered))


@pytest.mark.parametrize(("line", "order"), PAIRS)
def test_every_pair_accepts_what_it_offers_and_refuses_the_rest(shop: Shop, line: str, order: str) -> None:
    """Runs over the API, with the pair of statuses written directly to the database."""
    number, offers = shop.order(10), STATUS_OFFERS.get((line, order), set())
    billed = 10 if line == "Invoiced" else 0

    def put_the_pair() -> None:
        Line.objects.filter(order=number).update(status=line, quantity_billed=billed)
        SalesOrder.objects.filter(pk=number).update(status=order)

    put_the_pair()
    assert set(shop.line(number)["actions"]["statuses"]) == offers
    for asked in (*ORDER_STATUSES, "Undefined", "Undefine", "done"):
        answer = shop.ana.put(f"{line_path(number)}/update-status/{asked}")
        if asked in offers:
            assert (answer.status, answer.json["status"]) == (200, asked)
            put_the_pair()
        else:
            code = "already_billed" if billed and asked == "Canceled" else "illegal_status"
            assert (answer.status, answer.code) == (409, code)
            assert Line.objects.get(order=number).status == line


@pytest.mark.parametrize(("line", "order"), PAIRS)
@pytest.mark.parametrize("inside", [0, 3])
@pytest.mark.parametrize("billed", [0, 4])
def test_rules_accept_exactly_what_they_offer_with_pieces_inside_or_billed(
    line: str, order: str, inside: int, billed: int
) -> None:
    offered = rules.offered(Status(line), Status(order), inside=inside, billed=billed)
    if billed:
        assert not set(offered) & {"Canceled", "InProcess"}
    for asked in LINE_STATUSES:
        taken: object
        try:
            taken = rules.status_to_take(Status(line), Status(order), asked, inside=inside, billed=billed)
        except Refusal:
            taken = None
        assert taken == (asked if asked in offered else None)


def test_approved_line_can_be_canceled_while_another_is_in_process(shop: Shop) -> None:
    order = shop.approved(10, 5)
    assert shop.enter(order, shop.casting)["orderStatus"] == "InProcess"
    line = shop.status(order, 2, "Canceled")
    assert (line["status"], line["orderStatus"]) == ("Canceled", "InProcess")


def test_done_line_can_be_reopened_while_another_is_in_process(shop: Shop) -> None:
    order = shop.approved(10, 5)
    shop.enter(order, shop.casting)
    shop.move("in", order, shop.casting, position=2)
    shop.move("out", order, shop.casting, position=2)
    line = shop.status(order, 2, "Done")
    assert (line["orderStatus"], line["actions"]["statuses"]) == ("InProcess", ["InProcess"])
    assert shop.status(order, 2, "InProcess")["status"] == "InProcess"


def test_line_cannot_be_done_while_pieces_are_inside(shop: Shop) -> None:
    order = shop.approved(10)
    line = shop.enter(order, shop.casting, 1)
    assert line["actions"]["statuses"] == ["Canceled"]
    answer = shop.ana.put(f"{line_path(order)}/update-status/Done")
    assert (answer.status, answer.code) == (409, "still_inside")
    line = shop.leave(order, shop.casting)
    assert set(line["actions"]["statuses"]) == {"Done", "Canceled"}
    line = shop.status(order, 1, "Done")
    assert (line["status"], line["orderStatus"], line["quantityDone"]) == ("Done", "Done", 10)


def test_done_line_can_be_reopened(shop: Shop) -> None:
    order = shop.approved(10)
    shop.enter(order, shop.casting)
    shop.leave(order, shop.casting)
    shop.status(order, 1, "Done")
    line = shop.status(order, 1, "InProcess")
    assert (line["status"], line["orderStatus"]) == ("InProcess", "InProcess")


def test_second_line_can_be_approved_after_the_first_one_moved(shop: Shop) -> None:
    order = shop.order(10, 5)
    assert shop.status(order, 1, "Approved")["orderStatus"] == "PartiallyApproved"
    assert shop.enter(order, shop.casting)["orderStatus"] == "InProcess"
    assert shop.status(order, 2, "Approved")["status"] == "Approved"


def test_stale_version_keeps_the_status(shop: Shop) -> None:
    order = shop.order(10)
    answer = shop.ana.put(f"{line_path(order)}/update-status/Approved", if_match='"77"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.line(order)["status"] == "New"


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_order_status_is_derived_from_its_lines(count: int) -> None:
    for lines in itertools.product(LINE_STATUSES, repeat=count):
        assert rules.order_status(Status(line) for line in lines) == order_status(list(lines)), lines


def test_order_status_follows_its_lines_step_by_step(shop: Shop) -> None:
    order = shop.order(10, 10)
    steps = [(1, "Approved"), (2, "Approved"), (2, "Canceled"), (1, "Canceled")]
    seen = [shop.status(order, position, status)["orderStatus"] for position, status in steps]
    assert seen == ["PartiallyApproved", "Approved", "Approved", "Canceled"]
    assert shop.ana.get(f"/api/sales-order/{order}").json["status"] == "Canceled"


def test_order_status_cannot_be_written(shop: Shop) -> None:
    order = shop.order(10)
    answer = shop.ana.put(f"/api/sales-order/{order}", {"status": "Done"})
    assert (answer.status, answer.fields) == (422, {"status": "unknown_field"})
