"""Numbers as people read them."""

from __future__ import annotations

_HOUR_MS = 3_600_000


def as_hours(instance_ms: int) -> str:
    """Return instance-milliseconds as instance-hours: `1,234.50`."""
    hours = instance_ms / _HOUR_MS
    return f"{hours:,.2f}" if instance_ms == 0 or hours >= 0.005 else "<0.01"  # noqa: PLR2004 - half the last digit


def as_clock(ms: float) -> str:
    """Return a time as hours, minutes and seconds: `1:05:09`, and in milliseconds where it is under a second."""
    if 0 < ms < 1000:  # noqa: PLR2004 - one second
        return f"{ms:.0f} ms"
    minutes, seconds = divmod(round(ms / 1000), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:,}:{minutes:02}:{seconds:02}"


def as_percent(part: float | None) -> str:
    """Return a fraction in percent, `-` where there is none."""
    return "-" if part is None else f"{100 * part:.1f} %"


def as_seconds(ms: int) -> str:
    """Return a time in seconds, with decimals only where it has some: `20 s`, `0.5 s`."""
    return f"{ms // 1000:,} s" if ms % 1000 == 0 else f"{ms / 1000:,.3f}".rstrip("0") + " s"
