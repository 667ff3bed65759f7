"""What a person chooses: kinds and channels, quiet hours, the digest; and what the settings say of the installation."""

from typing import Any

import pytest
from django.conf import LazySettings
from django.db import IntegrityError, transaction

from project.access.permissions import Permission
from project.notices.models import NoticeSettings
from tests.builders import Shop, at_once, buyer, somebody
from tests.project.notices.browsers import BELL, DEVICES, PREFERENCES, prefer


def channels(answer: dict[str, Any]) -> dict[str, list[str]]:
    return {row["kind"]: row["channels"] for row in answer["kinds"]}


def test_a_person_who_chose_nothing_has_the_defaults(shop: Shop) -> None:
    found = shop.carla.get(PREFERENCES).json
    assert channels(found) == {
        "likelyLate": ["bell", "push"],
        "late": ["bell", "push"],
        "inside": ["bell"],
        "assigned": ["push"],
        "customerAnswer": ["bell", "push"],
        "importDone": ["bell", "push"],
        "message": ["bell", "push"],
    }
    assert (found["quietFrom"], found["quietUntil"], found["digest"], found["version"]) == ("20:00", "07:00", False, 1)
    assert (found["address"], found["mailRefused"], found["digestHour"]) == ("carla@obrador.test", False, 7)
    assert not NoticeSettings.objects.exists(), "reading stores nothing"


def test_choices_are_kept_kind_by_kind_for_each_person(shop: Shop) -> None:
    prefer(shop.ana, late=["mail", "push"], inside=[])
    changed = shop.ana.put(PREFERENCES, {"quietFrom": "22:30", "quietUntil": "06:00", "digest": True})
    found = shop.ana.get(PREFERENCES)
    assert (changed.json, changed.headers["ETag"]) == (found.json, '"3"')
    assert channels(found.json)["late"] == ["push", "mail"]
    assert channels(found.json)["inside"] == []
    assert channels(found.json)["assigned"] == ["push"]
    assert (found.json["quietFrom"], found.json["quietUntil"], found.json["digest"]) == ("22:30", "06:00", True)
    assert channels(shop.beto.get(PREFERENCES).json)["late"] == ["bell", "push"]


def test_quiet_hours_can_be_given_up(shop: Shop) -> None:
    assert shop.ana.put(PREFERENCES, {"quietFrom": None, "quietUntil": None}).status == 200
    found = shop.ana.get(PREFERENCES).json
    assert (found["quietFrom"], found["quietUntil"]) == (None, None)


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        ({"quietFrom": "24:00"}, {"quietFrom": "invalid"}),
        ({"quietFrom": "7:00"}, {"quietFrom": "invalid"}),
        ({"quietFrom": "٠٧:٠٠"}, {"quietFrom": "invalid"}),
        ({"quietFrom": 7}, {"quietFrom": "invalid_type"}),
        ({"quietUntil": None}, {"quietUntil": "required"}),
        ({"quietFrom": None}, {"quietFrom": "required"}),
        ({"quietFrom": "07:00"}, {"quietUntil": "quiet_hours_equal"}),
        ({"digest": "yes"}, {"digest": "invalid_type"}),
        ({"kinds": [{"kind": "weather", "channels": []}]}, {"kinds.0.kind": "not_a_choice"}),
        ({"kinds": [{"kind": "late", "channels": ["pigeon"]}]}, {"kinds.0.channels.0": "not_a_choice"}),
        ({"kinds": [{"kind": "late", "channels": []}] * 2}, {"kinds.1.kind": "named_twice"}),
        ({"kinds": [{"kind": "late", "channels": ["bell"] * 4}]}, {"kinds.0.channels": "too_long"}),
        ({"userId": 1}, {"userId": "unknown_field"}),
    ],
)
def test_what_no_person_can_choose_is_refused_and_stores_nothing(
    shop: Shop, body: dict[str, Any], refused: dict[str, str]
) -> None:
    answer = shop.ana.put(PREFERENCES, body)
    assert (answer.status, answer.fields) == (422, refused)
    assert not NoticeSettings.objects.exists()


def test_the_database_refuses_half_of_the_quiet_hours(shop: Shop) -> None:
    for ends in ({"quiet_from": "20:00"}, {"quiet_from": "20:00", "quiet_until": "20:00"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            NoticeSettings.objects.create(user_id=shop.ana.id, **ends)


def test_the_settings_say_what_the_installation_cannot_do(shop: Shop, settings: LazySettings) -> None:
    settings.VAPID_KEY, settings.MAIL_SERVER = b"", False
    found = shop.ana.get(PREFERENCES).json
    assert (found["publicKey"], found["mailServer"]) == ("", False)
    settings.VAPID_KEY, settings.MAIL_SERVER = bytes(range(1, 33)), True
    found = shop.ana.get(PREFERENCES).json
    assert (len(found["publicKey"]), found["mailServer"]) == (87, True)


def test_the_digest_is_offered_to_who_is_notified_of_all_lines(shop: Shop) -> None:
    caster = somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting])
    offered = {by: by.get(PREFERENCES).json["digestOffered"] for by in (shop.ana, caster, shop.carla)}
    assert offered == {shop.ana: True, caster: False, shop.carla: False}


def test_a_digest_that_is_not_offered_is_refused_and_one_of_before_may_stay(shop: Shop) -> None:
    caster = somebody(Permission.ListOrders, Permission.Station, processes=[shop.casting])
    answer = caster.put(PREFERENCES, {"digest": True})
    assert (answer.status, answer.fields) == (422, {"digest": "not_a_choice"})
    assert not NoticeSettings.objects.exists()
    assert caster.put(PREFERENCES, {"digest": False, "quietFrom": "22:00"}).status == 200
    NoticeSettings.objects.update(digest=True)
    assert caster.put(PREFERENCES, {"digest": True, "quietFrom": "21:00"}).json["digest"] is True


def test_customers_accounts_have_no_notices(shop: Shop) -> None:
    account = buyer(shop.customer)
    for path in (PREFERENCES, DEVICES, BELL):
        assert account.get(path).code == "permission_denied"


def test_two_first_changes_at_once_keep_both(busy_shop: Shop) -> None:
    bodies = [{"digest": True}, {"kinds": [{"kind": "late", "channels": []}]}]
    answers = at_once([lambda body=body: busy_shop.ana.put(PREFERENCES, body) for body in bodies])  # type: ignore[misc]
    assert [answer.status for answer in answers] == [200, 200]
    found = busy_shop.ana.get(PREFERENCES).json
    assert (found["digest"], channels(found)["late"]) == (True, [])
