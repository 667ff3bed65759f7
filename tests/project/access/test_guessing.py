"""Guessing passwords, codes, PINs and badges is limited and audited."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from project.access import throttle
from project.access.models import SignInAttempt
from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.worker.jobs import forget_sign_ins
from tests.builders import Answer, Caller, Shop, somebody
from tests.project.displays.screens import DISPLAYS
from tests.project.station.standing import PIN, name_oneself, set_pin

pytestmark = pytest.mark.django_db


def signs_in(shop: Shop) -> Answer:
    body = {"username": "ana@obrador.test", "password": "Otra.2026", "rememberLogin": False}
    return shop.nobody.post("/identity/authentication/sign-in", body)


def signs_in_as_nobody(shop: Shop) -> Answer:
    body = {"username": "zoe@obrador.test", "password": "Otra.2026", "rememberLogin": False}
    return shop.nobody.post("/identity/authentication/sign-in", body)


def changes_password(shop: Shop) -> Answer:
    body = {"currentPassword": "Otra.2026", "newPassword": "Taller.2026", "confirmNewPassword": "Taller.2026"}
    return shop.ana.put(f"/identity/users/{shop.ana.id}/change-password/by-user", body)


def pairs(shop: Shop) -> Answer:
    return shop.ana.post(DISPLAYS, {"code": "ZZZZZZ", "name": "Entrada"})


def names_by_pin(shop: Shop) -> Answer:
    return name_oneself(shop.ana, pin="999000")


def names_by_badge(shop: Shop) -> Answer:
    return name_oneself(shop.ana, badge="B1OLD")


def gives_a_pin(shop: Shop) -> Answer:
    return set_pin(shop, shop.carla, PIN)


@pytest.mark.parametrize(
    ("guess", "what", "tries"),
    [
        (signs_in, "password", 5),
        (signs_in_as_nobody, "password", 5),
        (changes_password, "password", 5),
        (pairs, "code", 5),
        (names_by_pin, "pin", 5),
        (names_by_badge, "badge", 20),
        (gives_a_pin, "pin", 10),
    ],
)
def test_guesser_gets_429_after_some_attempts_and_one_audit_row(
    shop: Shop, quick_passwords: None, guess: Callable[[Shop], Answer], what: str, tries: int
) -> None:
    assert set_pin(shop, shop.beto, PIN).status == 200
    shop.ana.put(f"/identity/users/{shop.ana.id}", {"password": "Taller.2026"})
    assert shop.ana.user is not None
    shop.ana.user.refresh_from_db()
    shop = Shop(**{**vars(shop), "ana": Caller(shop.ana.user)})
    assert [guess(shop).code == "too_many_attempts" for _ in range(tries + 2)] == [False] * tries + [True] * 2
    rows: list[Any] = list(AuditEntry.objects.filter(action="guessed").values_list("changes", "address"))
    assert rows == [({what: {"before": None, "after": "•••"}}, "127.0.0.1")]


def test_stations_of_one_account_are_blocked_after_too_many_wrong_pins_in_a_day(
    shop: Shop, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttle.DAY_FAILURES, SignInAttempt.OPERATOR, ("address", 12))
    station = somebody(Permission.Station)
    for minute in range(6):
        with clock.at(noon + timedelta(minutes=2 * minute)):
            answers = [name_oneself(Caller(station.user), pin="999000").code for _ in range(2)]
            assert answers == ["unknown_operator"] * 2
    with clock.at(noon + timedelta(hours=5)):
        forget_sign_ins()
        refused = name_oneself(Caller(station.user), pin="999000")
    assert (refused.code, int(refused.headers["Retry-After"]) > 18 * 3600) == ("too_many_attempts", True)
    row = AuditEntry.objects.get(action="guessed")
    assert (row.entity_id, row.user_id) == (station.id, station.id)
    with clock.at(noon + timedelta(days=1, minutes=1)):
        assert name_oneself(Caller(station.user), pin="999000").code == "unknown_operator"


def test_taken_pin_gets_the_same_409_for_every_owner(shop: Shop) -> None:
    clerk = somebody(Permission.UpdateUser, Permission.ListUsers)
    for user, pin in ((shop.beto, PIN), (shop.carla, "141421")):
        assert set_pin(shop, user, pin).status == 200
    other = somebody()
    answers = [clerk.put(f"/identity/users/{other.id}/pin", {"pin": pin}) for pin in (PIN, "141421")]
    assert [(one.status, one.text) for one in answers] == [(409, answers[0].text)] * 2


def test_attempts_are_deleted_once_they_no_longer_count(shop: Shop, noon: datetime) -> None:
    for purpose in (SignInAttempt.SIGN_IN, SignInAttempt.OPERATOR, SignInAttempt.PIN_GIVEN):
        throttle.failed(throttle.begin("a", "b", purpose=purpose))
    with clock.at(noon + timedelta(hours=1)):
        forget_sign_ins()
        assert SignInAttempt.objects.count() == 2
    with clock.at(noon + timedelta(days=1, minutes=1)):
        forget_sign_ins()
        assert not SignInAttempt.objects.exists()
