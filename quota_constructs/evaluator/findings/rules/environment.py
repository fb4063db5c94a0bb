"""Whether the queue has its environment to itself, as the service demands."""

from __future__ import annotations

from collections.abc import Iterator

from quota_constructs.evaluator.findings.finding import Finding, Severity
from quota_constructs.evaluator.findings.rule import Rule
from quota_constructs.evaluator.system import System
from quota_constructs.printable import shortened

SHARED_ENVIRONMENT = Rule(
    id="QC116",
    title="Several queues use one service environment",
    severity=Severity.ERROR,
    what="Two quota-managed job queues or more name the same service environment.",
    why="The service allows a quota-managed environment one queue, so the deployment fails. The evaluator runs each "
    "queue as if it had the environment to itself, which flatters both.",
    example="Queues 'research' and 'production' on environment 'gpus' of 8: each is evaluated with all 8.",
    fix="Give each queue an environment of its own and part the capacity, or make the queues one with more shares.",
)


def check_queues(system: System) -> Iterator[Finding]:
    """Yield a finding if other queues use the environment too."""
    environment = system.environment
    if environment.other_queues:
        others = ", ".join(f"'{shortened(name)}'" for name in environment.other_queues)
        yield SHARED_ENVIRONMENT.finding(
            system,
            system.source,
            "Properties/ServiceEnvironmentOrder",
            message=f"queue '{shortened(system.name)}' uses environment '{shortened(environment.name)}', and so does "
            f"{others}: a quota-managed service environment serves one queue, and the deployment will fail",
            fix="give the queue an environment of its own, or make the queues one",
            figures={"queues": 1 + len(environment.other_queues)},
        )
