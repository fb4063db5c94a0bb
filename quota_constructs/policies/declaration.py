"""Where in Python a resource is declared, which travels beside the template: no line number is ever in one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

DECLARATION_KEY = "quota-constructs:declared-at"
"""The type of the construct metadata, which the CDK writes into the cloud assembly."""

_LONGEST_FILE = 1_000
_LAST_LINE = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A line of a Python file."""

    file: str
    """From the root of the repository, or from where the app runs if it is in none; parted by `/`."""

    line: int

    def as_metadata(self) -> dict[str, object]:
        """Return the declaration as plain JSON values."""
        return {"file": self.file, "line": self.line}


def declaration_from_metadata(plain: object) -> Declaration | None:
    """Return the declaration that *plain* JSON values describe; None if they describe none that leads below a root."""
    match plain:
        case {"file": str(file), "line": int(line)} if not isinstance(line, bool):
            path = PurePosixPath(file)
            leads_below = not path.is_absolute() and path.parts and not {"..", "\\"}.intersection(path.parts)
            if leads_below and file.isprintable() and len(file) <= _LONGEST_FILE and 1 <= line <= _LAST_LINE:
                return Declaration(file=path.as_posix(), line=line)
        case _:
            pass
    return None
