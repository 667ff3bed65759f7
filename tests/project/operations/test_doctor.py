"""What the doctor reports; a failing check hides neither the others nor leaks a secret."""

import io
import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.core import clock
from project.identity import pins
from project.identity.models import User
from project.integrations.webhooks import BOTH_GOOD
from project.notices.models import LinkMail
from project.operations import backing_up, checking, doctor, examinations, keys_in_use, restoring
from project.operations.doctor import Check, Finding, Remark, State, broken, examined, fine
from project.operations.repository import Repository
from project.worker.models import Lease
from tests.builders import Shop, person
from tests.project.doors.visitors import account, with_app
from tests.project.integrations.receivers import WEBHOOKS, webhook_to
from tests.project.notices.browsers import VAPID_KEY, Browser

KEY = "a key of the operator's that is long enough"


@pytest.fixture(autouse=True)
def _settings(settings: LazySettings, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.BACKUP_KEY, settings.BACKUP_KEY_FILE = [KEY], ""
    settings.BACKUP_TO = str(tmp_path / "backups")
    settings.WEB_DIST = tmp_path
    (tmp_path / "index.html").touch()


def check(look: Callable[[], Iterator[Remark]]) -> Check:
    return Check("part", look, "mend it")


def state_of(remarks: Iterator[Remark]) -> tuple[State, str]:
    """The worst state that a check reports, and all its texts."""
    found = [*remarks]
    assert all(one.mend for one in found if one.state is not State.OK), "each problem has advice"
    return Finding("", found, 0).state, " ".join(one.says for one in found)


def refused(*args: object, **kwargs: object) -> Any:
    raise OSError("away")


def test_failing_or_hanging_check_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = threading.Event()

    def fails() -> Iterator[Remark]:
        yield fine("this much was well")
        raise RuntimeError("the canary sings")

    def hangs() -> Iterator[Remark]:
        answers.wait(30)
        yield fine("late")

    monkeypatch.setattr(doctor, "SECONDS", 0.5)
    begun = time.monotonic()
    try:
        found = [*examined([check(fails), check(hangs), check(lambda: iter([fine("well")]))])]
    finally:
        answers.set()
    assert time.monotonic() - begun < 5
    assert [one.state for one in found] == ["broken", "broken", "ok"]
    assert [one.says for one in found[0].remarks] == ["this much was well", "RuntimeError: the canary sings"]
    assert "no answer" in found[1].remarks[0].says
    assert found[0].remarks[1].mend == found[1].remarks[0].mend == "mend it"


def test_secrets_are_masked_in_every_spelling(monkeypatch: pytest.MonkeyPatch, settings: LazySettings) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://:p%40ss-canary@localhost:1/0")
    monkeypatch.setenv("S3_SECRET_KEY", "s3-canary")
    monkeypatch.setitem(connection.settings_dict, "PASSWORD", "database-canary")
    settings.BACKUP_KEY = [KEY]

    def tells() -> Iterator[Remark]:
        yield broken(f"p@ss-canary p%40ss-canary s3-canary {KEY} {settings.SECRET_KEY}", "mend database-canary")

    [found] = examined([check(tells)])
    assert found.remarks == [broken("*** *** *** *** ***", "mend ***")]


@pytest.mark.parametrize(("state", "code"), [(State.OK, 0), (State.WARNING, 0), (State.BROKEN, 1)])
@pytest.mark.parametrize("as_json", [False, True])
def test_exit_code_is_1_only_if_something_is_broken(
    state: State, code: int, as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "project.operations.management.commands.doctor.ALL", [check(lambda: iter([Remark(state, "so", "do")]))]
    )
    out, ended = io.StringIO(), 0
    try:
        call_command("doctor", *(["--json"] if as_json else []), stdout=out)
    except SystemExit as end:
        ended = int(end.code or 0)
    assert ended == code
    if as_json:
        said = json.loads(out.getvalue())
        assert (said["ok"], said["checks"][0]["state"]) == (code == 0, state)
        assert said["checks"][0]["remarks"] == [{"state": state, "says": "so", "mend": "do"}]
    else:
        assert out.getvalue().splitlines() == [f"{state:8} part: so", "           do"]


@pytest.mark.django_db
def test_healthy_installation_is_ok(settings: LazySettings) -> None:
    settings.VAPID_KEY = VAPID_KEY
    for one in examinations.ALL:
        if one.name not in ("backups", "worker", "settings", "fonts"):
            state, says = state_of(one.look())
            assert state is State.OK, f"{one.name}: {says}"


def test_print_with_other_fonts_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    state, says = state_of(examinations.of_printing())
    assert (state, "other scripts need a font" in says) == (State.OK, True)
    stranger = SimpleNamespace(pages=[SimpleNamespace(resources={"/Font": {"a": SimpleNamespace(BaseFont="/DejaVu")}})])
    stranger.__enter__ = lambda: stranger  # type: ignore[attr-defined]

    class Opened:
        def __enter__(self) -> object:
            return stranger

        def __exit__(self, *error: object) -> None: ...

    monkeypatch.setattr(examinations.pikepdf, "open", lambda file: Opened())
    state, says = state_of(examinations.of_printing())
    assert (state, "DejaVu" in says) == (State.BROKEN, True)


@pytest.mark.django_db
def test_pending_migrations_and_a_newer_database_are_reported() -> None:
    recorder = MigrationRecorder(connection)
    recorder.record_applied("orders", "9999_of_tomorrow")
    assert state_of(examinations.of_migrations())[0] is State.WARNING
    recorder.record_unapplied("worker", "0001_initial")
    state, says = state_of(examinations.of_migrations())
    assert (state, "worker.0001_initial" in says) == (State.BROKEN, True)


@pytest.mark.django_db
def test_unfinished_restore_is_reported() -> None:
    restoring.mark()
    try:
        state, says = state_of(examinations.of_database())
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP TABLE {restoring.MARK}")
    assert (state, "restore was begun" in says) == (State.BROKEN, True)


@pytest.mark.django_db
def test_clock_set_back_is_reported() -> None:
    AuditEntry.objects.create(at=clock.now() + timedelta(hours=1), entity="users", entity_id=1, action="changed")
    state, says = state_of(examinations.of_clock())
    assert (state, "set back" in says) == (State.BROKEN, True)


def test_storage_that_returns_other_content_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(examinations, "ContentFile", lambda content: io.BytesIO(b"rotten"))
    monkeypatch.setattr(default_storage, "save", lambda name, content: _kept(name, content.read()))
    assert state_of(examinations.of_storage())[0] is State.BROKEN
    assert not default_storage.listdir("doctor")[1], "the check deletes its file"


def _kept(name: str, content: bytes) -> str:
    path = Path(default_storage.path(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return name


def test_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, state in ((100 << 20, State.BROKEN), (1 << 30, State.WARNING), (90 << 30, State.OK)):
        space = SimpleNamespace(free=free, total=100 << 30)
        monkeypatch.setattr(examinations.shutil, "disk_usage", lambda folder, space=space: space)
        assert state_of(examinations.of_disk())[0] is state


@pytest.mark.django_db
def test_missing_worker_is_reported() -> None:
    assert state_of(examinations.of_worker())[0] is State.WARNING
    Lease.objects.create(task="alerts", holder="x", until=clock.now() + timedelta(seconds=10))
    assert state_of(examinations.of_worker())[0] is State.OK


@pytest.mark.django_db
def test_refused_addresses_and_mails_without_https_are_reported(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_SERVER, settings.PUBLIC_URL = True, "http://taller.example.com"
    server = SimpleNamespace(default=SimpleNamespace(open=lambda: None, close=lambda: None))
    monkeypatch.setattr(examinations, "mailers", server)
    LinkMail.objects.create(link_id=1, address="b@bounce.test", language="es", mail_refused=1)
    state, says = state_of(examinations.of_mail())
    assert state is State.WARNING
    for part in ("RFC 8058", "DKIM", "refuses the addresses of 1"):
        assert part in says


@pytest.mark.django_db
@pytest.mark.parametrize("site", ["http://localhost:8000", "http://127.0.0.1:8241", "http://[::1]"])
def test_a_site_that_names_this_machine_is_reported(settings: LazySettings, site: str) -> None:
    settings.PUBLIC_URL = site
    assert "name this machine" in state_of(examinations.of_settings())[1]


def test_browsers_that_get_pushes_are_counted_and_a_restore_is_said_to_forget_them(
    shop: Shop, settings: LazySettings
) -> None:
    settings.VAPID_KEY = None
    assert state_of(examinations.of_pushes()) == (State.WARNING, "no pushes are sent to browsers")
    settings.VAPID_KEY = VAPID_KEY
    Browser().register(shop.ana)
    assert "1 browsers get pushes" in state_of(examinations.of_pushes())[1]
    checking.finish()
    assert "no browser gets pushes; after a restore, people turn them on again" in state_of(examinations.of_pushes())[1]


@pytest.mark.django_db
def test_unreachable_mail_server_is_reported(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> None:
    assert state_of(examinations.of_mail())[0] is State.OK
    settings.MAIL_SERVER = True
    server = SimpleNamespace(default=SimpleNamespace(open=refused, close=lambda: None))
    monkeypatch.setattr(examinations, "mailers", server)
    [found] = examined([check(examinations.of_mail)])
    assert found.state is State.BROKEN


@pytest.mark.django_db
def test_inconsistent_settings_are_reported(settings: LazySettings, tmp_path: Path) -> None:
    settings.HTTPS, settings.TRUSTED_PROXIES, settings.PUBLIC_URL = True, 0, "http://localhost"
    settings.WEB_DIST = tmp_path / "nowhere"
    state, says = state_of(examinations.of_settings())
    assert state is State.BROKEN
    for part in ("proxy", "links in mails", "web client"):
        assert part in says


def test_missing_late_or_unreadable_backups_are_reported(
    transactional_db: None, settings: LazySettings, tmp_path: Path
) -> None:
    folder = settings.BACKUP_TO
    settings.BACKUP_TO = ""
    assert state_of(examinations.of_backups())[0] is State.WARNING
    settings.BACKUP_TO = folder
    [found] = examined([check(examinations.of_backups)])
    assert "is its disk mounted?" in found.remarks[0].says
    Path(folder).mkdir()
    [found] = examined([check(examinations.of_backups)])
    assert (found.state, found.remarks[0].says) == (State.BROKEN, "There is no backup yet.")
    backing_up.backup(Repository(folder, [KEY], create=True), keep=["--keep-last", "9"])
    for age, state in ((1, State.OK), (30, State.WARNING), (60, State.BROKEN)):
        with clock.at(clock.now() + timedelta(hours=age)):
            assert state_of(examinations.of_backups())[0] is state
    settings.BACKUP_KEY = [KEY[::-1]]
    [found] = examined([check(examinations.of_backups)])
    assert (found.state, KEY in found.remarks[0].says) == (State.BROKEN, False)
    settings.BACKUP_KEEP = "some"
    [found] = examined([check(examinations.of_backups)])
    assert (found.state, "BACKUP_KEEP" in found.remarks[0].says) == (State.BROKEN, True)


SECRET, BEFORE = "0123456789 a secret of the installation", "a secret of the year before, 0123456789"


@pytest.fixture
def _secrets(settings: LazySettings, db: None) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = SECRET, []
    settings.QR_KEYS = [SECRET]


@pytest.mark.usefixtures("_secrets")
def test_old_keys_are_reported() -> None:
    state, says = state_of(keys_in_use.of_keys())
    assert state is State.OK, says
    assert "SECRET_KEY is in use since" in says
    assert "QR_KEYS is not set" in says
    with clock.at(clock.now() + keys_in_use.OLD + timedelta(days=1)):
        found = [*keys_in_use.of_keys()]
        assert [one.state for one in found[:3]] == [State.WARNING] * 3, "the keys of sessions, sheets and backups"
        assert f"{clock.now() - keys_in_use.OLD - timedelta(days=1):%Y-%m-%d}" in found[0].says


@pytest.mark.usefixtures("_secrets")
def test_weak_or_shared_keys_are_reported(settings: LazySettings) -> None:
    settings.QR_KEYS = ["abababab" * 5]
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "QR_KEYS has a secret that is easily guessed" in says) == (State.WARNING, True)
    settings.QR_KEYS = [KEY]
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "something else, too" in says) == (State.WARNING, True)


@pytest.mark.usefixtures("_secrets")
def test_pins_that_depend_on_an_old_key_are_reported(settings: LazySettings) -> None:
    person("ana").save()
    settings.SECRET_KEY = BEFORE
    User.objects.update(pin_hash=pins.hash_of_pin("271828"))
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = SECRET, [BEFORE]
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "1 PINs depend on secret 1 of SECRET_KEY_FALLBACKS" in says) == (State.OK, True)
    settings.SECRET_KEY_FALLBACKS = []
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "1 PINs were made with a secret that is not here" in says) == (State.WARNING, True)


@pytest.mark.usefixtures("_secrets")
def test_authenticator_apps_that_depend_on_an_old_key_are_reported(settings: LazySettings) -> None:
    settings.SECRET_KEY = BEFORE
    with_app(account())
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = SECRET, [BEFORE]
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "1 authenticator apps depend on secret 1 of SECRET_KEY_FALLBACKS" in says) == (State.OK, True)
    settings.SECRET_KEY_FALLBACKS = []
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "1 authenticator apps cannot be read" in says) == (State.WARNING, True)


