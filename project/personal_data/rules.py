"""When a person may be erased, and how to find their names in free text. Does not use the database."""

import json
import re
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from project.core.errors import Refusal
from project.core.folding import folded, folded_letter, name_key
from project.core.money import money_text


class StillOwed(Refusal):
    """The workshop still owes the person for piece work: pay it first, while the payee has a name."""

    code = "still_owed"


def check_paid(amount: Decimal, currency: str, unweighed: int = 0) -> None:
    """Raise `StillOwed` if `amount` is not zero, or if pieces that are paid by weight are not weighed yet."""
    if amount or unweighed:
        raise StillOwed(amount=float(amount), currency=currency, owed=money_text(amount, currency))


def forms_of(first_name: str, last_name: str, second_last_name: str) -> set[str]:
    """Return the ways to write a full name: with and without the second last name, first or last names first."""
    if not last_name:
        return {first_name}
    last_names = {last_name, f"{last_name} {second_last_name}".strip()}
    return {form for last in last_names for form in (f"{first_name} {last}", f"{last} {first_name}")}


class Names:
    """Names and e-mails of one person, and the text `instead` that replaces them.

    A name of several words or an e-mail is found anywhere in a text. A single word is replaced only if it is the whole
    text, because inside a text it may mean somebody else. Case, accents, the kind of blanks and a comma between words
    are ignored.
    """

    def __init__(self, names: Iterable[str], *, instead: str) -> None:
        self.instead = instead
        self._names = set(names)
        self.whole = {folded(one) for one in self._names} - {""}
        # In reverse order a longer name comes before its own beginning, so the longer one matches first.
        within = sorted((one for one in self.whole if " " in one or "@" in one), reverse=True)
        patterns = (",? +".join(map(re.escape, one.split())) for one in within)
        self._within = re.compile("|".join(rf"(?<!\w){pattern}(?!\w)" for pattern in patterns) or r"(?!)")

    @property
    def parts(self) -> list[frozenset[str]]:
        """Sets of folded words. A text with one of the names contains all words of at least one set.

        Supersets are left out: a text with the words of a longer name also has the words of the shorter one.
        """
        every = {frozenset(one.split()) for one in self.whole}
        return sorted((one for one in every if not any(other < one for other in every)), key=sorted)

    @property
    def escaped(self) -> dict[str, set[str]]:
        """Map each folded word to its other spellings in JSON: escaped accents and quotes, composed or decomposed.

        Contains each spelling in lower case, in capitals, and with a capital first.
        """
        found: dict[str, set[str]] = {}
        for word in {word for one in self._names for word in name_key(one).split()}:
            composed = {word, word.upper(), word.title()}
            forms = composed | {unicodedata.normalize("NFD", form) for form in composed}
            written = {json.dumps(form, ensure_ascii=ascii)[1:-1] for form in forms for ascii in (True, False)}
            found.setdefault(folded(word), set()).update(written - forms)
        return found

    def replaced(self, value: Any) -> Any:
        """Return `value`, a text or parsed JSON, with the names replaced. Also looks into JSON within a text."""
        match value:
            case str():
                if value.startswith(("{", "[")) and (parsed := _parsed(value)) is not None:
                    without = self.replaced(parsed)
                    return (
                        value if without == parsed else json.dumps(without, ensure_ascii=False, separators=(",", ":"))
                    )
                return self.instead if folded(value) in self.whole else self._without(value)
            case dict():
                return {key: self.replaced(one) for key, one in value.items()}
            case list():
                return [self.replaced(one) for one in value]
            case _:
                return value

    def _without(self, text: str) -> str:
        letters = [(letter, at) for at, written in enumerate(text) for letter in folded_letter(written)]
        places = [at for _, at in letters] + [len(text)]
        kept, end = [], 0
        for found in self._within.finditer("".join(letter for letter, _ in letters)):
            kept += [text[end : places[found.start()]], self.instead]
            end = places[found.end() - 1] + 1
            while end < len(text) and not folded_letter(text[end]):  # skip marks and zero-width characters
                end += 1
        return "".join([*kept, text[end:]])


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
