"""One-time codes of an app, recovery codes, remembered browsers, and what a role requires."""

from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command

from project.access import token
from project.audit.models import AuditEntry
from project.core import clock
from project.core.errors import NotFound, Unauthenticated
from project.doors import authenticators
from project.doors.models import Authenticator, RecoveryCode
from project.doors.rules import InvalidCode
from project.identity import sessions
from project.identity.models import Role, User
from project.worker.jobs import forget_sign_ins
from tests.builders import Answer, Caller, Shop, at_once
from tests.project.doors.visitors import PASSWORD, WAYS, App, Device, Visitor, account, with_app, with_passkey

pytestmark = pytest.mark.usefixtures("quick_passwords", "noon")


def test_person_with_an_app_signs_in_by_password_and_code(db: None) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    refused = visitor.sign_in()
    assert (refused.status, refused.code) == (401, "second_factor_required")
    params = refused.json["params"]
    assert (params["factors"], params["enrolls"], params["rememberDays"]) == (["code"], [], 0)
    given = visitor.gives(params["challenge"], app.code())
    assert (given.status, given.json["recoveryCodes"]) == (200, [])
    assert Caller(bearer=given.json["access_token"]).get(WAYS).json["authenticator"]["recoveryCodesLeft"] == 10
    rows = AuditEntry.objects.filter(entity_id=user.pk, action="signed-in")
    assert [(row.user_id, row.address) for row in rows] == [(user.pk, "127.0.0.1")]


def test_wrong_password_asks_for_no_code(db: None) -> None:
    with_app(account())
    assert Visitor().sign_in(password="Otra.2026").code == "invalid_credentials"


@pytest.mark.parametrize("seconds", [-120, -61, 61, 120])
def test_code_of_a_clock_a_minute_or_two_off_is_refused(db: None, seconds: int) -> None:
    app, visitor = with_app(account()), Visitor()
    refused = visitor.gives(visitor.challenge(), app.code(seconds))
    assert (refused.status, refused.code) == (401, "invalid_code")


@pytest.mark.parametrize("seconds", [0, 29, 30])
def test_code_of_a_clock_half_a_minute_off_is_accepted(db: None, seconds: int) -> None:
    app, visitor = with_app(account()), Visitor()
    assert visitor.gives(visitor.challenge(), app.code(seconds)).status == 200


def test_code_is_good_once_and_so_are_those_before_it(db: None) -> None:
    app, visitor = with_app(account()), Visitor()
    former, code = app.code(), app.code(30)
    challenge = visitor.challenge()
    assert visitor.gives(challenge, code).status == 200
    for used in (code, former):
        assert visitor.gives(challenge, used).code == "invalid_code"
    with clock.at(clock.now() + timedelta(minutes=1)):
        assert visitor.gives(challenge, app.code()).status == 200


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("recovers", [False, True])
def test_one_of_many_simultaneous_uses_of_a_code_signs_in(noon: datetime, recovers: bool) -> None:
    app, challenge = with_app(account()), Visitor().challenge()
    code = app.recovery_codes[0] if recovers else app.code()

    def give() -> Answer:
        with clock.at(noon):  # other threads have the machine's time
            return Visitor().gives(challenge, code)

    assert sorted(answer.status for answer in at_once([give] * 4)) == [200, 401, 401, 401]


def test_five_wrong_codes_close_the_second_step_and_stand_in_the_audit(db: None) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    challenge = visitor.challenge()
    assert [visitor.gives(challenge, "000000").status for _ in range(5)] == [401] * 5
    closed = visitor.gives(challenge, app.code())
    assert (closed.status, closed.code) == (429, "too_many_attempts")
    [guessed] = AuditEntry.objects.filter(entity_id=user.pk, action="guessed")
    assert "code" in guessed.changes


