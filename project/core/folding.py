"""Words as people compare them: without case and accents. Imports nothing of Django: reading processes use it too."""

import unicodedata


def folded(text: str) -> str:
    """`text` in small letters without accents: Ópalo and opalo, Ñandú and nandu are one."""
    return "".join(
        letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter)
    )
