"""The security headers of each kind of answer on a site behind TLS, and the page of the reference that lists them.

`tests/project/core/test_security_headers.py` compares them with the answers of a server.
"""

from project.contract.docs import PAGE_POLICY
from project.core.middleware import PERMISSIONS_POLICY
from project.serving.static_client import CONTENT_SECURITY_POLICY

Headers = dict[str, str]

NAMES = (
    "Strict-Transport-Security",
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Opener-Policy",
    "Permissions-Policy",
    "Content-Security-Policy",
    "Cache-Control",
    "Content-Disposition",
    "X-Robots-Tag",
)
"""The headers that are compared. For `Content-Disposition` only the first word: the rest is the file's name."""
EVERYWHERE: Headers = {
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains; preload",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
}
_NOT_STORED = EVERYWHERE | {"Cache-Control": "no-store"}
_FILE = _NOT_STORED | {"Content-Disposition": "attachment"}
_UNLISTED = {"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
_CLIENT = EVERYWHERE | {"Content-Security-Policy": CONTENT_SECURITY_POLICY}

KINDS: dict[str, Headers] = {
    "the client's page": _CLIENT | {"Cache-Control": "max-age=0, public"},
    "a file of the client with its content's hash in its name": _CLIENT
    | {"Cache-Control": "max-age=315360000, public, immutable"},
    "a file of the client that has not changed": EVERYWHERE | {"Cache-Control": "max-age=0, public"},
    "the client's page by the name of its file": EVERYWHERE | {"Cache-Control": "max-age=0, public"},
    "a method that a file of the client has not": EVERYWHERE,
    "the service worker": _CLIENT | {"Cache-Control": "no-cache"},
    "an answer of the API": _NOT_STORED,
    "a refusal of the API": _NOT_STORED,
    "a customer's page by link": _NOT_STORED | _UNLISTED,
    "a calendar": _FILE | _UNLISTED | {"Cache-Control": "private, no-cache"},
    "a workbook": _FILE,
    "a PDF": _FILE,
    "a picture": EVERYWHERE | _UNLISTED | {"Cache-Control": "private, max-age=3600, immutable"},
    "the API's document": EVERYWHERE | {"Cache-Control": "no-cache"},
    "the page of the API's operations": EVERYWHERE
    | {"Cache-Control": "no-cache", "Content-Security-Policy": PAGE_POLICY},
    "health": _NOT_STORED,
    "metrics": _NOT_STORED,
    "an address that does not exist": _NOT_STORED,
    "a host that is none of ours": _NOT_STORED,
    "a body that is too long": _NOT_STORED,
    "a header that is too long": _NOT_STORED,
    "the way from http to https": {name: value for name, value in _NOT_STORED.items() if name != NAMES[0]},
    "a live socket": {},
    "a live socket that is refused": {},
}

_HEAD = """\
# Security headers

<!-- Made by `make docs`. -->

What a browser is told by every kind of answer of a site behind TLS (`HTTPS=true`). A test asks a running server for
each of them. Without TLS they are the same but for `Strict-Transport-Security`.

| Header | Nearly everywhere |
|---|---|
{everywhere}

| Answer | Besides | Without |
|---|---|---|
{kinds}

A live socket is no page and loads nothing: its handshake is answered by 101 or 403. Who may open one is
decided by the `Origin` of its page and a ticket.

## What Twisted answers

A request that is not HTTP gets 400 from Twisted, the HTTP server below the product, and its connection is closed. Such
are a length that is no number, a broken chunk, a NUL in a header, and more than 500 headers. The answer has no header
and no body, so that no browser shows anything of it.

## What nginx adds

`infra/deploy/nginx` adds no header to an answer of the product, and takes none away, so each comes once. Its own
answers have none of these: 413 for a body above 11 MB, 429 for too many tries to sign in from one address, 403 for
`/health/` and `/metrics` from elsewhere, 502 and 504 while no process answers, 400 for a request that is not HTTP, and
301 from port 80. They are pages without a script, a form or a word of the product, and `server_tokens off` keeps
nginx's version out of them.
"""


def page() -> str:
    """Return the text of `infra/docs/headers.md`."""
    everywhere = "\n".join(f"| `{name}` | `{value}` |" for name, value in EVERYWHERE.items())
    return _HEAD.format(everywhere=everywhere, kinds="\n".join(map(_row, KINDS)))


def _row(kind: str) -> str:
    headers = KINDS[kind]
    besides = "<br>".join(f"`{name}: {value}`" for name, value in headers.items() if EVERYWHERE.get(name) != value)
    without = ", ".join(f"`{name}`" for name in EVERYWHERE if name not in headers)
    return f"| {kind} | {besides or '–'} | {without or '–'} |"
