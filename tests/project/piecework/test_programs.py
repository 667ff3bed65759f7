"""Pieces moved by service accounts are owed to nobody."""

import pytest

from project.access.permissions import Permission
from project.orders.models import ProcessRecord
from tests.builders import Shop, move
from tests.project.integrations.programs import program
from tests.project.piecework.paying import PAYABLES, item, left, pay

pytestmark = pytest.mark.django_db


def test_pieces_moved_out_by_a_program_are_owed_to_nobody(shop: Shop) -> None:
    moves = (Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut)
    erp, _ = program(shop, *moves, productionProcessIds=[shop.casting.pk])
    order = shop.approved(10)
    for direction in ("in", "out"):
        assert move(erp, direction, order, shop.casting).status == 200
    record = ProcessRecord.objects.get(line__order=order)
    anas = left(shop)
    assert [row["id"] for row in shop.ana.get(PAYABLES).json] == [anas]
    assert [row["userId"] for row in shop.ana.get(f"{PAYABLES}/people").json] == [shop.ana.id]
    for payee in ({}, {"userId": shop.ana.id}):
        assert pay(shop.ana, item(record.pk), **payee).fields == {"items.0.processRecordId": "unknown"}
    assert pay(shop.ana, item(anas)).status == 201
