"""An operation that declares what makes no sense stops the server when it starts."""

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from ninja import NinjaAPI
from ninja.constants import NOT_SET

from project.access.guard import SignedIn
from project.contract.repeats import repeats_of
from project.core.answers import Created, response_of
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


def piece_create(request: HttpRequest) -> Created[dict[str, int]]:
    return Created({"id": 1})


def piece_change(request: HttpRequest) -> dict[str, int]:
    return {"id": 1}


def pieces_by_ids(request: HttpRequest, piece_ids: list[int]) -> dict[str, int]:
    return {}


def pieces(*, readable: bool = True) -> DomainRouter:
    """A router with the GET of a piece."""
    router = domain_router("pieces")
    if readable:
        router.get("/{int:piece_id}", auth=GUARD, operation_id="piece_get")(piece_get)
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
    router.delete("/{int:piece_id}", auth=GUARD, operation_id="piece_delete", **said)(piece_remove)
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


@pytest.mark.parametrize("write", [piece_create, piece_change])
def test_server_does_not_start_if_no_get_reads_what_a_write_wrote(write: Any) -> None:
    router = pieces(readable=False)
    router.post("", auth=GUARD, operation_id="piece_write")(write)
    with pytest.raises(LookupError, match="piece_write"):
        repeats(router)


def test_status_of_a_repeat_is_the_status_of_the_operation() -> None:
    router = pieces()
    router.post("", auth=GUARD, operation_id="piece_create")(piece_create)
    many = Repeat(pieces_by_ids, made="piece_ids")
    router.post("/many", auth=GUARD, operation_id="piece_many_create", repeat=many)(piece_create)
    assert repeats(router) == {
        "piece_create": Repeat(piece_get, made="piece_id", status=201),
        "piece_many_create": Repeat(pieces_by_ids, made="piece_ids", status=201),
    }


@pytest.mark.parametrize(
    ("annotated", "response"),
    [
        (int, int),
        (list[int], list[int]),
        (list[int] | list[str], list[int] | list[str]),
        (Created[int], {201: int}),
        (Created[list[int]], {201: list[int]}),
        (list[int] | HttpResponseBase, list[int]),
        (list[int] | HttpResponseBase | list[str], list[int] | list[str]),
        (HttpResponse, NOT_SET),
        (FileResponse | HttpResponse, NOT_SET),
    ],
    ids=str,
)
def test_response_is_what_the_view_is_annotated_to_return(annotated: Any, response: Any) -> None:
    def view(request: HttpRequest) -> Any: ...

    view.__annotations__["return"] = annotated
    assert response_of(view) == response


def silent(request: HttpRequest):  # type: ignore[no-untyped-def]
    return 1


def vague(request: HttpRequest) -> Any:
    return 1


def half_vague(request: HttpRequest) -> Any | HttpResponse:
    return 1


@pytest.mark.parametrize("view", [silent, vague, half_vague])
def test_view_must_say_what_it_answers(view: Any) -> None:
    with pytest.raises(TypeError, match=view.__name__):
        pieces().get("", auth=GUARD, operation_id="piece_list")(view)


def test_response_cannot_be_said_beside_the_annotation() -> None:
    with pytest.raises(TypeError, match="piece_write"):
        pieces().post("", auth=GUARD, operation_id="piece_write", response=dict[str, int])(piece_change)
