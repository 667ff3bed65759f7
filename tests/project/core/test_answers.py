"""Answers already made as their schema are written without a second validation; others are left to ninja."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from ninja import Status
from pydantic import field_validator

from project.core.answers import taking_response, written_once
from project.core.schemas import Out

checked: list[str] = []


class PieceOut(Out):
    item_name: str

    @field_validator("item_name")
    @classmethod
    def _counts(cls, value: str) -> str:
        checked.append(value)
        return value


def answer_of(shape: Any, made: Any) -> Any:
    """The value that ninja gets from a view that returns `made`."""
    view = written_once(shape, taking_response(lambda request: made))
    checked.clear()
    return view(RequestFactory().get("/"), HttpResponse(content_type="application/json; charset=utf-8"))


@pytest.mark.parametrize(
    ("shape", "made", "status", "written"),
    [
        (PieceOut, PieceOut(item_name="Año"), 200, '{"itemName":"Año"}'),
        ({201: PieceOut}, PieceOut(item_name="a"), 201, '{"itemName":"a"}'),
        ({200: PieceOut, 202: PieceOut}, Status(202, PieceOut(item_name="a")), 202, '{"itemName":"a"}'),
        (list[PieceOut], [PieceOut(item_name="a")], 200, '[{"itemName":"a"}]'),
        (list[PieceOut], [], 200, "[]"),
    ],
)
def test_instance_of_the_schema_is_written_without_validation(shape: Any, made: Any, status: int, written: str) -> None:
    answer = answer_of(shape, made)
    assert (answer.status_code, answer.content.decode()) == (status, written)
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert checked == []


@pytest.mark.parametrize(
    ("shape", "made"),
    [
        (PieceOut, {"item_name": "a"}),
        (list[PieceOut], [PieceOut(item_name="a"), {"item_name": "b"}]),
        ({201: PieceOut}, Status(202, PieceOut(item_name="a"))),
        (dict[str, int], {"a": 1}),
        (None, None),
    ],
)
def test_any_other_value_is_left_to_ninja(shape: Any, made: Any) -> None:
    assert answer_of(shape, made) is made
