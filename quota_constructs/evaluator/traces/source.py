"""The bytes of a trace file, line by line, without trusting its size."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from io import BufferedReader, FileIO
from pathlib import Path
from typing import BinaryIO, Final

from quota_constructs.evaluator.traces.refusal import Refused

MAX_LINE_BYTES: Final = 1_000_000
MAX_LINES: Final = 25_000_000
MAX_FILE_BYTES: Final = 4_000_000_000
"""Of the file, or of what comes out of a compressed one."""

BUFFER_BYTES: Final = 1 << 18
BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class Lines:
    """The lines of a file, with their line ends; `number` is that of the line read last, from 1."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.number = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield each line; refuse a file that is too long, has too long a line, or ends within its compression."""
        with BufferedReader(FileIO(self._path), BUFFER_BYTES) as file:
            if self._path.suffix.lower() != ".gz":
                yield from self._bounded(file)
                return
            if not file.peek(1):
                raise Refused("the file is empty, which no gzip file is; fetch or compress it again")
            try:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    yield from self._bounded(BufferedReader(unpacked, BUFFER_BYTES))
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                reason = str(error).replace("CRC", "checksum")
                reason = reason[:1].lower() + reason[1:]
                raise Refused(f"not a whole gzip file: {reason}; fetch or compress it again") from None

    def _bounded(self, stream: BinaryIO) -> Iterator[bytes]:
        left = MAX_FILE_BYTES
        while line := stream.readline(MAX_LINE_BYTES + 1):
            self.number += 1
            left -= len(line)
            if len(line) > MAX_LINE_BYTES:
                raise Refused(f"a line must have at most {MAX_LINE_BYTES:,} bytes; write one job a line")
            if left < 0 or self.number > MAX_LINES:
                raise Refused(
                    f"a trace must have at most {MAX_FILE_BYTES:,} bytes, unpacked, and {MAX_LINES:,} lines; "
                    "split it by time"
                )
            yield line.removeprefix(BYTE_ORDER_MARK) if self.number == 1 else line
