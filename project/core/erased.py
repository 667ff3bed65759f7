"""What an erased person is called: his id stays, his names are gone."""

import re

from project.core.texts import active_language, text, texts

NAME = texts("es")["erased_person"]
"""What stands in the database in the place of his name, the id filled in. Answers and events carry it as it stands;
files, papers and screens show it in their reader's language."""
_STORED = re.compile(re.escape(NAME).replace(re.escape("{id}"), r"(\d+)"))


def name_of(user_id: int) -> str:
    """The name that is stored for an erased person."""
    return NAME.format(id=user_id)


def shown(written: str) -> str:
    """`written` with the erased people in it named in the active language."""
    if active_language() == "es":
        return written
    return _STORED.sub(lambda found: text("erased_person", {"id": found[1]}), written)
