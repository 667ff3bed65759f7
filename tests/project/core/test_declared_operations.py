"""An operation that declares what makes no sense stops the server when it starts."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.http import HttpRequest
from ninja import NinjaAPI

from project.access.guard import SignedIn
from project.contract.repeats import repeats_of
from project.core.idempotency import NOT_KEPT, RECORD_STAYS, REPEATS, NotKept, Repeat, gone
from project.core.routing import PUBLIC, DomainRouter, Public, domain_router

GUARD = SignedIn("their own")


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    stays = {*RECORD_STAYS}
    with patch.dict(REPEATS), patch.dict(NOT_KEPT), patch.dict(PUBLIC):
        yield
    RECORD_STAYS.intersection_update(stays)


def piece_get(request: HttpRequest, piece_id: int) -> dict[str, int]:
    return {"id": piece_id}


def piece_remove(request: HttpRequest, piece_id: int) -> dict[str, int]:
    return {"id": piece_id}


def pieces_by_ids(request: HttpRequest, piece_ids: list[int]) -> dict[str, int]:
    return {}


def pieces(*, readable: bool = True) -> DomainRouter:
    """A router with the GET of a piece."""
    router = domain_router("pieces")
    if readable:
        router.get("/{int:piece_id}", response=dict[str, int], auth=GUARD, operation_id="piece_get")(piece_get)
    return router


def repeats(router: DomainRouter) -> dict[str, Repeat]:
    api = NinjaAPI()
    api.add_router("/pieces", router)
    return repeats_of(api)


@pytest.mark.parametrize("auth", [{}, {"auth": None}, {"auth": "everyone"}], ids=str)
def test_operation_must_say_who_may_call_it(auth: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="piece_get"):
        pieces(readable=False).get("/{int:piece_id}", operation_id="piece_get", **auth)(piece_get)


def test_public_operation_has_no_guard_and_says_why() -> None:
    router = pieces(readable=False)
    router.get("/{int:piece_id}", auth=Public("a sign in the street"), operation_id="piece_get")(piece_get)
    (operation,) = router.path_operations["/{int:piece_id}"].operations
    assert operation.auth_callbacks == []
    assert PUBLIC["piece_get"] == "a sign in the street"


def test_guard_without_a_permission_must_say_why() -> None:
    with pytest.raises(TypeError, match="why"):
        SignedIn()  # type: ignore[call-arg]


def declared(readable: bool = True, **said: Any) -> Repeat | None:
    """How a repeat of a DELETE is answered that declares `said`."""
    router = pieces(readable=readable)
    options = {"response": dict[str, int], "auth": GUARD, "operation_id": "piece_delete"}
    router.delete("/{int:piece_id}", **options, **said)(piece_remove)
    return repeats(router).get("piece_delete")


def test_repeated_delete_is_answered_as_its_operation_declares() -> None:
    assert declared() == Repeat(gone)
    assert declared(record_stays=True) == Repeat(piece_get)
    RECORD_STAYS.discard("piece_delete")
    assert declared(repeat=Repeat(pieces_by_ids, made="piece_ids")) == Repeat(pieces_by_ids, made="piece_ids")
    assert declared(repeat=NotKept("answers a token")) is None
    assert NOT_KEPT["piece_delete"] == "answers a token"


@pytest.mark.parametrize(
    "repeat",
    [Repeat(pieces_by_ids), Repeat(piece_get, made="piece_ids"), Repeat(pieces_by_ids, made="ids")],
    ids=["asks for more", "does not take what is made", "asks for another name"],
)
def test_server_does_not_start_if_the_declared_view_cannot_answer_the_repeat(repeat: Repeat) -> None:
    with pytest.raises(LookupError, match="piece_delete"):
        declared(repeat=repeat)


def test_server_does_not_start_if_no_get_reads_the_record_that_stays() -> None:
    with pytest.raises(LookupError, match="piece_delete"):
        declared(readable=False, record_stays=True)


@pytest.mark.parametrize("response", [{201: dict[str, int]}, dict[str, int]], ids=["created", "changed"])
def test_server_does_not_start_if_no_get_reads_what_a_write_wrote(response: Any) -> None:
    router = pieces(readable=False)
    router.post("", response=response, auth=GUARD, operation_id="piece_create")(lambda request: {})
    with pytest.raises(LookupError, match="piece_create"):
        repeats(router)


def test_status_of_a_repeat_is_the_status_of_the_operation() -> None:
    router = pieces()
    options = {"response": {201: dict[str, int]}, "auth": GUARD}
    router.post("", operation_id="piece_create", **options)(lambda request: {})
    router.post("/many", operation_id="piece_many_create", repeat=Repeat(pieces_by_ids, made="piece_ids"), **options)(
        lambda request: {}
    )
    assert repeats(router) == {
        "piece_create": Repeat(piece_get, made="piece_id", status=201),
        "piece_many_create": Repeat(pieces_by_ids, made="piece_ids", status=201),
    }
