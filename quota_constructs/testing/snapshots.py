"""Snapshots of synthesized templates, for syrupy; `pip install 'quota-constructs[testing]'` brings it along."""

from __future__ import annotations

try:
    from syrupy.extensions.json import JSONSnapshotExtension
    from syrupy.types import PropertyFilter, PropertyMatcher, SerializableData, SerializedData
except ModuleNotFoundError:
    raise ImportError(
        "snapshots need syrupy, which is not installed; pip install 'quota-constructs[testing]'"
    ) from None

from quota_constructs.testing.normalized import normalized
from quota_constructs.testing.synthesized import document_of


class QuotaTemplateExtension(JSONSnapshotExtension):
    """
    Keeps each template as a JSON file that a person can review: sorted, and the same for the same declarations.

    Takes a stack, a `Template` of `aws_cdk.assertions`, a document or a file.
    """

    file_extension = "template.json"

    def serialize(
        self,
        data: SerializableData,
        *,
        exclude: PropertyFilter | None = None,
        include: PropertyFilter | None = None,
        matcher: PropertyMatcher | None = None,
    ) -> SerializedData:
        """Return *data*, a template, as text."""
        document = normalized(document_of(data))
        return super().serialize(document, exclude=exclude, include=include, matcher=matcher)
