"""Pairing a screen: a code to type, a secret to poll with, and a token that is returned until it is used."""

import re
from datetime import timedelta

import pytest
from django.conf import settings
from django.test import override_settings

from project.core import clock
from project.displays import pairing
from project.displays.models import Display, Pairing
from tests.builders import Caller, Shop, at_once
from tests.project.displays.screens import DISPLAYS, PAIRINGS, named, waiting

pytestmark = pytest.mark.django_db


def test_screen_waits_until_its_code_is_typed_and_then_gets_its_token(shop: Shop) -> None:
    screen = waiting()
    assert re.fullmatch(f"[{pairing.LETTERS}]{{6}}", screen["code"])
    assert screen["expiresIn"] == 600
    secret = f"{PAIRINGS}/{screen['secret']}"
    assert Caller().get(secret).json == {"status": "waiting", "token": None, "name": None, "zone": None}
    typed = f" {screen['code'][:3].lower()}-{screen['code'][3:]} "
    made = shop.ana.post(DISPLAYS, {"code": typed, "name": "Entrada"})
    assert made.status == 201, made
    assert made.json == {
        "id": made.json["id"],
        "name": "Entrada",
        "productionProcessIds": [],
        "lastSeen": None,
        "active": True,
        "version": 1,
    }
    answered = Caller().get(secret).json
    assert (answered["status"], answered["name"], answered["zone"]) == ("paired", "Entrada", settings.PLANT_TIME_ZONE)
    assert Caller(bearer=answered["token"]).get("/api/shop-floor").status == 200
    again = Caller().get(secret)
    assert (again.status, again.code) == (404, "not_found")


def test_token_is_returned_again_until_it_is_used(shop: Shop) -> None:
    screen = waiting()
    secret = f"{PAIRINGS}/{screen['secret']}"
    start = clock.now()
    with clock.at(start + timedelta(minutes=9, seconds=59)):
        made = shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"})
        answered = [Caller().get(secret).json["token"] for _ in range(3)]
    with clock.at(start + timedelta(minutes=19)):
        answered.append(Caller().get(secret).json["token"])
        assert len(set(answered)) == 1
        assert shop.ana.get(f"{DISPLAYS}/{made.json['id']}").json["lastSeen"] is None, (
            "the screen has shown nothing yet"
        )
        assert Caller(bearer=answered[0]).get("/api/shop-floor").status == 200
        assert Caller().get(secret).status == 404
        assert Caller(bearer=answered[0]).get("/api/shop-floor").status == 200


def test_unclaimed_token_expires_10_minutes_after_the_pairing(shop: Shop) -> None:
    screen = waiting()
    shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"})
    with clock.at(clock.now() + pairing.LASTS + timedelta(seconds=1)):
        assert Caller().get(f"{PAIRINGS}/{screen['secret']}").status == 404
        pairing.forget_over()
    assert Pairing.objects.count() == 0


def test_simultaneous_polls_with_one_secret_get_the_same_token(busy_shop: Shop) -> None:
    screen = waiting()
    busy_shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"})
    answers = at_once([lambda: Caller().get(f"{PAIRINGS}/{screen['secret']}")] * 6)
    (token,) = {answer.json["token"] for answer in answers}
    assert Caller(bearer=token).get("/api/shop-floor").status == 200


def test_token_cannot_be_derived_from_the_secret_alone(shop: Shop) -> None:
    screen = waiting()
    shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"})
    secret = f"{PAIRINGS}/{screen['secret']}"
    answered = Caller().get(secret).json["token"]
    assert screen["secret"] not in answered
    with override_settings(SECRET_KEY="another key, which whoever overheard the secret does not know"):
        assert Caller().get(secret).json["token"] != answered


def test_code_typed_twice_at_once_makes_one_display(busy_shop: Shop) -> None:
    screen = waiting()
    callers = [busy_shop.ana, busy_shop.beto]
    answers = at_once(
        [
            lambda by=by: by.post(DISPLAYS, {"code": screen["code"], "name": f"De {by.id}"})  # type: ignore[misc]
            for by in callers
        ]
    )
    assert sorted(answer.status for answer in answers) == [201, 422]
    assert Display.objects.count() == 1


def test_codes_and_secrets_expire_after_10_minutes(shop: Shop) -> None:
    with clock.at(clock.now() - timedelta(minutes=10, seconds=1)):
        old = waiting()
    with clock.at(clock.now() - timedelta(minutes=9, seconds=50)):
        new = waiting()
    assert Caller().get(f"{PAIRINGS}/{old['secret']}").status == 404
    assert shop.ana.post(DISPLAYS, {"code": old["code"], "name": "Vieja"}).code == "unknown_pairing_code"
    assert shop.ana.post(DISPLAYS, {"code": new["code"], "name": "Nueva"}).status == 201
    pairing.forget_over()
    assert Pairing.objects.count() == 1


def test_no_code_secret_or_token_is_stored_in_clear(shop: Shop) -> None:
    screen = waiting()
    caller, _ = named(shop)
    kept = str([*Pairing.objects.values_list(), *Display.objects.values_list()])
    assert caller.bearer is not None
    for secret in (screen["code"], screen["secret"], caller.bearer, caller.bearer.removeprefix("display-")):
        assert secret not in kept


