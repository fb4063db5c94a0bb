"""A TOML file from outside, read without trusting its size or depth."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from quota_constructs.errors import UsageError
from quota_constructs.printable import printable

MAX_BYTES = 256_000
MAX_DOTS = 500
"""In one line: what a key of many parts costs to read grows with the square of their number."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return what the file at *path* holds; a `UsageError` says in one line why it cannot be read."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {(error.strerror or str(error)).lower()}") from None
    if len(content) > MAX_BYTES:
        raise UsageError(f"{path}: must have at most {MAX_BYTES:,} bytes; shorten its texts")
    for number, line in enumerate(content.splitlines(), 1):
        if line.count(b".") > MAX_DOTS:
            raise UsageError(f"{path}:{number}: a line must have at most {MAX_DOTS} dots; break it")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8; save the file as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        text = printable(str(error))
        raise UsageError(f"{path}: not TOML: {text[:1].lower()}{text[1:]}") from None
    except (RecursionError, ValueError):  # nested too deeply; or a number of too many digits
        raise UsageError(f"{path}: not TOML that can be read; write plain tables, texts and numbers") from None