def test_fifty_wrong_codes_in_a_day_close_the_second_step_whoever_succeeds_between_them(
    db: None, noon: datetime
) -> None:
    user = account()
    app, at = with_app(user), noon
    for _ in range(10):
        with clock.at(at):
            forget_sign_ins()
            challenge = Visitor().challenge()
            assert [Visitor().gives(challenge, "000000").code for _ in range(5)] == ["invalid_code"] * 5
        at += timedelta(minutes=16)
        if at < noon + timedelta(minutes=150):
            with clock.at(at):
                assert Visitor().gives(Visitor().challenge(), app.code()).status == 200
    with clock.at(noon + timedelta(hours=9)):
        forget_sign_ins()
        refused = Visitor().gives(Visitor().challenge(), app.code())
        assert (refused.code, int(refused.headers["Retry-After"]) > 14 * 3600) == ("too_many_attempts", True)
        assert AuditEntry.objects.filter(entity_id=user.pk, action="guessed").exists()
    with clock.at(noon + timedelta(days=1, minutes=1)):
        assert Visitor().gives(Visitor().challenge(), app.code()).status == 200


@pytest.mark.parametrize("code", ["ñ23456", "12345\u0663", "\U0001f600", "\u00a0"])
def test_code_with_other_letters_is_wrong_and_its_attempt_counts(db: None, code: str) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    challenge = visitor.challenge()
    assert [visitor.gives(challenge, code).code for _ in range(5)] == ["invalid_code"] * 5
    assert visitor.gives(challenge, app.code()).status == 429
    assert Caller(user).post(f"{WAYS}/app/confirm", {"code": code}).status == 429


@pytest.mark.parametrize("of_app", [True, False])
@pytest.mark.parametrize("blank", [" ", "-", "\u00a0", "\u202f", "\u2011", "\u2013"])
def test_code_is_read_with_any_blanks_and_hyphens_and_in_full_width(db: None, blank: str, of_app: bool) -> None:
    app, visitor = with_app(account()), Visitor()
    code = app.code() if of_app else app.recovery_codes[0].replace("-", "")
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in code)
    assert visitor.gives(visitor.challenge(), f"{wide[:3]}{blank}{wide[3:]}{blank}").status == 200


def test_recovery_code_stands_in_for_the_app_once(db: None) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    assert len(set(app.recovery_codes)) == 10
    challenge, code = visitor.challenge(), app.recovery_codes[3]
    assert visitor.gives(challenge, code.lower().replace("-", " ")).status == 200
    assert visitor.gives(challenge, code).code == "invalid_code"
    assert Caller(user).get(WAYS).json["authenticator"]["recoveryCodesLeft"] == 9
    stored = set(RecoveryCode.objects.values_list("digest", flat=True))
    assert stored.isdisjoint({one.replace("-", "") for one in app.recovery_codes})


def test_new_recovery_codes_end_the_old_ones(db: None) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    renewed = Caller(user).post(f"{WAYS}/recovery-codes", {"currentPassword": PASSWORD}).json["recoveryCodes"]
    challenge = visitor.challenge()
    assert visitor.gives(challenge, app.recovery_codes[0]).code == "invalid_code"
    assert visitor.gives(challenge, renewed[0]).status == 200


@pytest.mark.django_db(transaction=True)
def test_simultaneous_renewals_leave_ten_codes(noon: datetime) -> None:
    user = account()
    with_app(user)
    assert {len(codes) for codes in at_once([lambda: authenticators.renew_recovery_codes(user)] * 6)} == {10}
    assert RecoveryCode.objects.filter(user=user).count() == 10


@pytest.mark.django_db(transaction=True)
def test_removed_app_leaves_no_codes_of_a_simultaneous_renewal(noon: datetime) -> None:
    user = account()
    with_app(user)

    def renew() -> None:
        with suppress(NotFound):
            authenticators.renew_recovery_codes(user)

    at_once([renew, partial(authenticators.remove, user), renew])
    assert not RecoveryCode.objects.filter(user=user).exists()


@pytest.mark.django_db(transaction=True)
def test_person_who_begins_and_confirms_an_app_at_once_gets_ten_codes(noon: datetime) -> None:
    user = account()
    app = App(authenticators.begin(user).secret, [])

    def confirm() -> None:
        with suppress(InvalidCode), clock.at(noon):  # other threads have the machine's time
            authenticators.confirm(user, app.code())

    at_once([confirm, lambda: authenticators.begin(user), confirm])
    assert RecoveryCode.objects.filter(user=user).count() in (0, 10)


def test_challenge_ends_after_ten_minutes_and_with_a_new_password(db: None) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    challenge = visitor.challenge()
    with clock.at(clock.now() + timedelta(minutes=11)):
        assert visitor.gives(challenge, app.code()).code == "challenge_over"
    User.objects.filter(pk=user.pk).update(token_version=9)
    assert visitor.gives(challenge, app.code()).code == "challenge_over"


