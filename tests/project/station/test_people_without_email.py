"""People who only name themselves at stations: they have a PIN and no e-mail."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from project.access.permissions import ADMINISTRATOR, Permission
from project.identity.models import User
from tests.builders import Answer, Caller, Shop, customer
from tests.project.station.standing import MOVES, PIN, Floor, make_badge, name_oneself, set_pin

USERS = "/identity/users"
PASSWORD = "Taller.2026"
OTHER_PIN = "314159"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def hired(shop: Shop, **fields: Any) -> Answer:
    return shop.ana.post(USERS, {"firstName": "Juan"} | fields)


def juan(shop: Shop, **fields: Any) -> Caller:
    """Hire Juan with a PIN and no e-mail."""
    answer = hired(shop, pin=OTHER_PIN, **fields)
    assert answer.status == 201, answer
    return Caller(User.objects.get(pk=answer.json["id"]))


def refusal(answer: Answer) -> tuple[int, dict[str, str]]:
    return answer.status, answer.fields


def test_person_with_a_pin_and_no_email_names_themselves_at_a_station(floor: Floor) -> None:
    role = floor.shop.ana.post("/identity/roles", {"name": "Piso", "permissions": list(MOVES)}).json["id"]
    made = hired(floor.shop, pin=OTHER_PIN, roleIds=[role], productionProcessIds=[floor.shop.casting.pk]).json
    assert (made["email"], made["hasPin"], made["fullName"]) == (None, True, "Juan")
    named = name_oneself(floor.tablet, pin=OTHER_PIN)
    assert (named.status, named.json["user"]["fullName"]) == (200, "Juan")


def test_several_people_have_no_email_and_an_empty_name_signs_nobody_in(floor: Floor) -> None:
    juan(floor.shop)
    assert hired(floor.shop, pin="161803").status == 201
    for password in ("", PASSWORD):
        signed = floor.shop.nobody.post("/identity/authentication/sign-in", {"username": "", "password": password})
        assert (signed.status, signed.code) == (401, "invalid_credentials")


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({}, {"email": "email_or_pin"}),
        ({"email": None, "pin": None}, {"email": "email_or_pin"}),
        ({"email": "juan@obrador.test"}, {"password": "required"}),
        ({"email": "juan@obrador.test", "pin": OTHER_PIN}, {"password": "required"}),
        ({"password": PASSWORD, "pin": OTHER_PIN}, {"email": "required"}),
        ({"pin": "111111"}, {"pin": "weak_pin"}),
        ({"pin": "12345"}, {"pin": "invalid"}),
        ({"pin": OTHER_PIN, "userType": "Customer"}, {"pin": "staff_only"}),
    ],
    ids=str,
)
def test_person_needs_an_email_with_a_password_or_a_pin(
    floor: Floor, fields: dict[str, Any], refused: dict[str, str]
) -> None:
    before = User.objects.count()
    assert refusal(hired(floor.shop, **fields)) == (422, refused)
    assert User.objects.count() == before


def test_pin_that_somebody_has_is_refused_at_its_field_and_hires_nobody(floor: Floor) -> None:
    before = User.objects.count()
    taken = hired(floor.shop, pin=PIN)
    assert (taken.status, taken.code, taken.fields) == (409, "already_exists", {"pin": "pin_taken"})
    assert User.objects.count() == before


def test_only_ten_taken_pins_a_day_are_told(floor: Floor) -> None:
    for _ in range(10):
        assert hired(floor.shop, pin=PIN).status == 409
    assert hired(floor.shop, pin=PIN).code == "too_many_attempts"
    assert set_pin(floor.shop, floor.shop.carla, PIN).code == "too_many_attempts"


def test_taken_email_does_not_count_as_a_taken_pin(floor: Floor) -> None:
    for _ in range(11):
        answer = hired(floor.shop, email="ana@obrador.test", password=PASSWORD, pin=OTHER_PIN)
        assert answer.fields == {"email": "already_exists"}


def test_last_pin_of_a_person_without_an_email_stays(floor: Floor) -> None:
    worker = juan(floor.shop)
    assert refusal(set_pin(floor.shop, worker, None)) == (422, {"pin": "email_or_pin"})
    make_badge(floor.shop, worker)
    assert set_pin(floor.shop, worker, None).status == 200
    badge = floor.shop.ana.delete(f"{USERS}/{worker.id}/badge")
    assert refusal(badge) == (422, {"badge": "email_or_pin"})


def test_person_without_an_email_gets_one_with_a_password(floor: Floor) -> None:
    path = f"{USERS}/{juan(floor.shop).id}"
    assert refusal(floor.shop.ana.put(path, {"email": "juan@obrador.test"})) == (422, {"password": "required"})
    given = {"email": "juan@obrador.test", "password": PASSWORD}
    assert floor.shop.ana.put(path, given).json["email"] == "juan@obrador.test"
    signed = floor.shop.nobody.post(
        "/identity/authentication/sign-in", {"username": "juan@obrador.test", "password": PASSWORD}
    )
    assert signed.status == 200


def test_other_changes_of_a_person_without_an_email_end_no_session_at_a_station(floor: Floor) -> None:
    worker = juan(floor.shop)
    assert floor.shop.ana.put(f"{USERS}/{worker.id}", {"firstName": "Juan José"}).status == 200
    assert User.objects.get(pk=worker.id).token_version == 1


def test_who_loses_the_email_loses_password_and_sessions(floor: Floor) -> None:
    path = f"{USERS}/{floor.dora.id}"
    assert refusal(floor.shop.ana.put(f"{USERS}/{floor.shop.carla.id}", {"email": None})) == (
        422,
        {"email": "email_or_pin"},
    )
    assert floor.dora.get(path).status == 200
    assert floor.shop.ana.put(path, {"email": None}).json["email"] is None
    assert floor.dora.get(path).status == 401
    assert not User.objects.get(pk=floor.dora.id).has_usable_password()


def test_nobody_removes_their_own_email(floor: Floor) -> None:
    assert set_pin(floor.shop, floor.shop.ana, OTHER_PIN).status == 200
    assert floor.shop.ana.put(f"{USERS}/{floor.shop.ana.id}", {"email": None}).code == "own_account"


def test_person_without_an_email_is_no_administrator_who_remains(floor: Floor) -> None:
    shop = floor.shop
    juan(shop, roleIds=[role.pk for role in shop.ana.user.roles.all()])  # type: ignore[union-attr]
    keeper = shop.ana.post("/identity/roles", {"name": "Quita", "permissions": [Permission.UpdateUser]}).json["id"]
    assert shop.ana.put(f"{USERS}/{shop.carla.id}", {"roleIds": [keeper]}).status == 200
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"active": False})
    fewer = shop.ana.put(f"{USERS}/{shop.ana.id}", {"roleIds": [keeper]})
    assert (fewer.status, fewer.code) == (409, "last_administrator")
    assert set(ADMINISTRATOR) <= {row["action"] for row in held(shop, shop.ana.id)}


def held(shop: Shop, user_id: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = shop.ana.post("/identity/permissions/describe", {"subjectId": user_id}).json
    return rows


def test_account_of_a_customer_needs_an_email(floor: Floor) -> None:
    worker = juan(floor.shop)
    becomes = {"userType": "Customer", "customerId": customer().pk}
    assert refusal(floor.shop.ana.put(f"{USERS}/{worker.id}", becomes)) == (422, {"email": "required"})


def test_database_refuses_a_person_without_email_pin_and_badge(floor: Floor) -> None:
    with pytest.raises(IntegrityError, match="user_has_email_pin_or_badge"), transaction.atomic():
        User.objects.filter(pk=floor.shop.carla.id).update(email="")
