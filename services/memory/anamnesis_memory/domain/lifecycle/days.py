"""Days as the unit in which memories age; records keep whole microseconds."""

DAY_US = 24 * 3600 * 1_000_000


def days_between(start_us: int, end_us: int) -> float:
    """Days from `start_us` to `end_us`; 0 where a clock went back."""
    return max(0, end_us - start_us) / DAY_US
