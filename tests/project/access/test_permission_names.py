"""A screen that names a permission uses the name on the page of permissions."""

import json
from pathlib import Path

import pytest

from project.access.permissions import PERMISSIONS, Permission

LOCALES = Path(__file__).resolve().parents[3] / "web" / "src" / "locales"
NAMED = {
    "In": [Permission.SalesOrderPositionProcessIn],
    "Out": [Permission.SalesOrderPositionProcessOut],
    "InOut": [Permission.SalesOrderPositionProcessIn, Permission.SalesOrderPositionProcessOut],
}


@pytest.mark.parametrize("language", ["es", "en"])
def test_station_names_a_missing_permission_as_the_page_of_permissions_does(language: str) -> None:
    said = json.loads((LOCALES / language / "station.json").read_text(encoding="utf-8"))["missing"]
    names = {one.action: getattr(one, f"description_{language}") for one in PERMISSIONS}
    assert [
        names[permission]
        for text, permissions in NAMED.items()
        for permission in permissions
        if names[permission] not in said[text]
    ] == []
