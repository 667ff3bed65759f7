"""Settings, read from the environment. Every variable stands in `infra/docs/settings.md`."""

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from project.core.database import Connection as DatabaseConnection, still_there
from project.core.environment import SHORTEST_KEY, Environment
from project.core.money import currency_codes

env = Environment()

VERSION = "2.3.0"
BASE_DIR = Path(__file__).resolve().parent.parent
# What any process of the product makes, the database's file and the pictures too, is readable by its own account alone.
os.umask(0o077)
DATA_DIR = env.folder("DATA_DIR", default=str(BASE_DIR / "var"))


def _secret_key() -> str:
    """The key from the environment, or one made once and kept in DATA_DIR, readable by its owner alone."""
    given = env.str("SECRET_KEY", default="")
    if given:
        if len(given.encode()) < SHORTEST_KEY:
            raise ImproperlyConfigured(f"SECRET_KEY must have at least {SHORTEST_KEY} bytes: it signs tokens.")
        return given
    path = DATA_DIR / "secret-key"
    if not path.exists():
        draft = DATA_DIR / f"secret-key.{secrets.token_hex(4)}"
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(64))
        try:
            path.hardlink_to(draft)  # two processes starting at once: the first one's key stands
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


SECRET_KEY = _secret_key()
# Secrets before this one, and the next one while the processes are restarted: they are read, and sign nothing.
SECRET_KEY_FALLBACKS = env.keys("SECRET_KEY_FALLBACKS")
DEBUG = env.flag("DEBUG")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
# Browser origins besides the site's own that may open a live socket, as scheme://host[:port].
LIVE_ORIGINS = env.origins("LIVE_ORIGINS")
# How many proxies in front add to X-Forwarded-For; 0 ignores the header.
TRUSTED_PROXIES = env.number("TRUSTED_PROXIES", default=0)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    USE_X_FORWARDED_HOST = True
HTTPS = env.flag("HTTPS")
# Whose Prometheus may read `/metrics`.
METRICS_NETWORKS = env.networks("METRICS_NETWORKS", default=["127.0.0.0/8", "::1/128"])
# Private networks into which webhooks may lead; without any they lead to the world alone.
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS", default=[])
WEBHOOK_KEEP_DAYS = env.number("WEBHOOK_KEEP_DAYS", default=30, least=1)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]  # probes come past the proxy
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# Bearer tokens, and a cookie that opens nothing: no browser adds credentials to a forged request by itself. An
# installation without a mail server is meant to work: people are told to ask an administrator.
SILENCED_SYSTEM_CHECKS = ["security.W003", "mail.E001"]

INSTALLED_APPS = [
    "daphne",  # first: it makes runserver ASGI
    "channels",
    "project",
    "project.core",
    "project.access",
    "project.audit",
    "realtime",
    "project.identity",
    "project.catalogs",
    "project.staffing",
    "project.displays",
    "project.integrations",
    "project.importing",
    "project.orders",
    "project.billing",
    "project.piecework",
    "project.notifications",
    "project.printing",
    "project.reports",
    "project.personal_data",
    "project.demo",
    "project.worker",
    "project.contract",
    "project.operations",
]

MIDDLEWARE = [
    "project.operations.metrics.measured",
    "project.core.middleware.request_id",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "project.core.middleware.database_present",
    "django.middleware.locale.LocaleMiddleware",
    "project.core.middleware.known_host",
    "project.core.middleware.one_error_shape",
]

# Traces, where a collector takes them over OTLP/HTTP. The SDK reads this and its other OTEL_ variables by itself.
TRACED = bool(env.str("OTEL_EXPORTER_OTLP_ENDPOINT", default=""))
if TRACED:
    MIDDLEWARE.insert(0, "project.operations.tracing.traced")

