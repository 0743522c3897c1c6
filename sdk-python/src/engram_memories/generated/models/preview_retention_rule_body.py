# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.preview_retention_rule_body_by import PreviewRetentionRuleBodyBy, check_preview_retention_rule_body_by
from ..models.preview_retention_rule_body_kind import (
    PreviewRetentionRuleBodyKind,
    check_preview_retention_rule_body_kind,
)
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.preview_retention_rule_body_filter import PreviewRetentionRuleBodyFilter


T = TypeVar("T", bound="PreviewRetentionRuleBody")


@_attrs_define
class PreviewRetentionRuleBody:
    kind: PreviewRetentionRuleBodyKind
    """ What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts
    of recall, which are never kept for more than 30 days. `usage`: whole days of it. """
    older_than_days: int
    """ Age in days of 24 hours from which items are deleted. """
    by: PreviewRetentionRuleBodyBy | Unset = UNSET
    """ Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from
    its `created_at`. Default `created_at`, the only one of kinds other than `conversations` and `memories`. """
    filter: PreviewRetentionRuleBodyFilter | Unset = UNSET
    """ Which conversations or memories the rule is about. All conditions must match; without any, it is about all.
    """

    def to_dict(self) -> dict[str, Any]:
        kind: str = self.kind

        older_than_days = self.older_than_days

        by: str | Unset = UNSET
        if not isinstance(self.by, Unset):
            by = self.by

        filter: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter, Unset):
            filter = self.filter.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "older_than_days": older_than_days,
            }
        )
        if by is not UNSET:
            field_dict["by"] = by
        if filter is not UNSET:
            field_dict["filter"] = filter

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.preview_retention_rule_body_filter import PreviewRetentionRuleBodyFilter  # noqa: PLC0415

        d = dict(src_dict)
        kind = check_preview_retention_rule_body_kind(d.pop("kind"))

        older_than_days = d.pop("older_than_days")

        _by = d.pop("by", UNSET)
        by: PreviewRetentionRuleBodyBy | Unset
        if isinstance(_by, Unset):
            by = UNSET
        else:
            by = check_preview_retention_rule_body_by(_by)

        _filter = d.pop("filter", UNSET)
        filter: PreviewRetentionRuleBodyFilter | Unset
        if isinstance(_filter, Unset):
            filter = UNSET
        else:
            filter = PreviewRetentionRuleBodyFilter.from_dict(_filter)

        preview_retention_rule_body = cls(
            kind=kind,
            older_than_days=older_than_days,
            by=by,
            filter=filter,
        )

        return preview_retention_rule_body
