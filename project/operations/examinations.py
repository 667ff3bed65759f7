"""The doctor's checks: settings, servers, storage, clock, mail, pushes, printing, disk, backups, migrations, worker.

The check of the keys is in `keys_in_use`.
"""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pikepdf
from django.conf import settings
from django.core import checks
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.mail import mailers
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from project.audit.models import AuditEntry
from project.core import clock
from project.core.earlier_builds import known_migrations, refusal_of
from project.metal.selectors import differing_balances, differing_lots, sums_by_alloy
from project.notices.selectors import live_devices, refused_addresses
from project.operations import health
from project.operations.checking import is_marked
from project.operations.doctor import Check, Remark, broken, fine, warning
from project.operations.keys_in_use import of_keys
from project.operations.repository import Repository, keep_options, keys
from project.operations.snapshot import program
from project.printing import render_pool
from project.printing.addresses import STYLESHEETS
from project.worker.models import Lease

OLDEST_SERVER = 150_000
LITTLE_SPACE, LEAST_SPACE = 2 << 30, 500 << 20
LATE, TOO_LATE = timedelta(hours=26), timedelta(hours=50)
"""Ages of the newest backup that are a warning and an error, if one is made each day."""
ANSWER_SECONDS = 5.0
THIS_MACHINE = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104 - compared, not bound
SAID_BY_HTTPS = ("security.W004", "security.W008")
CLOCKS_MAY_DIFFER = timedelta(seconds=5)


def of_settings() -> Iterator[Remark]:
    if not settings.HTTPS:
        yield warning("people reach the site without encryption", "Put a proxy with TLS in front, and set HTTPS=true.")
    if not (settings.WEB_DIST / "index.html").exists():
        yield broken("the web client is not built", "Run `make setup`, or name its folder in WEB_DIST.")
    if settings.HTTPS and not settings.TRUSTED_PROXIES:
        yield warning(
            "HTTPS is on without a trusted proxy: every request looks as if it came from the proxy, unencrypted",
            "Set TRUSTED_PROXIES to the number of proxies in front.",
        )
    if settings.HTTPS and not settings.PUBLIC_URL.startswith("https://"):
        yield warning("links in mails do not begin with https://", "Set PUBLIC_URL to the address people open.")
    if (urlsplit(settings.PUBLIC_URL).hostname or "") in THIS_MACHINE:
        yield warning(
            "links in mails, and those that are sent to customers, name this machine: nobody else can open them",
            "Set PUBLIC_URL to the address people open.",
        )
    if not settings.AUDIT_KEEP:
        yield warning(
            "the audit is kept for ever, and with it the names of people who left long ago",
            "Set AUDIT_KEEP_DAYS to as many days as your law or your customers ask for.",
        )
    yield fine(f"version {settings.VERSION}")
    for message in checks.run_checks(include_deployment_checks=True):
        if not message.is_silenced() and (settings.HTTPS or message.id not in SAID_BY_HTTPS):
            say = broken if message.level >= checks.ERROR else warning
            yield say(f"{message.id}: {message.msg}", message.hint or "Set what the message names.")


def of_database() -> Iterator[Remark]:
    health.database()
    if is_marked():
        yield broken(
            "a restore was begun here and is not proven",
            "Run `manage.py restore` again, or `manage.py restore --check` once what it named is mended.",
        )
    if connection.vendor == "sqlite":
        yield fine("SQLite answers")
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('server_version_num')::int, current_setting('server_version'),"
            " current_setting('server_encoding'), current_setting('max_connections')::int,"
            " (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')"
        )
        number, version, encoding, most, used = cursor.fetchone()
    if number < OLDEST_SERVER:
        yield broken(f"PostgreSQL {version} is too old", "Install PostgreSQL 15 or newer.")
    if encoding != "UTF8":
        yield broken(f"the database is encoded in {encoding}", "Make it anew with --encoding UTF8.")
    if used > most * 0.8:
        yield warning(f"{used} of {most} connections are taken", "Lower DATABASE_POOL, or raise max_connections.")
    yield fine(f"PostgreSQL {version} answers, {used} of {most} connections are taken")


def of_redis() -> Iterator[Remark]:
    health.channel_layer()
    if settings.REDIS_URL:
        yield fine("Redis answers")
    else:
        yield fine("in memory: good for one web process; name a Redis in REDIS_URL before a second one")


