"""What the benchmark of writers makes of the statements that the product ran."""

from writers import FIRST_RECORD, KEY, SEQUENCE, repeatable, without_counter

from realtime import outbox

RECORD = FIRST_RECORD + 7


def test_the_counter_is_found_where_the_outbox_takes_from_it() -> None:
    taken = outbox._TAKE_IDS_STORE_AND_COMMIT.replace("%s", "1", 2)
    without, replaced = without_counter(taken)
    assert (replaced, "realtime_outboxcounter" in without) == (1, False)
    assert f"WITH taken AS (\n  {SEQUENCE}\n)" in without


def test_a_movement_is_run_again_with_another_key_and_a_record_of_its_own() -> None:
    ran = [
        (False, "SELECT 1"),
        (True, f"INSERT INTO key VALUES ('{KEY}, in')"),  # noqa: S608 - run nowhere
        (True, 'INSERT INTO "orders_processrecord" (line) VALUES (1) RETURNING "id"'),
        (True, f"""SET CONSTRAINTS ALL IMMEDIATE;\nINSERT INTO event VALUES ('{{"id":{RECORD}}}; and more')"""),
        (False, "SELECT 2"),
        (True, f'UPDATE "orders_processrecord" SET output = 1 WHERE id = {RECORD}'),  # noqa: S608 - run nowhere
        (True, "INSERT INTO event SELECT 1 FROM taken\nORDER BY place; COMMIT"),
        (False, "SELECT 3"),
    ]
    assert [*repeatable(ran)] == [
        "SELECT 1;",
        "BEGIN;",
        r"\set key random(1, 9000000000000000000)",
        "INSERT INTO key VALUES ((:key || 'in'));",
        'INSERT INTO "orders_processrecord" (line) VALUES (1) RETURNING "id" \\gset',
        f"""SET CONSTRAINTS ALL IMMEDIATE\\;\nINSERT INTO event VALUES ('{{"id":{RECORD}}}; and more');""",
        "COMMIT;",
        "SELECT 2;",
        "BEGIN;",
        'UPDATE "orders_processrecord" SET output = 1 WHERE id = :id;',
        "DELETE FROM orders_processrecord WHERE id = :id;",
        "INSERT INTO event SELECT 1 FROM taken\nORDER BY place\\; COMMIT;",
        "SELECT 3;",
    ]
