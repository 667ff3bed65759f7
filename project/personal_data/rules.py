"""When a person may be erased, and how his names are found in what others wrote; no database."""

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
    """The workshop owes him for pieces: pay them first, as long as somebody can read whom."""

    code = "still_owed"


def check_paid(amount: Decimal, currency: str) -> None:
    """Raises `StillOwed`."""
    if amount:
        raise StillOwed(amount=float(amount), currency=currency, owed=money_text(amount, currency))


def forms_of(first_name: str, last_name: str, second_last_name: str) -> set[str]:
    """The ways in which people write the full name of a person: without the second last name, and last names first."""
    if not last_name:
        return {first_name}
    last_names = {last_name, f"{last_name} {second_last_name}".strip()}
    return {form for last in last_names for form in (f"{first_name} {last}", f"{last} {first_name}")}


class Names:
    """Names and e-mails of one person, and the `instead` that takes their place.

    A name of two words or an e-mail is found anywhere in a text; a single word only where it is the whole of it:
    within one it may be anybody's. Case, accents, the kind of blanks and a comma between words make no difference.
    """

    def __init__(self, names: Iterable[str], *, instead: str) -> None:
        self.instead = instead
        self._names = set(names)
        self.whole = {folded(one) for one in self._names} - {""}
        # Backwards, a longer name comes before the one that it begins with.
        within = sorted((one for one in self.whole if " " in one or "@" in one), reverse=True)
        patterns = (",? +".join(map(re.escape, one.split())) for one in within)
        self._within = re.compile("|".join(rf"(?<!\w){pattern}(?!\w)" for pattern in patterns) or r"(?!)")

    @property
    def parts(self) -> list[frozenset[str]]:
        """The words of each name, folded: a text that lacks one of them does not have the name. What has all words of
        one name may have those of a longer name too, which is left out."""
        every = {frozenset(one.split()) for one in self.whole}
        return sorted((one for one in every if not any(other < one for other in every)), key=sorted)

    @property
    def escaped(self) -> dict[str, set[str]]:
        """Folded word → how JSON writes it in other letters: accents and quotes escaped, accents composed or not.

        Small, in capitals, and with a capital first.
        """
        found: dict[str, set[str]] = {}
        for word in {word for one in self._names for word in name_key(one).split()}:
            composed = {word, word.upper(), word.title()}
            forms = composed | {unicodedata.normalize("NFD", form) for form in composed}
            written = {json.dumps(form, ensure_ascii=ascii)[1:-1] for form in forms for ascii in (True, False)}
            found.setdefault(folded(word), set()).update(written - forms)
        return found

    def replaced(self, value: Any) -> Any:
        """`value`, a text or what JSON holds, without the names in it."""
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
            while end < len(text) and not folded_letter(text[end]):  # marks of the last letter, and what has no width
                end += 1
        return "".join([*kept, text[end:]])


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None
