"""Signing in: one answer for every failure, and a limit on attempts."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from project.access import throttle
from project.access.models import SignInAttempt
from project.core import clock
from project.identity import sessions
from project.identity.models import User
from tests.builders import Answer, Caller, Shop, at_once, person

PATH = "/identity/authentication/sign-in"
PASSWORD = "Taller.2026"
NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)


@pytest.fixture(autouse=True)
def at_noon(quick_passwords: None) -> Iterator[None]:
    with clock.at(NOON):
        yield


def account(name: str = "dora", **fields: Any) -> User:
    user = person(name)
    user.set_password(PASSWORD)
    for field, value in fields.items():
        setattr(user, field, value)
    user.save()
    return user


def sign_in(username: str = "dora@obrador.test", password: str = PASSWORD, **headers: str) -> Answer:
    return Caller(**headers).post(PATH, {"username": username, "password": password, "rememberLogin": True})


@pytest.mark.parametrize("username", ["dora@obrador.test", "DORA@Obrador.Test", "  dora@obrador.test "])
def test_sign_in_ignores_case_and_spaces_of_the_e_mail(db: None, username: str) -> None:
    account()
    answer = sign_in(username)
    assert (answer.status, set(answer.json)) == (200, {"access_token"})
    assert Caller(bearer=answer.json["access_token"]).post("/identity/authentication/sign-out").status == 200


@pytest.mark.parametrize(
    ("fields", "username", "password"),
    [
        ({}, "dora@obrador.test", "Otra.2026"),
        ({}, "dora@obrador.test", ""),
        ({}, "nobody@obrador.test", PASSWORD),
        ({}, "", PASSWORD),
        ({"locked": True}, "dora@obrador.test", PASSWORD),
        ({"active": False}, "dora@obrador.test", PASSWORD),
        ({}, "dora@obrador.test", PASSWORD + " "),
        ({}, "dora@obrador.test", PASSWORD.lower()),
        ({"password": ""}, "dora@obrador.test", ""),
        ({"password": "!"}, "dora@obrador.test", "!"),
    ],
    ids=str,
)
@pytest.mark.parametrize("language", ["es", "en"])
def test_every_failure_has_the_same_answer_in_every_language(
    db: None, fields: dict[str, Any], username: str, password: str, language: str
) -> None:
    account(**fields)
    answer = sign_in(username, password, accept_language=language)
    assert answer.status == 401
    assert answer.json == {
        "code": "invalid_credentials",
        "message": "Cannot sign in, invalid credentials",
        "params": {},
        "errors": [],
    }


def test_every_failure_checks_exactly_one_hash(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hash takes most of the time, so each failure computes one, never against an empty password."""
    account("locked", locked=True)
    account("away", active=False)
    account()
    looked: list[str] = []
    check = sessions.check_password
    monkeypatch.setattr(sessions, "check_password", lambda *args: looked.append(args[1]) or check(*args))
    for name in ("locked", "away", "dora", "nobody"):
        looked.clear()
        sign_in(f"{name}@obrador.test", "Otra.2026")
        assert len(looked) == 1
        assert looked[0]


def test_dummy_hash_of_unknown_accounts_uses_argon2() -> None:
    cost = sessions._nobody.split("$")[:4]
    assert cost[0] == "argon2"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {"username": "required", "password": "required"}),
        ({"username": 5, "password": True}, {"username": "invalid_type", "password": "invalid_type"}),
        ({"username": "a", "password": "b", "isSuperuser": True}, {"isSuperuser": "unknown_field"}),
        ({"username": "a" * 255, "password": "b"}, {"username": "too_long"}),
        ({"username": "a\x00", "password": "b"}, {"username": "invalid_text"}),
        ({"username": "a", "password": "b", "rememberLogin": 1}, {"rememberLogin": "invalid_type"}),
    ],
    ids=str,
)
def test_invalid_body_gets_422(db: None, body: dict[str, Any], fields: dict[str, str]) -> None:
    answer = Caller().post(PATH, body)
    assert (answer.status, answer.fields) == (422, fields)


def test_name_that_gets_longer_in_lower_case_gets_401(db: None) -> None:
    assert sign_in("İ" * 254).status == 401


def test_account_waits_15_minutes_after_5_failures_even_with_the_right_password(db: None) -> None:
    account()
    assert [sign_in(password="x").status for _ in range(5)] == [401] * 5
    answer = sign_in()
    assert (answer.status, answer.code) == (429, "too_many_attempts")
    assert int(answer.headers["Retry-After"]) == answer.json["params"]["retryAfter"] == 15 * 60
    with clock.at(NOON + timedelta(minutes=14, seconds=59)):
        assert sign_in().headers["Retry-After"] == "1"
    with clock.at(NOON + timedelta(minutes=15)):
        assert sign_in().status == 200


def test_clock_set_back_blocks_no_account(db: None) -> None:
    account()
    assert [sign_in(password="x").status for _ in range(6)] == [401] * 5 + [429]
    with clock.at(NOON - timedelta(hours=1)):
        assert sign_in().status == 200


