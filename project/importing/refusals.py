"""Why a file is not read (infra/docs/rules.md#imports)."""

from project.core.errors import Refusal


class UnsupportedFile(Refusal):
    """Neither XLSX nor CSV."""

    status = 415
    code = "unsupported_file"


class UnreadableFile(Refusal):
    """It says that it is one of both, and cannot be read: broken, empty, or of letters that it does not name."""

    status = 422
    code = "unreadable_file"


class FileTooLarge(Refusal):
    """More bytes than an import takes, packed or unpacked."""

    status = 413
    code = "file_too_large"


class UnknownSheet(Refusal):
    """The workbook has no sheet of the chosen name; `sheets` names those it has."""

    status = 422
    code = "unknown_sheet"


class TooManyRows(Refusal):
    status = 422
    code = "too_many_rows"


class TooManyColumns(Refusal):
    status = 422
    code = "too_many_columns"


class ImportColumns(Refusal):
    """The heads are not those of the catalog: `missing`, `unknown` and `duplicate` name them."""

    status = 422
    code = "import_columns"
