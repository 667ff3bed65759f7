"""The `createadmin` command: it creates or repairs an administrator."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from project.access.permissions import ALL, Permission
from project.audit.models import AuditEntry
from project.identity.bootstrap import ADMINISTRATORS
from project.identity.models import Role, RolePermission, User
from realtime.models import OutboxEvent
from tests.builders import Caller, belongs, person

PASSWORD = "Taller.2026"
ROOT = Path(__file__).resolve().parents[3]

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_passwords")]


def createadmin(email: str = "jefa@obrador.test", password: str = PASSWORD) -> str:
    out = io.StringIO()
    call_command("createadmin", email, "--password", password, stdout=out)
    return out.getvalue()


def test_created_administrator_signs_in_and_holds_every_permission() -> None:
    assert "jefa@obrador.test" in createadmin()
    answer = Caller().post("/identity/authentication/sign-in", {"username": "jefa@obrador.test", "password": PASSWORD})
    assert answer.status == 200
    user = User.objects.get()
    held = Caller(user).post("/identity/permissions/describe", {"subjectId": user.pk}).json
    assert {row["action"] for row in held} == ALL


def test_existing_account_is_reactivated_and_its_sessions_end() -> None:
    user = person("jefa")
    session = Caller(user)
    User.objects.filter(pk=user.pk).update(locked=True, active=False)
    createadmin("JEFA@obrador.test")
    mended = User.objects.get()
    assert (mended.pk, mended.active, mended.locked) == (user.pk, True, False)
    assert mended.check_password(PASSWORD)
    assert session.get("/api/materials").status == 401
    assert Caller(mended).get("/api/materials").status == 200


def test_account_of_a_customer_is_refused_and_stays_as_it_is() -> None:
    belongs(person("cliente"), None)
    before = User.objects.values().get()
    with pytest.raises(CommandError, match="is a customer's account"):
        createadmin(before["email"])
    assert User.objects.values().get(pk=before["id"]) == before
    assert not Role.objects.filter(name=ADMINISTRATORS).exists()


def test_second_run_creates_no_second_user_or_role() -> None:
    createadmin()
    createadmin()
    assert User.objects.count() == 1
    assert User.objects.get().roles.count() == 1


def test_command_is_audited_without_the_password() -> None:
    createadmin()
    createadmin()
    rows = [(row.entity, row.action, row.user_id) for row in AuditEntry.objects.order_by("id")]
    assert rows == [("roles", "created", None), ("users", "created", None), ("users", "changed", None)]
    assert not any(PASSWORD in str(row.changes) for row in AuditEntry.objects.all())


def test_other_administrators_get_an_event_when_the_role_regains_a_permission() -> None:
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
def test_weak_password_creates_no_user(password: str) -> None:
    with pytest.raises(CommandError):
        createadmin(password=password)
    assert User.objects.count() == 0


@pytest.mark.parametrize("email", ["nobody", "a b@c.d", ""])
def test_invalid_e_mail_creates_no_user(email: str) -> None:
    with pytest.raises(CommandError):
        createadmin(email)
    assert User.objects.count() == 0


def test_error_without_a_terminal_says_only_how_to_give_the_password(tmp_path: Path) -> None:
    """In a session without a terminal: `getpass` would print a warning and log it before it reads the input."""
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    made = subprocess.run(
        [sys.executable, "manage.py", "createadmin", "jefa@obrador.test"],
        cwd=ROOT,
        env=environment | {"DATA_DIR": str(tmp_path)},
        input="Taller.2026\n",
        capture_output=True,
        text=True,
        start_new_session=True,
    )
    assert (made.returncode, made.stdout) == (1, "")
    assert made.stderr == "CommandError: There is no terminal to ask for the password at: give --password.\n"


def test_weak_password_error_is_in_english() -> None:
    with pytest.raises(CommandError, match="uppercase"):
        createadmin(password="alllowercase1")
