"""Changing a password and recovering it by a mailed link."""

import re
from email.header import decode_header, make_header
from email.utils import parseaddr

import pytest
from django.conf import LazySettings
from django.core import mail

from project.access.models import SignInAttempt
from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.catalogs.models import Company
from project.identity import passwords
from project.identity.models import User
from tests.builders import Answer, Caller, Shop, somebody

OLD, NEW = "Vieja.2026", "Nueva.2026"
RECOVER = "/identity/authentication/recover-password"


@pytest.fixture(autouse=True)
def _mail_server(settings: LazySettings) -> None:
    settings.MAIL_SERVER = True


@pytest.fixture
def eva(db: None, quick_passwords: None) -> Caller:
    caller = somebody(Permission.ChangePassword)
    assert caller.user is not None
    caller.user.set_password(OLD)
    caller.user.save()
    return caller


def change(
    caller: Caller,
    user_id: int | None = None,
    current: str = OLD,
    new: str = NEW,
    again: str = NEW,
    key: str | None = None,
) -> Answer:
    body = {"currentPassword": current, "newPassword": new, "confirmNewPassword": again}
    headers = {"Idempotency-Key": key} if key else {}
    return caller.put(f"/identity/users/{user_id or caller.id}/change-password/by-user", body, **headers)


def signs_in(caller: Caller, password: str) -> bool:
    assert caller.user is not None
    body = {"username": caller.user.email, "password": password, "rememberLogin": True}
    return Caller().post("/identity/authentication/sign-in", body).status == 200


def test_new_password_signs_in_and_ends_every_session(eva: Caller) -> None:
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
        ({"new": "P@ssw0rd", "again": "P@ssw0rd"}, "weak_password"),
        ({"new": "x" * 51, "again": "x" * 51}, "invalid_fields"),
    ],
)
def test_each_refusal_has_its_code_and_changes_nothing(eva: Caller, given: dict[str, str], code: str) -> None:
    answer = change(eva, **given)  # type: ignore[arg-type]
    assert (answer.status, answer.code) == (422, code)
    assert signs_in(eva, OLD)


def test_change_needs_the_permission_and_the_callers_own_account(eva: Caller, shop: Shop) -> None:
    assert change(shop.ana, eva.id).code == "permission_denied"
    assert change(shop.carla).code == "permission_denied"


def recovered(email: str) -> str:
    """Ask for a link for `email`. Return the token of the last mailed link, or ""."""
    answer = Caller().post(RECOVER, {"email": email})
    assert answer.status == 200
    passwords._post_office.submit(lambda: None).result()
    found = [re.search(r"Restablecer/(\S+)", str(message.body)) for message in mail.outbox]
    return found[-1][1] if found and found[-1] else ""


def reset(token: str, new: str = NEW) -> Answer:
    body = {"token": token, "newPassword": new, "confirmNewPassword": new}
    return Caller().post("/identity/authentication/reset-password", body)


def test_mailed_link_sets_a_password_once(eva: Caller) -> None:
    assert eva.user is not None
    token = recovered(eva.user.email)
    assert reset(token).status == 200
    assert signs_in(eva, NEW)
    assert reset(token, "Tercera.26").code == "invalid_token"


@pytest.mark.parametrize(("language", "said"), [("es", "contraseña"), ("en", "password")])
def test_link_is_mailed_in_the_users_language(eva: Caller, language: str, said: str) -> None:
    assert eva.user is not None
    User.objects.filter(pk=eva.id).update(language=language)
    Caller(accept_language="es" if language == "en" else "en").post(RECOVER, {"email": eva.user.email})
    passwords._post_office.submit(lambda: None).result()
    assert said in str(mail.outbox[-1].body)


def test_unknown_address_gets_200_and_no_mail(eva: Caller) -> None:
    assert recovered("nadie@obrador.test") == ""
    assert mail.outbox == []


@pytest.mark.parametrize("token", ["", "x", "1-x", "9" * 40, "1-" + "a" * 150])
def test_forged_token_is_refused(eva: Caller, token: str) -> None:
    assert reset(token).code == "invalid_token"


def test_more_than_five_requests_get_the_same_200_and_no_mail(eva: Caller) -> None:
    assert eva.user is not None
    answers = [Caller().post(RECOVER, {"email": eva.user.email}) for _ in range(8)]
    passwords._post_office.submit(lambda: None).result()
    assert {(answer.status, answer.text) for answer in answers} == {(200, answers[0].text)}
    assert len(mail.outbox) == 5


