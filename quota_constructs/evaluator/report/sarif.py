"""A SARIF 2.1.0 log, which code scanning and editors read, and what stands in it whatever it is about."""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Sequence
from pathlib import PurePath
from urllib.parse import quote

from quota_constructs import __version__
from quota_constructs.evaluator.report.ascii_json import dump
from quota_constructs.printable import printable

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
"""What relative places start from: the directory that the command ran in, or the repository it is the root of."""

FINGERPRINT = "quotaConstructs/v1"
"""Which of the tool's ways to tell one result from another is meant."""

Value = dict[str, object]


def encode_log(rules: Sequence[Value], results: Sequence[Value], *, run: str, properties: Value | None = None) -> bytes:
    """Return the log of one run of the command *run*, with what else is to be said of it; all of it is ASCII."""
    driver: Value = {"name": "quota-constructs", "semanticVersion": __version__, "rules": list(rules)}
    log: Value = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "automationDetails": {"id": f"quota-constructs/{run}/"},
                "invocations": [{"executionSuccessful": True}],
                "results": list(results),
                "properties": properties or {},
            }
        ],
    }
    return f"{dump(log)}\n".encode()


def message(text: str) -> Value:
    """Return *text* as a message, with nothing in it that a viewer takes for a link or for an argument."""
    return {"text": re.sub(r"\](?=\()", "] ", printable(text)).replace("{", "{{").replace("}", "}}")}


def fingerprint(*parts: str | None) -> str:
    """Return what tells a result that *parts* identify from any other, the same in every run."""
    return hashlib.sha256("\0".join(map(str, parts)).encode("utf-8", "backslashreplace")).hexdigest()


def artifact(path: str, root: PurePath) -> Value:
    """Return where the file at *path* is: from *root* if it lies below it, else as it is."""
    absolute = PurePath(posixpath.normpath((root / path).as_posix()))
    if absolute.is_relative_to(root):
        return below_root(absolute.relative_to(root).as_posix())
    return {"uri": f"file://{_quoted(absolute.as_posix())}"}


def below_root(path: str) -> Value:
    """Return where the file is that *path* leads to from the root."""
    return {"uri": _quoted(path), "uriBaseId": ROOT}


def _quoted(path: str) -> str:
    return quote(path, errors="backslashreplace")
