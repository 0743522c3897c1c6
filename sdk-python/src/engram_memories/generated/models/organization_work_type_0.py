# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="OrganizationWorkType0")


@_attrs_define
class OrganizationWorkType0:
    """Work that is left for sweeps, the periodic runs in the background."""

    index_jobs: int
    """ Number of ranges of messages, and memories, that wait to be embedded. Above 10,000, that number. """
    failed_index_jobs: int
    """ Number of of those that failed ten times, and are not tried again before a repair. Above 10,000, that
    number. """
    enrichment_jobs: int
    """ Number of memories that wait for tags and a summary. Above 10,000, that number. """
    summary_jobs: int
    """ Number of conversations that wait for summaries. Above 10,000, that number. """
    late_words: int
    """ Number of messages whose words the keyword index does not have yet. Above 10,000, that number. """
    deletions: int
    """ Number of deleted conversations and memories whose rows are not removed yet, without those under a hold.
    Above 10,000, that number. """
    vector_deletions: int
    """ Number of deleted vectors whose removal is not confirmed yet. Above 10,000, that number. """
    operations: int
    """ Number of operations that are not complete, apart from imports. Above 10,000, that number. """
    webhooks: int
    """ Number of webhooks that wait to repeat a delivery that failed. Above 10,000, that number. """

    def to_dict(self) -> dict[str, Any]:
        index_jobs = self.index_jobs

        failed_index_jobs = self.failed_index_jobs

        enrichment_jobs = self.enrichment_jobs

        summary_jobs = self.summary_jobs

        late_words = self.late_words

        deletions = self.deletions

        vector_deletions = self.vector_deletions

        operations = self.operations

        webhooks = self.webhooks

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "index_jobs": index_jobs,
                "failed_index_jobs": failed_index_jobs,
                "enrichment_jobs": enrichment_jobs,
                "summary_jobs": summary_jobs,
                "late_words": late_words,
                "deletions": deletions,
                "vector_deletions": vector_deletions,
                "operations": operations,
                "webhooks": webhooks,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        index_jobs = d.pop("index_jobs")

        failed_index_jobs = d.pop("failed_index_jobs")

        enrichment_jobs = d.pop("enrichment_jobs")

        summary_jobs = d.pop("summary_jobs")

        late_words = d.pop("late_words")

        deletions = d.pop("deletions")

        vector_deletions = d.pop("vector_deletions")

        operations = d.pop("operations")

        webhooks = d.pop("webhooks")

        organization_work_type_0 = cls(
            index_jobs=index_jobs,
            failed_index_jobs=failed_index_jobs,
            enrichment_jobs=enrichment_jobs,
            summary_jobs=summary_jobs,
            late_words=late_words,
            deletions=deletions,
            vector_deletions=vector_deletions,
            operations=operations,
            webhooks=webhooks,
        )

        return organization_work_type_0
