"""JSON in ASCII: a name may hold what steers a terminal, such as a direction mark; as an escape it does not."""

from __future__ import annotations

import json
import re


def dump(value: object) -> str:
    """Return *value* as JSON on one line."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def to_ascii(encoded: bytes | bytearray) -> bytes:
    """Return JSON that is *encoded* in UTF-8 with every other character than printable ASCII as its escape."""
    if encoded.isascii() and b"\x7f" not in encoded:
        return bytes(encoded)
    return re.sub(r"[^\x00-\x7e]", lambda match: dump(match[0])[1:-1], encoded.decode()).encode()
