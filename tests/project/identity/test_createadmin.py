"""The first administrator comes from the command line."""

import getpass
import io

import pytest
from django.core.management import CommandError, call_command

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.identity.bootstrap import ADMINISTRATORS
from project.identity.models import Role, RolePermission, User
from realtime.models import OutboxEvent
from tests.builders import Caller, person

PASSWORD = "Taller.2026"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_passwords")]


def createadmin(email: str = "jefa@obrador.test", password: str = PASSWORD) -> str:
    out = io.StringIO()
    call_command("createadmin", email, "--password", password, stdout=out)
    return out.getvalue()


def test_the_administrator_signs_in_and_holds_every_permission() -> None:
    assert "jefa@obrador.test" in createadmin()
    answer = Caller().post("/identity/authentication/sign-in", {"username": "jefa@obrador.test", "password": PASSWORD})
    assert answer.status == 200
    user = User.objects.get()
    held = Caller(user).post("/identity/permissions/describe", {"subjectId": user.pk}).json
    assert {row["action"] for row in held} == ALL


def test_an_account_that_exists_is_mended_and_its_sessions_end() -> None:
    user = person("jefa")
    session = Caller(user)
    User.objects.filter(pk=user.pk).update(locked=True, active=False)
    createadmin("JEFA@obrador.test")
    mended = User.objects.get()
    assert (mended.pk, mended.active, mended.locked) == (user.pk, True, False)
    assert mended.check_password(PASSWORD)
    assert session.get("/api/materials").status == 401
    assert Caller(mended).get("/api/materials").status == 200


def test_twice_is_once() -> None:
    createadmin()
    createadmin()
    assert User.objects.count() == 1
    assert User.objects.get().roles.count() == 1


def test_what_the_command_line_did_stands_in_the_audit_without_the_password() -> None:
    createadmin()
    createadmin()
    rows = [(row.entity, row.action, row.user_id) for row in AuditEntry.objects.order_by("id")]
    assert rows == [("roles", "created", None), ("users", "created", None), ("users", "changed", None)]
    assert not any(PASSWORD in str(row.changes) for row in AuditEntry.objects.all())


def test_whoever_has_the_role_already_hears_of_what_it_lacked() -> None:
    createadmin()
    colleague = person("colega")
    colleague.roles.set(Role.objects.filter(name=ADMINISTRATORS))
    RolePermission.objects.filter(action=Permission.ViewAudit).delete()
    createadmin()
    published = OutboxEvent.objects.filter(type="permissions.changed").order_by("id")
    assert list(published.values_list("to_user", flat=True)) == [
        User.objects.get(email="jefa@obrador.test").pk,
        colleague.pk,
    ]


@pytest.mark.parametrize("password", ["short", "alllowercase.1"])
def test_a_weak_password_makes_nobody(password: str) -> None:
    with pytest.raises(CommandError):
        createadmin(password=password)
    assert User.objects.count() == 0


@pytest.mark.parametrize("email", ["nobody", "a b@c.d", ""])
def test_what_is_no_e_mail_makes_nobody(email: str) -> None:
    with pytest.raises(CommandError):
        createadmin(email)
    assert User.objects.count() == 0


def test_without_a_terminal_it_says_how_to_give_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr(getpass, "getpass", asked)
    with pytest.raises(CommandError, match="--password"):
        call_command("createadmin", "jefa@obrador.test")
    assert not User.objects.exists()


def test_a_weak_password_is_refused_in_the_language_of_the_other_commands() -> None:
    with pytest.raises(CommandError, match="uppercase"):
        createadmin(password="alllowercase1")
