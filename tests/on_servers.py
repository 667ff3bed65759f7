"""Which tests run on PostgreSQL and Redis too: those where the database or the channel layer can matter.

`make test` proves every rule once, on the database that it is given. `pytest --servers` runs only these rooms.
"""

ROOMS = {
    "tests/contract": "each list sorts, filters, searches and counts, and each write meets constraints",
    "tests/property": "calls race for locks",
    "tests/realtime": "events pass the layer between processes, in the order of commits",
    "tests/project/audit": "triggers refuse changes of what was audited",
    "tests/project/core/test_commands.py": "commands find tables that are missing",
    "tests/project/core/test_connections.py": "a process has a pool of connections",
    "tests/project/core/test_database_away.py": "the database is stopped",
    "tests/project/core/test_draining.py": "open transactions end before a process does",
    "tests/project/core/test_earlier_builds.py": "an unfit database is refused, and each kind has its own way out",
    "tests/project/core/test_health.py": "both servers are asked",
    "tests/project/core/test_idempotency.py": "two calls with one key race",
    "tests/project/core/test_metrics.py": "connections and the layer are measured",
    "tests/project/core/test_names_as_read.py": "texts are folded and compared",
    "tests/project/core/test_operations.py": "migrations lock tables and build indexes",
    "tests/project/core/test_paging.py": "cursors compare values as the database sorts them",
    "tests/project/core/test_prepared.py": "statements are compiled for the database",
    "tests/project/core/test_repeated_writes.py": "each write is repeated with its key",
    "tests/project/billing/test_numbers.py": "numbers are given out without a gap",
    "tests/project/catalogs/test_catalogs.py": "names are unique whatever their case",
    "tests/project/demo/test_first_day.py": "the sample is loaded while others write",
    "tests/project/doors/test_second_factor.py": "simultaneous uses of a code race for one row",
    "tests/project/doors/test_passkeys.py": "simultaneous uses of an answer race for one row",
    "tests/project/importing/test_dependability.py": "jobs hold leases and are taken over",
    "tests/project/integrations/test_no_event_is_lost.py": "the queue of webhooks is shared between processes",
    "tests/project/metal/test_ledger.py": "balances are locked, added up and checked by triggers",
    "tests/project/metal/test_lots_first_in_first_out.py": "one statement takes metal from the oldest lots",
    "tests/project/notices/test_simultaneous_workers.py": "workers take the same rows at the same time",
    "tests/project/operations": "backups, restores and the doctor read the database's own catalog",
    "tests/project/orders/test_constraints.py": "the database refuses what must never be",
    "tests/project/orders/test_line_status.py": "a line and its order are locked together",
    "tests/project/orders/test_movements.py": "records are locked while pieces move",
    "tests/project/orders/test_order_lists.py": "lists sort and filter by computed columns",
    "tests/project/orders/test_order_summaries.py": "sums are computed in SQL",
    "tests/project/orders/test_ways.py": "what finished lines teach is read by one statement for both databases",
    "tests/project/orders/test_own_processes.py": "pieces are counted in SQL",
    "tests/project/orders/test_releases.py": "past exits are read from JSON",
    "tests/project/orders/test_undo.py": "records are locked and merged",
    "tests/project/personal_data": "texts of all tables are swept in SQL",
    "tests/project/presses": "a batch and its orders are locked, and triggers refuse changes of what happened",
    "tests/project/piecework/test_item_prices.py": "an exit reads its price by one statement",
    "tests/project/piecework/test_payment_constraints.py": "the database refuses to pay twice",
    "tests/project/reports": "reports group, sum and take percentiles",
    "tests/project/search": "PostgreSQL searches by trigram indexes",
    "tests/project/staffing": "rights are read by one statement",
    "tests/project/worker": "processes hold leases",
}
"""A folder or file of tests, and what the database or the layer can change there."""

SQL = {
    "project/audit/migrations": "tests/project/audit",
    "project/catalogs/selectors.py": "tests/project/piecework/test_item_prices.py",
    "project/core/apps.py": "tests/project/core/test_names_as_read.py",
    "project/core/database.py": "tests/project/core/test_connections.py",
    "project/core/earlier_builds.py": "tests/project/core/test_earlier_builds.py",
    "project/core/management/commands/migrate.py": "tests/project/core/test_operations.py",
    "project/core/operations.py": "tests/project/core/test_operations.py",
    "project/core/queries.py": "tests/project/core/test_prepared.py",
    "project/core/searching.py": "tests/project/search",
    "project/core/tracing.py": "tests/project/core/test_metrics.py",
    "project/customer_links/migrations": "tests/property",
    "project/importing/jobs.py": "tests/project/importing/test_dependability.py",
    "project/metal/ledger.py": "tests/project/metal/test_ledger.py",
    "project/metal/lots.py": "tests/project/metal/test_lots_first_in_first_out.py",
    "project/metal/migrations": "tests/project/metal/test_ledger.py",
    "project/operations": "tests/project/operations",
    "project/operations/health.py": "tests/project/core/test_health.py",
    "project/orders/migrations": "tests/project/presses",
    "project/orders/selectors.py": "tests/project/orders/test_own_processes.py",
    "project/orders/summaries.py": "tests/project/orders/test_order_summaries.py",
    "project/staffing/selectors.py": "tests/project/staffing",
    "realtime/outbox.py": "tests/realtime",
}
"""A folder or file of the product that writes SQL or asks which database it has, and the room that tests it on both."""


def is_on_servers(path: str) -> bool:
    """Whether the test file at `path`, from the root of the repository, runs on PostgreSQL and Redis too."""
    return _within(path, ROOMS)


def is_tested_on_servers(path: str) -> bool:
    """Whether the product file at `path`, from the root of the repository, may write SQL."""
    return _within(path, SQL)


def _within(path: str, places: dict[str, str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)
