"""What is asked of a printing process, by name: who asks must not load the library, which takes seconds."""


def prepare() -> None:
    """See `printing.prepare`."""
    from project.printing import rendering

    rendering.prepare()


def print_page(markup: str, pictures: dict[str, bytes], stylesheet: str) -> bytes:
    """See `printing.print_page`."""
    from project.printing import rendering

    return rendering.print_page(markup, pictures, stylesheet)


def bind(parts: list[str], whole: str) -> None:
    """See `printing.bind`."""
    from project.printing import rendering

    rendering.bind(parts, whole)
