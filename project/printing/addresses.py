"""The addresses of pictures, codes and fonts in markup, and the style sheets. The renderer loads nothing else."""

PICTURE = "obrador:picture/"
"""The prefix of a stored picture. The placeholder replaces a broken one."""
LOGO = "obrador:logo/"
"""The prefix of a stored picture. The alternative text replaces a broken one."""
CODE = "obrador:code/"
FONT = "obrador:font/"
NO_PICTURE = "obrador:placeholder"

SHEET_STYLESHEET = "sheet.css"
PAPER_STYLESHEET = "paper.css"
STYLESHEETS = (SHEET_STYLESHEET, PAPER_STYLESHEET)
