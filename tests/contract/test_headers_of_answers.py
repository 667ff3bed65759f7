"""Headers and query parameters: totals, versions and formats."""

import pytest

from tests.builders import Shop, line_path
from tests.contract.operations import Operation, operations
from tests.project.audit.test_every_write import DEEDS, media

__all__ = ["media"]

BY_NAME = {operation.name: operation for operation in operations()}
NO_SUCH_RECORD = 404
"""The answer to a list below a record that does not exist."""


def answers_a_list(operation: Operation) -> bool:
    content = operation.description["responses"].get(200, {}).get("content", {})
    return content.get("application/json", {}).get("schema", {}).get("type") == "array"


REQUIRED = {"forecast_offered": "?ids=1"}
LISTS = sorted((one for one in operations() if one.method == "GET" and answers_a_list(one)), key=str)


@pytest.mark.parametrize("operation", LISTS, ids=str)
def test_a_list_has_its_total_in_a_header(shop: Shop, operation: Operation) -> None:
    answer = shop.ana.get(operation.path + REQUIRED.get(operation.name, ""))
    assert answer.status in (200, NO_SUCH_RECORD), answer
    if answer.status == 200:
        assert int(answer.headers["X-Total-Count"]) == len(answer.json)


def test_a_history_has_its_total_in_a_header(shop: Shop) -> None:
    order = shop.approved(5)
    shop.enter(order, shop.casting, 2)
    shop.enter(order, shop.casting, 3)
    answer = shop.ana.get(f"{line_path(order)}/history")
    assert (answer.headers["X-Total-Count"], len(answer.json)) == ("2", 2)


OF_MANY = {"process_item_price_set", "part_put", "csd_put"}
"""A PUT that sets many records, or one that has no version."""


@pytest.mark.parametrize("name", sorted(DEEDS))
def test_the_answer_of_a_write_has_its_version_as_etag(
    shop: Shop, quick_passwords: None, media: None, name: str
) -> None:
    answer = DEEDS[name](shop)()
    assert answer.status in (200, 201), answer
    if isinstance(answer.json, dict) and "version" in answer.json:
        assert answer.headers["ETag"] == f'"{answer.json["version"]}"'


@pytest.mark.parametrize("name", sorted({name for name in DEEDS if BY_NAME[name].method == "PUT"} - OF_MANY))
def test_a_put_with_a_stale_version_is_refused_with_412(
    shop: Shop, quick_passwords: None, media: None, name: str
) -> None:
    write = DEEDS[name](shop)
    shop.ana.headers["if_match"] = '"999"'
    answer = write()
    assert (answer.status, answer.code) == (412, "stale_version"), answer


def test_a_password_change_with_a_stale_version_is_refused_with_412(shop: Shop, quick_passwords: None) -> None:
    body = {"currentPassword": "Taller.2026", "newPassword": "Taller.2027", "confirmNewPassword": "Taller.2027"}
    path = f"/identity/users/{shop.ana.id}/change-password/by-user"
    assert shop.ana.user is not None
    shop.ana.user.set_password(body["currentPassword"])
    shop.ana.user.save()
    answer = shop.ana.put(path, body, if_match='"999"')
    assert (answer.status, answer.code) == (412, "stale_version")
    assert shop.ana.put(path, body, if_match='"1"').status == 200


def test_an_operation_without_a_file_refuses_a_format(shop: Shop) -> None:
    order = shop.approved(1)
    for answer in (
        shop.ana.post("/api/scan?format=csv", {"code": f"{order}-1"}),
        shop.ana.put(f"{line_path(order)}/full?format=xlsx", {"notes": "x"}),
        shop.ana.delete(f"/api/sales-order/{order}?format=csv"),
    ):
        assert (answer.status, answer.fields) == (422, {"format": "not_a_file"})
    assert shop.line(order)["notes"] == ""
