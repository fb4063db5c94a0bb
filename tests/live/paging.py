"""
Pages of a listing, with tokens that hold for the listing they were given for and no other.

A token names the last record of its page, as a key-value store does it, so that records that come and go between two
pages neither shift the others nor repeat them.
"""

from __future__ import annotations

import base64
import bisect
import json
from collections.abc import Callable, Sequence
from typing import Any

from tests.live.account import Record
from tests.live.failures import Failure

Place = list[Any]
"""Where a record stands in its listing: values that JSON can hold and that can be compared."""


def page(
    records: Sequence[Record],
    request: Record,
    *,
    place: Callable[[Record], Place],
    token_name: str,
    size: int,
) -> tuple[Sequence[Record], str | None]:
    """Return the page of *records*, which are sorted by their place, that *request* asks for, and the next token."""
    query = {name: value for name, value in request.items() if name != token_name}
    start = 0
    if token_name in request:
        start = bisect.bisect_right(records, _place_in(request[token_name], query), key=place)
    shown = records[start : start + size]
    more = start + size < len(records)
    return shown, _token(query, place(shown[-1])) if more else None


def _token(query: Record, last: Place) -> str:
    return base64.urlsafe_b64encode(json.dumps([query, last]).encode()).decode()


def _place_in(token: str, query: Record) -> Place:
    for_query: Record
    last: Place
    try:
        for_query, last = json.loads(base64.urlsafe_b64decode(token))
    except ValueError:
        raise Failure("ClientException", "Invalid nextToken") from None
    if for_query != query:
        raise Failure("ClientException", "nextToken was returned for a request with other parameters")
    return last
