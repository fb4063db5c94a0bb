"""The agreement behind a quota share: who is entitled, who may take it back, who can change this."""

from __future__ import annotations

from datetime import date
from typing import Annotated

from msgspec import Meta, Struct

from quota_constructs.errors import ConfigurationError
from quota_constructs.policies.limits import Name, Text


class Exemption(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A departure from the agreement that somebody granted for a time."""

    reason: Text
    """What is different, and why."""

    granted_by: Name
    since: date
    until: date
    """The last day on which it holds."""

    def __post_init__(self) -> None:
        """Refuse an exception that holds on no day."""
        if str(self.until) < str(self.since):  # Python lets other types pass, which are judged where they are declared
            raise ConfigurationError(f"'until' must not come before 'since', {self.since}, got {self.until}")


class Agreement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """
    What the teams agreed on about one share. Everything but the owner may be left open.

    Free text is for people; only the owner and the dates are judged by rules.
    """

    owner: Name
    """Who is entitled to the allocation, and decides on exceptions."""

    contact: Text = ""
    """Where the owner is reached, an address or a channel."""

    purpose: Text = ""
    """What the capacity is for."""

    rationale: Text = ""
    """Why the share reserves, lends or borrows."""

    priorities_raised_by: Text = ""
    """Who may raise the priority of a job that waits."""

    review_by: date | None = None
    """The day by which the agreement is looked at again."""

    exceptions: Annotated[tuple[Exemption, ...], Meta(max_length=100)] = ()
    links: Annotated[tuple[Text, ...], Meta(max_length=100)] = ()
