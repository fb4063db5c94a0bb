"""What one stage of an app has declared so far, for the rules that hold between constructs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from weakref import WeakKeyDictionary

import aws_cdk as cdk
from constructs import IConstruct

from quota_constructs.constructs.checks import is_known, refuse

MAX_SHARES = 20
"""Quota shares of one queue; the service does not raise it."""


class Ledger:
    """
    The environments, queues and shares of a stage, by ARN.

    An ARN is mostly a token here, but always the same one for the same construct, and the text itself for an
    import: so the rules hold for this package's constructs, the CDK's own and imported ones alike, as far as
    each is known. A stage is what is deployed together; another stage may go to another account.
    """

    def __init__(self) -> None:
        self._capacity: dict[str, Mapping[str, float]] = {}
        self._queue_on: dict[str, str] = {}
        self._environment_of: dict[str, str] = {}
        self._shares: defaultdict[str, dict[str, str]] = defaultdict(dict)

    @staticmethod
    def of(construct: IConstruct) -> Ledger:
        """Return the ledger of the stage that *construct* is in."""
        return _ledgers.setdefault(cdk.Stage.of(construct) or construct.node.root, Ledger())

    def add_environment(self, arn: str, capacity: Mapping[str, float]) -> None:
        """Remember what an environment has."""
        self._capacity[arn] = capacity

    def add_queue(self, queue: IConstruct, arn: str, environment_arn: str) -> None:
        """Remember the environment of *queue*; raise if it already serves another one."""
        other = self._queue_on.setdefault(environment_arn, queue.node.path)
        if other != queue.node.path:
            raise refuse(
                queue,
                f"'service_environment' already serves the queue '{other}', and under quota management it serves one; "
                "define a second environment, or give the queue more shares",
            )
        self._environment_of[arn] = environment_arn

    def add_share(self, share: IConstruct, name: str, capacity: Mapping[str, float], queue_arn: str) -> None:
        """Remember *share* of a queue; raise if the queue is full, has the name, or lacks an instance type."""
        shares = self._shares[queue_arn]
        if len(shares) >= MAX_SHARES:
            raise refuse(share, f"a queue has at most {MAX_SHARES} quota shares, got one more; merge some of them")
        if name in shares:
            raise refuse(
                share, f"'quota_share_name' must be unique in its queue, got {name!r}, which '{shares[name]}' has"
            )
        self._require_units(share, capacity, queue_arn)
        shares[name] = share.node.path

    def has_shares(self, queue_arn: str) -> bool:
        """Return whether any share was declared for a queue."""
        return bool(self._shares.get(queue_arn))

    def _require_units(self, share: IConstruct, capacity: Mapping[str, float], queue_arn: str) -> None:
        offered = self._capacity.get(self._environment_of.get(queue_arn, ""))
        if offered is None or not all(map(is_known, offered)):
            return
        lacking = sorted(unit for unit in capacity if is_known(unit) and unit not in offered)
        if lacking:
            raise refuse(
                share,
                f"'capacity' must be of what the queue's service environment has ({', '.join(sorted(offered))}), "
                f"got {', '.join(lacking)}; add it to the environment, or leave it out here",
            )


_ledgers: WeakKeyDictionary[IConstruct, Ledger] = WeakKeyDictionary()
