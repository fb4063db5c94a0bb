"""Contention traces on disk: the published format, read with every line checked, and written."""

from quota_constructs.evaluator.traces.builder import UnknownShares
from quota_constructs.evaluator.traces.reader import read_trace
from quota_constructs.evaluator.traces.writer import encode_trace, write_trace

__all__ = ["UnknownShares", "encode_trace", "read_trace", "write_trace"]
