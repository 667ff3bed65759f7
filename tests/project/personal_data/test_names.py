"""Which names an erasure takes out of what people wrote, and which it leaves."""

import pytest

from project.access.permissions import ALL
from project.audit.models import AuditEntry
from project.identity.models import User
from tests.builders import Caller, Shop, belongs, line_path, move, person, release
from tests.project.personal_data.test_erasing import erase, naming, xochitl

__all__ = ["xochitl"]


@pytest.mark.parametrize("written", ["Álvaro Íñiguez", "ÁLVARO ÍÑIGUEZ", "álvaro íñiguez"])
def test_a_name_goes_however_its_capitals_were_written(shop: Shop, written: str) -> None:
    """SQLite compares capitals of ASCII letters alone."""
    made = person("alvaro")
    User.objects.filter(pk=made.pk).update(first_name="Álvaro", last_name="Íñiguez", second_last_name="")
    order = shop.approved(10)
    noted = shop.ana.put(f"{line_path(order)}/full", {"notes": f"Preguntar a {written}."})
    assert noted.status == 200, noted
    assert erase(shop.ana, made.pk, "Álvaro Íñiguez").status == 200
    assert shop.line(order)["notes"] == f"Preguntar a Persona borrada #{made.pk}."
    assert naming("Íñiguez") == []


def test_a_colleague_of_the_same_name_keeps_his(shop: Shop) -> None:
    first, second = (person(name, *ALL, processes=[shop.casting]) for name in ("lupe1", "lupe2"))
    User.objects.filter(pk__in=[first.pk, second.pk]).update(first_name="Lupe", last_name="Ríos")
    for user in (first, second):
        user.refresh_from_db()
        order = shop.approved(1)
        move(Caller(user), "in", order, shop.polishing)
        move(Caller(user), "in", order, shop.casting, notes="Lupe Ríos")
        release(Caller(user), order, shop.casting)
    assert erase(shop.ana, first.pk, "Lupe Ríos").status == 200
    assert set(AuditEntry.objects.filter(user_id=second.pk).values_list("user_name", flat=True)) == {"Lupe Ríos"}
    assert not AuditEntry.objects.filter(user_id=first.pk, user_name="Lupe Ríos").exists()
    names = {(row["inputUsername"], row["inputNotes"]) for row in shop.history(order)}
    assert names == {("Lupe Ríos", "Lupe Ríos")}


def test_a_customer_that_is_called_as_he_was_keeps_its_name(shop: Shop) -> None:
    buyer = person("marta")
    shop.ana.put(f"/api/customers/{shop.customer.pk}", {"name": "Marta Torres"})
    belongs(buyer, shop.customer)
    answer = erase(shop.ana, buyer.pk, "Marta Torres")
    assert (answer.status, answer.json["customerId"]) == (200, None)
    assert shop.ana.get(f"/api/customers/{shop.customer.pk}").json["name"] == "Marta Torres"