def test_unknown_account_waits_after_5_failures_too(db: None) -> None:
    assert [sign_in("nobody@obrador.test").status for _ in range(6)] == [401] * 5 + [429]


def test_failures_are_counted_regardless_of_case_and_spaces(db: None) -> None:
    account()
    names = ["dora@obrador.test", "DORA@obrador.test", " dora@obrador.test", "Dora@obrador.test ", "dorA@obrador.test"]
    assert [sign_in(name, "x").status for name in names] == [401] * 5
    assert sign_in().status == 429


def test_failures_of_one_account_do_not_block_another(db: None) -> None:
    account()
    for _ in range(6):
        sign_in("nobody@obrador.test")
    assert sign_in().status == 200


def test_address_waits_after_20_failures(db: None) -> None:
    account()
    assert [sign_in(f"n{number}@obrador.test").status for number in range(20)] == [401] * 20
    assert sign_in().status == 429


def test_sign_in_resets_the_accounts_failures(db: None) -> None:
    account()
    for _ in range(3):
        assert [sign_in(password="x").status for _ in range(4)] == [401] * 4
        assert sign_in().status == 200


def test_caller_cannot_choose_their_address_by_x_forwarded_for(db: None) -> None:
    for number in range(20):
        sign_in(f"n{number}@obrador.test", x_forwarded_for=f"10.0.0.{number}")
    assert sign_in("other@obrador.test", x_forwarded_for="10.0.1.1").status == 429


def test_address_behind_a_trusted_proxy_is_the_one_that_proxy_saw(db: None, settings: object) -> None:
    settings.TRUSTED_PROXIES = 1  # type: ignore[attr-defined]
    for number in range(20):
        sign_in(f"n{number}@obrador.test", x_forwarded_for=f"6.6.6.{number}, 203.0.113.9")
    assert sign_in("other@obrador.test", x_forwarded_for="1.2.3.4, 203.0.113.9").status == 429
    assert sign_in("other@obrador.test", x_forwarded_for="203.0.113.9, 198.51.100.7").status == 401


@pytest.mark.django_db(transaction=True)
def test_fifty_attempts_at_once_count_like_fifty_in_sequence() -> None:
    account()
    answers = at_once([lambda number=number: sign_in(password=f"x{number}") for number in range(50)])
    counted = Counter(answer.status for answer in answers)
    assert counted == {401: 5, 429: 45}
    assert SignInAttempt.objects.filter(failed=True).count() == 5
    assert SignInAttempt.objects.filter(failed=False).count() == 0


@pytest.mark.django_db(transaction=True)
def test_fifty_accounts_at_once_share_the_20_attempts_of_their_address() -> None:
    answers = at_once([lambda number=number: sign_in(f"n{number}@obrador.test") for number in range(50)])
    counted = Counter(answer.status for answer in answers)
    assert counted == {401: 20, 429: 30}
    assert SignInAttempt.objects.filter(failed=True).count() == 20
    assert SignInAttempt.objects.filter(failed=False).count() == 0


def pending(number: int, **fields: Any) -> None:
    SignInAttempt.objects.create(account=f"n{number}@obrador.test", address="127.0.0.1", at=NOON, **fields)


def test_attempts_in_progress_count_for_the_address(db: None) -> None:
    """At most 20 attempts are checked at once. The next caller waits 1 s, not 15 minutes, as most attempts
    succeed."""
    account()
    for number in range(19):
        pending(number)
    assert sign_in().status == 200
    pending(19)
    assert (sign_in().status, sign_in().headers["Retry-After"]) == (429, "1")


def test_attempt_left_by_a_crash_stops_counting_after_a_minute(db: None) -> None:
    account()
    for number in range(20):
        pending(number)
    with clock.at(NOON + timedelta(seconds=61)):
        assert sign_in().status == 200


def test_sign_in_keeps_other_attempts_of_the_account_counted(db: None) -> None:
    user = account()
    for _ in range(4):
        SignInAttempt.objects.create(account=user.email, address="10.0.0.1", at=NOON)
    assert sign_in().status == 200
    assert SignInAttempt.objects.filter(failed=False).count() == 4
    throttle.failed(SignInAttempt.objects.first())  # type: ignore[arg-type]
    assert SignInAttempt.objects.filter(failed=True).count() == 1


def test_signing_in_leaves_no_password_in_the_log(db: None, caplog: pytest.LogCaptureFixture) -> None:
    account()
    with caplog.at_level(0):
        sign_in(password="Canario.2026")
        sign_in()
    assert "Canario" not in caplog.text
    assert PASSWORD not in caplog.text


def test_password_is_stored_as_argon2(shop: Shop, settings: object) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]  # type: ignore[attr-defined]
    body = {"email": "nuevo@obrador.test", "password": PASSWORD, "firstName": "Nuevo"}
    assert Caller(shop.ana.user).post("/identity/users", body).status == 201
    assert User.objects.get(email="nuevo@obrador.test").password.startswith("argon2$argon2id$")
