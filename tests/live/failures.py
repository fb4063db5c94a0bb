"""What a service answers when it does not do what was asked."""

from __future__ import annotations


class Failure(Exception):  # noqa: N818 - the services' word for it
    """An error of a service, as it goes over the wire."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status


class Violation(Exception):  # noqa: N818 - not an error of the service: a test fails because of it
    """A request or an answer that the service's own model does not allow."""
