"""Runs the checks of `manage.py doctor`: each in its own thread, with a time limit, and with secrets hidden."""

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import StrEnum
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings
from django.db import connection

from project.core.environment import addresses_in
from project.core.sealing import own_secrets
from project.operations.repository import BackupError, keys

SECONDS = 30.0
"""A check that has not answered after this is reported as broken, and no longer waited for."""


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    BROKEN = "broken"


@dataclass(frozen=True)
class Remark:
    """One thing that a check found. `mend`: what the operator does about it."""

    state: State
    says: str
    mend: str = ""


@dataclass(frozen=True)
class Finding:
    """All remarks of one check, and how many seconds the check took."""

    name: str
    remarks: list[Remark]
    seconds: float

    @property
    def state(self) -> State:
        """The worst state of the remarks."""
        states = [remark.state for remark in self.remarks]
        return next((one for one in (State.BROKEN, State.WARNING) if one in states), State.OK)

    def as_json(self) -> dict[str, object]:
        return {"name": self.name, "state": self.state, **asdict(self)}


@dataclass(frozen=True)
class Check:
    """One check. `mend`: what the operator does if the check itself raises or does not answer."""

    name: str
    look: Callable[[], Iterator[Remark]]
    mend: str


def fine(says: str) -> Remark:
    return Remark(State.OK, says)


def warning(says: str, mend: str) -> Remark:
    return Remark(State.WARNING, says, mend)


def broken(says: str, mend: str) -> Remark:
    return Remark(State.BROKEN, says, mend)


def examined(checks: Sequence[Check]) -> Iterator[Finding]:
    """Run all checks at the same time. Yield the findings in the order of `checks`."""
    begun = time.monotonic()
    answers = [(check, _start(check)) for check in checks]
    hide = _hider()
    for check, answer in answers:
        try:
            remarks, seconds = answer.get(timeout=max(0.0, begun + SECONDS - time.monotonic()))
        except Empty:
            remarks, seconds = [broken(f"no answer within {SECONDS:g} s", check.mend)], SECONDS
        shown = [Remark(one.state, hide(one.says), hide(one.mend)) for one in remarks]
        yield Finding(check.name, shown, round(seconds, 3))


def _start(check: Check) -> "SimpleQueue[tuple[list[Remark], float]]":
    """Start a check in a daemon thread, which does not delay the end of the process."""
    answer: SimpleQueue[tuple[list[Remark], float]] = SimpleQueue()

    def run() -> None:
        begun = time.monotonic()
        remarks: list[Remark] = []
        try:
            remarks.extend(check.look())
        except BackupError as error:
            remarks.append(broken(str(error), "See infra/docs/backups.md."))
        except Exception as error:  # any failure is a finding
            remarks.append(broken(f"{type(error).__name__}: {error}".removesuffix(": "), check.mend))
        finally:
            connection.close()
        answer.put((remarks, time.monotonic() - begun))

    Thread(target=run, daemon=True).start()
    return answer


_SECRET_NAME = re.compile(r"KEY|SECRET|PASSWORD|TOKEN")


def _hider() -> Callable[[str], str]:
    """Return a function that replaces every secret this process knows by stars, also where it is URL-quoted."""
    found = {value for name, value in os.environ.items() if _SECRET_NAME.search(name)}
    found |= {part for value in found for part in value.split(",")}
    found |= {*own_secrets(), *settings.QR_KEYS, str(connection.settings_dict.get("PASSWORD") or "")}
    for value in os.environ.values():
        found |= {_password_in(one) for one in addresses_in(value) if "://" in one}
    with suppress(BackupError):  # the check of the backups reports it
        found |= {*keys()}
    written = {form for one in found if len(one) > 3 for form in (one, quote(one, safe=""), unquote(one))}
    if not written:
        return str
    longest_first = sorted(written, key=len, reverse=True)
    return lambda text: re.sub("|".join(map(re.escape, longest_first)), "***", text)


def _password_in(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""
