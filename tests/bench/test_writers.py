"""The benchmark of writers turns recorded statements of the product into a script of pgbench."""

from writers import FIRST_RECORD, KEY, SEQUENCE, repeatable, without_counter

from realtime import outbox

RECORD = FIRST_RECORD + 7


def test_without_counter_replaces_the_counter_of_the_outbox_by_a_sequence() -> None:
    taken = outbox._TAKE_IDS_STORE_AND_COMMIT.replace("%s", "1", 2)
    without, replaced = without_counter(taken)
    assert (replaced, "realtime_outboxcounter" in without) == (1, False)
    assert f"WITH taken AS (\n  {SEQUENCE}\n)" in without


def test_repeatable_gives_each_run_its_own_key_and_record() -> None:
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
