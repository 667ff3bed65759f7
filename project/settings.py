"""Settings, read from the environment. `infra/docs/settings.md` describes every variable."""

import base64
import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from project.core.database import Connection as DatabaseConnection, still_there
from project.core.environment import SHORTEST_KEY, Environment
from project.core.money import currency_codes

env = Environment()

VERSION = "2.3.0"
BASE_DIR = Path(__file__).resolve().parent.parent
# Files that any process creates, including the SQLite database and the pictures, are readable only by its own account.
os.umask(0o077)
DATA_DIR = env.folder("DATA_DIR", default=str(BASE_DIR / "var"))


def _secret_key() -> str:
    """Return SECRET_KEY, or a key generated once and stored in DATA_DIR, readable only by its owner."""
    given: str = env.str("SECRET_KEY", default="")
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
            path.hardlink_to(draft)  # if two processes start at once, the first one's key wins
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text()


SECRET_KEY = _secret_key()
# Earlier secrets, and the next one during a rolling restart: they verify, they never sign.
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
# Networks that may read `/metrics`.
METRICS_NETWORKS = env.networks("METRICS_NETWORKS", default=["127.0.0.0/8", "::1/128"])
# Private networks that webhooks may reach. By default webhooks reach only public addresses.
WEBHOOK_NETWORKS = env.networks("WEBHOOK_NETWORKS", default=[])
WEBHOOK_KEEP_DAYS = env.number("WEBHOOK_KEEP_DAYS", default=30, least=1)
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/", r"^metrics$"]  # probes bypass the proxy
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# security.W003: no CSRF protection is needed. Access uses bearer tokens, and the only cookie grants no access.
# mail.E001: an installation may run without a mail server; people are then told to ask an administrator.
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
    "project.doors",
    "project.integrations",
    "project.importing",
    "project.metal",
    "project.orders",
    "project.billing",
    "project.batches",
    "project.piecework",
    "project.forecasts",
    "project.talk",
    "project.notices",
    "project.printing",
    "project.reports",
    "project.customer_links",
    "project.calendars",
    "project.personal_data",
    "project.parts",
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
    "project.core.middleware.unlisted",
    "project.core.middleware.database_present",
    "django.middleware.locale.LocaleMiddleware",
    "project.core.middleware.known_host",
    "project.demo.start.writes_answered_while_loading",
    "project.core.middleware.one_error_shape",
]

# Traces are sent over OTLP/HTTP if a collector is configured. The SDK reads all OTEL_ variables itself.
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
# The largest body: an image of 10 MB plus the overhead of a multipart form.
DATA_UPLOAD_MAX_MEMORY_SIZE = 11_534_336
FILE_UPLOAD_MAX_MEMORY_SIZE = 2_621_440

_database_url = env.server("DATABASE_URL", "postgres", "postgresql", "sqlite")
if _database_url:
    _database = env.db_url_config(_database_url)
