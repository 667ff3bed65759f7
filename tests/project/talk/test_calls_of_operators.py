"""Operators call from their station, and come, within their time there."""

from datetime import datetime, timedelta

from project.core import clock
from project.core.schemas import utc_z
from tests.project.station.standing import Floor
from tests.project.talk.talking import called, come, messages, say

MINUTE = timedelta(minutes=1)


def test_an_operator_calls_from_their_station_and_reads_the_thread(floor: Floor) -> None:
    order = floor.shop.approved(5)
    dora = floor.dora_stands_here(floor.shop.casting.pk)
    message = called(dora, order, "stop")
    (row,) = dora.get(messages(order)).json
    assert (row["by"]["id"], row["productionProcessId"]) == (floor.dora.id, floor.shop.casting.pk)
    assert come(dora, order, message).json["coming"]["by"]["id"] == floor.dora.id
    elsewhere = say(dora, order, "stop", productionProcessId=floor.shop.polishing.pk)
    assert (elsewhere.status, elsewhere.code) == (403, "other_station")


def test_an_operator_without_a_process_names_the_station(floor: Floor) -> None:
    order = floor.shop.approved(5)
    dora = floor.dora_stands_here()
    assert say(dora, order, "stop").fields == {"productionProcessId": "required"}
    assert called(dora, order, productionProcessId=floor.shop.casting.pk)


def test_a_call_made_offline_is_accepted_after_the_operator_is_over(floor: Floor, noon: datetime) -> None:
    order = floor.shop.approved(5)
    dora = floor.dora_stands_here(floor.shop.casting.pk)
    with clock.at(noon + 60 * MINUTE):
        assert called(dora, order, madeAt=utc_z(noon + 5 * MINUTE))
        assert say(dora, order, "stop").code == "operator_over"
        assert say(dora, order, "stop", madeAt=utc_z(noon + 40 * MINUTE)).code == "operator_over"
