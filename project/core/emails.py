"""Which e-mail addresses mail servers take. Checked only where an address changes: old ones still sign in."""

import re

from project.core.errors import FieldError, InvalidFields

_LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_DELIVERABLE = re.compile(rf"[^.@\s][^@\s]{{0,63}}(?<!\.)@({_LABEL}\.)+[A-Za-z0-9-]{{2,63}}")


def is_deliverable(address: str) -> bool:
    """Say whether mail servers take an address: no two dots in a row, none at an end, no hyphen at the end of a label.

    At most 64 letters stand before the `@`, and 63 in a label of the domain (RFC 5321).

    Assumes that the address has one `@` and a domain with a dot.
    """
    return ".." not in address and _DELIVERABLE.fullmatch(address) is not None


def undeliverable(field: str, after: str | None, before: str | None) -> list[FieldError]:
    """Return an error for `field` if its address changed to one that no mail server takes; else an empty list."""
    return [FieldError(field, "invalid_email")] if after and after != before and not is_deliverable(after) else []


def check_deliverable(field: str, after: str | None, before: str | None) -> None:
    """Raise `InvalidFields` if the address changed to one that no mail server takes."""
    if errors := undeliverable(field, after, before):
        raise InvalidFields(errors=errors)
