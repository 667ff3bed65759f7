"""The reasons to refuse a file (infra/docs/rules.md#imports)."""

from project.core.errors import Refusal


class UnsupportedFile(Refusal):
    """The file is neither XLSX nor CSV."""

    status = 415
    code = "unsupported_file"


class UnreadableFile(Refusal):
    """The file looks like XLSX or CSV, but is broken, empty or in an unknown encoding."""

    status = 422
    code = "unreadable_file"


class FileTooLarge(Refusal):
    """The file has more bytes than an import accepts, packed or unpacked."""

    status = 413
    code = "file_too_large"


class ImportFileGone(Refusal):
    """The uploaded file is no longer kept. The user must upload it again."""

    code = "import_file_gone"


class UnknownSheet(Refusal):
    """The workbook has no sheet of the chosen name. `sheets`: the names of its sheets."""

    status = 422
    code = "unknown_sheet"


class TooManyRows(Refusal):
    status = 422
    code = "too_many_rows"


class TooManyColumns(Refusal):
    status = 422
    code = "too_many_columns"


class KeyColumnMissing(Refusal):
    """The file lacks the column that identifies a record. `column`: the name of that column."""

    status = 422
    code = "key_column_missing"


class ColumnTwice(Refusal):
    """The user chose the same column of the catalog for several columns of the file.

    `column`: the name of the catalog's column. `heads`: the headings of these columns in the file.
    """

    status = 422
    code = "column_twice"
