# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="UpdateRetentionRuleBody")


@_attrs_define
class UpdateRetentionRuleBody:
    name: str | Unset = UNSET
    """ Your own name for the rule. """
    older_than_days: int | Unset = UNSET
    """ Age in days of 24 hours from which items are deleted. """
    dry_run: bool | Unset = UNSET
    """ `true`: the rule only counts what it would delete, in `matched`, and deletes nothing. """

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        older_than_days = self.older_than_days

        dry_run = self.dry_run

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if older_than_days is not UNSET:
            field_dict["older_than_days"] = older_than_days
        if dry_run is not UNSET:
            field_dict["dry_run"] = dry_run

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name", UNSET)

        older_than_days = d.pop("older_than_days", UNSET)

        dry_run = d.pop("dry_run", UNSET)

        update_retention_rule_body = cls(
            name=name,
            older_than_days=older_than_days,
            dry_run=dry_run,
        )

        return update_retention_rule_body
