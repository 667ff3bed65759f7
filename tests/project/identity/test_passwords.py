"""Changing and recovering one's own password (specification 2, sections 2 and 5; contract, section 2)."""

import re

import pytest
from django.core import mail

from project.access.table import P
from project.identity import passwords
from tests.builders import Answer, Caller, Shop, somebody

OLD, NEW = "Vieja.2026", "Nueva.2026"


@pytest.fixture
def eva(db: None, quick_passwords: None) -> Caller:
    caller = somebody(P.ChangePassword)
    assert caller.user is not None
    caller.user.set_password(OLD)
    caller.user.save()
    return caller


def change(caller: Caller, user_id: int | None = None, current: str = OLD, new: str = NEW, again: str = NEW) -> Answer:
    body = {"currentPassword": current, "newPassword": new, "confirmNewPassword": again}
    return caller.put(f"/identity/users/{user_id or caller.id}/change-password/by-user", body)


def signs_in(caller: Caller, password: str) -> bool:
    assert caller.user is not None
    body = {"username": caller.user.email, "password": password, "rememberLogin": True}
    return Caller().post("/identity/authentication/sign-in", body).status == 200


def test_a_changed_password_signs_in_and_ends_every_session(eva: Caller) -> None:
    assert change(eva).status == 200
    assert eva.get(f"/identity/users/{eva.id}").status == 401
    assert signs_in(eva, NEW)
    assert not signs_in(eva, OLD)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"current": "otra"}, "wrong_current_password"),
        ({"again": "Otra.2026"}, "confirmation_differs"),
        ({"new": "corta", "again": "corta"}, "weak_password"),
        ({"new": "x" * 51, "again": "x" * 51}, "invalid_fields"),
    ],
)
def test_each_refusal_has_its_code_and_changes_nothing(eva: Caller, given: dict[str, str], code: str) -> None:
    answer = change(eva, **given)  # type: ignore[arg-type]
    assert (answer.status, answer.code) == (422, code)
    assert signs_in(eva, OLD)


def test_nobody_changes_somebody_elses(eva: Caller, shop: Shop) -> None:
    assert change(shop.ana, eva.id).code == "permission_denied"
    assert change(shop.carla).code == "permission_denied"


def recovered(email: str) -> str:
    """The link's token mailed to `email`, or nothing."""
    answer = Caller().post("/identity/authentication/recover-password", {"email": email})
    assert answer.status == 200
    passwords._post_office.submit(lambda: None).result()
    found = [re.search(r"Restablecer/(\S+)", str(message.body)) for message in mail.outbox]
    return found[-1][1] if found and found[-1] else ""


def reset(token: str, new: str = NEW) -> Answer:
    body = {"token": token, "newPassword": new, "confirmNewPassword": new}
    return Caller().post("/identity/authentication/reset-password", body)


def test_a_mailed_link_sets_a_password_once(eva: Caller) -> None:
    assert eva.user is not None
    token = recovered(eva.user.email)
    assert reset(token).status == 200
    assert signs_in(eva, NEW)
    assert reset(token, "Tercera.26").code == "invalid_token"


def test_asking_says_the_same_for_an_unknown_address(eva: Caller) -> None:
    assert recovered("nadie@obrador.test") == ""
    assert mail.outbox == []


@pytest.mark.parametrize("token", ["", "x", "1-x", "9" * 40, "1-" + "a" * 150])
def test_a_forged_link_is_refused(eva: Caller, token: str) -> None:
    assert reset(token).code == "invalid_token"


def test_asking_is_throttled(eva: Caller) -> None:
    assert eva.user is not None
    body = {"email": eva.user.email}
    statuses = [Caller().post("/identity/authentication/recover-password", body).status for _ in range(6)]
    assert statuses == [200] * 5 + [429]
