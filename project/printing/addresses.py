"""The addresses of pictures, codes and fonts in markup, and the style sheets. The renderer loads nothing else."""

PICTURE = "obrador:picture/"
"""The prefix of a stored picture. The placeholder replaces a broken one."""
LOGO = "obrador:logo/"
"""The prefix of a stored picture. The alternative text replaces a broken one."""
CODE = "obrador:code/"
LABEL_CODE = "obrador:label-code/"
"""The prefix of a code with fewer modules, for labels. It can be read with a tenth of it damaged."""
FONT = "obrador:font/"
NO_PICTURE = "obrador:placeholder"
MARK = "obrador:mark"
"""The product's mark, which stands where a company has no logo."""

SHEET_STYLESHEET = "sheet.css"
PAPER_STYLESHEET = "paper.css"
LABEL_STYLESHEET = "label.css"
STYLESHEETS = (SHEET_STYLESHEET, PAPER_STYLESHEET, LABEL_STYLESHEET)


def logo_address(stored: str) -> str:
    """Return the address of a company's logo, or of the product's mark if it has none."""
    return LOGO + stored if stored else MARK
