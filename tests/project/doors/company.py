"""A company's identity provider for tests: a real HTTP server with real signatures, on this machine alone."""

import base64
import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

from project.core import clock

CLIENT, SECRET = "obrador-in-the-shop", "a secret: of + the/ client"


def new_key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@dataclass
class Provider:
    """The provider. A test changes what it says: claims, key, algorithm, or whole answers by path."""

    issuer: str = ""
    key: rsa.RSAPrivateKey = field(default_factory=new_key)
    key_id: str = "one"
    signs_with: Any = None
    algorithm: str = "RS256"
    person: dict[str, Any] = field(default_factory=dict)
    instead: dict[str, tuple[int, str, bytes]] = field(default_factory=dict)
    drips: dict[str, float] = field(default_factory=dict)
    """The seconds between two bytes of an answer, by path."""
    methods: list[str] = field(default_factory=lambda: ["client_secret_basic"])
    asked: list[str] = field(default_factory=list)
    _codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorizes(self, address: str, **person: Any) -> dict[str, str]:
        """Sign the person in on the provider's page. Returns what the browser brings back: `code` and `state`."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert (query["client_id"], query["response_type"]) == (CLIENT, "code")
        assert query["code_challenge_method"] == "S256"
        code = f"code {len(self._codes)}"
        self._codes[code] = query
        self.person = {"sub": "dora-at-work", "email": "dora@obrador.test", "email_verified": True, **person}
        return {"code": code, "state": query["state"]}

    def answer(self, path: str, form: dict[str, str], authorization: str) -> tuple[int, str, bytes]:
        self.asked.append(path)
        if path in self.instead:
            return self.instead[path]
        match path:
            case "/.well-known/openid-configuration":
                found: Any = self._document()
            case "/keys":
                public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
                found = {"keys": [{**public, "kid": self.key_id, "use": "sig", "alg": "RS256"}]}
            case "/token":
                return self._token(form, authorization)
            case _:
                return 404, "text/plain", b""
        return 200, "application/json", json.dumps(found).encode()

    def _document(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "end_session_endpoint": f"{self.issuer}/leave",
            "token_endpoint_auth_methods_supported": self.methods,
        }

    def _token(self, form: dict[str, str], authorization: str) -> tuple[int, str, bytes]:
        asked = self._codes.pop(form.get("code", ""), None)
        hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        known = self._knows_client(form, authorization)
        proven = asked and base64.urlsafe_b64encode(hashed).decode().rstrip("=") == asked["code_challenge"]
        if asked is None or not known or not proven or form["redirect_uri"] != asked["redirect_uri"]:
            return 400, "application/json", b'{"error": "invalid_grant"}'
        now = int(clock.now().timestamp())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.person,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        key = self.signs_with if self.signs_with is not None else self.key
        token = jwt.encode(claims, key, algorithm=self.algorithm, headers={"kid": self.key_id})
        return 200, "application/json", json.dumps({"access_token": "x", "id_token": token}).encode()

    def _knows_client(self, form: dict[str, str], authorization: str) -> bool:
        if "client_secret_basic" not in self.methods:
            return (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        given = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        return given == f"{CLIENT}:{SECRET}"


@contextmanager
def serving() -> Iterator[Provider]:
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer({name: values[0] for name, values in parse_qs(body).items()})

        def _answer(self, form: dict[str, str]) -> None:
            status, kind, body = provider.answer(self.path, form, self.headers.get("Authorization", ""))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            pause = provider.drips.get(self.path, 0.0)
            with suppress(OSError):  # the client hung up
                for piece in [body[at : at + 1] for at in range(len(body))] if pause else [body]:
                    self.wfile.write(piece)
                    time.sleep(pause)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def settings_for(provider: Provider, **changed: Any) -> dict[str, Any]:
    """The settings of an installation that uses this provider."""
    return {
        "issuer": provider.issuer,
        "client_id": CLIENT,
        "client_secret": SECRET,
        "name": "Cuenta de la empresa",
        "only": False,
        "creates": False,
        "trusts_email": False,
        "roles_claim": "groups",
        "roles": {},
        **changed,
    }
