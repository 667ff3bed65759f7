"""A receiver of webhooks on this machine, and webhooks that point to it."""

import base64
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from project.integrations.delivering import Webhooks
from project.sending.loop import send_due
from tests.builders import Shop
from tests.project.integrations.programs import account_of

WEBHOOKS = "/api/webhooks"


def deliver_due() -> None:
    """Send what is due, and wait until it is sent."""
    send_due(Webhooks())


@dataclass
class Received:
    """One POST request."""

    headers: dict[str, str]
    text: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    def is_signed_with(self, secret: str) -> bool:
        """Compute the signature independently, as Standard Webhooks 1.0 defines it."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        said = f"{self.id}.{self.headers['webhook-timestamp']}.{self.text}".encode()
        expected = "v1," + base64.b64encode(hmac.new(key, said, "sha256").digest()).decode()
        return expected in self.headers["webhook-signature"].split()


@dataclass
class Receiver:
    """The requests received, and the statuses to answer with: `answers` in turn, then 200."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    location: str = ""
    before_answer: Callable[[], object] = lambda: None

    @property
    def names(self) -> list[str]:
        """Catalog and change of each event received."""
        return [f"{one.json['data']['catalog']} {one.json['data']['change']}" for one in self.received]


@contextmanager
def receiver() -> Iterator[Receiver]:
    state = Receiver()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["content-length"])).decode()
            state.received.append(Received({name.lower(): value for name, value in self.headers.items()}, text))
            state.before_answer()
            self.send_response(state.answers.pop(0) if state.answers else 200)
            if state.location:
                self.send_header("Location", state.location)
            self.end_headers()
            self.wfile.write(b"thanks" + b"!" * 10_000)

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def webhook_to(shop: Shop, url: str, *actions: str, **fields: Any) -> tuple[dict[str, Any], str]:
    """Create a webhook of a new account with the permissions `actions`. Return the webhook and its secret."""
    account = account_of(shop, *actions, name=f"Para {url}"[:200])
    body = {"name": "ERP", "url": url, "types": ["catalog.changed"], "accountId": account["id"]} | fields
    made = shop.ana.post(WEBHOOKS, body)
    assert made.status == 201, made
    secret = shop.ana.post(f"{WEBHOOKS}/{made.json['id']}/secret")
    assert secret.status == 201, secret
    return made.json, secret.json["secret"]
