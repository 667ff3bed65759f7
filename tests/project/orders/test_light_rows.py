"""A row of the list of lines is light, and does not grow with the number of the plant's processes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from project.demo.people import ADMINISTRATOR
from project.forecasts.services import forecasts_make
from project.identity.models import User
from tests.builders import Caller, Shop, process

LIST = "/api/sales-order/positions"
MOST_BYTES = 45_000


@pytest.mark.django_db
def test_25_rows_of_the_demo_take_at_most_45_kb(settings: LazySettings, tmp_path: Path, quick_passwords: None) -> None:
    settings.MEDIA_ROOT = tmp_path
    call_command("demo", "--if-empty")
    forecasts_make()
    answer = Caller(User.objects.get(email=ADMINISTRATOR)).get(f"{LIST}?limit=25")
    assert len(answer.json) == 25
    assert len(answer.content) <= MOST_BYTES


def of_all_kinds(shop: Shop) -> None:
    """Lines that wait, are inside two processes and wait for a third, and are new."""
    process("Empaque", order=9)
    shop.approved(10)
    order = shop.approved(10)
    shop.enter(order, shop.casting, 8)
    shop.leave(order, shop.casting, 5)
    shop.enter(order, shop.polishing, 2)
    shop.order(4)


def test_row_does_not_grow_with_the_plants_processes(shop: Shop) -> None:
    of_all_kinds(shop)
    before = rows(shop)
    for number in range(50):
        process(f"Proceso {number}", order=10 + number)
    after = rows(shop)
    for one, other in zip(before, after, strict=True):
        assert len(other["standing"].pop("nextProcesses")) <= 3
        del one["standing"]["nextProcesses"]
        assert one == other


def rows(shop: Shop) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shop.ana.get(LIST).json
    return found


def test_row_names_processes_by_id_and_carries_no_actions(shop: Shop) -> None:
    of_all_kinds(shop)
    names = {"productionProcessName", "productionProcessNameEnglish", "fromProductionProcessName", "actions"}
    named = {"currentProductionProcess", "lastProductionProcess"}
    for row in rows(shop):
        assert names.isdisjoint(keys({name: value for name, value in row.items() if name not in named}))


def keys(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from part
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from keys(inner)
