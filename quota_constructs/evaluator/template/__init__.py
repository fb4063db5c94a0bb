"""CloudFormation templates and cloud assemblies on disk, and the quota-managed systems that they declare."""

from quota_constructs.evaluator.template.reader import Reading, read_systems
from quota_constructs.evaluator.template.writer import encode_template

__all__ = ["Reading", "encode_template", "read_systems"]