@pytest.mark.parametrize("challenge", ["x", "00" * 40, "ñ"])
def test_challenge_that_is_not_ours_is_refused(db: None, challenge: str) -> None:
    assert Visitor().gives(challenge, "123456").code == "challenge_over"


def test_browser_is_remembered_only_if_allowed_and_until_the_password_or_the_app_changes(
    db: None, settings: LazySettings
) -> None:
    user, visitor = account(), Visitor()
    app = with_app(user)
    visitor.gives(visitor.challenge(), app.recovery_codes[0], remember=True)
    assert visitor.sign_in().code == "second_factor_required"
    settings.SECOND_FACTOR_DAYS = 30
    visitor.gives(visitor.challenge(), app.recovery_codes[1], remember=True)
    assert visitor.sign_in().status == 200
    assert Visitor().sign_in().code == "second_factor_required"
    with clock.at(clock.now() + timedelta(days=30)):
        assert visitor.sign_in().code == "second_factor_required"
    with_app(user)
    assert visitor.sign_in().code == "second_factor_required"


def test_new_password_ends_a_remembered_browser(db: None, settings: LazySettings) -> None:
    settings.SECOND_FACTOR_DAYS = 30
    user, visitor = account(), Visitor()
    app = with_app(user)
    visitor.gives(visitor.challenge(), app.recovery_codes[1], remember=True)
    user.set_password("Nueva.2026")
    user.save()
    assert visitor.sign_in(password="Nueva.2026").code == "second_factor_required"


def test_restored_backup_ends_a_remembered_browser(db: None, settings: LazySettings) -> None:
    """The app may have been replaced since the backup, because the browser was stolen."""
    settings.SECOND_FACTOR_DAYS = 30
    user, visitor = account(), Visitor()
    app = with_app(user)
    visitor.gives(visitor.challenge(), app.recovery_codes[1], remember=True)
    assert visitor.sign_in().status == 200
    sessions.end_all()
    assert visitor.sign_in().code == "second_factor_required"


def test_role_that_requires_a_factor_lets_its_holder_set_up_an_app_while_signing_in(db: None) -> None:
    account(requires="any")
    visitor = Visitor()
    params = visitor.sign_in().json["params"]
    assert (params["factors"], params["enrolls"]) == ([], ["code", "passkey"])
    seed = visitor.post("second-factor/app", {"challenge": params["challenge"]})
    assert seed.json["picture"].startswith("<")
    assert seed.json["address"].startswith("otpauth://totp/Obrador:dora%40obrador.test?secret=")
    app = App(seed.json["secret"], [])
    assert visitor.gives(params["challenge"], app.code(300)).code == "invalid_code"
    given = visitor.gives(params["challenge"], app.code())
    assert (given.status, len(given.json["recoveryCodes"])) == (200, 10)
    # The challenge of this sign-in sets up no second app in place of the first.
    assert visitor.post("second-factor/app", {"challenge": params["challenge"]}).code == "challenge_over"


def test_role_that_requires_a_passkey_asks_first_for_the_code_and_then_for_a_passkey(db: None) -> None:
    user, visitor, device = account(requires="passkey"), Visitor(), Device()
    app = with_app(user)
    challenge = visitor.challenge()
    assert visitor.post("second-factor/passkey/options", {"challenge": challenge}).code == "challenge_over"
    more = visitor.gives(challenge, app.code())
    assert (more.code, more.json["params"]["enrolls"]) == ("second_factor_required", ["passkey"])
    challenge = more.json["params"]["challenge"]
    given = visitor.post("second-factor/passkey/options", {"challenge": challenge}).json
    done = visitor.post("second-factor/passkey", {"challenge": challenge, **device.makes(given)})
    assert (done.status, set(done.json)) == (200, {"access_token"})
    assert visitor.sign_in().json["params"]["factors"] == ["passkey"]


