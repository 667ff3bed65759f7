"""`play` sends a small log to a running server, and the histories equal the log."""

from pathlib import Path

import pytest

from infra.bench.movement_log.client import Api, Person
from infra.bench.movement_log.compare import mismatches
from infra.bench.movement_log.log import read_log
from infra.bench.movement_log.plan import plan_log
from infra.bench.movement_log.play import play
from infra.bench.movement_log.workshop import set_up
from project.access.permissions import ALL
from tests.builders import person
from tests.realtime import daphnes

EMAIL, PASSWORD = "replay@obrador.test", "Obrador.2026"
LOG = """\
at,direction,source_row,case_id,part,order_qty,process,resource,worker,report_type,rework
2012-01-02 07:30:00,in,1,Case 1,Ring,10,Casting,B1,ID1,D,
2012-01-02 08:00:00,out,1,Case 1,Ring,10,Casting,B1,ID1,D,
2012-01-02 08:00:00,in,2,Case 1,Ring,10,Polish,B2,ID2,D,
2012-01-02 08:10:00,in,10,Case 2,Pendant,3,Casting,B1,ID1,D,
2012-01-02 08:30:00,in,11,Case 2,Pendant,3,Casting,B1,ID3,D,
2012-01-02 08:40:00,out,11,Case 2,Pendant,3,Casting,B1,ID3,D,
2012-01-02 09:00:00,out,2,Case 1,Ring,10,Polish,B2,ID2,D,
2012-01-02 09:10:00,out,10,Case 2,Pendant,3,Casting,B1,ID1,D,
2012-01-02 09:20:00,in,3,Case 1,Ring,10,Casting,B1,ID1,S,Y
2012-01-02 09:30:00,in,4,Case 1,Ring,10,Polish,B2,ID2,S,Y
2012-01-02 09:40:00,out,3,Case 1,Ring,10,Casting,B1,ID1,S,Y
2012-01-02 09:50:00,out,4,Case 1,Ring,10,Polish,B2,ID2,S,Y
2012-01-02 10:00:00,in,12,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:00:00,out,12,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:10:00,in,13,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:20:00,out,13,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:30:00,out,99,Case 2,Pendant,3,Packing,B3,ID2,D,
2012-01-02 10:40:00,in,5,Case 1,Ring,10,Packing,B3,ID2,D,
2012-01-02 10:50:00,out,5,Case 1,Ring,10,Packing,B3,ID2,D,
2012-01-02 11:00:00,in,6,Case 1,Ring,10,Shipping,B3,ID2,D,
"""


@pytest.fixture
def api(transactional_db: None) -> Api:
    """A server with an administrator."""
    administrator = person(EMAIL.partition("@")[0], *ALL)
    administrator.set_password(PASSWORD)
    administrator.save()
    return Api(daphnes.shared().url)


def test_a_small_log_is_played_without_a_mismatch(tmp_path: Path, api: Api) -> None:
    (tmp_path / "log.csv").write_text(LOG)
    movements = read_log(tmp_path / "log.csv")
    plans = plan_log(movements)
    admin = api.sign_in(Person(EMAIL, PASSWORD))
    workshop = set_up(api, admin, movements, plans)
    tally = play(api, workshop, movements, plans)
    assert (len(movements), tally.accepted, tally.releases) == (20, 19, 3)
    assert dict(tally.refused) == {"not_inside": 1}  # the exit without an entry
    names = {worker: person.full_name for worker, person in workshop.workers.items()}
    for case, plan in plans.items():
        history = list(api.pages(f"{workshop.lines[case]}/history", admin))
        assert plan.records
        assert list(mismatches(case, plan.records, history, names)) == []
