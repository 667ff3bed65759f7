"""How the markup of a page names what stands on it, and the looks it may have; nothing else is ever fetched."""

PICTURE = "obrador:picture/"
"""A stored picture, or the placeholder where that is none."""
LOGO = "obrador:logo/"
"""A stored picture, or the alternative text where that is none."""
CODE = "obrador:code/"
FONT = "obrador:font/"
NO_PICTURE = "obrador:placeholder"

SHEET_STYLESHEET = "sheet.css"
PAPER_STYLESHEET = "paper.css"
STYLESHEETS = (SHEET_STYLESHEET, PAPER_STYLESHEET)