def of_storage() -> Iterator[Remark]:
    health.storage()
    name, content = f"doctor/{secrets.token_hex(8)}", secrets.token_bytes(1_024)
    kept = default_storage.save(name, ContentFile(content))
    try:
        with default_storage.open(kept) as file:
            if file.read() != content:
                yield broken("a file was read back as another", "Look after the disk or the service of the pictures.")
    finally:
        default_storage.delete(kept)
    yield fine("a file was written, read and removed")


def of_clock() -> Iterator[Remark]:
    now = clock.now()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT clock_timestamp()")
            differs = abs(clock.now() - cursor.fetchone()[0])
        if differs > CLOCKS_MAY_DIFFER:
            say = broken if differs > clock.CLOCKS_DIFFER else warning
            yield say(
                f"this clock and the database's differ by {differs.total_seconds():.0f} s",
                "Let both machines keep time by NTP: `timedatectl set-ntp true`.",
            )
    newest = AuditEntry.objects.order_by("-id").values_list("at", flat=True).first()
    if newest and newest > now + clock.CLOCKS_DIFFER:
        yield broken(
            f"the newest audit entry is {(newest - now).total_seconds():.0f} s in the future: the clock was set back",
            "Set the clock right by NTP: `timedatectl set-ntp true`.",
        )
    yield fine(f"{clock.shown(now)} in {settings.PLANT_TIME_ZONE}")


def of_mail() -> Iterator[Remark]:
    if not settings.MAIL_SERVER:
        yield fine("no mail server: people who forgot their password are told to ask an administrator")
        return
    if not settings.PUBLIC_URL.startswith("https://"):
        yield warning(
            "mail programs offer no one-click unsubscription (RFC 8058): it needs https, and mails signed by DKIM",
            "Set PUBLIC_URL to an address of https, and let the mail server sign both List-Unsubscribe headers.",
        )
    if refused := refused_addresses():
        yield warning(
            f"the mail server refuses the addresses of {refused} people or links of customers",
            "They stand in the profile of the person, and in the dialog that shares an order: correct them.",
        )
    server = mailers.default
    server.open()
    server.close()
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        yield warning("mails come from obrador@localhost, which servers refuse", "Set MAIL_FROM to a real address.")
    yield fine("the mail server takes the name and the password")


def of_pushes() -> Iterator[Remark]:
    if not settings.VAPID_KEY:
        yield warning("no pushes are sent to browsers", "Set VAPID_KEY: `openssl rand -base64 32` makes one.")
    elif browsers := live_devices().count():
        yield fine(f"{browsers} browsers get pushes; after a restore, only those that were registered since")
    else:
        yield fine("no browser gets pushes; after a restore, people turn them on again in My notices")


def of_printing() -> Iterator[Remark]:
    """Print a page like a work sheet, check that it uses the product's own fonts, and that the PDF service answers.

    The service is asked only if PDF_URL is set.
    """
    with render_pool.slot(0) as own:
        pdf = render_pool.printed(own.start_page("<p>Ñandú ŠčΩЯ</p>", {}, STYLESHEETS[0]))
    with tempfile.TemporaryFile() as file:
        file.write(pdf)
        with pikepdf.open(file) as document:
            fonts = {str(font.BaseFont) for font in document.pages[0].resources.get("/Font", {}).values()}
    if not fonts or not all("Arimo" in font for font in fonts):
        yield broken(
            f"sheets are printed in other letters than ours: {', '.join(sorted(fonts)) or 'none'}",
            "Install libpango-1.0-0, libpangoft2-1.0-0 and libharfbuzz-subset0; the fonts come with the product.",
        )
    if settings.PDF_URL:
        httpx.get(f"{settings.PDF_URL}/health/live", timeout=ANSWER_SECONDS, trust_env=False).raise_for_status()
        yield fine("the PDF service answers")
    yield fine(
        "Latin, Greek, Cyrillic and Hebrew are printed in our own letters; other scripts need a font such as Noto"
    )


