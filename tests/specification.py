"""The rules of infra/docs/rules.md#statuses, written a second time: nothing here is imported from the code."""

LINE_STATUSES = ("New", "Approved", "InProcess", "Done", "Canceled", "Invoiced")
ORDER_STATUSES = ("New", "PartiallyApproved", "Approved", "InProcess", "Done", "Canceled", "Invoiced")

# (line status, order status) → the statuses that may be chosen. A pair that is missing offers none.
STATUS_OFFERS = {
    ("New", "New"): {"Approved", "Canceled"},
    ("New", "PartiallyApproved"): {"Approved", "Canceled"},
    ("New", "InProcess"): {"Approved", "Canceled"},
    ("Approved", "New"): {"Canceled", "Done"},
    ("Approved", "PartiallyApproved"): {"Canceled", "Done"},
    ("Approved", "Approved"): {"Canceled"},
    ("Approved", "InProcess"): {"Canceled"},
    ("InProcess", "New"): {"Done", "Canceled"},
    ("InProcess", "PartiallyApproved"): {"Done", "Canceled"},
    ("InProcess", "InProcess"): {"Done", "Canceled"},
    **{("Done", order): {"InProcess"} for order in ORDER_STATUSES},
}


def order_status(lines: list[str]) -> str:
    """Derive the status of an order from the statuses of its lines."""
    standing = [status for status in lines if status != "Canceled"]
    if not standing:
        return "Canceled"
    if all(status == "Invoiced" for status in standing):
        return "Invoiced"
    if all(status in ("Done", "Invoiced") for status in standing):
        return "Done"
    if any(status == "InProcess" for status in standing):
        return "InProcess"
    if all(status == "New" for status in standing):
        return "New"
    if any(status == "New" for status in standing):
        return "PartiallyApproved"
    return "Approved"
