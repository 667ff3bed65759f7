"""What is asked of a printing process, by name: who asks must not load the library, which takes seconds."""


def prepare() -> None:
    """See `printing.prepare`."""
    from project.worksheets import printing

    printing.prepare()


def print_page(markup: str, pictures: dict[str, bytes], look: str) -> bytes:
    """See `printing.print_page`."""
    from project.worksheets import printing

    return printing.print_page(markup, pictures, look)


def bind(parts: list[str], whole: str) -> None:
    """See `printing.bind`."""
    from project.worksheets import printing

    printing.bind(parts, whole)
