"""The addresses of pictures, codes and fonts in markup, and the style sheets. The renderer loads nothing else."""

PICTURE = "obrador:picture/"
"""The prefix of a stored picture. If it cannot be read, the placeholder is shown."""
LOGO = "obrador:logo/"
"""The prefix of a stored logo. If it cannot be read, its alternative text is shown."""
CODE = "obrador:code/"
LABEL_CODE = "obrador:label-code/"
"""The prefix of a label's code. It has fewer modules than a sheet's code, and can be read if a tenth is damaged."""
FONT = "obrador:font/"
NO_PICTURE = "obrador:placeholder"
MARK = "obrador:mark"
"""The product's mark, which is shown for a company without a logo."""
DRAWN = "data:image/png;base64,"
"""The prefix of a picture that is part of the markup, as the QR code of a stamped paper."""

SHEET_STYLESHEET = "sheet.css"
PAPER_STYLESHEET = "paper.css"
LABEL_STYLESHEET = "label.css"
CFDI_STYLESHEET = "cfdi.css"
STYLESHEETS = (SHEET_STYLESHEET, PAPER_STYLESHEET, LABEL_STYLESHEET, CFDI_STYLESHEET)


def logo_address(stored: str) -> str:
    """Return the address of a company's stored logo; without a logo, the address of this product's own mark."""
    return LOGO + stored if stored else MARK
