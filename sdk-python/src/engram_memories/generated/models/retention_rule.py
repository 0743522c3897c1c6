# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..models.retention_rule_by import RetentionRuleBy, check_retention_rule_by
from ..models.retention_rule_kind import RetentionRuleKind, check_retention_rule_kind

if TYPE_CHECKING:
    from ..models.retention_rule_filter import RetentionRuleFilter


T = TypeVar("T", bound="RetentionRule")


@_attrs_define
class RetentionRule:
    """What is deleted at which age."""

    id: str
    """ Id of a rule of retention. """
    name: str
    """ Your own name for the rule. """
    kind: RetentionRuleKind
    """ What the rule deletes. `events`: the event log, which never keeps more than seven days. `recalls`: receipts
    of recall, which are never kept for more than 30 days. `usage`: whole days of it. """
    older_than_days: int
    """ Age in days of 24 hours from which items are deleted. """
    by: RetentionRuleBy
    """ Time by which the age counts. `last_message_at`: only for conversations. One without messages counts from
    its `created_at`. """
    filter: RetentionRuleFilter
    """ Which conversations or memories the rule is about. All conditions must match; without any, it is about all.
    """
    dry_run: bool
    """ `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. """
    matched: int | None
    """ Number of items that the rule matched when it was last applied; a lower bound if counting would have read
    too many. Null if it was not applied yet. """
    operation_id: None | str
    """ Id of the last deletion of conversations or memories by the rule. Null if there was none yet, and for other
    kinds, whose deletion has no operation. """
    created_at: str
    """ Time when the rule was created. """
    updated_at: str
    """ Time of the last change of the rule by a request. """
    applied_at: None | str
    """ Time when the rule was last applied; null if it was not applied yet. """

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        kind: str = self.kind

        older_than_days = self.older_than_days

        by: str = self.by

        filter = self.filter.to_dict()

        dry_run = self.dry_run

        matched: int | None
        matched = self.matched

        operation_id: None | str
        operation_id = self.operation_id

        created_at = self.created_at

        updated_at = self.updated_at

        applied_at: None | str
        applied_at = self.applied_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "kind": kind,
                "older_than_days": older_than_days,
                "by": by,
                "filter": filter,
                "dry_run": dry_run,
                "matched": matched,
                "operation_id": operation_id,
                "created_at": created_at,
                "updated_at": updated_at,
                "applied_at": applied_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.retention_rule_filter import RetentionRuleFilter  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        kind = check_retention_rule_kind(d.pop("kind"))

        older_than_days = d.pop("older_than_days")

        by = check_retention_rule_by(d.pop("by"))

        filter = RetentionRuleFilter.from_dict(d.pop("filter"))

        dry_run = d.pop("dry_run")

        def _parse_matched(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        matched = _parse_matched(d.pop("matched"))

        def _parse_operation_id(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        operation_id = _parse_operation_id(d.pop("operation_id"))

        created_at = d.pop("created_at")

        updated_at = d.pop("updated_at")

        def _parse_applied_at(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        applied_at = _parse_applied_at(d.pop("applied_at"))

        retention_rule = cls(
            id=id,
            name=name,
            kind=kind,
            older_than_days=older_than_days,
            by=by,
            filter=filter,
            dry_run=dry_run,
            matched=matched,
            operation_id=operation_id,
            created_at=created_at,
            updated_at=updated_at,
            applied_at=applied_at,
        )

        return retention_rule
