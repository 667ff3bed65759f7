"""Score the forecasts on a movement log: `python -m infra.backtest LOG` (`make backtest LOG=…`).

Prints the Brier scores of the forecasts and of simpler methods, how often forecasts of each chance came true, and
whether the required bounds hold: each forecast weighs the same, then each line. If MEASUREMENTS names a file, stores
the figures there for the page of measurements.
"""

import json
import os
import sys
from pathlib import Path

from infra.backtest.histories import histories
from infra.backtest.scoring import rows, score, table
from infra.bench.movement_log.log import BadLog, read_log
from project.forecasts.method import FEWEST


def main(arguments: list[str]) -> int:
    """Print the table of one log. Returns 1 if the log cannot be read or is too short, 2 if the arguments are wrong."""
    if len(arguments) != 1:
        print("name one movement log: infra/docs/commands.md#movement-logs", file=sys.stderr)
        return 2
    try:
        lines = histories(read_log(Path(arguments[0])))
    except BadLog as error:
        print(error, file=sys.stderr)
        return 1
    result = score(lines)
    if not result.forecasts:
        print(f"The log is too short: nothing is forecast before {FEWEST} lines are finished.", file=sys.stderr)
        return 1
    print("\n".join(table(result)))
    if file := os.environ.get("MEASUREMENTS"):
        Path(file).write_text(json.dumps(rows(result)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
