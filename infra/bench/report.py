"""What a benchmark returns, and how it is printed and stored."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Report:
    """The result of a benchmark: its rows on the page of measurements, and a sentence for each exceeded limit."""

    rows: dict[str, str] = field(default_factory=dict)
    exceeded: list[str] = field(default_factory=list)

    def limit(self, label: str, value: float, most: float) -> None:
        """Note the limit as exceeded if `value` is above `most`."""
        if value > most:
            self.exceeded.append(f"{label}: {value:.3g}, at most {most:g}")


def finish(report: Report) -> int:
    """Print a report. If MEASUREMENTS names a file, store the rows there. Returns the exit status."""
    print()
    for label, figure in report.rows.items():
        print(f"{label}: {figure}")
    for text in report.exceeded:
        print(f"LIMIT EXCEEDED  {text}")
    if file := os.environ.get("MEASUREMENTS"):
        Path(file).write_text(json.dumps(report.rows))
    return 1 if report.exceeded else 0


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the nearest-rank percentile; 0 without values."""
    ranked = sorted(values)
    return ranked[-(-len(ranked) * percent // 100) - 1] if ranked else 0.0