ROOT_URLCONF = "project.urls"
ASGI_APPLICATION = "project.asgi.application"
APPEND_SLASH = False
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "identity.User"
AUTHENTICATION_BACKENDS: list[str] = []
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
# The largest body there is: an image of 10 MB and what a multipart form adds to it.
DATA_UPLOAD_MAX_MEMORY_SIZE = 11_534_336
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440

_database_url = env.server("DATABASE_URL", "postgres", "postgresql", "sqlite")
if _database_url:
    _database = env.db_url_config(_database_url)
else:
    _database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "obrador.sqlite3")}
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # One writer at a time: a transaction takes its place at BEGIN, so it can never fail half-way as "locked".
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
    _database["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    # Each request has its own thread under daphne: connections are shared through psycopg's pool. Who cannot have one
    # soon is refused (503), and so is the next one where a hundred wait already.
    _statement_seconds = env.number("DATABASE_STATEMENT_SECONDS", default=30, least=1)
    _database["OPTIONS"] = {
        "pool": {
            "connection_class": DatabaseConnection,
            # A connection that died with its server is replaced before a request gets it.
            "check": still_there,
            "min_size": 2,
            "max_size": env.number("DATABASE_POOL", default=20, least=2),
            "timeout": 2.5,
            "max_waiting": 100,
            "reconnect_timeout": 1,
        },
        "connect_timeout": 2,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 10_000,
        "options": f"-c statement_timeout={_statement_seconds}s -c lock_timeout=10s"
        # The server ends a query whose client is gone, and a transaction that its client has left open.
        " -c idle_in_transaction_session_timeout=60s -c client_connection_check_interval=1s",
        **_database.get("OPTIONS", {}),
    }
    _database["CONN_MAX_AGE"] = 0
DATABASES = {"default": _database}

REDIS_URL = env.server("REDIS_URL", "redis", "rediss", "unix")
CHANNEL_LAYERS = {
    "default": (
        {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [REDIS_URL]},
        }
        if REDIS_URL
        else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    )
}