@pytest.mark.usefixtures("_secrets")
def test_unused_old_key_is_reported_after_the_rotation(settings: LazySettings) -> None:
    settings.SECRET_KEY_FALLBACKS = [BEFORE]
    assert state_of(keys_in_use.of_keys())[0] is State.OK, "the rotation is in progress"
    with clock.at(clock.now() + keys_in_use.SETTLED + timedelta(minutes=1)):
        state, says = state_of(keys_in_use.of_keys())
    assert (state, "no PIN, webhook, authenticator app or CSD depends on it" in says) == (State.WARNING, True)


@pytest.mark.usefixtures("_secrets")
def test_webhooks_that_depend_on_an_old_key_are_reported(settings: LazySettings, shop: Shop) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = BEFORE, [SECRET]
    webhook, _ = webhook_to(shop, "https://erp.example/hook", Permission.ListMaterials, name="ERP")
    webhook_to(shop, "https://store.example/hook", Permission.ListMaterials, name="Almacén")
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = SECRET, [BEFORE]
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "2 webhooks depend on secret 1 of SECRET_KEY_FALLBACKS" in says) == (State.OK, True)
    assert shop.ana.post(f"{WEBHOOKS}/{webhook['id']}/secret").status == 201
    assert "2 webhooks depend on secret 1" in state_of(keys_in_use.of_keys())[1], (
        "the previous secret still signs for a day"
    )
    with clock.at(clock.now() + BOTH_GOOD + timedelta(minutes=1)):
        assert "1 webhooks depend on secret 1" in state_of(keys_in_use.of_keys())[1]
    settings.SECRET_KEY_FALLBACKS = []
    state, says = state_of(keys_in_use.of_keys())
    assert (state, "1 webhooks are sent nothing" in says) == (State.WARNING, True)