def of_disk() -> Iterator[Remark]:
    folders = {str(settings.DATA_DIR), tempfile.gettempdir()}
    if settings.BACKUP_TO and not settings.BACKUP_TO.startswith("s3://"):
        folders.add(settings.BACKUP_TO)
    for folder in sorted(one for one in folders if Path(one).is_dir()):
        space, nodes = shutil.disk_usage(folder), os.statvfs(folder)
        says = f"{folder} has {space.free >> 20:,} MB free of {space.total >> 20:,}"
        if space.free < LEAST_SPACE:
            yield broken(says, "Make room, or put the folder on a larger disk: pictures and backups fail without.")
        elif space.free < min(LITTLE_SPACE, space.total // 10):
            yield warning(says, "Make room before it is full.")
        else:
            yield fine(says)
        if nodes.f_files and nodes.f_favail < nodes.f_files // 50:
            yield warning(f"{folder} has room for {nodes.f_favail:,} more files only", "Remove files nobody needs.")


def of_backups() -> Iterator[Remark]:
    if not settings.BACKUP_TO:
        yield warning(
            "no backups are made",
            "Set BACKUP_TO and BACKUP_KEY, and run `manage.py backup` daily: infra/docs/backups.md.",
        )
        return
    if connection.vendor == "postgresql":
        program("pg_dump")
    keep_options(settings.BACKUP_KEEP)
    made = Repository(settings.BACKUP_TO, keys()).snapshots()
    if not made:
        yield broken("there is no backup yet", "Run `manage.py backup`, and see that a timer does so daily.")
        return
    age = clock.now() - made[-1].made_at
    says = f"{len(made)} backups, the newest {age.total_seconds() / 3_600:.0f} h old; a key opens them"
    if age > LATE:
        say = broken if age > TOO_LATE else warning
        yield say(says, "See why the timer does not run, and run `manage.py backup`.")
    else:
        yield fine(says)


def of_migrations() -> Iterator[Remark]:
    if refusal := refusal_of(connection):
        yield broken(refusal, "")
        return
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        first = plan[0][0]
        yield broken(
            f"{len(plan)} migrations are pending, first {first.app_label}.{first.name}", "Run `manage.py migrate`."
        )
    unknown = {*executor.loader.applied_migrations} - known_migrations()
    if unknown:
        yield warning(
            f"the database is of a newer version: {', '.join('.'.join(one) for one in sorted(unknown)[:3])}",
            "Install that version.",
        )
    if not plan:
        yield fine("none is pending")


def of_worker() -> Iterator[Remark]:
    if Lease.objects.filter(until__gt=clock.now()).exists():
        yield fine("a worker is at work")
    else:
        yield warning("no worker runs: nobody is alerted, and nothing is tidied up", "Start `manage.py worker`.")


def of_metal() -> Iterator[Remark]:
    mend = "Restore the last backup from before the fault: see infra/docs/rules.md#metal."
    sums = [(alloy, mg) for alloy, mg in sums_by_alloy().items() if mg]
    differing, lots = differing_balances(), differing_lots()
    for alloy, mg in sums:
        yield broken(f"the accounts of alloy {alloy} add up to {mg} mg instead of 0", mend)
    for account, alloy, kept, entered in differing:
        yield broken(f"account {account} keeps {kept} mg of alloy {alloy}, but its entries are {entered} mg", mend)
    for lot, kept, entered in lots:
        yield broken(f"lot {lot} keeps {kept} mg, but its entries leave {entered} mg of it in the vault", mend)
    if not sums and not differing and not lots:
        yield fine("every balance is the sum of its entries, and every alloy adds up to 0")


ALL = (
    Check(
        "settings", of_settings, "Mend the setting or the server that the message names: see infra/docs/settings.md."
    ),
    Check("database", of_database, "See that PostgreSQL runs and that DATABASE_URL is its address, name and password."),
    Check("migrations", of_migrations, "Mend the database first."),
    Check("redis", of_redis, "See that Redis runs and that REDIS_URL is its address; screens follow later without it."),
    Check(
        "storage", of_storage, "See that DATA_DIR is writable and not full, or that S3_BUCKET and its keys are right."
    ),
    Check("clock", of_clock, "Mend the database first: `manage.py migrate` where it is new."),
    Check("mail", of_mail, "See that the mail server runs and that EMAIL_URL is its address, name and password."),
    Check("pushes", of_pushes, "Mend the database first: `manage.py migrate` where it is new."),
    Check(
        "fonts",
        of_printing,
        "Install libpango-1.0-0, libpangoft2-1.0-0, libharfbuzz-subset0; see that PDF_URL answers.",
    ),
    Check("disk", of_disk, "See that DATA_DIR and BACKUP_TO are there and readable."),
    Check("backups", of_backups, "See that BACKUP_TO is there, with BACKUP_S3_… where it is a bucket."),
    Check("keys", of_keys, "Mend the database first: `manage.py migrate` where it is new."),
    Check("metal", of_metal, "Mend the database first: `manage.py migrate` where it is new."),
    Check("worker", of_worker, "Mend the database first: `manage.py migrate` where it is new."),
)