else:
    _database = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "obrador.sqlite3")}
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # SQLite has one writer at a time: taking the write lock at BEGIN avoids a "locked" error in mid-transaction.
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
    # Each new connection reads the whole schema, which takes as long as a small request.
    _database["CONN_MAX_AGE"] = 60
    _database["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
else:
    # Daphne runs each request in its own thread, so requests share connections through psycopg's pool. A request that
    # gets no connection within 2.5 s is refused (503), and so is any request while 100 wait.
    _statement_seconds = env.number("DATABASE_STATEMENT_SECONDS", default=30, least=1)
    _database["OPTIONS"] = {
        "pool": {
            "connection_class": DatabaseConnection,
            # Replace a connection that died with its server before a request gets it.
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
        # The server ends a query whose client is gone, and a transaction left open for 60 s.
        " -c idle_in_transaction_session_timeout=60s -c client_connection_check_interval=1s",
        **_database.get("OPTIONS", {}),
    }
    _database["CONN_MAX_AGE"] = 0
DATABASES = {"default": _database}

REDIS_URL = env.str("REDIS_URL", default="")
CHANNEL_LAYERS = {
    "default": (
        {
            "BACKEND": "realtime.layer.GroupLayer",
            "CONFIG": {"hosts": env.redis("REDIS_URL")},
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
    """Return the currency of piece work, and of prices and customers that name no currency."""
    code: str = env.str("PLANT_CURRENCY", default="MXN")
    if code not in currency_codes():
        raise ImproperlyConfigured(f"PLANT_CURRENCY must be a currency of ISO 4217 such as MXN, not {code!r}.")
    return code


PLANT_CURRENCY = _plant_currency()

# The smallest weight, in milligrams, that the workshop's scales show. A difference of up to two steps needs no reason.
SCALE_STEP_MG = env.number("SCALE_STEP_MG", default=10, least=1)

# Announce records open for this many hours, and delivery dates this many days away.
ALERT_OPEN_HOURS = env.number("ALERT_OPEN_HOURS", default=24)
ALERT_DELIVERY_DAYS = env.number("ALERT_DELIVERY_DAYS", default=3)

# Secrets of the codes on work sheets. The first seals and all can read, so a new one can be put in front.
QR_KEYS = env.keys("QR_KEYS") or [SECRET_KEY, *SECRET_KEY_FALLBACKS]
# Address of a separate PDF service. Without one, child processes of this process render PDFs.
PDF_URL = env.address("PDF_URL", default="")
PDF_WORKERS = env.number("PDF_WORKERS", default=2, least=1)

# How long old data is kept.
AUDIT_KEEP = timedelta(days=env.number("AUDIT_KEEP_DAYS", default=1_826))  # 0: for ever
EVENTS_KEEP = timedelta(days=env.number("EVENTS_KEEP_DAYS", default=2, least=1))
UPLOADS_KEEP = timedelta(days=env.number("UPLOADS_KEEP_DAYS", default=2, least=1))

# The site's public address: links in mails begin with it, and passkeys are bound to its host.
PUBLIC_URL = env.address("PUBLIC_URL", default="http://localhost:8000")

# Who needs a second factor, whatever their roles say: nobody, staff, or all.
SECOND_FACTOR = env.choice("SECOND_FACTOR", "none", "staff", "all")
# For how many days a browser may leave out the code after it was given there; 0 asks at each sign-in.
SECOND_FACTOR_DAYS = env.number("SECOND_FACTOR_DAYS", default=0)
if SECOND_FACTOR_DAYS > 30:
    raise ImproperlyConfigured("SECOND_FACTOR_DAYS must be at most 30.")


def _company_accounts() -> dict[str, Any] | None:
    """Return how people sign in with their company's account (OpenID Connect); None if they do not."""
    issuer = env.address("OIDC_ISSUER", default="")
    client_id, client_secret = env.str("OIDC_CLIENT_ID", default=""), env.str("OIDC_CLIENT_SECRET", default="")
    if bool(issuer) != bool(client_id) or bool(issuer) != bool(client_secret):
        raise ImproperlyConfigured("OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.")
    only = env.flag("OIDC_ONLY")
    if not issuer:
        if only:
            raise ImproperlyConfigured("OIDC_ONLY needs OIDC_ISSUER.")
        return None
    host = urlsplit(issuer).hostname or ""
    if not issuer.startswith("https://") and host not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured("OIDC_ISSUER must begin with https://.")
    roles: dict[str, str] = env.dict("OIDC_ROLES", default={})
    return {
        "issuer": env.str("OIDC_ISSUER"),  # as the provider writes it, with or without a slash at its end
        "client_id": client_id,
        "client_secret": client_secret,
        "name": env.str("OIDC_NAME", default=host),
        "only": only,
        "creates": env.flag("OIDC_CREATES"),
        "trusts_email": env.flag("OIDC_TRUSTS_EMAIL"),
        "roles_claim": env.str("OIDC_ROLES_CLAIM", default="groups"),
        "roles": roles,
    }


COMPANY_ACCOUNTS = _company_accounts()
# Mail server as smtp://user:password@host:port (also smtp+tls, smtp+ssl). Without one no mail is sent.
_mail_url = env.server("EMAIL_URL", "smtp", "smtps", "smtp+tls", "smtp+ssl")
MAIL_SERVER = bool(_mail_url)


def _mailer() -> dict[str, object]:
    """Return Django's mailer settings, from the parts of EMAIL_URL."""
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
TASKS = {"default": {"BACKEND": "project.core.task_threads.Threads"}}
PASSWORD_RESET_TIMEOUT = 3_600

_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def _vapid_key() -> bytes:
    """Return the private key that signs pushes to browsers: 32 bytes, a number below P-256's order. Empty if unset."""
    written = env.str("VAPID_KEY", default="")
    try:
        key = base64.b64decode(written.replace("-", "+").replace("_", "/") + "=" * (-len(written) % 4), validate=True)
    except ValueError:
        key = b"?"
    if written and not (len(key) == 32 and 0 < int.from_bytes(key) < _P256):
        raise ImproperlyConfigured("VAPID_KEY must be 32 random bytes in base64: `openssl rand -base64 32` makes them.")
    return key


# Without a key no browser can be registered, and no pushes are sent.
VAPID_KEY = _vapid_key()
# The hour of the plant's day at which digests are mailed, and people are told what is late.
DIGEST_HOUR = env.number("DIGEST_HOUR", default=7)
if DIGEST_HOUR > 23:
    raise ImproperlyConfigured("DIGEST_HOUR must be an hour from 0 to 23.")

# What goods pay that enter a country of T-MEC without a certified origin: percentages, each from a day on.
DUTY_WITHOUT_ORIGIN = env.rates("DUTY_WITHOUT_ORIGIN")


def _pac() -> dict[str, str] | None:
    """Return the PAC that stamps electronic papers; None if there is none."""
    kind = env.choice("PAC", "", "swsapien", "finkok")
    address, user = env.address("PAC_URL", default=""), env.str("PAC_USER", default="")
    password = env.str("PAC_PASSWORD", default="")
    if not kind:
        return None
    if not password or (kind == "finkok" and not user):
        raise ImproperlyConfigured("PAC needs PAC_PASSWORD, and PAC_USER for finkok.")
    host = urlsplit(address).hostname or ""
    if address and not address.startswith("https://") and host not in ("localhost", "127.0.0.1", "::1"):
        raise ImproperlyConfigured("PAC_URL must begin with https://.")
    return {"kind": kind, "address": address, "user": user, "password": password}


PAC = _pac()
SAT_STATUS_URL = env.address("SAT_STATUS_URL", default="https://consultaqr.facturaelectronica.sat.gob.mx")

MEDIA_ROOT = DATA_DIR / "media"
FILE_UPLOAD_PERMISSIONS = 0o600


def _file_storage() -> dict[str, object]:
    """Return where pictures are stored: below `DATA_DIR`, or in an S3-compatible service."""
    bucket = env.str("S3_BUCKET", default="")
    if not bucket:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    options = {
        "bucket_name": bucket,
        "endpoint_url": env.str("S3_ENDPOINT", default="") or None,
        "region_name": env.str("S3_REGION", default="") or None,
        "access_key": env.str("S3_ACCESS_KEY", default="") or None,
        "secret_key": env.str("S3_SECRET_KEY", default="") or None,
        # Names are random, and pictures are read only through the site's own signed addresses.
        "file_overwrite": True,
        "default_acl": "private",
        "querystring_auth": True,
    }
    return {"BACKEND": "project.core.object_storage.ObjectStorage", "OPTIONS": options}


STORAGES = {
    "default": _file_storage(),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}

# The operator's backup keys: the first encrypts, any of them decrypts. The file may add more, one per line.
BACKUP_KEY: list[str] = env.list("BACKUP_KEY", default=[])
BACKUP_KEY_FILE = env.str("BACKUP_KEY_FILE", default="")
BACKUP_TO = env.str("BACKUP_TO", default="")
BACKUP_KEEP = env.str("BACKUP_KEEP", default="7 daily, 4 weekly, 12 monthly")
# How to reach the bucket of s3://bucket/prefix. Each setting defaults to that of the picture storage.
BACKUP_S3 = {
    "endpoint_url": env.str("BACKUP_S3_ENDPOINT", default=env.str("S3_ENDPOINT", default="")) or None,
    "region_name": env.str("BACKUP_S3_REGION", default=env.str("S3_REGION", default="")) or None,
    "aws_access_key_id": env.str("BACKUP_S3_ACCESS_KEY", default=env.str("S3_ACCESS_KEY", default="")) or None,
    "aws_secret_access_key": env.str("BACKUP_S3_SECRET_KEY", default=env.str("S3_SECRET_KEY", default="")) or None,
}

# Who takes reports of weaknesses: a mailto: or https: address.
SECURITY_CONTACT = env.str("SECURITY_CONTACT", default="")
if SECURITY_CONTACT and not SECURITY_CONTACT.startswith(("mailto:", "https://")):
    raise ImproperlyConfigured("SECURITY_CONTACT must begin with mailto: or https://.")

WEB_DIST = Path(env.str("WEB_DIST", default=str(BASE_DIR / "web" / "dist")))

# Also report the product's own errors to this Sentry-compatible address.
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
    # Log only server failures: a refused request is not an incident.
    "loggers": {"django.request": {"level": "ERROR"}},
}
if SENTRY_DSN:
    LOGGING["handlers"]["reports"] = {"class": "project.core.error_reports.ErrorReports"}
    LOGGING["root"]["handlers"].append("reports")
