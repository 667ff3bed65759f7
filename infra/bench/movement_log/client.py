"""Call the public API as people do: each with their own token, every write with an Idempotency-Key.

A call without an answer (connection refused or cut, 502 to 504) is repeated with the same key for a minute.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx

PATIENCE = 60.0  # seconds
AWAY = frozenset({502, 503, 504})
Json = dict[str, Any]


class Refused(Exception):
    """The server refused a call. `status`: of its answer. `code`: of its answer, or `http_<status>` without one."""

    def __init__(self, call: str, response: httpx.Response) -> None:
        self.status = response.status_code
        try:
            self.code = str(response.json()["code"])
        except (ValueError, KeyError, TypeError):
            self.code = f"http_{self.status}"
        super().__init__(f"{call} answered {self.status} {response.text[:300]}")


@dataclass
class Person:
    """A person who signs in."""

    email: str
    password: str
    full_name: str = ""
    token: str = ""


class Api:
    """Calls one server. Threads may share it."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=30, limits=httpx.Limits(max_connections=64))

    def sign_in(self, person: Person) -> Person:
        """Sign a person in, and store the token in `person`. Returns `person`. Raises Refused."""
        body = {"username": person.email, "password": person.password, "rememberLogin": True}
        answer = self._ask("POST", "/identity/authentication/sign-in", {}, body)
        if answer.status_code != 200:
            raise Refused(f"signing in as {person.email}", answer)
        person.token = answer.json()["access_token"]
        return person

    def read(self, path: str, by: Person) -> Any:
        """Return the answer to a GET. Raises Refused."""
        return self._call("GET", path, by, None, {}).json()

    def pages(self, path: str, by: Person) -> Iterator[Json]:
        """Yield every row of a list, page by page. Raises Refused."""
        step = "&" if "?" in path else "?"
        following: str | None = f"{path}{step}limit=200"
        while following:
            answer = self._call("GET", following, by, None, {})
            yield from answer.json()
            following = answer.links.get("next", {}).get("url")

    def write(self, method: str, path: str, by: Person, body: Json | None = None) -> Json:
        """Send a write, which happens once even if the call is repeated. Returns the answer. Raises Refused."""
        answer: Json = self._call(method, path, by, body, {"Idempotency-Key": str(uuid4())}).json()
        return answer

    def _call(self, method: str, path: str, by: Person, body: Json | None, headers: dict[str, str]) -> httpx.Response:
        answer = self._ask(method, path, headers | {"Authorization": f"Bearer {by.token}"}, body)
        if answer.status_code == 401:  # the session ended with the plant's day
            self.sign_in(by)
            answer = self._ask(method, path, headers | {"Authorization": f"Bearer {by.token}"}, body)
        if answer.status_code not in (200, 201):
            raise Refused(f"{method} {path}", answer)
        return answer

    def _ask(self, method: str, path: str, headers: dict[str, str], body: Json | None) -> httpx.Response:
        until = time.monotonic() + PATIENCE
        pause = 0.05
        while True:
            try:
                answer = self.http.request(method, path, headers=headers, json=body)
            except httpx.TransportError:
                if time.monotonic() > until:
                    raise
            else:
                if answer.status_code not in AWAY or time.monotonic() > until:
                    return answer
            time.sleep(pause)
            pause = min(2 * pause, 1.0)