def test_recovery_requests_do_not_block_sign_in(eva: Caller) -> None:
    for number in range(25):
        Caller().post(RECOVER, {"email": f"n{number}@obrador.test"})
    assert signs_in(eva, OLD)


@pytest.mark.parametrize("server", [False, True])
def test_recovery_answer_reveals_only_whether_there_is_a_mail_server(
    eva: Caller, settings: LazySettings, server: bool
) -> None:
    settings.MAIL_SERVER = server
    assert eva.user is not None
    for email in (eva.user.email, "nadie@obrador.test", "no address at all", ""):
        answer = Caller().post(RECOVER, {"email": email})
        assert (answer.status, answer.json) == (200, {"mail": server})


@pytest.mark.parametrize("state", [{"locked": True}, {"active": False}], ids=str)
def test_locked_or_inactive_user_gets_no_link_and_cannot_use_an_old_one(eva: Caller, state: dict[str, bool]) -> None:
    assert eva.user is not None
    before = recovered(eva.user.email)
    User.objects.filter(pk=eva.id).update(**state)
    assert reset(before).code == "invalid_token"
    mail.outbox.clear()
    assert recovered(eva.user.email) == ""


def test_link_leads_to_the_reset_page(eva: Caller, settings: LazySettings) -> None:
    settings.PUBLIC_URL = "https://taller.example"
    assert eva.user is not None
    token = recovered(eva.user.email)
    message = mail.outbox[-1]
    assert f"https://taller.example/#/Restablecer/{token}\n" in str(message.body)
    assert message.to == [eva.user.email]


def test_mail_of_a_link_names_the_company(eva: Caller) -> None:
    Company.objects.create(name="Platería\nTaxco")
    assert eva.user is not None
    recovered(eva.user.email)
    message = mail.outbox[-1].message()
    assert parseaddr(str(make_header(decode_header(str(message["From"])))))[0] == "Platería Taxco"
    assert mail.outbox[-1].subject == "Platería Taxco · Restablecer la contraseña de Obrador"
    assert str(mail.outbox[-1].body).startswith("Platería Taxco\n\n")


def test_no_token_is_made_without_a_mail_server(
    eva: Caller, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a mail server the token could only reach the log."""
    settings.MAIL_SERVER = False
    made: list[object] = []
    monkeypatch.setattr("project.identity.passwords.default_token_generator.make_token", made.append)
    assert eva.user is not None
    assert recovered(eva.user.email) == ""
    assert (made, mail.outbox, SignInAttempt.objects.count()) == ([], [], 0)


def test_link_expires_after_password_reset_timeout(eva: Caller, settings: LazySettings) -> None:
    assert eva.user is not None
    token = recovered(eva.user.email)
    settings.PASSWORD_RESET_TIMEOUT = -1
    assert reset(token).code == "invalid_token"


def test_reset_lets_in_a_user_blocked_by_too_many_attempts(eva: Caller) -> None:
    assert eva.user is not None
    assert [signs_in(eva, "Otra.2026") for _ in range(5)] == [False] * 5
    assert not signs_in(eva, OLD)
    assert reset(recovered(eva.user.email)).status == 200
    assert signs_in(eva, NEW)


def test_sixth_wrong_current_password_gets_too_many_attempts(eva: Caller) -> None:
    """Attempts count even under an Idempotency-Key."""
    codes = [change(eva, current=f"x{number}", key=f"key {number}").code for number in range(6)]
    assert codes == ["wrong_current_password"] * 5 + ["too_many_attempts"]
    assert signs_in(eva, OLD)


def test_change_is_refused_when_the_password_changed_in_the_meantime(
    eva: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The current password is checked again before the new one is saved."""
    succeeded = passwords.throttle.succeeded

    def succeed_after_another_change(attempt: SignInAttempt) -> None:
        assert eva.user is not None
        succeeded(attempt)
        eva.user.set_password("Tercera.26")
        eva.user.save(update_fields=["password"])

    monkeypatch.setattr(passwords.throttle, "succeeded", succeed_after_another_change)
    assert change(eva).code == "wrong_current_password"
    monkeypatch.undo()
    assert signs_in(eva, "Tercera.26")


def test_change_is_audited_without_the_password(eva: Caller) -> None:
    change(eva)
    row = AuditEntry.objects.get(entity="users", entity_id=eva.id)
    assert (row.action, row.user_id) == ("password", eva.id)
    assert row.changes == {"password": {"before": None, "after": "•••"}}
