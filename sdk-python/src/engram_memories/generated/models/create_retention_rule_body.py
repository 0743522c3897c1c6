# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar

from attrs import define as _attrs_define

from ..models.create_retention_rule_body_by import CreateRetentionRuleBodyBy, check_create_retention_rule_body_by
from ..models.create_retention_rule_body_kind import CreateRetentionRuleBodyKind, check_create_retention_rule_body_kind
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.create_retention_rule_body_filter import CreateRetentionRuleBodyFilter


T = TypeVar("T", bound="CreateRetentionRuleBody")


@_attrs_define
class CreateRetentionRuleBody:
    name: str
    """ Your own name for the rule. """
    kind: CreateRetentionRuleBodyKind
    """ What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts
    of recall, which are never kept for more than 30 days. `usage`: whole days of it. """
    older_than_days: int
    """ Age in days of 24 hours from which items are deleted. """
    by: CreateRetentionRuleBodyBy | Unset = UNSET
    """ Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from
    its `created_at`. Default `created_at`, the only one of kinds other than `conversations` and `memories`. """
    filter: CreateRetentionRuleBodyFilter | Unset = UNSET
    """ Which conversations or memories the rule is about. All conditions must match; without any, it is about all.
    """
    dry_run: bool | Unset = UNSET
    """ `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. Default `false`. """

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        kind: str = self.kind

        older_than_days = self.older_than_days

        by: str | Unset = UNSET
        if not isinstance(self.by, Unset):
            by = self.by

        filter: dict[str, Any] | Unset = UNSET
        if not isinstance(self.filter, Unset):
            filter = self.filter.to_dict()

        dry_run = self.dry_run

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "name": name,
                "kind": kind,
                "older_than_days": older_than_days,
            }
        )
        if by is not UNSET:
            field_dict["by"] = by
        if filter is not UNSET:
            field_dict["filter"] = filter
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.create_retention_rule_body_filter import CreateRetentionRuleBodyFilter  # noqa: PLC0415

        d = dict(src_dict)
        name = d.pop("name")

        kind = check_create_retention_rule_body_kind(d.pop("kind"))

        older_than_days = d.pop("older_than_days")

        _by = d.pop("by", UNSET)
        by: CreateRetentionRuleBodyBy | Unset
        if isinstance(_by, Unset):
            by = UNSET
        else:
            by = check_create_retention_rule_body_by(_by)

        _filter = d.pop("filter", UNSET)
        filter: CreateRetentionRuleBodyFilter | Unset
        if isinstance(_filter, Unset):
            filter = UNSET
        else:
            filter = CreateRetentionRuleBodyFilter.from_dict(_filter)

        dry_run = d.pop("dry_run", UNSET)

        create_retention_rule_body = cls(
            name=name,
            kind=kind,
            older_than_days=older_than_days,
            by=by,
            filter=filter,
            dry_run=dry_run,
        )

        return create_retention_rule_body