@pytest.mark.parametrize(
    ("setting", "kind", "asked"), [("staff", "Internal", True), ("all", "Customer", True), ("staff", "Customer", False)]
)
def test_setting_requires_a_factor_of_everybody(
    db: None, settings: LazySettings, setting: str, kind: str, asked: bool
) -> None:
    account(user_type=kind)
    settings.SECOND_FACTOR = setting
    assert (Visitor().sign_in().status == 401) == asked


def test_last_factor_that_is_required_stays(db: None) -> None:
    user = account(requires="any")
    with_app(user)
    refused = Caller(user).post(f"{WAYS}/app/remove", {"currentPassword": PASSWORD})
    assert (refused.status, refused.code) == (409, "factor_required")
    with_passkey(user)
    assert Caller(user).post(f"{WAYS}/app/remove", {"currentPassword": PASSWORD}).json["authenticator"] is None
    [passkey] = Caller(user).get(WAYS).json["passkeys"]
    remove = f"{WAYS}/passkeys/{passkey['id']}/remove"
    assert Caller(user).post(remove, {"currentPassword": PASSWORD}).code == "factor_required"
    Role.objects.update(second_factor="none")
    assert Caller(user).post(remove, {"currentPassword": PASSWORD}).json["passkeys"] == []


@pytest.mark.parametrize("path", ["app", "app/remove", "recovery-codes", "passkeys/options", "passkeys/1/remove"])
def test_open_session_alone_changes_no_way_of_signing_in(db: None, path: str) -> None:
    answer = Caller(account()).post(f"{WAYS}/{path}", {"currentPassword": "Otra.2026"})
    assert answer.fields == {"currentPassword": "wrong_current_password"}


def test_wrong_first_code_and_codes_without_an_app_end_no_session(db: None) -> None:
    caller = Caller(account())
    caller.post(f"{WAYS}/app", {"currentPassword": PASSWORD})
    wrong = caller.post(f"{WAYS}/app/confirm", {"code": "000000"})
    assert (wrong.status, wrong.fields) == (422, {"code": "invalid_code"})
    assert caller.get(WAYS).json["authenticator"] is None
    assert caller.post(f"{WAYS}/recovery-codes", {"currentPassword": PASSWORD}).status == 404
    assert Visitor().sign_in().status == 200


def test_secret_is_sealed_answered_once_and_in_no_export_or_audit(shop: Shop) -> None:
    user = account()
    app = with_app(user)
    row = Authenticator.objects.get(user=user)
    assert app.secret not in row.secret
    seen = Caller(user).get(WAYS).text + shop.ana.get(f"/identity/users/{user.pk}/personal-data").text
    seen += str(list(AuditEntry.objects.values_list("changes", flat=True)))
    for secret in (app.secret, row.secret, *app.recovery_codes, *RecoveryCode.objects.values_list("digest", flat=True)):
        assert secret not in seen


def test_app_stays_readable_under_a_fallback_secret_and_is_sealed_again_when_used(
    db: None, settings: LazySettings
) -> None:
    app, visitor = with_app(account()), Visitor()
    before = Authenticator.objects.get().secret
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "a new secret of more than 32 bytes."
    assert visitor.gives(visitor.challenge(), app.code()).status == 200
    assert Authenticator.objects.get().secret[:8] != before[:8]
    settings.SECRET_KEY_FALLBACKS = []
    with clock.at(clock.now() + timedelta(minutes=2)):
        assert visitor.gives(visitor.challenge(), app.code()).status == 200


def test_command_resets_the_factors_ends_the_sessions_and_is_audited(db: None) -> None:
    user = account()
    with_app(user)
    with_passkey(user)
    bearer = token.issue(user)
    call_command("second-factor", "--reset", "DORA@obrador.test")
    with pytest.raises(Unauthenticated):
        token.verify(bearer)
    signed_in = Visitor().sign_in()
    assert signed_in.status == 200
    ways: dict[str, Any] = Caller(bearer=signed_in.json["access_token"]).get(WAYS).json
    assert (ways["authenticator"], ways["passkeys"]) == (None, [])
    row = AuditEntry.objects.filter(entity_id=user.pk, user_id=None).latest("pk")
    assert row.changes["passkeys"] == {"before": 1, "after": 0}


def test_command_names_an_unknown_e_mail(db: None) -> None:
    with pytest.raises(CommandError, match=r"Nobody has the e-mail x@y\.zz"):
        call_command("second-factor", "--reset", "x@y.zz")
