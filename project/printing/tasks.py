"""The tasks of a printing process. Each imports `rendering` when it runs there: importing it takes seconds."""


def prepare() -> None:
    """Run `rendering.prepare`."""
    from project.printing import rendering

    rendering.prepare()


def print_page(markup: str, pictures: dict[str, bytes], stylesheet: str) -> bytes:
    """Run `rendering.print_page`."""
    from project.printing import rendering

    return rendering.print_page(markup, pictures, stylesheet)


def bind(parts: list[str], whole: str, copies: list[int] | None = None) -> None:
    """Run `rendering.bind`."""
    from project.printing import rendering

    rendering.bind(parts, whole, copies)
