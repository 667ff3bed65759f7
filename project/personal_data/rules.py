"""When a person may be erased, and how his names are found in what others wrote; no database."""

import json
import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from project.core.errors import Refusal
from project.core.money import money_text


class StillOwed(Refusal):
    """The workshop owes him for pieces: pay them first, as long as somebody can read whom."""

    code = "still_owed"


def check_paid(amount: Decimal, currency: str) -> None:
    """Raises `StillOwed`."""
    if amount:
        raise StillOwed(amount=float(amount), currency=currency, owed=money_text(amount, currency))


class Names:
    """Names and e-mails of one person, and the `instead` that takes their place.

    A full name of two words or an e-mail is found anywhere in a text; a single word only where it is the whole of it:
    within one it may be anybody's.
    """

    def __init__(self, names: Iterable[str], *, instead: str) -> None:
        self.instead = instead
        self.whole = {one.casefold() for one in names}
        # Backwards, a longer name comes before the one that it begins with.
        within = sorted((one for one in self.whole if " " in one or "@" in one), reverse=True)
        self._within = re.compile("|".join(rf"(?<!\w){re.escape(one)}(?!\w)" for one in within) or r"(?!)", re.I)

    @property
    def written(self) -> set[str]:
        """The names as they stand in a column: alone, or in JSON, with its letters beyond ASCII escaped or not; small,
        in capitals and with capitals first, for SQLite knows the case of ASCII letters alone."""
        return {
            form
            for name in self.whole
            for one in (name, name.upper(), name.title())
            for form in (one, _in_json(one, ascii=False), _in_json(one, ascii=True))
        }

    def replaced(self, value: Any) -> Any:
        """`value`, a text or what JSON holds, without the names in it."""
        match value:
            case str():
                if value.startswith(("{", "[")) and (parsed := _parsed(value)) is not None:
                    without = self.replaced(parsed)
                    return (
                        value if without == parsed else json.dumps(without, ensure_ascii=False, separators=(",", ":"))
                    )
                return self.instead if value.casefold() in self.whole else self._within.sub(self.instead, value)
            case dict():
                return {key: self.replaced(one) for key, one in value.items()}
            case list():
                return [self.replaced(one) for one in value]
            case _:
                return value


def _in_json(text: str, *, ascii: bool) -> str:
    return json.dumps(text, ensure_ascii=ascii)[1:-1]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
