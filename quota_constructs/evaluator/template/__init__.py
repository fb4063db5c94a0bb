"""From a CloudFormation template or cloud assembly on disk to the quota-managed systems it declares."""

from quota_constructs.evaluator.template.reader import Reading, read_systems

__all__ = ["Reading", "read_systems"]
