"""Signing in with the company's account, against a provider that signs for real and one that lies."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings

from project.access.permissions import ADMINISTRATOR
from project.audit.models import AuditEntry
from project.core import clock
from project.doors import provider as providers
from project.doors.models import CompanyAccount
from project.identity.models import Role, RolePermission, User
from tests.builders import Answer, Caller, person
from tests.project.doors.company import SECRET, Provider, new_key, serving, settings_for
from tests.project.doors.visitors import WAYS, Visitor, account, with_app

pytestmark = pytest.mark.usefixtures("db", "quick_passwords")

OTHER_KEY = new_key()


@pytest.fixture
def provider(settings: LazySettings) -> Iterator[Provider]:
    with serving() as one:
        settings.COMPANY_ACCOUNTS = settings_for(one)
        yield one
    providers._known.clear()
    providers._failed.clear()


def begins(visitor: Visitor) -> str:
    answer = visitor.post("company")
    assert answer.status == 200, answer
    return str(answer.json["address"])


def sign_in(provider: Provider, visitor: Visitor | None = None, **person: Any) -> Answer:
    visitor = visitor or Visitor()
    return visitor.post("company/finish", provider.authorizes(begins(visitor), **person))


def test_person_is_found_by_the_verified_e_mail_and_later_by_the_account(provider: Provider) -> None:
    user = account()
    answer = sign_in(provider, email="DORA@obrador.test")
    assert answer.status == 200, answer
    address = answer.json["signOut"]
    assert address.startswith(f"{provider.issuer}/leave?client_id=obrador-in-the-shop&post_logout_redirect_uri=http")
    assert Caller(bearer=answer.json["access_token"]).get(WAYS).json["company"]["name"] == "Cuenta de la empresa"
    assert sign_in(provider, email="another@obrador.test", email_verified=False).status == 200
    assert CompanyAccount.objects.get().user_id == user.pk
    assert AuditEntry.objects.filter(user_id=user.pk, action="signed-in").count() == 2


def test_provider_that_takes_the_secret_in_the_body_is_given_it_there(provider: Provider) -> None:
    account()
    provider.methods = ["client_secret_post"]
    assert sign_in(provider).status == 200


BAD: dict[str, dict[str, Any]] = {
    "another audience": {"aud": "another-client"},
    "another issuer": {"iss": "http://127.0.0.1:1"},
    "expired": {"exp": int(clock.now().timestamp()) - 90, "iat": int(clock.now().timestamp()) - 400},
    "of the future": {
        "iat": int(clock.now().timestamp()) + 86_400 * 30,
        "exp": int(clock.now().timestamp()) + 86_400 * 31,
    },
    "another nonce": {"nonce": "of another browser"},
    "no nonce": {"nonce": None},
    "no subject": {"sub": None},
    "unverified e-mail": {"email_verified": False},
    "e-mail verified by a text": {"email_verified": "true"},
    "no e-mail": {"email": None},
    "for another party too": {"aud": ["obrador-in-the-shop", "other"], "azp": "other"},
}


@pytest.mark.parametrize("claims", BAD.values(), ids=BAD.keys())
def test_id_token_that_proves_nothing_is_refused(provider: Provider, claims: dict[str, Any]) -> None:
    account()
    refused = sign_in(provider, **claims)
    assert (refused.status, refused.code) == (401, "company_refused")
    assert not CompanyAccount.objects.exists()


def by_another_key(provider: Provider) -> None:
    provider.signs_with = OTHER_KEY


def by_an_unknown_key(provider: Provider) -> None:
    """A key id that the provider does not publish: the key set names another one."""
    provider.instead["/keys"] = provider.answer("/keys", {}, "")
    provider.key_id = "two"


def unsigned(provider: Provider) -> None:
    provider.algorithm, provider.signs_with = "none", ""


def by_the_shared_secret(provider: Provider) -> None:
    provider.algorithm, provider.signs_with = "HS256", SECRET.ljust(32, "x")


def with_another_secret(provider: Provider) -> None:
    provider.methods = ["client_secret_post", "client_secret_basic"]
    provider.instead["/token"] = (401, "application/json", b'{"error": "invalid_client"}')


@pytest.mark.parametrize(
    "lie",
    [by_another_key, by_an_unknown_key, unsigned, by_the_shared_secret, with_another_secret],
    ids=lambda f: f.__name__,
)
def test_signature_that_proves_nothing_is_refused(provider: Provider, lie: Callable[[Provider], None]) -> None:
    account()
    lie(provider)
    refused = sign_in(provider)
    assert (refused.status, refused.code) == (401, "company_refused")


HTML = b"<!doctype html><title>Sign in to the network</title>"


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/.well-known/openid-configuration", 200, HTML),
        ("/.well-known/openid-configuration", 200, b'{"issuer": "http://127.0.0.1:1"}'),
        ("/.well-known/openid-configuration", 200, b"[]"),
        ("/.well-known/openid-configuration", 302, b""),
        ("/keys", 200, HTML),
        ("/keys", 200, b'{"keys": 5}'),
        ("/keys", 500, b"{}"),
        ("/token", 200, HTML),
        ("/token", 503, b"{}"),
        ("/token", 200, b'{"id_token": "' + b"x" * 1_100_000 + b'"}'),
    ],
)
def test_broken_provider_is_unavailable_and_locks_nobody_out(
    provider: Provider, path: str, status: int, body: bytes
) -> None:
    account()
    provider.instead[path] = (status, "text/html", body)
    visitor = Visitor()
    answer = visitor.post("company")
    if path == "/token":
        answer = visitor.post("company/finish", provider.authorizes(answer.json["address"]))
    assert (answer.status, answer.code) == (503, "company_unavailable")
    assert Visitor().sign_in().status == 200


def test_provider_that_is_gone_is_unavailable(settings: LazySettings) -> None:
    account()
    with serving() as gone:
        settings.COMPANY_ACCOUNTS = settings_for(gone)
    assert Visitor().post("company").code == "company_unavailable"
    assert Visitor().sign_in().status == 200


def test_provider_that_failed_is_asked_again_after_ten_seconds(provider: Provider) -> None:
    account()
    provider.instead["/keys"] = (500, "text/html", b"")
    assert Visitor().post("company").code == "company_unavailable"
    del provider.instead["/keys"]
    asked = len(provider.asked)
    assert Visitor().post("company").code == "company_unavailable"
    assert len(provider.asked) == asked
    with clock.at(clock.now() + timedelta(seconds=11)):
        assert Visitor().post("company").status == 200


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/keys", "/token"])
def test_provider_that_drips_its_answer_is_given_up_after_the_deadline(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    account()
    monkeypatch.setattr(providers, "SECONDS", 0.5)
    visitor, begun = Visitor(), time.monotonic()
    if path == "/token":
        back = provider.authorizes(begins(visitor))
        provider.drips[path] = 0.02
        answer = visitor.post("company/finish", back)
    else:
        provider.drips[path] = 0.02
        answer = visitor.post("company")
    assert (answer.code, time.monotonic() - begun < 3) == ("company_unavailable", True)


def test_caller_waits_shortly_for_another_one_who_asks_and_takes_what_is_known(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    account()
    monkeypatch.setattr(providers, "WAITS", 0.05)
    with providers._lock:
        assert Visitor().post("company").code == "company_unavailable"
    begins(Visitor())
    with providers._lock, clock.at(clock.now() + timedelta(hours=2)):
        begins(Visitor())


def test_twenty_refused_sign_ins_close_the_door_for_their_address(provider: Provider) -> None:
    account()
    answers = [Visitor().post("company/finish", {"code": "x", "state": "y"}) for _ in range(21)]
    assert [answer.status for answer in answers] == [401] * 20 + [429]
    assert AuditEntry.objects.filter(action="guessed").count() == 1
    assert Visitor().sign_in().status == 200


def test_subject_that_is_too_long_is_refused(provider: Provider) -> None:
    account()
    assert sign_in(provider, sub="x" * 256).code == "company_refused"


def test_answer_that_another_browser_asked_for_is_refused(provider: Provider) -> None:
    account()
    thief, victim = Visitor(), Visitor()
    back = provider.authorizes(begins(thief))
    assert victim.post("company/finish", back).code == "company_refused"
    begins(victim)
    assert victim.post("company/finish", back).code == "company_refused"
    assert "/token" not in provider.asked
    assert thief.post("company/finish", back).status == 200
    assert thief.post("company/finish", back).code == "company_refused"


def test_sign_in_that_was_refused_begins_again(provider: Provider) -> None:
    account()
    visitor = Visitor()
    address = begins(visitor)
    assert visitor.post("company/finish", provider.authorizes(address, email_verified=False)).code == "company_refused"
    assert visitor.post("company/finish", provider.authorizes(address)).code == "company_refused"
    assert provider.asked.count("/token") == 1
    assert sign_in(provider, visitor).status == 200


def test_sign_in_that_took_too_long_is_refused(provider: Provider) -> None:
    account()
    visitor = Visitor()
    back = provider.authorizes(begins(visitor))
    with clock.at(clock.now() + timedelta(minutes=11)):
        assert visitor.post("company/finish", back).code == "company_refused"


def test_code_of_another_sign_in_is_refused_by_pkce(provider: Provider) -> None:
    account()
    stolen = provider.authorizes(begins(Visitor()))["code"]
    visitor = Visitor()
    state = provider.authorizes(begins(visitor))["state"]
    assert visitor.post("company/finish", {"code": stolen, "state": state}).code == "company_refused"


def test_second_account_with_the_same_e_mail_is_refused(provider: Provider) -> None:
    account()
    assert sign_in(provider).status == 200
    assert sign_in(provider, sub="somebody-else").code == "company_refused"


@pytest.mark.parametrize("fields", [{"locked": True}, {"active": False}])
def test_locked_or_inactive_account_is_refused(provider: Provider, fields: dict[str, bool]) -> None:
    user = account()
    assert sign_in(provider).status == 200
    User.objects.filter(pk=user.pk).update(**fields)
    assert sign_in(provider).code == "company_refused"


def test_e_mail_without_a_mark_counts_only_if_the_installation_trusts_it(
    provider: Provider, settings: LazySettings
) -> None:
    account()
    assert sign_in(provider, email_verified=None).code == "company_refused"
    settings.COMPANY_ACCOUNTS = settings_for(provider, trusts_email=True)
    assert sign_in(provider, email_verified=None).status == 200


def test_unknown_person_is_made_only_where_allowed_with_roles_and_without_a_password(
    provider: Provider, settings: LazySettings
) -> None:
    person("jefa", *ADMINISTRATOR)
    Role.objects.create(name="Taller")
    new = {"sub": "eva", "email": "eva@obrador.test", "given_name": "Eva", "family_name": "Ríos", "groups": ["shop"]}
    assert sign_in(provider, **new).code == "company_unknown"
    settings.COMPANY_ACCOUNTS = settings_for(provider, creates=True, roles={"shop": "Taller"})
    answer = sign_in(provider, **new)
    assert answer.status == 200, answer
    user = User.objects.get(email="eva@obrador.test")
    assert (user.full_name, [role.name for role in user.roles.all()]) == ("Eva Ríos", ["Taller"])
    assert not user.has_usable_password()
    caller = Caller(bearer=answer.json["access_token"])
    assert caller.get(WAYS).json["hasPassword"] is False
    assert caller.post(f"{WAYS}/app", {}).status == 200
    changed = Caller(User.objects.get(email="jefa@obrador.test")).put(
        f"/identity/users/{user.pk}", {"firstName": "Evita"}
    )
    assert changed.status == 200, changed
    assert Visitor().sign_in("eva", "").code == "invalid_credentials"


def test_groups_give_and_take_the_mapped_roles_and_leave_the_others(
    provider: Provider, settings: LazySettings, caplog: pytest.LogCaptureFixture
) -> None:
    person("jefa", *ADMINISTRATOR)
    user = account()
    own = user.roles.get()
    for name in ("Taller", "Oficina"):
        Role.objects.create(name=name)
    settings.COMPANY_ACCOUNTS = settings_for(provider, roles={"shop": "Taller", "office": "Oficina", "x": "Nadie"})

    def roles(**claims: Any) -> set[str]:
        assert sign_in(provider, **claims).status == 200
        return set(user.roles.values_list("name", flat=True))

    assert roles(groups=["shop", "unknown"]) == {own.name, "Taller"}
    assert roles(groups=["office"]) == {own.name, "Oficina"}
    assert roles() == {own.name, "Oficina"}  # providers leave out lists that are too long
    assert roles(groups=[]) == {own.name}
    assert "the role 'Nadie', which does not exist" in caplog.text
    assert "'Taller'" not in caplog.text


def test_last_administrator_keeps_the_role_that_the_groups_would_take(
    provider: Provider, settings: LazySettings
) -> None:
    user = account()
    role = Role.objects.create(name="Administrador")
    RolePermission.objects.bulk_create(RolePermission(role=role, action=one) for one in ADMINISTRATOR)
    user.roles.add(role)
    settings.COMPANY_ACCOUNTS = settings_for(provider, roles={"boss": "Administrador"})
    assert sign_in(provider, groups=[]).status == 200
    assert user.roles.filter(pk=role.pk).exists()


def test_company_only_refuses_the_password_of_staff_and_not_that_of_customers(
    provider: Provider, settings: LazySettings
) -> None:
    account()
    account("eva", user_type="Customer")
    settings.COMPANY_ACCOUNTS = settings_for(provider, only=True)
    assert Visitor().sign_in().code == "company_only"
    assert Visitor().sign_in(password="Otra.2026").code == "invalid_credentials"
    assert Visitor().sign_in("eva").status == 200
    assert sign_in(provider).status == 200


def test_company_answers_for_its_own_second_factor(provider: Provider) -> None:
    with_app(account(requires="any"))
    assert sign_in(provider).status == 200


def test_new_key_of_the_provider_is_fetched(provider: Provider) -> None:
    account()
    assert sign_in(provider).status == 200
    provider.key, provider.key_id = new_key(), "two"
    with clock.at(clock.now() + timedelta(minutes=2)):
        assert sign_in(provider).status == 200


def test_provider_leads_back_to_the_page_of_the_client(settings: LazySettings) -> None:
    back = Visitor().client.get("/identity/authentication/company/back?code=a%2Fb&state=c&other=d")
    assert (back.status_code, back.headers["Location"]) == (302, f"{settings.PUBLIC_URL}/#/company?code=a%2Fb&state=c")


def test_sign_in_page_learns_whether_there_is_a_company_account(provider: Provider, settings: LazySettings) -> None:
    assert Caller().get("/identity/authentication/doors").json == {
        "company": "Cuenta de la empresa",
        "companyOnly": False,
    }
    settings.COMPANY_ACCOUNTS = None
    assert Caller().get("/identity/authentication/doors").json == {"company": None, "companyOnly": False}
    for path in ("company", "company/finish"):
        assert Visitor().post(path, {"code": "x", "state": "y"} if "finish" in path else None).status == 404