LANGUAGE_CODE = "es"
LANGUAGES = [("es", "Español"), ("en", "English")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
PLANT_TIME_ZONE = env.zone("PLANT_TIME_ZONE", default="America/Mexico_City")


def _plant_currency() -> str:
    """What piece work is paid in, and the currency of prices and customers that name none."""
    code = env.str("PLANT_CURRENCY", default="MXN")
    if code not in currency_codes():
        raise ImproperlyConfigured(f"PLANT_CURRENCY must be a currency of ISO 4217 such as MXN, not {code!r}.")
    return code


PLANT_CURRENCY = _plant_currency()

# A record open this long, or a delivery date this near, is announced to the staff.
ALERT_OPEN_HOURS = env.number("ALERT_OPEN_HOURS", default=24)
ALERT_DELIVERY_DAYS = env.number("ALERT_DELIVERY_DAYS", default=3)

# Secrets of the codes on work sheets: the first seals, all are read, so that a new one can be put in front.
QR_KEYS = env.keys("QR_KEYS") or [SECRET_KEY, *SECRET_KEY_FALLBACKS]
# The PDF service at its own address; without one, sheets are printed by processes of this one.
PDF_URL = env.address("PDF_URL", default="")
PDF_WORKERS = env.number("PDF_WORKERS", default=2, least=1)

# How long is kept what nobody works with any more.
AUDIT_KEEP = timedelta(days=env.number("AUDIT_KEEP_DAYS", default=1_826))  # 0: for ever
EVENTS_KEEP = timedelta(days=env.number("EVENTS_KEEP_DAYS", default=2, least=1))
UPLOADS_KEEP = timedelta(days=env.number("UPLOADS_KEEP_DAYS", default=2, least=1))

# Where people reach the product: the links in mails begin with it.
PUBLIC_URL = env.address("PUBLIC_URL", default="http://localhost:8000")
# A mail server as smtp://user:password@host:port (smtp+tls, smtp+ssl); without one no mail is written.
_mail_url = env.server("EMAIL_URL", "smtp", "smtps", "smtp+tls", "smtp+ssl")
MAIL_SERVER = bool(_mail_url)


def _mailer() -> dict[str, object]:
    """How Django reaches the mail server; the address's parts under the names its backend takes."""
    parts = env.email_url_config(_mail_url or "dummymail://")
    options = {
        "host": parts["EMAIL_HOST"],
        "port": parts["EMAIL_PORT"],
        "username": parts["EMAIL_HOST_USER"],
        "password": parts["EMAIL_HOST_PASSWORD"],
        "use_tls": parts.get("EMAIL_USE_TLS", False),
        "use_ssl": parts.get("EMAIL_USE_SSL", False),
        "timeout": 10,
    }
    return {"BACKEND": parts["EMAIL_BACKEND"], "OPTIONS": options if MAIL_SERVER else {}}


DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", default="obrador@localhost")
MAILERS = {"default": _mailer()}
PASSWORD_RESET_TIMEOUT = 3_600

MEDIA_ROOT = DATA_DIR / "media"
FILE_UPLOAD_PERMISSIONS = 0o600


def _file_storage() -> dict[str, object]:
    """Where pictures are kept: below `DATA_DIR`, or in an S3-compatible service."""
    bucket = env.str("S3_BUCKET", default="")
    if not bucket:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    options = {
        "bucket_name": bucket,
        "endpoint_url": env.str("S3_ENDPOINT", default="") or None,
        "region_name": env.str("S3_REGION", default="") or None,
        "access_key": env.str("S3_ACCESS_KEY", default="") or None,
        "secret_key": env.str("S3_SECRET_KEY", default="") or None,
        # Names are random, and nobody reads a picture but through the site's own signed addresses.
        "file_overwrite": True,
        "default_acl": "private",
        "querystring_auth": True,
    }
    return {"BACKEND": "project.core.object_storage.ObjectStorage", "OPTIONS": options}


STORAGES = {
    "default": _file_storage(),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# Keys of backups, the operator's own: the first encrypts, any opens; more stand in the file, a line each.
BACKUP_KEY: list[str] = env.list("BACKUP_KEY", default=[])
BACKUP_KEY_FILE = env.str("BACKUP_KEY_FILE", default="")
BACKUP_TO = env.str("BACKUP_TO", default="")
BACKUP_KEEP = env.str("BACKUP_KEEP", default="7 daily, 4 weekly, 12 monthly")
# How the bucket of s3://bucket/prefix is reached: as that of the pictures, where nothing else is said.
BACKUP_S3 = {
    "endpoint_url": env.str("BACKUP_S3_ENDPOINT", default=env.str("S3_ENDPOINT", default="")) or None,
    "region_name": env.str("BACKUP_S3_REGION", default=env.str("S3_REGION", default="")) or None,
    "aws_access_key_id": env.str("BACKUP_S3_ACCESS_KEY", default=env.str("S3_ACCESS_KEY", default="")) or None,
    "aws_secret_access_key": env.str("BACKUP_S3_SECRET_KEY", default=env.str("S3_SECRET_KEY", default="")) or None,
}

WEB_DIST = Path(env.str("WEB_DIST", default=str(BASE_DIR / "web" / "dist")))

# Errors of our own go to this Sentry-compatible address too.
SENTRY_DSN = env.address("SENTRY_DSN", default="")
LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "project.core.logs.WithRequestId"}},
    "formatters": {"json": {"()": "project.core.logs.JsonLines"}},
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": "json", "filters": ["request_id"]},
    },
    "root": {"handlers": ["stderr"], "level": env.level("LOG_LEVEL", default="WARNING")},
    # A refusal is an answer, not an incident: only failures of our own are logged.
    "loggers": {"django.request": {"level": "ERROR"}},
}
if SENTRY_DSN:
    LOGGING["handlers"]["reports"] = {"class": "project.core.error_reports.ErrorReports"}
    LOGGING["root"]["handlers"].append("reports")
