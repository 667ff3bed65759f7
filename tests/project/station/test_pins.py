"""PINs and badges identify a user at a station; who may issue them."""

from datetime import datetime, timedelta

import pytest

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.identity.models import User
from realtime.models import OutboxEvent
from tests.builders import Caller, belongs, move, somebody
from tests.project.station.standing import PIN, Floor, make_badge, name_oneself, set_pin

MINUTE = timedelta(minutes=1)
SECOND = timedelta(seconds=1)


def test_badge_identifies_its_user_until_it_is_replaced_or_removed(floor: Floor) -> None:
    first = make_badge(floor.shop, floor.dora)
    assert name_oneself(floor.tablet, badge=first).status == 200
    assert name_oneself(floor.tablet, badge=f" {first.lower()} ").status == 200, "a scanner may type it like this"
    second = make_badge(floor.shop, floor.dora)
    assert name_oneself(floor.tablet, badge=first).code == "unknown_operator"
    assert name_oneself(floor.tablet, badge=second).status == 200
    removed = floor.shop.ana.delete(f"/identity/users/{floor.dora.id}/badge")
    assert (removed.status, removed.json["hasBadge"], removed.json["hasPin"]) == (200, False, True)
    assert name_oneself(floor.tablet, badge=second).code == "unknown_operator"


def test_badge_ignores_idempotency_keys(floor: Floor) -> None:
    """The code is shown once and stored nowhere, so it cannot be replayed: the operation declares no such header."""
    path = f"/identity/users/{floor.dora.id}/badge"
    first, second = (floor.shop.ana.post(path, idempotency_key="k1") for _ in range(2))
    assert (first.status, second.status) == (201, 201)
    assert "Idempotent-Replayed" not in second.headers
    assert name_oneself(floor.tablet, badge=first.json["code"]).code == "unknown_operator"
    assert name_oneself(floor.tablet, badge=second.json["code"]).status == 200


def test_badge_codes_are_unique_and_differ_from_codes_of_sheets(floor: Floor) -> None:
    first, second = (make_badge(floor.shop, floor.dora) for _ in range(2))
    assert first != second
    assert (first[:2], len(first), first.isalnum(), first == first.upper()) == ("B1", 28, True, True)
    answer = floor.tablet.post(f"/api/station/{floor.shop.casting.pk}/scan", {"code": first})
    assert answer.code == "unknown_code"


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({}, {"pin": "required"}),
        ({"pin": PIN, "badge": "B1"}, {"pin": "required"}),
        ({"pin": PIN, "productionProcessId": 9_999}, {"productionProcessId": "unknown"}),
        ({"pin": "12345"}, {"pin": "invalid"}),
        ({"pin": "٢٧١٨٢٨"}, {"pin": "invalid"}),
        ({"pin": f"{PIN}\n"}, {"pin": "invalid"}),
        ({"pin": 271828}, {"pin": "invalid_type"}),
        ({"badge": ""}, {"badge": "too_short"}),
    ],
)
def test_malformed_pin_or_badge_gets_422(floor: Floor, body: dict[str, object], refused: dict[str, str]) -> None:
    answer = name_oneself(floor.tablet, **body)
    assert (answer.status, answer.fields) == (422, refused)


def test_station_has_five_wrong_pins_a_minute_and_a_success_resets_none(floor: Floor, noon: datetime) -> None:
    for _ in range(3):
        assert name_oneself(floor.tablet, pin="999000").code == "unknown_operator"
    assert name_oneself(floor.tablet, pin=PIN).status == 200
    for _ in range(2):
        assert name_oneself(floor.tablet, pin="999000").code == "unknown_operator"
    answer = name_oneself(floor.tablet, pin=PIN)
    assert (answer.status, answer.code, answer.headers["Retry-After"]) == (429, "too_many_attempts", "60")
    other = somebody(Permission.Station)
    assert name_oneself(other, pin=PIN).status == 200, "another station has its own count"
    with clock.at(noon + MINUTE + SECOND):
        assert name_oneself(floor.tablet, pin=PIN).status == 200


def test_wrong_badges_do_not_block_pins_nor_the_reverse(floor: Floor, noon: datetime) -> None:
    badge = make_badge(floor.shop, floor.dora)
    for _ in range(5):
        assert name_oneself(floor.tablet, badge="B1OLD").code == "unknown_operator"
        assert name_oneself(floor.tablet, pin="999000").code == "unknown_operator"
    assert name_oneself(floor.tablet, badge=badge).status == 200, "only PINs are blocked"
    for _ in range(15):
        assert name_oneself(floor.tablet, badge="B1OLD").code == "unknown_operator"
    locked = name_oneself(floor.tablet, badge=badge)
    assert (locked.status, locked.headers["Retry-After"]) == (429, "60")
    with clock.at(noon + MINUTE + SECOND):
        assert name_oneself(floor.tablet, badge=badge).status == 200
        for _ in range(20):
            name_oneself(floor.tablet, badge="B1OLD")
        assert name_oneself(floor.tablet, badge=badge).status == 429
        assert name_oneself(floor.tablet, pin=PIN).status == 200, "only badges are blocked"


