"""A write with an Idempotency-Key happens once, and its answer can be repeated."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection

from project.access.models import SignInAttempt
from project.catalogs.models import Material
from project.core import clock
from project.core.models import IdempotentAnswer
from project.identity.models import RolePermission
from project.orders import presenters
from project.orders.models import ProcessRecord
from tests.builders import Caller, Shop, move, somebody

MATERIALS = "/api/materials"
MORNING = datetime(2026, 3, 2, 15, tzinfo=UTC)


def test_same_key_and_body_replays_the_answer_and_writes_once(shop: Shop) -> None:
    first, again = (shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1") for _ in range(2))
    assert (first.status, first.text) == (again.status, again.text)
    assert first.status == 201
    assert first.headers["ETag"] == again.headers["ETag"]
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    assert Material.objects.count() == 1


def test_key_reused_for_another_request_gets_422(shop: Shop) -> None:
    made = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").json
    for method, path, body in (
        ("POST", MATERIALS, {"name": "Oro"}),
        ("POST", "/api/components", {"name": "Plata"}),
        ("PUT", f"{MATERIALS}/{made['id']}", {"name": "Plata"}),
        ("DELETE", f"{MATERIALS}/{made['id']}", None),
    ):
        answer = shop.ana.call(method, path, body, idempotency_key="k1")
        assert (answer.status, answer.code) == (422, "idempotency_key_reused")
    assert list(Material.objects.values_list("name", flat=True)) == ["Plata"]


def test_refused_write_is_tried_again(shop: Shop) -> None:
    """A refusal changed nothing, so its key is not stored."""
    order = shop.order(10)
    refused = move(shop.ana, "in", order, shop.casting, idempotency_key="k1")
    assert (refused.status, refused.code) == (409, "line_not_approved")
    assert IdempotentAnswer.objects.count() == 0
    shop.status(order, 1, "Approved")
    assert move(shop.ana, "in", order, shop.casting, idempotency_key="k1").status == 200


def test_replay_returns_the_current_state_of_the_record(shop: Shop) -> None:
    made = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").json
    shop.beto.put(f"{MATERIALS}/{made['id']}", {"name": "Oro"})
    again = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1")
    assert (again.status, again.json["name"], again.headers["ETag"]) == (201, "Oro", '"2"')


def test_replay_of_a_deleted_record_gets_404(shop: Shop) -> None:
    made = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").json
    shop.beto.delete(f"{MATERIALS}/{made['id']}")
    again = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1")
    assert (again.status, again.code) == (404, "not_found")
    assert Material.objects.count() == 0


def test_answer_itself_is_not_stored(shop: Shop) -> None:
    order = shop.order(1, 2, 3)
    shop.ana.put(f"/api/sales-order/{order}", {"notes": "canary"}, idempotency_key="k1")
    (row,) = IdempotentAnswer.objects.values()
    assert (row["kind"], row["ids"], row["status"]) == ("sales_order_update", {"order_id": order}, 200)
    assert "canary" not in repr(row)


def test_replay_needs_the_permission_too(shop: Shop) -> None:
    dora = somebody("CreateMaterial")
    body = {"name": "Plata"}
    assert dora.post(MATERIALS, body, idempotency_key="k1").status == 201
    RolePermission.objects.filter(role__users=dora.id).delete()
    assert dora.post(MATERIALS, body, idempotency_key="k1").status == 403
    shop.ana.put(f"/identity/users/{dora.id}", {"locked": True})
    assert dora.post(MATERIALS, body, idempotency_key="k1").status == 401


def test_posts_that_only_read_store_no_key(shop: Shop) -> None:
    code = shop.ana.get(f"/api/work-sheets/{shop.order(1)}/position/1").json["code"]
    for path, body in (
        ("/api/live/ticket", None),
        ("/api/start", None),
        ("/identity/permissions/describe", {"subjectId": shop.ana.id}),
        ("/api/scan", {"code": code}),
    ):
        for _ in range(2):
            answer = shop.ana.post(path, body, idempotency_key="k1")
            assert answer.status == 200, answer
            assert "Idempotent-Replayed" not in answer.headers
    assert IdempotentAnswer.objects.count() == 0


def test_answer_is_built_outside_the_transaction(busy_shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[bool] = []
    shown = presenters.moved_line

    def watched(*args: Any) -> Any:
        held.append(connection.in_atomic_block)
        return shown(*args)

    monkeypatch.setattr(presenters, "moved_line", watched)
    order = busy_shop.approved(10)
    assert move(busy_shop.ana, "in", order, busy_shop.casting, idempotency_key="k1").status == 200
    assert held == [False]


def test_refusal_for_a_missing_permission_stores_no_key(shop: Shop) -> None:
    body = {"name": "Plata"}
    assert shop.carla.post(MATERIALS, body, idempotency_key="k1").status == 403
    role = shop.ana.post("/identity/roles", {"name": "R", "permissions": ["CreateMaterial"]}).json
    shop.ana.put(f"/identity/users/{shop.carla.id}", {"roleIds": [role["id"]]})
    assert shop.carla.post(MATERIALS, body, idempotency_key="k1").status == 201


def test_each_user_has_their_own_keys(shop: Shop) -> None:
    assert shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").status == 201
    assert shop.beto.post(MATERIALS, {"name": "Oro"}, idempotency_key="k1").status == 201
    assert Material.objects.count() == 2


def test_failed_write_stores_no_key_and_leaves_no_trace(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is stored in the same transaction as the write."""
    order = shop.approved(10)

    def breaks(*args: object, **kwargs: object) -> None:
        raise ConnectionError("the event could not be written")

    with monkeypatch.context() as broken:
        broken.setattr("project.orders.movements.outbox.publish_all", breaks)
        assert move(shop.ana, "in", order, shop.casting, idempotency_key="k1").status == 500
    assert ProcessRecord.objects.count() == 0
    assert IdempotentAnswer.objects.count() == 0
    assert shop.line(order)["quantityInside"] == 0
    assert move(shop.ana, "in", order, shop.casting, idempotency_key="k1").status == 200


