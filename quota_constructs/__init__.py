"""
Typed constructs for AWS Batch quota management, and an offline evaluator of what was declared with them.

The names below are the CDK half. Each is imported when it is first used, so that `import quota_constructs`,
the evaluator and the command line start no Node.
"""

__version__ = "0.1.0"

__all__ = [
    "Agreement",
    "BlockedReason",
    "Exemption",
    "InterruptionContract",
    "JobStateTimeLimitAction",
    "Objective",
    "Objectives",
    "PromiseSeverity",
    "QuotaManagedJobQueue",
    "QuotaPolicyValidation",
    "QuotaSchedulingPolicy",
    "QuotaShare",
    "ResourceSharing",
    "ResumeEvidence",
    "ServiceEnvironment",
    "Strategy",
    "WhenRetriesRunOut",
]

TYPE_CHECKING = False  # type checkers take this name for true; importing `typing` would slow the command line down
if TYPE_CHECKING:
    from quota_constructs.constructs.job_queue import QuotaManagedJobQueue
    from quota_constructs.constructs.quota_share import QuotaShare
    from quota_constructs.constructs.scheduling_policy import QuotaSchedulingPolicy
    from quota_constructs.constructs.service_environment import ServiceEnvironment
    from quota_constructs.constructs.validation import QuotaPolicyValidation
    from quota_constructs.policies.agreement import Agreement, Exemption
    from quota_constructs.policies.interruption import InterruptionContract, ResumeEvidence, WhenRetriesRunOut
    from quota_constructs.policies.objectives import Objective, Objectives, PromiseSeverity
    from quota_constructs.policies.sharing import ResourceSharing, Strategy
    from quota_constructs.policies.time_limits import BlockedReason, JobStateTimeLimitAction
else:
    # Hidden from type checkers, which would otherwise let every misspelt name pass.
    _HOMES = {
        "Agreement": "policies.agreement",
        "BlockedReason": "policies.time_limits",
        "Exemption": "policies.agreement",
        "InterruptionContract": "policies.interruption",
        "JobStateTimeLimitAction": "policies.time_limits",
        "Objective": "policies.objectives",
        "Objectives": "policies.objectives",
        "PromiseSeverity": "policies.objectives",
        "QuotaManagedJobQueue": "constructs.job_queue",
        "QuotaPolicyValidation": "constructs.validation",
        "QuotaSchedulingPolicy": "constructs.scheduling_policy",
        "QuotaShare": "constructs.quota_share",
        "ResourceSharing": "policies.sharing",
        "ResumeEvidence": "policies.interruption",
        "ServiceEnvironment": "constructs.service_environment",
        "Strategy": "policies.sharing",
        "WhenRetriesRunOut": "policies.interruption",
    }

    def __getattr__(name: str) -> object:
        """Import the module that holds *name*, and keep the name here for the next time (PEP 562)."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

        from importlib import import_module  # noqa: PLC0415 - only who uses the CDK half pays for it

        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