def test_new_sessions_of_one_account_get_at_most_20_attempts(floor: Floor) -> None:
    codes = [name_oneself(Caller(floor.tablet.user), pin="999000").code for _ in range(21)]
    assert codes == ["unknown_operator"] * 20 + ["too_many_attempts"]


def test_pin_must_be_unique_and_not_weak(floor: Floor) -> None:
    shop = floor.shop
    taken = set_pin(shop, shop.carla, PIN)
    assert (taken.status, taken.code, taken.fields) == (409, "already_exists", {"pin": "pin_taken"})
    for weak in ("000000", "777777", "123456", "987654", "012345"):
        assert set_pin(shop, shop.carla, weak).fields == {"pin": "weak_pin"}
    for bad in ("12345", "1234567", "12a456", "", "٢٧١٨٢٨"):
        assert set_pin(shop, shop.carla, bad).fields == {"pin": "invalid"}
    assert set_pin(shop, floor.dora, None).json["hasPin"] is False
    assert set_pin(shop, shop.carla, PIN).json["hasPin"] is True


def test_setting_the_same_pin_is_a_no_op(floor: Floor) -> None:
    before = AuditEntry.objects.count(), OutboxEvent.objects.count()
    answer = set_pin(floor.shop, floor.dora, PIN)
    assert (answer.status, answer.json["version"]) == (200, 2)
    assert (AuditEntry.objects.count(), OutboxEvent.objects.count()) == before
    stale = floor.shop.ana.put(f"/identity/users/{floor.dora.id}/pin", {"pin": None}, if_match='"99"')
    assert (stale.status, stale.code) == (412, "stale_version")


def test_pin_and_badge_are_never_returned_audited_or_published(floor: Floor) -> None:
    badge = make_badge(floor.shop, floor.dora)
    user = User.objects.get(pk=floor.dora.id)
    (listed,) = (row for row in floor.shop.ana.get("/identity/users").json if row["id"] == floor.dora.id)
    assert (listed["hasPin"], listed["hasBadge"]) == (True, True)
    audited = "".join(str(row.changes) for row in AuditEntry.objects.all())
    published = "".join(str(row.__dict__) for row in OutboxEvent.objects.all())
    for secret in (PIN, badge, str(user.pin_hash), str(user.badge_hash)):
        assert secret not in str(listed) + audited + published
        assert secret not in (str(user.pin_hash) if secret == PIN else "")
    assert "•••" in audited


def test_pins_and_badges_need_permission_and_no_user_who_holds_more(floor: Floor) -> None:
    clerk = somebody(Permission.UpdateUser, Permission.ListUsers)
    for call in (
        lambda by, user: by.put(f"/identity/users/{user}/pin", {"pin": "141421"}),
        lambda by, user: by.post(f"/identity/users/{user}/badge"),
        lambda by, user: by.delete(f"/identity/users/{user}/badge"),
    ):
        assert call(floor.dora, floor.dora.id).status == 403
        assert call(clerk, floor.shop.beto.id).code == "permission_denied", (
            "the clerk could act as a user who holds more"
        )
        assert call(clerk, floor.shop.carla.id).status in (200, 201)
        assert call(clerk, 99_999).status == 404


def test_customer_account_has_no_pin_or_badge(floor: Floor) -> None:
    shop = floor.shop
    badge = make_badge(shop, floor.dora)
    dora = floor.dora_stands_here()
    assert shop.ana.put(f"/identity/users/{dora.id}", {"userType": "Customer"}).status == 200
    (user,) = User.objects.filter(pk=dora.id)
    assert (user.pin_hash, user.badge_hash) == (None, None)
    assert move(dora, "in", shop.approved(5), shop.casting).code == "operator_over"
    for body in ({"pin": PIN}, {"badge": badge}):
        assert name_oneself(floor.tablet, **body).code == "unknown_operator"
    assert set_pin(shop, dora, "141421").fields == {"pin": "staff_only"}
    assert shop.ana.post(f"/identity/users/{dora.id}/badge").fields == {"badge": "staff_only"}
    assert shop.carla.user is not None
    belongs(shop.carla.user, None)
    assert shop.ana.delete(f"/identity/users/{shop.carla.id}/badge").code == "not_found"
