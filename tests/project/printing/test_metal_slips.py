"""The slip of a closed day of metal, read back from its PDF."""

from typing import Any

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Alloy, ProductionProcess
from project.identity.models import User
from project.metal.models import MetalDay
from tests.builders import Answer, Caller, Shop, buyer, somebody
from tests.project.metal.weighing import alloy, closed, count, issue, receive, take_back
from tests.project.personal_data.test_erasing import erase
from tests.project.printing.papers import read

PRINT = "/pdf/create-metal-slip"


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: object) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def day(shop: Shop) -> dict[str, Any]:
    """Carla's closed day at casting: she received 100 g, and 98.6 g and 0.9 g of dust were counted."""
    ley: Alloy = alloy()
    receive(shop.ana, ley)
    issue(shop.ana, ley, 100, shop.carla.id, shop.casting)
    ProductionProcess.objects.filter(pk=shop.casting.pk).update(allowed_loss="20.0")
    return closed(shop.ana, shop.casting, count(ley, 98.6, 0.9), userId=shop.carla.id, notes="<b>turno</b>")


def printed(by: Caller, day: int, **fields: str) -> Answer:
    return by.post(PRINT, {"id": day, **fields})


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    return "\n".join(page.text for page in read(answer.content))


def test_slip_shows_what_was_expected_counted_swept_and_missing(shop: Shop, day: dict[str, Any]) -> None:
    answer = printed(shop.ana, day["id"])
    said = text_of(answer)
    for words in (
        *("Cierre del día de metal", f"#{day['id']}", "Carla Torres", "Ana Torres", "Fundición", day["day"]),
        *(
            "Ley 925",
            "100.000 g",
            "98.600 g",
            "0.900 g",
            "0.500 g",
            "1.400 g · 14.0 por mil",
            "20.0 por mil",
            "1.295 g",
        ),
        *("se da por perdida", "<b>turno</b>", "Conforme"),
    ):
        assert words in said, said
    assert answer.headers["Content-Disposition"] == f'attachment; filename="Cierre_{day["id"]}.pdf"'
    row = AuditEntry.objects.latest("id")
    assert (row.entity, row.entity_id, row.action) == ("metal-day", day["id"], "printed")


def test_slip_is_in_the_language_of_the_person_or_the_one_asked_for(shop: Shop, day: dict[str, Any]) -> None:
    User.objects.filter(pk=shop.carla.id).update(language="en")
    assert "Closing of a day of metal" in text_of(printed(shop.ana, day["id"]))
    assert "Cierre del día de metal" in text_of(printed(shop.ana, day["id"], language="es"))


def test_slip_of_a_day_that_was_opened_again_says_so(shop: Shop, day: dict[str, Any]) -> None:
    def in_red() -> str:
        return "".join(page.red for page in read(printed(shop.ana, day["id"]).content))

    assert in_red() == ""
    MetalDay.objects.update(reopened=True)
    assert in_red().startswith("Reabierto")


def test_closed_day_and_its_slip_show_what_was_so_on_that_day(shop: Shop, day: dict[str, Any]) -> None:
    path = f"/api/metal/days/{day['id']}"
    before, said = shop.ana.get(path).json, text_of(printed(shop.ana, day["id"]))
    assert (before["allowedLoss"], before["recovers"], before["userName"]) == (20, False, day["userName"])
    process, ley = f"/api/production-processes/{shop.casting.pk}", day["alloys"][0]["alloyId"]
    assert shop.ana.put(process, {"allowedLoss": 5, "recovers": True, "name": "Vaciado"}).status == 200
    assert shop.ana.put(f"/api/alloys/{ley}", {"name": "Otro nombre"}).status == 200
    assert shop.ana.put(f"/identity/users/{shop.carla.id}", {"firstName": "Carlota"}).status == 200
    assert shop.ana.put(f"/identity/users/{shop.ana.id}", {"firstName": "Anita"}).status == 200
    take_back(shop.ana, Alloy.objects.get(pk=ley), 10, shop.carla.id, shop.casting)
    assert shop.ana.get(path).json == before == day
    assert text_of(printed(shop.ana, day["id"])) == said
    again = closed(
        shop.ana,
        shop.casting,
        count(Alloy.objects.get(pk=ley), 80),
        userId=shop.carla.id,
        confirm=True,
        reason="Se cayó",
    )
    assert (again["allowedLoss"], again["recovers"], again["productionProcessName"]) == (5, True, "Vaciado")
    assert again["userName"].startswith("Carlota")
    assert again["alloys"][0]["alloyName"] == "Otro nombre"


def test_erased_person_is_not_named_on_a_closed_day(shop: Shop, day: dict[str, Any]) -> None:
    assert erase(shop.ana, shop.carla.id, day["userName"]).status == 200
    assert shop.ana.get(f"/api/metal/days/{day['id']}").json["userName"] == f"Persona borrada #{shop.carla.id}"


def test_slip_is_printed_for_those_who_may_read_the_day(shop: Shop, day: dict[str, Any]) -> None:
    assert printed(somebody(Permission.ViewMetal), day["id"]).status == 200
    assert printed(somebody(Permission.CloseMetalDay), day["id"]).fields == {"id": "unknown"}
    assert printed(shop.ana, 999_999).fields == {"id": "unknown"}
    for other in (shop.carla, buyer(shop.customer)):
        assert printed(other, day["id"]).code == "permission_denied"
    assert printed(shop.nobody, day["id"]).status == 401
