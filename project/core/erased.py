"""The name of an erased person: their id stays, their names are gone."""

import re

from project.core.texts import active_language, text, texts

NAME = texts("es")["erased_person"]
"""The text stored instead of an erased person's name, with `{id}` filled in.

API answers and events carry it as stored; files, papers and screens show it in the reader's language.
"""
_STORED = re.compile(re.escape(NAME).replace(re.escape("{id}"), r"(\d+)"))


def name_of(user_id: int) -> str:
    """Return the name that is stored for an erased person."""
    return NAME.format(id=user_id)


def shown(written: str) -> str:
    """Return `written` with the names of erased people in the active language."""
    if active_language() == "es":
        return written
    return _STORED.sub(lambda found: text("erased_person", {"id": found[1]}), written)