def test_guesser_of_codes_gets_422_and_then_429(shop: Shop) -> None:
    screen = waiting()
    guesses = ["AAAAAA", "", "A", "x" * 40, "ÁÁÁÁÁÁ"]
    for guess in guesses:
        answer = shop.beto.post(DISPLAYS, {"code": guess, "name": "Mía"})
        assert (answer.status, answer.code) == (422, "unknown_pairing_code"), answer
        assert answer.fields == {"code": "unknown_pairing_code"}
    kept_out = shop.beto.post(DISPLAYS, {"code": screen["code"], "name": "Mía"})
    assert (kept_out.status, kept_out.code) == (429, "too_many_attempts")
    assert 0 < int(kept_out.headers["Retry-After"]) <= 900
    assert shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Suya"}).status == 201
    with clock.at(clock.now() + timedelta(minutes=16)):
        assert Caller(shop.beto.user).post(DISPLAYS, {"code": "AAAAAA", "name": "Mía"}).status == 422


def test_five_of_twelve_guesses_at_once_are_checked(busy_shop: Shop) -> None:
    guess = {"code": "AAAAAA", "name": "Mía"}
    answers = at_once([lambda: busy_shop.ana.post(DISPLAYS, guess)] * 12)
    assert sorted(answer.status for answer in answers) == [422] * 5 + [429] * 7


def test_right_code_with_a_taken_name_does_not_count_as_a_guess(shop: Shop) -> None:
    named(shop, "Entrada")
    for _ in range(7):
        answer = shop.ana.post(DISPLAYS, {"code": waiting()["code"], "name": "ENTRADA"})
        assert (answer.status, answer.code, answer.fields) == (409, "already_exists", {"name": "already_exists"})


def test_repeated_key_makes_one_display_and_resets_no_guesses(shop: Shop) -> None:
    body = {"code": waiting()["code"], "name": "Entrada"}
    first = shop.ana.post(DISPLAYS, body, idempotency_key="k1")
    again = shop.ana.post(DISPLAYS, body, idempotency_key="k1")
    assert (again.status, again.json) == (201, first.json)
    assert again.headers["Idempotent-Replayed"] == "true"
    for _ in range(5):
        shop.ana.post(DISPLAYS, {"code": "AAAAAA", "name": "Mía"})
        assert shop.ana.post(DISPLAYS, body, idempotency_key="k1").status in (201, 429)
    assert shop.ana.post(DISPLAYS, {"code": waiting()["code"], "name": "Mía"}).status == 429


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"code": "required", "name": "required"}),
        ({"code": "A" * 41, "name": "x"}, {"code": "too_long"}),
        ({"code": "AAAAAA", "name": " "}, {"name": "required"}),
        ({"code": "AAAAAA", "name": "x", "token": "mine"}, {"token": "not_allowed"}),
        ({"code": "AAAAAA", "name": "x", "active": True}, {"active": "not_allowed"}),
    ],
)
def test_invalid_body_gets_422(shop: Shop, body: dict[str, object], fields: dict[str, str]) -> None:
    answer = shop.ana.post(DISPLAYS, body)
    assert (answer.status, set(answer.fields)) == (422, set(fields)), answer


def test_unknown_process_gets_422_and_the_code_stays_valid(shop: Shop) -> None:
    screen = waiting()
    body = {"code": screen["code"], "name": "Entrada", "productionProcessIds": [shop.casting.pk, 999_999]}
    answer = shop.ana.post(DISPLAYS, body)
    assert (answer.status, answer.fields) == (422, {"productionProcessIds.1": "unknown"})
    assert shop.ana.post(DISPLAYS, body | {"productionProcessIds": [shop.casting.pk]}).status == 201


def test_address_may_have_20_waiting_screens(shop: Shop) -> None:
    for _ in range(pairing.MOST_OF_ADDRESS):
        screen = waiting()
    refused = Caller().post(PAIRINGS)
    assert (refused.status, refused.code) == (429, "too_many_attempts")
    assert 0 < int(refused.headers["Retry-After"]) <= 600
    shop.ana.post(DISPLAYS, {"code": screen["code"], "name": "Entrada"})
    Caller().get(f"{PAIRINGS}/{screen['secret']}")
    waiting()


def test_simultaneous_screens_of_one_address_are_at_most_20(busy_shop: Shop) -> None:
    answers = at_once([lambda: Caller().post(PAIRINGS)] * 30)
    assert sum(answer.status == 201 for answer in answers) == pairing.MOST_OF_ADDRESS


def test_refused_poll_or_pairing_costs_one_query(shop: Shop, django_assert_num_queries: object) -> None:
    screen = waiting()
    counted = django_assert_num_queries
    with counted(1):  # type: ignore[operator]
        Caller().get(f"{PAIRINGS}/{screen['secret']}")
    with counted(1):  # type: ignore[operator]
        Caller().get(f"{PAIRINGS}/{'x' * 43}")
    for _ in range(pairing.MOST_OF_ADDRESS - 1):
        waiting()
    with counted(1):  # type: ignore[operator]
        assert Caller().post(PAIRINGS).status == 429


@pytest.mark.parametrize("secret", ["x", "%00", "..", "a" * 200, "' OR 1=1 --"])
def test_guessed_secret_gets_404(shop: Shop, secret: str) -> None:
    assert Caller().get(f"{PAIRINGS}/{secret}").status == 404