def test_lost_answer_can_be_repeated(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    order = shop.approved(10)

    def breaks(*args: object, **kwargs: object) -> None:
        raise ConnectionError("the presentation broke after the movement")

    with monkeypatch.context() as broken:
        broken.setattr(presenters, "moved_line", breaks)
        assert move(shop.ana, "in", order, shop.casting, 4, idempotency_key="k1").status == 500
    again = move(shop.ana, "in", order, shop.casting, 4, idempotency_key="k1")
    assert (again.status, again.headers["Idempotent-Replayed"]) == (200, "true")
    assert again.json["quantityInside"] == 4
    assert ProcessRecord.objects.count() == 1


def test_key_expires_after_24_hours(shop: Shop) -> None:
    for instant, status in (
        (MORNING, 201),
        (MORNING + timedelta(hours=23, minutes=59), 201),
        (MORNING + timedelta(hours=24, minutes=1), 409),
    ):
        with clock.at(instant):
            ana = Caller(shop.ana.user)
            assert ana.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").status == status


@pytest.mark.parametrize("key", ["", "x" * 201, "a\tb"])
def test_key_must_have_1_to_200_printable_characters(shop: Shop, key: str) -> None:
    answer = shop.ana.post(MATERIALS, {"name": "Plata"}, idempotency_key=key)
    assert (answer.status, answer.fields) == (422, {"Idempotency-Key": "invalid"})
    assert Material.objects.count() == 0


def test_key_on_a_read_is_ignored(shop: Shop) -> None:
    for _ in range(2):
        assert "Idempotent-Replayed" not in shop.ana.get(MATERIALS, idempotency_key="k1").headers
    assert IdempotentAnswer.objects.count() == 0


def test_key_of_an_anonymous_caller_is_not_stored(shop: Shop) -> None:
    assert shop.nobody.post(MATERIALS, {"name": "Plata"}, idempotency_key="k1").status == 401
    assert IdempotentAnswer.objects.count() == 0


def test_failed_sign_ins_count_whatever_the_key(shop: Shop, quick_passwords: None) -> None:
    """A signed-in user tries passwords of another account, each with a different key."""
    body = {"username": "beto@obrador.test", "password": "x"}
    answers = [
        shop.ana.post("/identity/authentication/sign-in", body, idempotency_key=f"k{number}") for number in range(6)
    ]
    assert [answer.status for answer in answers] == [401] * 5 + [429]
    assert SignInAttempt.objects.filter(failed=True).count() == 5


def test_access_token_is_never_stored_as_an_answer(shop: Shop, quick_passwords: None) -> None:
    user = shop.beto.user
    assert user is not None
    user.set_password("Taller.2026")
    user.save()
    body = {"username": user.email, "password": "Taller.2026"}
    tokens = {
        shop.ana.post("/identity/authentication/sign-in", body, idempotency_key="k1").json["access_token"]
        for _ in range(2)
    }
    assert len(tokens) == 2
    assert IdempotentAnswer.objects.count() == 0
