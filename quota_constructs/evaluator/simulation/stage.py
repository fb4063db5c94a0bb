"""Everyone and everything in a run: units, shares and jobs, and how an arrangement is laid over them."""

from __future__ import annotations

from quota_constructs.evaluator.simulation.borrowing import Claim, misconfiguration
from quota_constructs.evaluator.simulation.history import Usage
from quota_constructs.evaluator.simulation.ledger import UNBOUNDED, Account, Pool, integral
from quota_constructs.evaluator.simulation.model import Assumptions
from quota_constructs.evaluator.simulation.run import Run
from quota_constructs.evaluator.simulation.share import Share
from quota_constructs.evaluator.system import System
from quota_constructs.evaluator.trace import ArrangementChange, Instances, Trace
from quota_constructs.policies.sharing import Strategy
from quota_constructs.policies.time_limits import BlockedReason


class Stage:
    """
    The cast of a run.

    Shares that the present arrangement does not declare stay on with a limit of zero. Jobs of shares that no
    arrangement declares have one share for them all, which never takes any.
    """

    def __init__(self, system: System, trace: Trace, assumptions: Assumptions) -> None:
        systems = [system, *(event.system for event in trace.events if isinstance(event, ArrangementChange))]
        self.runs: list[Run] = [Run(job, seq) for seq, job in enumerate(trace.jobs)]
        self.pools: dict[str, Pool] = {}
        # Whose jobs can never be stopped needs no order of victims: nothing borrows, preempts or shrinks.
        watched = len(systems) > 1 or any(s.strategy.borrows or s.in_share_preemption for s in system.shares)
        names = sorted({share.name for one in systems for share in one.shares})
        self.shares: list[Share] = [
            Share(name, index, self.runs, assumptions, watched=watched) for index, name in enumerate(names)
        ]
        self._by_name: dict[str, Share] = {share.name: share for share in self.shares}
        self._granted = {(share.name, unit) for one in systems for share in one.shares for unit in share.limits}
        for name, unit in sorted(self._granted):
            self._account(self._by_name[name], unit)
        undeclared = Share("", len(names), self.runs, assumptions, watched=False)
        for run in self.runs:
            run.share = self._by_name.get(run.job.share, undeclared)
            run.claim = run.share.claims.get(run.job.instances) or self._claim(run.share, run.job.instances)
        self._equipped = {unit for one in systems for unit in one.environment.capacity}
        for unit in sorted(self._equipped):
            self.pools.setdefault(unit, Pool(unit))
        self.time_limits: dict[BlockedReason, int] = {}
        self.borrows: bool = False
        """Whether any share may borrow at present."""
        self.rearrange(system, 0)

    def rearrange(self, system: System, now: int) -> list[Share]:
        """Lay *system* over the cast, and return the shares it no longer declares."""
        self.time_limits = {}
        for limit in system.time_limits:
            self.time_limits[limit.reason] = min(limit.max_time_ms, self.time_limits.get(limit.reason, UNBOUNDED))
        declared = {share.name: share for share in system.shares}
        self.borrows = any(share.strategy.borrows for share in system.shares)
        removed = [share for share in self.shares if share.declared and share.name not in declared]
        for share in self.shares:
            quota = declared.get(share.name)
            share.declared = quota is not None
            share.enabled = quota is not None and quota.enabled
            share.borrows = quota is not None and quota.strategy.borrows
            share.in_share_preemption = quota is not None and quota.in_share_preemption
            reserves = quota is not None and quota.strategy is Strategy.RESERVE
            for unit, account in share.accounts.items():
                ceiling = quota.ceiling(unit) if quota is not None else 0
                account.resize(
                    quota.limits.get(unit, 0) if quota is not None else 0,
                    UNBOUNDED if ceiling is None else ceiling,
                    reserves=reserves,
                    now=now,
                )
            for instances, claim in share.claims.items():
                claim.blocked = misconfiguration(system, quota, instances) if quota is not None else None
        for unit, pool in self.pools.items():
            allocated = sum(share.limits.get(unit, 0) for share in system.shares)
            pool.resize(system.environment.capacity.get(unit, 0), allocated, now)
        return removed

    def usage(self, start: int, end: int) -> dict[tuple[str, str], Usage]:
        """Return what each share had and used, over the horizon."""
        return {
            (share.name, unit): account.usage(start, end)
            for share in self.shares
            for unit, account in sorted(share.accounts.items())
            if (share.name, unit) in self._granted
        }

    def capacity(self, start: int, end: int) -> dict[str, int]:
        """Return the environment's capacity, integrated over the horizon."""
        return {
            unit: integral(pool.capacity_steps, start, end)
            for unit, pool in sorted(self.pools.items())
            if unit in self._equipped
        }

    def _claim(self, share: Share, instances: Instances) -> Claim:
        claim = share.claims[instances] = Claim(tuple((self._account(share, unit), n) for unit, n in instances))
        return claim

    def _account(self, share: Share, unit: str) -> Account:
        account = share.accounts.get(unit)
        if account is None:
            pool = self.pools.setdefault(unit, Pool(unit))
            account = share.accounts[unit] = Account(share, pool)
        return account
